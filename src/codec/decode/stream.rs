//! The streaming decoder: takes input and output slices of any size, over as many calls as needed.

use core::fmt;

use super::error::DecodeError;
use super::machine::Machine;
use super::outcome::{Progress, Reserved, StreamSummary};
use super::walk::Walker;
use crate::codec::grammar::{DISTANCE_MAX, EXPANSION_MAX};

/// A decoder without I/O. Each call continues at the byte where the last one stopped.
///
/// It keeps the last 257 bytes of output, because a copy may reach back so far, and allocates nothing. The
/// result, errors included, does not depend on how input and output are cut.
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
    /// The last bytes written, newest at the end. Only the last `kept` are valid.
    history: [u8; DISTANCE_MAX],
    kept: usize,
}

impl Decoder {
    /// Creates a decoder at the start of a stream. `size` is the declared size, if known; then a stream
    /// that decodes to more or less is damaged.
    #[must_use]
    pub fn new(size: Option<u64>, reserved: Reserved) -> Self {
        Self { machine: Machine::new(size, reserved), history: [0; DISTANCE_MAX], kept: 0 }
    }

    /// Decodes from `input` into `output` until one of them is used up or the stream ends.
    ///
    /// Call it again with the input that was not consumed, followed by more input. It consumes what it can even
    /// if `output` is empty, so a caller whose output is complete still gets to the end marker. The part of
    /// `output` after the produced bytes may be overwritten.
    pub fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        let from = DISTANCE_MAX - self.kept;
        let history = self.history.get(from..).unwrap_or_default();
        let progress = self.machine.run(history, input, output);
        self.remember(output.get(..progress.produced).unwrap_or_default());
        progress
    }

    /// Sets how reserved bytes are read from here on. This is the answer to
    /// [`Status::Reserved`](super::Status::Reserved).
    pub fn pin(&mut self, reserved: Reserved) {
        self.machine.pin(reserved);
    }

    /// Checks the end of the stream. Call it after [`Status::Done`](super::Status::Done), or when there is
    /// no more input. `tail` is how many bytes of the stream were not consumed because they follow the end
    /// marker; the summary reports them. If the decoder stopped at a reserved byte, the summary says so
    /// until that byte is consumed, even after [`pin`](Self::pin).
    ///
    /// # Errors
    ///
    /// The damage in the stream, or an end that comes too soon: within a token, or before the declared
    /// size.
    pub fn finish(&self, tail: u64) -> Result<StreamSummary, DecodeError> {
        self.machine.finish(tail)
    }

    /// Whether `packed` bytes of a stream can decode to `size` bytes.
    ///
    /// If not, the claimed size is wrong. Nothing needs to be allocated or decoded to find that out.
    ///
    /// ```
    /// use daisho::codec::Decoder;
    /// assert!(Decoder::could_hold(10, 650));
    /// assert!(!Decoder::could_hold(100, u64::from(u32::MAX)));
    /// ```
    #[must_use]
    pub const fn could_hold(packed: u64, size: u64) -> bool {
        size <= packed.saturating_mul(EXPANSION_MAX)
    }

    /// A walk (lengths only) that continues at this decoder's position, with reserved bytes read as `reserved`
    /// says. It tells whether the rest of the stream is sound, without decoding it.
    #[must_use]
    pub fn walker(&self, reserved: Reserved) -> Walker {
        let mut machine = self.machine.clone();
        machine.pin(reserved);
        Walker::of(machine)
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

    /// Moves the last written bytes into the history.
    fn remember(&mut self, written: &[u8]) {
        if written.is_empty() {
            return;
        }
        if let Some(last) = written.last_chunk() {
            self.history = *last;
            self.kept = DISTANCE_MAX;
        } else {
            self.history.copy_within(written.len().., 0);
            if let Some((_, end)) = self.history.split_at_mut_checked(DISTANCE_MAX - written.len())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{DecodeErrorKind, Status};

    #[test]
    fn a_walk_goes_on_from_within_any_token() {
        // A literal, a byte run, a copy, the end: 9 bytes of stream, 4 + 3 + 5 of output.
        let stream = b"\x03abcd\x81x\xC3\x05\xFF";
        for cut in 0..stream.len() {
            for room in 0..=12 {
                let mut decoder = Decoder::new(Some(12), Reserved::Stop);
                let mut output = [0; 12];
                let progress = decoder.decode(&stream[..cut], &mut output[..room]);
                let mut walker = decoder.walker(Reserved::Skip);
                let (taken, status) = walker.feed(&stream[progress.consumed..]);
                assert_eq!(status, Ok(Status::Done), "cut {cut}, room {room}");
                assert_eq!(progress.consumed + taken, stream.len());
                assert_eq!(walker.finish(0).map(|walk| walk.summary.written), Ok(12));
            }
        }
    }

    #[test]
    fn a_literal_that_waits_for_room_is_not_a_cut_one() {
        let mut decoder = Decoder::new(None, Reserved::Skip);
        let progress = decoder.decode(b"\x03abcd\xFF", &mut [0; 3]);
        assert_eq!(progress.status, Ok(Status::NeedOutput));
        let error = decoder.finish(2).unwrap_err();
        assert_eq!(error.kind(), DecodeErrorKind::Undrained { left: 1 });
        decoder.decode(b"d\xFF", &mut [0; 1]);
        assert!(decoder.finish(0).is_ok());
    }

    #[test]
    fn a_claim_beyond_65_fold_cannot_be_held() {
        for (packed, size, could) in
            [(0, 0, true), (0, 1, false), (1, 65, true), (1, 66, false), (u64::MAX, u64::MAX, true)]
        {
            assert_eq!(Decoder::could_hold(packed, size), could, "{packed} {size}");
        }
    }
}
