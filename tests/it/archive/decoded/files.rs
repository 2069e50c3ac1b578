//! The files of `corpus/pictures`. All show the same picture, of 4 x 3.

use crate::corpus;

/// All pictures, by name and content. Beside each of them is the text that it must decode to.
pub(in crate::archive) fn all() -> Vec<(String, Vec<u8>)> {
    let mut files = corpus::files("pictures");
    files.retain(|(name, _)| !name.ends_with(".txt"));
    assert_eq!(files.len(), 27);
    files
}

/// Zeros of this length, with bytes and numbers in them.
pub(super) struct File(pub(super) Vec<u8>);

impl File {
    pub(super) fn new(len: usize) -> Self {
        Self(vec![0; len])
    }

    pub(super) fn put(mut self, at: usize, bytes: &[u8]) -> Self {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    pub(super) fn longs(self, at: usize, numbers: &[u32]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.put(at, &bytes)
    }

    pub(super) fn shorts(self, at: usize, numbers: &[u16]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.put(at, &bytes)
    }

    pub(super) fn then(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }
}
