//! Why a picture cannot be decoded.

use crate::archive::bytes::Short;

/// Why a file cannot be decoded into pixels.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// It is not a picture, or its format is not decoded.
    #[error("it is not a picture of a known format")]
    NotAPicture,
    /// PNG and JPEG are not decoded: every program shows them as they are.
    #[error("a file of type {0} stays as it is and is not decoded")]
    PassThrough(&'static str),
    /// A sprite of Quake II has no pixels, only names of pictures.
    #[error("a sprite of Quake II has no pixels of its own, it names its {0} pictures")]
    NamesOnly(usize),
    /// The file ends before a part that its header describes.
    #[error(
        "{what} should be {} long at byte {offset}, but only {} {} there",
        bytes(*expected),
        bytes(*found),
        if *found == 1 { "is" } else { "are" }
    )]
    Short {
        /// What is missing.
        what: &'static str,
        /// The offset of the part.
        offset: u64,
        /// Its expected length.
        expected: u64,
        /// How many bytes there are.
        found: u64,
    },
    /// A number in the file is impossible.
    #[error("{what} at byte {offset} is {found}, but should be {expected}")]
    Value {
        /// The meaning of the number.
        what: &'static str,
        /// Its offset.
        offset: u64,
        /// The possible values.
        expected: &'static str,
        /// The value found.
        found: i64,
    },
    /// The pixels would take more memory than allowed.
    #[error("it has at least {found} pixels, but daisho decodes at most {most}")]
    TooManyPixels {
        /// How many there are, up to where counting stopped.
        found: u64,
        /// How many are allowed.
        most: u64,
    },
}

/// A number of bytes in words.
fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_owned(),
        _ => format!("{count} bytes"),
    }
}

impl From<Short> for PictureError {
    fn from(short: Short) -> Self {
        let Short {
            what,
            offset,
            expected,
            found,
        } = short;
        Self::Short {
            what,
            offset,
            expected,
            found,
        }
    }
}
