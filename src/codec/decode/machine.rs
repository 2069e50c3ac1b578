//! The decoder proper: one machine behind every door (block, stream, reader).
//!
//! [`Machine::run`] takes any slice of input and any slice of output and stops wherever one of
//! them ends; [`Phase`] is all it has to remember of a token it could not finish. Its loop is the
//! **careful** one, and the specification: it goes token by token, checks everything, and is
//! written to be compared with the table in [`grammar`]. Where both slices have room to spare it
//! hands over to the [`fast`] one, which does the same for undamaged tokens only and leaves every
//! other one to this loop.

use super::error::{DecodeError, DecodeErrorKind};
use super::fast;
use super::outcome::{End, Reserved, Summary};
use super::progress::{Progress, Status};
use crate::codec::grammar::{self, Token};

/// What the machine is in the middle of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Phase {
    /// Between two tokens: the next byte is a control byte.
    Control,
    /// So many bytes of a literal are still to come.
    Literal { left: u8 },
    /// The byte of a byte run is still to come.
    RunByte { len: u8 },
    /// So many bytes of a run are still to be written.
    Run { byte: u8, left: u8 },
    /// The distance of a copy is still to come.
    CopyDistance { len: u8 },
    /// So many bytes of a copy are still to be written.
    Copy { distance: usize, left: u8 },
    /// The end marker was read.
    Ended,
    /// Damage was met; it is told again whenever asked.
    Failed(DecodeError),
}

/// A stream's decoding, suspended between two calls.
#[derive(Debug, Clone)]
pub(super) struct Machine {
    /// What the stream is to decode to, where that is known.
    size: Option<u64>,
    reserved: Reserved,
    pub(super) phase: Phase,
    /// Bytes taken from the stream by all calls so far.
    pub(super) read: u64,
    /// Bytes written by all calls so far.
    pub(super) written: u64,
    /// The token in hand: what its control byte says and where it stands on both sides. Errors
    /// name it.
    token: (Token, u64, u64),
    /// Whether the last call stopped before a reserved byte.
    stopped: bool,
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
            stopped: false,
            reserved_seen: 0,
            first_reserved: None,
        }
    }

    pub(super) fn pin(&mut self, reserved: Reserved) {
        self.reserved = reserved;
    }

    /// Decodes until `input` or `output` is used up, or the stream is over or stops.
    ///
    /// `history` holds the last bytes that earlier calls wrote, at least [`DISTANCE_MAX`] of them
    /// where there were so many.
    ///
    /// [`DISTANCE_MAX`]: grammar::DISTANCE_MAX
    pub(super) fn run(&mut self, history: &[u8], input: &[u8], output: &mut [u8]) -> Progress {
        // No slice handed to the loops reaches beyond the declared size, so neither loop can
        // write beyond it.
        let room = self.room();
        let output = match usize::try_from(room) {
            Ok(room) if room < output.len() => output.split_at_mut(room).0,
            _ => output,
        };
        let mut cursor = Cursor::default();
        let status = self.careful(history, input, output, &mut cursor);
        self.read += cursor.at as u64;
        self.written += cursor.to as u64;
        Progress {
            consumed: cursor.at,
            produced: cursor.to,
            status,
        }
    }

    /// How many bytes may still be written.
    fn room(&self) -> u64 {
        self.size
            .map_or(u64::MAX, |size| size.saturating_sub(self.written))
    }

    /// The loop that goes token by token: each phase does what it can with what there is of both
    /// slices, until one has to wait.
    fn careful(
        &mut self,
        history: &[u8],
        input: &[u8],
        output: &mut [u8],
        cursor: &mut Cursor,
    ) -> Result<Status, DecodeError> {
        loop {
            match self.phase {
                Phase::Control => {
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
                    self.phase = Phase::Copy {
                        distance,
                        left: len,
                    };
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

    /// Writes what it can of the `left` bytes of a literal; returns what the rest waits for.
    #[inline(always)]
    fn literal(
        &mut self,
        left: u8,
        input: &[u8],
        output: &mut [u8],
        cursor: &mut Cursor,
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
        // Where both are used up, input is what is needed: without more of it the stream is cut,
        // and no output would mend that.
        (n < usize::from(left)).then_some(if ahead.len() == n {
            Status::NeedInput
        } else {
            Status::NeedOutput
        })
    }

    /// Writes what it can of the `left` bytes of a run; returns what the rest waits for.
    #[inline(always)]
    fn fill(
        &mut self,
        byte: u8,
        left: u8,
        output: &mut [u8],
        cursor: &mut Cursor,
    ) -> Option<Status> {
        let free = output.get_mut(cursor.to..).unwrap_or_default();
        let n = usize::from(left).min(free.len());
        free.iter_mut().take(n).for_each(|to| *to = byte);
        cursor.to += n;
        let left = left_after(left, n);
        self.wait_for_room(left, Phase::Run { byte, left })
    }

    /// Writes what it can of the `left` bytes of a copy; returns what the rest waits for.
    #[inline(always)]
    fn copy(
        &mut self,
        distance: usize,
        left: u8,
        history: &[u8],
        output: &mut [u8],
        cursor: &mut Cursor,
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

    /// Enters the phase behind a run or a copy, or `rest` where `left` bytes of it wait for room.
    #[inline(always)]
    fn wait_for_room(&mut self, left: u8, rest: Phase) -> Option<Status> {
        self.phase = if left == 0 { Phase::Control } else { rest };
        (left > 0).then_some(Status::NeedOutput)
    }

    /// The distance that `operand` states, for the copy in hand.
    pub(super) fn distance(&mut self, operand: u8) -> Result<usize, DecodeError> {
        let distance = grammar::distance(operand);
        let (_, _, written) = self.token;
        if distance as u64 > written {
            return Err(self.fail(DecodeErrorKind::BeforeStart {
                distance: distance as u64,
            }));
        }
        Ok(distance)
    }

    /// Enters the phase behind the next `n` bytes of a literal.
    pub(super) fn literal_left(&mut self, left: u8, n: usize) {
        self.phase = match left_after(left, n) {
            0 => Phase::Control,
            left => Phase::Literal { left },
        };
    }

    /// Walks along as many plain tokens as it may without care, and takes them. Returns how many
    /// copies among them are longer than their distance.
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

    /// Takes a control byte and enters the phase that it begins; `false` where it is a reserved
    /// byte to stop before.
    pub(super) fn begin(&mut self, control: u8, cursor: &mut Cursor) -> Result<bool, DecodeError> {
        let read = self.read + cursor.at as u64;
        let written = self.written + cursor.to as u64;
        let plain = Token::from_control(control);
        let token = self.reserved.read(plain);
        self.token = (token, read, written);

        let (len, room) = (token.output_len() as u64, self.room() - cursor.to as u64);
        if let (true, Some(size)) = (len > room, self.size) {
            return Err(self.fail(DecodeErrorKind::TooLong {
                token: len,
                room,
                size,
            }));
        }
        self.stopped = plain == Token::Reserved && self.reserved == Reserved::Stop;
        if self.stopped {
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

    /// Judges the end of the stream, when there is no more input. `tail` is how many bytes of the
    /// stream follow those that were consumed.
    pub(super) fn finish(&self, tail: u64) -> Result<Summary, DecodeError> {
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
            // What is left of a literal waits for room where the stream goes on.
            Phase::Literal { left } if tail == 0 => return Err(cut(left.into())),
            Phase::RunByte { .. } | Phase::CopyDistance { .. } => return Err(cut(1)),
            Phase::Literal { left } | Phase::Run { left, .. } | Phase::Copy { left, .. } => {
                return Err(DecodeError {
                    kind: DecodeErrorKind::Undrained { left: left.into() },
                    input,
                    output,
                });
            }
            Phase::Control if self.stopped => End::Reserved,
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
        Ok(Summary {
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
        let error = DecodeError {
            kind,
            input,
            output,
        };
        self.phase = Phase::Failed(error);
        error
    }
}

/// Where a call stands in its two slices.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cursor {
    /// In the input.
    pub(super) at: usize,
    /// In the output.
    pub(super) to: usize,
}

/// The byte `distance` before position `to`, which may lie in an earlier call's output.
fn back(history: &[u8], output: &[u8], to: usize, distance: usize) -> u8 {
    let byte = match to.checked_sub(distance) {
        Some(at) => output.get(at),
        None => (history.len() + to)
            .checked_sub(distance)
            .and_then(|at| history.get(at)),
    };
    // There is one: a distance is checked against all that was written when it is read, and the
    // history is as long as the largest distance.
    debug_assert!(byte.is_some());
    byte.copied().unwrap_or_default()
}

#[expect(clippy::cast_possible_truncation, reason = "at most `left`")]
fn left_after(left: u8, done: usize) -> u8 {
    left - done as u8
}
