//! The codec's error: what is wrong with a stream, and at which byte.

use core::fmt;

use crate::codec::grammar::Token;

/// An error in a stream: what is wrong, and the byte offset in input and output.
///
/// All output before the damaged token is correct and has been written. The error does not depend on how
/// the stream was cut into pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeError {
    pub(super) kind: DecodeErrorKind,
    pub(super) input: u64,
    pub(super) output: u64,
}

/// What is wrong, with the numbers that disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// A token writes more bytes than the declared size has room for.
    TooLong {
        /// How many bytes the token would write.
        token: u64,
        /// How many bytes were left.
        room: u64,
        /// The declared size.
        size: u64,
    },
    /// The end marker comes before the declared size is reached.
    TooShort {
        /// The declared size.
        size: u64,
    },
    /// The stream ends between two tokens, without a marker, before the declared size is reached.
    CutOff {
        /// The declared size.
        size: u64,
    },
    /// The stream ends within a token.
    CutToken {
        /// How many bytes the token needs after its control byte.
        needed: u64,
        /// How many bytes were left.
        found: u64,
    },
    /// A copy from before the first byte of the output.
    BeforeStart {
        /// How far back the copy reaches. It may reach as far as the error's output offset.
        distance: u64,
    },
    /// The reserved byte `0xFE`, under [`Reserved::Error`](super::Reserved::Error).
    Reserved,
    /// The decoder was asked to finish while a token was still being written. The caller has not given room
    /// for all of the output yet.
    Undrained {
        /// How many bytes of the token are still unwritten.
        left: u64,
    },
}

impl DecodeError {
    /// The kind of damage.
    #[must_use]
    pub const fn kind(&self) -> DecodeErrorKind {
        self.kind
    }

    /// The offset in the stream: that of the damaged token's control byte, or the stream's end if it ended
    /// too soon between two tokens.
    #[must_use]
    pub const fn input(&self) -> u64 {
        self.input
    }

    /// The offset in the output at which that token would have begun to write. All bytes before it are
    /// correct.
    #[must_use]
    pub const fn output(&self) -> u64 {
        self.output
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (input, output) = (self.input, self.output);
        match self.kind {
            DecodeErrorKind::TooLong { token, room, size } => write!(
                f,
                "token at stream byte {input} writes {}, but only {room} of {size} {} left to write",
                Bytes(token),
                if room == 1 { "is" } else { "are" }
            ),
            DecodeErrorKind::TooShort { size } => write!(
                f,
                "end marker at stream byte {input} after {} of output, expected {size}",
                Bytes(output)
            ),
            DecodeErrorKind::CutOff { size } => write!(
                f,
                "stream ends at byte {input} after {} of output, expected {size}",
                Bytes(output)
            ),
            DecodeErrorKind::CutToken { needed, found } => write!(
                f,
                "stream ends within the token at stream byte {input}: \
                 expected {} after its first byte, found {found}",
                Bytes(needed)
            ),
            DecodeErrorKind::BeforeStart { distance } => write!(
                f,
                "copy at stream byte {input} reaches {} back, but only {output} {} been written",
                Bytes(distance),
                if output == 1 { "has" } else { "have" }
            ),
            DecodeErrorKind::Reserved => write!(
                f,
                "control byte {:#04X} at stream byte {input}, output byte {output}",
                Token::Reserved.to_control().unwrap_or_default()
            ),
            DecodeErrorKind::Undrained { left } => write!(
                f,
                "token at stream byte {input} has {} still to write, \
                 give room for them before the end is judged",
                Bytes(left)
            ),
        }
    }
}

impl core::error::Error for DecodeError {}

/// A number of bytes, formatted for a message.
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 byte"),
            n => write!(f, "{n} bytes"),
        }
    }
}
