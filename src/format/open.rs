//! Opening an archive: what it is read from, and which container's reader reads it.

use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Mutex;

use super::container::File;
use super::records::HEADER_LEN;
use super::relatives::{END_MOST, known_as, known_by_numbers};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Archive, Contents, Format, ReadAt, ReadOptions, Seeking, Store};

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
        let start = read_start(&*source, len)?;
        let contents = read_contents(&File {
            source: &*source,
            len,
            start: &start,
            options,
        })?;
        let reader = contents.format.spec().reader;
        let mut archive = Self::new(Store::One(source), path, len, options, contents);
        if let Some(reader) = reader {
            reader.finish(&mut archive);
        }
        Ok(archive)
    }
}

/// Has a file read by the format that it is said to be, or that begins as it does, or else by any that
/// finds itself in it.
fn read_contents(file: &File<'_>) -> Result<Contents, Error> {
    let begins = |format: &Format| format.spec().begins(file.start);
    let by_magic = Format::ALL.into_iter().find(begins);
    let formats = match (file.options.format, by_magic) {
        (Some(format), Some(_)) if !begins(&format) => {
            let found = file.start.first_chunk().copied().unwrap_or_default();
            return Err(ErrorKind::OtherMagic { format, found }.into());
        }
        (Some(format), _) | (None, Some(format)) => vec![format],
        (None, None) => Format::ALL.to_vec(),
    };
    for format in formats {
        if let Some(reader) = format.spec().reader
            && let Some(contents) = reader.read(file)?
        {
            return Ok(contents);
        }
    }
    Err(no_archive(file))
}

/// What a file is that is no archive.
fn no_archive(file: &File<'_>) -> Error {
    if let Some(what) = known_as(file.start) {
        return ErrorKind::Relative { what }.into();
    }
    let len = file.start.len();
    let (Some(magic), true) = (file.start.first_chunk(), len == HEADER_LEN) else {
        return ErrorKind::TooShort { len: len as u64 }.into();
    };
    let at = file.len.saturating_sub(END_MOST as u64);
    let mut end = vec![0; END_MOST];
    match file.source.read_full_at(&mut end, at) {
        Ok(read) => end.truncate(read),
        Err(error) => return Error::from_io(error).at(at),
    }
    match known_by_numbers(file.start, &end, file.len) {
        Some(what) => ErrorKind::Relative { what }.into(),
        None => ErrorKind::NotAPak { found: *magic }.into(),
    }
}

/// What a file begins with, as long as a header is, or shorter where the file is.
fn read_start(source: &dyn ReadAt, file_len: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; HEADER_LEN];
    let read = source.read_full_at(&mut bytes, 0).map_err(Error::from_io)?;
    // Some hold more than they say, as files that the kernel makes up do. What is said counts:
    // everything after this goes by it.
    bytes.truncate(usize::try_from(file_len).map_or(read, |len| len.min(read)));
    Ok(bytes)
}
