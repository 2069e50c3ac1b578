//! Opens archives in files, bytes and sources, and finds the reader for their format.

use std::path::Path;

use super::container::ArchiveFile;
use super::map;
use super::other_files::{END_MOST, is_unreal, known_as};
use super::records::HEADER_LEN;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{
    Archive, ArchiveContents, ArchiveSource, Format, ReadAt, ReadOptions, open_regular, or_list,
    quoted, read_at,
};

/// The length of a file that is read as a whole when it is opened.
const SMALL: usize = 4 << 10;

impl Archive {
    /// Opens the archive at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is not an archive, or its format is ambiguous.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, ReadOptions::default())
    }

    /// Opens the archive at `path` with options, such as its format.
    ///
    /// ```
    /// use daisho::{Archive, Format};
    ///
    /// let archive = Archive::open_with("corpus/game/data/pak0.pak", Format::Quake)?;
    /// assert_eq!(archive.format(), Some(Format::Quake));
    /// # Ok::<(), daisho::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read, is not an archive, or its format is neither given nor clear.
    pub fn open_with(
        path: impl AsRef<Path>,
        options: impl Into<ReadOptions>,
    ) -> Result<Self, Error> {
        let (path, options) = (path.as_ref(), options.into());
        let open = || {
            let file = open_regular(path).map_err(Error::from_io)?;
            Self::read_source(Box::new(file), options, Some(path))
        };
        open().map_err(|error: Error| error.at_path(path))
    }

    /// Opens the archive in these bytes.
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
    /// If they are not an archive, or its format is ambiguous.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::from_source(bytes.into())
    }

    /// Opens the archive in `source`, which any number of threads can read at once.
    ///
    /// # Errors
    /// If it cannot be read, is not an archive, or its format is ambiguous.
    pub fn from_source(source: impl ReadAt + 'static) -> Result<Self, Error> {
        Self::from_source_with(source, ReadOptions::default())
    }

    /// Opens the archive in `source` with options. They can set what is normally detected: the format, and
    /// how the reserved byte is read.
    ///
    /// # Errors
    /// If it cannot be read, is not an archive, or its format is neither given nor clear.
    pub fn from_source_with(
        source: impl ReadAt + 'static,
        options: impl Into<ReadOptions>,
    ) -> Result<Self, Error> {
        Self::read_source(Box::new(source), options.into(), None)
    }

    /// Opens the archive in `source`, which is the file at `path`.
    pub(crate) fn read_source(
        source: Box<dyn ReadAt>,
        options: ReadOptions,
        path: Option<&Path>,
    ) -> Result<Self, Error> {
        let len = source.size().map_err(Error::from_io)?;
        let whole = read_small(&*source, len)?;
        let view: &dyn ReadAt = match &whole {
            Some(bytes) => bytes,
            None => &*source,
        };
        let start = read_start(view, len)?;
        let contents = read_contents(&ArchiveFile { source: view, len, start: &start, options })?;
        let format = contents.format;
        let mut archive =
            Self::new(ArchiveSource::One(source.into()), path, len, options, contents);
        if let Some(format) = format {
            format.spec().container.finish(&mut archive);
        }
        Ok(archive)
    }
}

/// Reads a file in the given format or the one of its magic. Otherwise tries the formats that need no magic
/// at the beginning.
fn read_contents(file: &ArchiveFile<'_>) -> Result<ArchiveContents, Error> {
    let begins = |format: &Format| format.spec().begins(file.start);
    let by_magic = Format::ALL.into_iter().find(begins);
    let formats = match (file.options.format, by_magic) {
        (Some(format), Some(_)) if !begins(&format) => {
            let found = file.start.first_chunk().copied().unwrap_or_default();
            let expected = format.spec().magic;
            return Err(ErrorKind::OtherMagic { format, expected, found }.into());
        }
        (Some(format), _) | (None, Some(format)) => vec![format],
        (None, None) => {
            if file.options.maps
                && let Some(contents) = map::read(file)?
            {
                return Ok(contents);
            }
            Format::ALL.to_vec()
        }
    };
    for format in formats {
        if let Some(contents) = format.spec().container.read(file)? {
            return Ok(contents);
        }
    }
    Err(no_archive(file))
}

/// The error for a file that is not an archive.
fn no_archive(file: &ArchiveFile<'_>) -> Error {
    // It goes on with "s://git-lfs.github.com/spec/", and has less than a kilobyte.
    if file.start == b"version http" && file.len < 1024 {
        return ErrorKind::LfsPointer.into();
    }
    if let Some(what) = known_as(file.start) {
        return ErrorKind::OtherFile { what }.into();
    }
    let Some(start) = file.start.first_chunk::<HEADER_LEN>().copied() else {
        let len = file.start.len() as u64;
        return ErrorKind::TooShort { len }.into();
    };
    let at = file.len.saturating_sub(END_MOST as u64);
    let mut end = vec![0; END_MOST];
    match read_at(file.source, &mut end, at) {
        Ok(read) => end.truncate(read),
        Err(error) => return error,
    }
    if is_unreal(&end, file.len) {
        let what = "an Unreal Engine archive (PAK)";
        return ErrorKind::OtherFile { what }.into();
    }
    let expected = known_magics();
    ErrorKind::NotAnArchive { start, expected }.into()
}

/// The magics of all formats, for messages: `"PACK", "SPAK" or "HROT"`.
fn known_magics() -> String {
    let mut magics: Vec<String> = Vec::new();
    for format in Format::ALL {
        let magic = quoted(&format.spec().magic).to_string();
        if !magics.contains(&magic) {
            magics.push(magic);
        }
    }
    or_list(&magics)
}

/// All bytes of a small file, which is opened with one read.
fn read_small(source: &dyn ReadAt, len: u64) -> Result<Option<Vec<u8>>, Error> {
    let Some(len) = usize::try_from(len).ok().filter(|len| *len <= SMALL) else {
        return Ok(None);
    };
    let mut bytes = vec![0; len];
    let read = source.read_full_at(&mut bytes, 0).map_err(Error::from_io)?;
    bytes.truncate(read);
    Ok(Some(bytes))
}

/// The first bytes of a file: as many as a header has, or the whole file.
fn read_start(source: &dyn ReadAt, file_len: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; HEADER_LEN];
    let read = source.read_full_at(&mut bytes, 0).map_err(Error::from_io)?;
    // Some files contain more than their stated length, such as those of `/proc`. The stated length counts,
    // because everything else depends on it.
    bytes.truncate(usize::try_from(file_len).map_or(read, |len| len.min(read)));
    Ok(bytes)
}
