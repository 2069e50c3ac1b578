//! Checksums of contents, of two kinds.

use core::fmt;
use std::hash::{BuildHasher as _, DefaultHasher, Hasher as _, RandomState};

use sha2::{Digest as _, Sha256};

/// A kind of checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Hash {
    /// CRC-32: detects accidents; it can be forged.
    #[default]
    Crc32,
    /// SHA-256: nobody can make two contents with the same one.
    Sha256,
}

impl Hash {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Crc32, Self::Sha256];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Crc32 => "crc32",
            Self::Sha256 => "sha256",
        }
    }
}

/// A checksum. `Display` writes lower-case hexadecimal digits: 8 for a CRC-32, 64 for a SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sum {
    /// A CRC-32.
    Crc32(u32),
    /// A SHA-256.
    Sha256([u8; 32]),
}

impl Sum {
    /// Its kind.
    #[must_use]
    pub const fn hash(&self) -> Hash {
        match self {
            Self::Crc32(_) => Hash::Crc32,
            Self::Sha256(_) => Hash::Sha256,
        }
    }

    /// Parses what `Display` writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let byte = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
        let bytes: Vec<u8> = pairs.iter().map(byte).collect::<Option<_>>()?;
        match (rest, bytes.len()) {
            ([], 4) => Some(Self::Crc32(u32::from_be_bytes(bytes.try_into().ok()?))),
            ([], 32) => Some(Self::Sha256(bytes.try_into().ok()?)),
            _ => None,
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crc32(crc32) => write!(f, "{crc32:08x}"),
            Self::Sha256(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

/// The wanted checksums of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sums {
    /// The CRC-32.
    pub crc32: Option<u32>,
    /// The SHA-256.
    pub sha256: Option<[u8; 32]>,
    /// A hash with a random key, by which the contents of one run are compared.
    pub(crate) keyed: Option<u64>,
}

impl Sums {
    /// The checksum of this kind.
    #[must_use]
    pub fn by(&self, hash: Hash) -> Option<Sum> {
        match hash {
            Hash::Crc32 => self.crc32.map(Sum::Crc32),
            Hash::Sha256 => self.sha256.map(Sum::Sha256),
        }
    }
}

/// Computes the wanted checksums of a content, piece by piece.
#[derive(Debug, Clone)]
pub struct Summer {
    crc32: Option<crc32fast::Hasher>,
    sha256: Option<Sha256>,
    keyed: Option<DefaultHasher>,
}

impl Summer {
    /// Starts with an empty content.
    #[must_use]
    pub fn new(wanted: &[Hash]) -> Self {
        Self {
            crc32: wanted.contains(&Hash::Crc32).then(Default::default),
            sha256: wanted.contains(&Hash::Sha256).then(Default::default),
            keyed: None,
        }
    }

    /// Computes a hash whose key is random, and new for each call. It is several times as fast as SHA-256, and nobody
    /// knows the key in advance, so the hashes of two different contents agree only once in 2^64, even if somebody made
    /// the contents for that purpose.
    pub(crate) fn keyed() -> Self {
        Self { keyed: Some(RandomState::new().build_hasher()), ..Self::new(&[]) }
    }

    /// Adds the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        if let Some(crc32) = &mut self.crc32 {
            crc32.update(piece);
        }
        if let Some(sha256) = &mut self.sha256 {
            sha256.update(piece);
        }
        if let Some(keyed) = &mut self.keyed {
            keyed.write(piece);
        }
    }

    /// The checksums.
    #[must_use]
    pub fn finish(self) -> Sums {
        Sums {
            crc32: self.crc32.map(crc32fast::Hasher::finalize),
            sha256: self.sha256.map(|sha256| sha256.finalize().into()),
            keyed: self.keyed.map(|keyed| keyed.finish()),
        }
    }
}
