//! The differences between formats, as one row for each.
//!
//! A format with records of one length needs a variant of [`Format`], and its fields and a row here. A format
//! with another kind of directory is another `Container`.

use super::container::Container;
use super::records::{Fields, HEADER_LEN, MAGIC_LEN, NUMBER_MAX};
use crate::archive::{Archive, Coding, Format, RawName, is_extension_of};

/// The properties of a format.
#[derive(Clone, Copy)]
pub struct Spec {
    /// What such an archive is called: `Daikatana pak`.
    pub name: &'static str,
    /// One line about such archives, for people who choose a format.
    pub about: &'static str,
    /// The magic of an archive.
    pub magic: [u8; MAGIC_LEN],
    /// Other magics, of empty archives and of parts of a split one.
    pub(super) other_magics: &'static [[u8; MAGIC_LEN]],
    /// The extensions of such archives, the usual one first. They decide the format of an output, so
    /// formats that are not written have none.
    pub extensions: &'static [&'static str],
    /// The MIME type of such archives.
    pub mime: &'static str,
    /// How entries can be compressed.
    pub coding: Option<Coding>,
    /// The entries that are compressed.
    compressed: Types,
    /// The length of a directory record, without the name if its length varies.
    pub record_len: usize,
    /// The longest name that daisho writes.
    pub name_max: usize,
    /// The length of the header before a payload, without the name in it. In a format that has such headers,
    /// a name follows its record in the directory, too, and has no padding.
    lead_len: usize,
    /// The offset of the first entry.
    pub(crate) first_offset: u64,
    /// The length of an archive without its entries.
    pub(crate) frame_len: u64,
    /// The largest offset, size or file length that daisho writes.
    pub number_max: u64,
    /// The most entries of an archive.
    pub entries_max: u64,
    /// Whether an archive contains the CRC-32 of each entry. Then all entries must be read before it can be
    /// laid out, and no two entries share a payload: programs take that for an attack.
    pub states_sums: bool,
    /// The types of lumps with an extension, the most common first. Only WADs have any. The header of a WAD
    /// has first the number of records and then the directory's offset, instead of its offset and its length.
    pub lump_types: &'static [(u8, &'static str)],
    /// How its archives are built.
    pub(super) container: Container,
    /// Whether daisho writes it.
    writes: bool,
}

/// A set of file types, by extension.
#[derive(Clone, Copy)]
enum Types {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

/// The fields of each format's records.
#[rustfmt::skip]
mod fields {
    use crate::format::records::{Fields, Flag, LumpFields};

    pub(super) const QUAKE: Fields =
        Fields { record_len: 64, name: (0, 56), offset: 56, size: 60, packed: None, lump: None };
    pub(super) const DAIKATANA: Fields =
        Fields { record_len: 72, packed: Some((64, Flag::At(68))), ..QUAKE };
    /// The records of SiN and HROT.
    pub(super) const SIN: Fields =
        Fields { record_len: 128, name: (0, 120), offset: 120, size: 124, ..QUAKE };
    /// The records of both kinds of WADs. The size is that on disk.
    pub(super) const WAD: Fields = Fields {
        record_len: 32, name: (16, 16), offset: 0, size: 4, packed: None,
        lump: Some(LumpFields { full_size: 8, kind: 12, method: 13 }),
    };
    pub(super) const ANACHRONOX: Fields = Fields {
        record_len: 144, name: (0, 128), offset: 128, size: 132,
        packed: Some((136, Flag::Length)), lump: None,
    };
}

/// The row of a format with the container's header and records with these fields, to be completed.
const fn fixed(fields: &'static Fields) -> Spec {
    let (_, name_len) = fields.name;
    Spec {
        record_len: fields.record_len,
        // The field's last byte stays NUL, because engines copy the name up to a NUL.
        name_max: name_len - 1,
        first_offset: HEADER_LEN as u64,
        frame_len: HEADER_LEN as u64,
        number_max: NUMBER_MAX,
        entries_max: NUMBER_MAX / fields.record_len as u64,
        container: Container::Records(fields),
        writes: true,
        ..DEFAULTS
    }
}

/// The row of each format that has a magic.
#[rustfmt::skip]
mod rows {
    use crate::archive::Coding;
    use crate::format::records::{HEADER_LEN, NUMBER_MAX};
    use crate::format::container::Container;
    use crate::format::spec::{DEFAULTS, Spec, Types, fields, fixed};
    use crate::format::zip::{END, END_LEN, LOCAL, LOCAL_LEN, RECORD_LEN, SPLIT};

    pub(super) const QUAKE: Spec = Spec {
        name: "Quake pak",
        about: "Every file stored; also for Quake II, Half-Life, Hexen II",
        magic: *b"PACK", extensions: &["pak"], mime: "application/x-pak",
        ..fixed(&fields::QUAKE)
    };

    pub(super) const DAIKATANA: Spec = Spec {
        name: "Daikatana pak",
        about: ".tga, .bmp, .wal, .pcx and .bsp compressed where that makes them smaller",
        magic: *b"PACK", extensions: &["pak"], mime: "application/x-pak",
        coding: Some(Coding::Daikatana),
        // The game opens no other type through its decompressor, and crashes if one is compressed.
        compressed: Types::Only(&["tga", "bmp", "wal", "pcx", "bsp"]),
        ..fixed(&fields::DAIKATANA)
    };

    pub(super) const SIN: Spec = Spec {
        name: "SiN archive",
        about: "SiN's archives: every file stored, names of up to 119 bytes",
        magic: *b"SPAK", extensions: &["sin"], mime: "application/x-sin-archive",
        ..fixed(&fields::SIN)
    };

    pub(super) const HROT: Spec = Spec {
        name: "HROT pak",
        about: "HROT's archives: as SiN's, with a magic of their own",
        magic: *b"HROT", extensions: &["pak"], mime: "application/x-hrot-pak",
        ..fixed(&fields::SIN)
    };

    pub(super) const WAD2: Spec = Spec {
        name: "Quake WAD (WAD2)",
        about: "Quake's texture archives: files by type (.mip, .lmp, .pal), names of up to 15 bytes",
        magic: *b"WAD2", extensions: &["wad"], mime: "application/x-quake-wad",
        lump_types: &[(68, "mip"), (66, "lmp"), (64, "pal")],
        ..fixed(&fields::WAD)
    };

    pub(super) const WAD3: Spec = Spec {
        name: "Half-Life WAD (WAD3)",
        about: "Half-Life's texture archives: as wad2, with a palette in each texture",
        magic: *b"WAD3", lump_types: &[(67, "mip"), (66, "lmp"), (64, "pal"), (70, "fnt")],
        ..WAD2
    };

    pub(super) const PK3: Spec = Spec {
        name: "PK3 or ZIP",
        about: "ZIP archives as games read them: PK3, PK4, PKZ and others, deflated where that makes files smaller",
        magic: LOCAL, other_magics: &[END, SPLIT],
        extensions: &["pk3", "pk4", "pkz", "pk2", "pkx", "kpf", "dpk", "iwd", "obb", "zip"],
        mime: "application/x-quake3-pk3", coding: Some(Coding::Deflate),
        // These formats are already compressed, and engines can stream them if they are stored.
        compressed: Types::AllBut(&[
            "ogg", "mp3", "opus", "flac", "png", "jpg", "jpeg", "ogv", "webp",
        ]),
        record_len: RECORD_LEN, lead_len: LOCAL_LEN, first_offset: 0,
        frame_len: END_LEN as u64,
        // All ones mean that the number is elsewhere; so do 65,535 entries, which an engine refuses.
        number_max: NUMBER_MAX - 1, entries_max: u16::MAX as u64 - 1, states_sums: true,
        container: Container::Zip, writes: true,
        ..DEFAULTS
    };

    pub(super) const ANACHRONOX: Spec = Spec {
        name: "Anachronox archive",
        about: "Anachronox's archives; they are read, but not written",
        magic: *b"ADAT",
        // Their extension is .dat, like that of many other files.
        extensions: &[], mime: "application/x-anachronox-dat", coding: Some(Coding::Zlib),
        // A version follows the two numbers of the header.
        frame_len: HEADER_LEN as u64 + 4,
        // Each record has a checksum of an unknown kind.
        writes: false,
        ..fixed(&fields::ANACHRONOX)
    };
}

/// The properties that most formats have.
const DEFAULTS: Spec = Spec {
    name: "",
    about: "",
    magic: [0; MAGIC_LEN],
    other_magics: &[],
    extensions: &[],
    mime: "",
    coding: None,
    compressed: Types::Only(&[]),
    record_len: 1,
    name_max: u16::MAX as usize,
    lead_len: 0,
    first_offset: 0,
    frame_len: 0,
    number_max: NUMBER_MAX,
    entries_max: NUMBER_MAX,
    states_sums: false,
    lump_types: &[],
    container: Container::Zip,
    writes: false,
};

impl Format {
    /// The row of this format.
    #[must_use]
    pub const fn spec(self) -> &'static Spec {
        match self {
            Self::Quake => &rows::QUAKE,
            Self::Daikatana => &rows::DAIKATANA,
            Self::Sin => &rows::SIN,
            Self::Hrot => &rows::HROT,
            Self::Wad2 => &rows::WAD2,
            Self::Wad3 => &rows::WAD3,
            Self::Pk3 => &rows::PK3,
            Self::Anachronox => &rows::ANACHRONOX,
        }
    }

    /// The formats with this magic, the plainest first.
    pub fn of_magic(magic: [u8; MAGIC_LEN]) -> impl Iterator<Item = Self> + Clone {
        let formats = Self::ALL.into_iter();
        formats.filter(move |format| format.spec().magic == magic)
    }

    /// The plainest format with this magic and a header and records of one length.
    pub(super) fn of_header(magic: [u8; MAGIC_LEN]) -> Option<Self> {
        Self::of_magic(magic).find(|format| format.spec().fields().is_some())
    }

    /// Whether a format has this extension, ASCII case ignored.
    #[must_use]
    pub fn is_extension(extension: &[u8]) -> bool {
        let mut formats = Self::ALL.into_iter();
        formats.any(|format| is_extension_of(extension, format.spec().extensions))
    }

    /// The formats with this extension, ASCII case ignored, the plainest first.
    pub fn of_extension(extension: &str) -> impl Iterator<Item = Self> + use<'_> {
        let formats = Self::ALL.into_iter();
        formats.filter(|format| is_extension_of(extension.as_bytes(), format.spec().extensions))
    }

    /// How an archive of this format stores the content of an entry with this name, if that makes it smaller.
    /// Daikatana crashes at any compressed file except `.tga`, `.bmp`, `.wal`, `.pcx` and `.bsp`; a ZIP stores
    /// files that are already compressed.
    ///
    /// ```
    /// use daisho::Format;
    /// use daisho::archive::Coding;
    ///
    /// assert_eq!(Format::Daikatana.coding_for("maps/E1M1.BSP".into()), Coding::Daikatana);
    /// assert_eq!(Format::Daikatana.coding_for("sound/a.wav".into()), Coding::Stored);
    /// assert_eq!(Format::Pk3.coding_for("sound/a.wav".into()), Coding::Deflate);
    /// assert_eq!(Format::Pk3.coding_for("sound/a.ogg".into()), Coding::Stored);
    /// ```
    #[must_use]
    pub fn coding_for(self, name: RawName<'_>) -> Coding {
        let spec = self.spec();
        let Some(coding) = spec.coding else {
            return Coding::Stored;
        };
        let extension = name.extension().unwrap_or_default();
        let compresses = match spec.compressed {
            Types::Only(types) => is_extension_of(extension, types),
            Types::AllBut(types) => !is_extension_of(extension, types),
        };
        if compresses { coding } else { Coding::Stored }
    }
}

impl Archive {
    /// What such an archive is called: `Daikatana pak`, `directory`, or the name that its builder was given.
    #[must_use]
    pub fn format_name(&self) -> &'static str {
        match self.format() {
            Some(format) => format.spec().name,
            None => self.format_word(),
        }
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

    /// Whether daisho writes such archives.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        self.writes
    }

    /// How its archives are written, if daisho writes them.
    pub(super) fn writer(&self) -> Option<Container> {
        self.writes.then_some(self.container)
    }

    /// The fields of its records, if they have one length.
    pub(super) const fn fields(&self) -> Option<&'static Fields> {
        match self.container {
            Container::Records(fields) => Some(fields),
            Container::Zip => None,
        }
    }

    /// Whether such archives are searched for inside of other archives. A WAD is not: it is a game's own file.
    pub(crate) const fn nests(&self) -> bool {
        !self.has_lumps()
    }

    /// Whether its archives are WADs, whose entries are lumps with types.
    #[must_use]
    pub const fn has_lumps(&self) -> bool {
        !self.lump_types.is_empty()
    }

    /// The length of the header before the payload of an entry with a name of this length.
    pub(crate) const fn lead_len(&self, name: usize) -> u64 {
        match self.lead_len {
            0 => 0,
            fixed => (fixed + name) as u64,
        }
    }

    /// How many bytes an entry with a name of this length takes in the directory.
    pub(crate) const fn entry_len(&self, name: usize) -> u64 {
        match self.lead_len {
            0 => self.record_len as u64,
            _ => (self.record_len + name) as u64,
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
        f.debug_struct("Spec").field("about", &self.about).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::records::Flag;

    #[test]
    fn daikatana_has_exactly_five_types_compressed() {
        let coding = |name: &'static str| Format::Daikatana.coding_for(name.into());
        for name in ["a.tga", "b/c.BMP", "x.wal", "x.Pcx", "maps\\m.bsp"] {
            assert_eq!(coding(name), Coding::Daikatana, "{name}");
        }
        for name in ["tga", "a.wav", "a.tga/b", "a.tgax", "a.", "", "a.bsp.ent"] {
            assert_eq!(coding(name), Coding::Stored, "{name}");
        }
    }

    #[test]
    fn no_field_leaves_its_record_or_covers_the_name() {
        for format in Format::ALL {
            let Some(fields) = format.spec().fields() else {
                continue;
            };
            let mut all = vec![fields.name, (fields.offset, 4), (fields.size, 4)];
            if let Some((packed, flag)) = &fields.packed {
                all.push((*packed, 4));
                if let Flag::At(flag) = flag {
                    all.push((*flag, 4));
                }
            }
            if let Some(lump) = &fields.lump {
                all.extend([(lump.full_size, 4), (lump.kind, 1), (lump.method, 1)]);
            }
            all.sort_unstable();
            for pair in all.windows(2) {
                assert!(pair[0].0 + pair[0].1 <= pair[1].0, "{format}: {pair:?}");
            }
            let (last, len) = all[all.len() - 1];
            assert!(last + len <= fields.record_len, "{format}");
        }
    }
}
