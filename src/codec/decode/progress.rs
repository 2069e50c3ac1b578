//! How far a call of a decoder came, and what it waits for.

use super::error::DecodeError;

/// What a call of [`Decoder::decode`](super::Decoder::decode) did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes taken from the input.
    pub consumed: usize,
    /// Bytes written to the output.
    pub produced: usize,
    /// Why the call came to an end. An error does not take back what was produced before it, and
    /// stays: further calls return it again.
    pub status: Result<Status, DecodeError>,
}

/// Why a call of [`Decoder::decode`](super::Decoder::decode) came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The input is used up. Where there is no more of it,
    /// [`Decoder::finish`](super::Decoder::finish) judges that.
    NeedInput,
    /// The output is full, and the token in hand has more to write.
    NeedOutput,
    /// The next byte is a reserved one, and [`Reserved::Stop`](super::Reserved::Stop) is set.
    /// Choose a reading with [`Decoder::pin`](super::Decoder::pin) and go on from that same byte.
    Reserved,
    /// The end marker was read. What follows it is not taken.
    Done,
}
