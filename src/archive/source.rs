//! The source of an archive: positional reads through `&self`, so many threads can read without a lock.
//!
//! There is deliberately no memory map: truncating a mapped file kills the process.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::Error;

/// Bytes of known length that can be read at any offset, from any thread.
pub trait ReadAt: Send + Sync {
    /// Reads up to `buffer.len()` bytes at `offset`, and returns how many. Returns 0 at the end.
    ///
    /// # Errors
    /// Any error of the source.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The length in bytes.
    ///
    /// # Errors
    /// Any error of the source.
    fn size(&self) -> io::Result<u64>;

    /// The underlying file, for callers that can let the kernel copy a range.
    fn as_file(&self) -> Option<Arc<std::fs::File>> {
        None
    }

    /// Reads until `buffer` is full or the source ends, and returns the number of bytes. Retries after an
    /// interruption.
    ///
    /// # Errors
    /// Any error of the source.
    fn read_full_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            let Some(at) = offset.checked_add(filled as u64) else {
                break;
            };
            match self.read_at(rest, at) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

/// Reads until `buffer` is full or the source ends. An error has the offset.
pub(crate) fn read_at(source: &dyn ReadAt, buffer: &mut [u8], at: u64) -> Result<usize, Error> {
    let read = source.read_full_at(buffer, at);
    read.map_err(|error| Error::from_io(error).at(at))
}

/// Appends up to `len` bytes from an offset, and returns how many. A new buffer is allocated as zeros, which
/// costs nothing; zeroing more of an old one does.
pub(crate) fn read_more(
    source: &dyn ReadAt,
    buffer: &mut Vec<u8>,
    len: usize,
    at: u64,
) -> Result<usize, Error> {
    let have = buffer.len();
    if have == 0 {
        *buffer = vec![0; len];
    } else {
        let reserved = buffer.try_reserve(len);
        reserved.map_err(|error| Error::from_io(io::Error::other(error)))?;
        buffer.resize(have + len, 0);
    }
    let read = read_at(source, buffer.get_mut(have..).unwrap_or_default(), at)?;
    buffer.truncate(have + read);
    Ok(read)
}

/// Opens a regular file to read from. Other files are refused before they are opened, because opening a pipe without
/// a writer would block. The open file is checked again, because another file may have taken its place.
pub(crate) fn open_regular(path: &Path) -> io::Result<impl ReadAt + 'static> {
    if std::fs::metadata(path)?.is_file() {
        let file = std::fs::File::open(path)?;
        if file.metadata()?.is_file() {
            return Ok(file);
        }
    }
    Err(Error::from(super::error::ErrorKind::NotAFile).into())
}

impl ReadAt for std::fs::File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    /// This also moves the file's cursor, which is not used here.
    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match std::os::windows::fs::FileExt::seek_read(self, buffer, offset) {
            // Windows returns an error for a read beyond the end; other systems return 0 bytes.
            Err(error) if error.raw_os_error() == Some(38) => Ok(0),
            result => result,
        }
    }

    /// WASI has no positional reads, and one thread.
    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        use io::{Read as _, Seek as _};
        let mut file = self;
        file.seek(io::SeekFrom::Start(offset))?;
        file.read(buffer)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl ReadAt for [u8] {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

impl<const N: usize> ReadAt for [u8; N] {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.as_slice().read_at(buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(N as u64)
    }
}

/// The source of an archive's payloads.
pub(crate) enum ArchiveSource {
    /// One file for all of them.
    One(Arc<dyn ReadAt>),
    /// A file for each of them: the archive is a directory.
    Each(Files),
}

impl ArchiveSource {
    pub(super) fn one(&self) -> Option<&dyn ReadAt> {
        match self {
            Self::One(source) => Some(&**source),
            Self::Each(_) => None,
        }
    }
}

/// A file of a directory that is an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LooseFile {
    /// Its name as an entry.
    pub(crate) name: Vec<u8>,
    /// Where it is, as the user would type it.
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
}

/// Opens a file of a directory by its name as an entry, or by its path.
pub(crate) type OpenFile = dyn Fn(&[u8], &Path) -> io::Result<Arc<dyn ReadAt>> + Send + Sync;

/// The files of a directory, or contents from somewhere else.
pub(crate) struct Files {
    /// The paths of files, by the numbers of their entries.
    pub(super) paths: Vec<PathBuf>,
    pub(super) open: Box<OpenFile>,
}

impl Files {
    pub(super) fn path(&self, index: usize) -> Option<&Path> {
        self.paths.get(index).map(PathBuf::as_path)
    }

    pub(super) fn open(&self, index: usize, name: &[u8]) -> Result<Arc<dyn ReadAt>, Error> {
        (self.open)(name, self.path(index).unwrap_or(Path::new(""))).map_err(Error::from_io)
    }
}

macro_rules! through_a_pointer {
    ($([$($generic:tt)*] $pointer:ty),*) => {$(
        impl<$($generic)*> ReadAt for $pointer {
            fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
                (**self).read_at(buffer, offset)
            }

            fn size(&self) -> io::Result<u64> {
                (**self).size()
            }

            fn as_file(&self) -> Option<Arc<std::fs::File>> {
                (**self).as_file()
            }
        }
    )*};
}

through_a_pointer!(
    [S: ReadAt + ?Sized] &S, [S: ReadAt + ?Sized] Box<S>, [S: ReadAt + ?Sized] Arc<S>, [] Vec<u8>
);

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time, and is interrupted before each.
    struct Hesitant(std::sync::atomic::AtomicBool);

    impl ReadAt for Hesitant {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            if self.0.fetch_not(std::sync::atomic::Ordering::Relaxed) {
                return Err(ErrorKind::Interrupted.into());
            }
            let end = buffer.len().min(1);
            b"steady"[..].read_at(&mut buffer[..end], offset)
        }

        fn size(&self) -> io::Result<u64> {
            Ok(6)
        }
    }

    #[test]
    fn full_reads_survive_short_counts_and_interrupts() {
        let source = Hesitant(true.into());
        let mut buffer = [0; 9];
        assert_eq!(source.read_full_at(&mut buffer, 0).unwrap(), 6);
        assert_eq!(&buffer[..6], b"steady");
    }

    #[test]
    fn a_full_read_ends_at_a_real_error() {
        struct Broken;
        impl ReadAt for Broken {
            fn read_at(&self, _: &mut [u8], offset: u64) -> io::Result<usize> {
                match offset {
                    0 => Ok(1),
                    _ => Err(ErrorKind::ConnectionReset.into()),
                }
            }
            fn size(&self) -> io::Result<u64> {
                Ok(2)
            }
        }
        let error = Broken.read_full_at(&mut [0; 2], 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    }

    #[test]
    fn reading_behind_the_end_gives_nothing() {
        let bytes = vec![1, 2, 3];
        let mut buffer = [0; 4];
        assert_eq!(bytes.read_at(&mut buffer, 2).unwrap(), 1);
        assert_eq!(bytes.read_at(&mut buffer, 3).unwrap(), 0);
        assert_eq!(bytes.read_at(&mut buffer, u64::MAX).unwrap(), 0);
        assert_eq!(bytes.read_full_at(&mut buffer, u64::MAX).unwrap(), 0);
    }
}
