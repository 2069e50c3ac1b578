//! Opening an archive: what it is, and its directory, checked and bounded.
//!
//! Of the directory as much is read as the file really holds, and whoever claims much and holds
//! little is found out after the first piece. This is where hostile input is bounded: what is kept
//! is the directory itself and one small record for each entry that is really there.

use std::io::{Read, Seek};
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::detect::{Basis, Detection, Names, detect};
use super::lump;
use super::records::{self, HEADER_LEN, Header};
use super::relatives::{Alike, END_MOST, known_as, known_by_numbers};
use super::zip;
use crate::archive::{
    Archive, Coding, Directory, Extent, Flaw, Format, Note, Opened, Quirks, ReadAt, ReadOptions,
    Record, Seeking, Store, Structure,
};
use crate::error::{Error, ErrorKind};

/// How much of a directory is read at once: all of it, in any pak that an engine loads. The first
/// chunk is asked for as zeros, which costs nothing; zeroing a later one does.
const CHUNK: usize = 8 << 20;

impl Archive {
    /// Opens the archive at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is no archive, or its format cannot be told.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let open = || {
            // Asked before it is opened, too: a pipe without a writer would never be open.
            let io = |error| Error::new(ErrorKind::Io(error));
            if !std::fs::metadata(path).map_err(io)?.is_file() {
                return Err(ErrorKind::NotAFile.into());
            }
            let file = std::fs::File::open(path).map_err(io)?;
            if !file.metadata().map_err(io)?.is_file() {
                return Err(ErrorKind::NotAFile.into());
            }
            #[cfg(not(any(unix, windows)))]
            let file = Seeking(Mutex::new(file));
            Self::read(Box::new(file), ReadOptions::default(), Some(path))
        };
        open().map_err(|error: Error| error.in_pak(path))
    }

    /// Opens the archive that these bytes are.
    ///
    /// ```
    /// use daisho::Archive;
    ///
    /// let bytes = std::fs::read("corpus/game/data/pak1.pak")?;
    /// assert_eq!(Archive::from_bytes(bytes)?.len(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If they are no archive, or its format cannot be told.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::from_source(bytes.into())
    }

    /// Opens the archive that a reader holds which can seek. Threads take turns with it.
    ///
    /// # Errors
    /// If it cannot be read, is no archive, or its format cannot be told.
    pub fn from_reader(reader: impl Read + Seek + Send + 'static) -> Result<Self, Error> {
        Self::from_source(Seeking(Mutex::new(reader)))
    }

    /// Opens the archive that `source` holds, which any number of threads can read at once.
    ///
    /// # Errors
    /// If it cannot be read, is no archive, or its format cannot be told.
    pub fn from_source(source: impl ReadAt + 'static) -> Result<Self, Error> {
        Self::with_options(source, ReadOptions::default())
    }

    /// Opens the archive that `source` holds. Use it to override what would be found out: the format,
    /// or how the reserved byte is read.
    ///
    /// # Errors
    /// If it cannot be read, is no archive, or its format is not given and cannot be told.
    pub fn with_options(
        source: impl ReadAt + 'static,
        options: impl Into<ReadOptions>,
    ) -> Result<Self, Error> {
        Self::read(Box::new(source), options.into(), None)
    }

    /// Opens the archive that `source` holds, which is at `path`.
    pub(crate) fn read(
        source: Box<dyn ReadAt>,
        options: ReadOptions,
        path: Option<&Path>,
    ) -> Result<Self, Error> {
        let len = source.size().map_err(Error::from_io)?;
        let start = read_start(&source, len)?;
        let (mut opened, links) = match find_zip(&*source, &start, len, options)? {
            Some(end) => zip::open(source, len, end, options)?,
            None => {
                let opened = open(source, options, &start, len);
                let alike = |error: Error| match (error.kind(), Alike::of(&start)) {
                    (
                        ErrorKind::Io(_)
                        | ErrorKind::OtherMagic { .. }
                        | ErrorKind::NotAPak { .. }
                        | ErrorKind::TooShort { .. },
                        _,
                    )
                    | (_, None) => error,
                    (_, Some(alike)) => ErrorKind::Relative { what: alike.what() }.into(),
                };
                (opened.map_err(alike)?, Vec::new())
            }
        };
        opened.path = path.map(Into::into);
        let mut archive = opened.into();
        zip::follow_links(&mut archive, &links);
        Ok(archive)
    }
}

/// The end record of the ZIP that a file is. One that begins as an archive of another format is none,
/// whatever it ends in.
fn find_zip(
    source: &dyn ReadAt,
    start: &[u8],
    len: u64,
    options: ReadOptions,
) -> Result<Option<zip::End>, Error> {
    let begins = zip::begins(start);
    let magic = start.first_chunk().copied();
    let other = begins_as_another(start);
    let found = magic.unwrap_or_default();
    match options.format {
        Some(Format::Pk3) if other => {
            let format = Format::Pk3;
            return Err(ErrorKind::OtherMagic { format, found }.into());
        }
        Some(format) if format != Format::Pk3 && begins => {
            return Err(ErrorKind::OtherMagic { format, found }.into());
        }
        Some(format) if format != Format::Pk3 => return Ok(None),
        _ if other => return Ok(None),
        _ => {}
    }
    match zip::find_end(source, len) {
        Ok(None) if begins || options.format.is_some() => Err(ErrorKind::NoZipEnd.into()),
        // What ends in something like an end record, and is no ZIP, is what it begins as.
        Err(error) if !begins && !matches!(error.kind(), ErrorKind::Io(_)) => Ok(None),
        found => found,
    }
}

/// Whether a file that begins so is an archive of another format than a ZIP.
fn begins_as_another(start: &[u8]) -> bool {
    let magic = start.first_chunk().copied();
    magic.is_some_and(|magic| Format::of_magic(magic).any(|it| it != Format::Pk3))
}

/// Whether what begins as no archive ends in a ZIP, as a program does that unpacks itself.
#[cfg(feature = "ops")]
pub(crate) fn ends_in_a_zip(source: &dyn ReadAt) -> std::io::Result<bool> {
    let found = zip::find_end(source, source.size()?);
    Ok(found.is_ok_and(|end| end.is_some()))
}

/// What the ZIP that a file is, or ends in, is besides, as programs and office files are; the file begins with
/// `start`. Nothing is said of one that cannot be read: whoever opens it will see why.
#[cfg(feature = "ops")]
pub(crate) fn another_kind(source: &dyn ReadAt, start: &[u8]) -> Option<&'static str> {
    if begins_as_another(start) {
        return None;
    }
    let end = find_zip(source, start, source.size().ok()?, ReadOptions::default()).ok()??;
    let kind = zip::kind(source, end).ok()?;
    kind.map(|kind| kind.what)
}

/// Opens an archive with a header and records of one length.
fn open(
    source: Box<dyn ReadAt>,
    options: ReadOptions,
    start: &[u8],
    len: u64,
) -> Result<Opened, Error> {
    let header = read_header(&*source, start, len)?;
    let directory = read_directory(&source, header, len)?;
    if let Some(format) = options.format.filter(|it| it.magic() != header.magic) {
        let found = header.magic;
        return Err(ErrorKind::OtherMagic { format, found }.into());
    }
    let peek = &mut |offset| {
        let mut byte = [0];
        let read = source.read_full_at(&mut byte, offset);
        matches!(read, Ok(1)).then_some(byte).map(|[byte]| byte)
    };
    let mut detection = detect(&directory, header, len, Some(peek));
    if let Some(format) = options.format {
        detection = detection.force(format);
    }
    check_whole(&detection, header, &directory, len)?;
    let Some(format) = detection.format() else {
        let (why, noise) = (detection.to_string(), detection.looks_like_noise());
        return Err(ErrorKind::Undecided { why, noise }.into());
    };
    let mut found = Found::default();
    found.read(format, &directory);
    let mut notes = notes(format, &detection, header, &directory);
    let sizes = found.sizes;
    notes.extend(sizes.map(|(count, first)| Note::LumpSizes { count, first }));
    Ok(Opened {
        quirks: Quirks::default(),
        store: Store::One(source),
        path: None,
        format,
        len,
        records: found.records,
        names: Arc::new(found.names),
        structure: Structure {
            header: Extent {
                offset: 0,
                len: format.frame_len().min(len),
            },
            directory: Extent {
                offset: header.directory_offset.into(),
                len: directory.len() as u64,
            },
            claimed: header.directory_len,
        },
        header: start.to_vec(),
        flaws: found.flaws,
        why: Box::new(detection),
        notes,
        directory: Directory::Kept(Arc::new(directory)),
        options,
    })
}

/// Whether one whole record at least is there, unless there should be none.
fn check_whole(
    detection: &Detection,
    header: Header,
    directory: &[u8],
    file: u64,
) -> Result<(), Error> {
    let whole = |format: Format| directory.len() >= format.record_len();
    let mut possible = Format::of_magic(header.magic);
    let something = match detection.format() {
        Some(format) => whole(format),
        None => possible.clone().any(whole),
    };
    let (offset, len) = (header.directory_offset.into(), header.directory_len);
    if something || len == 0 {
        return Ok(());
    }
    // All of it may be there and not be enough.
    if directory.len() as u64 == len {
        let format = detection.format();
        let format = format.or_else(|| possible.by_ref().min_by_key(|it| it.record_len()));
        let record = format.map_or(0, |format| format.record_len() as u64);
        return Err(ErrorKind::ShortDirectory { len, record }.into());
    }
    Err(ErrorKind::NoDirectory { offset, len, file }.into())
}

/// What is found in a directory.
#[derive(Default)]
struct Found {
    records: Vec<Record>,
    /// The names, where they are put together from what the records say.
    names: Vec<u8>,
    flaws: Vec<(usize, Flaw)>,
    /// How many lumps state two sizes, and the first of them.
    sizes: Option<(usize, usize)>,
}

impl Found {
    /// Reads the whole records of a directory.
    fn read(&mut self, format: Format, directory: &[u8]) {
        let count = directory.len() / format.record_len();
        self.records.reserve_exact(count);
        if format.counts_lumps() {
            self.names.reserve(lump::names_len(count, format));
        }
        let mut at = 0;
        let whole = directory.chunks_exact(format.record_len());
        for record in whole.filter_map(|bytes| records::Record::parse(format, bytes)) {
            let (name_at, name_len) = match record.lump {
                Some(lump) => self.add_lump(&record, lump, format),
                None => {
                    let len = u16::try_from(record.name.as_bytes().len());
                    (at, len.unwrap_or(u16::MAX))
                }
            };
            self.records.push(Record {
                offset: record.offset.into(),
                size: record.size.into(),
                stored_len: record.stored_len().into(),
                name_at,
                name_len,
                coding: match format.compresses() {
                    Some(coding) if record.is_compressed() => coding,
                    _ => Coding::Stored,
                },
                crc32: None,
                lead: 0,
            });
            at += u32::try_from(format.record_len()).unwrap_or_default();
        }
        self.names.shrink_to_fit();
    }

    /// Judges a lump, and adds the name of its entry. Returns where that begins and how long it is.
    fn add_lump(
        &mut self,
        record: &records::Record<'_>,
        lump: records::Lump,
        format: Format,
    ) -> (u32, u16) {
        let index = self.records.len();
        if lump.method > 0 {
            self.flaws.push((index, Flaw::LumpMethod(lump.method)));
        } else if lump.full_size != record.size {
            let (count, _) = self.sizes.get_or_insert((0, index));
            *count += 1;
        }
        let start = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let name = record.name.as_bytes();
        let len = lump::push_entry_name(&mut self.names, name, lump.kind, format);
        (start, len)
    }
}

/// What is unusual in the archive as a whole.
fn notes(format: Format, detection: &Detection, header: Header, directory: &[u8]) -> Vec<Note> {
    let claimed = header.directory_len;
    let held = directory.len() as u64;
    let left = held % format.record_len() as u64;
    let divides = detection.readings().iter().any(|reading| reading.divides);
    let contradicted = detection.basis() == Basis::RecordsAgainstLength;
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

/// What a file begins with, as long as a header is, or shorter where the file is.
fn read_start(source: &impl ReadAt, file_len: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; HEADER_LEN];
    let read = source.read_full_at(&mut bytes, 0).map_err(Error::from_io)?;
    // Some hold more than they say, as files that the kernel makes up do. What is said counts:
    // everything after this goes by it.
    bytes.truncate(usize::try_from(file_len).map_or(read, |len| len.min(read)));
    Ok(bytes)
}

fn read_header(source: &dyn ReadAt, start: &[u8], len: u64) -> Result<Header, Error> {
    if let Some(what) = known_as(start) {
        return Err(ErrorKind::Relative { what }.into());
    }
    let too_short = ErrorKind::TooShort {
        len: start.len() as u64,
    };
    let bytes = start.first_chunk().ok_or(too_short)?;
    if let Some(header) = Header::parse(bytes) {
        let end = u64::from(header.directory_offset) + header.directory_len;
        // It would be read as a directory of which almost everything is missing.
        return match Alike::of(start) {
            Some(alike @ Alike::PackDir) if end > len => {
                Err(ErrorKind::Relative { what: alike.what() }.into())
            }
            _ => Ok(header),
        };
    }
    let at = len.saturating_sub(END_MOST as u64);
    let mut end = vec![0; END_MOST];
    let read = source.read_full_at(&mut end, at);
    end.truncate(read.map_err(|error| Error::from_io(error).at(at))?);
    let [a, b, c, d, ..] = *bytes;
    Err(match known_by_numbers(start, &end, len) {
        Some(what) => ErrorKind::Relative { what }.into(),
        None => ErrorKind::NotAPak {
            found: [a, b, c, d],
        }
        .into(),
    })
}

/// Whether an archive that was written with this directory is opened again as what it is.
pub(super) fn opens_as(format: Format, directory: &[u8], header: Header, file_len: u64) -> bool {
    let mut names = Names::new(header.magic);
    let mut ends = (CHUNK..directory.len()).step_by(CHUNK);
    ends.all(|end| names.enough(directory.get(..end).unwrap_or_default()))
        && detect(directory, header, file_len, None).format() == Some(format)
}

/// Reads as much of the directory as there is, and gives up where it proves to be none: a sparse
/// file of a few kilobytes can claim four gigabytes of it.
fn read_directory(source: &impl ReadAt, header: Header, file_len: u64) -> Result<Vec<u8>, Error> {
    let start = u64::from(header.directory_offset);
    let mut left = header.directory_len.min(file_len.saturating_sub(start));
    let mut directory = Vec::new();
    let mut names = Names::new(header.magic);
    while left > 0 {
        let chunk = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
        let have = directory.len();
        if have == 0 {
            directory = vec![0; chunk];
        } else {
            directory
                .try_reserve(chunk)
                .map_err(|error| Error::from_io(std::io::Error::other(error)))?;
            directory.resize(have + chunk, 0);
        }
        let rest = directory.get_mut(have..).unwrap_or_default();
        let at = start + have as u64;
        let read = source
            .read_full_at(rest, at)
            .map_err(|error| Error::from_io(error).at(at))?;
        directory.truncate(have + read);
        if read < chunk {
            break;
        }
        left -= chunk as u64;
        // Of a directory in one piece, which is every one that an engine loads, nothing is asked:
        // judging it is what detection does.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Case, Which};
    use crate::format::Record;
    use std::sync::atomic::{AtomicU64, Ordering};

    const NO_RECORD: Record<'_> = Record {
        name: crate::archive::RawName::new(b""),
        offset: 0,
        size: 0,
        packed: None,
        lump: None,
    };

    const fn serves_many_threads<T: Send + Sync>() {}
    const _: () = {
        serves_many_threads::<Archive>();
        serves_many_threads::<crate::Entry<'_>>();
    };

    fn pak(directory: &[u8]) -> Vec<u8> {
        let mut bytes = Header {
            magic: *b"PACK",
            directory_offset: 12,
            directory_len: directory.len() as u64,
        }
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
            "this is no known archive: it has 0 bytes, and a pak's header alone has 12"
        );
        assert_eq!(
            error(b"PACK\x0c\0\0\0"),
            "this is no known archive: it has 8 bytes, and a pak's header alone has 12"
        );
        assert_eq!(
            error(b"PK\x03\x04"),
            "this ZIP has no end: the record that says where its directory is, is missing"
        );
        assert_eq!(
            error(b"IWAD"),
            "this is no known archive, it is a Doom game archive (IWAD)"
        );
        assert_eq!(
            error(b"\x1b[2Jnot a pak"),
            "this is no known archive: it begins with \"\\x1b[2J\" instead of \"PACK\", \"SPAK\", \"HROT\", \"WAD2\", \"WAD3\", \"PK\\x03\\x04\" or \"ADAT\""
        );
    }

    #[test]
    fn a_directory_outside_the_file_is_missing_and_nothing_is_allocated_for_it() {
        let bytes = b"PACK\xff\xff\xff\xff\xff\xff\xff\xff";
        let error = Archive::from_bytes(&bytes[..]).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::NoDirectory { file: 12, .. }),
            "{error}"
        );
    }

    /// A file of which only the start is written, and which says that it is longer.
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

    /// A directory of this length that begins with `start`, and goes on with zeros.
    fn sparse(start: &[u8], directory_len: u64) -> Sparse {
        let header = Header {
            magic: *b"PACK",
            directory_offset: 12,
            directory_len,
        };
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
            Record { name, ..NO_RECORD }.write(layout, &mut records);
        }
        records
    }

    #[test]
    fn four_gigabytes_of_nothing_are_no_directory_whatever_they_claim() {
        for start in [Vec::new(), records(Format::Quake, 10_000)] {
            for layout in [None, Some(Format::Quake), Some(Format::Daikatana)] {
                // Divisible by one record length, by the other, by both, and by none.
                for less in [63, 75, 255, 0] {
                    let len = u64::from(u32::MAX) - less;
                    let source = sparse(&start, len);
                    let read = Arc::clone(&source.read);
                    let error = Archive::with_options(source, layout).unwrap_err();
                    assert!(matches!(error.kind(), ErrorKind::NoNames { .. }), "{error}");
                    let read = read.load(Ordering::Relaxed);
                    assert!(read < 2 * CHUNK as u64, "{read}");
                }
            }
        }
    }

    #[test]
    fn a_directory_of_which_a_tenth_are_names_is_read_to_its_end() {
        for format in Format::of_magic(*b"PACK") {
            let record = format.record_len() as u64;
            let named = records(format, 60_000);
            let archive = Archive::from_source(sparse(&named, 500_001 * record)).unwrap();
            assert_eq!((archive.format(), archive.len()), (format, 500_001));
        }
    }

    #[test]
    fn a_directory_that_is_there_and_shorter_than_a_record_is_not_called_missing() {
        for (len, layout, record) in [
            (1, None, 64),
            (63, None, 64),
            (63, Some(Format::Quake), 64),
            (64, Some(Format::Daikatana), 72),
        ] {
            let bytes = pak(&vec![b'x'; len]);
            let error = Archive::with_options(bytes.clone(), layout).unwrap_err();
            assert!(error.to_string().contains("directory has "), "{error}");
            let ErrorKind::ShortDirectory {
                len: told,
                record: of,
            } = *error.kind()
            else {
                panic!("{error}");
            };
            assert_eq!((told, of), (len as u64, record));
            // And with its last byte cut off, the file is cut short.
            let error =
                Archive::with_options(bytes[..bytes.len() - 1].to_vec(), layout).unwrap_err();
            assert!(
                matches!(error.kind(), ErrorKind::NoDirectory { .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn a_directory_of_noise_is_told_in_every_layout() {
        let noise: Vec<u8> = (1..=320_u32)
            .map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[3])
            .collect();
        let bytes = pak(&noise);
        let header = Header::parse(bytes.first_chunk().unwrap()).unwrap();
        let found = detect(&noise, header, bytes.len() as u64, None);
        assert_eq!(found.basis(), Basis::Length);
        assert_eq!(Archive::from_bytes(bytes).unwrap().why(), found.reasons());
        for format in Format::of_magic(*b"PACK") {
            let archive = Archive::with_options(pak(&noise), format).unwrap();
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
        assert!(
            matches!(error.kind(), ErrorKind::Undecided { .. }),
            "{error}"
        );
        let forced = Archive::with_options(bytes, Some(Format::Daikatana)).unwrap();
        assert_eq!(forced.len(), 8);
    }

    #[test]
    fn entries_are_found_by_name_in_either_case_first_and_last() {
        let mut directory = Vec::new();
        for name in ["a.wav", "B.wav", "a.wav", "A.WAV"] {
            Record {
                name: name.into(),
                ..NO_RECORD
            }
            .write(Format::Quake, &mut directory);
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
