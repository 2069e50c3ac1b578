//! The decoder itself: one state machine that the block, stream and reader interfaces share.
//!
//! [`Machine::run`] takes any slice of input and any slice of output, and stops when one of them ends.
//! [`Phase`] holds all that it must remember of an unfinished token. Its loop is the **careful** one, and
//! the specification: it goes token by token, checks everything, and can be compared with the table in
//! [`grammar`](crate::codec::grammar). If both slices have room to spare, it hands over to the [`fast`] loop, which gives the same
//! result for undamaged tokens and leaves all others to this loop.

use super::error::{DecodeError, DecodeErrorKind};
use super::fast;
use super::outcome::{End, Progress, Reserved, Status, StreamSummary};
use crate::codec::grammar::Token;

/// The state between two calls.
#[derive(Debug, Clone, Copy)]
pub(super) enum Phase {
    /// Between two tokens: the next byte is a control byte.
    Control,
    /// `left` bytes of a literal are still to come.
    Literal { left: u8 },
    /// The byte of a byte run is next.
    RunByte { len: u8 },
    /// `left` bytes of a run are still to be written.
    Run { byte: u8, left: u8 },
    /// The distance of a copy is next.
    CopyDistance { len: u8 },
    /// `left` bytes of a copy are still to be written.
    Copy { distance: usize, left: u8 },
    /// A reserved byte is next, and the last call stopped there.
    Stopped,
    /// The end marker was read.
    Ended,
    /// The stream is damaged. Every further call returns this error again.
    Failed(DecodeError),
}

/// A stream's decoding, suspended between two calls.
#[derive(Debug, Clone)]
pub(super) struct Machine {
    /// The declared size of the output, if known.
    size: Option<u64>,
    reserved: Reserved,
    pub(super) phase: Phase,
    /// Bytes taken from the stream by all calls so far.
    pub(super) read: u64,
    /// Bytes written by all calls so far.
    pub(super) written: u64,
    /// The current token, with its offset in input and output. Errors name it.
    token: (Token, u64, u64),
    reserved_seen: u64,
    first_reserved: Option<u64>,
}

impl Machine {
    pub(super) fn new(size: Option<u64>, reserved: Reserved) -> Self {
        Self {
            size,
            reserved,
            phase: Phase::Control,
            read: 0,
            written: 0,
            token: (Token::End, 0, 0),
            reserved_seen: 0,
            first_reserved: None,
        }
    }

    pub(super) fn pin(&mut self, reserved: Reserved) {
        self.reserved = reserved;
    }

    /// Decodes until `input` or `output` is used up, or until the stream ends or stops.
    ///
    /// `history` holds the last bytes that earlier calls wrote: at least [`DISTANCE_MAX`], or all of them
    /// if they were fewer.
    ///
    /// [`DISTANCE_MAX`]: crate::codec::grammar::DISTANCE_MAX
    pub(super) fn run(&mut self, history: &[u8], input: &[u8], output: &mut [u8]) -> Progress {
        // No slice given to the loops reaches beyond the declared size, so neither loop can write beyond
        // it.
        let room = self.room();
        let output = match usize::try_from(room) {
            Ok(room) if room < output.len() => output.split_at_mut(room).0,
            _ => output,
        };
        let mut cursor = Positions::default();
        let status = self.careful(history, input, output, &mut cursor);
        self.read += cursor.at as u64;
        self.written += cursor.to as u64;
        Progress { consumed: cursor.at, produced: cursor.to, status }
    }

    /// How many bytes may still be written.
    fn room(&self) -> u64 {
        self.size.map_or(u64::MAX, |size| size.saturating_sub(self.written))
    }

    /// The loop that goes token by token. Each phase does what the two slices allow, until one must wait.
    fn careful(
        &mut self,
        history: &[u8],
        input: &[u8],
        output: &mut [u8],
        cursor: &mut Positions,
    ) -> Result<Status, DecodeError> {
        loop {
            match self.phase {
                Phase::Control | Phase::Stopped => {
                    fast::run(input, output, &mut cursor.at, &mut cursor.to);
                    let Some(&control) = input.get(cursor.at) else {
                        return Ok(Status::NeedInput);
                    };
                    if !self.begin(control, cursor)? {
                        return Ok(Status::Reserved);
                    }
                }
                Phase::Literal { left } => {
                    if let Some(status) = self.literal(left, input, output, cursor) {
                        return Ok(status);
                    }
                }
                Phase::RunByte { len } => {
                    let Some(&byte) = input.get(cursor.at) else {
                        return Ok(Status::NeedInput);
                    };
                    cursor.at += 1;
                    self.phase = Phase::Run { byte, left: len };
                }
                Phase::Run { byte, left } => {
                    if let Some(status) = self.fill(byte, left, output, cursor) {
                        return Ok(status);
                    }
                }
                Phase::CopyDistance { len } => {
                    let Some(&operand) = input.get(cursor.at) else {
                        return Ok(Status::NeedInput);
                    };
                    let distance = self.distance(operand)?;
                    cursor.at += 1;
                    self.phase = Phase::Copy { distance, left: len };
                }
                Phase::Copy { distance, left } => {
                    if let Some(status) = self.copy(distance, left, history, output, cursor) {
                        return Ok(status);
                    }
                }
                Phase::Ended => return Ok(Status::Done),
                Phase::Failed(error) => return Err(error),
            }
        }
    }

    /// Writes as many of the `left` bytes of a literal as possible. If some are left, returns what it needs next:
    /// input, or room for output.
    #[inline(always)]
    fn literal(
        &mut self,
        left: u8,
        input: &[u8],
        output: &mut [u8],
        cursor: &mut Positions,
    ) -> Option<Status> {
        let ahead = input.get(cursor.at..).unwrap_or_default();
        let free = output.get_mut(cursor.to..).unwrap_or_default();
        let n = usize::from(left).min(ahead.len()).min(free.len());
        if let (Some(to), Some(from)) = (free.get_mut(..n), ahead.get(..n)) {
            to.copy_from_slice(from);
        }
        cursor.at += n;
        cursor.to += n;
        self.literal_left(left, n);
        // If both slices are used up, input is the one that is missing: without more of it the stream is
        // cut off, and more room would not help.
        (n < usize::from(left)).then_some(if ahead.len() == n {
            Status::NeedInput
        } else {
            Status::NeedOutput
        })
    }

    /// Writes as many of the `left` bytes of a run as possible. Returns what it waits for.
    #[inline(always)]
    fn fill(
        &mut self,
        byte: u8,
        left: u8,
        output: &mut [u8],
        cursor: &mut Positions,
    ) -> Option<Status> {
        let free = output.get_mut(cursor.to..).unwrap_or_default();
        let n = usize::from(left).min(free.len());
        free.iter_mut().take(n).for_each(|to| *to = byte);
        cursor.to += n;
        let left = left_after(left, n);
        self.wait_for_room(left, Phase::Run { byte, left })
    }

    /// Writes as many of the `left` bytes of a copy as possible. Returns what it waits for.
    #[inline(always)]
    fn copy(
        &mut self,
        distance: usize,
        left: u8,
        history: &[u8],
        output: &mut [u8],
        cursor: &mut Positions,
    ) -> Option<Status> {
        let free = output.len().saturating_sub(cursor.to);
        let n = usize::from(left).min(free);
        for _ in 0..n {
            let byte = back(history, output, cursor.to, distance);
            if let Some(to) = output.get_mut(cursor.to) {
                *to = byte;
            }
            cursor.to += 1;
        }
        let left = left_after(left, n);
        self.wait_for_room(left, Phase::Copy { distance, left })
    }

    /// Enters the phase after a run or a copy, or `rest` if `left` bytes of it wait for room.
    #[inline(always)]
    fn wait_for_room(&mut self, left: u8, rest: Phase) -> Option<Status> {
        self.phase = if left == 0 { Phase::Control } else { rest };
        (left > 0).then_some(Status::NeedOutput)
    }

    /// The distance that `operand` encodes, checked for the current copy.
    pub(super) fn distance(&mut self, operand: u8) -> Result<usize, DecodeError> {
        let distance = Token::distance(operand);
        let (_, _, written) = self.token;
        if distance as u64 > written {
            return Err(self.fail(DecodeErrorKind::BeforeStart { distance: distance as u64 }));
        }
        Ok(distance)
    }

    /// Enters the phase after the next `n` bytes of a literal.
    pub(super) fn literal_left(&mut self, left: u8, n: usize) {
        self.phase = match left_after(left, n) {
            0 => Phase::Control,
            left => Phase::Literal { left },
        };
    }

    /// Takes as many plain tokens as the fast walk can. Returns how many copies among them are longer than
    /// their distance.
    pub(super) fn stride(&mut self, input: &mut &[u8]) -> u64 {
        let (mut at, mut to) = (0, 0);
        let overlapping = fast::walk(input, self.written, self.room(), &mut at, &mut to);
        self.skip(input, at);
        self.written += to;
        overlapping
    }

    /// Takes `n` bytes of input without looking at them.
    pub(super) fn skip(&mut self, input: &mut &[u8], n: usize) {
        *input = input.get(n..).unwrap_or_default();
        self.read += n as u64;
    }

    /// Takes a control byte and enters the phase that it begins. Returns `false` at a reserved byte under
    /// [`Reserved::Stop`].
    pub(super) fn begin(
        &mut self,
        control: u8,
        cursor: &mut Positions,
    ) -> Result<bool, DecodeError> {
        let read = self.read + cursor.at as u64;
        let written = self.written + cursor.to as u64;
        let plain = Token::from_control(control);
        let token = self.reserved.read(plain);
        self.token = (token, read, written);

        let (len, room) = (token.output_len() as u64, self.room() - cursor.to as u64);
        if let (true, Some(size)) = (len > room, self.size) {
            return Err(self.fail(DecodeErrorKind::TooLong { token: len, room, size }));
        }
        if plain == Token::Reserved && self.reserved == Reserved::Stop {
            self.phase = Phase::Stopped;
            return Ok(false);
        }
        if plain == Token::Reserved {
            self.reserved_seen += 1;
            self.first_reserved.get_or_insert(read);
        }
        self.phase = match token {
            Token::Literal { len } => Phase::Literal { left: len },
            Token::ZeroRun { len } => Phase::Run { byte: 0, left: len },
            Token::ByteRun { len } => Phase::RunByte { len },
            Token::Copy { len } => Phase::CopyDistance { len },
            Token::Reserved if self.reserved == Reserved::Error => {
                return Err(self.fail(DecodeErrorKind::Reserved));
            }
            Token::Reserved => Phase::Control,
            Token::End => {
                if let Some(size) = self.size.filter(|size| written < *size) {
                    return Err(self.fail(DecodeErrorKind::TooShort { size }));
                }
                Phase::Ended
            }
        };
        cursor.at += 1;
        Ok(true)
    }

    /// Checks the end of the stream when there is no more input. `tail` is how many bytes of the stream
    /// follow the consumed ones.
    pub(super) fn finish(&self, tail: u64) -> Result<StreamSummary, DecodeError> {
        let (token, input, output) = self.token;
        let cut = |left: usize| DecodeError {
            kind: DecodeErrorKind::CutToken {
                needed: token.operand_len() as u64,
                found: (token.operand_len() - left) as u64,
            },
            input,
            output,
        };
        let end = match self.phase {
            Phase::Failed(error) => return Err(error),
            // The rest of a literal waits for room if the stream goes on.
            Phase::Literal { left } if tail == 0 => return Err(cut(left.into())),
            Phase::RunByte { .. } | Phase::CopyDistance { .. } => return Err(cut(1)),
            Phase::Literal { left } | Phase::Run { left, .. } | Phase::Copy { left, .. } => {
                return Err(DecodeError {
                    kind: DecodeErrorKind::Undrained { left: left.into() },
                    input,
                    output,
                });
            }
            Phase::Stopped => End::Reserved,
            Phase::Control => match self.size {
                Some(size) if self.written < size => {
                    return Err(DecodeError {
                        kind: DecodeErrorKind::CutOff { size },
                        input: self.read,
                        output: self.written,
                    });
                }
                _ => End::Missing,
            },
            Phase::Ended => End::Marker,
        };
        Ok(StreamSummary {
            read: self.read,
            written: self.written,
            end,
            tail: if end == End::Marker { tail } else { 0 },
            reserved: self.reserved_seen,
            first_reserved: self.first_reserved,
        })
    }

    fn fail(&mut self, kind: DecodeErrorKind) -> DecodeError {
        let (_, input, output) = self.token;
        let error = DecodeError { kind, input, output };
        self.phase = Phase::Failed(error);
        error
    }
}

/// The current positions in the two slices.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Positions {
    /// In the input.
    pub(super) at: usize,
    /// In the output.
    pub(super) to: usize,
}

/// The byte `distance` before position `to`, which may have been written by an earlier call.
fn back(history: &[u8], output: &[u8], to: usize, distance: usize) -> u8 {
    let byte = match to.checked_sub(distance) {
        Some(at) => output.get(at),
        None => (history.len() + to).checked_sub(distance).and_then(|at| history.get(at)),
    };
    // This byte exists: a distance is checked against all that was written when it is read, and the history
    // is as long as the largest distance.
    debug_assert!(byte.is_some());
    byte.copied().unwrap_or_default()
}

#[expect(clippy::cast_possible_truncation, reason = "at most `left`")]
fn left_after(left: u8, done: usize) -> u8 {
    left - done as u8
}
