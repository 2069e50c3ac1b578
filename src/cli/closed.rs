//! Standard output that was closed when the command was started, as by `>&-`.

use std::io::{self, Write};

/// Standard output where there is none: what is written would be lost in silence.
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
/// Before `main`, Rust's runtime opens /dev/null in its place, for reading and writing. No
/// redirection by a shell does that but `1<>/dev/null`. Other programs do it to throw output away,
/// such as Python with `DEVNULL`. What they give for standard output alone is taken for closed: better
/// an error too many than data lost in silence. What they give for standard error or standard input,
/// too, is one open file under two numbers, and is taken for what it is. The runtime does the same
/// where both were closed; whoever closes both wants to hear nothing.
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
    // A flag of an open file shows through each of its descriptors; /dev/null does not mind this one.
    let others = || (fcntl_getfl(&stdin).ok(), fcntl_getfl(&stderr).ok());
    let before = others();
    let marked = fcntl_setfl(&stdout, flags ^ OFlags::APPEND).is_ok();
    let is_shared = marked && others() != before;
    let _ = fcntl_setfl(&stdout, flags);
    !is_shared
}

/// Whether standard output was closed when the command was started: nothing says so here.
#[cfg(not(unix))]
pub(crate) const fn is_closed() -> bool {
    false
}
