//! Input and result of a decoder: the reading of the reserved byte, the summary of a stream, and warnings.

use core::fmt;

use super::error::{Bytes, DecodeError};
use crate::codec::grammar::{self, Token};

/// How to read the reserved control byte `0xFE`.
///
/// The game has no branch for it and skips it. One third-party packer writes it for a copy of 64
/// bytes, and users own such paks. Both readings agree on everything before the first `0xFE`;
/// [`Reserved::judge`] finds out which one is sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reserved {
    /// As the game does: ignore the byte.
    #[default]
    Skip,
    /// As that packer means it: a copy of 64 bytes. The next byte states the distance.
    Copy,
    /// The byte is damage.
    Error,
    /// Stop before the byte, and let the caller decide.
    Stop,
}

impl Reserved {
    /// For a caller that cannot go on after a stop.
    pub(super) const fn or_error(self) -> Self {
        match self {
            Self::Stop => Self::Error,
            Self::Skip | Self::Copy | Self::Error => self,
        }
    }

    /// The meaning of `token` under this reading: a copy if the reserved byte is read as one.
    #[inline]
    pub(super) const fn read(self, token: Token) -> Token {
        match (token, self) {
            #[expect(clippy::cast_possible_truncation, reason = "it is 64")]
            (Token::Reserved, Self::Copy) => Token::Copy { len: grammar::RESERVED_COPY as u8 },
            _ => token,
        }
    }
}

/// The result of one call of [`Decoder::decode`](super::Decoder::decode).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes taken from the input.
    pub consumed: usize,
    /// Bytes written to the output.
    pub produced: usize,
    /// Why the call returned. Bytes that were produced before an error stay valid. Further calls return the
    /// error again.
    pub status: Result<Status, DecodeError>,
}

/// Why a call of [`Decoder::decode`](super::Decoder::decode) returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The input is used up. If there is no more, call [`Decoder::finish`](super::Decoder::finish).
    NeedInput,
    /// The output is full, and the current token has more to write.
    NeedOutput,
    /// The next byte is a reserved byte, and [`Reserved::Stop`] is set. Choose a
    /// reading with [`Decoder::pin`](super::Decoder::pin) and continue with the same byte.
    Reserved,
    /// The end marker was read. Bytes after it are not consumed.
    Done,
}

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// At its end marker.
    Marker,
    /// Without a marker, at the end of the input.
    Missing,
    /// Before a reserved byte, under [`Reserved::Stop`].
    Reserved,
}

/// The result of reading a stream to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamSummary {
    /// Bytes of the stream that were read, its end marker included.
    pub read: u64,
    /// Decoded bytes.
    pub written: u64,
    /// How it ended.
    pub end: End,
    /// Bytes after the end marker. The game ignores them.
    pub tail: u64,
    /// How often the reserved byte was seen.
    pub reserved: u64,
    /// Offset of the first one in the stream.
    pub first_reserved: Option<u64>,
}

impl StreamSummary {
    /// Everything unusual in the stream that did not stop it from decoding.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<> {
        let missing = (self.end == End::Missing).then_some(Warning::MissingEnd { at: self.read });
        let tail = (self.tail > 0).then_some(Warning::Tail { at: self.read, bytes: self.tail });
        let count = self.reserved;
        let reserved = self.first_reserved.map(|first| Warning::Reserved { first, count });
        [reserved, missing, tail].into_iter().flatten()
    }
}

/// Something unusual in a stream that still decodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The stream ends without an end marker.
    MissingEnd {
        /// The stream's length.
        at: u64,
    },
    /// Bytes follow the end marker. The game ignores them, and so do we.
    Tail {
        /// Offset of the first one.
        at: u64,
        /// How many bytes follow.
        bytes: u64,
    },
    /// The reserved byte `0xFE` is used, which the original packer never writes.
    Reserved {
        /// Offset of the first one.
        first: u64,
        /// How often it is used.
        count: u64,
    },
}

impl Warning {
    /// The offset in the stream.
    #[must_use]
    pub const fn at(self) -> u64 {
        match self {
            Self::MissingEnd { at } | Self::Tail { at, .. } => at,
            Self::Reserved { first, .. } => first,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingEnd { at } => {
                write!(f, "no end marker: the stream ends at stream byte {at}")
            }
            Self::Tail { at, bytes } => write!(
                f,
                "{} after the end marker {} ignored, from stream byte {at} on",
                Bytes(*bytes),
                if *bytes == 1 { "is" } else { "are" }
            ),
            Self::Reserved { first, count: 1 } => {
                write!(f, "control byte 0xFE at stream byte {first}")
            }
            Self::Reserved { first, count } => {
                write!(f, "control byte 0xFE {count} times, first at stream byte {first}")
            }
        }
    }
}
