//! Paks made out of files.

use crate::ops::report::create;
use daisho::ops::Existing;
use daisho::ops::write::WriteOptions;

use super::naive::{self, assert_tight, contents};
use super::{Random, context, into_file, names_in};
use crate::archive::build::PACKS;
use crate::long;

#[test]
fn files_become_entries_in_either_layout() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(9);
    let mut expected: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for (name, len) in [
        ("maps/e1m1.bsp", 2_500_000),
        ("maps/e1m1.ent", 10),
        ("maps.txt", 5),
        ("Zeta.cfg", 0),
        ("skins/noise.tga", 0),
        ("big.wav", 3_000_000),
        ("刀.wal", 700),
    ] {
        let mut content = random.mixture(len);
        if name.contains("noise") {
            content = random.noise(5000);
        }
        let path = dir.path().join("in").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &content).unwrap();
        expected.push((name.as_bytes().to_vec(), content));
    }
    expected.sort();
    let expected: Vec<(&[u8], &[u8])> = expected
        .iter()
        .map(|(name, content)| (name.as_slice(), content.as_slice()))
        .collect();
    for layout in PACKS {
        let mut first = None;
        let all_jobs: &[usize] = if long::whole() {
            &[1, 2, 3, 16]
        } else {
            &[1, 16]
        };
        for &jobs in all_jobs {
            let options = WriteOptions {
                existing: Existing::Replace,
                ..into_file(dir.path().join("out.pak"), layout)
            };
            let report = create(&context(jobs), &[dir.path().join("in")], &options).unwrap();
            assert!(report.status.is_written(), "{report:?}");
            assert!(report.findings.is_empty());
            let bytes = std::fs::read(dir.path().join("out.pak")).unwrap();
            let entries = naive::read(&bytes, layout);
            assert!(contents(&entries) == expected);
            assert_tight(&bytes, &entries);
            assert!(*first.get_or_insert(bytes.clone()) == bytes, "{jobs}");
        }
    }
    assert_eq!(names_in(dir.path()), ["in", "out.pak"]);
}
