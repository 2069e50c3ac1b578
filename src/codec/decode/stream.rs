//! The streaming door: any slice of input, any slice of output, as often as it takes.

use core::fmt;

use super::error::DecodeError;
use super::machine::Machine;
use super::outcome::{Reserved, Summary};
use super::walk::Walker;
use crate::codec::grammar::DISTANCE_MAX;

/// A decoder without I/O, which goes on at any byte of either side where the last call stopped.
///
/// It keeps the last 257 bytes of output, because a copy may reach back so far, and allocates
/// nothing. The result, errors included, does not depend on how input and output are cut.
///
/// ```
/// use daisho::codec::{Decoder, Reserved, Status};
///
/// let mut decoder = Decoder::new(Some(7), Reserved::Skip);
/// let mut output = [0; 16];
/// let first = decoder.decode(b"\x03ab", &mut output);
/// assert_eq!((first.consumed, first.produced), (3, 2));
/// assert_eq!(first.status, Ok(Status::NeedInput));
///
/// let second = decoder.decode(b"cd\xC1\x02\xFF", &mut output[2..]);
/// assert_eq!(second.status, Ok(Status::Done));
/// assert_eq!(&output[..7], b"abcdabc");
/// decoder.finish(0)?;
/// # Ok::<(), daisho::codec::DecodeError>(())
/// ```
#[derive(Clone)]
pub struct Decoder {
    machine: Machine,
    /// The last bytes written, the newest at the end; only the last `kept` are real.
    history: [u8; DISTANCE_MAX],
    kept: usize,
}

/// What a call of [`Decoder::decode`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes taken from the input.
    pub consumed: usize,
    /// Bytes written to the output.
    pub produced: usize,
    /// Why the call came to an end. An error does not take back what was produced before it, and
    /// stays: further calls tell it again.
    pub status: Result<Status, DecodeError>,
}

/// Why a call of [`Decoder::decode`] came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The input is used up. Where there is no more of it, [`Decoder::finish`] judges that.
    NeedInput,
    /// The output is full, and the token in hand has more to write.
    NeedOutput,
    /// The next byte is a reserved one, and [`Reserved::Stop`] is set. Choose a reading with
    /// [`Decoder::pin`] and go on from that same byte.
    Reserved,
    /// The end marker was read. What follows it is not taken.
    Done,
}

impl Decoder {
    /// A decoder at the start of a stream. `size` is what the stream is declared to decode to,
    /// where that is known: more or less than it is then damage.
    #[must_use]
    pub fn new(size: Option<u64>, reserved: Reserved) -> Self {
        Self {
            machine: Machine::new(size, reserved),
            history: [0; DISTANCE_MAX],
            kept: 0,
        }
    }

    /// Decodes from `input` into `output` until one of them is used up, or the stream is over.
    ///
    /// Call it again with what was not consumed, and more. It consumes what it can also where
    /// `output` is empty, so a caller whose output is complete gets to the end marker. What lies
    /// in `output` behind what was produced may be written over: do not rely on it.
    pub fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        let from = DISTANCE_MAX - self.kept;
        let history = self.history.get(from..).unwrap_or_default();
        let progress = self.machine.run(history, input, output);
        self.remember(output.get(..progress.produced).unwrap_or_default());
        progress
    }

    /// Sets how a reserved byte is read from here on: the answer to [`Status::Reserved`].
    pub fn pin(&mut self, reserved: Reserved) {
        self.machine.pin(reserved);
    }

    /// Judges the end of the stream: call it after [`Status::Done`], or when there is no more
    /// input. `tail` is how many bytes of the stream were not taken because they follow the end
    /// marker; it is told of in the summary, and nothing else depends on it.
    ///
    /// # Errors
    ///
    /// The damage that was met, or the one that the end itself is: a token cut in two, or fewer
    /// bytes than declared.
    pub fn finish(&self, tail: u64) -> Result<Summary, DecodeError> {
        self.machine.finish(tail)
    }

    /// A walk for lengths only that goes on where this decoder stands, under the reading
    /// `reserved`. It tells whether the rest of the stream is sound, without decoding it.
    ///
    /// Meant for [`Status::Reserved`], between two tokens; a token in hand is not walked.
    #[must_use]
    pub fn walker(&self, reserved: Reserved) -> Walker {
        Walker::resume(
            self.machine.size(),
            reserved,
            self.machine.read,
            self.machine.written,
        )
    }

    /// Bytes of the stream taken so far.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.machine.read
    }

    /// Bytes written so far.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.machine.written
    }

    /// Moves the last bytes of what was just written into the history.
    fn remember(&mut self, written: &[u8]) {
        if written.is_empty() {
            return;
        }
        if let Some(last) = written.last_chunk() {
            self.history = *last;
            self.kept = DISTANCE_MAX;
        } else {
            self.history.copy_within(written.len().., 0);
            if let Some((_, end)) = self
                .history
                .split_at_mut_checked(DISTANCE_MAX - written.len())
            {
                end.copy_from_slice(written);
            }
            self.kept = (self.kept + written.len()).min(DISTANCE_MAX);
        }
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("read", &self.read())
            .field("written", &self.written())
            .finish_non_exhaustive()
    }
}
