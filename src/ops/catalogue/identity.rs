//! The identity of an archive: one digest over names, sizes and contents, whatever the format.
//!
//! The rule is in the guide (`src/guide/snapshots.md`), so that others can compute the same digest:
//!
//! 1. In names, `\` becomes `/`, and ASCII letters become lower case. If several entries then have the same name,
//!    the first one counts.
//! 2. Each has a line: the SHA-256 of its content in hexadecimal digits, its size, and its name, separated by
//!    spaces, with `\n` at the end. In the name a byte below 0x20 or equal to 0x7F is written as `\xHH`.
//! 3. The lines are sorted by the bytes of the names. The identity is the SHA-256 of all of them.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use super::sum::Sum;
use crate::archive::RawName;

/// The files of an archive that count for its identity, as they are found.
#[derive(Debug, Default)]
pub struct Identity {
    /// The size and the SHA-256 of each file, by its name.
    files: HashMap<Vec<u8>, (u64, [u8; 32])>,
    bytes: u64,
}

impl Identity {
    /// Adds an entry. Entries must be added in the archive's order.
    pub fn add(&mut self, name: RawName<'_>, size: u64, sha256: [u8; 32]) {
        let mut name = name.as_bytes().to_ascii_lowercase();
        for byte in &mut name {
            if *byte == b'\\' {
                *byte = b'/';
            }
        }
        self.files.entry(name).or_insert_with(|| {
            self.bytes = self.bytes.saturating_add(size);
            (size, sha256)
        });
    }

    /// The number of files that count.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files.len() as u64
    }

    /// The sum of their sizes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The digest, in 64 hexadecimal digits.
    #[must_use]
    pub fn digest(self) -> String {
        let mut files: Vec<_> = self.files.into_iter().collect();
        files.sort_unstable();
        let mut whole = Sha256::new();
        for (name, (size, sha256)) in files {
            whole.update(format!("{} {size} ", Sum::Sha256(sha256)));
            for byte in name {
                match byte {
                    0..0x20 | 0x7F => whole.update(format!("\\x{byte:02x}")),
                    _ => whole.update([byte]),
                }
            }
            whole.update("\n");
        }
        Sum::Sha256(whole.finalize().into()).to_string()
    }
}
