//! What the fuzz target `pak_fields` asserts of any bytes as a pak: every way of reading gives what a naive reader
//! makes of the same bytes, and what is converted, there and back, is that again.

use std::io::Read;

use daisho::archive::{Case, Which};
use daisho::format::Record;
use daisho::{Archive, Entry, ErrorKind};

use super::build::PACKS;
use super::naive::{self, Content};
use super::{fuzz_bodies, fuzz_write};
use crate::codec::dice::Dice;

/// How many bytes the entries of a pak may claim together for it to be read and converted: a few
/// changes can make each of many entries the whole file.
const ENOUGH: u64 = 1 << 18;

pub(crate) fn pak_fields(bytes: &[u8]) {
    fuzz_bodies::open_read_all(bytes);
    let mut dice = Dice::of(bytes);
    for layout in PACKS {
        let Ok(archive) = Archive::from_source_with(bytes.to_vec(), layout) else {
            assert_eq!(naive::read(bytes, layout), None);
            continue;
        };
        let expected = naive::read(bytes, layout).unwrap();
        assert_eq!(archive.len(), expected.len());
        find(&archive, &expected);
        let claimed = expected.iter().filter(|entry| entry.claims);
        if claimed.map(|entry| u64::from(entry.size)).sum::<u64>() > ENOUGH {
            continue;
        }
        for (entry, expected) in archive.entries().zip(&expected) {
            agrees(&entry, expected, &mut dice);
        }
        fuzz_write::convert(&archive, false);
    }
}

/// Asserts that names are found as a plain search finds them.
fn find(archive: &Archive, expected: &[naive::Entry]) {
    for wanted in expected {
        for case in [Case::Matters, Case::Ignored] {
            let same = |entry: &naive::Entry| match case {
                Case::Matters => entry.name == wanted.name,
                Case::Ignored => entry.name.eq_ignore_ascii_case(&wanted.name),
            };
            let found = archive.find_all(&wanted.name, case);
            let found: Vec<usize> = found.map(|entry| entry.index()).collect();
            let all: Vec<usize> = (0..expected.len()).filter(|i| same(&expected[*i])).collect();
            assert_eq!(found, all);
            let last = archive.find(&wanted.name, case, Which::Last).unwrap();
            assert_eq!(Some(&last.index()), all.last());
        }
    }
}

/// Asserts that the entry has the numbers of its record, and that every reader gives its content.
fn agrees(entry: &Entry<'_>, expected: &naive::Entry, dice: &mut Dice) {
    assert_eq!(entry.name().as_bytes(), expected.name);
    assert_eq!(
        (entry.offset(), entry.size(), entry.stored_len()),
        (expected.offset.into(), expected.size.into(), expected.stored_len.into())
    );
    let archive = entry.archive();
    let record =
        Record::nth(archive.format().unwrap(), archive.directory(), entry.index()).unwrap();
    assert_eq!((record.offset, record.size), (expected.offset, expected.size));
    assert_eq!(
        (record.stored_len(), record.is_compressed()),
        (expected.stored_len, expected.compressed)
    );
    assert_eq!(entry.is_compressed(), expected.compressed);
    assert_eq!(entry.check_claims().is_ok(), expected.claims);
    match &expected.content {
        Content::Sound(content) => {
            assert_eq!(entry.read().unwrap(), *content);
            let verified = entry.verify().unwrap();
            assert_eq!(verified.crc32, crc32fast::hash(content));
            let (given, failed) = in_pieces(entry, dice);
            assert!(failed.is_none());
            assert_eq!(given, *content);
            let mut reader = entry.reader().unwrap();
            let mut given = vec![0; dice.below(content.len() + 1)];
            reader.read_exact(&mut given).unwrap();
            assert!(content.starts_with(&given));
            assert_eq!(reader.finish().unwrap(), verified.stream);
        }
        Content::Damaged(before) => {
            let error = entry.read().unwrap_err();
            assert_eq!(error.entry().unwrap().0, entry.index());
            let at = error.offset().unwrap();
            let extent = entry.extent().unwrap().unwrap();
            assert!((extent.offset..=extent.end()).contains(&at), "{error}");
            if expected.claims {
                let (given, failed) = in_pieces(entry, dice);
                assert_eq!(failed.unwrap().to_string(), error.to_string());
                // Of a literal that is cut, what there is of it may come, too.
                assert!(given.starts_with(before) && given.len() < before.len() + 64);
            }
        }
    }
}

/// The content that the entry's reader gives in pieces of any length, and its error.
fn in_pieces(entry: &Entry<'_>, dice: &mut Dice) -> (Vec<u8>, Option<daisho::Error>) {
    let mut reader = entry.reader().unwrap();
    let mut given = Vec::new();
    let mut piece = vec![0xA5; 1 << 12];
    loop {
        let room = dice.piece();
        match reader.read_some(&mut piece[..room]) {
            Ok(0) if room > 0 => return (given, None),
            Ok(read) => given.extend_from_slice(&piece[..read]),
            Err(error) => {
                let again = reader.read_some(&mut piece).unwrap_err();
                assert!(matches!(again.kind(), ErrorKind::FailedBefore));
                return (given, Some(error));
            }
        }
    }
}
