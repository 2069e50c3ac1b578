//! The screen that bars are drawn on: standard error, even if it is not a terminal, where the user
//! asks for bars.
//!
//! indicatif's own screen leaves the cursor after the last column. The `^C` that a terminal echoes
//! there runs into the next line, and clearing then misses a line. This screen leaves the cursor in
//! the first column of the last line; so a run that exits at once can [`wipe`] the bars without
//! indicatif.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressDrawTarget, TermLike};

/// Columns and lines to assume where the size is unknown.
const UNKNOWN: (u16, u16) = (80, 24);

/// How many lines are drawn, including the cursor's.
static DRAWN: AtomicUsize = AtomicUsize::new(0);

/// Remembers that so many lines are drawn.
pub(crate) fn drawn(lines: usize) {
    DRAWN.store(lines, Ordering::SeqCst);
}

/// Clears all bars, from any thread. It does not wait for the lock of standard error, whose holder
/// may be blocked by a terminal that was stopped.
pub(crate) fn wipe() {
    let lines = DRAWN.swap(0, Ordering::SeqCst);
    if lines > 1 {
        raw(&format!("\r\x1b[{}A\x1b[J", lines - 1));
    } else if lines == 1 {
        raw("\r\x1b[J");
    }
}

#[cfg(unix)]
fn raw(text: &str) {
    let _ = rustix::io::write(io::stderr(), text.as_bytes());
}

#[cfg(not(unix))]
fn raw(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Standard error, with one write for each redraw.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    picture: Mutex<String>,
}

impl Screen {
    /// A screen for indicatif.
    pub(crate) fn target() -> ProgressDrawTarget {
        ProgressDrawTarget::term_like(Box::new(Self::default()))
    }

    fn put(&self, text: &str) {
        self.picture
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_str(text);
    }

    #[allow(clippy::unnecessary_wraps)] // What the trait returns.
    fn steer(&self, n: usize, letter: char) -> io::Result<()> {
        if n > 0 {
            self.put(&format!("\x1b[{n}{letter}"));
        }
        Ok(())
    }
}

/// Whether standard error is a terminal that bars can be drawn on.
pub(crate) fn is_there() -> bool {
    io::stderr().is_terminal() && understands_escapes()
}

#[cfg(unix)]
fn understands_escapes() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// A console of Windows does so from Windows 10 on, and only where it is asked to, which this does.
#[cfg(not(unix))]
fn understands_escapes() -> bool {
    console::Term::stderr().features().colors_supported()
}

/// Columns and lines.
#[cfg(unix)]
fn size() -> (u16, u16) {
    match rustix::termios::tcgetwinsize(io::stderr()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
        _ => UNKNOWN,
    }
}

/// Columns and lines.
#[cfg(not(unix))]
fn size() -> (u16, u16) {
    let size = console::Term::stderr().size_checked();
    size.map_or(UNKNOWN, |(lines, columns)| (columns, lines))
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        size().0
    }

    fn height(&self) -> u16 {
        size().1
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.steer(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.steer(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.steer(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.steer(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.put(text);
        self.put("\n");
        Ok(())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.put(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.put("\r\x1b[2K");
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let mut picture = self.picture.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = std::mem::take(&mut *picture);
        text.push('\r');
        let mut stderr = io::stderr().lock();
        stderr.write_all(text.as_bytes())?;
        stderr.flush()
    }
}
