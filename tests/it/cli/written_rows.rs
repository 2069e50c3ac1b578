//! `--json` of the verbs that write: what the rows say is what is on disk.

use serde_json::{Value, json};

use super::paks::{EVIL, daikatana, damaged, quake};
use super::{Dir, assert_has};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// The rows that a command prints, which ends with this status.
fn printed(dir: &Dir, line: &str, code: i32) -> Vec<Value> {
    dir.run(line).code(code).json()
}

/// How long a file is.
fn len(dir: &Dir, name: &str) -> u64 {
    dir.read(name).len() as u64
}

#[test]
fn convert_json_has_a_row_for_each_pak() {
    let dir = Dir::new();
    dir.file("in/a.pak", daikatana());
    dir.file("in/b.pak", damaged());
    dir.file("in/c.pak", quake());
    dir.file("out/c.pak", b"mine");
    dir.file("none.pak", b"");
    let line = "convert -r in none.pak -C out -k --json -q";
    let rows = printed(&dir, line, 1);
    let [a, b, c, none] = rows.as_slice() else { panic!("{rows:?}") };
    assert_has(
        a,
        json!({
            "status": "written", "archive": "in/a.pak", "output": "out/a.pak", "from": "daikatana",
            "to": "quake", "entries": 7, "corrected": 1, "bytes_in": len(&dir, "in/a.pak"),
            "bytes": len(&dir, "out/a.pak"),
        }),
    );
    assert_has(&a["outputs"][0], json!({"file": "out/a.pak", "entries": 7}));
    assert_has(b, json!({"status": "failed", "outputs": [], "left_out": 6}));
    assert_eq!(b["problems"].as_array().unwrap().len(), 6);
    assert_has(c, json!({"status": "kept", "bytes": null, "problems": []}));
    assert_eq!(none["status"], "failed");
    let error = none["problems"][0].as_str().unwrap();
    assert!(error.contains("none.pak"), "{none}");
    assert_eq!(dir.read("out/c.pak"), b"mine");

    // What is planned is what is written then, in all parts.
    let line = "convert in/c.pak -o p1.pak --max-entries 3 --json -q";
    let planned = &printed(&dir, &format!("{line} -n"), 0)[0];
    let written = &printed(&dir, line, 0)[0];
    assert_eq!(planned["status"], "planned");
    assert_eq!(planned["outputs"], written["outputs"]);
    let parts = written["outputs"].as_array().unwrap();
    assert_eq!(parts.len(), 3);
    for part in parts {
        let file = part["file"].as_str().unwrap();
        assert_eq!(part["bytes"], len(&dir, file), "{part}");
    }
}

#[test]
fn create_json_has_a_row_even_in_a_dry_run() {
    let dir = Dir::new();
    dir.file("mod/a.cfg", b"bind");
    dir.file("mod/maps/b.bsp", vec![7; 3000]);
    let line = "create mod -o out.pk3 --json -q";
    let planned = printed(&dir, &format!("{line} -n"), 0);
    let files = json!([{"name": "a.cfg", "size": 4}, {"name": "maps/b.bsp", "size": 3000}]);
    assert_eq!(planned[0]["files"], files);
    let written = printed(&dir, line, 0);
    let bytes = len(&dir, "out.pk3");
    assert_has(
        &written[0],
        json!({"status": "written", "to": "pk3", "entries": 2, "files": null, "bytes": bytes}),
    );
    // There is nothing on standard output but one or the other.
    for line in ["create mod -o - --json", "convert out.pk3 -o - --json"] {
        dir.refuses(line).out("").err_has("leave out --json");
    }
    let planned = printed(&dir, "convert out.pk3 -o - --json -q -n", 0);
    assert_eq!(planned[0]["status"], "planned");
}

#[test]
fn extract_json_has_a_row_for_each_file() {
    let dir = Dir::new();
    let zip = Zip::new()
        .deflated("maps/a.bsp", &[7; 3000])
        .stored("sound/b.wav", b"ping")
        .stored("../up.cfg", b"out");
    let mut bytes = zip.bytes();
    let at = bytes.windows(4).position(|it| it == b"ping").unwrap();
    bytes[at] = b'P';
    dir.file("z.pk3", bytes);
    dir.file("q.pak", quake());
    dir.file("out/z/maps/a.bsp", b"old");
    let line = "extract z.pk3 q.pak -C out -f --json -q";
    let planned = dir.run(format!("{line} -n")).json();
    let rows = dir.fails(line).json();
    assert_eq!(planned.len(), rows.len());
    assert_has(&planned[0], json!({"status": "planned", "replaces": true}));
    let [a, b, up, ..] = rows.as_slice() else { panic!("{rows:?}") };
    assert_has(a, json!({"status": "written", "replaces": true}));
    assert_eq!(dir.read(a["file"].as_str().unwrap()), [7; 3000]);
    assert_has(b, json!({"status": "failed", "index": 1}));
    assert!(b["problem"].as_str().unwrap().contains("CRC-32"), "{b}");
    assert_has(up, json!({"status": "skipped", "file": null}));
    // Every file is there, under the path that its row has.
    let of_q = &rows[3..];
    assert_eq!(of_q.len(), 7);
    assert_has(&of_q[3], json!({"archive": "q.pak", "name": str::from_utf8(EVIL).unwrap()}));
    let mut written = 0;
    for row in of_q {
        // One name is not UTF-8, so that its row has the path's bytes.
        if row["status"] == "written" && row["file_hex"].is_null() {
            let size = len(&dir, row["file"].as_str().unwrap());
            assert_eq!(row["size"], size, "{row}");
            written += 1;
        }
    }
    assert_eq!(written, 5);
}

#[test]
fn gallery_json_has_a_row_with_the_page() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    let line = "gallery q.pak -o look --json -q";
    let rows = printed(&dir, line, 1);
    assert_eq!(rows.len(), 1);
    assert_has(&rows[0], json!({"status": "written", "entries": 7}));
    // A TGA of nothing but zeros.
    let error = rows[0]["problems"][0].as_str().unwrap();
    assert!(error.contains("skins/black.tga"), "{error}");
    assert!(dir.path(rows[0]["page"].as_str().unwrap()).is_file());
    let kept = printed(&dir, &format!("{line} -k"), 0);
    assert_eq!(kept[0]["status"], "kept");
}

#[test]
fn convert_json_counts_the_entries_of_the_output() {
    let dir = Dir::new();
    dir.file("in.pak", damaged());
    let line = "convert in.pak -o out.pak --to quake --keep-going --json -q";
    let row = &printed(&dir, line, 1)[0];
    assert_eq!(dir.names("out.pak").len(), 2);
    assert_has(row, json!({"entries": 2, "left_out": 6}));
    assert_eq!(row["outputs"][0]["entries"], 2, "{row}");
}

#[test]
fn json_rows_say_whether_a_file_is_replaced() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    dir.file("mod/a.cfg", b"bind");
    dir.file("old.pak", b"old");
    for (out, replaces) in [("new.pak", false), ("old.pak", true)] {
        for more in ["-n", "-q"] {
            let line = format!("convert q.pak -o {out} -f --json {more}");
            let row = &printed(&dir, &line, 0)[0];
            assert_eq!(row["outputs"][0]["replaces"], replaces, "{row}");
        }
        let line = format!("create mod -o {out} -f --json -q");
        let row = &printed(&dir, &line, 0)[0];
        assert_eq!(row["outputs"][0]["replaces"], true, "{row}");
    }
}

#[test]
fn names_in_rows_have_hex_if_not_utf_8() {
    let dir = Dir::new();
    let pak = Pak::new().stored(b"B\xe4r.cfg", "one");
    dir.file("hex.pak", pak.stored("Plain.cfg", "two").quake());
    let line = "convert hex.pak -o pak0.pak -n --json -q --engine quake";
    let names = &printed(&dir, line, 0)[0]["hard_to_find"];
    assert_eq!(names[0]["name_hex"], "42e4722e636667", "{names}");
    assert_eq!(names[1]["name"], "Plain.cfg");
    assert_eq!(names[1].get("name_hex"), None, "{names}");
}
