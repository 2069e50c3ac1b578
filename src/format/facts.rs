//! What each format is called, how its archives begin, and what it can say. How its records look
//! stands in `records`, or in a folder of its own.

use super::records::{HEADER_LEN, MAGIC_LEN, NUMBER_MAX};
use super::zip;
use crate::archive::{Coding, Format};

/// A format, for people and for finding out which one a file is.
#[derive(Debug)]
struct Facts {
    /// Its word, as users type it and JSON has it.
    word: &'static str,
    /// What such archives are, for people who choose one.
    what: &'static str,
    /// The extensions of such archives, by which an output's format is known. The first is given to
    /// outputs that have none of them.
    extensions: &'static [&'static str],
    /// What such archives begin with.
    magic: [u8; MAGIC_LEN],
    /// How its files can be compressed.
    compresses: Option<Coding>,
}

const QUAKE: Facts = Facts {
    word: "quake",
    what: "Every file stored; also for Quake II, Half-Life, Hexen II",
    extensions: &["pak"],
    magic: *b"PACK",
    compresses: None,
};

const DAIKATANA: Facts = Facts {
    word: "daikatana",
    what: ".tga, .bmp, .wal, .pcx and .bsp compressed where that makes them smaller",
    extensions: &["pak"],
    magic: *b"PACK",
    compresses: Some(Coding::Daikatana),
};

const SIN: Facts = Facts {
    word: "sin",
    what: "SiN's archives: every file stored, names of up to 119 bytes",
    extensions: &["sin"],
    magic: *b"SPAK",
    compresses: None,
};

const HROT: Facts = Facts {
    word: "hrot",
    what: "HROT's archives: as SiN's, with a magic of their own",
    extensions: &["pak"],
    magic: *b"HROT",
    compresses: None,
};

const WAD2: Facts = Facts {
    word: "wad2",
    what: "Quake's texture archives: files by type (.mip, .lmp, .pal), names of up to 15 bytes",
    extensions: &["wad"],
    magic: *b"WAD2",
    compresses: None,
};

const WAD3: Facts = Facts {
    word: "wad3",
    what: "Half-Life's texture archives: as wad2, with a palette in each texture",
    extensions: &["wad"],
    magic: *b"WAD3",
    compresses: None,
};

const PK3: Facts = Facts {
    word: "pk3",
    what: "ZIP archives as games read them: PK3, PK4, PKZ and others, deflated where that makes files smaller",
    extensions: &[
        "pk3", "pk4", "pkz", "pk2", "pkx", "kpf", "dpk", "iwd", "obb", "zip",
    ],
    magic: *b"PK\x03\x04",
    compresses: Some(Coding::Deflate),
};

const ANACHRONOX: Facts = Facts {
    word: "anachronox",
    what: "Anachronox's archives; they are read, and not written",
    // Theirs is .dat, as that of many other files.
    extensions: &[],
    magic: *b"ADAT",
    compresses: Some(Coding::Zlib),
};

const DIRECTORY: Facts = Facts {
    word: "directory",
    what: "Files on disk",
    extensions: &[],
    magic: [0; MAGIC_LEN],
    compresses: None,
};

impl Format {
    /// Every format, the plainest of each magic first.
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

    const fn facts(self) -> &'static Facts {
        match self {
            Self::Quake => &QUAKE,
            Self::Daikatana => &DAIKATANA,
            Self::Sin => &SIN,
            Self::Hrot => &HROT,
            Self::Wad2 => &WAD2,
            Self::Wad3 => &WAD3,
            Self::Pk3 => &PK3,
            Self::Anachronox => &ANACHRONOX,
            Self::Directory => &DIRECTORY,
        }
    }

    /// The formats whose archives begin with this, the plainest first.
    pub fn of_magic(magic: [u8; MAGIC_LEN]) -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().filter(move |it| it.magic() == magic)
    }

    /// The extensions of such archives, the usual one first. Formats that are not written have none.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        self.facts().extensions
    }

    /// The formats whose archives have this extension, in any case, the plainest first.
    pub fn of_extension(extension: &str) -> impl Iterator<Item = Self> + use<'_> {
        let is_own = |it: &Self| {
            let mut own = it.facts().extensions.iter();
            own.any(|own| own.eq_ignore_ascii_case(extension))
        };
        Self::ALL.into_iter().filter(is_own)
    }

    /// The format of this word.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }

    /// What such archives begin with.
    #[must_use]
    pub const fn magic(self) -> [u8; MAGIC_LEN] {
        self.facts().magic
    }

    /// What such archives are, in a line for people who choose one.
    #[must_use]
    pub const fn description(self) -> &'static str {
        self.facts().what
    }

    /// The extension of such archives, without a dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self.facts().extensions {
            [first, ..] => first,
            [] => "",
        }
    }

    /// How files in such an archive can be compressed, if they can.
    #[must_use]
    pub const fn compresses(self) -> Option<Coding> {
        self.facts().compresses
    }

    /// Whether archives of it are written. What is in Anachronox's records and says nothing to us, a
    /// checksum of an unknown kind, keeps these from it.
    #[must_use]
    pub const fn is_written(self) -> bool {
        !matches!(self, Self::Anachronox | Self::Directory)
    }

    /// Whether files in such an archive can be compressed.
    #[must_use]
    pub const fn can_compress(self) -> bool {
        self.compresses().is_some()
    }

    /// A stable word for it: `quake`, `daikatana`, `sin`, `hrot`, `wad2`, `wad3`, `pk3`,
    /// `anachronox`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.facts().word
    }

    /// How many bytes an archive has besides what its entries take.
    #[must_use]
    pub(crate) const fn frame_len(self) -> u64 {
        match self {
            Self::Pk3 => zip::END_LEN as u64,
            // Behind the two numbers stands a version.
            Self::Anachronox => HEADER_LEN as u64 + 4,
            _ => HEADER_LEN as u64,
        }
    }

    /// Where the first entry of an archive begins.
    #[must_use]
    pub(crate) const fn first_offset(self) -> u64 {
        match self {
            Self::Pk3 => 0,
            _ => HEADER_LEN as u64,
        }
    }

    /// How many bytes stand before the payload of an entry with a name of this length.
    #[must_use]
    pub(crate) const fn lead_len(self, name: usize) -> u64 {
        match self {
            Self::Pk3 => (zip::LOCAL_LEN + name) as u64,
            _ => 0,
        }
    }

    /// How many bytes an entry with a name of this length takes in the directory.
    #[must_use]
    pub(crate) const fn entry_len(self, name: usize) -> u64 {
        match self {
            Self::Pk3 => (zip::RECORD_LEN + name) as u64,
            _ => self.record_len() as u64,
        }
    }

    /// Whether an archive states what contents sum up to, so that it cannot be laid out before all
    /// are read. Then no two entries share a payload either: programs take that for an attack.
    #[must_use]
    pub(crate) const fn states_sums(self) -> bool {
        matches!(self, Self::Pk3)
    }

    /// The largest offset, size or file length that is written.
    #[must_use]
    pub(crate) const fn number_max(self) -> u64 {
        match self {
            // All ones say that the number stands elsewhere.
            Self::Pk3 => NUMBER_MAX - 1,
            _ => NUMBER_MAX,
        }
    }

    /// The most entries that an archive can have: as many as its numbers can say, and in a ZIP two
    /// fewer, since 65,535 means that the number stands elsewhere, and an engine refuses that.
    #[must_use]
    pub const fn most_entries(self) -> u64 {
        match self {
            Self::Pk3 => u16::MAX as u64 - 1,
            _ => NUMBER_MAX / self.record_len() as u64,
        }
    }
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}
