//! A walk along a stream that checks lengths and distances and decodes nothing.
//!
//! Lengths and distances alone decide whether a stream is sound. So a walk gives the same result as a
//! decoder, errors included, and needs no room for the output. It decides which reading of the reserved
//! byte is right, and whether a stream can be passed on unchanged.

use core::fmt;

use super::error::DecodeError;
use super::machine::{Machine, Phase, Positions};
use super::outcome::{End, Reserved, Status, StreamSummary};

/// A walk that takes the stream in pieces of any size.
#[derive(Debug, Clone)]
pub struct Walker {
    machine: Machine,
    overlapping: u64,
}

/// The result of a walk along a sound stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The summary that decoding would return.
    pub summary: StreamSummary,
    /// How many copies are longer than their distance, counted from where the walk began.
    pub overlapping: u64,
}

impl Walk {
    /// Whether every known reader decodes the stream alike. Then no copy is longer than its distance (one
    /// editor aborts on them, three tools decode them wrongly), there is no reserved byte, and the end
    /// marker is the very last byte.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.overlapping == 0
            && self.summary.end == End::Marker
            && self.summary.warnings().next().is_none()
    }
}

impl Walker {
    /// Creates a walk at the start of a stream.
    #[must_use]
    pub fn new(size: Option<u64>, reserved: Reserved) -> Self {
        Self::of(Machine::new(size, reserved))
    }

    /// Creates a walk that continues at the position of `machine`.
    pub(super) fn of(machine: Machine) -> Self {
        Self { machine, overlapping: 0 }
    }

    /// Walks along `input`. Returns how much of it was consumed. That is all of it, unless the stream ends,
    /// stops at a reserved byte, or is damaged; the status says which.
    pub fn feed(&mut self, input: &[u8]) -> (usize, Result<Status, DecodeError>) {
        let mut rest = input;
        let status = self.advance(&mut rest);
        (input.len() - rest.len(), status)
    }

    fn advance(&mut self, input: &mut &[u8]) -> Result<Status, DecodeError> {
        let machine = &mut self.machine;
        loop {
            match machine.phase {
                Phase::Control | Phase::Stopped => {
                    self.overlapping += machine.stride(input);
                    let Some(&control) = input.first() else {
                        return Ok(Status::NeedInput);
                    };
                    let mut cursor = Positions::default();
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
                    machine.phase = Phase::Copy { distance, left: len };
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

    /// Sets how reserved bytes are read from here on. This is the answer to [`Status::Reserved`].
    pub fn pin(&mut self, reserved: Reserved) {
        self.machine.pin(reserved);
    }

    /// Checks the end of the stream, as [`Decoder::finish`](super::Decoder::finish) does.
    ///
    /// # Errors
    ///
    /// The damage that decoding the stream would meet.
    pub fn finish(&self, tail: u64) -> Result<Walk, DecodeError> {
        Ok(Walk { summary: self.machine.finish(tail)?, overlapping: self.overlapping })
    }
}

impl Walk {
    /// Walks along a whole stream.
    ///
    /// # Errors
    /// The damage that decoding the stream would meet.
    pub fn of(stream: &[u8], size: Option<u64>, reserved: Reserved) -> Result<Self, DecodeError> {
        let mut walker = Walker::new(size, reserved);
        let (taken, status) = walker.feed(stream);
        status?;
        walker.finish((stream.len() - taken) as u64)
    }
}

impl Reserved {
    /// Finds out how to read the reserved byte in a stream that decodes to `size` bytes. It is skipped, as in the
    /// game, if the stream is sound that way. Otherwise it is a copy of 64 bytes, if the stream is sound that way.
    ///
    /// A stream without that byte is sound under both readings or under neither.
    ///
    /// ```
    /// use daisho::codec::Reserved;
    /// // A zero run of 65 bytes, then 0xFE and a byte that states the distance 65.
    /// let stream = [0x7F, 0xFE, 63, 0xFF];
    /// assert_eq!(Reserved::judge(&stream, 65 + 64), Ok(Reserved::Copy));
    /// // Skipped, that byte would be a literal's control byte, and cut the stream short.
    /// assert!(Reserved::judge(&stream, 65).is_err());
    /// ```
    ///
    /// # Errors
    /// The errors under both readings.
    pub fn judge(stream: &[u8], size: u64) -> Result<Self, Unreadable> {
        let skipped = match Walk::of(stream, Some(size), Self::Skip) {
            Ok(_) => return Ok(Self::Skip),
            Err(error) => error,
        };
        match Walk::of(stream, Some(size), Self::Copy) {
            Ok(_) => Ok(Self::Copy),
            Err(copied) => Err(Unreadable { skipped, copied }),
        }
    }
}

/// A stream that is damaged under both readings of the reserved byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    /// The error if the byte is skipped.
    pub skipped: DecodeError,
    /// The error if the byte is a copy of 64 bytes.
    pub copied: DecodeError,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.skipped == self.copied {
            return self.skipped.fmt(f);
        }
        write!(
            f,
            "with the control byte 0xFE skipped as the game does: {}; \
             with it as a 64-byte copy: {}",
            self.skipped, self.copied
        )
    }
}

impl core::error::Error for Unreadable {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::decode::tests::stream;

    /// One byte at a time is never enough for the fast steps.
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
            let found = Walk::of(&sound, Some(size), Reserved::Skip).unwrap();
            assert!(found.overlapping > 100);
            // With the right size, a size too large, too small, and with any one byte changed.
            for size in [size, size + 1, size - 1, size / 2] {
                let all = Walk::of(&sound, Some(size), Reserved::Skip);
                assert_eq!(all, byte_by_byte(&sound, size), "{seed} {size}");
            }
            for at in (0..sound.len()).step_by(sound.len() / 50) {
                let mut damaged = sound.clone();
                damaged[at] ^= 0x5A;
                let all = Walk::of(&damaged, Some(size), Reserved::Skip);
                assert_eq!(all, byte_by_byte(&damaged, size), "{seed} {at}");
            }
        }
    }
}
