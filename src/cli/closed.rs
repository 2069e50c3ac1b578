//! Standard output that was closed when the command was started, as by `>&-`.

use std::io::{self, Write};

/// Stands in for a closed standard output: writing to it fails, so that no data is lost silently.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("standard output is closed")]
pub(crate) struct Closed;

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        Err(io::Error::other(Self))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether standard output was closed when the command was started.
///
/// Before `main`, Rust's runtime opens /dev/null in its place, for reading and writing. The only
/// shell redirection that does so is `1<>/dev/null`, but other programs do it to discard output, such
/// as Python with `DEVNULL`. If only standard output was opened like that, it counts as closed: a
/// needless error is better than data lost silently. If standard error or standard input is the same
/// open file, it counts as open. That is also what the runtime makes of two closed streams, and
/// whoever closes both wants no message.
#[cfg(unix)]
pub(crate) fn is_closed() -> bool {
    use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat, stat};

    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let (Ok(found), Ok(null)) = (fstat(&stdout), stat("/dev/null")) else {
        return false;
    };
    let is_device = FileType::from_raw_mode(found.st_mode).is_char_device();
    let Ok(flags) = fcntl_getfl(&stdout) else {
        return false;
    };
    if !is_device || found.st_rdev != null.st_rdev || flags & OFlags::RWMODE != OFlags::RDWR {
        return false;
    }
    // A flag that is set on an open file is seen through all of its descriptors, and O_APPEND changes
    // nothing for /dev/null.
    let others = || (fcntl_getfl(&stdin).ok(), fcntl_getfl(&stderr).ok());
    let before = others();
    let marked = fcntl_setfl(&stdout, flags ^ OFlags::APPEND).is_ok();
    let is_shared = marked && others() != before;
    let _ = fcntl_setfl(&stdout, flags);
    !is_shared
}

/// Whether standard output was closed when the command was started: unknown on this system.
#[cfg(not(unix))]
pub(crate) const fn is_closed() -> bool {
    false
}
