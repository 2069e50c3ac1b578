//! What a file is read from: from any place, as far as it is worth it; and numbers out of its bytes.

use std::io;

/// How much of a file's beginning is read for its header: up to where an SWL says where its mips lie.
pub const START: usize = 1116;

/// The bytes of a file, read where they are needed.
pub trait Source {
    /// How long the whole file is.
    fn size(&self) -> u64;

    /// Reads what stands from `offset` on, and says how much that was: less than `buffer` holds where
    /// the file ends, or where reading on would cost more than it is worth.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

impl Source for &[u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.get(at..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}

/// The bytes from `at` on, so many.
fn bytes<const N: usize>(of: &[u8], at: usize) -> Option<[u8; N]> {
    of.get(at..)?.first_chunk().copied()
}

/// A number of 8 bits.
pub(super) fn byte(of: &[u8], at: usize) -> Option<u8> {
    of.get(at).copied()
}

/// A number of 16 bits, least byte first.
pub(super) fn short(of: &[u8], at: usize) -> Option<u16> {
    bytes(of, at).map(u16::from_le_bytes)
}

/// A signed one.
pub(super) fn signed_short(of: &[u8], at: usize) -> Option<i16> {
    bytes(of, at).map(i16::from_le_bytes)
}

/// A number of 32 bits, least byte first.
pub(super) fn long(of: &[u8], at: usize) -> Option<u32> {
    bytes(of, at).map(u32::from_le_bytes)
}

/// A signed one.
pub(super) fn signed_long(of: &[u8], at: usize) -> Option<i32> {
    bytes(of, at).map(i32::from_le_bytes)
}

/// A number of 16 bits, greatest byte first.
pub(super) fn big_short(of: &[u8], at: usize) -> Option<u16> {
    bytes(of, at).map(u16::from_be_bytes)
}

/// A number of 32 bits, greatest byte first.
pub(super) fn big_long(of: &[u8], at: usize) -> Option<u32> {
    bytes(of, at).map(u32::from_be_bytes)
}

/// A number of 32 bits with a point, where it is one.
pub(super) fn float(of: &[u8], at: usize) -> Option<f32> {
    let number = bytes(of, at).map(f32::from_le_bytes)?;
    number.is_finite().then_some(number)
}

/// The text in a field of this length, up to its first NUL.
pub(super) fn text(of: &[u8], at: usize, len: usize) -> Option<&[u8]> {
    let field = of.get(at..)?.get(..len)?;
    field.split(|byte| *byte == 0).next()
}
