//! Copying bytes from a source to an output, through the kernel where it can.
//!
//! The kernel's copy says that something failed, not on which side. So any failure of it sends the
//! rest through a buffer, from where it stopped: if the fault is real, the plain read or the plain
//! write meets it again and has a name for it.

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};

use super::platform;
use super::system::System;

/// The most that one call copies: the kernel does not come back from a copy for a signal, and this
/// takes a fraction of a second.
const KERNEL_MAX: usize = 64 << 20;

/// The kernel's copy into one file, until the kernel has shown that it cannot.
#[derive(Debug, Default)]
pub(super) struct KernelCopy {
    is_unsupported: AtomicBool,
}

impl KernelCopy {
    /// Copies as much as the kernel will, and says how much that was.
    pub(super) fn copy(
        &self,
        system: &System,
        (source, from): (&File, u64),
        (output, to): (&File, u64),
        len: u64,
    ) -> u64 {
        let mut done = 0;
        while done < len && !self.is_unsupported.load(Ordering::Relaxed) {
            let rest = usize::try_from(len - done).map_or(KERNEL_MAX, |rest| rest.min(KERNEL_MAX));
            match system.copy_range((source, from + done), (output, to + done), rest) {
                // The end of the source, or a file that has no end for the kernel: reading tells.
                Ok(0) => break,
                Ok(copied) => done += copied as u64,
                Err(error) => {
                    if platform::unsupported(&error) {
                        self.is_unsupported.store(true, Ordering::Relaxed);
                    }
                    break;
                }
            }
        }
        done.min(len)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::io::ErrorKind;
    use std::path::Path;
    use std::sync::Arc;

    use rustix::io::Errno;

    use super::*;
    use crate::archive::Sink as _;
    use crate::fs::{CommitError, Over, System};
    use crate::testing::{Call, Fault, Faulty, When};

    /// How much is copied at once without the kernel.
    const BUFFER: usize = 128 << 10;
    const LEN: usize = 3 * BUFFER + 5;

    fn sample() -> Vec<u8> {
        (0..=250).cycle().take(LEN).collect()
    }

    /// Copies all of a file but its first byte in two parts, the second first; gives the calls.
    fn copied(calls: Faulty) -> Vec<Call> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("source");
        fs::write(&path, sample()).unwrap();
        let calls = Arc::new(calls);
        let system = System::new(Arc::clone(&calls) as Arc<_>);
        let source = system.adopt(&path, File::open(&path).unwrap());
        let root = system.root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        let (half, rest) = (BUFFER as u64, (LEN - 1 - BUFFER) as u64);
        draft.copy_from(&source, 1 + half, rest, half).unwrap();
        draft.copy_from(&source, 1, half, 0).unwrap();
        draft.commit(Over::Nothing).unwrap();
        assert!(fs::read(dir.path().join("file")).unwrap() == sample()[1..]);
        calls.log()
    }

    fn count(log: &[Call], call: Call) -> usize {
        log.iter().filter(|&&c| c == call).count()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_kernel_copies_where_it_can() {
        let log = copied(Faulty::default());
        assert_eq!(count(&log, Call::Copy), 2);
        assert_eq!(count(&log, Call::Read) + count(&log, Call::Write), 0);
    }

    #[test]
    fn a_system_that_cannot_copy_is_asked_once() {
        let log = copied(Faulty::lacking(&[Call::Copy]));
        assert_eq!(count(&log, Call::Copy), 1);
        assert_eq!(count(&log, Call::Write), 3 + 1);
    }

    #[test]
    fn a_copy_that_fails_midway_goes_on_plainly_from_there() {
        let log = copied(Faulty::default());
        let first = log.iter().position(|&call| call == Call::Copy).unwrap();
        for errno in [Errno::XDEV, Errno::IO, Errno::NOSPC, Errno::TXTBSY] {
            let calls = Faulty::default()
                .with(When::Once(first), Fault::Short)
                .with(When::Once(first + 1), Fault::Fails(errno));
            let log = copied(calls);
            assert!(count(&log, Call::Read) > 0, "{errno:?}");
        }
        copied(Faulty::default().with(When::From(first), Fault::Short));
    }

    #[test]
    fn a_source_that_is_shorter_than_it_was_is_the_sources_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("source");
        fs::write(&path, b"short").unwrap();
        let source = File::open(&path).unwrap();
        let root = System::real().root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        for (from, len) in [(0, 6), (5, 1), (9, 1)] {
            let error = draft.copy_from(&source, from, len, 0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            assert!(CommitError::from_io(error).is_err());
        }
        draft.copy_from(&source, 9, 0, 0).unwrap();
        let error = draft.copy_from(&source, u64::MAX, 2, 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
}
