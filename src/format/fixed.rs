//! Reads and writes archives that have the container's header and records of one length.
//!
//! Only the part of the directory that is in the file is read, and a false claim is found after the first
//! piece. This is where memory for hostile input is bounded: it holds the directory itself and one small
//! record for each entry that is really in the file.

use super::container::{ArchiveFile, Placed};
use super::detect::{Basis, Detection, NameCheck, is_telling};
use super::lump::{self, LumpName};
use super::other_files::Lookalike;
use super::records::{FLAG_COMPRESSED, Fields, Header, Record};
use crate::archive::bytes::{array_at, u32_at};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{
    ArchiveContents, Coding, EntryRecord, Extent, Flaw, Format, Note, RawDirectory, RawName,
    ReadAt, Structure, read_more,
};

/// How much of a directory is read at once: all of it, for any pak that an engine loads.
const CHUNK: usize = 8 << 20;

/// Reads an archive. `None` if the file has no header of this kind.
pub(super) fn read(file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error> {
    let magic = file.start.first_chunk();
    if magic.and_then(|magic| Format::of_header(*magic)).is_none() {
        return Ok(None);
    }
    let Some(header) = file.start.first_chunk().and_then(Header::parse) else {
        let len = file.start.len() as u64;
        return Err(ErrorKind::TooShort { len }.into());
    };
    match read_with(file, header) {
        Ok(contents) => Ok(Some(contents)),
        Err(error) => Err(name_what_it_is(error, file.start)),
    }
}

/// Replaces an error by what the file really is, if its first bytes tell.
fn name_what_it_is(error: Error, start: &[u8]) -> Error {
    if matches!(error.kind(), ErrorKind::Io(_)) {
        return error;
    }
    match Lookalike::of(start) {
        Some(alike) => ErrorKind::OtherFile { what: alike.what() }.into(),
        None => error,
    }
}

fn read_with(file: &ArchiveFile<'_>, header: Header) -> Result<ArchiveContents, Error> {
    let &ArchiveFile { source, len, .. } = file;
    let end = u64::from(header.directory_offset) + header.directory_len;
    // It would be read as a directory that is almost completely missing.
    if let Some(alike @ Lookalike::PackDir) = Lookalike::of(file.start)
        && end > len
    {
        return Err(ErrorKind::OtherFile { what: alike.what() }.into());
    }
    let directory = read_directory(source, header, len)?;
    let peek = &mut |offset| {
        let mut byte = [0];
        let read = source.read_full_at(&mut byte, offset);
        matches!(read, Ok(1)).then_some(byte).map(|[byte]| byte)
    };
    let mut detection = Detection::of(&directory, header, len, Some(peek));
    if let Some(format) = file.options.format {
        detection = detection.force(format);
    }
    check_whole(&detection, header, &directory, len)?;
    let Some(format) = detection.format() else {
        let (why, noise) = (detection.to_string(), detection.looks_like_noise());
        return Err(ErrorKind::Undecided { why, noise }.into());
    };
    let spec = format.spec();
    let mut contents = ArchiveContents::new(format);
    contents.notes = notes(format, &detection, header, &directory);
    if let Some(fields) = spec.fields() {
        add_entries(format, fields, &mut contents, &directory);
    }
    contents.header = file.start.to_vec();
    contents.structure = Structure {
        header: Extent { offset: 0, len: spec.frame_len.min(len) },
        directory: Extent { offset: header.directory_offset.into(), len: directory.len() as u64 },
        claimed: header.directory_len,
    };
    contents.directory = RawDirectory::Bytes(directory);
    contents.why = Box::new(move || detection.reasons());
    Ok(contents)
}

/// Adds the entry of every whole record.
fn add_entries(format: Format, fields: &Fields, contents: &mut ArchiveContents, directory: &[u8]) {
    let (name_at, name_len) = fields.name;
    let compressed = format.spec().coding.unwrap_or(Coding::Stored);
    let count = directory.len() / fields.record_len;
    contents.records.reserve_exact(count);
    if fields.lump.is_some() {
        let longest = name_len + lump::LONGER;
        contents.names.reserve(count.saturating_mul(longest));
    }
    // How many lumps state two different sizes, and the first of them.
    let mut two_sizes = None;
    let mut at = name_at;
    for bytes in directory.chunks_exact(fields.record_len) {
        let Some(record) = Record::read(fields, bytes) else {
            break;
        };
        let (mut name_at, mut name_len) = (at, record.name.as_bytes().len());
        if let Some(lump) = &fields.lump {
            let index = contents.records.len();
            let [method] = array_at(bytes, lump.method);
            if method > 0 {
                contents.flaws.push((index, Flaw::LumpMethod(method)));
            } else if u32_at(bytes, lump.full_size) != record.size {
                let (count, _) = two_sizes.get_or_insert((0, index));
                *count += 1;
            }
            let (names, name) = (&mut contents.names, record.name.as_bytes());
            name_at = names.len();
            lump::push_entry_name(names, name, record.kind, format);
            name_len = names.len() - name_at;
        }
        contents.records.push(EntryRecord {
            offset: record.offset.into(),
            size: record.size.into(),
            stored_len: record.stored_len().into(),
            name_at: u32::try_from(name_at).unwrap_or(u32::MAX),
            name_len: u16::try_from(name_len).unwrap_or(u16::MAX),
            coding: if record.is_compressed() { compressed } else { Coding::Stored },
            crc32: None,
            flags: 0,
        });
        at += fields.record_len;
    }
    if let Some((count, first)) = two_sizes {
        contents.notes.push(Note::LumpSizes { count, first });
    }
}

/// Fails if no whole record is in the file although there should be one.
fn check_whole(
    detection: &Detection,
    header: Header,
    directory: &[u8],
    file: u64,
) -> Result<(), Error> {
    let lengths = Format::of_magic(header.magic).map(|format| format.spec().record_len);
    let record = match detection.format() {
        Some(format) => format.spec().record_len,
        None => lengths.min().unwrap_or_default(),
    };
    let (offset, len) = (header.directory_offset.into(), header.directory_len);
    if directory.len() >= record || len == 0 {
        return Ok(());
    }
    // The directory may be complete and still too short.
    if directory.len() as u64 == len {
        let record = record as u64;
        return Err(ErrorKind::ShortDirectory { len, record }.into());
    }
    Err(ErrorKind::NoDirectory { offset, len, file }.into())
}

/// Everything unusual in the archive as a whole.
fn notes(format: Format, detection: &Detection, header: Header, directory: &[u8]) -> Vec<Note> {
    let claimed = header.directory_len;
    let held = directory.len() as u64;
    let left = held % format.spec().record_len as u64;
    let divides = detection.readings().iter().any(|reading| reading.divides);
    let contradicted = detection.basis == Basis::RecordsAgainstLength;
    let noise = detection.looks_like_noise();
    [
        (claimed == 0).then_some(Note::Empty),
        (held < claimed).then_some(Note::DirectoryCut { claimed, held }),
        (left > 0).then_some(Note::PartialRecord { bytes: left }),
        contradicted.then_some(Note::LengthContradicted { format }),
        (!divides).then_some(Note::LengthOfNone { format }),
        noise.then_some(Note::Noise { format }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Reads the part of the directory that is in the file, and stops if it cannot be a directory.
///
/// A sparse file of a few kilobytes can claim four gigabytes.
fn read_directory(source: &dyn ReadAt, header: Header, file_len: u64) -> Result<Vec<u8>, Error> {
    let start = u64::from(header.directory_offset);
    let mut left = header.directory_len.min(file_len.saturating_sub(start));
    let mut directory = Vec::new();
    let mut names = NameCheck::new(header.magic);
    while left > 0 {
        let chunk = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
        let at = start + directory.len() as u64;
        let read = read_more(source, &mut directory, chunk, at)?;
        if read < chunk {
            break;
        }
        left -= chunk as u64;
        // A directory in one piece (as in every pak that an engine loads) is not checked here; detection
        // does that.
        if left > 0 && !names.enough(&directory) {
            return Err(ErrorKind::NoNames {
                len: header.directory_len,
                read: directory.len() as u64,
            }
            .into());
        }
    }
    directory.shrink_to_fit();
    Ok(directory)
}

/// An empty name is written: it names nothing, but archives may contain it.
pub(super) fn check_name(format: Format, name: RawName<'_>) -> Result<(), ErrorKind> {
    if format.spec().has_lumps() {
        return LumpName::of_entry(name, format).map(drop);
    }
    let (len, most) = (name.as_bytes().len(), format.spec().name_max);
    if len > most {
        return Err(ErrorKind::NameTooLong { len, most, format });
    }
    Ok(())
}

/// Appends an entry's record.
pub(super) fn record(format: Format, entry: &Placed<'_>, out: &mut Vec<u8>) {
    let mut record = Record {
        name: RawName::new(&entry.name),
        offset: entry.offset,
        size: entry.size,
        packed_size: entry.stored_len,
        flag: if entry.coding == Coding::Stored { 0 } else { FLAG_COMPRESSED },
        kind: 0,
    };
    if !format.spec().has_lumps() {
        record.write(format, out);
        return;
    }
    // The name was checked when the entry was added.
    if let Ok(named) = LumpName::of_entry(record.name, format) {
        let name = named.to_bytes();
        record.name = RawName::new(&name);
        record.kind = named.kind;
        record.write(format, out);
    }
}

/// Returns the header, or an error if the archive could not be opened again because its names do not
/// show its format.
pub(super) fn header(
    format: Format,
    entries: &[Placed<'_>],
    (directory_offset, directory_len): (u32, u32),
) -> Result<(Vec<u8>, u64), Error> {
    let header = Header {
        magic: format.spec().magic,
        directory_offset,
        directory_len: directory_len.into(),
    };
    // Clear names and payloads that follow each other leave no doubt.
    if !entries.iter().all(|entry| is_telling(&entry.name)) {
        let mut directory = Vec::new();
        for entry in entries {
            record(format, entry, &mut directory);
        }
        let end = u64::from(directory_offset) + u64::from(directory_len);
        if !opens_as(format, &directory, header, end) {
            return Err(ErrorKind::WouldNotOpen { format }.into());
        }
    }
    Ok((header.to_bytes().to_vec(), 0))
}

/// Whether an archive with this directory would be opened again in its own format.
fn opens_as(format: Format, directory: &[u8], header: Header, file_len: u64) -> bool {
    let mut names = NameCheck::new(header.magic);
    for end in (CHUNK..directory.len()).step_by(CHUNK) {
        if !names.enough(directory.get(..end).unwrap_or_default()) {
            return false;
        }
    }
    Detection::of(directory, header, file_len, None).format() == Some(format)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Archive, Case, Which};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    const fn serves_many_threads<T: Send + Sync>() {}
    const _: () = {
        serves_many_threads::<Archive>();
        serves_many_threads::<crate::Entry<'_>>();
    };

    fn pak(directory: &[u8]) -> Vec<u8> {
        let mut bytes =
            Header { magic: *b"PACK", directory_offset: 12, directory_len: directory.len() as u64 }
                .to_bytes()
                .to_vec();
        bytes.extend(directory);
        bytes
    }

    #[test]
    fn a_pak_is_opened_where_it_lies_and_a_folder_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pak");
        std::fs::write(&path, b"PACK\x0c\0\0\0\0\0\0\0").unwrap();
        assert_eq!(Archive::open(&path).unwrap().file_len(), 12);
        let error = Archive::open(folder.path()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotAFile), "{error}");
        let error = Archive::open(folder.path().join("b.pak")).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
        assert!(error.to_string().contains("b.pak"), "{error}");
    }

    #[test]
    fn a_file_that_is_no_pak_gets_one_clear_error() {
        let error = |bytes: &[u8]| Archive::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(
            error(b""),
            "this is not a known archive: it has 0 bytes, but a pak's header alone has 12"
        );
        assert_eq!(
            error(b"PACK\x0c\0\0\0"),
            "this is not a known archive: it has 8 bytes, but a pak's header alone has 12"
        );
        assert_eq!(
            error(b"PK\x03\x04"),
            "the end of this ZIP is missing, and with it the record that says where the directory is"
        );
        assert_eq!(error(b"IWAD"), "this is not a known archive: it is a Doom game archive (IWAD)");
        assert_eq!(
            error(b"\x1b[2Jnot a pak"),
            "this is not a known archive: it begins with \"\\x1b[2J\" instead of \"PACK\", \"SPAK\", \"HROT\", \"WAD2\", \"WAD3\", \"PK\\x03\\x04\" or \"ADAT\""
        );
    }

    #[test]
    fn an_outside_directory_is_missing_and_costs_nothing() {
        let bytes = b"PACK\xff\xff\xff\xff\xff\xff\xff\xff";
        let error = Archive::from_bytes(&bytes[..]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NoDirectory { file: 12, .. }), "{error}");
    }

    /// A sparse file: only its start has content.
    #[derive(Debug)]
    struct Sparse {
        start: Vec<u8>,
        len: u64,
        read: Arc<AtomicU64>,
    }

    impl ReadAt for Sparse {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
            let rest = usize::try_from(self.len - offset.min(self.len)).unwrap();
            let count = buffer.len().min(rest);
            buffer[..count].fill(0);
            self.start.read_at(&mut buffer[..count], offset)?;
            self.read.fetch_add(count as u64, Ordering::Relaxed);
            Ok(count)
        }

        fn size(&self) -> std::io::Result<u64> {
            Ok(self.len)
        }
    }

    /// A directory of this length that begins with `start` and continues with zeros.
    fn sparse(start: &[u8], directory_len: u64) -> Sparse {
        let header = Header { magic: *b"PACK", directory_offset: 12, directory_len };
        Sparse {
            start: [&header.to_bytes(), start].concat(),
            len: 12 + directory_len,
            read: Arc::default(),
        }
    }

    fn records(layout: Format, count: u32) -> Vec<u8> {
        let mut records = Vec::new();
        for number in 0..count {
            let name = format!("{number}.wav");
            let name = name.as_str().into();
            Record { name, ..Record::default() }.write(layout, &mut records);
        }
        records
    }

    #[test]
    fn four_gigabytes_of_zeros_are_no_directory() {
        for start in [Vec::new(), records(Format::Quake, 10_000)] {
            for layout in [None, Some(Format::Quake), Some(Format::Daikatana)] {
                // The length fits one record length, the other, both, and neither.
                for less in [63, 75, 255, 0] {
                    let len = u64::from(u32::MAX) - less;
                    let source = sparse(&start, len);
                    let read = Arc::clone(&source.read);
                    let error = Archive::from_source_with(source, layout).unwrap_err();
                    assert!(matches!(error.kind(), ErrorKind::NoNames { .. }), "{error}");
                    let read = read.load(Ordering::Relaxed);
                    assert!(read < 2 * CHUNK as u64, "{read}");
                }
            }
        }
    }

    #[test]
    fn a_directory_with_a_tenth_of_names_is_read_whole() {
        for format in Format::of_magic(*b"PACK") {
            let record = format.spec().record_len as u64;
            let named = records(format, 60_000);
            let archive = Archive::from_source(sparse(&named, 500_001 * record)).unwrap();
            assert_eq!((archive.format(), archive.len()), (Some(format), 500_001));
        }
    }

    #[test]
    fn a_directory_below_one_record_is_not_missing() {
        for (len, layout, record) in [
            (1, None, 64),
            (63, None, 64),
            (63, Some(Format::Quake), 64),
            (64, Some(Format::Daikatana), 72),
        ] {
            let bytes = pak(&vec![b'x'; len]);
            let error = Archive::from_source_with(bytes.clone(), layout).unwrap_err();
            assert!(error.to_string().contains("directory has "), "{error}");
            let ErrorKind::ShortDirectory { len: told, record: of } = *error.kind() else {
                panic!("{error}");
            };
            assert_eq!((told, of), (len as u64, record));
            // With its last byte cut off, the file is incomplete.
            let error =
                Archive::from_source_with(bytes[..bytes.len() - 1].to_vec(), layout).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::NoDirectory { .. }), "{error}");
        }
    }

    #[test]
    fn a_directory_of_noise_is_told_in_every_layout() {
        let noise: Vec<u8> =
            (1..=320_u32).map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
        let bytes = pak(&noise);
        let header = Header::parse(bytes.first_chunk().unwrap()).unwrap();
        let found = Detection::of(&noise, header, bytes.len() as u64, None);
        assert_eq!(found.basis, Basis::Length);
        assert_eq!(Archive::from_bytes(bytes).unwrap().why(), found.reasons());
        for format in Format::of_magic(*b"PACK") {
            let archive = Archive::from_source_with(pak(&noise), format).unwrap();
            assert!(archive.notes().contains(&Note::Noise { format }));
        }
        let mut record = b"maps/e1m1.bsp".to_vec();
        record.resize(64, 0);
        let archive = Archive::from_bytes(pak(&record)).unwrap();
        assert_eq!(archive.notes(), []);
    }

    #[test]
    fn an_empty_pak_is_a_pak() {
        let archive = Archive::from_bytes(pak(&[])).unwrap();
        assert!(archive.is_empty());
        assert_eq!(archive.notes(), [Note::Empty]);
        assert!(archive.find("x", Case::Matters, Which::First).is_none());
    }

    #[test]
    fn noise_is_undecided_unless_the_layout_is_given() {
        let bytes = pak(&[3; 576]);
        let error = Archive::from_bytes(bytes.clone()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Undecided { .. }), "{error}");
        let forced = Archive::from_source_with(bytes, Some(Format::Daikatana)).unwrap();
        assert_eq!(forced.len(), 8);
    }

    #[test]
    fn entries_are_found_by_name_in_either_case() {
        let mut directory = Vec::new();
        for name in ["a.wav", "B.wav", "a.wav", "A.WAV"] {
            Record { name: name.into(), ..Record::default() }.write(Format::Quake, &mut directory);
        }
        let archive = Archive::from_bytes(pak(&directory)).unwrap();
        let find = |name, case, which| archive.find(name, case, which).map(|entry| entry.index());
        assert_eq!(find("a.wav", Case::Matters, Which::First), Some(0));
        assert_eq!(find("a.wav", Case::Matters, Which::Last), Some(2));
        assert_eq!(find("a.wav", Case::Ignored, Which::Last), Some(3));
        assert_eq!(find("b.wav", Case::Matters, Which::First), None);
        assert_eq!(find("b.wav", Case::Ignored, Which::First), Some(1));
    }
}
