//! Daikatana's compressed stream: bytes to bytes, no file, no archive, no name.

mod decode;
mod encode;
pub mod grammar;

pub use decode::{
    DecodeError, DecodeErrorKind, DecodeReader, Decoder, End, Progress, Reserved, Status, Summary,
    Unreadable, Walk, Walker, Warning, decode_into, judge, walk,
};
pub use encode::{BLOCK, BlockEncoder, END_MARKER, Encoder, Parse, Profile, encode, encode_bound};
pub use grammar::could_hold;
