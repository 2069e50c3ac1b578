//! The formats and their names. [`format`](mod@crate::format) describes the archives of each.
//!
//! It also re-exports the items of the codec that later layers need.

pub(super) use crate::codec::grammar::EXPANSION_MAX;
pub(crate) use crate::codec::{Bytes, Reserved};

/// What an archive's file looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Quake, Quake II, Half-Life, Hexen II: records of 64 bytes, every file stored.
    Quake,
    /// Daikatana: records of 72 bytes, each file stored or compressed.
    Daikatana,
    /// SiN: records of 128 bytes, every file stored.
    Sin,
    /// HROT: the same records as SiN, with another magic.
    Hrot,
    /// WAD2, Quake's texture archives: records of 32 bytes with a type, every file stored.
    Wad2,
    /// WAD3, Half-Life's: like WAD2, with a palette in each texture.
    Wad3,
    /// PK3 and other ZIP archives: every file stored or deflated.
    Pk3,
    /// Anachronox: records of 144 bytes, each file stored or compressed by zlib. Read only.
    Anachronox,
}

impl Format {
    /// All formats; formats that share a magic begin with the plainest.
    pub const ALL: [Self; 8] = [
        Self::Quake,
        Self::Daikatana,
        Self::Sin,
        Self::Hrot,
        Self::Wad2,
        Self::Wad3,
        Self::Pk3,
        Self::Anachronox,
    ];

    /// Its stable name, as typed by users and used in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Quake => "quake",
            Self::Daikatana => "daikatana",
            Self::Sin => "sin",
            Self::Hrot => "hrot",
            Self::Wad2 => "wad2",
            Self::Wad3 => "wad3",
            Self::Pk3 => "pk3",
            Self::Anachronox => "anachronox",
        }
    }

    /// Its name after an article: `a quake`, `an anachronox`.
    pub(crate) fn with_article(self) -> String {
        let article = if self.as_str().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {self}")
    }

    /// The format with this name.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_article() {
        let words = Format::ALL.map(Format::with_article);
        let expected = "a quake, a daikatana, a sin, a hrot, a wad2, a wad3, a pk3, an anachronox";
        assert_eq!(words.join(", "), expected);
    }
}
