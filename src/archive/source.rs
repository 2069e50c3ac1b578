//! What an archive is read from: positional reads through `&self`, so that one open archive serves
//! many threads without a lock.
//!
//! There is no memory map, on purpose: a file that is cut short under a map kills the process.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::Error;

/// Bytes of a known length that can be read at any place, from any thread.
pub trait ReadAt: Send + Sync {
    /// Reads some bytes from `offset` on into `buffer` and says how many; 0 at the end.
    ///
    /// # Errors
    /// Whatever the source fails with.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// How many bytes there are.
    ///
    /// # Errors
    /// Whatever the source fails with.
    fn size(&self) -> io::Result<u64>;

    /// The file behind it, for those who can have the kernel copy a range.
    #[cfg(feature = "ops")]
    fn as_file(&self) -> Option<Arc<std::fs::File>> {
        None
    }

    /// Reads until `buffer` is full or the source ends, and says how many bytes that were. Goes
    /// on after an interruption.
    ///
    /// # Errors
    /// Whatever the source fails with.
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

/// Where there are reads at a place. Elsewhere a file is read as any other reader that seeks.
#[cfg(any(unix, windows))]
impl ReadAt for std::fs::File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    /// Moves the file's cursor, too, which nothing here looks at.
    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match std::os::windows::fs::FileExt::seek_read(self, buffer, offset) {
            // Windows calls a read behind the end an error; everybody else calls it the end.
            Err(error) if error.raw_os_error() == Some(38) => Ok(0),
            result => result,
        }
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl ReadAt for [u8] {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|at| self.get(at..))
            .unwrap_or_default();
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

impl ReadAt for Vec<u8> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.as_slice().read_at(buffer, offset)
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

/// Any reader that can seek, one read at a time.
pub(crate) struct Seeking<R>(pub(crate) Mutex<R>);

impl<R: Read + Seek + Send> ReadAt for Seeking<R> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(SeekFrom::Start(offset))?;
        reader.read(buffer)
    }

    fn size(&self) -> io::Result<u64> {
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(SeekFrom::End(0))
    }
}

/// Where the payloads of an archive are.
pub(crate) enum Store {
    /// All in one file.
    One(Box<dyn ReadAt>),
    /// Each in a file of its own: the archive is a directory.
    #[cfg_attr(
        not(feature = "ops"),
        expect(dead_code, reason = "only `fs` opens directories")
    )]
    Each(Arc<dyn Files>),
}

impl Store {
    pub(super) fn one(&self) -> Option<&dyn ReadAt> {
        match self {
            Self::One(source) => Some(&**source),
            Self::Each(_) => None,
        }
    }
}

/// The files of a directory, by the numbers of their entries.
pub(crate) trait Files: Send + Sync {
    /// Where a file is, as the user would write it.
    fn path(&self, index: usize) -> &Path;

    /// Opens a file.
    fn open(&self, index: usize) -> Result<Arc<dyn ReadAt>, Error>;
}

macro_rules! through_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<S: ReadAt + ?Sized> ReadAt for $pointer {
            fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
                (**self).read_at(buffer, offset)
            }

            fn size(&self) -> io::Result<u64> {
                (**self).size()
            }

            #[cfg(feature = "ops")]
            fn as_file(&self) -> Option<Arc<std::fs::File>> {
                (**self).as_file()
            }
        }
    )*};
}

through_a_pointer!(&S, Box<S>, Arc<S>);

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, and is interrupted before each.
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
    fn a_full_read_goes_on_over_short_counts_and_interruptions() {
        let source = Hesitant(true.into());
        let mut buffer = [0; 9];
        assert_eq!(source.read_full_at(&mut buffer, 0).unwrap(), 6);
        assert_eq!(&buffer[..6], b"steady");
    }

    #[test]
    fn an_error_other_than_an_interruption_ends_a_full_read() {
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
    fn a_reader_that_seeks_is_read_at_any_place() {
        let reader = Seeking(Mutex::new(io::Cursor::new(b"steady".to_vec())));
        let mut buffer = [0; 3];
        assert_eq!(reader.read_full_at(&mut buffer, 3).unwrap(), 3);
        assert_eq!(&buffer, b"ady");
        assert_eq!(reader.read_full_at(&mut buffer, 5).unwrap(), 1);
        assert_eq!(reader.size().unwrap(), 6);
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
