//! Data, on standard output.
//!
//! `Ui` opens it for a verb, and turns failures into an exit status:
//!
//! | what happens                 | what follows                                                |
//! |------------------------------|-------------------------------------------------------------|
//! | the reader of text goes away | writing stops without a message, and the status is that of the work so far: a pipe into `head` is not a failure |
//! | the reader of an entry goes away | writing stops without a message, status 1               |
//! | the reader of an archive goes away | an error, status 1: no one has the archive            |
//! | any other failure            | an error, status 1                                          |
//! | binary, and it is a terminal | an error before the first byte of it, status 2              |
//!
//! No data is lost silently: if the last flush fails, that counts like a failed write. A standard output that is
//! closed fails like a full disk, except for text.

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};

use indicatif::MultiProgress;

#[cfg(unix)]
use rustix::fs::{FileType, OFlags, fcntl_getfl};
#[cfg(unix)]
use std::os::fd::{AsFd as _, BorrowedFd};

use crate::ops::finding::Finding;

use super::exit::AtOnce;
use super::text;

/// The kind of data that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataKind {
    /// Text and pictures that daisho makes itself, with everything from outside escaped.
    Text,
    /// The content of an entry, unchanged. A terminal gets it only up to the first byte that is not text.
    Content,
    /// An archive. It is useless unless its reader takes all of it.
    Archive,
}

/// Whether standard output was closed when the process began, or cannot be written to. Nothing else tells: Rust opens
/// `/dev/null` in place of a closed one, for reading and writing, and takes a write that is not allowed for done.
///
/// Some programs open `/dev/null` in the same way to throw an output away. If another stream is open like that, too, the
/// content of an entry may be meant to go nowhere. An archive never is.
#[cfg(unix)]
fn is_closed(kind: DataKind) -> bool {
    let stdout = io::stdout();
    match fcntl_getfl(&stdout) {
        Ok(flags) if flags & OFlags::RWMODE == OFlags::RDONLY => true,
        Ok(_) if !is_null_of_rust(stdout.as_fd()) => false,
        Ok(_) => {
            let is_thrown_away =
                is_null_of_rust(io::stdin().as_fd()) || is_null_of_rust(io::stderr().as_fd());
            kind == DataKind::Archive || !is_thrown_away
        }
        Err(_) => true,
    }
}

/// Whether a stream is the null device, opened for reading and writing.
#[cfg(unix)]
fn is_null_of_rust(stream: BorrowedFd<'_>) -> bool {
    let is_opened_for_both =
        fcntl_getfl(stream).is_ok_and(|flags| flags & OFlags::RWMODE == OFlags::RDWR);
    let (Ok(null), Ok(file)) = (rustix::fs::stat("/dev/null"), rustix::fs::fstat(stream)) else {
        return false;
    };
    is_opened_for_both
        && FileType::from_raw_mode(file.st_mode).is_char_device()
        && file.st_rdev == null.st_rdev
}

/// Whether standard output is closed. Only Unix tells.
#[cfg(not(unix))]
fn is_closed(_kind: DataKind) -> bool {
    false
}

/// Refuses to write an archive to standard output if that is a terminal. Called before any work.
pub(crate) fn refuse_terminal() -> Result<(), Finding> {
    if io::stdout().is_terminal() { Err(binary()) } else { Ok(()) }
}

/// The error for a standard output that cannot be written to.
pub(crate) fn failed(error: io::Error) -> Finding {
    let words = crate::ErrorKind::Io(error);
    Finding::error(format!("cannot write to standard output: {words}"))
}

/// The size of the buffer: more than a terminal or a pipe takes in one write.
const BUFFER: usize = 64 * 1024;

/// The error for a standard output that is closed.
fn closed() -> Finding {
    Finding::error("cannot write to standard output: it is closed")
        .advice("send it to a file or a pipe: > FILE, or | COMMAND")
}

/// The error for binary data and a standard output that is a terminal.
pub(super) fn binary() -> Finding {
    Finding::error("the output is binary, and standard output is a terminal")
        .advice("send it to a file or a pipe: > FILE, or | COMMAND")
}

/// A terminal that also shows progress bars. They are cleared while something is written.
struct Beside<W> {
    inner: W,
    bars: MultiProgress,
}

impl<W: Write> Write for Beside<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bars.suspend(|| self.inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Whether a write failed because the data is binary, and standard output is a terminal.
pub(super) fn is_binary(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Binary>())
}

/// Standard output, while a verb writes to it.
pub(crate) struct Stdout {
    kind: DataKind,
    writer: Box<dyn Write + Send>,
    /// The first failure. This one is reported, because an operation may have wrapped it in another error.
    failure: Option<io::Error>,
    /// There is nothing to clean up: a signal ends the process immediately.
    _at_once: Option<AtOnce>,
}

impl Stdout {
    /// Opens standard output for data of this kind, and nothing else is done meanwhile: a signal ends the process
    /// immediately. While text is written to a terminal, the bars on `screen` are cleared.
    pub(super) fn open(kind: DataKind, screen: &MultiProgress) -> Result<Self, Finding> {
        if kind != DataKind::Text && is_closed(kind) {
            return Err(closed());
        }
        let stdout = io::stdout();
        let writer: Box<dyn Write + Send> = match kind {
            DataKind::Text => return Ok(Self::text(screen, true)),
            DataKind::Content if stdout.is_terminal() => Box::new(TextOnly::new(stdout)),
            _ => Box::new(BufWriter::with_capacity(BUFFER, stdout)),
        };
        Ok(Self { kind, writer, failure: None, _at_once: Some(AtOnce::begin()) })
    }

    /// Opens standard output for text. Unless the process may end `at_once`, a signal ends it immediately only during a
    /// write, because a slow reader can delay a write for ever.
    pub(super) fn text(screen: &MultiProgress, at_once: bool) -> Self {
        let stdout = io::stdout();
        let writer: Box<dyn Write + Send> = if stdout.is_terminal() {
            Box::new(BufWriter::new(Beside {
                inner: anstream::AutoStream::always(stdout),
                bars: screen.clone(),
            }))
        } else {
            Box::new(BufWriter::with_capacity(BUFFER, stdout))
        };
        Self { kind: DataKind::Text, writer, failure: None, _at_once: at_once.then(AtOnce::begin) }
    }

    pub(super) fn kind(&self) -> DataKind {
        self.kind
    }

    /// Writes what is still buffered. Returns the first failure of the output, or of the work that wrote to it.
    pub(super) fn end(mut self, worked: io::Result<()>) -> io::Result<()> {
        let flushed = self.flush();
        match worked.and(flushed) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.failure.take().unwrap_or(error)),
        }
    }

    /// Keeps the first failure, and returns an error of the same kind.
    fn keep<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != ErrorKind::Interrupted {
                self.failure.get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let at_once = AtOnce::begin();
        let written = self.writer.write(bytes);
        drop(at_once);
        self.keep(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(failure) = &self.failure {
            return Err(failure.kind().into());
        }
        let at_once = AtOnce::begin();
        let flushed = self.writer.flush();
        drop(at_once);
        self.keep(flushed)
    }
}

/// Passes text through, and fails before the first byte that is not text: invalid UTF-8, or a control character
/// other than a line end or a tab.
struct TextOnly<W> {
    inner: W,
    /// The first bytes of a character or a line end that is still incomplete.
    pending: Vec<u8>,
}

/// Why [`TextOnly`] stopped.
#[derive(Debug, thiserror::Error)]
#[error("this is binary")]
struct Binary;

impl<W: Write> TextOnly<W> {
    fn new(inner: W) -> Self {
        Self { inner, pending: Vec::new() }
    }
}

impl<W: Write> Write for TextOnly<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        let rest = self.pending.split_off(text::complete(&self.pending));
        if !is_text(&self.pending) {
            return Err(io::Error::other(Binary));
        }
        self.inner.write_all(&self.pending)?;
        self.pending = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.pending.is_empty() {
            return Err(io::Error::other(Binary));
        }
        self.inner.flush()
    }
}

/// Whether all of it can be printed. A carriage return alone would let the rest of a line hide its start.
fn is_text(bytes: &[u8]) -> bool {
    let mut chars = match core::str::from_utf8(bytes) {
        Ok(text) => text.chars().peekable(),
        Err(_) => return false,
    };
    while let Some(c) = chars.next() {
        let is_fine = match c {
            '\n' | '\t' | '\\' => true,
            '\r' => chars.peek() == Some(&'\n'),
            c => text::is_plain(c),
        };
        if !is_fine {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes through in pieces of `size`, and whether all did.
    fn guarded(bytes: &[u8], size: usize) -> (Vec<u8>, bool) {
        let mut out = Vec::new();
        let mut guard = TextOnly::new(&mut out);
        let whole = bytes
            .chunks(size)
            .try_for_each(|piece| guard.write_all(piece))
            .and_then(|()| guard.flush())
            .is_ok();
        (out, whole)
    }

    #[test]
    fn text_comes_through_however_it_is_cut() {
        let text = "bind w \"+forward\"\r\n\tname \"刀é\\n\"\n".as_bytes();
        for size in 1..=text.len() {
            assert_eq!(guarded(text, size), (text.to_vec(), true), "{size}");
        }
    }

    #[test]
    fn binary_does_not_however_it_is_cut() {
        for bytes in [
            &b"a\x1b[2J"[..],
            b"a\xff",
            b"a\xe5\x88",
            b"a\0",
            b"shown\rhidden",
            b"a\r",
            "a\u{9b}2J".as_bytes(),
            "a\u{202e}".as_bytes(),
            b"a\x7f",
        ] {
            for size in 1..=bytes.len() {
                let (out, whole) = guarded(bytes, size);
                assert!(!whole, "{bytes:?} {size}");
                assert!(b"shown".starts_with(&out) || out == b"a", "{out:?}");
            }
        }
    }
}
