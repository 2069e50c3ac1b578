//! `tests/conformance/run` scores readers by `corpus/manifest.json`, and tells right readers from wrong ones.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::skips::is_installed;

/// Runs it with the daisho under test.
fn score(args: &[&str]) -> Output {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new("python3")
        .arg(top.join("tests/conformance/run"))
        .args(args)
        .env("DAISHO", env!("CARGO_BIN_EXE_daisho"))
        .output()
        .unwrap()
}

/// The verdicts on the archives that a reader does not read as the manifest says, and the number of the
/// others.
fn verdicts(reader: &str) -> (BTreeMap<String, String>, u64) {
    let ran = score(&["--json", reader]);
    let rows: Vec<Value> =
        serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let (mut verdicts, mut right) = (BTreeMap::new(), 0);
    for row in &rows {
        right += row["sound"][0].as_u64().unwrap() + row["broken"][0].as_u64().unwrap();
        for detail in row["details"].as_array().into_iter().flatten() {
            let text = |at: usize| detail[at].as_str().unwrap().to_owned();
            verdicts.insert(text(0), text(1));
        }
    }
    (verdicts, right)
}

#[test]
fn daisho_reads_the_corpus_as_the_manifest_says() {
    if !is_installed("python3") {
        return;
    }
    let (verdicts, right) = verdicts("daisho");
    assert_eq!(verdicts, BTreeMap::new());
    assert!(right > 200, "{right} archives");
}

/// So the digests in the manifest are right: the naive reader shares no code with those who wrote them.
#[test]
fn a_python_reader_agrees_with_the_manifest() {
    if !is_installed("python3") {
        return;
    }
    let (verdicts, right) = verdicts("naive");
    assert!(verdicts.values().all(|verdict| verdict == "lost"), "{verdicts:?}");
    assert!(right > 120, "{right} archives");
    for file in verdicts.keys() {
        let unusual =
            ["broken/", "sound/reserved-", "sound/empty-file-of-claims", "-the-end", "end-missing"];
        assert!(unusual.iter().any(|part| file.contains(part)), "{file}");
    }
}

/// A fault that PhysicsFS had: records are looked for every 68 bytes, where they have 64.
#[test]
fn a_reader_of_68_byte_records_gets_bad_verdicts() {
    if !is_installed("python3") {
        return;
    }
    let (naive, _) = verdicts("naive");
    let (naive68, _) = verdicts("naive68");
    for file in ["paks/sound/plain-quake.pak", "game/id1/pak0.pak", "paks/sound/name-of-56.pak"] {
        assert!(naive68.contains_key(file) && !naive.contains_key(file), "{file}");
    }
    // Where there is one record or none, the distance to the next one does not matter.
    assert!(!naive68.contains_key("paks/sound/single-quake.pak"));
}

#[test]
fn pythons_zipfile_reads_the_sound_zips_but_for_a_few() {
    if !is_installed("python3") {
        return;
    }
    let (verdicts, right) = verdicts("zipfile");
    let sound = verdicts.keys().filter(|file| file.starts_with("zips/sound/"));
    assert!(sound.count() <= 8 && right >= 40, "{verdicts:?}");
    assert_eq!(verdicts.get("zips/sound/plain.pk3"), None);
}

#[test]
fn other_readers_are_scored_by_their_command_lines() {
    if !is_installed("python3") {
        return;
    }
    let daisho = "files:$DAISHO x -q {archive} -C {dest}";
    let ran = score(&["--formats", "sin,hrot", daisho, "rows:false", "files:no-such-program"]);
    let table = String::from_utf8(ran.stdout).unwrap();
    assert!(table.contains("| sin, hrot, anachronox | 2/2 |  | 0 | 0 | 0 |"), "{table}");
    assert!(
        table.contains("| rows:false | sin, hrot, anachronox | 0/2 |  | 2 | 0 | 0 |"),
        "{table}"
    );
    let reported = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(reported, "files:no-such-program: skipped, not installed\n");
    let ran = score(&["bsdtarr"]);
    let reported = String::from_utf8(ran.stderr).unwrap();
    assert!(
        !ran.status.success() && reported.starts_with("bsdtarr: no such reader; known are "),
        "{reported}"
    );
}
