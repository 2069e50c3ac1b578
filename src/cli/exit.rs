//! The exit status, in one place.
//!
//! If it is not 0, daisho has printed an error, even with `-q`. For `diff`, the differences on standard output are
//! enough. `tests/it/cli/silence.rs` checks that for every verb.

use std::process::ExitCode;

use super::signals::Signal;

/// How a run ended, ordered from best to worst. If two apply, the [worse](Exit::and) counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything is done. Warnings, and files that `-k` kept, do not change this.
    Done,
    /// Not all is well: damage, a read or write error, one unusable input among several, a difference, a pattern
    /// without a match, a skipped entry.
    NotAllWell,
    /// Wrong usage, a refusal before any work began, or no archive among the inputs.
    Refused,
    /// Stopped by a signal.
    Signal(Signal),
}

impl Exit {
    /// The worse of two.
    pub(crate) fn and(self, other: Self) -> Self {
        self.max(other)
    }

    /// The number that a shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::NotAllWell => 1,
            Self::Refused => 2,
            Self::Signal(signal) => signal.exit_code(),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worse_of_two_holds() {
        let all = [
            Exit::Done,
            Exit::NotAllWell,
            Exit::Refused,
            Exit::Signal(Signal::HangUp),
            Exit::Signal(Signal::Interrupt),
            Exit::Signal(Signal::Quit),
            Exit::Signal(Signal::Terminate),
        ];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 129, 130, 131, 143]);
        for (n, exit) in all.into_iter().enumerate() {
            for better in all.into_iter().take(n) {
                assert_eq!(exit.and(better), exit);
                assert_eq!(better.and(exit), exit);
            }
        }
    }
}
