//! How many entries a pak may have, and how far it may reach.

use std::fs;

use daisho::ops::convert::convert;
use daisho::ops::engine::{Facts, Outcome, Verdict};
use daisho::pak::{Layout, RawName};

use super::super::{context, into_file};
use super::{ROWS, Row};
use crate::pak::build::{Entry, Pak};

const GIB_2: u64 = 1 << 31;
const GIB_4: u64 = 1 << 32;

/// Far more than any limit.
const MANY: u64 = 2_000_000;

fn words(verdict: &Verdict) -> String {
    let all: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
    all.join("; ")
}

/// The last number that passes, and the next.
#[test]
fn a_pak_may_have_so_many_entries_and_with_one_more_this_becomes_of_it() {
    for row in &ROWS {
        let mut facts = Facts::new(row.layout, 12);
        let limit = row.entries.map_or(MANY, |it| it.0);
        for _ in 0..limit {
            facts.add(RawName::from(""), 0, None);
        }
        let verdict = facts.judge(row.engine);
        let said = (verdict.outcome, words(&verdict));
        assert_eq!(said, (Outcome::Loads, String::new()), "{}", row.engine);
        let Some((limit, over)) = row.entries else {
            continue;
        };
        facts.add(RawName::from(""), 0, None);
        let verdict = facts.judge(row.engine);
        let (outcome, said) = match over {
            "stops" => (
                Outcome::NoStart,
                "and this engine does not start with such a pak",
            ),
            "refused" => (Outcome::Refused, "and this engine refuses such a pak"),
            "warned" => (Outcome::Loads, "of which this engine only warns"),
            other => panic!("{other}"),
        };
        let said = format!("its {} entries are more than {limit}, {said}", limit + 1);
        assert_eq!(
            (verdict.outcome, words(&verdict)),
            (outcome, said),
            "{}",
            row.engine
        );
    }
}

/// Q2PRO's million is left to the numbers above: a pak of so many has a directory of 64 MiB.
#[test]
fn a_pak_is_split_behind_the_last_entry_that_it_may_have() {
    for row in &ROWS {
        let limit = match row.entries {
            Some((limit, _)) if limit < 100_000 => limit as usize,
            _ => continue,
        };
        assert_eq!(parts(row, limit), [limit], "{}", row.engine);
        assert_eq!(parts(row, limit + 1), [limit, 1], "{}", row.engine);
    }
    let fteqw = ROWS.iter().find(|row| row.entries.is_none()).unwrap();
    assert_eq!(parts(fteqw, 65_537), [65_537]);
}

/// How many entries go into each part of a pak of so many.
fn parts(row: &Row, entries: usize) -> Vec<usize> {
    let mut pak = Pak::new();
    pak.entries.extend((0..entries).map(|n| Entry {
        name: n.to_string().into_bytes(),
        offset: 12,
        size: 0,
        packed: None,
    }));
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("in.pak"), row.finish(pak)).unwrap();
    planned(row, dir.path())
}

/// How many entries go into each part of `in.pak`.
fn planned(row: &Row, dir: &std::path::Path) -> Vec<usize> {
    // DarkPlaces loads by name.
    let mut options = into_file(dir.join("pak000.pak"), row.layout);
    if !row.loads.starts_with("b.PAK") {
        options = into_file(dir.join("pak0.pak"), row.layout);
    }
    options.rules.engine = Some(row.engine);
    options.dry_run = true;
    let report = convert(&context(1), &[dir.join("in.pak")], &options).unwrap();
    let parts = report.paks[0].parts.iter();
    parts.map(|part| part.entries as usize).collect()
}

/// Each number that can be too large, at the last that passes and at the next.
#[test]
fn each_number_of_a_pak_may_be_so_large() {
    for row in &ROWS {
        // Where the directory begins, where a payload does, its size, and where it ends.
        let loads = |directory: u64, begin: u64, size: u64, end: u64| {
            let mut facts = Facts::new(row.layout, directory);
            facts.add(RawName::from("a"), 1, Some((12, 13)));
            facts.add(RawName::from("b"), size, Some((begin, end)));
            facts.judge(row.engine).loads()
        };
        let found = [GIB_2 - 1, GIB_2, GIB_4 - 1].map(|n| {
            [
                loads(n, 12, 1, 13),
                loads(12, n, 0, 13),
                loads(12, 12, n, 13),
                loads(12, 12, 1, n),
            ]
        });
        let all = [true; 4];
        let ends_alone = [false, false, false, true];
        let expected = match row.reach {
            "2 GiB" => [all, ends_alone, ends_alone],
            "2 GiB, ends" => [all, [false; 4], [false; 4]],
            "4 GiB" => [all; 3],
            other => panic!("{other}"),
        };
        assert_eq!(found, expected, "{}", row.engine);
    }
}

/// A pak of two payloads and of so many bytes that is written anew, without any of them being
/// read: the directory lies first, and behind it is a hole.
#[test]
#[cfg(target_os = "linux")]
fn a_pak_is_split_where_it_would_reach_too_far() {
    use std::os::unix::fs::FileExt as _;

    for row in &ROWS {
        let is_daikatana = row.layout == Layout::Daikatana;
        let record = if is_daikatana { 72 } else { 64 };
        let dir = tempfile::tempdir().unwrap();
        let parts = |len: u64| {
            let sizes = [len / 2, len - len / 2 - 12 - 2 * record];
            let mut bytes = b"PACK\x0c\0\0\0".to_vec();
            bytes.extend((2 * record as u32).to_le_bytes());
            let mut offset = 12 + 2 * record;
            for (name, size) in [b'a', b'b'].into_iter().zip(sizes) {
                let mut field = [0; 56];
                field[0] = name;
                bytes.extend(field);
                bytes.extend((offset as u32).to_le_bytes());
                bytes.extend((size as u32).to_le_bytes());
                if is_daikatana {
                    bytes.extend((size as u32).to_le_bytes());
                    bytes.extend([0; 4]);
                }
                offset += size;
            }
            assert_eq!(offset, len);
            let file = fs::File::create(dir.path().join("in.pak")).unwrap();
            file.write_all_at(&bytes, 0).unwrap();
            file.set_len(len).unwrap();
            planned(row, dir.path())
        };
        let most = if row.reach == "4 GiB" { GIB_4 } else { GIB_2 };
        assert_eq!(parts(most - 1), [2], "{}", row.engine);
        assert_eq!(parts(most), [1, 1], "{}", row.engine);
    }
}
