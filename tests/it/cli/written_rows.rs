//! `--json` of the verbs that write: what the rows say is what is on disk.

use super::Dir;
use super::paks::{EVIL, daikatana, damaged, quake};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// The rows that a command prints, which ends with this status.
fn printed(dir: &Dir, line: &str, code: i32) -> Vec<serde_json::Value> {
    dir.run(line).code(code).json()
}

/// How long a file is.
fn len(dir: &Dir, name: &str) -> u64 {
    dir.read(name).len() as u64
}

/// A path with slashes, whatever the system writes between its parts.
fn slashed(path: &serde_json::Value) -> String {
    path.as_str().unwrap().replace('\\', "/")
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
    let status = |row: &serde_json::Value| row["status"].as_str().unwrap().to_owned();
    let found: Vec<_> = rows.iter().map(status).collect();
    assert_eq!(found, ["written", "failed", "kept", "failed"]);
    let [a, b, c, none] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(slashed(&a["archive"]), "in/a.pak");
    assert_eq!(slashed(&a["output"]), "out/a.pak");
    assert_eq!(
        (&a["from"], &a["to"]),
        (&"daikatana".into(), &"quake".into())
    );
    assert_eq!((&a["entries"], &a["mended"]), (&7.into(), &1.into()));
    assert_eq!(a["bytes_in"], len(&dir, "in/a.pak"));
    assert_eq!(a["bytes"], len(&dir, "out/a.pak"));
    assert_eq!(slashed(&a["outputs"][0]["file"]), "out/a.pak");
    assert_eq!(a["outputs"][0]["entries"], 7);
    assert_eq!(b["outputs"], serde_json::json!([]));
    assert!(b["failed"].as_u64().unwrap() > 3, "{b}");
    assert_eq!(
        b["errors"].as_array().unwrap().len() as u64,
        b["failed"].as_u64().unwrap()
    );
    assert_eq!(
        (&c["bytes"], &c["errors"]),
        (&serde_json::Value::Null, &serde_json::json!([]))
    );
    assert!(
        none["errors"][0].as_str().unwrap().contains("none.pak"),
        "{none}"
    );
    assert_eq!(dir.read("out/c.pak"), b"mine");

    // What is planned is what is written then, in all parts.
    let line = "convert in/c.pak -o p1.pak --max-entries 3 --json -q";
    let planned = printed(&dir, &format!("{line} -n"), 0);
    assert_eq!(planned[0]["status"], "planned");
    let written = printed(&dir, line, 0);
    let outputs = |rows: &[serde_json::Value]| rows[0]["outputs"].clone();
    assert_eq!(outputs(&planned), outputs(&written));
    assert_eq!(outputs(&written).as_array().unwrap().len(), 3);
    for part in outputs(&written).as_array().unwrap() {
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
    let files = serde_json::json!([
        {"name": "a.cfg", "size": 4},
        {"name": "maps/b.bsp", "size": 3000},
    ]);
    assert_eq!(planned[0]["files"], files);
    let written = &printed(&dir, line, 0)[0];
    assert_eq!(
        (&written["status"], &written["to"]),
        (&"written".into(), &"pk3".into())
    );
    assert_eq!(
        (&written["entries"], &written["files"]),
        (&2.into(), &serde_json::Value::Null)
    );
    assert_eq!(written["bytes"], len(&dir, "out.pk3"));
    // There is nothing on standard output but one or the other.
    for line in ["create mod -o - --json", "convert out.pk3 -o - --json"] {
        dir.refuses(line).out("").err_has("leave out --json");
    }
    let line = "convert out.pk3 -o - --json -q -n";
    let planned = printed(&dir, line, 0);
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
    assert_eq!(
        (&planned[0]["status"], &planned[0]["replaces"]),
        (&"planned".into(), &true.into())
    );
    let [a, b, up, ..] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(
        (&a["status"], &a["replaces"]),
        (&"written".into(), &true.into())
    );
    assert_eq!(dir.read(a["file"].as_str().unwrap()), [7; 3000]);
    assert_eq!((&b["status"], &b["index"]), (&"failed".into(), &1.into()));
    assert!(b["problem"].as_str().unwrap().contains("CRC-32"), "{b}");
    assert_eq!(
        (&up["status"], &up["file"]),
        (&"skipped".into(), &serde_json::Value::Null)
    );
    // Every file is there, under the path that its row has.
    let of_q: Vec<_> = rows
        .iter()
        .filter(|row| row["archive"] == "q.pak")
        .collect();
    assert_eq!(of_q.len(), 7);
    let evil = of_q.iter().find(|row| row["index"] == 3).unwrap();
    assert_eq!(evil["name"], core::str::from_utf8(EVIL).unwrap());
    // One name is not UTF-8, so that its row has the path's bytes.
    let written = of_q.iter().filter(|row| row["status"] == "written");
    let written: Vec<_> = written.filter(|row| row["file_hex"].is_null()).collect();
    assert_eq!(written.len(), 5);
    for row in written {
        let size = len(&dir, row["file"].as_str().unwrap());
        assert_eq!(row["size"], size, "{row}");
    }
}

#[test]
fn gallery_json_has_a_row_with_the_page() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    let daisho = |more: &str| dir.run(format!("gallery q.pak -o look --json -q {more}"));
    let rows = daisho("").code(1).json();
    let [row] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(
        (&row["status"], &row["entries"]),
        (&"written".into(), &7.into())
    );
    // A TGA of nothing but zeros.
    let error = row["errors"][0].as_str().unwrap();
    assert!(error.contains("skins/black.tga"), "{error}");
    assert!(dir.path(row["page"].as_str().unwrap()).is_file());
    assert_eq!(daisho("-k").code(0).json()[0]["status"], "kept");
}

#[test]
fn convert_json_counts_the_entries_of_the_output() {
    let dir = Dir::new();
    dir.file("in.pak", damaged());
    let line = "convert in.pak -o out.pak --to quake --keep-going --json -q";
    let row = &printed(&dir, line, 1)[0];
    let written = printed(&dir, "list out.pak --json", 0).len() as u64;
    let listed = printed(&dir, "list in.pak --json", 1).len() as u64;
    assert!(written < listed, "{row}");
    assert_eq!(row["entries"], written, "{row}");
    assert_eq!(row["failed"], listed - written, "{row}");
    assert_eq!(row["outputs"][0]["entries"], written, "{row}");
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
    let row = &printed(&dir, line, 0)[0];
    let [bear, plain] = row["hard_to_find"].as_array().unwrap().as_slice() else {
        panic!("{row}")
    };
    assert_eq!(bear["name_hex"], "42e4722e636667", "{row}");
    assert_eq!(plain["name"], "Plain.cfg");
    assert_eq!(plain.get("name_hex"), None, "{row}");
}
