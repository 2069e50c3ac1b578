//! The block door: a whole stream in memory, decoded into a slice of exactly the declared size.

use super::error::DecodeError;
use super::machine::Machine;
use super::outcome::{Reserved, Summary};

/// Decodes the whole of `stream` into the whole of `output`.
///
/// `output` is exactly as long as what the stream is declared to decode to. What it held before
/// does not matter. After an error everything before the error's output offset is sound, and what
/// is behind it may be anything; so it is where [`Reserved::Stop`] stops.
/// What follows the end marker is not read; it is told of in [`Summary::tail`].
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
/// The first thing in the stream that is wrong, a length other than that of `output` included.
pub fn decode_into(
    stream: &[u8],
    output: &mut [u8],
    reserved: Reserved,
) -> Result<Summary, DecodeError> {
    let mut machine = Machine::new(Some(output.len() as u64), reserved);
    let progress = machine.run(&[], stream, output);
    progress.status?;
    machine.finish((stream.len() - progress.consumed) as u64)
}
