//! Decoding: one state machine, and the interfaces to it.

mod error;
mod fast;
mod machine;
mod outcome;
mod read;
mod stream;
mod walk;

pub(crate) use error::Bytes;
pub use error::{DecodeError, DecodeErrorKind};
pub use outcome::{End, Progress, Reserved, Status, StreamSummary, Warning};
pub use read::DecodeReader;
pub use stream::Decoder;
pub use walk::{Unreadable, Walk, Walker};

use super::grammar::EXPANSION_MAX;
use machine::Machine;

/// Decodes the whole of `stream`, whose content has `size` bytes.
///
/// A size that the stream is too short for is an error, and nothing is allocated for it.
///
/// ```
/// use daisho::codec::{Reserved, decode};
///
/// // A literal of 4 bytes, a copy of 3 from 4 bytes back, a run of 2 zeros, the end.
/// assert_eq!(decode(b"\x03abcd\xC1\x02\x40\xFF", 9, Reserved::Skip)?, b"abcdabc\0\0");
/// assert!(decode(b"\x03abcd\xFF", u64::MAX, Reserved::Skip).is_err());
/// # Ok::<(), daisho::codec::DecodeError>(())
/// ```
///
/// Under [`Reserved::Stop`] a reserved byte is an error, as under [`Reserved::Error`]: there is nothing to go on with.
///
/// # Errors
///
/// As [`decode_into`].
pub fn decode(stream: &[u8], size: u64, reserved: Reserved) -> Result<Vec<u8>, DecodeError> {
    let most = (stream.len() as u64).saturating_mul(EXPANSION_MAX);
    let mut output = vec![0; usize::try_from(size.min(most)).unwrap_or(usize::MAX)];
    finish_into(Machine::new(Some(size), reserved.or_error()), stream, &mut output)?;
    Ok(output)
}

/// Decodes the whole of `stream` into the whole of `output`.
///
/// `output` must be as long as the declared size. Its old content does not matter. After an error, the
/// bytes before the error's output offset are correct, and the bytes after it are undefined. The same holds
/// if decoding stops at [`Reserved::Stop`]. Bytes after the end marker are not read; their number is in
/// [`StreamSummary::tail`].
///
/// ```
/// use daisho::codec::{Reserved, decode_into};
///
/// // A literal of 4 bytes, a copy of 3 from 4 bytes back, a run of 2 zeros, the end.
/// let stream = b"\x03abcd\xC1\x02\x40\xFF";
/// let mut output = [0xAA; 9];
/// let summary = decode_into(stream, &mut output, Reserved::Skip)?;
/// assert_eq!(&output, b"abcdabc\0\0");
/// assert_eq!(summary.warnings().count(), 0);
/// # Ok::<(), daisho::codec::DecodeError>(())
/// ```
///
/// # Errors
///
/// The first damage in the stream, or a decoded length that differs from the length of `output`.
pub fn decode_into(
    stream: &[u8],
    output: &mut [u8],
    reserved: Reserved,
) -> Result<StreamSummary, DecodeError> {
    let machine = Machine::new(Some(output.len() as u64), reserved);
    finish_into(machine, stream, output)
}

fn finish_into(
    mut machine: Machine,
    stream: &[u8],
    output: &mut [u8],
) -> Result<StreamSummary, DecodeError> {
    let progress = machine.run(&[], stream, output);
    progress.status?;
    machine.finish((stream.len() - progress.consumed) as u64)
}

#[cfg(test)]
mod tests;
