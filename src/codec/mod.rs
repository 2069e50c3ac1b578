//! Daikatana's compressed stream: bytes to bytes, no file, no archive, no name.
//!
//! The scheme is a run-length coder with back references over a window of 257 bytes. A stream is
//! a row of tokens, each begun by a control byte; the table of them is [`grammar`]. It has no
//! header and does not say how much it decodes to: the archive around it does, and most doors
//! here take that size.
//!
//! # By hand
//!
//! ```text
//! 03 61 62 63 64   literal of 4 bytes            abcd
//! C1 02            copy of 3 from 2 + 2 back     abcd abc
//! 42               zero run of 4                 abcd abc 0000
//! 82 78            byte run of 4 times 78        abcd abc 0000 xxxx
//! FF               end
//! ```
//!
//! ```
//! use daisho::codec::{Profile, Reserved, decode_into, encode};
//!
//! let stream = b"\x03abcd\xC1\x02\x42\x82x\xFF";
//! let mut content = [0; 15];
//! decode_into(stream, &mut content, Reserved::Skip)?;
//! assert_eq!(&content, b"abcdabc\0\0\0\0xxxx");
//!
//! // And back: never larger than the smallest stream there is.
//! assert!(encode(&content, Profile::Compatible).len() <= stream.len());
//! # Ok::<(), daisho::codec::DecodeError>(())
//! ```
//!
//! # The doors
//!
//! | you have                                      | use                                         |
//! |-----------------------------------------------|---------------------------------------------|
//! | a whole stream and room for what it holds     | [`decode_into`]                             |
//! | pieces of either, and no I/O                  | [`Decoder`]                                 |
//! | a `BufRead`, and want a `Read`                | [`DecodeReader`]                            |
//! | a stream, and want to know if it is sound     | [`walk`], [`Walker`]; [`judge`] for `0xFE`  |
//! | content in memory                             | [`encode()`], [`Encoder`]                   |
//! | more content than memory, or several threads  | [`BlockEncoder`]                            |
//!
//! # What holds
//!
//! - No input makes a decoder panic, loop, allocate by what a stream claims, or write beyond the
//!   slice it was given. Damage is a [`DecodeError`] that names the byte on both sides and the
//!   numbers that disagree.
//! - What is odd but readable (no end marker, bytes behind it, the reserved byte `0xFE`) is a
//!   [`Warning`] in the [`Summary`], not an error.
//! - The result, errors included, does not depend on how a stream is cut into pieces, nor on what
//!   the output held before.
//! - An encoder's stream is the smallest there is under its [`Profile`], and the same whatever
//!   the number of threads that coded its blocks.
//!
//! This module names `core` and `alloc` only, but for the one file that adapts the decoder to
//! `std::io`.

// Nothing that a stranger's bytes could make panic, and no exception without its reason.
#![deny(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason
)]

mod decode;
mod encode;
pub mod grammar;

pub(crate) use decode::Bytes;
pub use decode::{
    DecodeError, DecodeErrorKind, DecodeReader, Decoder, End, Progress, Reserved, Status, Summary,
    Unreadable, Walk, Walker, Warning, decode_into, judge, walk,
};
pub use encode::{BLOCK, BlockEncoder, END_MARKER, Encoder, Parse, Profile, encode, encode_bound};
pub use grammar::could_hold;
