//! Daikatana's compressed stream: bytes in, bytes out, without files, archives or names.
//!
//! The scheme is a run-length coder with back references over a window of 257 bytes. This page is
//! enough to write your own decoder in any language. A [complete decoder](#a-decoder-in-a-page) follows
//! below.
//!
//! # The stream
//!
//! A stream is a sequence of tokens, and each begins with a control byte `c`. There is no header, no
//! checksum, no alignment, and no length. The decoded size is in the archive's record of the entry, and
//! most functions here take it.
//!
//! | `c`           | token     | how many bytes it writes | what follows `c`           | what it writes                       |
//! |---------------|-----------|--------------------------|----------------------------|--------------------------------------|
//! | `0x00..=0x3F` | literal   | `c + 1`, 1 to 64         | as many bytes              | those bytes                          |
//! | `0x40..=0x7F` | zero run  | `c - 62`, 2 to 65        |                            | zeros                                |
//! | `0x80..=0xBF` | byte run  | `c - 126`, 2 to 65       | one byte `b`               | `b`, again and again                 |
//! | `0xC0..=0xFD` | copy      | `c - 190`, 2 to 63       | one byte `d`               | the bytes `d + 2` back, 2 to 257 |
//! | `0xFE`        | reserved  | see [below](#the-reserved-byte) |                     |                                      |
//! | `0xFF`        | end       | nothing                  | nothing that is read       |                                      |
//!
//! - A copy goes forward byte by byte and may be longer than its distance. Then it reads what it
//!   has just written, and repeats. Decoders that call `memmove` for it get this wrong.
//! - A copy from before the first byte of the output is damage, and so is a stream that writes more
//!   or fewer bytes than its size.
//! - Distance 1 cannot be encoded; use a byte run. A run of one byte cannot be encoded either; use a
//!   literal.
//! - No token writes more than 65 bytes for each byte that it takes. So a size of more than 65
//!   times the stream's length is damage, known before anything is allocated: [`Decoder::could_hold`].
//! - The game stops at `0xFF` and nowhere else. A stream that has reached its size and ends without it
//!   is still complete, and bytes after the marker mean nothing.
//!
//! [`Token`] is that table as functions:
//!
//! ```
//! use daisho::codec::Token;
//!
//! assert_eq!(Token::from_control(0x00), Token::Literal { len: 1 });
//! assert_eq!(Token::from_control(0x3F), Token::Literal { len: 64 });
//! assert_eq!(Token::from_control(0x40), Token::ZeroRun { len: 2 });
//! assert_eq!(Token::from_control(0x7F), Token::ZeroRun { len: 65 });
//! assert_eq!(Token::from_control(0x80), Token::ByteRun { len: 2 });
//! assert_eq!(Token::from_control(0xBF), Token::ByteRun { len: 65 });
//! assert_eq!(Token::from_control(0xC0), Token::Copy { len: 2 });
//! assert_eq!(Token::from_control(0xFD), Token::Copy { len: 63 });
//! assert_eq!(Token::from_control(0xFE), Token::Reserved);
//! assert_eq!(Token::from_control(0xFF), Token::End);
//! assert_eq!((Token::distance(0x00), Token::distance(0xFF)), (2, 257));
//! ```
//!
//! # A stream byte by byte
//!
//! ```text
//! 00000000  03 61 62 63 64 c1 02 c4  00 42 82 78 ff           |.abcd....B.x.|
//! ```
//!
//! | at | bytes            | meaning                                                   | writes            |
//! |----|------------------|-----------------------------------------------------------|-------------------|
//! | 0  | `03 61 62 63 64` | a literal of `0x03 + 1` = 4 bytes                         | `abcd`            |
//! | 5  | `C1 02`          | a copy of `0xC1 - 190` = 3 from `0x02 + 2` = 4 bytes back | `abc`             |
//! | 7  | `C4 00`          | a copy of 6 from 2 bytes back, which are `bc`: it repeats | `bcbcbc`          |
//! | 9  | `42`             | a run of `0x42 - 62` = 4 zeros                            | `00 00 00 00`     |
//! | 10 | `82 78`          | a run of `0x82 - 126` = 4 times `0x78`                    | `xxxx`            |
//! | 12 | `FF`             | the end                                                   |                   |
//!
//! These 13 bytes decode to 21:
//!
//! ```
//! use daisho::codec::{Profile, Reserved, decode_into, encode};
//!
//! let stream = b"\x03abcd\xC1\x02\xC4\x00\x42\x82x\xFF";
//! let mut content = [0; 21];
//! let summary = decode_into(stream, &mut content, Reserved::Skip)?;
//! assert_eq!(&content, b"abcdabcbcbcbc\0\0\0\0xxxx");
//! assert_eq!((summary.read, summary.written), (13, 21));
//! assert_eq!(summary.warnings().count(), 0);
//!
//! // And back. An encoder's exact bytes are not promised, but none is smaller than these.
//! assert_eq!(encode(&content, Profile::Overlapping).len(), 13);
//! # Ok::<(), daisho::codec::DecodeError>(())
//! ```
//!
//! # A decoder in a page
//!
//! This is all of the format, and no more, for authors of other decoders. It reads the reserved byte as the
//! game does.
//!
//! ```
//! fn decode(stream: &[u8], size: usize) -> Option<Vec<u8>> {
//!     let mut out: Vec<u8> = Vec::new();
//!     let mut rest = stream.iter().copied();
//!     while let Some(c) = rest.next() {
//!         match c {
//!             0x00..=0x3F => {
//!                 for _ in 0..c + 1 {
//!                     out.push(rest.next()?);
//!                 }
//!             }
//!             0x40..=0x7F => out.extend(vec![0; usize::from(c) - 62]),
//!             0x80..=0xBF => out.extend(vec![rest.next()?; usize::from(c) - 126]),
//!             0xC0..=0xFD => {
//!                 let distance = usize::from(rest.next()?) + 2;
//!                 for _ in 0..c - 190 {
//!                     // Byte by byte: what was just written may be read.
//!                     let from = out.len().checked_sub(distance)?;
//!                     out.push(out[from]);
//!                 }
//!             }
//!             0xFE => {}
//!             0xFF => break,
//!         }
//!         if out.len() > size {
//!             return None;
//!         }
//!     }
//!     (out.len() == size).then_some(out)
//! }
//!
//! # use daisho::codec::{Profile, encode};
//! let content = b"to be, or not to be, that is the question: whether 'tis nobler";
//! let stream = encode(content, Profile::Compatible);
//! assert_eq!(decode(&stream, content.len()).unwrap(), content);
//! assert_eq!(decode(b"\xC0\x00\xFF", 2), None); // nothing to copy from
//! # assert_eq!(decode(b"\x03abcd\xC1\x02\xC4\x00\x42\x82x\xFF", 21).unwrap(), b"abcdabcbcbcbc\0\0\0\0xxxx");
//! ```
//!
//! # What real streams are like
//!
//! Measured on a map of 4 MB, 627 WAL textures, 157 TGA skins and 356 PCX pictures, packed as
//! Daikatana's own packer does:
//!
//! |                                 | map       | WAL  | TGA       | PCX  |
//! |---------------------------------|-----------|------|-----------|------|
//! | the stream's part of the content | 0.47-0.65 | 0.72 | 0.24-0.66 | 0.68 |
//! | bytes that a token writes       | 6.0       | 5.0  | 12.1      | 5.4  |
//! | literals, of 100 tokens         | 39        | 33   | 32        | 36   |
//! | zero runs                       | 2         | 1    | 12        | 1    |
//! | byte runs                       | 4         | 8    | 7         | 9    |
//! | copies                          | 55        | 58   | 49        | 54   |
//!
//! Tokens are short, so a decoder spends its time on finding out what comes next, not on moving bytes. That
//! packer writes zero runs of at most 64, copies of at most 62, none longer than its distance, and always
//! the end marker. Others write all that the table allows: decode all of it.
//!
//! For an encoder the reverse holds. One editor aborts on a copy that is longer than its distance and three
//! tools decode it wrongly, so [`Profile::Compatible`], the default, writes none. [`Walk::of`] tells whether
//! all known readers decode a stream alike ([`Walk::is_clean`]).
//!
//! # The reserved byte
//!
//! The game has no branch for `0xFE` and skips the byte. One third-party packer writes it for a copy of 64
//! bytes, followed by a distance, and such paks exist. Lengths and distances alone decide which reading
//! gives the declared size. So it is skipped if the stream is sound that way; otherwise it is a copy if the
//! stream is sound that way; otherwise the stream is damaged. [`Reserved::judge`] decides this for a slice. A
//! [`Decoder`] under [`Reserved::Stop`] stops before the first such byte, up to which both readings agree,
//! and goes on when the reading is [pinned](Decoder::pin): no output is ever taken back.
//!
//! ```
//! use daisho::codec::{Reserved, decode_into};
//!
//! let stream = b"\x03abcd\x7B\xFE\x3E\xFF"; // 4 letters, 61 zeros, and 0xFE
//! let reading = Reserved::judge(stream, 4 + 61 + 64).unwrap();
//! assert_eq!(reading, Reserved::Copy);
//!
//! let mut content = [0; 4 + 61 + 64];
//! let summary = decode_into(stream, &mut content, reading)?;
//! assert_eq!(&content[65..69], b"bcd\0"); // 64 bytes from 64 back
//! let warning = summary.warnings().next().unwrap();
//! assert_eq!(warning.to_string(), "control byte 0xFE at stream byte 6");
//! # Ok::<(), daisho::codec::DecodeError>(())
//! ```
//!
//! # Which function
//!
//! | you have                                      | use                                         |
//! |-----------------------------------------------|---------------------------------------------|
//! | a whole stream                                | [`decode()`], or [`decode_into`] an array     |
//! | pieces of either, and no I/O                  | [`Decoder`]                                 |
//! | a `BufRead`, and want a `Read`                | [`DecodeReader`]                            |
//! | a stream, and want to know if it is sound     | [`Walk::of`], [`Walker`]; [`Reserved::judge`] for `0xFE` |
//! | content in memory                             | [`encode()`], [`Encoder`]                   |
//! | more content than memory, or several threads  | [`BlockEncoder`]                            |
//!
//! In pieces, for a program that gets its input from anywhere and has little memory:
//!
//! ```
//! use daisho::codec::{Decoder, Reserved, Status};
//!
//! let stream = b"\x03abcd\xC1\x02\xC4\x00\x42\x82x\xFFnot of the stream";
//! let mut decoder = Decoder::new(Some(21), Reserved::Skip);
//! let (mut room, mut content, mut rest) = ([0_u8; 8], Vec::<u8>::new(), &stream[..]);
//! let tail = loop {
//!     let piece = &rest[..rest.len().min(3)]; // what has arrived so far
//!     let progress = decoder.decode(piece, &mut room);
//!     content.extend(&room[..progress.produced]);
//!     rest = &rest[progress.consumed..];
//!     match progress.status? {
//!         Status::Done => break rest.len() as u64,
//!         Status::NeedInput if rest.is_empty() => break 0, // it just ends
//!         Status::NeedInput | Status::NeedOutput => {}
//!         Status::Reserved => unreachable!("only under Reserved::Stop"),
//!     }
//! };
//! let summary = decoder.finish(tail)?;
//! assert_eq!(content, b"abcdabcbcbcbc\0\0\0\0xxxx");
//! assert_eq!((summary.read, summary.tail), (13, 17));
//! # Ok::<(), daisho::codec::DecodeError>(())
//! ```
//!
//! # When a stream is damaged
//!
//! The [kind](DecodeError::kind) of a [`DecodeError`] says which numbers disagree; it also holds the offset
//! in input and output. All output before it is correct.
//!
//! ```
//! use daisho::codec::{DecodeErrorKind, Reserved, decode_into};
//!
//! let mut content = [0; 64];
//! let error = decode_into(b"\x03abcd\xC1\x03\xFF", &mut content, Reserved::Skip).unwrap_err();
//! assert_eq!(error.kind(), DecodeErrorKind::BeforeStart { distance: 5 });
//! assert_eq!((error.input(), error.output()), (5, 4)); // the copy's place, and its output's
//! assert_eq!(&content[..4], b"abcd");
//! assert_eq!(
//!     error.to_string(),
//!     "copy at stream byte 5 reaches 5 bytes back, but only 4 have been written"
//! );
//! ```
//!
//! # Guarantees
//!
//! - No input makes a decoder panic, loop, allocate a claimed size, or write beyond the
//!   slice it was given. Damage is a [`DecodeError`] that names the byte offset in input and output and the
//!   numbers that disagree.
//! - Unusual but readable streams (no end marker, bytes after it, the reserved byte `0xFE`) give a
//!   [`Warning`] in the [`StreamSummary`], not an error.
//! - The result, errors included, does not depend on how a stream is cut into pieces, nor on the old content
//!   of the output.
//! - An encoder's stream is the smallest one that its [`Profile`] allows. It does not depend on the number
//!   of threads that encoded its blocks.
//!
//! This module uses `core` and `alloc` only, except for the one file that adapts the decoder to `std::io`.

// Nothing that input could make panic, and no exception without its reason.
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
pub(crate) mod grammar;

pub(crate) use decode::Bytes;
pub use decode::{
    DecodeError, DecodeErrorKind, DecodeReader, Decoder, End, Progress, Reserved, Status,
    StreamSummary, Unreadable, Walk, Walker, Warning, decode, decode_into,
};
pub(crate) use encode::END_MARKER;
pub use encode::{BlockEncoder, Encoder, encode};
pub use grammar::{Profile, Token};
