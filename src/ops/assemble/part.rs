//! What the entries of a new pak come from.

use std::io::ErrorKind::UnexpectedEof;
use std::path::{Path, PathBuf};

use super::Found;
use crate::codec::Warning;
use crate::error::{Error, ErrorKind};
use crate::fs::{Source, System};
use crate::ops::open::odd_stream;
use crate::pak::{DecodedReader, Entry, Layout, Origin, RawName, ReadAt};

/// The entries of a new pak, in their order. Made on demand, so that a pak of many entries takes
/// no more memory than its directory.
pub(in crate::ops) trait Parts: Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// One of them.
    fn part(&self, index: usize) -> Option<Part<'_>>;
}

/// What one entry of a new pak comes from.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) enum Part<'a> {
    /// An entry of a pak, and the number that tells that pak from others that are read for the
    /// same output.
    Entry(Entry<'a, Source>, u32),
    /// A file.
    Loose(&'a Loose),
}

/// A file that is to become an entry.
#[derive(Debug)]
pub(in crate::ops) struct Loose {
    /// Its name in the pak.
    pub(in crate::ops) name: Vec<u8>,
    /// Where it is.
    pub(in crate::ops) path: PathBuf,
    /// How long it was when it was planned.
    pub(in crate::ops) len: u64,
    /// What it is opened with.
    pub(in crate::ops) system: System,
}

/// Bytes of a file that can be copied as they are.
pub(super) enum Stored<'a> {
    /// Of the pak's.
    Pak(&'a Source),
    /// Of a file that is open for this.
    Own(Source),
}

impl Stored<'_> {
    pub(super) fn get(&self) -> &Source {
        match self {
            Self::Pak(source) => source,
            Self::Own(source) => source,
        }
    }
}

impl<'a> Part<'a> {
    pub(in crate::ops) fn name(self) -> RawName<'a> {
        match self {
            Self::Entry(entry, _) => entry.name(),
            Self::Loose(loose) => RawName::new(&loose.name),
        }
    }

    /// How long the content is.
    pub(in crate::ops) fn size(self) -> u64 {
        match self {
            Self::Entry(entry, _) => entry.size().into(),
            Self::Loose(loose) => loose.len,
        }
    }

    /// The same entry under another name. A file has its name in [`Loose`].
    pub(in crate::ops) fn renamed(self, name: RawName<'a>) -> Self {
        match self {
            Self::Entry(entry, pak) => Self::Entry(entry.renamed(name), pak),
            Self::Loose(_) => self,
        }
    }

    pub(super) fn origin(self) -> Option<Origin> {
        match self {
            Self::Entry(entry, pak) => Origin::of(pak, &entry),
            Self::Loose(_) => None,
        }
    }

    /// Which of several paks it is an entry of. Files are never side by side in one.
    pub(super) fn pak(self) -> Option<u32> {
        match self {
            Self::Entry(_, pak) => Some(pak),
            Self::Loose(_) => None,
        }
    }

    /// What keeps it out of a pak of this layout, as far as that shows without reading it.
    pub(super) fn check(self, to: Layout) -> Result<(), Error> {
        let len = self.name().as_bytes().len();
        if len > to.name_max() {
            let error = ErrorKind::NameTooLong { len, layout: to };
            return Err(self.located(error.into()));
        }
        match self {
            Self::Entry(entry, _) => entry.check_claims(),
            Self::Loose(_) => Ok(()),
        }
    }

    /// The error with the part as its place, instead of a place in the output.
    pub(in crate::ops) fn located(self, error: Error) -> Error {
        let offset = error.offset();
        let error = Error::new(error.into_kind());
        let error = match self {
            Self::Entry(entry, _) => error.in_entry(entry.index(), entry.name()),
            Self::Loose(loose) => error.in_pak(&loose.path),
        };
        match offset {
            Some(offset) => error.at(offset),
            None => error,
        }
    }

    /// What is unusual in its stream, with its place. A file has none.
    pub(super) fn odd(self, warning: Warning) -> Error {
        match self {
            Self::Entry(entry, _) => odd_stream(&entry, warning),
            Self::Loose(_) => self.located(ErrorKind::OddStream(warning).into()),
        }
    }

    /// Where its content lies as it is, so that nothing needs to be decoded.
    pub(super) fn stored_at(self) -> Option<u64> {
        match self {
            Self::Entry(entry, _) if entry.is_compressed() => None,
            Self::Entry(entry, _) => Some(entry.record().offset.into()),
            Self::Loose(_) => Some(0),
        }
    }

    /// The same for a compressed payload: where it lies, and how long it is.
    pub(super) fn stream_at(self) -> Option<(u64, u64)> {
        match self {
            Self::Entry(entry, _) if entry.is_compressed() => {
                entry.extent().map(|extent| (extent.offset, extent.len))
            }
            _ => None,
        }
    }

    /// The bytes behind it.
    pub(super) fn source(self) -> Result<Stored<'a>, Error> {
        match self {
            Self::Entry(entry, _) => Ok(Stored::Pak(entry.archive().source())),
            Self::Loose(loose) => loose.open().map(Stored::Own),
        }
    }

    /// A reader of its content.
    pub(super) fn content(self) -> Result<Content<'a>, Error> {
        Ok(match self {
            Self::Entry(entry, _) => Content::Entry(entry.decoded()?),
            Self::Loose(loose) => Content::Loose {
                loose,
                source: loose.open()?,
                at: 0,
            },
        })
    }

    /// Whether its payload is a stream that can be passed on as it is. One that is damaged is
    /// not; decoding it tells what is wrong.
    pub(super) fn is_clean_stream(self) -> bool {
        match self {
            Self::Entry(entry, _) => {
                u64::from(entry.stored_len()) < self.size()
                    && entry.is_clean_stream().unwrap_or(false)
            }
            Self::Loose(_) => false,
        }
    }
}

impl Loose {
    /// The file, if it still is one and as long as it was.
    pub(in crate::ops) fn open(&self) -> Result<Source, Error> {
        let place = |error| Error::from_io(error).in_pak(&self.path);
        // Asked before it is opened, too: a pipe that has come in its place would never be open.
        if !std::fs::metadata(&self.path).map_err(place)?.is_file() {
            return Err(Error::new(ErrorKind::NotAFile).in_pak(&self.path));
        }
        let source = self.system.open(&self.path).map_err(place)?;
        self.unchanged(&source)?;
        Ok(source)
    }

    /// Whether it is as long as it was.
    pub(in crate::ops) fn unchanged(&self, source: &Source) -> Result<(), Error> {
        let found = source
            .size()
            .map_err(|error| Error::from_io(error).in_pak(&self.path))?;
        if found == self.len {
            return Ok(());
        }
        let expected = self.len;
        Err(Error::new(ErrorKind::Changed { expected, found }).in_pak(&self.path))
    }
}

/// Reads a part's content.
pub(super) enum Content<'a> {
    Entry(DecodedReader<'a, Source>),
    Loose {
        loose: &'a Loose,
        source: Source,
        at: u64,
    },
}

impl Content<'_> {
    /// Fills the buffer, or as much of it as there is content.
    pub(super) fn read_full(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        match self {
            Self::Entry(reader) => {
                let mut filled = 0;
                while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
                    match reader.read_some(rest)? {
                        0 => break,
                        read => filled += read,
                    }
                }
                Ok(filled)
            }
            Self::Loose { loose, source, at } => {
                let rest = usize::try_from(loose.len - *at).unwrap_or(usize::MAX);
                let len = rest.min(buffer.len());
                let buffer = buffer.get_mut(..len).unwrap_or_default();
                let failed = |error| Error::from_io(error).in_pak(&loose.path);
                if source.read_full_at(buffer, *at).map_err(failed)? < len {
                    loose.unchanged(source)?;
                    return Err(failed(UnexpectedEof.into()));
                }
                *at += len as u64;
                Ok(len)
            }
        }
    }

    /// Judges the end, when all was read, and says what was odd.
    pub(super) fn finish(self) -> Result<Vec<Warning>, Error> {
        match self {
            Self::Entry(mut reader) => {
                let mut rest = [0; 16];
                while reader.read_some(&mut rest)? > 0 {}
                Ok(reader.warnings().collect())
            }
            Self::Loose { loose, source, .. } => loose.unchanged(&source).map(|()| Vec::new()),
        }
    }
}

/// Some of the parts.
pub(in crate::ops) struct Chosen<'a> {
    parts: &'a dyn Parts,
    /// Their numbers, ascending; none where all are chosen.
    chosen: Option<Vec<u32>>,
}

impl<'a> Chosen<'a> {
    /// Those of these numbers, which rise.
    pub(in crate::ops) fn new(parts: &'a dyn Parts, chosen: Vec<u32>) -> Self {
        Self {
            parts,
            chosen: Some(chosen),
        }
    }

    /// All but those that were found to be something, in their order.
    pub(in crate::ops) fn without(parts: &'a dyn Parts, found: &[Found]) -> Self {
        let mut without = found.iter().map(|found| found.index).peekable();
        let chosen = (0_u32..)
            .take(parts.count())
            .filter(|index| without.next_if_eq(&(*index as usize)).is_none());
        Self {
            parts,
            chosen: (!found.is_empty()).then(|| chosen.collect()),
        }
    }

    /// The number that a part has among all.
    pub(in crate::ops) fn inner(&self, index: usize) -> usize {
        let chosen = self.chosen.as_ref().and_then(|chosen| chosen.get(index));
        chosen.map_or(index, |inner| *inner as usize)
    }
}

impl Parts for Chosen<'_> {
    fn count(&self) -> usize {
        let chosen = self.chosen.as_ref();
        chosen.map_or_else(|| self.parts.count(), Vec::len)
    }

    fn part(&self, index: usize) -> Option<Part<'_>> {
        match &self.chosen {
            None => self.parts.part(index),
            Some(chosen) => self.parts.part(*chosen.get(index)? as usize),
        }
    }
}

impl Parts for crate::pak::Archive<Source> {
    fn count(&self) -> usize {
        self.len()
    }

    fn part(&self, index: usize) -> Option<Part<'_>> {
        self.entry(index).map(|entry| Part::Entry(entry, 0))
    }
}

impl Parts for Vec<Loose> {
    fn count(&self) -> usize {
        self.len()
    }

    fn part(&self, index: usize) -> Option<Part<'_>> {
        self.get(index).map(Part::Loose)
    }
}

/// A path as it is shown where an observer asks for a name.
pub(in crate::ops) fn shown(path: &Path) -> String {
    crate::pak::escape(path.as_os_str().as_encoded_bytes()).to_string()
}
