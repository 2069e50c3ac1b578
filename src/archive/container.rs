//! An open archive: its entries, where they are read from, and what was found out when it was opened.
//!
//! Nothing is read or allocated because a number claims it. For each entry there is a small record,
//! and its name lies in the bytes of the directory.

use core::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::flaw::Flaw;
use super::format::{Format, Reserved};
use super::lookup::{Case, Index};
use super::note::Note;
use super::quirks::Quirks;
use super::record::{Extent, Record};
use super::reserved::{ReservedReading, ReservedVote};
use super::source::{ReadAt, Store};

/// How much of a directory is compared at once.
const COMPARED: usize = 64 << 10;

/// An open archive. It can be read from many threads at once, through `&self`.
///
/// ```
/// use daisho::Archive;
/// use daisho::media::Kind;
///
/// let archive = Archive::open("corpus/game/data/pak0.pak")?;
/// let levels = archive.entries().filter(|entry| Kind::of(entry.name()) == Kind::Level);
/// let sizes: Vec<_> = levels.map(|entry| (entry.name().to_string(), entry.size())).collect();
/// assert_eq!(sizes[0], ("maps/e1m1.bsp".to_owned(), 31_956));
/// # Ok::<(), daisho::Error>(())
/// ```
pub struct Archive {
    store: Store,
    /// The file, for messages; or the directory.
    path: Option<Arc<Path>>,
    /// How long the file is.
    len: u64,
    options: ReadOptions,
    contents: Contents,
    id: usize,
    exact: OnceLock<Index>,
    folded: OnceLock<Index>,
    /// Set when the first reserved byte is met; `None` in it where the reading is given.
    reserved: OnceLock<Option<ReservedVote>>,
}

/// What an archive keeps of its directory's bytes, to notice when the file changes.
pub(crate) enum RawDirectory {
    /// All of them that the file has. Names are places in them, unless there are names besides.
    Bytes(Arc<Vec<u8>>),
    /// Their CRC-32.
    Sum(u32),
}

impl RawDirectory {
    const fn bytes(&self) -> Option<&Arc<Vec<u8>>> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Sum(_) => None,
        }
    }
}

/// What a directory says: the format's readers make one, and so does
/// [`ArchiveBuilder`](super::ArchiveBuilder).
pub(crate) struct Contents {
    pub(crate) format: Format,
    /// The header as the file has it.
    pub(crate) header: Vec<u8>,
    pub(crate) directory: RawDirectory,
    /// The entries' names, where they are no part of the directory as they are.
    pub(crate) names: Arc<Vec<u8>>,
    pub(crate) records: Vec<Record>,
    /// What keeps entries from being read, by their numbers, in order.
    pub(crate) flaws: Vec<(usize, Flaw)>,
    pub(crate) structure: Structure,
    pub(crate) why: Box<dyn Reasons>,
    pub(crate) notes: Vec<Note>,
    pub(crate) quirks: Quirks,
}

impl Contents {
    /// Entries alone, with all their names one behind the other.
    pub(crate) fn new(format: Format, records: Vec<Record>, names: Vec<u8>) -> Self {
        Self {
            format,
            header: Vec::new(),
            directory: RawDirectory::Bytes(Arc::default()),
            names: Arc::new(names),
            records,
            flaws: Vec::new(),
            structure: Structure::default(),
            why: Box::new(Vec::new()),
            notes: Vec::new(),
            quirks: Quirks::default(),
        }
    }
}

/// Why an archive is of its format. What was found out is kept, and put into words when somebody asks.
pub(crate) trait Reasons: Send + Sync {
    /// The reasons, in sentences.
    fn reasons(&self) -> Vec<String>;
}

impl Reasons for Vec<String> {
    fn reasons(&self) -> Vec<String> {
        self.clone()
    }
}

/// Where those parts of an archive lie that are no entry's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Structure {
    /// The header.
    pub header: Extent,
    /// The directory, as far as the file holds it.
    pub directory: Extent,
    /// How long the directory should be.
    pub claimed: u64,
}

/// How to read an archive where the user overrides what would be found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Its format; found out from the evidence in the file where it is `None`.
    pub format: Option<Format>,
    /// How the control byte `0xFE` is read; where it is `None`, the archive's streams
    /// [vote](ReservedVote).
    pub reserved: Option<Reserved>,
}

impl From<Option<Format>> for ReadOptions {
    fn from(format: Option<Format>) -> Self {
        Self {
            format,
            reserved: None,
        }
    }
}

impl From<Format> for ReadOptions {
    fn from(format: Format) -> Self {
        Some(format).into()
    }
}

impl Archive {
    /// An archive with these contents, read from `store`, whose file is `len` bytes long.
    pub(crate) fn new(
        store: Store,
        path: Option<&Path>,
        len: u64,
        options: ReadOptions,
        contents: Contents,
    ) -> Self {
        static OPENED: AtomicUsize = AtomicUsize::new(0);
        Self {
            store,
            path: path.map(Into::into),
            len,
            options,
            contents,
            id: OPENED.fetch_add(1, Ordering::Relaxed),
            exact: OnceLock::new(),
            folded: OnceLock::new(),
            reserved: OnceLock::new(),
        }
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contents.records.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contents.records.is_empty()
    }

    /// The file it was opened from, or the directory.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Like [`path`](Self::path), for errors of its entries to share.
    pub(super) const fn shared_path(&self) -> Option<&Arc<Path>> {
        self.path.as_ref()
    }

    /// The format.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.contents.format
    }

    /// Why it is that format, in sentences.
    #[must_use]
    pub fn why(&self) -> Vec<String> {
        self.contents.why.reasons()
    }

    /// What is unusual in the archive as a whole.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.contents.notes
    }

    /// What of a ZIP some engines do not take.
    #[must_use]
    pub const fn quirks(&self) -> &Quirks {
        &self.contents.quirks
    }

    /// How long the file was when it was opened.
    #[must_use]
    pub const fn file_len(&self) -> u64 {
        self.len
    }

    /// Where those parts lie that are no entry's.
    #[must_use]
    pub const fn structure(&self) -> Structure {
        self.contents.structure
    }

    /// What the places of the entries' names are places in.
    #[inline]
    pub(super) fn names(&self) -> &Arc<Vec<u8>> {
        let names = &self.contents.names;
        match self.contents.directory.bytes() {
            Some(directory) if names.is_empty() => directory,
            _ => names,
        }
    }

    /// The directory as the file has it, as far as the file has it. Of a ZIP's, which can hold much else,
    /// only names and numbers are kept, and this is empty.
    #[must_use]
    pub fn directory(&self) -> &[u8] {
        self.contents.directory.bytes().map_or(&[], |bytes| bytes)
    }

    /// How it was asked to be read.
    #[must_use]
    pub const fn options(&self) -> ReadOptions {
        self.options
    }

    /// How the reserved byte is read, where one was met in what was decoded so far.
    #[must_use]
    pub fn reserved_reading(&self) -> Option<ReservedReading> {
        let vote = *self.reserved.get()?;
        let given = self.options.reserved;
        let reading = vote.map(ReservedVote::reading).or(given)?;
        Some(ReservedReading { reading, vote })
    }

    /// Whether header and directory are still what they were when it was opened.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn is_unchanged(&self) -> std::io::Result<bool> {
        let Some(source) = self.store.one() else {
            return Ok(true);
        };
        let structure = self.contents.structure;
        let is_same = match &self.contents.directory {
            RawDirectory::Bytes(kept) => is_at(source, kept, structure.directory.offset)?,
            RawDirectory::Sum(sum) => sums_up_to(source, *sum, structure.directory)?,
        };
        Ok(is_same && is_at(source, &self.contents.header, structure.header.offset)?)
    }

    /// A number that no other archive of this process has, one that was closed included.
    pub(crate) const fn id(&self) -> usize {
        self.id
    }

    /// What all its payloads are read from, if that is one file.
    #[cfg(feature = "ops")]
    pub(crate) fn source(&self) -> Option<&dyn ReadAt> {
        self.store.one()
    }

    pub(super) const fn store(&self) -> &Store {
        &self.store
    }

    /// Where entries are found by name.
    pub(super) const fn index(&self, case: Case) -> &OnceLock<Index> {
        match case {
            Case::Matters => &self.exact,
            Case::Ignored => &self.folded,
        }
    }

    /// Gives entries the payload of others, by their numbers, or says why they cannot be read.
    pub(crate) fn redirect(&mut self, ends: Vec<(usize, Result<usize, Flaw>)>) {
        let mut found = Vec::new();
        for (index, end) in ends {
            let flaw = match end {
                Ok(of) => self.flaw(of).map(|(flaw, _)| flaw.clone()),
                Err(ref flaw) => Some(flaw.clone()),
            };
            let target = end
                .ok()
                .and_then(|of| self.contents.records.get(of).copied());
            let records = &mut self.contents.records;
            if let (Some(record), Some(target)) = (records.get_mut(index), target) {
                *record = Record {
                    name_at: record.name_at,
                    name_len: record.name_len,
                    ..target
                };
            }
            found.extend(flaw.map(|flaw| (index, flaw)));
        }
        self.contents.flaws.extend(found);
        self.contents.flaws.sort_by_key(|(index, _)| *index);
    }

    /// What keeps an entry from being read, and the byte that says so.
    pub(crate) fn flaw(&self, index: usize) -> Option<(&Flaw, u64)> {
        let flaws = &self.contents.flaws;
        let found = flaws.binary_search_by_key(&index, |(of, _)| *of).ok()?;
        let (_, flaw) = flaws.get(found)?;
        let record = self.contents.records.get(index)?;
        Some((flaw, record.offset.saturating_sub(record.lead.into())))
    }

    pub(super) fn records(&self) -> &[Record] {
        &self.contents.records
    }

    /// What was found out about the reserved byte, when the first one was met; `None` in it where the
    /// reading is given.
    pub(super) const fn reserved(&self) -> &OnceLock<Option<ReservedVote>> {
        &self.reserved
    }
}

/// Whether a source has these bytes at a place.
fn is_at(source: &dyn ReadAt, expected: &[u8], mut at: u64) -> std::io::Result<bool> {
    let mut found = vec![0; COMPARED];
    for expected in expected.chunks(COMPARED) {
        let read = source.read_full_at(&mut found, at)?;
        if !found.get(..read).unwrap_or_default().starts_with(expected) {
            return Ok(false);
        }
        at += expected.len() as u64;
    }
    Ok(true)
}

/// Whether the bytes of an extent sum up to this.
fn sums_up_to(source: &dyn ReadAt, sum: u32, extent: Extent) -> std::io::Result<bool> {
    let mut found = vec![0; COMPARED];
    let mut hasher = crc32fast::Hasher::new();
    let mut at = extent.offset;
    while at < extent.end() {
        let left = usize::try_from(extent.end() - at).unwrap_or(COMPARED);
        let part = found.get_mut(..left.min(COMPARED)).unwrap_or_default();
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
            .field("format", &self.contents.format)
            .field("entries", &self.len())
            .finish_non_exhaustive()
    }
}
