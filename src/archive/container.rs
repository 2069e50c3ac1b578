//! An open archive: what is kept of its entries, its source, and the results of opening it.
//!
//! A claimed size never causes an allocation. Each entry takes a small record; its name is a range of the
//! directory's bytes.

use core::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::error::{Error, ErrorKind, Limit};
use super::flaw::Flaw;
use super::format::{EXPANSION_MAX, Format, Reserved};
use super::lookup::{Case, Index};
use super::note::{Note, Quirks};
use super::reserved::ReservedReading;
use super::source::{ArchiveSource, ReadAt};

/// How much of a directory is summed up at once.
const PIECE: usize = 64 << 10;

/// An open archive. It can be read from many threads at once, through `&self`.
///
/// ```
/// use daisho::Archive;
/// use daisho::media::Kind;
///
/// let archive = Archive::open("corpus/game/data/pak0.pak")?;
/// let maps = archive.entries().filter(|entry| Kind::of(entry.name()) == Kind::Map);
/// let sizes: Vec<_> = maps.map(|entry| (entry.name().to_string(), entry.size())).collect();
/// assert_eq!(sizes[0], ("maps/e1m1.bsp".to_owned(), 31_956));
/// # Ok::<(), daisho::Error>(())
/// ```
pub struct Archive {
    pub(super) store: ArchiveSource,
    /// The path of the file or the directory. Errors about its entries share it.
    pub(super) path: Option<Arc<Path>>,
    file_len: u64,
    options: ReadOptions,
    pub(super) contents: ArchiveContents,
    id: usize,
    exact: OnceLock<Index>,
    folded: OnceLock<Index>,
    /// Set at the first reserved byte.
    pub(super) reserved: OnceLock<ReservedReading>,
    /// Set by [`Archive::check_headers`].
    headers: OnceLock<Vec<LocalFacts>>,
}

/// What the header before a payload says, in a ZIP.
#[derive(Default)]
pub(crate) struct LocalFacts {
    /// Its length; 0 if it cannot be read.
    pub(crate) lead: u32,
    /// Why the entry cannot be read, if the directory gives no reason.
    pub(crate) flaw: Option<Flaw>,
    /// Whether the sizes of a deflated entry are only after its payload.
    pub(crate) is_behind: bool,
    /// Whether it differs from the directory in something that does not prevent reading.
    pub(crate) differs: bool,
}

/// Reads the headers before the payloads of these entries.
pub(crate) type ReadHeaders = fn(&Archive, &[usize]) -> Result<Vec<LocalFacts>, Error>;

/// What is kept of the directory's bytes, to notice if the file changes.
pub(crate) enum RawDirectory {
    /// All of them that are in the file. Names are ranges in them, unless the names are stored separately.
    Bytes(Vec<u8>),
    /// Their CRC-32.
    Sum(u32),
}

/// The content of a directory. The readers of formats fill it, and so does
/// [`ArchiveBuilder`](super::ArchiveBuilder).
pub(crate) struct ArchiveContents {
    /// `None` if it is not a file of one of the formats.
    pub(crate) format: Option<Format>,
    /// The name of a format, or of whatever else it is.
    pub(crate) format_word: &'static str,
    /// The header's bytes.
    pub(crate) header: Vec<u8>,
    pub(crate) directory: RawDirectory,
    /// The entries' names, if the directory does not contain them literally.
    pub(crate) names: Vec<u8>,
    pub(crate) records: Vec<EntryRecord>,
    /// Why some entries cannot be read, by number and in order.
    pub(crate) flaws: Vec<(usize, Flaw)>,
    pub(crate) structure: Structure,
    /// Makes the sentences that say why it has its format. They are needed rarely.
    pub(crate) why: Box<dyn Fn() -> Vec<String> + Send + Sync>,
    pub(crate) notes: Vec<Note>,
    pub(crate) quirks: Quirks,
    /// In a ZIP, whose payloads have headers.
    pub(crate) read_headers: Option<ReadHeaders>,
}

impl ArchiveContents {
    /// A directory without entries, in this format.
    pub(crate) fn new(format: Format) -> Self {
        Self { format: Some(format), ..Self::other(format.as_str()) }
    }

    /// A directory without entries, of something else.
    pub(crate) fn other(format_word: &'static str) -> Self {
        Self {
            format: None,
            format_word,
            header: Vec::new(),
            directory: RawDirectory::Bytes(Vec::new()),
            names: Vec::new(),
            records: Vec::new(),
            flaws: Vec::new(),
            structure: Structure::default(),
            why: Box::new(Vec::new),
            notes: Vec::new(),
            quirks: Quirks::default(),
            read_headers: None,
        }
    }

    /// Adds an entry, and its name to the names.
    ///
    /// # Errors
    /// If its name, or all names together, are too long for the fields of a record.
    pub(crate) fn add(
        &mut self,
        name: &[u8],
        record: EntryRecord,
        flaw: Option<Flaw>,
    ) -> Result<(), ErrorKind> {
        let name_len = u16::try_from(name.len()).map_err(|_| ErrorKind::OverLimit {
            what: Limit::Length("the name"),
            value: name.len() as u64,
            limit: u16::MAX.into(),
        })?;
        let name_at = u32::try_from(self.names.len()).map_err(|_| ErrorKind::OverLimit {
            what: Limit::Length("all names"),
            value: self.names.len() as u64,
            limit: u32::MAX.into(),
        })?;
        self.flaws.extend(flaw.map(|flaw| (self.records.len(), flaw)));
        self.records.push(EntryRecord { name_at, name_len, ..record });
        self.names.extend_from_slice(name);
        Ok(())
    }
}

/// The places of an archive's header and directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Structure {
    /// The header.
    pub header: Extent,
    /// The directory, up to the end of the file.
    pub directory: Extent,
    /// The claimed length of the directory.
    pub claimed: u64,
}

/// Options that override detection when an archive is opened.
///
/// ```
/// use daisho::Archive;
/// use daisho::archive::ReadOptions;
///
/// let mut options = ReadOptions::default();
/// options.salvage = true;
/// assert_eq!(Archive::open_with("corpus/zips/broken/end-missing.pk3", options)?.len(), 2);
/// # Ok::<(), daisho::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Its format; `None` to detect it.
    pub format: Option<Format>,
    /// How the control byte `0xFE` is read; `None` to let the archive's streams vote.
    pub reserved: Option<Reserved>,
    /// Whether a ZIP without a whole directory is read by the headers before its payloads. What is found is a
    /// [`Note::Salvaged`]; more entries may have been lost.
    pub salvage: bool,
    /// Whether a map of Quake or Half-Life is read as an archive of the textures in it.
    pub maps: bool,
}

impl From<Option<Format>> for ReadOptions {
    fn from(format: Option<Format>) -> Self {
        Self { format, ..Self::default() }
    }
}

impl From<Format> for ReadOptions {
    fn from(format: Format) -> Self {
        Some(format).into()
    }
}

impl Archive {
    /// Creates an archive with these contents. Payloads are read from `store`; the file has `file_len` bytes.
    pub(crate) fn new(
        store: ArchiveSource,
        path: Option<&Path>,
        file_len: u64,
        options: ReadOptions,
        mut contents: ArchiveContents,
    ) -> Self {
        static OPENED: AtomicUsize = AtomicUsize::new(0);
        contents.records.shrink_to_fit();
        contents.names.shrink_to_fit();
        Self {
            store,
            path: path.map(Into::into),
            file_len,
            options,
            contents,
            id: OPENED.fetch_add(1, Ordering::Relaxed),
            exact: OnceLock::new(),
            folded: OnceLock::new(),
            reserved: OnceLock::new(),
            headers: OnceLock::new(),
        }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contents.records.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contents.records.is_empty()
    }

    /// The file or directory that it was opened from.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The format of its file. `None` if it is a directory on disk, or was made by an
    /// [`ArchiveBuilder`](super::ArchiveBuilder).
    #[must_use]
    pub const fn format(&self) -> Option<Format> {
        self.contents.format
    }

    /// The stable name of its format, `directory`, or the name that the builder was given.
    #[must_use]
    pub const fn format_word(&self) -> &'static str {
        self.contents.format_word
    }

    /// The reasons for the format, in sentences.
    #[must_use]
    pub fn why(&self) -> Vec<String> {
        (self.contents.why)()
    }

    /// Everything unusual in the archive as a whole.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.contents.notes
    }

    /// Compares the local headers of a ZIP with its directory, once. From then on
    /// [`Entry::check_claims`](super::Entry::check_claims) knows what prevents reading, and
    /// [`Entry::extent`](super::Entry::extent) reads nothing. Without it, the header of an entry is read with its
    /// payload.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn check_headers(&self) -> Result<(), Error> {
        if let Some(read) = self.contents.read_headers
            && self.headers.get().is_none()
        {
            let all: Vec<usize> = (0..self.len()).collect();
            let headers = read(self, &all)?;
            self.headers.get_or_init(|| headers);
        }
        Ok(())
    }

    /// What is unusual about local headers, after [`check_headers`](Self::check_headers).
    #[must_use]
    pub fn header_note(&self) -> Option<Note> {
        let mut unlike = self.headers.get()?.iter().enumerate().filter(|(_, it)| it.differs);
        let (first, _) = unlike.next()?;
        Some(Note::LocalHeaders { count: 1 + unlike.count(), first })
    }

    /// Reads the header before one entry's payload, if there is one and all were not read before.
    pub(super) fn read_header(&self, index: usize) -> Result<Option<LocalFacts>, Error> {
        let read = self.contents.read_headers.filter(|_| self.headers.get().is_none());
        let read = read.map(|read| read(self, &[index])).transpose()?;
        Ok(read.and_then(|mut one| one.pop()))
    }

    /// What the header before an entry's payload says, if all headers were read.
    pub(crate) fn known_header(&self, index: usize) -> Option<&LocalFacts> {
        self.headers.get()?.get(index)
    }

    /// Properties of a ZIP that some engines do not support.
    pub(crate) const fn quirks(&self) -> &Quirks {
        &self.contents.quirks
    }

    /// The length of the file when it was opened.
    #[must_use]
    pub const fn file_len(&self) -> u64 {
        self.file_len
    }

    /// The places of the header and the directory.
    #[must_use]
    pub const fn structure(&self) -> Structure {
        self.contents.structure
    }

    /// The bytes that contain the entries' names.
    #[inline]
    pub(super) fn names(&self) -> &[u8] {
        match self.contents.names.as_slice() {
            [] => self.directory(),
            names => names,
        }
    }

    /// The directory's bytes that are in the file. Empty for a ZIP, of whose directory only names and
    /// numbers are kept.
    #[must_use]
    pub fn directory(&self) -> &[u8] {
        match &self.contents.directory {
            RawDirectory::Bytes(bytes) => bytes,
            RawDirectory::Sum(_) => &[],
        }
    }

    /// The options that it was opened with.
    #[must_use]
    pub const fn options(&self) -> ReadOptions {
        self.options
    }

    /// How the reserved byte is read, if one was met so far.
    #[must_use]
    pub fn reserved_reading(&self) -> Option<ReservedReading> {
        self.reserved.get().copied()
    }

    /// Whether the header and the directory are the same as when the archive was opened.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn is_unchanged(&self) -> std::io::Result<bool> {
        let Some(source) = self.store.one() else {
            return Ok(true);
        };
        let contents = &self.contents;
        if !sums_up_to(source, self.directory_crc32(), contents.structure.directory)? {
            return Ok(false);
        }
        let mut header = vec![0; contents.header.len()];
        source.read_full_at(&mut header, contents.structure.header.offset)?;
        Ok(header == contents.header)
    }

    /// The CRC-32 of the directory's bytes.
    pub(crate) fn directory_crc32(&self) -> u32 {
        match &self.contents.directory {
            RawDirectory::Bytes(kept) => crc32fast::hash(kept),
            RawDirectory::Sum(sum) => *sum,
        }
    }

    /// A number that no other archive of this process has or had.
    pub(crate) const fn id(&self) -> usize {
        self.id
    }

    /// The source of all payloads, if it is one file.
    pub(crate) fn source(&self) -> Option<&dyn ReadAt> {
        self.store.one()
    }

    /// The same, to be read after the archive is dropped.
    pub(crate) fn shared_source(&self) -> Option<Arc<dyn ReadAt>> {
        match &self.store {
            ArchiveSource::One(source) => Some(Arc::clone(source)),
            ArchiveSource::Each(_) => None,
        }
    }

    /// The index for finding entries by name.
    pub(super) const fn index(&self, case: Case) -> &OnceLock<Index> {
        match case {
            Case::Matters => &self.exact,
            Case::Ignored => &self.folded,
        }
    }

    /// Gives symbolic links the payloads of the entries to which they lead. `ends` has the number of each link with
    /// the number of that entry, or with the reason why it cannot be read.
    pub(crate) fn redirect(&mut self, ends: Vec<(usize, Result<usize, Flaw>)>) {
        let mut found = Vec::new();
        for (index, end) in ends {
            let flaw = match end {
                Ok(of) => {
                    self.share_payload(index, of);
                    self.flaw(of).map(|(flaw, _)| flaw.clone())
                }
                Err(flaw) => Some(flaw),
            };
            found.extend(flaw.map(|flaw| (index, flaw)));
        }
        self.contents.flaws.extend(found);
        self.contents.flaws.sort_by_key(|(index, _)| *index);
    }

    /// Gives an entry the payload of entry `of`.
    fn share_payload(&mut self, index: usize, of: usize) {
        let records = &mut self.contents.records;
        if let Some(target) = records.get(of).copied()
            && let Some(record) = records.get_mut(index)
        {
            *record = EntryRecord { name_at: record.name_at, name_len: record.name_len, ..target };
        }
    }

    /// Why an entry cannot be read, and the offset of the evidence.
    pub(crate) fn flaw(&self, index: usize) -> Option<(&Flaw, u64)> {
        let found = self.contents.flaws.binary_search_by_key(&index, |(of, _)| *of).ok();
        let flaw = found.and_then(|found| self.contents.flaws.get(found)).map(|(_, flaw)| flaw);
        let flaw = flaw.or_else(|| self.known_header(index)?.flaw.as_ref())?;
        Some((flaw, self.contents.records.get(index)?.offset))
    }
}

/// Whether the bytes of an extent have this CRC-32.
fn sums_up_to(source: &dyn ReadAt, sum: u32, extent: Extent) -> std::io::Result<bool> {
    // Most directories are far shorter than a piece, and clearing a whole one takes longer than to read them.
    let len = usize::try_from(extent.len).map_or(PIECE, |len| len.min(PIECE));
    let mut found = vec![0; len];
    let mut hasher = crc32fast::Hasher::new();
    let mut at = extent.offset;
    while at < extent.end() {
        let left = usize::try_from(extent.end() - at).unwrap_or(len);
        let part = found.get_mut(..left.min(len)).unwrap_or_default();
        let read = source.read_full_at(part, at)?;
        if read < part.len() {
            return Ok(false);
        }
        hasher.update(part);
        at += read as u64;
    }
    Ok(hasher.finalize() == sum)
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive")
            .field("path", &self.path)
            .field("format", &self.contents.format_word)
            .field("entries", &self.len())
            .finish_non_exhaustive()
    }
}

/// The properties of an entry in an archive's directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct EntryRecord {
    /// The offset of the payload, or of the header before it in a ZIP. Meaningless if `size` is 0.
    pub(crate) offset: u64,
    /// The file's length, decompressed.
    pub(crate) size: u64,
    /// The length of the payload.
    pub(crate) stored_len: u64,
    /// The offset of its name among all names.
    pub(crate) name_at: u32,
    pub(crate) name_len: u16,
    pub(crate) coding: Coding,
    /// The CRC-32 of the content, if the archive contains it.
    pub(crate) crc32: Option<u32>,
    /// The flags of a ZIP's entry.
    pub(crate) flags: u16,
}

impl EntryRecord {
    /// The end of its name among all names.
    pub(crate) const fn name_end(&self) -> usize {
        self.name_at as usize + self.name_len as usize
    }
}

/// The coding of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Coding {
    /// Not compressed.
    #[default]
    Stored,
    /// A stream of Daikatana.
    Daikatana,
    /// A raw deflate stream, as in ZIPs.
    Deflate,
    /// A raw stream of Deflate64, which Windows writes for large files. It is read, but never written.
    Deflate64,
    /// A deflate stream with zlib's header and checksum.
    Zlib,
}

/// The best ratio of deflate: 258 bytes for a length of one bit and a distance of one bit.
const DEFLATE_MAX: u64 = 1032;

/// The best ratio of Deflate64: 65,538 bytes for a length of one bit and 16 more, and a distance of one bit.
const DEFLATE64_MAX: u64 = 65_538 * 8 / 18 + 1;

impl Coding {
    /// A stable lower-case word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Daikatana => "daikatana",
            Self::Deflate => "deflate",
            Self::Deflate64 => "deflate64",
            Self::Zlib => "zlib",
        }
    }

    /// The most bytes that a payload of this length can decode to.
    pub(crate) const fn most(self, packed: u64) -> u64 {
        match self {
            Self::Stored => packed,
            Self::Daikatana => packed.saturating_mul(EXPANSION_MAX),
            Self::Deflate | Self::Zlib => packed.saturating_mul(DEFLATE_MAX),
            Self::Deflate64 => packed.saturating_mul(DEFLATE64_MAX),
        }
    }
}

/// A range of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Extent {
    /// Its offset.
    pub offset: u64,
    /// Its length.
    pub len: u64,
}

impl Extent {
    /// The offset after its last byte.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.offset.saturating_add(self.len)
    }
}
