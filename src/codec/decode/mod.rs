//! Decoding: one state machine, and the interfaces to it.

mod block;
mod error;
mod fast;
mod machine;
mod outcome;
mod progress;
mod read;
mod stream;
mod walk;

pub use block::decode_into;
pub(crate) use error::Bytes;
pub use error::{DecodeError, DecodeErrorKind};
pub use outcome::{End, Reserved, Summary, Warning};
pub use progress::{Progress, Status};
pub use read::DecodeReader;
pub use stream::Decoder;
pub use walk::{Unreadable, Walk, Walker};

#[cfg(test)]
mod tests;
