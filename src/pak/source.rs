//! What a pak is read from: positioned reads through `&self`, so that one open pak serves many
//! threads without a lock.
//!
//! There is no memory map, on purpose: a file that is cut short under a map kills the process.

use std::fs::File;
use std::io::{self, ErrorKind};

/// Bytes of a known length that can be read at any place, from any thread.
pub trait ReadAt {
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
    fn as_file(&self) -> Option<&File> {
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

impl ReadAt for File {
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

    fn as_file(&self) -> Option<&File> {
        Some(self)
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

macro_rules! through_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<S: ReadAt + ?Sized> ReadAt for $pointer {
            fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
                (**self).read_at(buffer, offset)
            }

            fn size(&self) -> io::Result<u64> {
                (**self).size()
            }

            fn as_file(&self) -> Option<&File> {
                (**self).as_file()
            }
        }
    )*};
}

through_a_pointer!(&S, Box<S>, std::sync::Arc<S>);

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
    fn a_file_is_known_as_one_behind_any_pointer() {
        let file = tempfile::tempfile().unwrap();
        assert!(file.as_file().is_some());
        assert!(std::sync::Arc::new(file).as_file().is_some());
        assert!(b"ab".to_vec().as_file().is_none());
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
