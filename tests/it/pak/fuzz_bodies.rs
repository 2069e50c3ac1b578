//! What each of the container's fuzz targets asserts of its input, whatever that is.
//!
//! The targets in `tests/fuzz` call these functions with what the fuzzer makes up; the tests
//! beside this file call them on the stable toolchain, with the corpus and with every input that
//! was ever found.

use std::io::Read;

use daisho::ErrorKind;
use daisho::codec::{DecodeReader, Reserved};
use daisho::pak::{
    Archive, Case, Coding, Entry, Header, Kind, Layout, Limits, MemorySink, Planner, SafePath,
    Which, Writer, coding_for, detect,
};

use super::build::{self, Pak};

/// How many bytes are decoded of one input: many entries can have one large stream.
const ENOUGH: u64 = 1 << 20;

/// Opens any bytes in every layout and does everything to them that can be done. What is said of
/// the records is what they say; every byte is counted once; readers agree.
pub(crate) fn open_read_all(data: &[u8]) {
    for layout in [None, Some(Layout::Quake), Some(Layout::Daikatana)] {
        let archive = match Archive::with_layout(data, layout) {
            Ok(archive) => archive,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(layout.is_none() || !matches!(error.kind(), ErrorKind::Undecided(_)));
                continue;
            }
        };
        assert!(layout.is_none_or(|layout| layout == archive.layout()));
        assert_eq!(archive.account().sum(), data.len() as u64);
        assert!(
            archive
                .oddities()
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
                assert!(entry.stored().is_err() && entry.decoded().is_err());
            } else if decoded + u64::from(entry.size()) <= ENOUGH {
                decoded += u64::from(entry.size());
                read_in_every_way(&entry);
            }
        }
    }
}

fn says_what_the_records_say(archive: &Archive<&[u8]>, data: &[u8]) {
    let start = usize::try_from(archive.header().directory_offset).unwrap();
    let len = match archive.layout() {
        Layout::Quake => 64,
        _ => 72,
    };
    let directory = data.get(start..).unwrap_or_default();
    let claimed = usize::try_from(archive.header().directory_len).unwrap();
    let directory = &directory[..claimed.min(directory.len())];
    assert_eq!(archive.len(), directory.len() / len);
    assert_eq!(archive.entries().count(), archive.len());
    for (entry, record) in archive.entries().zip(directory.chunks_exact(len)) {
        let number = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().unwrap());
        let name = record[..56].split(|byte| *byte == 0).next().unwrap();
        assert_eq!(entry.name().as_bytes(), name);
        assert_eq!(
            (entry.record().offset, entry.size()),
            (number(56), number(60))
        );
        let compressed = len == 72 && number(68) != 0;
        assert_eq!(entry.is_compressed(), compressed);
        let stored = if compressed { number(64) } else { number(60) };
        assert_eq!(entry.stored_len(), stored);
    }
}

fn look_up(archive: &Archive<&[u8]>, entry: &Entry<'_, &[u8]>) {
    let name = entry.name().as_bytes();
    for case in [Case::Matters, Case::Ignored] {
        let first = archive.find(name, case, Which::First).unwrap();
        let last = archive.find(name, case, Which::Last).unwrap();
        assert!((first.index()..=last.index()).contains(&entry.index()));
        assert!(case.same(first.name().as_bytes(), name));
    }
    let kind = entry.kind();
    assert_eq!(kind == Kind::Other, kind.as_str() == "other");
}

fn read_in_every_way(entry: &Entry<'_, &[u8]>) {
    let mut stored = Vec::new();
    entry.stored().unwrap().read_to_end(&mut stored).unwrap();
    let extent = entry
        .extent()
        .map_or(0..0, |extent| extent.offset..extent.end());
    let place = usize::try_from(extent.start).unwrap()..usize::try_from(extent.end).unwrap();
    assert_eq!(stored, entry.archive().source()[place]);
    match (entry.read(), entry.verify()) {
        (Ok(bytes), Ok(verified)) => {
            assert_eq!(bytes.len() as u64, u64::from(entry.size()));
            assert_eq!(verified.checked.size, u64::from(entry.size()));
            assert_eq!(verified.checked.crc32, crc32fast::hash(&bytes));
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
        directory_offset: choices.number(),
        directory_len: choices.number(),
    };
    let file_len = u64::from(choices.number());
    let directory = choices.0;
    let held = directory
        .len()
        .min(usize::try_from(header.directory_len).unwrap());
    let mut peek = |at: u64| data.get(usize::try_from(at).unwrap()).copied();
    let found = detect(&directory[..held], header, file_len, Some(&mut peek));
    let again = detect(&directory[..held], header, file_len, Some(&mut peek));
    assert_eq!(found, again);
    assert!(found.reasons().len() >= 2);
    assert!(!found.to_string().contains(|c: char| c.is_control()));
    for reading in found.readings() {
        assert_eq!(reading.score.is_some(), reading.tally.records > 0);
        assert!(
            reading
                .score
                .is_none_or(|score| (-1900..=1400).contains(&score))
        );
    }
    assert_eq!(found.force(Layout::Quake).layout(), Some(Layout::Quake));

    let (layout, pak) = packers_pak(&mut Choices(data));
    let archive = Archive::new(pak).unwrap();
    assert_eq!(archive.layout(), layout, "{}", archive.detection());
}

/// A pak as packers make them, of up to 40 files. Nothing of the payloads is there but their
/// length, and what stands behind the names' nul is anything.
fn packers_pak(choices: &mut Choices<'_>) -> (Layout, Vec<u8>) {
    let layout = choices.layout();
    let first = choices.below(4) == 0;
    let repeats_size = choices.below(2) == 0;
    let count = 1 + choices.below(40);
    let len = if layout == Layout::Quake { 64 } else { 72 };
    let mut end = if first { 12 + count * len } else { 12 };
    let mut directory = Vec::new();
    for _ in 0..count {
        let mut field = choices.file_name();
        field.push(0);
        if choices.below(2) == 0 {
            field.extend(choices.take(56 - field.len()));
        }
        field.resize(56, 0);
        let bits = choices.below(16);
        let size = choices.below(1 << bits);
        let compressed = layout == Layout::Daikatana && size > 2 && choices.below(2) == 0;
        let packed = if compressed {
            size.div_ceil(1 + choices.below(60)).max(2)
        } else {
            size
        };
        directory.extend(field);
        directory.extend(long(end));
        directory.extend(long(size));
        if layout == Layout::Daikatana {
            let packed = if compressed || repeats_size {
                packed
            } else {
                0
            };
            directory.extend(long(packed));
            directory.extend(long(usize::from(compressed)));
        }
        end += packed;
    }
    let start = if first { 12 } else { end };
    let mut pak = [&b"PACK"[..], &long(start), &long(directory.len())].concat();
    if first {
        pak.extend(directory);
        pak.resize(end, 0);
    } else {
        pak.resize(end, 0);
        pak.extend(directory);
    }
    (layout, pak)
}

/// Any entries of any pak, written in both layouts and both ways, are read back as they were:
/// no gap, nothing twice that was there once, the same bytes in whatever order they were filled.
pub(crate) fn write_read(data: &[u8]) {
    let mut choices = Choices(data);
    let (layout, plausible, bytes) = any_pak(&mut choices);
    let source = Archive::with_layout(&bytes[..], Some(layout)).unwrap();
    let good = |entry: &Entry<'_, &[u8]>| entry.name().as_bytes().len() < 56;
    let sound: Vec<_> = source
        .entries()
        .filter(|entry| good(entry) && entry.read().is_ok())
        .collect();
    for layout in [Layout::Quake, Layout::Daikatana] {
        let planned = plan_and_fill(&source, &sound, layout);
        check(planned.as_deref(), &sound, layout, plausible, |_| {
            Coding::Stored
        });
        let chosen = |entry: &Entry<'_, &[u8]>| coding_for(entry.name(), layout);
        let written = lay_down(&source, layout, chosen);
        assert_eq!(written, lay_down(&source, layout, chosen));
        check(written.as_deref(), &sound, layout, plausible, chosen);
    }
    let forced = lay_down(&source, Layout::Daikatana, |_| Coding::Compressed);
    check(
        forced.as_deref(),
        &sound,
        Layout::Daikatana,
        plausible,
        |_| Coding::Compressed,
    );
}

type From<'a> = Entry<'a, &'a [u8]>;

/// The sound entries, stored, filled in from either end.
fn plan_and_fill(source: &Archive<&[u8]>, sound: &[From<'_>], layout: Layout) -> Option<Vec<u8>> {
    let mut planner = Planner::new(layout, Limits::default());
    for entry in source.entries() {
        if sound.iter().any(|sound| sound.index() == entry.index()) {
            planner.push_entry(0, &entry).unwrap();
        } else if entry.name().as_bytes().len() >= 56 || entry.check_claims().is_err() {
            let error = planner.push_entry(0, &entry).unwrap_err();
            assert_eq!(error.entry().unwrap().0, entry.index());
        }
    }
    let plan = match planner.finish() {
        Ok(plan) => plan,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::NothingToWrite));
            return None;
        }
    };
    let order: Vec<usize> = plan.payloads().map(|(index, _)| index).collect();
    let fill = |order: &mut dyn Iterator<Item = &usize>| {
        let sink = MemorySink::new();
        for index in order {
            plan.fill(*index, &sound[*index], &sink).unwrap();
        }
        assert_eq!(plan.seal(&sink).unwrap(), plan.file_len());
        sink.into_bytes()
    };
    let forward = fill(&mut order.iter());
    assert_eq!(forward, fill(&mut order.iter().rev()));
    assert_eq!(forward.len() as u64, plan.file_len());
    Some(forward)
}

/// All entries; those that are damaged, or whose names cannot be written, leave nothing behind.
fn lay_down(
    source: &Archive<&[u8]>,
    layout: Layout,
    coding: impl Fn(&Entry<'_, &[u8]>) -> Coding,
) -> Option<Vec<u8>> {
    let mut writer = Writer::new(MemorySink::new(), layout, Limits::default());
    for entry in source.entries() {
        let before = writer.len();
        match writer.add_entry(0, &entry, coding(&entry)) {
            Ok(index) => assert_eq!(index, before),
            Err(error) => {
                assert_eq!(writer.len(), before);
                assert_eq!(error.entry().unwrap().0, entry.index());
                assert!(entry.name().as_bytes().len() >= 56 || entry.read().is_err());
            }
        }
    }
    match writer.finish() {
        Ok((sink, len)) => {
            let bytes = sink.into_bytes();
            assert_eq!(bytes.len() as u64, len);
            Some(bytes)
        }
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::NothingToWrite));
            None
        }
    }
}

/// That `written` holds what `sound` holds, and nothing else.
fn check(
    written: Option<&[u8]>,
    sound: &[From<'_>],
    layout: Layout,
    plausible: bool,
    coding: impl Fn(&Entry<'_, &[u8]>) -> Coding,
) {
    let Some(bytes) = written else {
        assert!(sound.is_empty());
        return;
    };
    let archive = Archive::with_layout(bytes, Some(layout)).unwrap();
    if plausible {
        let found = Archive::new(bytes).unwrap();
        assert_eq!(found.layout(), layout, "{}", found.detection());
    }
    assert_eq!(archive.len(), sound.len());
    assert_eq!(archive.oddities(), []);
    let account = archive.account();
    assert_eq!(account.sum(), bytes.len() as u64);
    let nothing = account.gaps.is_empty() && account.outside.is_empty();
    assert!(nothing && account.over_structure.is_empty(), "{account:?}");
    assert_eq!((account.trailing, account.overlapping), (0, 0));

    let mut places = std::collections::HashMap::new();
    let mut payload = 0;
    for (entry, from) in archive.entries().zip(sound) {
        assert_eq!(entry.name(), from.name());
        assert_eq!(entry.read().unwrap(), from.read().unwrap());
        let coding = coding(from);
        if entry.is_compressed() {
            assert_eq!(coding, Coding::Compressed);
            assert!(entry.stored_len() < entry.size());
            assert!(entry.is_clean_stream().unwrap());
        }
        let Some(extent) = entry.extent() else {
            continue;
        };
        let record = from.record();
        let flag = record.packed.map_or(0, |packed| packed.flag);
        let origin = (
            record.offset,
            record.stored_len(),
            record.size,
            flag,
            coding,
        );
        let place = *places.entry(origin).or_insert_with(|| {
            payload += extent.len;
            extent
        });
        assert_eq!(place, extent, "what was shared is shared");
    }
    assert_eq!(account.payload, payload, "what was not shared is not");
}

/// A pak of up to 24 entries that share, repeat, overlap and lie; whether all names are such as
/// files have.
fn any_pak(choices: &mut Choices<'_>) -> (Layout, bool, Vec<u8>) {
    let layout = choices.layout();
    let plausible = choices.below(2) == 0;
    let mut pak = Pak::new();
    for _ in 0..choices.below(25) {
        let name = if plausible || choices.below(2) == 0 {
            choices.file_name()
        } else {
            let len = choices.below(57);
            let bytes = choices.take(len);
            bytes.iter().map(|byte| (*byte).max(1)).collect()
        };
        let (offset, size, packed) = match (choices.below(8), pak.entries.last()) {
            (0, Some(last)) => (last.offset, last.size, last.packed),
            (1, Some(last)) => (last.offset, last.size / 2, last.packed),
            (2, _) => (choices.number(), choices.number() >> 20, Some((9, 0))),
            (3, _) => (choices.number(), 0, Some((9, 1))),
            (4, _) => {
                let zeros = vec![choices.byte(); choices.below(3000)];
                (pak.payload(&zeros), zeros.len() as u32, None)
            }
            (kind @ (5 | 6), _) => {
                let len = choices.below(200);
                let stream = choices.take(len);
                let size = size_of(stream) + u32::from(kind == 6 && choices.below(4) == 0);
                (pak.payload(stream), size, Some((stream.len() as u32, 1)))
            }
            _ => {
                let len = choices.below(300);
                let content = choices.take(len);
                (pak.payload(content), content.len() as u32, None)
            }
        };
        if choices.below(8) == 0 {
            pak.payload(b"dead");
        }
        pak = pak.entry(build::Entry {
            name,
            offset,
            size,
            packed,
        });
    }
    let bytes = match layout {
        Layout::Quake => pak.quake(),
        _ => pak.daikatana(),
    };
    (layout, plausible, bytes)
}

/// What a stream writes with its reserved bytes skipped, up to its end or its damage.
fn size_of(stream: &[u8]) -> u32 {
    let mut output = Vec::new();
    let mut reader = DecodeReader::new(stream, None, Reserved::Skip);
    let _ = reader.read_to_end(&mut output);
    output.len() as u32
}

fn long(value: usize) -> [u8; 4] {
    (value as u32).to_le_bytes()
}

/// The input as a row of choices; zeros where it is over.
struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *byte
    }

    fn number(&mut self) -> u32 {
        u32::from_le_bytes([(); 4].map(|()| self.byte()))
    }

    /// Below `limit`, which is at most 2^16.
    fn below(&mut self, limit: usize) -> usize {
        let value = match limit {
            ..=256 => usize::from(self.byte()),
            _ => usize::from(self.byte()) << 8 | usize::from(self.byte()),
        };
        value % limit
    }

    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn layout(&mut self) -> Layout {
        Layout::ALL[self.below(2)]
    }

    /// A name such as files have, of at most 55 bytes.
    fn file_name(&mut self) -> Vec<u8> {
        let mut name = Vec::new();
        for _ in 0..self.below(3) {
            let folder = ["maps", "textures", "e1", "sound", "x"][self.below(5)];
            name.extend(folder.as_bytes());
            name.push(b'/');
        }
        for _ in 0..1 + self.below(20) {
            name.push(b"abcdefghijklmnopqrstuvwxyz_-0123456789ABC"[self.below(41)]);
        }
        let kind = [
            "tga", "wav", "bsp", "cfg", "wal", "dkm", "pcx", "rc", "lmp", "bmp",
        ];
        name.push(b'.');
        name.extend(kind[self.below(10)].as_bytes());
        name
    }
}
