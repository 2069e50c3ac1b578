//! Hashes: where the bytes at a position are looked up.

use super::symbols::DISTANCE_MAX;
use super::table::four;

/// A hash of `bits` bits.
#[inline]
pub(super) fn hash(bytes: u32, bits: u32) -> usize {
    (bytes.wrapping_mul(0x9E37_79B1) >> (32 - bits)) as usize
}

/// A position as it is kept: its low 16 bits, which tell any distance within reach.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is kept"
)]
pub(super) const fn low(position: usize) -> u16 {
    position as u16
}

/// Whether the three bytes at a position, behind which stands one more, also stand so far before it.
#[inline]
pub(super) fn is_three(text: &[u8], at: usize, distance: usize) -> bool {
    let is_near = (1..=DISTANCE_MAX.min(at)).contains(&distance);
    is_near && (four(text, at - distance) ^ four(text, at)) << 8 == 0
}
