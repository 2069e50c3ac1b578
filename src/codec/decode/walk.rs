//! A walk along a stream for its lengths and distances only: nothing is decoded.
//!
//! Lengths and distances alone decide whether a stream is sound, so a walk gives the same verdict
//! as a decoder, errors included, without needing room for the output. It is what judges which
//! reading of the reserved byte is the right one, and whether a stream is clean enough to be
//! passed on as it is.

use core::fmt;

use super::error::DecodeError;
use super::machine::{Cursor, Machine, Phase};
use super::outcome::{End, Reserved, Summary};
use super::progress::Status;

/// A walk that takes the stream in pieces of any size.
#[derive(Debug, Clone)]
pub struct Walker {
    machine: Machine,
    overlapping: u64,
}

/// What a walk found in a stream that is sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// What decoding it would tell.
    pub summary: Summary,
    /// How many copies are longer than their distance, from where the walk began.
    pub overlapping: u64,
}

impl Walk {
    /// Whether every reader we know decodes the stream alike: no copy longer than its distance
    /// (one editor aborts on them, three tools decode them wrongly), no reserved byte, and the
    /// end marker as the very last byte.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.overlapping == 0
            && self.summary.end == End::Marker
            && self.summary.warnings().next().is_none()
    }
}

impl Walker {
    /// A walk from the start of a stream.
    #[must_use]
    pub fn new(size: Option<u64>, reserved: Reserved) -> Self {
        Self::of(Machine::new(size, reserved))
    }

    /// A walk that goes on from where `machine` stands.
    pub(super) fn of(machine: Machine) -> Self {
        Self {
            machine,
            overlapping: 0,
        }
    }

    /// Walks along `input`. Returns how much of it was taken, which is all of it unless the
    /// stream is over, stops before a reserved byte, or is damaged, as the status tells.
    pub fn feed(&mut self, input: &[u8]) -> (usize, Result<Status, DecodeError>) {
        let mut rest = input;
        let status = self.advance(&mut rest);
        (input.len() - rest.len(), status)
    }

    fn advance(&mut self, input: &mut &[u8]) -> Result<Status, DecodeError> {
        let machine = &mut self.machine;
        loop {
            match machine.phase {
                Phase::Control => {
                    self.overlapping += machine.stride(input);
                    let Some(&control) = input.first() else {
                        return Ok(Status::NeedInput);
                    };
                    let mut cursor = Cursor::default();
                    if !machine.begin(control, &mut cursor)? {
                        return Ok(Status::Reserved);
                    }
                    machine.skip(input, cursor.at);
                }
                Phase::Literal { left } => {
                    let n = usize::from(left).min(input.len());
                    machine.skip(input, n);
                    machine.written += n as u64;
                    machine.literal_left(left, n);
                    if n < usize::from(left) {
                        return Ok(Status::NeedInput);
                    }
                }
                Phase::RunByte { len } => {
                    let Some(&byte) = input.first() else {
                        return Ok(Status::NeedInput);
                    };
                    machine.skip(input, 1);
                    machine.phase = Phase::Run { byte, left: len };
                }
                Phase::CopyDistance { len } => {
                    let Some(&operand) = input.first() else {
                        return Ok(Status::NeedInput);
                    };
                    let distance = machine.distance(operand)?;
                    machine.skip(input, 1);
                    self.overlapping += u64::from(usize::from(len) > distance);
                    machine.phase = Phase::Copy {
                        distance,
                        left: len,
                    };
                }
                Phase::Run { left, .. } | Phase::Copy { left, .. } => {
                    machine.written += u64::from(left);
                    machine.phase = Phase::Control;
                }
                Phase::Ended => return Ok(Status::Done),
                Phase::Failed(error) => return Err(error),
            }
        }
    }

    /// Sets how a reserved byte is read from here on: the answer to [`Status::Reserved`].
    pub fn pin(&mut self, reserved: Reserved) {
        self.machine.pin(reserved);
    }

    /// Judges the end of the stream, as [`Decoder::finish`](super::Decoder::finish) does.
    ///
    /// # Errors
    ///
    /// The damage that decoding the stream would meet.
    pub fn finish(&self, tail: u64) -> Result<Walk, DecodeError> {
        Ok(Walk {
            summary: self.machine.finish(tail)?,
            overlapping: self.overlapping,
        })
    }
}

/// Walks along a whole stream.
///
/// # Errors
///
/// The damage that decoding the stream would meet.
pub fn walk(stream: &[u8], size: Option<u64>, reserved: Reserved) -> Result<Walk, DecodeError> {
    let mut walker = Walker::new(size, reserved);
    let (taken, status) = walker.feed(stream);
    status?;
    walker.finish((stream.len() - taken) as u64)
}

/// Finds out how the reserved byte is meant in a stream that decodes to `size` bytes: skipped, as
/// in the game, where the stream is sound so, else as a copy of 64 bytes, where it is sound so.
///
/// A stream without that byte is sound under both readings or under none.
///
/// ```
/// use daisho::codec::{Reserved, judge};
/// // A zero run of 65 bytes, then 0xFE and a byte that states the distance 65.
/// let stream = [0x7F, 0xFE, 63, 0xFF];
/// assert_eq!(judge(&stream, 65 + 64), Ok(Reserved::Copy));
/// // Skipped, that byte would be a literal's control byte, and cut the stream short.
/// assert!(judge(&stream, 65).is_err());
/// ```
///
/// # Errors
///
/// What is wrong under both readings.
pub fn judge(stream: &[u8], size: u64) -> Result<Reserved, Unreadable> {
    let sound = |reserved| walk(stream, Some(size), reserved).map(|_| reserved);
    sound(Reserved::Skip)
        .or_else(|skipped| sound(Reserved::Copy).map_err(|copied| Unreadable { skipped, copied }))
}

/// A stream that is damaged under either reading of the reserved byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong if the byte is skipped.
    pub skipped: DecodeError,
    /// What is wrong if it is a copy of 64 bytes.
    pub copied: DecodeError,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.skipped == self.copied {
            return self.skipped.fmt(f);
        }
        write!(
            f,
            "with 0xfe skipped as the game does: {}; \
             with 0xfe as a 64-byte copy: {}",
            self.skipped, self.copied
        )
    }
}

impl core::error::Error for Unreadable {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::decode::tests::stream;

    /// One byte at a time never is enough for the fast steps.
    fn byte_by_byte(stream: &[u8], size: u64) -> Result<Walk, DecodeError> {
        let mut walker = Walker::new(Some(size), Reserved::Skip);
        for (at, byte) in stream.iter().enumerate() {
            let (_, status) = walker.feed(core::slice::from_ref(byte));
            if status? == Status::Done {
                return walker.finish((stream.len() - at - 1) as u64);
            }
        }
        walker.finish(0)
    }

    #[test]
    fn the_fast_steps_find_what_the_careful_ones_find() {
        for seed in 0..20 {
            let (sound, size) = stream(seed);
            let found = walk(&sound, Some(size), Reserved::Skip).unwrap();
            assert!(found.overlapping > 100);
            // Sound, too short, too long, and with a byte changed anywhere.
            for size in [size, size + 1, size - 1, size / 2] {
                let all = walk(&sound, Some(size), Reserved::Skip);
                assert_eq!(all, byte_by_byte(&sound, size), "{seed} {size}");
            }
            for at in (0..sound.len()).step_by(sound.len() / 50) {
                let mut damaged = sound.clone();
                damaged[at] ^= 0x5A;
                let all = walk(&damaged, Some(size), Reserved::Skip);
                assert_eq!(all, byte_by_byte(&damaged, size), "{seed} {at}");
            }
        }
    }
}
