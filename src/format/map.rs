//! The textures inside a map of Quake or Half-Life, as the entries of an archive.
//!
//! The third lump of such a map is a directory of textures: a number, and for each texture the offset of its miptex
//! from the beginning of the lump, or -1. A miptex without pixels names a texture of a WAD.
//!
//! | begins with        | what it is              | palette behind a miptex |
//! |--------------------|-------------------------|-------------------------|
//! | 29                 | a map of Quake          | no                      |
//! | `BSP2` or `2PSB`   | the same, wider numbers | no                      |
//! | 30                 | a map of Half-Life      | yes                     |

use std::io;

use super::container::ArchiveFile;
use super::lump::push_entry_name;
use super::miptex::{Miptex, NO_TEXTURE};
use crate::archive::bytes::{Cursor, u16_at, u32_at};
use crate::archive::error::{Error, ErrorKind, Limit};
use crate::archive::{
    ArchiveContents, Coding, EntryRecord, Extent, Format, Note, RawDirectory, ReadAt, quoted_name,
    read_at,
};

/// How many textures a map may have: several times more than any engine takes.
pub(crate) const TEXTURES_MAX: u32 = 1 << 16;

/// The lump of textures in a map of Quake or Half-Life.
pub(crate) const TEXTURES: usize = 2;

/// The type of a texture in a WAD of Half-Life, for the extension of an entry.
const TEXTURE: u8 = 67;

/// How many names a note shows.
const SHOWN: usize = 5;

/// How the textures of a map are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// By miptexes, which a WAD of this format has, too.
    Miptex(Format),
    /// By texinfo records.
    Texinfo,
    /// By shader records.
    Shaders,
}

/// A kind of maps.
#[derive(Debug)]
pub(crate) struct MapKind {
    /// How such a map begins.
    pub(crate) magic: &'static [u8],
    /// A stable lower-case word.
    pub(crate) word: &'static str,
    /// Whether edges have wider numbers.
    pub(crate) is_wide: bool,
    pub(crate) naming: Naming,
    lump_count: usize,
    lump_names: &'static str,
}

impl MapKind {
    /// A map of Quake.
    pub(crate) const BSP29: Self = Self {
        magic: b"\x1D\0\0\0",
        word: "bsp29",
        is_wide: false,
        naming: Naming::Miptex(Format::Wad2),
        lump_count: 15,
        lump_names: "entities planes textures vertexes visibility nodes texinfo faces lighting \
            clipnodes leafs marksurfaces edges surfedges models",
    };

    /// A map of Half-Life.
    pub(crate) const BSP30: Self = Self {
        magic: b"\x1E\0\0\0",
        word: "bsp30",
        naming: Naming::Miptex(Format::Wad3),
        ..Self::BSP29
    };

    /// A map of Quake with wider numbers.
    pub(crate) const BSP2: Self =
        Self { magic: b"BSP2", word: "bsp2", is_wide: true, ..Self::BSP29 };

    /// The first version of BSP2.
    pub(crate) const BSP2_PSB: Self = Self { magic: b"2PSB", word: "2psb", ..Self::BSP2 };

    /// A map of Quake II.
    pub(crate) const IBSP38: Self = Self {
        magic: b"IBSP\x26\0\0\0",
        word: "ibsp38",
        is_wide: false,
        naming: Naming::Texinfo,
        lump_count: 19,
        // Quake II's lumps, followed by two of Daikatana's.
        lump_names: "entities planes vertexes visibility nodes texinfo faces lighting leafs \
            leaffaces leafbrushes edges surfedges models brushes brushsides pop areas areaportals \
            texinfo_colours plane_polygons",
    };

    /// A map of Quake II with wider numbers.
    pub(crate) const QBSP38: Self =
        Self { magic: b"QBSP\x26\0\0\0", word: "qbsp38", is_wide: true, ..Self::IBSP38 };

    /// A map of Daikatana.
    pub(crate) const IBSP41: Self =
        Self { magic: b"IBSP\x29\0\0\0", word: "ibsp41", lump_count: 21, ..Self::IBSP38 };

    /// A map of Quake III.
    pub(crate) const IBSP46: Self = Self {
        magic: b"IBSP\x2E\0\0\0",
        word: "ibsp46",
        is_wide: false,
        naming: Naming::Shaders,
        lump_count: 17,
        lump_names: "entities shaders planes nodes leafs leafsurfaces leafbrushes models brushes \
            brushsides drawverts drawindexes fogs surfaces lightmaps lightgrid visibility",
    };

    /// A map of Return to Castle Wolfenstein.
    pub(crate) const IBSP47: Self =
        Self { magic: b"IBSP\x2F\0\0\0", word: "ibsp47", ..Self::IBSP46 };

    #[rustfmt::skip]
    const ALL: [&Self; 9] = [
        &Self::BSP29, &Self::BSP30, &Self::BSP2, &Self::BSP2_PSB, &Self::IBSP38, &Self::QBSP38,
        &Self::IBSP41, &Self::IBSP46, &Self::IBSP47,
    ];

    /// The format of WADs with such textures as a map has that begins with these bytes; `None` if it holds none.
    pub(crate) fn wad_of(begin: &[u8]) -> Option<Format> {
        let kind = Self::ALL.into_iter().find(|kind| begin.starts_with(kind.magic))?;
        match kind.naming {
            Naming::Miptex(wad) => Some(wad),
            Naming::Texinfo | Naming::Shaders => None,
        }
    }
}

/// The header of a map: the places of its lumps.
pub(crate) struct MapHeader {
    pub(crate) kind: &'static MapKind,
    /// The names of the lumps, and where they are.
    pub(crate) lumps: Vec<(&'static str, Extent)>,
}

impl MapHeader {
    /// Reads the header of a map. `None` if the file is none.
    pub(crate) fn read(source: &dyn ReadAt) -> io::Result<Option<Self>> {
        let mut start = [0; 256];
        let len = source.read_full_at(&mut start, 0)?;
        Ok(Self::parse(start.get(..len).unwrap_or_default()))
    }

    /// The header at the beginning of a map.
    pub(crate) fn parse(start: &[u8]) -> Option<Self> {
        let kind = MapKind::ALL.into_iter().find(|kind| start.starts_with(kind.magic))?;
        // The lumps' places follow what the map begins with.
        let mut places = Cursor::new(start).at(kind.magic.len());
        let mut lumps = Vec::new();
        for name in kind.lump_names.split_whitespace().take(kind.lump_count) {
            let offset = places.u32("where a lump begins").ok()?.into();
            let len = places.u32("the length of a lump").ok()?.into();
            lumps.push((name, Extent { offset, len }));
        }
        Some(Self { kind, lumps })
    }

    /// The place of a lump.
    pub(crate) fn lump(&self, number: usize) -> Extent {
        self.lumps.get(number).map(|(_, lump)| *lump).unwrap_or_default()
    }
}

/// Why a map cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a map of a known format.
    #[error("it is not a map of a known format")]
    NotAMap,
    /// A part is outside of the file, or beyond the bytes that can be read.
    #[error(
        "its {part} should lie at bytes {} to {}, and the file ends before",
        lump.offset, lump.end()
    )]
    Outside {
        /// The content of the part.
        part: &'static str,
        /// Its claimed place.
        lump: Extent,
    },
    /// A part is larger than in any real map.
    #[error("it has more {part} than any map: {found}, at most {most}")]
    TooMany {
        /// The content of the part.
        part: &'static str,
        /// How many there are.
        found: u64,
        /// How many are read at most.
        most: u64,
    },
}

/// What a slot of a map's list of textures holds.
pub(crate) enum Slot {
    /// Nothing.
    LeftOut,
    /// A miptex at this offset, of which the file has not even the header.
    Cut(u64),
    /// A miptex with this header, with pixels or without, at this offset.
    Texture(u64, [u8; Miptex::HEADER]),
}

/// Fails if there is more of something than any real map has.
pub(crate) fn check_count(part: &'static str, found: u64, most: u64) -> Result<(), MapError> {
    if found > most {
        return Err(MapError::TooMany { part, found, most });
    }
    Ok(())
}

/// The slots of the list of textures in the lump of a map of Quake or Half-Life: a number, and for each slot an offset
/// from the beginning of the lump.
pub(crate) fn slots(source: &dyn ReadAt, lump: Extent) -> Result<Vec<Slot>, MapError> {
    let mut slots = Vec::new();
    if lump.len == 0 {
        return Ok(slots);
    }
    let part = "textures";
    let held = lump.len.min(source.size()?.saturating_sub(lump.offset));
    let mut count = [0; 4];
    if held < 4 || source.read_full_at(&mut count, lump.offset)? < count.len() {
        return Err(MapError::Outside { part, lump });
    }
    let count = u32::from_le_bytes(count);
    check_count(part, count.into(), TEXTURES_MAX.into())?;
    let mut table = vec![0; count as usize * 4];
    let at = lump.offset.saturating_add(4);
    if held - 4 < table.len() as u64 || source.read_full_at(&mut table, at)? < table.len() {
        return Err(MapError::Outside { part, lump });
    }
    for offset in table.chunks_exact(4).map(|offset| u32_at(offset, 0)) {
        let at = lump.offset.saturating_add(offset.into());
        let mut header = [0; Miptex::HEADER];
        slots.push(match offset {
            NO_TEXTURE => Slot::LeftOut,
            _ if source.read_full_at(&mut header, at)? < header.len() => Slot::Cut(at),
            _ => Slot::Texture(at, header),
        });
    }
    Ok(slots)
}

/// Reads the textures of a map. `None` if the file is no map of a format that holds textures.
pub(super) fn read(file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error> {
    let Some(wad) = MapKind::wad_of(file.start) else {
        return Ok(None);
    };
    let Some(map) = MapHeader::read(file.source).map_err(Error::from_io)? else {
        return Ok(None);
    };
    let lump = map.lump(TEXTURES);
    let (Extent { offset, len }, file_len) = (lump, file.len);
    let slots = slots(file.source, lump).map_err(|error| -> Error {
        match error {
            MapError::Io(error) => Error::from_io(error),
            MapError::TooMany { found: value, most: limit, .. } => {
                ErrorKind::OverLimit { what: Limit::Entries, value, limit }.into()
            }
            MapError::NotAMap | MapError::Outside { .. } => {
                ErrorKind::NoTextureList { offset, len, file: file_len }.into()
            }
        }
    })?;
    let mut textures = Textures {
        file,
        lump,
        has_palettes: wad == Format::Wad3,
        contents: ArchiveContents::other(map.kind.word),
        outside: Vec::new(),
        empty: 0,
    };
    let mut header = vec![0; map.kind.magic.len() + 8 * map.lumps.len()];
    read_at(file.source, &mut header, 0)?;
    // A number, and an offset for each slot. A lump without textures has none.
    let mut directory = vec![0; if slots.is_empty() { 0 } else { 4 + 4 * slots.len() }];
    read_at(file.source, &mut directory, lump.offset)?;
    let structure = &mut textures.contents.structure;
    structure.header.len = header.len() as u64;
    structure.claimed = directory.len() as u64;
    structure.directory = Extent { offset: lump.offset, len: structure.claimed };
    textures.contents.header = header;
    textures.contents.directory = RawDirectory::Bytes(directory);
    for (number, slot) in slots.iter().enumerate() {
        textures.add(number, slot)?;
    }
    Ok(Some(textures.finish()))
}

/// The textures of a map, while they are read.
struct Textures<'a> {
    file: &'a ArchiveFile<'a>,
    lump: Extent,
    /// Whether a palette follows the pixels.
    has_palettes: bool,
    contents: ArchiveContents,
    /// The names of textures that are in WADs.
    outside: Vec<Vec<u8>>,
    /// How many slots have no texture.
    empty: usize,
}

impl Textures<'_> {
    /// Adds the texture in a slot.
    fn add(&mut self, number: usize, slot: &Slot) -> Result<(), Error> {
        let mut name = Vec::new();
        let (offset, size) = match slot {
            Slot::LeftOut => {
                self.empty += 1;
                return Ok(());
            }
            Slot::Cut(at) => {
                // Reading the entry says that it is outside of the file.
                name = format!("texture{number}.mip").into_bytes();
                (*at, Miptex::HEADER as u64)
            }
            Slot::Texture(at, header) => {
                let miptex = Miptex::new(header);
                if !miptex.has_pixels() {
                    self.outside.push(miptex.name.to_vec());
                    return Ok(());
                }
                push_entry_name(&mut name, miptex.name, TEXTURE, Format::Wad3);
                (*at, self.size(&miptex, *at)?)
            }
        };
        let record = EntryRecord {
            offset,
            size,
            stored_len: size,
            coding: Coding::Stored,
            ..EntryRecord::default()
        };
        self.contents.add(&name, record, None)?;
        Ok(())
    }

    /// The length of the texture at this offset: up to the end of its last size, or of its palette.
    fn size(&self, miptex: &Miptex<'_>, at: u64) -> Result<u64, Error> {
        let mut size = Miptex::HEADER as u64;
        for (level, offset) in miptex.offsets.into_iter().enumerate() {
            let [width, height] =
                [miptex.width, miptex.height].map(|side| u64::from(side >> level));
            if offset != 0 {
                size = size.max(u64::from(offset).saturating_add(width * height));
            }
        }
        let mut colours = [0; 2];
        let behind = at.saturating_add(size);
        if !self.has_palettes {
            return Ok(size);
        }
        let read = self.file.source.read_full_at(&mut colours, behind);
        if read.map_err(Error::from_io)? == colours.len() {
            size = size.saturating_add(2 + 3 * u64::from(u16_at(&colours, 0)));
            // As in a WAD, whose lumps end at multiples of 4.
            let whole = size.checked_next_multiple_of(4).unwrap_or(size);
            let left = (self.lump.offset.saturating_add(self.lump.len)).saturating_sub(at);
            size = size.max(whole.min(left));
        }
        Ok(size)
    }

    /// The textures, with a note about textures that are not in the map.
    fn finish(mut self) -> ArchiveContents {
        if !self.outside.is_empty() || self.empty > 0 {
            let shown = self.outside.iter().take(SHOWN);
            let mut names: Vec<String> = shown.map(|name| quoted_name(name).to_string()).collect();
            if self.outside.len() > SHOWN {
                names.push(format!("and {} more", self.outside.len() - SHOWN));
            }
            self.contents.notes.push(Note::NotInMap {
                outside: self.outside.len(),
                names: names.join(", "),
                empty: self.empty,
            });
        } else if self.contents.records.is_empty() {
            self.contents.notes.push(Note::Empty);
        }
        self.contents
    }
}
