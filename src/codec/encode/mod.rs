//! The encoder: produces the smallest possible stream for a content.
//!
//! It has three steps. Each is linear in the input, and its speed does not depend on the content:
//!
//! | step     | direction | result                                                         |
//! |----------|-----------|----------------------------------------------------------------|
//! | `find`   | backward  | the length of the longest copy at each position                |
//! | `choose` | backward  | the token at each position that makes the rest of the stream smallest |
//! | `emit`   | forward   | the distances of the chosen copies, and the stream             |
//!
//! The steps share one buffer with one byte for each byte of input: first the longest copy, then, in the
//! same place, the control byte.
//!
//! # Which stream
//!
//! The stream is the smallest one that the [`Profile`](crate::codec::Profile) allows, and has the fewest tokens of
//! all smallest ones. Do not rely on the exact bytes: another version may choose another of these streams. The same
//! input gives the same stream on every machine. It never uses the reserved control byte `0xFE`, and its only end
//! marker `0xFF` is its last byte.
//!
//! # Which function
//!
//! [`encode`] and [`Encoder::encode`] take a slice and are exact. They need one byte of memory for each
//! byte of input, plus the stream. [`BlockEncoder`] takes pieces and needs 2 MiB for one [`BlockEncoder::BLOCK`],
//! however long the input is; each cut costs at most 3 bytes above the optimum. (A token that spans the cut becomes
//! two. The second header of a literal is 1 byte, a second run or copy 2. A zero run that leaves a single
//! zero on either side costs 2, or 3 if it was a run of two.) [`Encoder::encode_block`] is the part of it
//! that threads can share.

mod blocks;
mod choose;
mod emit;
mod encoder;
mod find;

pub use blocks::BlockEncoder;
pub(crate) use encoder::END_MARKER;
pub use encoder::{Encoder, encode};
