//! The fast loop: the same tokens as the careful one, where there is room to be generous.
//!
//! # What it assumes, and what that buys
//!
//! - **[`INPUT_MARGIN`] bytes of input and [`OUTPUT_MARGIN`] of output are left**, more than any
//!   step takes. So a step checks once, and then copies pieces of a fixed 16, 32 or 48 bytes,
//!   which are a few wide moves, where exact lengths would be calls into `memcpy`. What is
//!   written too much is written over by the next token; behind the last one the careful loop
//!   goes on well before the slices end.
//! - **A step is a sequence: a literal that may be absent, then a token of another class.** In
//!   real streams a literal is followed by a copy nine times out of ten, so the branch that asks
//!   for the class of that second token is foreseen well, while "literal or not?" is a toss-up
//!   after a copy. So that question is no branch: an absent literal is one of no bytes. This is
//!   what made the difference: 2.6 times a loop of `memmove` and `memset` calls on the map
//!   sample, where one token a step made 2.1, and where what bounds both is the next control
//!   byte, which cannot be found before the last one was understood.
//! - **Damage is none of its business.** A token that is anything but plain (a copy from before
//!   this slice, the reserved byte, the end) is left to the careful loop, unread.
//!
//! The decoded bytes are always those of the careful loop; a test forces each side of each
//! margin.

use crate::codec::grammar::{self, Token};

/// More input than a step takes: a literal, then a token with one operand, 68 bytes.
pub(super) const INPUT_MARGIN: usize = 80;
/// More output than a step touches: a literal, then the longest run or copy and its pieces'
/// overhang, 64 + 80 bytes.
pub(super) const OUTPUT_MARGIN: usize = 160;

const _: () = {
    assert!(1 + grammar::LITERAL_MAX + 2 <= INPUT_MARGIN);
    assert!(grammar::LITERAL_MAX + grammar::RUN_MAX.next_multiple_of(16) <= OUTPUT_MARGIN);
};

/// Decodes from `at` in `input` to `to` in `output`, and leaves both between two tokens.
#[inline]
pub(super) fn run(input: &[u8], output: &mut [u8], at: &mut usize, to: &mut usize) {
    let (mut i, mut o) = (*at, *to);
    while let Some(ahead) = input.get(i..).and_then(<[u8]>::first_chunk::<INPUT_MARGIN>)
        && output.len().saturating_sub(o) >= OUTPUT_MARGIN
    {
        let literal = grammar::literal_len(ahead[0]);
        put::<16>(output, o, piece(ahead, 1));
        if literal > 16 {
            put::<48>(output, o + 16, piece(ahead, 17));
        }
        let mut next = 0;
        if literal > 0 {
            next = literal + 1;
        }
        o += literal;
        i += next;
        match Token::from_control(byte(ahead, next)) {
            Token::Copy { len } => {
                let (len, distance) = (usize::from(len), grammar::distance(byte(ahead, next + 1)));
                let Some(from) = o.checked_sub(distance) else {
                    break;
                };
                if len <= distance {
                    let first: [u8; 32] = piece(output, from);
                    put(output, o, first);
                    if len > 32 {
                        let second: [u8; 32] = piece(output, from + 32);
                        put(output, o + 32, second);
                    }
                } else {
                    repeat(output, from, o, len);
                }
                i += 2;
                o += len;
            }
            Token::ZeroRun { len } => {
                fill(output, o, 0, len);
                i += 1;
                o += usize::from(len);
            }
            Token::ByteRun { len } => {
                fill(output, o, byte(ahead, next + 1), len);
                i += 2;
                o += usize::from(len);
            }
            // A second literal: the next step's first token.
            Token::Literal { .. } => {}
            Token::Reserved | Token::End => break,
        }
    }
    (*at, *to) = (i, o);
}

/// The byte at `at`, which the margin has room for.
#[inline]
fn byte(ahead: &[u8; INPUT_MARGIN], at: usize) -> u8 {
    ahead.get(at).copied().unwrap_or_default()
}

#[inline]
fn piece<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(piece) => *piece,
        None => [0; N],
    }
}

#[inline]
fn put<const N: usize>(output: &mut [u8], to: usize, piece: [u8; N]) {
    if let Some(place) = output.get_mut(to..).and_then(<[u8]>::first_chunk_mut) {
        *place = piece;
    }
}

#[inline]
fn fill(output: &mut [u8], to: usize, byte: u8, len: u8) {
    put(output, to, [byte; 16]);
    if len > 16 {
        put(output, to + 16, [byte; 64]);
    }
}

/// A copy longer than its distance.
#[inline(never)]
fn repeat(output: &mut [u8], from: usize, to: usize, len: usize) {
    for k in 0..len {
        let byte = output.get(from + k).copied().unwrap_or_default();
        if let Some(place) = output.get_mut(to + k) {
            *place = byte;
        }
    }
}
