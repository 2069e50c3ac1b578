//! Sums up contents as they are read.

use sha2::{Digest as _, Sha256};

use crate::archive::snapshot::{Hash, Sums};

/// Sums up a content by the hashes that are wanted.
#[derive(Debug)]
pub(in crate::ops::read) struct Summer {
    crc32: Option<crc32fast::Hasher>,
    sha256: Option<Sha256>,
}

impl Summer {
    pub(in crate::ops::read) fn new(wanted: &[Hash]) -> Self {
        Self {
            crc32: wanted.contains(&Hash::Crc32).then(Default::default),
            sha256: wanted.contains(&Hash::Sha256).then(Default::default),
        }
    }

    pub(in crate::ops::read) fn update(&mut self, piece: &[u8]) {
        if let Some(crc32) = &mut self.crc32 {
            crc32.update(piece);
        }
        if let Some(sha256) = &mut self.sha256 {
            sha256.update(piece);
        }
    }

    pub(in crate::ops::read) fn finish(self) -> Sums {
        Sums {
            crc32: self.crc32.map(crc32fast::Hasher::finalize),
            sha256: self.sha256.map(|sha256| sha256.finalize().into()),
        }
    }
}
