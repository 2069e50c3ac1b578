//! What sets the formats apart: one row for each.
//!
//! A format whose records all have one length is a variant of [`Format`], and here a layout and a row. One
//! with another directory has a reader and a writer besides: see `container`.

use super::container::{ReadDirectory, WriteDirectory};
use super::fixed::Fixed;
use super::records::{HEADER_LEN, Layout, MAGIC_LEN, NUMBER_MAX};
use super::table::{Records, Table};
use super::zip::{END, END_LEN, LOCAL, LOCAL_LEN, RECORD_LEN, SPLIT, Zip};
use crate::archive::{Coding, Format, RawName};

/// What is known of a format.
#[derive(Clone, Copy)]
pub struct Spec {
    /// What such archives are, in a line for people who choose one.
    pub about: &'static str,
    /// The first bytes of an archive.
    pub magic: [u8; MAGIC_LEN],
    /// What archives begin with that have no entry, or are part of another.
    pub(super) other_magics: &'static [[u8; MAGIC_LEN]],
    /// The extensions of such archives, the usual one first. By them an output's format is known, so
    /// formats that are not written have none.
    pub extensions: &'static [&'static str],
    /// The MIME type of such archives.
    pub mime: &'static str,
    /// How entries can be compressed, if they can.
    pub coding: Option<Coding>,
    /// The entries that are written so.
    compressed: Types,
    /// The length of a record of the directory, without the name where that is no part of it.
    pub record_len: usize,
    /// The longest name that is written.
    pub name_max: usize,
    /// Whether each name lies behind its record, and takes as many bytes as it has.
    names_behind_records: bool,
    /// How many bytes stand before a payload, without the name that stands there, too.
    lead_len: usize,
    /// Where the first entry begins.
    pub(crate) first_offset: u64,
    /// How many bytes an archive has besides what its entries take.
    pub(crate) frame_len: u64,
    /// The largest offset, size or file length that is written.
    pub number_max: u64,
    /// The most entries that an archive can have.
    pub entries_max: u64,
    /// Whether an archive states the CRC-32 of each entry, so that it cannot be laid out before all are
    /// read. Then no two entries share a payload either: programs take that for an attack.
    pub states_sums: bool,
    /// Whether the header says how many records there are and then where the directory is, instead of
    /// where the directory is and then how long.
    pub(super) count_first: bool,
    /// The types of lumps that have an extension, the commonest first. Only WADs have any.
    pub lump_types: &'static [(u8, &'static str)],
    /// Whether such archives are searched for inside of other archives. A WAD is no archive that
    /// travels, but a game's own file.
    pub nests: bool,
    /// How records of one length are read and written.
    pub(super) records: Option<&'static dyn Records>,
    pub(super) reader: Option<&'static dyn ReadDirectory>,
    pub(super) writer: Option<&'static dyn WriteDirectory>,
}

/// Types of files, by their extensions.
#[derive(Clone, Copy)]
enum Types {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

#[rustfmt::skip]
mod layouts {
    use crate::format::records::{Fields, Flag, Layout, LumpFields};

    pub(super) struct Quake;
    pub(super) struct Daikatana;
    /// SiN's records, and HROT's.
    pub(super) struct Sin;
    /// Those of both kinds of WADs. The size is that on disk.
    pub(super) struct Wad;
    pub(super) struct Anachronox;

    const fn stored(record_len: usize, name: (usize, usize), offset: usize, size: usize) -> Fields {
        Fields { record_len, name, offset, size, packed: None, lump: None }
    }

    impl Layout for Quake {
        const FIELDS: Fields = stored(64, (0, 56), 56, 60);
    }
    impl Layout for Daikatana {
        const FIELDS: Fields = Fields { packed: Some((64, Flag::At(68))), ..stored(72, (0, 56), 56, 60) };
    }
    impl Layout for Sin {
        const FIELDS: Fields = stored(128, (0, 120), 120, 124);
    }
    impl Layout for Wad {
        const FIELDS: Fields = Fields { lump: Some(LumpFields { full_size: 8, kind: 12, method: 13 }), ..stored(32, (16, 16), 0, 4) };
    }
    impl Layout for Anachronox {
        const FIELDS: Fields = Fields { packed: Some((136, Flag::Length)), ..stored(144, (0, 128), 128, 132) };
    }
}

/// An archive with the container's header and records of this layout; the row says the rest.
const fn fixed<L: Layout>() -> Spec {
    let (_, name_len) = L::FIELDS.name;
    Spec {
        record_len: L::FIELDS.record_len,
        // The field's last byte stays NUL: engines copy the name until they meet one.
        name_max: name_len - 1,
        first_offset: HEADER_LEN as u64,
        frame_len: HEADER_LEN as u64,
        number_max: NUMBER_MAX,
        entries_max: NUMBER_MAX / L::FIELDS.record_len as u64,
        nests: true,
        records: Some(const { &Table::<L>::NEW }),
        reader: Some(&Fixed),
        writer: Some(&Fixed),
        ..DIRECTORY
    }
}

const QUAKE: Spec = Spec {
    about: "Every file stored; also for Quake II, Half-Life, Hexen II",
    magic: *b"PACK",
    extensions: &["pak"],
    mime: "application/x-pak",
    ..fixed::<layouts::Quake>()
};

const DAIKATANA: Spec = Spec {
    about: ".tga, .bmp, .wal, .pcx and .bsp compressed where that makes them smaller",
    magic: *b"PACK",
    extensions: &["pak"],
    mime: "application/x-pak",
    coding: Some(Coding::Daikatana),
    // The game opens no other type through its decompressor, and dies when one is compressed.
    compressed: Types::Only(&["tga", "bmp", "wal", "pcx", "bsp"]),
    ..fixed::<layouts::Daikatana>()
};

const SIN: Spec = Spec {
    about: "SiN's archives: every file stored, names of up to 119 bytes",
    magic: *b"SPAK",
    extensions: &["sin"],
    mime: "application/x-sin-archive",
    ..fixed::<layouts::Sin>()
};

const HROT: Spec = Spec {
    about: "HROT's archives: as SiN's, with a magic of their own",
    magic: *b"HROT",
    extensions: &["pak"],
    mime: "application/x-hrot-pak",
    ..fixed::<layouts::Sin>()
};

const WAD2: Spec = Spec {
    about: "Quake's texture archives: files by type (.mip, .lmp, .pal), names of up to 15 bytes",
    magic: *b"WAD2",
    extensions: &["wad"],
    mime: "application/x-quake-wad",
    count_first: true,
    lump_types: &[(68, "mip"), (66, "lmp"), (64, "pal")],
    nests: false,
    ..fixed::<layouts::Wad>()
};

const WAD3: Spec = Spec {
    about: "Half-Life's texture archives: as wad2, with a palette in each texture",
    magic: *b"WAD3",
    lump_types: &[(67, "mip"), (66, "lmp"), (64, "pal"), (70, "fnt")],
    ..WAD2
};

const PK3: Spec = Spec {
    about: "ZIP archives as games read them: PK3, PK4, PKZ and others, deflated where that makes files smaller",
    magic: LOCAL,
    other_magics: &[END, SPLIT],
    extensions: &[
        "pk3", "pk4", "pkz", "pk2", "pkx", "kpf", "dpk", "iwd", "obb", "zip",
    ],
    mime: "application/x-quake3-pk3",
    coding: Some(Coding::Deflate),
    // These are compressed in themselves, and engines stream them where they are stored.
    compressed: Types::AllBut(&[
        "ogg", "mp3", "opus", "flac", "png", "jpg", "jpeg", "ogv", "webp",
    ]),
    record_len: RECORD_LEN,
    names_behind_records: true,
    lead_len: LOCAL_LEN,
    first_offset: 0,
    frame_len: END_LEN as u64,
    // All ones say that the number stands elsewhere; so do 65,535 entries, which an engine refuses.
    number_max: NUMBER_MAX - 1,
    entries_max: u16::MAX as u64 - 1,
    states_sums: true,
    nests: true,
    reader: Some(&Zip),
    writer: Some(&Zip),
    ..DIRECTORY
};

const ANACHRONOX: Spec = Spec {
    about: "Anachronox's archives; they are read, and not written",
    magic: *b"ADAT",
    // Theirs is .dat, as that of many other files.
    extensions: &[],
    mime: "application/x-anachronox-dat",
    coding: Some(Coding::Zlib),
    // Behind the two numbers of the header stands a version.
    frame_len: HEADER_LEN as u64 + 4,
    // Each record has a checksum of an unknown kind.
    writer: None,
    ..fixed::<layouts::Anachronox>()
};

/// What is not read or written here: a directory on disk, and formats that a user of the library reads.
/// Other rows take from it what they do not have.
const DIRECTORY: Spec = Spec {
    about: "Files on disk",
    magic: [0; MAGIC_LEN],
    other_magics: &[],
    extensions: &[],
    mime: "inode/directory",
    coding: None,
    compressed: Types::Only(&[]),
    record_len: 1,
    name_max: u16::MAX as usize,
    names_behind_records: false,
    lead_len: 0,
    first_offset: 0,
    frame_len: 0,
    number_max: NUMBER_MAX,
    entries_max: NUMBER_MAX,
    states_sums: false,
    count_first: false,
    lump_types: &[],
    nests: false,
    records: None,
    reader: None,
    writer: None,
};

impl Format {
    /// Its row.
    #[must_use]
    pub const fn spec(self) -> &'static Spec {
        match self {
            Self::Quake => &QUAKE,
            Self::Daikatana => &DAIKATANA,
            Self::Sin => &SIN,
            Self::Hrot => &HROT,
            Self::Wad2 => &WAD2,
            Self::Wad3 => &WAD3,
            Self::Pk3 => &PK3,
            Self::Anachronox => &ANACHRONOX,
            Self::Directory | Self::Custom(_) => &DIRECTORY,
        }
    }

    /// The formats whose archives begin with this, the plainest first.
    pub fn of_magic(magic: [u8; MAGIC_LEN]) -> impl Iterator<Item = Self> + Clone {
        let formats = Self::ALL.into_iter();
        formats.filter(move |format| format.spec().magic == magic)
    }

    /// The formats whose archives have this extension, in any case, the plainest first.
    pub fn of_extension(extension: &str) -> impl Iterator<Item = Self> + use<'_> {
        let formats = Self::ALL.into_iter();
        formats.filter(|format| is_one_of(extension.as_bytes(), format.spec().extensions))
    }
}

impl Spec {
    /// The usual extension of such archives, without a dot.
    #[must_use]
    pub const fn extension(&self) -> &'static str {
        match self.extensions {
            [first, ..] => first,
            [] => "",
        }
    }

    /// Whether archives of it are written.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        self.writer.is_some()
    }

    /// Whether its archives are WADs, whose entries are lumps with types.
    #[must_use]
    pub const fn has_lumps(&self) -> bool {
        !self.lump_types.is_empty()
    }

    /// How many bytes stand before the payload of an entry with a name of this length.
    pub(crate) const fn lead_len(&self, name: usize) -> u64 {
        match self.lead_len {
            0 => 0,
            fixed => (fixed + name) as u64,
        }
    }

    /// How many bytes an entry with a name of this length takes in the directory.
    pub(crate) const fn entry_len(&self, name: usize) -> u64 {
        match self.names_behind_records {
            true => (self.record_len + name) as u64,
            false => self.record_len as u64,
        }
    }

    /// Whether a file with these first bytes claims to be such an archive.
    pub(super) fn begins(&self, start: &[u8]) -> bool {
        let mut others = self.other_magics.iter();
        start.starts_with(&self.magic) || others.any(|magic| start.starts_with(magic))
    }
}

impl core::fmt::Debug for Spec {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Spec")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

/// How the content of an entry of this name is written in an archive of this format, if that makes it
/// smaller. Daikatana dies at any compressed file but its `.tga`, `.bmp`, `.wal`, `.pcx` and `.bsp`; a
/// ZIP stores what is compressed in itself.
///
/// ```
/// use daisho::Format;
/// use daisho::archive::Coding;
/// use daisho::format::coding_for;
///
/// assert_eq!(coding_for("maps/E1M1.BSP".into(), Format::Daikatana), Coding::Daikatana);
/// assert_eq!(coding_for("sound/a.wav".into(), Format::Daikatana), Coding::Stored);
/// assert_eq!(coding_for("sound/a.wav".into(), Format::Pk3), Coding::Deflate);
/// assert_eq!(coding_for("sound/a.ogg".into(), Format::Pk3), Coding::Stored);
/// ```
#[must_use]
pub fn coding_for(name: RawName<'_>, format: Format) -> Coding {
    let spec = format.spec();
    let Some(coding) = spec.coding else {
        return Coding::Stored;
    };
    let extension = name.extension().unwrap_or_default();
    let compresses = match spec.compressed {
        Types::Only(types) => is_one_of(extension, types),
        Types::AllBut(types) => !is_one_of(extension, types),
    };
    if compresses { coding } else { Coding::Stored }
}

fn is_one_of(extension: &[u8], all: &[&str]) -> bool {
    let mut all = all.iter();
    all.any(|own| extension.eq_ignore_ascii_case(own.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daikatana_has_exactly_five_types_compressed() {
        let coding = |name: &'static str| coding_for(name.into(), Format::Daikatana);
        for name in ["a.tga", "b/c.BMP", "x.wal", "x.Pcx", "maps\\m.bsp"] {
            assert_eq!(coding(name), Coding::Daikatana, "{name}");
        }
        for name in ["tga", "a.wav", "a.tga/b", "a.tgax", "a.", "", "a.bsp.ent"] {
            assert_eq!(coding(name), Coding::Stored, "{name}");
        }
    }
}
