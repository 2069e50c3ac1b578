//! What a fuzzer makes up, read as a row of choices, so that most of it means something and each
//! bit of it matters.

use crate::archive::build::PACKS;
use daisho::Format;

/// The input as a row of choices; zeros where it is over.
#[derive(Debug)]
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl<'a> Choices<'a> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *byte
    }

    pub(crate) fn number(&mut self) -> u32 {
        u32::from_le_bytes([(); 4].map(|()| self.byte()))
    }

    /// Below `limit`, which is at most 2^16.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let value = match limit {
            ..=256 => usize::from(self.byte()),
            _ => usize::from(self.byte()) << 8 | usize::from(self.byte()),
        };
        value % limit
    }

    pub(crate) fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        taken
    }

    pub(crate) fn format(&mut self) -> Format {
        PACKS[self.below(2)]
    }

    /// A name such as files have, of at most 55 bytes.
    pub(crate) fn file_name(&mut self) -> Vec<u8> {
        let mut name = Vec::new();
        for _ in 0..self.below(3) {
            let folder = ["maps", "textures", "e1", "sound", "x"][self.below(5)];
            name.extend(folder.as_bytes());
            name.push(b'/');
        }
        for _ in 0..1 + self.below(20) {
            name.push(b"abcdefghijklmnopqrstuvwxyz_-0123456789ABC"[self.below(41)]);
        }
        let kind = ["tga", "wav", "bsp", "cfg", "wal", "dkm", "pcx", "rc", "lmp", "bmp"];
        name.push(b'.');
        name.extend(kind[self.below(10)].as_bytes());
        name
    }
}
