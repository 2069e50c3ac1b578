//! Written archives hold what was added, share payloads that were shared, and hold nothing of refused entries.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use daisho::archive::{Account, Case, Limit, ReadAt, Which};
use daisho::format::{Limits, Record};
use daisho::{Archive, Error, ErrorKind, Format, Writer};

use super::build::{Entry, Pak};
use crate::archive::build::PACKS;
use crate::archive::zips::build::Zip;
use crate::codec::dice::Dice;

/// All entries of an archive, written in a format.
fn convert(bytes: &[u8], format: Format) -> Vec<u8> {
    let archive = Archive::from_bytes(bytes).unwrap();
    let mut writer = Writer::in_memory(format).unwrap();
    for entry in archive.entries() {
        writer.add_entry(entry).unwrap();
        assert_eq!(writer.len(), entry.index() + 1);
    }
    writer.finish().unwrap().into_inner()
}

fn contents(bytes: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let archive = Archive::from_bytes(bytes).unwrap();
    let content =
        |entry: daisho::Entry<'_>| (entry.name().as_bytes().to_vec(), entry.read().unwrap());
    archive.entries().map(content).collect()
}

fn account(bytes: &[u8]) -> Account {
    let account = Archive::from_bytes(bytes).unwrap().account().unwrap();
    assert_eq!((account.gap_bytes(), account.trailing), (0, 0));
    account
}

fn sample() -> Vec<u8> {
    let mut pak = Pak::new().stored("a.wav", b"abcd");
    pak.payload(b"dead data");
    let mut pak =
        pak.compressed("b.tga", 65, b"\x7f\xff").stored("empty.cfg", b"").stored("c.dat", b"xyz");
    let (shared, twin) = (pak.entries[1].clone(), pak.payload(b"\x7f\xff"));
    pak = pak.entry(Entry { name: b"d.tga".to_vec(), ..shared.clone() }).entry(Entry {
        name: b"twin.tga".to_vec(),
        offset: twin,
        ..shared
    });
    pak.daikatana()
}

/// The damage shows when almost all of it is decoded: the stream holds a byte less than it should.
fn with_a_damaged_entry(last: bool) -> Vec<u8> {
    let mut stream = [0x7f; 40_000].to_vec();
    stream.extend(b"\x7e\xff");
    let pak = Pak::new().stored("a.wav", b"abcd").compressed("bad.tga", 40_001 * 65, &stream);
    let pak = if last { pak } else { pak.stored("b.wav", b"efgh") };
    pak.daikatana()
}

#[test]
fn writing_keeps_order_and_sharing_and_drops_gaps() {
    let quake = convert(&sample(), Format::Quake);
    assert_eq!(contents(&quake), contents(&sample()));
    let archive = Archive::from_bytes(&quake[..]).unwrap();
    assert_eq!(archive.format(), Some(Format::Quake));
    let account = account(&quake);
    // The twin has the same content and its own place, as it had.
    assert_eq!(account.shared.len(), 1);
    assert_eq!(account.payload, 4 + 65 + 3 + 65);
    let packed = convert(&quake, Format::Daikatana);
    assert_eq!(contents(&packed), contents(&sample()));
    let archive = Archive::from_bytes(packed).unwrap();
    assert_eq!(archive.format(), Some(Format::Daikatana));
    for entry in archive.entries() {
        let record = Record::nth(Format::Daikatana, archive.directory(), entry.index());
        let record = record.unwrap();
        assert_eq!(record.flag, u32::from(entry.is_compressed()));
        assert!(entry.is_compressed() || u64::from(record.packed_size) == entry.size());
    }
}

#[test]
fn only_five_types_that_shrink_are_compressed() {
    let noise = Dice::new(7).noise(30_000);
    let long = [b"text that comes again ".repeat(5_000), noise.clone()].concat();
    let quake = Pak::new()
        .stored("zeros.tga", [0; 1000])
        .stored("zeros.wav", [0; 1000])
        .stored("noise.bsp", &noise)
        .stored("LONG.BMP", &long)
        .stored("one.wal", b"x")
        .stored("empty.pcx", b"")
        .quake();
    let packed = convert(&quake, Format::Daikatana);
    assert_eq!(contents(&packed), contents(&quake));
    account(&packed);
    let archive = Archive::from_bytes(&packed[..]).unwrap();
    assert_eq!(archive.format(), Some(Format::Daikatana));
    let compressed: Vec<bool> = archive.entries().map(|entry| entry.is_compressed()).collect();
    assert_eq!(compressed, [true, false, false, true, false, false]);
    for entry in archive.entries().filter(|entry| entry.is_compressed()) {
        assert!(entry.is_clean_stream().unwrap());
    }
    // The same files one by one, from memory and from readers.
    let (mut whole, mut read) = (
        Writer::in_memory(Format::Daikatana).unwrap(),
        Writer::in_memory(Format::Daikatana).unwrap(),
    );
    for (name, content) in contents(&quake) {
        whole.add(&name, &content).unwrap();
        read.add_reader(&name, &content[..]).unwrap();
    }
    assert_eq!(whole.finish().unwrap().into_inner(), packed);
    assert_eq!(read.finish().unwrap().into_inner(), packed);
}

#[test]
fn only_clean_streams_are_copied_without_recoding() {
    // The first is clean; then bytes behind the end, a copy that overlaps, the reserved byte.
    let bytes = Pak::new()
        .compressed("clean.tga", 1 + 64 + 1, b"\x00a\x7e\x00b\xff")
        .compressed("tail.tga", 66, b"\x00a\x7e\x00b\xff.")
        .compressed("overlap.tga", 62, b"\x01ab\xfa\x00\xff")
        .compressed("reserved.tga", 66, b"\x00a\x7e\xfe\x00b\xff")
        .compressed("not smaller.tga", 4, b"\x03abcd\xff")
        .compressed("wrong type.wav", 66, b"\x00a\x7e\x00b\xff")
        .daikatana();
    let packed = convert(&bytes, Format::Daikatana);
    assert_eq!(contents(&packed), contents(&bytes));
    let archive = Archive::from_bytes(&packed[..]).unwrap();
    let first = archive.entry(0).unwrap().extent().unwrap().unwrap();
    assert_eq!(&packed[12..][..first.len as usize], b"\x00a\x7e\x00b\xff");
    let compressed: Vec<bool> = archive.entries().map(|entry| entry.is_compressed()).collect();
    assert_eq!(compressed, [true, true, true, true, false, false]);
    for entry in archive.entries().take(4) {
        assert!(entry.is_clean_stream().unwrap());
    }
}

/// No encoder of ours writes a literal of one byte and another behind it.
#[test]
fn extents_stay_shared_where_the_coding_agrees() {
    let mut pak = Pak::new().stored("a.tga", [0; 500]);
    let first = pak.entries[0].clone();
    for name in ["b.tga", "c.wav", "d.wav"] {
        pak = pak.entry(Entry { name: name.into(), ..first.clone() });
    }
    let packed = convert(&pak.quake(), Format::Daikatana);
    let archive = Archive::from_bytes(packed).unwrap();
    let extents: Vec<_> = archive.entries().map(|entry| entry.extent().unwrap().unwrap()).collect();
    assert_eq!((extents[0], extents[2]), (extents[1], extents[3]));
    assert_ne!(extents[0], extents[2]);
}

/// Each is closed before the next is opened, which then is at the same address in memory.
#[test]
fn archives_added_in_turn_share_nothing() {
    let mut writer = Writer::in_memory(Format::Quake).unwrap();
    for number in 0..20_u8 {
        let pak = Pak::new().stored(format!("{number}.wav"), [number; 4]);
        let archive = Archive::from_bytes(pak.quake()).unwrap();
        writer.add_entry(archive.entry(0).unwrap()).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    assert_eq!(account(&bytes).shared, []);
    for (number, (_, content)) in contents(&bytes).into_iter().enumerate() {
        assert_eq!(content, [number as u8; 4]);
    }
}

#[test]
fn a_damaged_entry_is_named_and_leaves_nothing_behind() {
    for (format, last) in PACKS.into_iter().flat_map(|it| [(it, false), (it, true)]) {
        let archive = Archive::from_bytes(with_a_damaged_entry(last)).unwrap();
        let mut writer = Writer::in_memory(format).unwrap();
        let added: Vec<bool> = archive
            .entries()
            .map(|entry| match writer.add_entry(entry) {
                Ok(()) => true,
                Err(error) => {
                    assert!(matches!(error.kind(), ErrorKind::Damaged(_)), "{error}");
                    assert_eq!(error.entry().unwrap().0, 1);
                    false
                }
            })
            .collect();
        assert_eq!(added, [true, false, true][..archive.len()]);
        let bytes = writer.finish().unwrap().into_inner();
        let sound = archive.len() - 1;
        assert_eq!(bytes.len(), 12 + 4 * sound + sound * format.spec().record_len);
        assert_eq!(contents(&bytes).len(), sound);
    }
}

#[test]
fn a_name_of_56_bytes_is_refused_by_name() {
    let pak = Pak::new().stored("first.wav", b"first").stored("x".repeat(56), b"abc");
    let archive = Archive::from_bytes(pak.quake()).unwrap();
    let entry = archive.entry(1).unwrap();
    for format in PACKS {
        let mut writer = Writer::in_memory(format).unwrap();
        let name = entry.name().as_bytes();
        let refused = [
            (writer.add_entry(entry), 1),
            (writer.add(name, b"abc"), 0),
            (writer.add_reader(name, &b"abc"[..]), 0),
        ];
        for (refused, index) in refused {
            let error = refused.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::NameTooLong { len: 56, .. }));
            assert_eq!(error.entry().unwrap(), (index, entry.name()));
        }
        let error = writer.add("a\0b", b"").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NameHasNul), "{error}");
        assert!(writer.is_empty());
    }
    // Another format has room for it.
    let mut writer = Writer::in_memory(Format::Sin).unwrap();
    writer.add_entry(entry).unwrap();
    writer.add("y".repeat(119), b"").unwrap();
    assert!(writer.add("y".repeat(120), b"").is_err());
    let bytes = writer.finish().unwrap().into_inner();
    assert_eq!(contents(&bytes)[0].1, b"abc");
}

#[test]
fn a_source_cut_while_copied_names_entry_and_byte() {
    /// Longer when it is opened than when payloads are read.
    struct Cut(Vec<u8>);
    impl ReadAt for Cut {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let payload = (20..1020).contains(&offset);
            let end = if payload { 600 } else { self.0.len() };
            self.0[..end].read_at(buffer, offset)
        }
        fn size(&self) -> io::Result<u64> {
            Ok(self.0.len() as u64)
        }
    }
    let pak = || Pak::new().stored("whole.wav", b"complete");
    for bytes in [
        pak().stored("a.wav", [7; 1000]).quake(),
        pak().compressed("a.tga", 65_000, &[[0x7f; 999].as_slice(), b"\x7f"].concat()).daikatana(),
    ] {
        let archive = Archive::from_source(Cut(bytes)).unwrap();
        for format in PACKS {
            let mut writer = Writer::in_memory(format).unwrap();
            writer.add_entry(archive.entry(0).unwrap()).unwrap();
            let cut = archive.entry(1).unwrap();
            for error in [writer.add_entry(cut).unwrap_err(), cut.read().unwrap_err()] {
                let place = (error.entry().unwrap().0, error.offset());
                assert_eq!(place, (1, Some(600)), "{error}");
                let is_cut = matches!(error.kind(), ErrorKind::CutWhileRead { at: 600 });
                assert!(is_cut, "{error}");
            }
            let bytes = writer.finish().unwrap().into_inner();
            assert_eq!(contents(&bytes), [(b"whole.wav".to_vec(), b"complete".to_vec())]);
        }
    }
}

/// Gives so many bytes, and fails then.
struct Failing(usize);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.min(buffer.len());
        if count == 0 {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        buffer[..count].fill(0xEE);
        self.0 -= count;
        Ok(count)
    }
}

#[test]
fn a_failed_reader_leaves_no_bytes() {
    for len in [0, 1, 100, 100_000] {
        for (name, format) in
            [("a.wav", Format::Quake), ("a.wav", Format::Daikatana), ("a.tga", Format::Daikatana)]
        {
            for last in [false, true] {
                let mut writer = Writer::in_memory(format).unwrap();
                writer.add("first.wav", b"first").unwrap();
                let error = writer.add_reader(name, Failing(len)).unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
                assert_eq!(error.entry().unwrap(), (1, name.into()));
                if !last {
                    writer.add("last.wav", vec![1; len]).unwrap();
                }
                let bytes = writer.finish().unwrap().into_inner();
                let archive = Archive::from_bytes(&bytes[..]).unwrap();
                assert_eq!(archive.len(), 2 - usize::from(last));
                assert_eq!(contents(&bytes)[0].1, b"first");
                // Where something is in its place there is no gap, and nothing behind the end ever.
                let account = archive.account().unwrap();
                assert!(last || account.gaps.is_empty());
                assert_eq!(account.trailing, 0);
                assert!(!bytes.contains(&0xEE));
            }
        }
    }
}

/// Memory that remembers how much of it was ever written, and may have an end.
#[derive(Debug, Default)]
struct Disk {
    bytes: Cursor<Vec<u8>>,
    written: Rc<Cell<u64>>,
    room: Option<usize>,
}

impl Write for Disk {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        // Short writes are writes, too.
        let count = buffer.len().min(1000);
        let end = self.bytes.position() as usize + count;
        if self.room.is_some_and(|room| end > room) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.written.set(self.written.get().max(end as u64));
        self.bytes.write(&buffer[..count])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn entries_beyond_a_limit_are_refused_unwritten() {
    let limits = Limits { max_entries: 2, max_bytes: 12 + 100 + 128 };
    let written = Rc::new(Cell::new(0));
    let disk = Disk { written: Rc::clone(&written), ..Disk::default() };
    let mut writer = Writer::with_limits(disk, Format::Quake, limits).unwrap();
    let over = |error: Error| match *error.kind() {
        ErrorKind::OverLimit { value, limit, .. } => (value, limit),
        _ => panic!("{error}"),
    };
    assert_eq!(over(writer.add("a", [7; 165]).unwrap_err()), (241, 240));
    let endless = writer.add_reader("a", io::repeat(1)).unwrap_err();
    assert_eq!(over(endless).1, 240);
    writer.add("a", [7; 60]).unwrap();
    assert_eq!(over(writer.add("b", [7; 41]).unwrap_err()), (241, 240));
    assert_eq!(written.get(), 12 + 60);
    writer.add_reader("b", io::repeat(1).take(40)).unwrap();
    assert_eq!(over(writer.add("c", b"").unwrap_err()), (3, 2));
    let pak = Pak::new().stored("c", b"");
    let archive = Archive::from_bytes(pak.quake()).unwrap();
    let error = writer.add_entry(archive.entry(0).unwrap()).unwrap_err();
    assert_eq!(error.entry().unwrap().0, 0);
    assert_eq!(over(error), (3, 2));
    let bytes = writer.finish().unwrap().bytes.into_inner();
    assert_eq!(bytes.len() as u64, limits.max_bytes);
    assert_eq!(account(&bytes).payload, 100);
}

#[test]
fn a_limit_is_named_in_its_error() {
    for (limit, name) in [
        (Limit::Entries, "the number of entries"),
        (Limit::ArchiveLength, "the archive's length"),
        (Limit::EntrySize, "the entry's size"),
        (Limit::EntryOffset, "the entry's offset"),
        (Limit::StreamLength, "the stream's length"),
        (Limit::DirectoryOffset, "the directory's offset"),
        (Limit::DirectoryLength, "the directory's length"),
        (Limit::Length("the name"), "the length of the name"),
    ] {
        assert_eq!(limit.to_string(), name);
    }
}

#[test]
fn a_failed_write_is_an_error_of_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("from.pak");
    fs::write(&path, Pak::new().stored("a.wav", [7; 5000]).quake()).unwrap();
    let archive = Archive::open(&path).unwrap();
    for (room, adds) in [(0, false), (12, false), (4000, false), (5012, true)] {
        let disk = Disk { room: Some(room), ..Disk::default() };
        let mut writer = match Writer::new(disk, Format::Quake) {
            Ok(writer) => writer,
            Err(error) => {
                assert!(room < 12 && matches!(error.kind(), ErrorKind::Io(_)));
                continue;
            }
        };
        let added = writer.add_entry(archive.entry(0).unwrap());
        assert_eq!(added.is_ok(), adds, "{room}");
        let error = match added {
            Ok(()) => writer.finish().unwrap_err(),
            Err(error) => {
                assert_eq!(error.entry().unwrap().0, 0);
                error
            }
        };
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
        // The archive that is read has nothing to do with it.
        assert_eq!(error.place().path, None, "{error}");
    }
}

#[test]
fn empty_archives_and_anachronox_are_not_written() {
    for format in Format::ALL.into_iter().filter(|it| it.spec().is_written()) {
        let error = Writer::in_memory(format).unwrap().finish().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NothingToWrite));
        assert!(error.to_string().contains("needs at least one entry"), "{error}");
    }
    let error = Writer::in_memory(Format::Anachronox).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotWritten { .. }), "{error}");
}

#[test]
fn an_unfinished_archive_cannot_be_opened() {
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = Writer::new(&mut bytes, Format::Quake).unwrap();
    writer.add("a.wav", b"abcd").unwrap();
    drop(writer);
    let error = Archive::from_bytes(bytes.into_inner()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotAnArchive { .. }), "{error}");
}

#[test]
fn every_seekable_output_gets_the_same_bytes() {
    fn write<W: Write + Seek>(output: W, format: Format) -> W {
        let archive = Archive::from_bytes(sample()).unwrap();
        let mut writer = Writer::new(output, format).unwrap();
        for entry in archive.entries() {
            writer.add_entry(entry).unwrap();
        }
        // A name that nobody keeps.
        writer.add(format!("{}.cfg", 1), b"exec").unwrap();
        writer.finish().unwrap()
    }
    let folder = tempfile::tempdir().unwrap();
    // A WAD holds no such files.
    let wads = [Format::Wad2, Format::Wad3];
    let formats = Format::ALL.into_iter().filter(|it| !wads.contains(it));
    for format in formats.filter(|it| it.spec().is_written()) {
        let expected = write(Cursor::new(Vec::new()), format).into_inner();
        assert_eq!(Archive::from_bytes(&expected[..]).unwrap().format(), Some(format));
        let mut borrowed = Cursor::new(Vec::new());
        write(&mut borrowed, format);
        assert_eq!(borrowed.into_inner(), expected);
        assert_eq!(write(Disk::default(), format).bytes.into_inner(), expected);
        let path = folder.path().join(format.as_str());
        write(File::create(&path).unwrap(), format);
        assert_eq!(fs::read(&path).unwrap(), expected);
        write(BufWriter::new(File::create(&path).unwrap()), format);
        assert_eq!(fs::read(&path).unwrap(), expected);
        let opened: Box<dyn ReadWriteSeek> = Box::new(File::create(&path).unwrap());
        write(opened, format);
        assert_eq!(fs::read(&path).unwrap(), expected);
    }
}

trait ReadWriteSeek: Write + Seek {}

impl ReadWriteSeek for File {}

#[test]
fn a_hundred_thousand_entries_are_written_and_found() {
    let mut writer = Writer::in_memory(Format::Quake).unwrap();
    for i in 0..100_000_u32 {
        let name = format!("textures/t{i}.wal");
        writer.add(name, i.to_le_bytes()).unwrap();
    }
    let archive = Archive::from_bytes(writer.finish().unwrap().into_inner()).unwrap();
    let mut dice = Dice::new(1);
    for _ in 0..1000 {
        let index = dice.below(100_000);
        let name = format!("textures/t{index}.wal");
        let found = archive.find(name.to_uppercase(), Case::Ignored, Which::First);
        assert_eq!(found.unwrap().read().unwrap(), (index as u32).to_le_bytes());
        assert_eq!(archive.get(&name).unwrap().index(), index);
        assert!(archive.get(name.to_uppercase()).is_none());
    }
}

/// Two records of a ZIP lead to one payload, and the second one says that it is encrypted.
#[test]
fn unreadable_entries_take_no_shared_payload() {
    let mut zip = Zip::new().stored("a", b"content").stored("b", b"content").bytes();
    let starts = zip.windows(4).enumerate().filter(|(_, it)| it == b"PK\x01\x02");
    let records: Vec<usize> = starts.map(|(at, _)| at).collect();
    zip[records[1] + 8] |= 1;
    zip.copy_within(records[0] + 42..records[0] + 46, records[1] + 42);
    let archive = Archive::from_bytes(zip).unwrap();
    let mut writer = Writer::in_memory(Format::Quake).unwrap();
    writer.add_entry(archive.entry(0).unwrap()).unwrap();
    let error = writer.add_entry(archive.entry(1).unwrap()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Flawed(_)), "{error}");
    assert_eq!(writer.len(), 1);
}

/// In a WAD, several names lead to one lump.
#[test]
fn an_entry_that_is_there_already_is_refused() {
    let mut wad = Writer::in_memory(Format::Wad2).unwrap();
    wad.add("b.mip", b"1").unwrap();
    for name in ["b.mip", "b.type68", "b.TYPE068"] {
        let error = wad.add(name, b"2").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::AddedBefore), "{error}");
        wad.add_reader(name, &b"2"[..]).unwrap_err();
    }
    wad.add("B.mip", b"another name").unwrap();
    let old = Archive::from_bytes(wad.finish_bytes().unwrap()).unwrap();
    assert_eq!(old.len(), 2);

    let mut pak = Writer::in_memory(Format::Quake).unwrap();
    let entry = old.entry(0).unwrap();
    pak.add_entry(entry).unwrap();
    let error = pak.add_entry(entry).unwrap_err();
    assert_eq!(error.to_string(), "entry 0 \"b.mip\": an entry of this name is there already");
    pak.allow_duplicates().add_entry(entry).unwrap();
    assert_eq!(pak.len(), 2);
}
