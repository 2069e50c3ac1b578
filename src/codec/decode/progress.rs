//! How far one call of a decoder got, and what it waits for.

use super::error::DecodeError;

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
    /// The next byte is a reserved byte, and [`Reserved::Stop`](super::Reserved::Stop) is set. Choose a
    /// reading with [`Decoder::pin`](super::Decoder::pin) and continue with the same byte.
    Reserved,
    /// The end marker was read. Bytes after it are not consumed.
    Done,
}
