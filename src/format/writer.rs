//! Writes an archive entry by entry, into anything that implements `Write` and `Seek`.

use std::borrow::{Borrow, Cow};
use std::collections::{HashMap, HashSet};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use super::directory::{Directory, Limits, Payload};
use super::lump::lump_name_in;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{BlockCoder, Coding, Entry, Extent, Format, RawName};

/// How much is copied at once.
const BUFFER: usize = 64 * 1024;

/// The largest decoded content that is kept in memory, and so decoded only once. A larger one is decoded
/// twice: first to see whether it is damaged.
const KEPT: u64 = 16 << 20;

/// Writes an archive entry by entry, into a file, memory, or anything else that implements `Write` and
/// `Seek`. A file is compressed if the format allows it and it becomes smaller.
///
/// ```
/// use daisho::{Archive, Format, Writer};
///
/// let old = Archive::open("corpus/game/data/pak0.pak")?;
/// let mut writer = Writer::in_memory(Format::Daikatana)?;
/// for entry in old.entries() {
///     writer.add_entry(entry)?;
/// }
/// writer.add("scripts/extra.cfg", b"bind x +attack\n")?;
/// let new = Archive::from_bytes(writer.finish_bytes()?)?;
/// assert_eq!(new.len(), old.len() + 1);
/// assert_eq!(new.get("scripts/extra.cfg").unwrap().read()?, b"bind x +attack\n");
/// # Ok::<(), daisho::Error>(())
/// ```
///
/// Until [`finish`](Self::finish) writes the header, the file is not an archive. So write to a temporary
/// name, sync the file that `finish` returns, and rename it. `ops::convert` and `ops::create` (feature
/// `ops`) do that, and use all threads.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    directory: Directory<'static>,
    /// The names of its entries, unless several may have one.
    names: Option<HashSet<Vec<u8>>>,
    /// Payloads of other archives that were written, by their origin.
    shared: HashMap<Origin, usize>,
    /// The end of everything written so far, including refused entries.
    reached: u64,
    /// The buffer for copies.
    buffer: Vec<u8>,
    /// The encoder. It is shared, because deflate's working memory is large and zeroed when allocated.
    coder: BlockCoder,
}

/// The origin of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Origin {
    archive: usize,
    extent: Extent,
    size: u64,
    coding: Coding,
    crc32: Option<u32>,
    /// The coding that it was written with.
    wanted: Coding,
}

impl Writer<Cursor<Vec<u8>>> {
    /// Begins an archive in memory. [`finish_bytes`](Self::finish_bytes) returns its bytes.
    ///
    /// # Errors
    /// If daisho does not write archives of this format.
    pub fn in_memory(format: Format) -> Result<Self, Error> {
        Self::new(Cursor::default(), format)
    }

    /// Like [`finish`](Self::finish), and returns the archive's bytes.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_bytes(self) -> Result<Vec<u8>, Error> {
        Ok(self.finish()?.into_inner())
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Begins an archive. `output` should be empty: bytes after the archive's end stay.
    ///
    /// # Errors
    /// If the output fails, or daisho does not write archives of this format.
    pub fn new(output: W, format: Format) -> Result<Self, Error> {
        Self::with_limits(output, format, Limits::default())
    }

    /// Begins an archive with limits, such as an engine's.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_limits(mut output: W, format: Format, limits: Limits) -> Result<Self, Error> {
        if !format.spec().is_written() {
            return Err(ErrorKind::NotWritten { format }.into());
        }
        let begun = output.seek(SeekFrom::Start(0));
        let header = vec![0; usize::try_from(format.spec().first_offset).unwrap_or_default()];
        let begun = begun.and_then(|_| output.write_all(&header));
        begun.map_err(Error::from_io)?;
        Ok(Self {
            output,
            directory: Directory::new(format, limits),
            names: Some(HashSet::new()),
            shared: HashMap::new(),
            reached: format.spec().first_offset,
            buffer: Vec::new(),
            coder: BlockCoder::new(None),
        })
    }

    /// Lets several entries have one name, as in some paks. Most engines serve the first of them.
    ///
    /// ```
    /// use daisho::{ErrorKind, Format, Writer};
    ///
    /// let mut writer = Writer::in_memory(Format::Quake)?;
    /// writer.add("progs.dat", "new")?;
    /// let error = writer.add("progs.dat", "old").unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::AddedBefore));
    /// writer.allow_duplicates().add("progs.dat", "old")?;
    /// assert_eq!(writer.len(), 2);
    /// # Ok::<(), daisho::Error>(())
    /// ```
    pub fn allow_duplicates(&mut self) -> &mut Self {
        self.names = None;
        self
    }

    /// The format of the archive.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.directory.format
    }

    /// How many entries were added.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.directory.len()
    }

    /// Whether no entry was added.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.directory.len() == 0
    }

    /// Adds a file. Its name is written unchanged, even if it leads out of a directory: engines accept many names
    /// that file systems do not.
    ///
    /// # Errors
    /// If the name cannot be written or an entry has it [already](Self::allow_duplicates), a limit is exceeded, or the
    /// output fails. A refused file leaves nothing behind, so more files can be added.
    pub fn add(&mut self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Result<(), Error> {
        let name = name.as_ref();
        let added = self.add_named(name, |it| it.lay_content(name, content.as_ref()));
        added.map_err(|error| error.in_entry(self.len(), RawName::new(name)))
    }

    /// Adds a file from a reader. If the format compresses this type of file, all of it is read into
    /// memory; otherwise it is copied in pieces.
    ///
    /// # Errors
    /// As [`add`](Self::add), and if the reader fails. If it fails in the middle of a large file, a part of
    /// that file is already in the output. Later files overwrite it. Bytes that are not overwritten become
    /// zeros between the last entry and the directory, and belong to no entry.
    pub fn add_reader(
        &mut self,
        name: impl AsRef<[u8]>,
        mut reader: impl Read,
    ) -> Result<(), Error> {
        let name = name.as_ref();
        let coding = self.directory.format.coding_for(RawName::new(name));
        let added = self.add_named(name, |it| {
            if coding == Coding::Stored {
                return it.lay_pieces(name, &mut reader, None);
            }
            // Only the finished stream shows whether it is smaller.
            let mut content = Vec::new();
            reader.read_to_end(&mut content).map_err(Error::from_io)?;
            it.lay_content(name, &content)
        });
        added.map_err(|error| error.in_entry(self.len(), RawName::new(name)))
    }

    /// Adds an entry of another archive under its own name. A stream that every reader decodes alike is
    /// copied unchanged. Entries that share a payload there share it here.
    ///
    /// # Errors
    /// As [`add`](Self::add), and if the entry is damaged.
    pub fn add_entry<'a>(&mut self, entry: impl Borrow<Entry<'a>>) -> Result<(), Error> {
        let entry = entry.borrow();
        let added = self.add_named(entry.name().as_bytes(), |it| it.lay_entry(entry));
        added.map_err(|error| Self::located(entry, error))
    }

    /// An error without a place comes from the output, not from the archive.
    fn located(entry: &Entry<'_>, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Io(_) if error.entry().is_none() && error.place().path.is_none() => {
                error.in_entry(entry.index(), entry.name())
            }
            _ => entry.locate(error),
        }
    }

    /// Writes the directory, then the header, and returns the output.
    ///
    /// # Errors
    /// If there is no entry, the output fails, or the archive could not be opened again because its names
    /// do not show its format.
    pub fn finish(mut self) -> Result<W, Error> {
        self.cover()?;
        let output = &mut self.output;
        self.directory.seal(&mut |bytes, at| {
            output.seek(SeekFrom::Start(at))?;
            output.write_all(bytes)
        })?;
        self.output.flush().map_err(Error::from_io)?;
        Ok(self.output)
    }

    /// Adds an entry by `lay`, unless it cannot have this name.
    fn add_named(
        &mut self,
        name: &[u8],
        lay: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.directory.check(name)?;
        let own = lump_name_in(self.directory.format, name);
        if self.names.as_mut().is_some_and(|names| !names.insert(own.to_vec())) {
            return Err(ErrorKind::AddedBefore.into());
        }
        let laid = lay(self);
        if laid.is_err()
            && let Some(names) = &mut self.names
        {
            names.remove(&*own);
        }
        laid
    }

    fn lay_entry(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        let name = entry.name().as_bytes();
        entry.check_claims()?;
        let coding = entry.coding();
        let wanted = self.directory.format.coding_for(entry.name());
        let may_share = !entry.is_file() && !self.directory.spec.states_sums;
        let place = entry.place().filter(|_| may_share);
        let origin = place.map(|extent| Origin {
            archive: entry.archive().id(),
            extent,
            size: entry.size(),
            coding,
            crc32: entry.stated_crc32(),
            wanted,
        });
        if let Some(first) = origin.and_then(|origin| self.shared.get(&origin)) {
            return self.directory.share(Cow::Owned(name.to_vec()), *first);
        }
        let passes = coding == wanted && entry.stored_len() < entry.size();
        if wanted == Coding::Stored && !entry.is_compressed() {
            self.lay_pieces(name, &mut entry.reader()?, None)?;
        } else if wanted == Coding::Stored && entry.size() > KEPT {
            // Before anything is written: damage may be at the stream's very end.
            entry.reader()?.finish()?;
            self.lay_pieces(name, &mut entry.reader()?, None)?;
        } else if passes && entry.is_clean_stream()? {
            let stream = Payload {
                size: entry.size(),
                stored_len: entry.stored_len(),
                coding,
                crc32: entry.stated_crc32().unwrap_or_default(),
            };
            self.lay_pieces(name, &mut entry.payload()?, Some(stream))?;
        } else {
            self.lay_content(name, &entry.read()?)?;
        }
        let added = self.directory.len() - 1;
        self.shared.extend(origin.map(|origin| (origin, added)));
        Ok(())
    }

    /// Writes a content from memory, compressed if the format does that and it becomes smaller.
    fn lay_content(&mut self, name: &[u8], content: &[u8]) -> Result<(), Error> {
        let size = content.len() as u64;
        let stream = match self.directory.format.coding_for(RawName::new(name)) {
            Coding::Stored => None,
            coding => {
                let stream = self.coder.encode_all(coding, content);
                stream.map(|stream| (stream, coding))
            }
        };
        let (bytes, coding) = match &stream {
            Some((stream, coding)) => (stream.as_slice(), *coding),
            None => (content, Coding::Stored),
        };
        let crc32 = if self.directory.spec.states_sums { crc32fast::hash(content) } else { 0 };
        self.begin(name)?;
        self.append(name, bytes, 0)?;
        let payload = Payload { size, stored_len: bytes.len() as u64, coding, crc32 };
        self.end(name, payload)
    }

    /// Writes a payload piece by piece. `stream` is given if it is compressed.
    fn lay_pieces(
        &mut self,
        name: &[u8],
        reader: &mut dyn Read,
        stream: Option<Payload>,
    ) -> Result<(), Error> {
        self.begin(name)?;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(BUFFER, 0);
        let copied = self.copy(name, reader, &mut buffer);
        self.buffer = buffer;
        let (len, sum) = copied?;
        let payload = match stream {
            Some(stream) => Payload { stored_len: len, ..stream },
            None => Payload::stored(len, sum),
        };
        self.end(name, payload)
    }

    /// Copies from a reader. Returns how many bytes there were and, if the format has one, their CRC-32.
    fn copy(
        &mut self,
        name: &[u8],
        reader: &mut dyn Read,
        buffer: &mut [u8],
    ) -> Result<(u64, u32), Error> {
        let (mut len, mut sum) = (0, crc32fast::Hasher::new());
        loop {
            let read = match reader.read(buffer) {
                Ok(0) => return Ok((len, sum.finalize())),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::from_io(error)),
            };
            let bytes = buffer.get(..read).unwrap_or_default();
            self.append(name, bytes, len)?;
            if self.directory.spec.states_sums {
                sum.update(bytes);
            }
            len += read as u64;
        }
    }

    /// Seeks to the payload of the next entry, whose name is checked.
    fn begin(&mut self, name: &[u8]) -> Result<(), Error> {
        let sought = self.output.seek(SeekFrom::Start(self.directory.place(name)));
        sought.map(drop).map_err(Error::from_io)
    }

    /// Writes a piece of a payload after its first `before` bytes, unless it becomes too long.
    fn append(&mut self, name: &[u8], piece: &[u8], before: u64) -> Result<(), Error> {
        let len = before + piece.len() as u64;
        self.directory.check_room(name, len)?;
        self.reached = self.reached.max(self.directory.place(name) + len);
        self.output.write_all(piece).map_err(Error::from_io)
    }

    /// Completes an entry whose payload is written.
    fn end(&mut self, name: &[u8], payload: Payload) -> Result<(), Error> {
        let name = Cow::Owned(name.to_vec());
        self.directory.add(name, payload)?;
        if let Some((header, at)) = self.directory.last_header() {
            let sought = self.output.seek(SeekFrom::Start(at));
            let written = sought.and_then(|_| self.output.write_all(&header));
            written.map_err(Error::from_io)?;
        }
        Ok(())
    }

    /// Overwrites what refused entries left behind with zeros, so that the directory comes last.
    fn cover(&mut self) -> Result<(), Error> {
        let (from, end) = (self.directory.end(), self.directory.file_len());
        let mut left = self.reached.saturating_sub(end);
        if left == 0 {
            return Ok(());
        }
        self.directory.skip(left);
        let sought = self.output.seek(SeekFrom::Start(from));
        sought.map_err(Error::from_io)?;
        let zeros = [0; 4096];
        while left > 0 {
            let count = usize::try_from(left).unwrap_or(zeros.len()).min(zeros.len());
            let written = self.output.write_all(zeros.get(..count).unwrap_or_default());
            written.map_err(Error::from_io)?;
            left -= count as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Archive;

    #[test]
    fn what_was_refused_leaves_nothing_behind() {
        let mut writer = Writer::in_memory(Format::Daikatana).unwrap();
        writer.add("a.wav", b"first").unwrap();
        let refused = writer.add("x".repeat(56), b"a long payload, for nothing");
        assert!(matches!(refused.unwrap_err().kind(), ErrorKind::NameTooLong { .. }));
        writer.add("black.tga", [0; 1000]).unwrap();
        writer.add_reader("b.wav", &b"last"[..]).unwrap();
        let bytes = writer.finish_bytes().unwrap();
        let archive = Archive::from_bytes(bytes).unwrap();
        assert_eq!(archive.account().unwrap().gap_bytes() + archive.account().unwrap().trailing, 0);
        let contents: Vec<_> = archive.entries().map(|it| it.read().unwrap()).collect();
        assert_eq!(contents, [&b"first"[..], &[0; 1000], b"last"]);
        assert!(archive.entry(1).unwrap().is_compressed());
    }
}
