//! Checked reads of numbers and slices from bytes that may end too soon.

/// The bytes end before the end of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short {
    /// What is missing.
    pub what: &'static str,
    /// Where the field begins.
    pub offset: u64,
    /// How long it should be.
    pub expected: u64,
    /// How many bytes are left.
    pub found: u64,
}

/// The `N` bytes at `at`, or zeros beyond the end, for callers that have checked the length.
#[inline]
pub(crate) fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let chunk = bytes.get(at..).and_then(|rest| rest.first_chunk());
    chunk.copied().unwrap_or([0; N])
}

/// The little-endian number of two bytes at `at`, as `array_at` reads it.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array_at(bytes, at))
}

/// The number of four bytes.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

/// The number of eight bytes.
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

/// A position in some bytes. Each read advances it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of `bytes`.
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Another position in the same bytes. It may be beyond their end; then reads fail.
    pub(crate) const fn at(self, offset: usize) -> Self {
        Self { at: offset, ..self }
    }

    /// The position, counted from the beginning.
    pub(crate) const fn position(self) -> usize {
        self.at
    }

    /// All bytes, regardless of the position.
    pub(crate) const fn all(self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes from the position to the end.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Advances without reading.
    pub(crate) const fn skip(&mut self, len: usize) {
        self.at = self.at.saturating_add(len);
    }

    /// The next `len` bytes.
    pub(crate) fn take(&mut self, what: &'static str, len: usize) -> Result<&'a [u8], Short> {
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.get(..len));
        let Some(bytes) = bytes else {
            return Err(Short {
                what,
                offset: self.at as u64,
                expected: len as u64,
                found: self.rest().len() as u64,
            });
        };
        self.skip(len);
        Ok(bytes)
    }

    /// The next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Short> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(what, N)?);
        Ok(array)
    }

    /// A byte.
    pub(crate) fn u8(&mut self, what: &'static str) -> Result<u8, Short> {
        self.array(what).map(u8::from_le_bytes)
    }

    /// 16 bits, little-endian, like all numbers here unless their name says otherwise.
    pub(crate) fn u16(&mut self, what: &'static str) -> Result<u16, Short> {
        self.array(what).map(u16::from_le_bytes)
    }

    /// 32 bits.
    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, Short> {
        self.array(what).map(u32::from_le_bytes)
    }

    /// 32 bits, signed.
    pub(crate) fn i32(&mut self, what: &'static str) -> Result<i32, Short> {
        self.array(what).map(i32::from_le_bytes)
    }

    /// 32 bits, big-endian.
    pub(crate) fn u32_be(&mut self, what: &'static str) -> Result<u32, Short> {
        self.array(what).map(u32::from_be_bytes)
    }

    /// A floating-point number of 32 bits.
    pub(crate) fn f32(&mut self, what: &'static str) -> Result<f32, Short> {
        self.array(what).map(f32::from_le_bytes)
    }

    /// 32 bits that are a length or an offset in memory, or `usize::MAX` if they do not fit.
    pub(crate) fn size(&mut self, what: &'static str) -> Result<usize, Short> {
        Ok(usize::try_from(self.u32(what)?).unwrap_or(usize::MAX))
    }

    /// A text in a field of `len` bytes, up to its first NUL.
    pub(crate) fn text(&mut self, what: &'static str, len: usize) -> Result<&'a [u8], Short> {
        let field = self.take(what, len)?;
        let end = field.iter().position(|byte| *byte == 0);
        Ok(field.get(..end.unwrap_or(len)).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_move_on_and_say_what_is_missing() {
        let mut cursor = Cursor::new(b"\x01\x02\x03ab\0cd\x04");
        assert_eq!(cursor.u8("a"), Ok(1));
        assert_eq!(cursor.u16("b"), Ok(0x0302));
        assert_eq!(cursor.text("c", 5), Ok(&b"ab"[..]));
        let short = Short { what: "d", offset: 8, expected: 4, found: 1 };
        assert_eq!(cursor.u32("d"), Err(short));
        // A failed read does not advance.
        assert_eq!((cursor.position(), cursor.rest()), (8, &b"\x04"[..]));
        assert_eq!(cursor.at(usize::MAX).rest(), b"");
        assert!(cursor.at(usize::MAX).take("e", 0).is_err());
        assert_eq!(cursor.at(0).u32_be("f"), Ok(0x0102_0361));
    }
}
