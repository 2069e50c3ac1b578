//! Where a pak is split for an engine.

#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, unused_imports, reason = "the sparse files of one test")
)]

use std::fs;
use std::path::Path;

use crate::ops::report::convert;
use daisho::Format;
use daisho::engine::Engine;

use super::super::{context, into_file};
use super::game::{finish, layout};
use super::observed::Observed;
use super::pak_engines;
use crate::archive::build::{Entry, Pak};

const GIB_2: u64 = 1 << 31;
const GIB_4: u64 = 1 << 32;

/// The most entries with which a pak was loaded without a word, and the next number was tried, too.
fn limit(engine: Engine) -> Option<usize> {
    match engine {
        // It loads more, and warns of it.
        Engine::Yquake2 | Engine::Yquake2Remaster => return Some(4096),
        // Read: they were not run.
        Engine::Daikatana => return Some(20_480),
        Engine::Hexenwail => return Some(2048),
        // Tried at 65,536 and one more; this is not in the half of the answers that is kept here.
        Engine::DarkPlaces | Engine::Xash3d => return Some(65_536),
        _ => {}
    }
    let observed = Observed::read();
    let mut limit = None;
    for section in observed.of("odd") {
        let count = section.name.split_once("entries-");
        let seen = section.seen(observed.known(engine).unwrap());
        if let (Some((_, count)), Some(seen)) = (count, seen) {
            let count: usize = count.parse().unwrap();
            let is_over = seen == "no start" || seen.starts_with('-');
            limit = limit.or(is_over.then_some(count - 1));
        }
    }
    limit
}

/// Q2PRO's million is left to the numbers of `odd`: a pak of so many has a directory of 64 MiB.
#[test]
fn paks_split_after_the_last_allowed_entry() {
    for engine in pak_engines() {
        match limit(engine) {
            Some(limit) if limit < 100_000 => {
                assert_eq!(parts(engine, limit), [limit], "{engine}");
                assert_eq!(parts(engine, limit + 1), [limit, 1], "{engine}");
            }
            Some(limit) => assert_eq!((engine, limit), (Engine::Q2pro, 1_048_576)),
            None => {
                assert!(matches!(engine, Engine::Fteqw | Engine::EzQuake));
                assert_eq!(parts(engine, 65_537), [65_537]);
            }
        }
    }
}

/// How many entries go into each part of a pak of so many.
fn parts(engine: Engine, entries: usize) -> Vec<usize> {
    let mut pak = Pak::new();
    pak.entries.extend((0..entries).map(|n| Entry {
        name: n.to_string().into_bytes(),
        offset: 12,
        size: 0,
        packed: None,
    }));
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("in.pak"), finish(engine, pak)).unwrap();
    planned(engine, dir.path())
}

/// How many entries go into each part of `in.pak`.
fn planned(engine: Engine, dir: &Path) -> Vec<usize> {
    let first = match engine {
        // It loads by name.
        Engine::DarkPlaces | Engine::Xash3d => "pak000.pak",
        _ => "pak0.pak",
    };
    let mut options = into_file(dir.join(first), layout(engine));
    options.rules.engines = engine.into();
    options.dry_run = true;
    let report = convert(&context(1), &[dir.join("in.pak")], options).unwrap();
    let parts = report.paks[0].parts.iter();
    parts.map(|part| part.entries as usize).collect()
}

/// A pak of two payloads and of so many bytes that is written again, without any of them being
/// read: the directory comes first, and behind it is a hole. What is written has its directory last,
/// so that it counts for engines whose payloads may be farther.
#[test]
#[cfg(target_os = "linux")]
fn a_pak_is_split_where_it_would_reach_too_far() {
    use std::os::unix::fs::FileExt as _;

    for engine in pak_engines() {
        let is_daikatana = layout(engine) == Format::Daikatana;
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
            planned(engine, dir.path())
        };
        // One was seen to load a pak whose directory begins at 2.5 GiB.
        let most = if engine == Engine::Fteqw { GIB_4 } else { GIB_2 };
        assert_eq!(parts(most - 1), [2], "{engine}");
        assert_eq!(parts(most), [1, 1], "{engine}");
    }
}
