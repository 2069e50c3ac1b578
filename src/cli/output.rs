//! Data, on standard output.
//!
//! A verb writes inside of [`write()`], which turns failures into an exit status:
//!
//! | what happens                 | what follows                                                |
//! |------------------------------|-------------------------------------------------------------|
//! | the reader goes away         | writing stops without a message, and the status is that of the work so far: a pipe into `head` is not a failure |
//! | any other failure            | an error, status 1                                          |
//! | binary, and it is a terminal | an error before the first byte of it, status 2              |
//!
//! No data is lost silently: if the last flush fails, that counts like a failed write.

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};

use indicatif::MultiProgress;

use super::global::Global;
use super::messages::Message;
use super::{exit, text};

/// The kind of data that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataKind {
    /// Text and pictures that daisho makes itself, with everything from outside escaped.
    Text,
    /// The content of an entry, unchanged. A terminal gets it only up to the first byte that is not text.
    Content,
}

/// Runs `work`, which writes to standard output. An error that `work` returns counts as a failure of the output. A
/// signal ends the process immediately, because there is nothing to clean up.
pub(crate) fn write(
    global: &Global,
    kind: DataKind,
    work: impl FnOnce(&mut Stdout) -> io::Result<()>,
) {
    let at_once = |out: &mut Stdout| exit::leave_at_once(|| work(out));
    write_beside(global, kind, at_once);
}

/// Like [`write()`], but for `work` that also does other things. A signal ends the process immediately only during
/// a write, because a slow reader can delay a write for ever.
pub(crate) fn write_beside(
    global: &Global,
    kind: DataKind,
    work: impl FnOnce(&mut Stdout) -> io::Result<()>,
) {
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    let writer: Box<dyn Write + Send> = match kind {
        DataKind::Text if terminal => Box::new(BufWriter::new(Beside {
            inner: anstream::AutoStream::always(stdout),
            bars: global.messages.bars.clone(),
        })),
        DataKind::Content if terminal => Box::new(Guard::new(stdout)),
        _ => Box::new(BufWriter::with_capacity(BUFFER, stdout)),
    };
    let mut output = Stdout {
        writer,
        failure: None,
    };
    let (worked, flushed) = (work(&mut output), output.flush());
    let Err(error) = worked.and(flushed) else {
        return;
    };
    let error = output.failure.take().unwrap_or(error);
    if error.kind() == ErrorKind::BrokenPipe {
        return;
    }
    match error.get_ref().is_some_and(|inner| inner.is::<Binary>()) {
        true => global.messages.refusal(&binary().into()),
        false => global.messages.tell(failed(error)),
    }
}

/// Refuses to write an archive to standard output if that is a terminal. Called before any work.
pub(crate) fn refuse_terminal() -> Result<(), Message> {
    match io::stdout().is_terminal() {
        true => Err(binary()),
        false => Ok(()),
    }
}

/// The error for a standard output that cannot be written to.
pub(crate) fn failed(error: io::Error) -> Message {
    let words = daisho::ErrorKind::Io(error);
    Message::error(format!("cannot write to standard output: {words}"))
}

/// The size of the buffer: more than a terminal or a pipe takes in one write.
const BUFFER: usize = 64 * 1024;

fn binary() -> Message {
    Message::error("the output is binary, and standard output is a terminal")
        .help("send it to a file or a pipe: > FILE, or | COMMAND")
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

/// Standard output within [`write()`].
pub(crate) struct Stdout {
    writer: Box<dyn Write + Send>,
    /// The first failure. [`write()`] reports this one, because an operation may have wrapped it in another error.
    failure: Option<io::Error>,
}

impl Stdout {
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
        let written = exit::leave_at_once(|| self.writer.write(bytes));
        self.keep(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(failure) = &self.failure {
            return Err(failure.kind().into());
        }
        let flushed = exit::leave_at_once(|| self.writer.flush());
        self.keep(flushed)
    }
}

/// Passes text through, and fails before the first byte that is not text: invalid UTF-8, or a control character
/// other than a line end or a tab.
struct Guard<W> {
    inner: W,
    /// The first bytes of a character or a line end that is still incomplete.
    pending: Vec<u8>,
}

/// Why [`Guard`] stopped.
#[derive(Debug, thiserror::Error)]
#[error("this is binary")]
struct Binary;

impl<W: Write> Guard<W> {
    fn new(inner: W) -> Self {
        Self {
            inner,
            pending: Vec::new(),
        }
    }
}

impl<W: Write> Write for Guard<W> {
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
        let mut guard = Guard::new(&mut out);
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
