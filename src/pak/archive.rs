//! An open pak: its header, its directory, its layout, and the way to its entries.
//!
//! What is kept in memory is the directory as the file has it, 64 or 72 bytes an entry; records
//! are read out of it when they are asked for. Nothing is read or allocated because a number
//! claims it: of the directory as much is read as the file really holds.

use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;

use super::detect::{Basis, Detection, Names, detect};
use super::entry::Entry;
use super::layout::{HEADER_LEN, Header, Layout, Record};
use super::lookup::{Case, Index, Which};
use super::payload::{Bytes, Reserved};
use super::relative::{Alike, known_as};
use super::reserved::{ReservedReading, ReservedVote};
use super::source::ReadAt;
use crate::error::{Error, ErrorKind};

/// How much of a directory is read at once: all of it, in any pak that an engine loads. The first
/// chunk is asked for as zeros, which costs nothing; zeroing a later one does.
const CHUNK: usize = 8 << 20;

/// An open pak. It can be read from many threads at once, through `&self`.
///
/// ```
/// use daisho::pak::{Archive, Kind};
///
/// let archive = Archive::open("corpus/game/data/pak0.pak")?;
/// let levels = archive.entries().filter(|entry| entry.kind() == Kind::Level);
/// let sizes: Vec<_> = levels.map(|entry| (entry.name().to_string(), entry.size())).collect();
/// assert_eq!(sizes[0], ("maps/e1m1.bsp".to_owned(), 27_388));
/// # Ok::<(), daisho::Error>(())
/// ```
#[derive(Debug)]
pub struct Archive<S = File> {
    source: S,
    file_len: u64,
    header: Header,
    layout: Layout,
    detection: Detection,
    /// As much of the directory as the file holds.
    directory: Vec<u8>,
    exact: OnceLock<Index>,
    folded: OnceLock<Index>,
    options: ReadOptions,
    /// Set when the first reserved byte is met; `None` in it where the reading is given.
    reserved: OnceLock<Option<ReservedVote>>,
}

/// How to read a pak where the user overrides what would be found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The layout of its records; found out from the evidence in the pak where it is `None`.
    pub layout: Option<Layout>,
    /// How the control byte `0xFE` is read; where it is `None`, [the pak's streams
    /// vote](super::reserved).
    pub reserved: Option<Reserved>,
}

impl From<Option<Layout>> for ReadOptions {
    fn from(layout: Option<Layout>) -> Self {
        Self {
            layout,
            reserved: None,
        }
    }
}

/// Something unusual in a pak that can be read all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Oddity {
    /// The directory has no entry.
    #[error("the pak has no entries")]
    Empty,
    /// The file ends before the directory does.
    #[error(
        "the directory should have {}, and the file holds {held} of them: entries are missing",
        Bytes(*claimed)
    )]
    DirectoryCut {
        /// How long it should be.
        claimed: u64,
        /// How much of it there is.
        held: u64,
    },
    /// Bytes at the directory's end are not enough for another record.
    #[error("the directory ends in {} that {} no whole record", Bytes(*bytes), if *bytes == 1 { "is" } else { "are" })]
    PartialRecord {
        /// How many there are.
        bytes: u64,
    },
    /// The records say another layout than the directory's length does.
    #[error("the directory's length does not fit its records, which are {layout}'s")]
    LengthContradicted {
        /// What the records say.
        layout: Layout,
    },
    /// The directory's length fits no layout.
    #[error("the directory's length fits no layout, and its records look like {layout}'s")]
    LengthOfNone {
        /// What the records say.
        layout: Layout,
    },
    /// Hardly anything in the directory looks like a record.
    #[error(
        "the directory looks like noise: it is taken for {layout}'s, and hardly a record of it can be one"
    )]
    Noise {
        /// What it is taken for.
        layout: Layout,
    },
}

impl Archive<File> {
    /// Opens the pak at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is no pak, or its layout cannot be told.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let open = || {
            // Asked before it is opened, too: a pipe without a writer would never be open.
            let io = |error| Error::new(ErrorKind::Io(error));
            if !std::fs::metadata(path).map_err(io)?.is_file() {
                return Err(ErrorKind::NotAFile.into());
            }
            let file = File::open(path).map_err(io)?;
            if !file.metadata().map_err(io)?.is_file() {
                return Err(ErrorKind::NotAFile.into());
            }
            Self::new(file)
        };
        open().map_err(|error: Error| error.in_pak(path))
    }
}

impl<S: ReadAt> Archive<S> {
    /// Opens the pak that `source` holds, and finds out its layout: an open file, bytes in memory,
    /// anything that is [`ReadAt`].
    ///
    /// ```
    /// use daisho::pak::Archive;
    ///
    /// let bytes = std::fs::read("corpus/game/data/pak1.pak")?;
    /// let archive = Archive::new(&bytes)?;
    /// assert_eq!(archive.len(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read, is no pak, or its layout cannot be told.
    pub fn new(source: S) -> Result<Self, Error> {
        Self::with_options(source, ReadOptions::default())
    }

    /// Opens the pak that `source` holds. Use it to override what would be found out: the layout, or
    /// how the reserved byte is read.
    ///
    /// # Errors
    /// If it cannot be read, is no pak, or its layout is not given and cannot be told.
    pub fn with_options(source: S, options: impl Into<ReadOptions>) -> Result<Self, Error> {
        let options = options.into();
        let mut start = [0; HEADER_LEN];
        let opened = Self::opened(source, options, &mut start);
        opened.map_err(|error| match (error.kind(), Alike::of(&start)) {
            (ErrorKind::Io(_) | ErrorKind::OtherMagic { .. }, _) | (_, None) => error,
            (_, Some(alike)) => ErrorKind::Relative { what: alike.what() }.into(),
        })
    }

    /// `start` becomes what the file begins with, as far as it was read.
    fn opened(
        source: S,
        options: ReadOptions,
        start: &mut [u8; HEADER_LEN],
    ) -> Result<Self, Error> {
        let file_len = source.size().map_err(Error::from_io)?;
        let header = read_header(&source, file_len)?;
        *start = header.to_bytes();
        let directory = read_directory(&source, header, file_len)?;
        if let Some(layout) = options.layout.filter(|it| it.magic() != header.magic) {
            let found = header.magic;
            return Err(ErrorKind::OtherMagic { layout, found }.into());
        }
        let mut detection = detect(
            &directory,
            header,
            file_len,
            Some(&mut |offset| {
                let mut byte = [0];
                let read = source.read_full_at(&mut byte, offset);
                matches!(read, Ok(1)).then_some(byte).map(|[byte]| byte)
            }),
        );
        if let Some(layout) = options.layout {
            detection = detection.force(layout);
        }
        let whole = |layout: Layout| directory.len() >= layout.record_len();
        let nothing = match detection.layout() {
            Some(layout) => !whole(layout),
            None => !Layout::of_magic(header.magic).any(whole),
        };
        if nothing && header.directory_len > 0 {
            // All of it may be there and not be enough.
            if directory.len() as u64 == u64::from(header.directory_len) {
                let shortest = Layout::of_magic(header.magic).map(Layout::record_len).min();
                let record = detection.layout().map(Layout::record_len).or(shortest);
                return Err(ErrorKind::ShortDirectory {
                    len: header.directory_len.into(),
                    record: record.unwrap_or_default() as u64,
                }
                .into());
            }
            return Err(ErrorKind::NoDirectory {
                offset: header.directory_offset.into(),
                len: header.directory_len.into(),
                file: file_len,
            }
            .into());
        }
        let Some(layout) = detection.layout() else {
            return Err(ErrorKind::Undecided(Box::new(detection)).into());
        };
        Ok(Self {
            source,
            file_len,
            header,
            layout,
            detection,
            directory,
            exact: OnceLock::new(),
            folded: OnceLock::new(),
            options,
            reserved: OnceLock::new(),
        })
    }

    /// What the pak's streams say about the reserved byte. Walks all of them at the first call.
    pub(super) fn reserved_vote(&self) -> ReservedVote {
        let vote = self.reserved.get_or_init(|| Some(ReservedVote::take(self)));
        vote.unwrap_or_default()
    }

    /// The entry `index`, counted from 0.
    #[inline]
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<Entry<'_, S>> {
        let record = Record::nth(self.layout, &self.directory, index)?;
        Some(Entry::new(self, index, record))
    }

    /// All entries, in the directory's order.
    pub fn entries(
        &self,
    ) -> impl ExactSizeIterator<Item = Entry<'_, S>> + DoubleEndedIterator + Clone {
        (0..self.len()).map(|index| {
            // There is a whole record at each index below the length.
            let record = Record::nth(self.layout, &self.directory, index).unwrap_or(NO_RECORD);
            Entry::new(self, index, record)
        })
    }

    /// The first or last entry of this name.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>, case: Case, which: Which) -> Option<Entry<'_, S>> {
        let mut found = self.find_all(name, case);
        match which {
            Which::First => found.next(),
            Which::Last => found.next_back(),
        }
    }

    /// All entries of this name, in the directory's order.
    pub fn find_all<N: AsRef<[u8]>>(
        &self,
        name: N,
        case: Case,
    ) -> impl DoubleEndedIterator<Item = Entry<'_, S>> + use<'_, S, N> {
        let index = match case {
            Case::Matters => &self.exact,
            Case::Ignored => &self.folded,
        };
        let index = index
            .get_or_init(|| Index::new(self.entries().map(|entry| entry.name().as_bytes()), case));
        index
            .candidates(name.as_ref())
            .filter_map(|number| self.entry(number))
            .filter(move |entry| index.case().same(entry.name().as_bytes(), name.as_ref()))
    }
}

impl<S> Archive<S> {
    /// The same pak, read from something else.
    #[cfg(feature = "ops")]
    pub(crate) fn map_source<T>(self, change: impl FnOnce(S) -> T) -> Archive<T> {
        Archive {
            source: change(self.source),
            file_len: self.file_len,
            header: self.header,
            layout: self.layout,
            detection: self.detection,
            directory: self.directory,
            exact: self.exact,
            folded: self.folded,
            options: self.options,
            reserved: self.reserved,
        }
    }

    /// What the pak is read from, to be changed.
    #[cfg(feature = "ops")]
    pub(crate) const fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// How it was asked to be read.
    #[must_use]
    pub const fn options(&self) -> ReadOptions {
        self.options
    }

    /// A stream with the reserved byte was read to its end.
    pub(super) fn met_reserved(&self) {
        // Where the reading is not given, the vote was taken before.
        let _ = self.reserved.set(None);
    }

    /// How the reserved byte is read, where one was met in what was decoded so far.
    #[must_use]
    pub fn reserved_reading(&self) -> Option<ReservedReading> {
        let vote = *self.reserved.get()?;
        let reading = vote.map(ReservedVote::reading).or(self.options.reserved)?;
        Some(ReservedReading { reading, vote })
    }

    /// What the pak is read from.
    #[must_use]
    pub const fn source(&self) -> &S {
        &self.source
    }

    /// How long the file was when it was opened.
    #[must_use]
    pub const fn file_len(&self) -> u64 {
        self.file_len
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> Header {
        self.header
    }

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// Why it is that layout.
    #[must_use]
    pub const fn detection(&self) -> &Detection {
        &self.detection
    }

    /// The directory as the file has it, as far as the file has it.
    #[must_use]
    pub fn directory(&self) -> &[u8] {
        &self.directory
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len() / self.layout.record_len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is unusual in the pak as a whole.
    #[must_use]
    pub fn oddities(&self) -> Vec<Oddity> {
        let claimed = u64::from(self.header.directory_len);
        let held = self.directory.len() as u64;
        let left = held % self.layout.record_len() as u64;
        let layout = self.layout;
        let divides = self
            .detection
            .readings()
            .iter()
            .any(|reading| reading.divides);
        let contradicted = self.detection.basis() == Basis::RecordsAgainstLength;
        [
            (claimed == 0).then_some(Oddity::Empty),
            (held < claimed).then_some(Oddity::DirectoryCut { claimed, held }),
            (left > 0).then_some(Oddity::PartialRecord { bytes: left }),
            contradicted.then_some(Oddity::LengthContradicted { layout }),
            (!divides).then_some(Oddity::LengthOfNone { layout }),
            self.detection
                .looks_like_noise()
                .then_some(Oddity::Noise { layout }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

const NO_RECORD: Record<'static> = Record {
    name: super::name::RawName::new(&[]),
    offset: 0,
    size: 0,
    packed: None,
};

fn read_header(source: &impl ReadAt, file_len: u64) -> Result<Header, Error> {
    let mut bytes = [0; HEADER_LEN];
    let read = source.read_full_at(&mut bytes, 0).map_err(Error::from_io)?;
    // Some hold more than they say, as files that the kernel makes up do. What is said counts:
    // everything after this goes by it.
    let read = usize::try_from(file_len).map_or(read, |len| len.min(read));
    let start = bytes.get(..read).unwrap_or_default();
    if let Some(what) = known_as(start) {
        return Err(ErrorKind::Relative { what }.into());
    }
    if read < HEADER_LEN {
        return Err(ErrorKind::TooShort { len: read as u64 }.into());
    }
    Header::parse(&bytes).ok_or_else(|| {
        let [a, b, c, d, ..] = bytes;
        ErrorKind::NotAPak {
            found: [a, b, c, d],
        }
        .into()
    })
}

/// Whether a pak that was written with this directory is opened again as what it is.
pub(super) fn opens_as(layout: Layout, directory: &[u8], header: Header, file_len: u64) -> bool {
    let mut names = Names::new(header.magic);
    let mut ends = (CHUNK..directory.len()).step_by(CHUNK);
    ends.all(|end| names.enough(directory.get(..end).unwrap_or_default()))
        && detect(directory, header, file_len, None).layout() == Some(layout)
}

/// Reads as much of the directory as there is, and gives up where it proves to be none: a sparse
/// file of a few kilobytes can claim four gigabytes of it.
fn read_directory(source: &impl ReadAt, header: Header, file_len: u64) -> Result<Vec<u8>, Error> {
    let start = u64::from(header.directory_offset);
    let mut left = u64::from(header.directory_len).min(file_len.saturating_sub(start));
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
                len: header.directory_len.into(),
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

    const fn serves_many_threads<T: Send + Sync>() {}
    const _: () = {
        serves_many_threads::<Archive<File>>();
        serves_many_threads::<Archive<Vec<u8>>>();
        serves_many_threads::<Archive<&[u8]>>();
    };

    fn pak(directory: &[u8]) -> Vec<u8> {
        let mut bytes = Header {
            magic: *b"PACK",
            directory_offset: 12,
            directory_len: u32::try_from(directory.len()).unwrap(),
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
        let error = |bytes: &[u8]| Archive::new(bytes).unwrap_err().to_string();
        assert_eq!(
            error(b""),
            "this is no pak: it has 0 bytes, and a pak's header alone has 12"
        );
        assert_eq!(
            error(b"PACK\x0c\0\0\0"),
            "this is no pak: it has 8 bytes, and a pak's header alone has 12"
        );
        assert_eq!(
            error(b"PK\x03\x04"),
            "this is no pak, it is a ZIP archive, as PK3 and PK4 files are"
        );
        assert_eq!(
            error(b"\x1b[2Jnot a pak"),
            "this is no pak: it begins with \"\\x1b[2J\" instead of \"PACK\""
        );
    }

    #[test]
    fn a_directory_outside_the_file_is_missing_and_nothing_is_allocated_for_it() {
        let bytes = b"PACK\xff\xff\xff\xff\xff\xff\xff\xff";
        let error = Archive::new(&bytes[..]).unwrap_err();
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
        read: std::cell::Cell<u64>,
    }

    impl ReadAt for Sparse {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
            let rest = usize::try_from(self.len - offset.min(self.len)).unwrap();
            let count = buffer.len().min(rest);
            buffer[..count].fill(0);
            self.start.read_at(&mut buffer[..count], offset)?;
            self.read.set(self.read.get() + count as u64);
            Ok(count)
        }

        fn size(&self) -> std::io::Result<u64> {
            Ok(self.len)
        }
    }

    /// A directory of this length that begins with `start`, and goes on with zeros.
    fn sparse(start: &[u8], directory_len: u32) -> Sparse {
        let header = Header {
            magic: *b"PACK",
            directory_offset: 12,
            directory_len,
        };
        Sparse {
            start: [&header.to_bytes(), start].concat(),
            len: 12 + u64::from(directory_len),
            read: 0.into(),
        }
    }

    fn records(layout: Layout, count: u32) -> Vec<u8> {
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
        for start in [Vec::new(), records(Layout::Quake, 10_000)] {
            for layout in [None, Some(Layout::Quake), Some(Layout::Daikatana)] {
                // Divisible by one record length, by the other, by both, and by none.
                for len in [u32::MAX - 63, u32::MAX - 75, u32::MAX - 255, u32::MAX] {
                    let source = sparse(&start, len);
                    let error = Archive::with_options(&source, layout).unwrap_err();
                    assert!(matches!(error.kind(), ErrorKind::NoNames { .. }), "{error}");
                    assert!(
                        source.read.get() < 2 * CHUNK as u64,
                        "{}",
                        source.read.get()
                    );
                }
            }
        }
    }

    #[test]
    fn a_directory_of_which_a_tenth_are_names_is_read_to_its_end() {
        for layout in Layout::of_magic(*b"PACK") {
            let record = u32::try_from(layout.record_len()).unwrap();
            let named = records(layout, 60_000);
            let archive = Archive::with_options(sparse(&named, 500_001 * record), None).unwrap();
            assert_eq!((archive.layout(), archive.len()), (layout, 500_001));
        }
    }

    #[test]
    fn a_directory_that_is_there_and_shorter_than_a_record_is_not_called_missing() {
        for (len, layout, record) in [
            (1, None, 64),
            (63, None, 64),
            (63, Some(Layout::Quake), 64),
            (64, Some(Layout::Daikatana), 72),
        ] {
            let bytes = pak(&vec![b'x'; len]);
            let error = Archive::with_options(&bytes[..], layout).unwrap_err();
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
            let error = Archive::with_options(&bytes[..bytes.len() - 1], layout).unwrap_err();
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
        let found = Archive::new(pak(&noise)).unwrap();
        assert_eq!(found.detection().basis(), Basis::Length);
        for layout in Layout::of_magic(*b"PACK") {
            let archive = Archive::with_options(pak(&noise), Some(layout)).unwrap();
            assert!(archive.oddities().contains(&Oddity::Noise { layout }));
        }
        let mut record = b"maps/e1m1.bsp".to_vec();
        record.resize(64, 0);
        let archive = Archive::new(pak(&record)).unwrap();
        assert_eq!(archive.oddities(), []);
    }

    #[test]
    fn an_empty_pak_is_a_pak() {
        let archive = Archive::new(pak(&[])).unwrap();
        assert!(archive.is_empty());
        assert_eq!(archive.oddities(), [Oddity::Empty]);
        assert!(archive.find("x", Case::Matters, Which::First).is_none());
    }

    #[test]
    fn noise_is_undecided_unless_the_layout_is_given() {
        let bytes = pak(&[3; 576]);
        let error = Archive::new(&bytes).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Undecided(_)), "{error}");
        assert_eq!(
            error.help(),
            Some(
                "the directory is damaged: get another copy of the pak, or read what there is with --layout"
            )
        );
        let forced = Archive::with_options(&bytes, Some(Layout::Daikatana)).unwrap();
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
            .write(Layout::Quake, &mut directory);
        }
        let archive = Archive::new(pak(&directory)).unwrap();
        let find = |name, case, which| archive.find(name, case, which).map(|entry| entry.index());
        assert_eq!(find("a.wav", Case::Matters, Which::First), Some(0));
        assert_eq!(find("a.wav", Case::Matters, Which::Last), Some(2));
        assert_eq!(find("a.wav", Case::Ignored, Which::Last), Some(3));
        assert_eq!(find("b.wav", Case::Matters, Which::First), None);
        assert_eq!(find("b.wav", Case::Ignored, Which::First), Some(1));
    }
}
