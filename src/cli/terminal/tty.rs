//! The terminal itself: its size, and a question to it. Elsewhere than on Unix neither is known.

#[cfg(unix)]
pub(super) use unix::{ask, size};

/// Columns and lines, and its width and height in pixels, which may be 0.
#[cfg(not(unix))]
pub(super) fn size() -> Option<((u32, u32), (u32, u32))> {
    None
}

/// Sends a question, and returns what the terminal sends until `is_whole` holds of it.
#[cfg(not(unix))]
pub(super) fn ask(_question: &str, _is_whole: impl Fn(&[u8]) -> bool) -> std::io::Result<Vec<u8>> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, Read as _, Write as _};
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{
        LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr,
    };

    /// How long an answer is waited for.
    const WAIT: Duration = Duration::from_millis(150);
    /// The most that is read of an answer.
    const MOST: usize = 4096;

    /// Columns and lines, and its width and height in pixels, which may be 0.
    pub(crate) fn size() -> Option<((u32, u32), (u32, u32))> {
        let size = tcgetwinsize(io::stdout()).ok()?;
        let cells = (u32::from(size.ws_col), u32::from(size.ws_row));
        let pixels = (u32::from(size.ws_xpixel), u32::from(size.ws_ypixel));
        (cells.0 > 0 && cells.1 > 0).then_some((cells, pixels))
    }

    /// A terminal that hands over each key at once and does not show it, until this is dropped.
    struct Raw<'t> {
        tty: &'t File,
        before: Termios,
    }

    impl<'t> Raw<'t> {
        fn new(tty: &'t File) -> io::Result<Self> {
            let before = tcgetattr(tty)?;
            let mut raw = before.clone();
            // Ctrl-C stays what it is.
            raw.local_modes
                .remove(LocalModes::ICANON | LocalModes::ECHO);
            let all = Self { tty, before };
            tcsetattr(tty, OptionalActions::Now, &raw)?;
            Ok(all)
        }
    }

    impl Drop for Raw<'_> {
        fn drop(&mut self) {
            let _ = tcsetattr(self.tty, OptionalActions::Now, &self.before);
        }
    }

    /// Sends a question, and returns what the terminal sends until `is_whole` holds of it, or nothing more
    /// comes in time. In the background nothing is asked: a change of the terminal would stop us there.
    pub(crate) fn ask(question: &str, is_whole: impl Fn(&[u8]) -> bool) -> io::Result<Vec<u8>> {
        let tty = File::open("/dev/tty")?;
        if tcgetpgrp(&tty)? != rustix::process::getpgrp() {
            return Ok(Vec::new());
        }
        let _raw = Raw::new(&tty)?;
        let mut stdout = io::stdout().lock();
        stdout.write_all(question.as_bytes())?;
        stdout.flush()?;
        let (begun, mut found, mut buffer) = (Instant::now(), Vec::new(), [0; 256]);
        while found.len() < MOST && !is_whole(&found) {
            let Some(left) = WAIT.checked_sub(begun.elapsed()) else {
                break;
            };
            let mut ready = [PollFd::new(&tty, PollFlags::IN)];
            let left = Timespec::try_from(left).map_err(io::Error::other)?;
            if poll(&mut ready, Some(&left))? == 0 {
                break;
            }
            let read = (&tty).read(&mut buffer)?;
            if read == 0 {
                break;
            }
            found.extend_from_slice(buffer.get(..read).unwrap_or_default());
        }
        Ok(found)
    }
}
