//! The fast loop: decodes plain tokens while both slices have room to spare.
//!
//! # What it assumes, and what that buys
//!
//! - **At least [`INPUT_MARGIN`] bytes of input and [`OUTPUT_MARGIN`] of output are left**, which is as
//!   much as a step can touch. So a step checks once, and then moves pieces of a fixed 16, 32 or 48 bytes.
//!   Those are a few wide loads and stores, where exact lengths would be calls of `memcpy`. The next token
//!   overwrites the surplus. The careful loop takes over well before the slices end.
//! - **A step is a sequence: a literal that may be absent, then a token of another class.** In
//!   real streams a literal is followed by a copy nine times out of ten, so the branch for the class
//!   of that second token is predicted well, while "literal or not?" is a toss-up after a copy. So
//!   that question is no branch: an absent literal is a literal of no bytes, and its sixteen bytes are
//!   moved anyway. One token per step with the same moves was 2.1 times as fast as a loop of `memmove`
//!   and `memset` calls on the map sample; a sequence per step was 2.7 times as fast. Both are limited
//!   by the next control byte, which cannot be found before the last one is decoded.
//! - **Damage is left to the careful loop.** If a token is not plain (a copy from before this slice,
//!   the reserved byte, the end), the step is dropped as a whole, and the careful loop decodes it token
//!   by token.
//!
//! Tried and dropped: the same step with a branch for the literal (2.1 on the map sample); the token
//! classes in one `match`, which becomes a jump through a table (1.8); copies by 16 bytes first and 32 if
//! needed, instead of 32 at once (2.65). Two streams in turn, a step of one and a step of the other, so
//! that one works while the other waits: 0.93 to 0.96 times the speed of one after the other, on all
//! samples.

use crate::codec::grammar::{self, Token};

/// The most bytes that a step reads: a literal, then a token with one operand.
pub(super) const INPUT_MARGIN: usize = 1 + grammar::LITERAL_MAX + 2;
/// The most bytes that a step touches: a literal, then a run in its pieces of 16 and 64 bytes.
pub(super) const OUTPUT_MARGIN: usize = grammar::LITERAL_MAX + 16 + 64;

// The pieces cover the longest token of each class.
const _: () = {
    assert!(grammar::LITERAL_MAX <= 16 + 48);
    assert!(grammar::RUN_MAX <= 16 + 64);
    assert!(grammar::COPY_MAX <= 32 + 32);
};

/// Decodes from `at` in `input` to `to` in `output`, and leaves both between two tokens.
#[inline]
pub(super) fn run(input: &[u8], output: &mut [u8], at: &mut usize, to: &mut usize) {
    let (mut i, mut o) = (*at, *to);
    while let Some(ahead) = input.get(i..).and_then(<[u8]>::first_chunk)
        && output.len().saturating_sub(o) >= OUTPUT_MARGIN
        && let Some((taken, written)) = sequence(ahead, output, o)
    {
        i += taken;
        o += written;
    }
    (*at, *to) = (i, o);
}

/// Decodes one step. Returns the bytes taken and written, or `None` if the careful loop must decode it.
#[inline(always)]
fn sequence(ahead: &[u8; INPUT_MARGIN], output: &mut [u8], to: usize) -> Option<(usize, usize)> {
    let literal = grammar::literal_len(ahead[0]);
    let next = grammar::literal_span(ahead[0]);
    put::<16>(output, to, piece(ahead, 1)?)?;
    if literal > 16 {
        put::<48>(output, to + 16, piece(ahead, 17)?)?;
    }
    let to = to + literal;
    let control = *ahead.get(next)?;
    let token = Token::from_control(control);
    if let Token::Copy { len } = token {
        let (len, distance) = (usize::from(len), Token::distance(*ahead.get(next + 1)?));
        let from = to.checked_sub(distance)?;
        if len > distance {
            repeat(output, from, to, len)?;
        } else {
            put::<32>(output, to, piece(output, from)?)?;
            if len > 32 {
                put::<32>(output, to + 32, piece(output, from + 32)?)?;
            }
        }
        Some((next + 2, literal + len))
    } else if let Token::ZeroRun { len } | Token::ByteRun { len } = token {
        let operands = token.operand_len();
        let byte = if operands == 0 { 0 } else { *ahead.get(next + 1)? };
        put(output, to, [byte; 16])?;
        if len > 16 {
            put(output, to + 16, [byte; 64])?;
        }
        Some((next + 1 + operands, literal + usize::from(len)))
    } else if matches!(token, Token::Literal { .. }) {
        // Two literals in a row: the second is the next step's first.
        Some((next, literal))
    } else {
        None
    }
}

/// Walks from `at` in `input` without decoding, by the same steps, while `room` can hold all that a step
/// may write. `behind` bytes were written before; `to` counts the bytes written since. Returns how many
/// copies are longer than their distance.
#[inline]
pub(super) fn walk(input: &[u8], behind: u64, room: u64, at: &mut usize, to: &mut u64) -> u64 {
    let (mut i, mut o, mut overlapping) = (*at, *to, 0);
    while let Some(ahead) = input.get(i..).and_then(<[u8]>::first_chunk)
        && room.saturating_sub(o) >= OUTPUT_MARGIN as u64
        && let Some((taken, written, overlaps)) = step(ahead, behind.saturating_add(o))
    {
        i += taken;
        o += written;
        overlapping += u64::from(overlaps);
    }
    (*at, *to) = (i, o);
    overlapping
}

/// One step of a walk: the bytes that [`sequence`] takes and writes, and whether its copy overlaps itself.
#[inline(always)]
fn step(ahead: &[u8; INPUT_MARGIN], written: u64) -> Option<(usize, u64, bool)> {
    let literal = grammar::literal_len(ahead[0]) as u64;
    let next = grammar::literal_span(ahead[0]);
    let token = Token::from_control(*ahead.get(next)?);
    let all = literal + token.output_len() as u64;
    if let Token::Copy { len } = token {
        let distance = Token::distance(*ahead.get(next + 1)?);
        (distance as u64 <= written.saturating_add(literal)).then_some((
            next + 2,
            all,
            usize::from(len) > distance,
        ))
    } else if let Token::ZeroRun { .. } | Token::ByteRun { .. } = token {
        Some((next + 1 + token.operand_len(), all, false))
    } else if matches!(token, Token::Literal { .. }) {
        Some((next, literal, false))
    } else {
        None
    }
}

#[inline(always)]
fn piece<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[inline(always)]
fn put<const N: usize>(output: &mut [u8], to: usize, piece: [u8; N]) -> Option<()> {
    *output.get_mut(to..)?.first_chunk_mut()? = piece;
    Some(())
}

/// Copies byte by byte, because a copy longer than its distance reads what it has just written.
fn repeat(output: &mut [u8], from: usize, to: usize, len: usize) -> Option<()> {
    for k in 0..len {
        let byte = *output.get(from + k)?;
        *output.get_mut(to + k)? = byte;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::codec::decode::tests::stream;
    use crate::codec::{Decoder, Reserved, decode_into};

    /// One byte of output at a time is never enough for the fast loop.
    #[test]
    fn it_writes_what_the_careful_loop_writes() {
        for seed in 0..20 {
            let (stream, size) = stream(seed);
            let size = usize::try_from(size).unwrap();
            let mut fast = vec![0xA5; size];
            let summary = decode_into(&stream, &mut fast, Reserved::Skip).unwrap();
            let mut careful = vec![0xA5; size];
            let mut decoder = Decoder::new(Some(size as u64), Reserved::Skip);
            let mut rest = &stream[..];
            for byte in &mut careful {
                let progress = decoder.decode(rest, core::slice::from_mut(byte));
                assert_eq!(progress.produced, 1);
                rest = &rest[progress.consumed..];
            }
            decoder.decode(rest, &mut []);
            assert_eq!(decoder.finish(0), Ok(summary), "{seed}");
            assert!(fast == careful, "{seed}");
        }
    }

    #[test]
    fn it_goes_on_until_a_margin_is_reached() {
        // Literals of one byte: each step takes two bytes and writes one.
        let input = [0; 2 * 200];
        for (taken, room) in
            [(0, 10), (0, OUTPUT_MARGIN - 1), (1, OUTPUT_MARGIN), (6, OUTPUT_MARGIN + 5)]
        {
            let (mut at, mut to) = (0, 0);
            run(&input, &mut vec![0xA5; room], &mut at, &mut to);
            assert_eq!((at, to), (2 * taken, taken), "{room} bytes of room");
            let (mut at, mut to) = (0, 0);
            assert_eq!(walk(&input, 0, room as u64, &mut at, &mut to), 0);
            assert_eq!((at, to), (2 * taken, taken as u64), "{room} bytes of room");
        }
        let mut output = [0xA5; 1000];
        for (taken, len) in
            [(0, INPUT_MARGIN - 1), (1, INPUT_MARGIN), (1, INPUT_MARGIN + 1), (2, INPUT_MARGIN + 2)]
        {
            let (mut at, mut to) = (0, 0);
            run(&input[..len], &mut output, &mut at, &mut to);
            assert_eq!((at, to), (2 * taken, taken), "{len} bytes of input");
        }
    }

    #[test]
    fn it_leaves_to_the_careful_loop_what_is_not_plain() {
        for token in [&[0xFF][..], &[0xFE], &[0xC0, 0x00]] {
            // A run and a literal, then a token that is not plain: a copy from before the output.
            let mut input = if token.len() == 2 { vec![] } else { vec![0x40, 0x00, 7] };
            input.extend_from_slice(token);
            input.resize(200, 0);
            let mut output = [0xA5; 1000];
            let (mut at, mut to) = (0, 0);
            run(&input, &mut output, &mut at, &mut to);
            // The literal belongs to the same step as the token after it.
            let stops = if token.len() == 2 { (0, 0) } else { (1, 2) };
            assert_eq!((at, to), stops, "{token:?}");
            let (mut at, mut to) = (0, 0);
            walk(&input, 0, 1000, &mut at, &mut to);
            assert_eq!((at, to), (stops.0, stops.1 as u64), "{token:?}");
        }
    }
}
