//! What the fuzz target `write_read` asserts: see [`fuzz_bodies`](super::fuzz_bodies).

use std::collections::HashMap;

use daisho::archive::Coding;
use daisho::{Archive, Entry, ErrorKind, Format, Writer};

use super::chosen::any_pak;
use crate::archive::build::PACKS;
use crate::choices::Choices;

/// Any entries of any pak, written in both formats and in every way, are read back as they were: no
/// gap, nothing twice that was there once, and the same bytes every time.
pub(crate) fn write_read(data: &[u8]) {
    let mut choices = Choices(data);
    let (format, plausible, bytes) = any_pak(&mut choices);
    let source = Archive::from_source_with(bytes, format).unwrap();
    convert(&source, plausible);
}

/// Writes what is sound of `source` in every way, there and back, and reads it. Where all names are
/// `plausible`, the format of what was written is recognised by its records.
pub(crate) fn convert(source: &Archive, plausible: bool) {
    let good = |entry: &Entry<'_>| entry.name().as_bytes().len() < 56;
    let sound: Vec<_> =
        source.entries().filter(|entry| good(entry) && entry.read().is_ok()).collect();
    for format in PACKS {
        let written = of_entries(source, format, plausible);
        assert_eq!(written, of_entries(source, format, plausible));
        let shares = Sharing::Kept;
        check(written.as_deref(), &sound, format, plausible, shares);
        for back in PACKS {
            there_and_back(written.as_deref(), (format, back), plausible);
        }
        let apart = of_contents(&sound, format, plausible);
        check(apart.as_deref(), &sound, format, plausible, Sharing::None);
    }
}

/// What was written in the first format, written in the second.
fn there_and_back(written: Option<&[u8]>, (there, back): (Format, Format), plausible: bool) {
    let Some(bytes) = written else {
        return;
    };
    let source = Archive::from_source_with(bytes.to_vec(), there).unwrap();
    let all: Vec<_> = source.entries().collect();
    let again = of_entries(&source, back, plausible);
    check(again.as_deref(), &all, back, plausible, Sharing::Kept);
    // Nothing that was shared or out of order is left, so a second time changes nothing.
    assert!(there != back || again.as_deref() == Some(bytes));
}

/// All entries; those that are damaged, or whose names cannot be written, leave nothing behind.
fn of_entries(source: &Archive, format: Format, plausible: bool) -> Option<Vec<u8>> {
    let mut writer = Writer::in_memory(format).unwrap();
    writer.allow_duplicates();
    for entry in source.entries() {
        let before = writer.len();
        match writer.add_entry(entry) {
            Ok(()) => assert_eq!(writer.len(), before + 1),
            Err(error) => {
                assert_eq!(writer.len(), before);
                let (index, name) = error.entry().unwrap();
                assert_eq!((index, name), (entry.index(), entry.name()));
                assert!(entry.name().as_bytes().len() >= 56 || entry.read().is_err());
            }
        }
    }
    finish(writer, plausible)
}

/// The contents of sound entries one by one, from memory and from a reader.
fn of_contents(sound: &[Entry<'_>], format: Format, plausible: bool) -> Option<Vec<u8>> {
    let mut writers = [(); 2].map(|()| Writer::in_memory(format).unwrap());
    let [whole, read] = &mut writers;
    whole.allow_duplicates();
    read.allow_duplicates();
    for entry in sound {
        let name = entry.name().as_bytes();
        whole.add(name, entry.read().unwrap()).unwrap();
        read.add_reader(name, entry.reader().unwrap()).unwrap();
    }
    let [whole, read] = writers.map(|writer| finish(writer, plausible));
    assert_eq!(whole, read);
    whole
}

fn finish(writer: Writer<std::io::Cursor<Vec<u8>>>, plausible: bool) -> Option<Vec<u8>> {
    let empty = writer.is_empty();
    match writer.finish() {
        Ok(bytes) => Some(bytes.into_inner()),
        Err(error) => {
            match error.kind() {
                ErrorKind::NothingToWrite => assert!(empty),
                ErrorKind::WouldNotOpen { .. } => assert!(!plausible),
                _ => panic!("{error}"),
            }
            None
        }
    }
}

/// Whether entries that shared a payload share it in what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Kept,
    None,
}

/// That `written` holds what `sound` holds, and nothing else.
fn check(
    written: Option<&[u8]>,
    sound: &[Entry<'_>],
    format: Format,
    plausible: bool,
    sharing: Sharing,
) {
    let Some(bytes) = written else {
        assert!(sound.is_empty() || !plausible);
        return;
    };
    let archive = Archive::from_source_with(bytes.to_vec(), format).unwrap();
    // What is written opens again as what it is, whatever its names are.
    let found = Archive::from_bytes(bytes).unwrap();
    assert_eq!(found.format(), Some(format), "{:?}", found.why());
    assert_eq!(archive.len(), sound.len());
    assert_eq!(archive.notes(), []);
    let account = archive.account().unwrap();
    assert_eq!(account.sum(), bytes.len() as u64);
    assert!(account.gaps.is_empty() && account.over_structure.is_empty(), "{account:?}");
    assert_eq!((account.trailing, account.overlapping), (0, 0));

    let mut places = HashMap::new();
    let mut payload = 0;
    for (entry, from) in archive.entries().zip(sound) {
        assert_eq!(entry.name(), from.name());
        assert_eq!(entry.read().unwrap(), from.read().unwrap());
        let coding = format.coding_for(from.name());
        if entry.is_compressed() {
            assert_eq!(coding, Coding::Daikatana);
            assert!(entry.stored_len() < entry.size());
            assert!(entry.is_clean_stream().unwrap());
        }
        let Some(extent) = entry.extent().ok().flatten() else {
            continue;
        };
        let own = (sharing == Sharing::None).then_some(entry.index());
        let origin = (from.place(), from.size(), from.coding(), coding, own);
        let place = *places.entry(origin).or_insert_with(|| {
            payload += extent.len;
            extent
        });
        assert_eq!(place, extent, "what was shared is shared");
    }
    assert_eq!(account.payload, payload, "what was not shared is not");
}
