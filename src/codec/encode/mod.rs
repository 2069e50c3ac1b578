//! The encoder: the smallest stream that there is for a content.
//!
//! Three steps, each linear in the input, and each as fast for one content as for another:
//!
//! | step     | direction | what it finds out                                              |
//! |----------|-----------|----------------------------------------------------------------|
//! | `find`   | backward  | how long the longest copy is at each position                  |
//! | `choose` | backward  | which token at each position makes the rest of the stream smallest |
//! | `emit`   | forward   | the distances of the copies that were chosen, and the stream   |
//!
//! One byte for each byte of input is all that passes between them: first the longest copy,
//! then, in its place, the control byte.
//!
//! # Which stream
//!
//! The smallest for the [`Profile`], down to the byte, and among the smallest one with the fewest
//! tokens. Which of those is not promised: do not rely on the exact bytes. The same input gives
//! the same stream on every machine. It never holds the reserved byte `0xFE`, and ends in `0xFF`,
//! which stands nowhere else as a control byte.
//!
//! # Which door
//!
//! [`encode`] and [`Encoder::encode`] take a slice and are exact, in memory of one byte for each
//! byte of input, beside the stream. [`BlockEncoder`] takes pieces and needs memory for one
//! [`BLOCK`] however long the input is, 2 MiB; it is at most 3 bytes above the optimum for each
//! cut. (A token that spans the cut becomes two. The second header of a literal is 1 byte, a
//! second run or copy 2; a zero run that leaves a single zero on either side, 2, or 3 if it was
//! one of two.) [`Encoder::encode_block`] is the part of it that threads can share.

mod blocks;
mod choose;
mod emit;
mod encoder;
mod find;
mod profile;

pub use blocks::{BLOCK, BlockEncoder};
pub use encoder::{END_MARKER, Encoder, Parse, encode, encode_bound};
pub use profile::Profile;
