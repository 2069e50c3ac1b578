//! What the fuzz targets `open_read_all` and `detect` assert of their input, whatever that is;
//! [`fuzz_write`](super::fuzz_write) has the third.
//!
//! The targets in `tests/fuzz` call these functions with what the fuzzer makes up; the tests
//! beside this file call them on the stable toolchain, with the corpus and with every input that
//! was ever found.

use std::io::Read;

use daisho::archive::{Case, SafePath, Which};
use daisho::format::{Detection, Header};
use daisho::media::Kind;
use daisho::{Archive, Entry, ErrorKind, Format};

use crate::choices::Choices;

/// How many bytes are decoded of one input: many entries can have one large stream.
const ENOUGH: u64 = 1 << 20;

/// Opens any bytes in every layout and does everything to them that can be done. Every byte is counted once, and
/// readers agree.
pub(crate) fn open_read_all(data: &[u8]) {
    for layout in [None, Some(Format::Quake), Some(Format::Daikatana)] {
        let archive = match Archive::from_source_with(data.to_vec(), layout) {
            Ok(archive) => archive,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(layout.is_none() || !matches!(error.kind(), ErrorKind::Undecided { .. }));
                continue;
            }
        };
        assert!(layout.is_none_or(|layout| Some(layout) == archive.format()));
        assert_eq!(archive.account().unwrap().sum(), data.len() as u64);
        assert!(archive.notes().iter().all(|odd| !odd.to_string().is_empty()));
        let why = archive.why();
        assert!(why.iter().all(|why| !why.is_empty()));
        assert!(why.len() > usize::from(data.starts_with(b"PACK")));
        let mut decoded = 0;
        for entry in archive.entries() {
            look_up(&archive, &entry);
            let shown = format!("{} {:?}", entry.name(), SafePath::try_from(entry.name()));
            assert!(!shown.contains(|c: char| c.is_control()));
            if entry.check_claims().is_err() {
                assert!(entry.read().is_err() && entry.verify().is_err());
                assert!(entry.payload().is_err() && entry.reader().is_err());
            } else if decoded + entry.size() <= ENOUGH {
                decoded += entry.size();
                read_in_every_way(&entry, data);
            }
        }
    }
}

fn look_up(archive: &Archive, entry: &Entry<'_>) {
    let name = entry.name().as_bytes();
    for case in [Case::Matters, Case::Ignored] {
        let first = archive.find(name, case, Which::First).unwrap();
        let last = archive.find(name, case, Which::Last).unwrap();
        assert!((first.index()..=last.index()).contains(&entry.index()));
        assert!(case.same(first.name().as_bytes(), name));
    }
    let kind = Kind::of(entry.name());
    assert_eq!(kind == Kind::Other, kind.as_str() == "other");
}

fn read_in_every_way(entry: &Entry<'_>, data: &[u8]) {
    let mut stored = Vec::new();
    entry.payload().unwrap().read_to_end(&mut stored).unwrap();
    let extent = entry.extent().ok().flatten().map_or(0..0, |extent| extent.offset..extent.end());
    let place = usize::try_from(extent.start).unwrap()..usize::try_from(extent.end).unwrap();
    assert_eq!(stored, data[place]);
    match (entry.read(), entry.verify()) {
        (Ok(bytes), Ok(verified)) => {
            assert_eq!(bytes.len() as u64, entry.size());
            assert_eq!(verified.size, entry.size());
            assert_eq!(verified.crc32, crc32fast::hash(&bytes));
            let warned = verified.stream.is_some_and(|stream| stream.warnings().count() > 0);
            assert!(!(warned && entry.is_clean_stream().unwrap()));
        }
        (Err(a), Err(b)) => {
            assert_eq!(a.to_string(), b.to_string());
            assert_eq!(a.entry().unwrap().0, entry.index());
            assert!(!entry.is_clean_stream().unwrap());
        }
        (a, b) => panic!("{a:?}, but {b:?}"),
    }
}

/// Any bytes for a directory get a verdict with reasons, always the same one.
pub(crate) fn detection(data: &[u8]) {
    let mut choices = Choices(data);
    let header = Header {
        magic: *b"PACK",
        directory_offset: choices.number(),
        directory_len: choices.number().into(),
    };
    let file_len = u64::from(choices.number());
    let directory = choices.0;
    let held = directory.len().min(usize::try_from(header.directory_len).unwrap());
    let mut peek = |at: u64| data.get(usize::try_from(at).unwrap()).copied();
    let found = Detection::of(&directory[..held], header, file_len, Some(&mut peek));
    let again = Detection::of(&directory[..held], header, file_len, Some(&mut peek));
    assert_eq!(found, again);
    assert!(found.reasons().len() >= 2);
    assert!(!found.to_string().contains(|c: char| c.is_control()));
    for reading in found.readings() {
        assert_eq!(reading.score.is_some(), reading.records() > 0);
        assert!(reading.score.is_none_or(|score| (-1900..=1400).contains(&score)));
    }
    assert_eq!(found.force(Format::Quake).format(), Some(Format::Quake));
}
