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

use super::chosen::packers_pak;
use crate::choices::Choices;

/// How many bytes are decoded of one input: many entries can have one large stream.
const ENOUGH: u64 = 1 << 20;

/// Opens any bytes in every layout and does everything to them that can be done. What is said of
/// the records is what they say; every byte is counted once; readers agree.
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
        assert_eq!(archive.account().sum(), data.len() as u64);
        assert!(
            archive
                .notes()
                .iter()
                .all(|odd| !odd.to_string().is_empty())
        );
        says_what_the_records_say(&archive, data);
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

fn says_what_the_records_say(archive: &Archive, data: &[u8]) {
    if archive.format() == Some(Format::Pk3) {
        return; // `zips` has its own oracle.
    }
    let structure = archive.structure();
    let header = match archive.format().unwrap() {
        Format::Anachronox => 16.min(data.len() as u64),
        _ => 12,
    };
    assert_eq!((structure.header.offset, structure.header.len), (0, header));
    let start = usize::try_from(structure.directory.offset).unwrap();
    // A record's length, and where its name, its offset and its size are.
    let (len, name_at, numbers) = match archive.format().unwrap() {
        Format::Quake => (64, 0..56, [56, 60]),
        Format::Daikatana => (72, 0..56, [56, 60]),
        Format::Anachronox => (144, 0..128, [128, 132]),
        Format::Wad2 | Format::Wad3 => (32, 16..32, [0, 4]),
        _ => (128, 0..120, [120, 124]),
    };
    let directory = data.get(start..).unwrap_or_default();
    let claimed = usize::try_from(structure.claimed).unwrap();
    let directory = &directory[..claimed.min(directory.len())];
    assert_eq!(archive.directory(), directory);
    assert_eq!(structure.directory.len, directory.len() as u64);
    assert_eq!(archive.len(), directory.len() / len);
    assert_eq!(archive.entries().count(), archive.len());
    for (entry, record) in archive.entries().zip(directory.chunks_exact(len)) {
        let number = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().unwrap());
        let name = record[name_at.clone()].split(|byte| *byte == 0);
        let name = name.into_iter().next().unwrap();
        match archive.format().unwrap() {
            // Its entry's has an extension, and the first letter may be another.
            Format::Wad2 | Format::Wad3 => {
                let rest = name.get(1..).unwrap_or_default();
                assert!(
                    entry
                        .name()
                        .as_bytes()
                        .windows(rest.len() + 1)
                        .any(|it| it.starts_with(rest))
                );
            }
            _ => assert_eq!(entry.name().as_bytes(), name),
        }
        assert_eq!(
            [entry.offset(), entry.size()],
            numbers.map(|at| u64::from(number(at)))
        );
        let packed = match archive.format().unwrap() {
            Format::Daikatana if number(68) != 0 => Some(number(64)),
            Format::Anachronox if number(136) != 0 => Some(number(136)),
            _ => None,
        };
        assert_eq!(entry.is_compressed(), packed.is_some());
        let stored = packed.unwrap_or_else(|| number(numbers[1]));
        assert_eq!(entry.stored_len(), u64::from(stored));
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
    let extent = entry
        .extent()
        .map_or(0..0, |extent| extent.offset..extent.end());
    let place = usize::try_from(extent.start).unwrap()..usize::try_from(extent.end).unwrap();
    assert_eq!(stored, data[place]);
    match (entry.read(), entry.verify()) {
        (Ok(bytes), Ok(verified)) => {
            assert_eq!(bytes.len() as u64, entry.size());
            assert_eq!(verified.size, entry.size());
            assert_eq!(verified.crc32, crc32fast::hash(&bytes));
            let warned = verified
                .stream
                .is_some_and(|stream| stream.warnings().count() > 0);
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

/// Any bytes for a directory get a verdict with reasons, always the same one; and a packer's
/// directory, whatever its files are called and hold, gets the right one.
pub(crate) fn detection(data: &[u8]) {
    let mut choices = Choices(data);
    let header = Header {
        magic: *b"PACK",
        directory_offset: choices.number(),
        directory_len: choices.number().into(),
    };
    let file_len = u64::from(choices.number());
    let directory = choices.0;
    let held = directory
        .len()
        .min(usize::try_from(header.directory_len).unwrap());
    let mut peek = |at: u64| data.get(usize::try_from(at).unwrap()).copied();
    let found = Detection::of(&directory[..held], header, file_len, Some(&mut peek));
    let again = Detection::of(&directory[..held], header, file_len, Some(&mut peek));
    assert_eq!(found, again);
    assert!(found.reasons().len() >= 2);
    assert!(!found.to_string().contains(|c: char| c.is_control()));
    for reading in found.readings() {
        assert_eq!(reading.score.is_some(), reading.records() > 0);
        assert!(
            reading
                .score
                .is_none_or(|score| (-1900..=1400).contains(&score))
        );
    }
    assert_eq!(found.force(Format::Quake).format(), Some(Format::Quake));

    let (layout, pak) = packers_pak(&mut Choices(data));
    let archive = Archive::from_bytes(pak).unwrap();
    assert_eq!(archive.format(), Some(layout), "{:?}", archive.why());
}
