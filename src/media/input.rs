//! A picture's bytes, read with errors that say what is missing and where; and what bounds its pixels.

pub(super) use super::picture_error::PictureError;
use super::source::{byte, long, short, signed_long};

/// A number of the file as a length or a place in memory. One that does not fit is larger than any.
pub(super) fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// All bytes of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input<'a>(pub(super) &'a [u8]);

impl<'a> Input<'a> {
    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    /// How many bytes there are from `at` on.
    pub(super) fn left(self, at: usize) -> usize {
        self.len().saturating_sub(at)
    }

    fn missing(self, what: &'static str, at: usize, expected: usize) -> PictureError {
        PictureError::Short {
            what,
            offset: at as u64,
            expected: expected as u64,
            found: self.left(at).min(expected) as u64,
        }
    }

    /// `len` bytes at `at`.
    pub(super) fn take(
        self,
        what: &'static str,
        at: usize,
        len: usize,
    ) -> Result<&'a [u8], PictureError> {
        let bytes = self.0.get(at..).and_then(|rest| rest.get(..len));
        bytes.ok_or_else(|| self.missing(what, at, len))
    }

    pub(super) fn byte(self, what: &'static str, at: usize) -> Result<u8, PictureError> {
        byte(self.0, at).ok_or_else(|| self.missing(what, at, 1))
    }

    pub(super) fn short(self, what: &'static str, at: usize) -> Result<u16, PictureError> {
        short(self.0, at).ok_or_else(|| self.missing(what, at, 2))
    }

    pub(super) fn long(self, what: &'static str, at: usize) -> Result<u32, PictureError> {
        long(self.0, at).ok_or_else(|| self.missing(what, at, 4))
    }

    pub(super) fn signed_long(self, what: &'static str, at: usize) -> Result<i32, PictureError> {
        signed_long(self.0, at).ok_or_else(|| self.missing(what, at, 4))
    }

    /// A width and a height of 32 bits, one behind the other.
    pub(super) fn sides(self, at: usize) -> Result<(u32, u32), PictureError> {
        let width = self.long("the width", at)?;
        Ok((width, self.long("the height", at.saturating_add(4))?))
    }
}

/// A number that cannot be.
pub(super) fn wrong(
    what: &'static str,
    at: usize,
    expected: &'static str,
    found: impl Into<i64>,
) -> PictureError {
    PictureError::Value {
        what,
        offset: at as u64,
        expected,
        found: found.into(),
    }
}

/// How many pixels may still be decoded.
#[derive(Debug)]
pub(super) struct Budget {
    most: u64,
    taken: u64,
}

impl Budget {
    pub(super) fn new(most: u64) -> Self {
        Self { most, taken: 0 }
    }

    /// The number of pixels of a picture whose size stands at byte `at`, if that many may be decoded.
    pub(super) fn area(
        &mut self,
        at: usize,
        width: u32,
        height: u32,
    ) -> Result<usize, PictureError> {
        for (what, side) in [("the width", width), ("the height", height)] {
            if side == 0 {
                return Err(wrong(what, at, "1 or more", side));
            }
        }
        let pixels = u64::from(width).saturating_mul(height.into());
        let found = self.taken.saturating_add(pixels);
        let most = self.most;
        let area = usize::try_from(pixels).ok().filter(|_| found <= most);
        let area = area.ok_or(PictureError::TooManyPixels { found, most })?;
        self.taken = found;
        Ok(area)
    }
}
