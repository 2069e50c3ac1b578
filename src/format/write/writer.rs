//! An archive written entry by entry, into anything that can be written and sought in.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use super::directory::Directory;
use super::limits::Limits;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{BlockCoder, Coding, Entry, Extent, Format, RawName};
use crate::format::coding_for;

/// How much is copied at once.
const BUFFER: usize = 64 * 1024;

/// Up to which size a content that is decoded is kept, and so decoded once. Larger ones are decoded twice:
/// first to see that they are whole.
const KEPT: u64 = 16 << 20;

/// Writes an archive entry by entry, into a file, memory, or anything that can be written and sought
/// in. What the format compresses, and becomes smaller by it, is compressed.
///
/// ```
/// use daisho::{Archive, Format, Writer};
///
/// let old = Archive::open("corpus/game/data/pak0.pak")?;
/// let mut writer = Writer::in_memory(Format::Daikatana)?;
/// for entry in &old {
///     writer.add_entry(&entry)?;
/// }
/// writer.add("scripts/extra.cfg", b"bind x +attack\n")?;
/// let new = Archive::from_bytes(writer.finish()?.into_inner())?;
/// assert_eq!(new.len(), old.len() + 1);
/// assert_eq!(new.get("scripts/extra.cfg").unwrap().read()?, b"bind x +attack\n");
/// # Ok::<(), daisho::Error>(())
/// ```
///
/// Until [`finish`](Self::finish) is called there is no header, and the file is no archive: write to
/// another name, sync the file that `finish` gives back, and rename it. Many entries on all threads,
/// and all of that: `ops::convert` and `ops::create`, with the feature `ops`.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    format: Format,
    directory: Directory<'static>,
    /// Payloads of other archives that are written, by where they came from.
    shared: HashMap<Origin, usize>,
    /// Up to where anything was written, refused entries included.
    reached: u64,
    /// What pieces are copied through.
    buffer: Vec<u8>,
    /// What compresses. One for all: what deflate works in is large, and zeroed when it is made.
    coder: BlockCoder,
}

/// Copies a part of another archive's file to a place in the output, without the writer reading it.
type Copy<'f, W> = &'f mut dyn FnMut(&mut W, Extent, u64) -> io::Result<()>;

/// Where a payload came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Origin {
    archive: usize,
    extent: Extent,
    size: u64,
    coding: Coding,
    crc32: Option<u32>,
    /// What it is to become.
    wanted: Coding,
}

impl Writer<Cursor<Vec<u8>>> {
    /// Begins an archive in memory; [`finish`](Self::finish) gives a cursor over its bytes.
    ///
    /// # Errors
    /// If archives of this format are no files, as [`Format::Directory`] is none.
    pub fn in_memory(format: Format) -> Result<Self, Error> {
        Self::new(Cursor::default(), format)
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Begins an archive. `output` should be empty: what it holds behind the archive's end stays.
    ///
    /// # Errors
    /// If the output fails, or archives of this format are no files, as [`Format::Directory`] is none.
    pub fn new(output: W, format: Format) -> Result<Self, Error> {
        Self::with_limits(output, format, Limits::default())
    }

    /// Begins an archive that keeps to limits, such as an engine's.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_limits(mut output: W, format: Format, limits: Limits) -> Result<Self, Error> {
        if !format.spec().is_written() {
            return Err(ErrorKind::NoFile { format }.into());
        }
        let begun = output.seek(SeekFrom::Start(0));
        let header = vec![0; usize::try_from(format.spec().first_offset).unwrap_or_default()];
        let begun = begun.and_then(|_| output.write_all(&header));
        begun.map_err(Error::from_io)?;
        Ok(Self {
            output,
            format,
            directory: Directory::new(format, limits),
            shared: HashMap::new(),
            reached: format.spec().first_offset,
            buffer: Vec::new(),
            coder: BlockCoder::new(None),
        })
    }

    /// The format of what is written.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
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

    /// Adds a file. Its name is written as it is, also one that leads out of a directory, or that another
    /// file has: engines take many names that file systems do not.
    ///
    /// # Errors
    /// If the name cannot be written, a limit is exceeded, or the output fails. What was refused leaves
    /// nothing behind, so that the archive can go on without it.
    pub fn add(&mut self, name: impl AsRef<[u8]>, content: &[u8]) -> Result<(), Error> {
        let name = name.as_ref();
        let added = self.lay_content(name, content);
        added.map_err(|error| error.in_entry(self.len(), RawName::new(name)))
    }

    /// Adds a file of what a reader gives. Where the format compresses such a file all of it is kept in
    /// memory; any other is copied in pieces.
    ///
    /// # Errors
    /// As [`add`](Self::add), and if the reader fails. If it does so in the middle of a large file, what
    /// later files do not cover of it becomes zeros, which no entry holds, before the directory.
    pub fn add_reader(
        &mut self,
        name: impl AsRef<[u8]>,
        mut reader: impl Read,
    ) -> Result<(), Error> {
        let name = name.as_ref();
        let added = match coding_for(RawName::new(name), self.format) {
            Coding::Stored => {
                let checked = self.directory.check(name);
                checked.and_then(|()| self.lay_pieces(name, &mut reader, None))
            }
            // Whether it becomes smaller shows when all of it is encoded.
            _ => {
                let mut content = Vec::new();
                let read = reader.read_to_end(&mut content).map_err(Error::from_io);
                read.and_then(|_| self.lay_content(name, &content))
            }
        };
        added.map_err(|error| error.in_entry(self.len(), RawName::new(name)))
    }

    /// Adds an entry of another archive under its own name. A stream that every reader decodes alike
    /// is passed on as it is; entries that share a payload there share it here.
    ///
    /// # Errors
    /// As [`add`](Self::add), and if the entry is damaged.
    pub fn add_entry(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        self.lay_entry(entry, None)
            .map_err(|error| Self::located(entry, error))
    }

    /// The same, for who can copy a part of the archive's file without reading it, as the kernel can from
    /// file to file, or a browser that only notes it down. `copy` gets the output, the part, and the place
    /// for it; it is called at most once, where the payload is passed on as it is. Its errors are those of
    /// the output.
    ///
    /// # Errors
    /// As [`add_entry`](Self::add_entry).
    pub fn add_entry_with(
        &mut self,
        entry: &Entry<'_>,
        copy: &mut dyn FnMut(&mut W, Extent, u64) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.lay_entry(entry, Some(copy))
            .map_err(|error| Self::located(entry, error))
    }

    /// What was not located while reading is the output's failure, and not the archive's.
    fn located(entry: &Entry<'_>, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Io(_) if error.entry().is_none() && error.pak().is_none() => {
                error.in_entry(entry.index(), entry.name())
            }
            _ => entry.locate(error),
        }
    }

    /// Writes the directory, then the header, and gives the output back.
    ///
    /// # Errors
    /// If there is no entry, the output fails, or what was written could not be opened again, because
    /// its names do not tell its format.
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

    fn lay_entry(&mut self, entry: &Entry<'_>, copy: Option<Copy<'_, W>>) -> Result<(), Error> {
        let name = entry.name().as_bytes();
        self.directory.check(name)?;
        entry.check_claims()?;
        let (coding, wanted) = (entry.coding(), coding_for(entry.name(), self.format));
        let extent = entry.extent().filter(|_| !entry.is_file());
        let origin = extent.map(|extent| Origin {
            archive: entry.archive().id(),
            extent,
            size: entry.size(),
            coding,
            crc32: entry.stated_crc32(),
            wanted,
        });
        let origin = origin.filter(|_| !self.directory.spec.states_sums);
        if let Some(first) = origin.and_then(|origin| self.shared.get(&origin)) {
            return self.directory.share(Cow::Owned(name.to_vec()), *first);
        }
        let passes = coding == wanted && entry.stored_len() < entry.size();
        if wanted == Coding::Stored && !entry.is_compressed() {
            match (extent, copy) {
                (Some(extent), Some(copy)) => {
                    let sum = self.sum(entry)?;
                    self.pass(name, extent, (entry.size(), Coding::Stored, sum), copy)?;
                }
                _ => self.lay_pieces(name, &mut entry.reader()?, None)?,
            }
        } else if wanted == Coding::Stored && entry.size() > KEPT {
            // Before anything is written: damage may be found at the stream's end only.
            entry.reader()?.finish()?;
            self.lay_pieces(name, &mut entry.reader()?, None)?;
        } else if passes && entry.is_clean_stream()? {
            let sum = entry.stated_crc32().unwrap_or_default();
            let stream = (entry.size(), coding, sum);
            match (extent, copy) {
                (Some(extent), Some(copy)) => self.pass(name, extent, stream, copy)?,
                _ => self.lay_pieces(name, &mut entry.stored()?, Some(stream))?,
            }
        } else {
            self.lay_content(name, &entry.read()?)?;
        }
        let added = self.directory.len() - 1;
        self.shared.extend(origin.map(|origin| (origin, added)));
        Ok(())
    }

    /// What a stored entry's content sums up to, where the format states that. It is read where anything
    /// depends on it, and else only looked at whether it can be.
    fn sum(&self, entry: &Entry<'_>) -> Result<u32, Error> {
        if self.directory.spec.states_sums || entry.stated_crc32().is_some() {
            return Ok(entry.verify()?.checked.crc32);
        }
        entry.check_claims()?;
        Ok(0)
    }

    /// Has a payload of another archive copied as it is, and adds its entry.
    fn pass(
        &mut self,
        name: &[u8],
        extent: Extent,
        (size, coding, sum): (u64, Coding, u32),
        copy: Copy<'_, W>,
    ) -> Result<(), Error> {
        self.begin(name)?;
        self.directory.check_room(name, extent.len)?;
        let to = self.directory.place(name);
        self.reached = self.reached.max(to + extent.len);
        copy(&mut self.output, extent, to).map_err(Error::from_io)?;
        self.end(name, size, extent.len, coding, sum)
    }

    /// Lays down a content that is in memory, compressed where the format does that and it becomes
    /// smaller.
    fn lay_content(&mut self, name: &[u8], content: &[u8]) -> Result<(), Error> {
        self.directory.check(name)?;
        let size = content.len() as u64;
        let stream = match coding_for(RawName::new(name), self.format) {
            Coding::Stored => None,
            coding => {
                let stream = self.coder.encode_all(coding, content);
                stream.map(|stream| (stream, coding))
            }
        };
        let (payload, coding) = match &stream {
            Some((stream, coding)) => (stream.as_slice(), *coding),
            None => (content, Coding::Stored),
        };
        let sum = match self.directory.spec.states_sums {
            true => crc32fast::hash(content),
            false => 0,
        };
        self.begin(name)?;
        self.append(name, payload, 0)?;
        self.end(name, size, payload.len() as u64, coding, sum)
    }

    /// Lays down a payload piece by piece, with the size of the content, the coding and the content's
    /// CRC-32 where it is a stream.
    fn lay_pieces(
        &mut self,
        name: &[u8],
        reader: &mut dyn Read,
        stream: Option<(u64, Coding, u32)>,
    ) -> Result<(), Error> {
        self.begin(name)?;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(BUFFER, 0);
        let copied = self.copy(name, reader, &mut buffer);
        self.buffer = buffer;
        let (len, sum) = copied?;
        let (size, coding, sum) = stream.unwrap_or((len, Coding::Stored, sum));
        self.end(name, size, len, coding, sum)
    }

    /// Writes what a reader gives, and says how much that was and, where the format states it, what it
    /// sums up to.
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

    /// Goes to where the payload of the next entry begins, whose name is checked.
    fn begin(&mut self, name: &[u8]) -> Result<(), Error> {
        let sought = self
            .output
            .seek(SeekFrom::Start(self.directory.place(name)));
        sought.map(drop).map_err(Error::from_io)
    }

    /// Writes a piece of a payload of which `before` bytes are written, unless that is too much.
    fn append(&mut self, name: &[u8], piece: &[u8], before: u64) -> Result<(), Error> {
        let len = before + piece.len() as u64;
        self.directory.check_room(name, len)?;
        self.reached = self.reached.max(self.directory.place(name) + len);
        self.output.write_all(piece).map_err(Error::from_io)
    }

    /// Ends an entry whose payload is written.
    fn end(
        &mut self,
        name: &[u8],
        size: u64,
        len: u64,
        coding: Coding,
        sum: u32,
    ) -> Result<(), Error> {
        let name = Cow::Owned(name.to_vec());
        self.directory.add_summed(name, size, len, coding, sum)?;
        if let Some((header, at)) = self.directory.last_header() {
            let sought = self.output.seek(SeekFrom::Start(at));
            let written = sought.and_then(|_| self.output.write_all(&header));
            written.map_err(Error::from_io)?;
        }
        Ok(())
    }

    /// Sees to it that nothing of a refused entry stands behind the directory: what would is made
    /// zeros, with the directory behind them.
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
            let count = usize::try_from(left)
                .unwrap_or(zeros.len())
                .min(zeros.len());
            let written = self
                .output
                .write_all(zeros.get(..count).unwrap_or_default());
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
        assert!(matches!(
            refused.unwrap_err().kind(),
            ErrorKind::NameTooLong { .. }
        ));
        writer.add("black.tga", &[0; 1000]).unwrap();
        writer.add_reader("b.wav", &b"last"[..]).unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        let archive = Archive::from_bytes(bytes).unwrap();
        assert_eq!(
            archive.account().gap_bytes() + archive.account().trailing,
            0
        );
        let contents: Vec<_> = archive.entries().map(|it| it.read().unwrap()).collect();
        assert_eq!(contents, [&b"first"[..], &[0; 1000], b"last"]);
        assert!(archive.entry(1).unwrap().is_compressed());
    }
}
