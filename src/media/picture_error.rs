//! Why a picture cannot be decoded.

use crate::archive::bytes::Short;

/// Why a file does not become pixels.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// It is no picture, or none of a format that is decoded.
    #[error("it is not a picture of a known format")]
    NotAPicture,
    /// PNG and JPEG are not decoded: every program shows them as they are.
    #[error("a file of type {0} stays as it is and is not decoded")]
    PassThrough(&'static str),
    /// A sprite of Quake II has no pixels, only the names of pictures.
    #[error("a sprite of Quake II has no pixels of its own, it names its {0} pictures")]
    NamesOnly(usize),
    /// The file ends before something that its header says is there.
    #[error(
        "{what} should lie at byte {offset} with a length of {expected}, and {found} bytes are there"
    )]
    Short {
        /// What is missing.
        what: &'static str,
        /// Where it should begin.
        offset: u64,
        /// How many bytes it should have.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// A number in the file is none that it can be.
    #[error("{what} at byte {offset} is {found}, and should be {expected}")]
    Value {
        /// What the number says.
        what: &'static str,
        /// Where it stands.
        offset: u64,
        /// What it could be.
        expected: &'static str,
        /// What it is.
        found: i64,
    },
    /// The pixels would take more memory than is allowed.
    #[error("it has at least {found} pixels, and at most {most} are decoded")]
    TooManyPixels {
        /// How many there are, up to where counting ended.
        found: u64,
        /// How many are allowed.
        most: u64,
    },
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
