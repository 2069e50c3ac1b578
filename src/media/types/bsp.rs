//! Levels: the format of a map, its lumps, and their content.
//!
//! | format             | begins with     | lumps | entities | textures                    |
//! |--------------------|-----------------|-------|----------|-----------------------------|
//! | BSP 29, 30         | its version     | 15    | 0        | 2: miptex, with offsets     |
//! | BSP2, 2PSB         | its name        | 15    | 0        | 2: the same                 |
//! | IBSP 38, QBSP 38   | name, version   | 19    | 0        | 5: records of 76, name at 40 |
//! | IBSP 41            | name, version   | 21    | 0        | 5: the same                 |
//! | IBSP 46, 47        | name, version   | 17    | 0        | 1: records of 72, name at 0 |
//!
//! A lump is an offset and a length, 32 bits each.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::row::Magic::Always;
use super::row::{FILE, Kind, TypeRow};
use crate::archive::bytes::{Cursor, Short};
use crate::archive::{Extent, ReadAt};
use crate::format::{ListError, Miptex, NO_TEXTURE, TEXTURES_MAX, TexturedMap, texture_offsets};
use crate::media::entities::Entity;
use crate::media::file::{Depth, FactList, File, LISTED_MAX, Mismatch, number, text};

const MAP: TypeRow = TypeRow { kind: Kind::Map, look, ..FILE };

pub(super) const BSP29: TypeRow = TypeRow { magic: Always(QUAKE.magic), ..MAP };
pub(super) const BSP30: TypeRow = TypeRow { magic: Always(HALF_LIFE.magic), ..MAP };
pub(super) const BSP2: TypeRow = TypeRow { magic: Always(QUAKE_BSP2.magic), ..MAP };
pub(super) const BSP2_PSB: TypeRow = TypeRow { magic: Always(QUAKE_2PSB.magic), ..MAP };
pub(super) const IBSP38: TypeRow = TypeRow { magic: Always(QUAKE2.magic), ..MAP };
pub(super) const QBSP38: TypeRow = TypeRow { magic: Always(QUAKE2_QBSP.magic), ..MAP };
pub(super) const IBSP41: TypeRow = TypeRow { magic: Always(DAIKATANA.magic), ..MAP };
pub(super) const IBSP46: TypeRow = TypeRow { magic: Always(QUAKE3.magic), ..MAP };
pub(super) const IBSP47: TypeRow = TypeRow { magic: Always(WOLFENSTEIN.magic), ..MAP };

/// Maps that are named, and of which nothing is read. The magic of Quake 64 is `Q64 ` as a number of 32 bits.
const NAMED: TypeRow = TypeRow { kind: Kind::Map, ..FILE };

pub(super) const QUAKE64: TypeRow = TypeRow { magic: Always(b" 46Q"), ..NAMED };
pub(super) const RBSP: TypeRow = TypeRow { magic: Always(b"RBSP\x01\0\0\0"), ..NAMED };
pub(super) const FBSP: TypeRow = TypeRow { magic: Always(b"FBSP\x01\0\0\0"), ..NAMED };

/// The lump of entities, in every format.
const ENTITIES: usize = 0;

/// The longest entity lump that is read. Today's maps have lumps of some megabytes.
const ENTITIES_MAX: u64 = 16 << 20;

/// How many records may name textures. Many have the same texture.
const RECORDS_MAX: u64 = 1 << 20;

/// The length of a record of texinfo in a map of Quake or Half-Life.
const MIP_TEXINFO: usize = 40;

/// The flag of an invisible surface in IBSP 38, 41 and 46. Its texture is never seen.
const NODRAW: u32 = 0x80;

/// How textures are named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// By headers, which the pixels may follow.
    Miptex,
    /// By texinfo records.
    Texinfo,
    /// By shader records.
    Shaders,
}

/// The header of a format.
pub(crate) struct MapLayout {
    pub(crate) magic: &'static [u8],
    /// Whether edges have wider numbers.
    pub(crate) is_wide: bool,
    pub(crate) naming: Naming,
    lump_count: usize,
    lump_names: &'static str,
}

const QUAKE: MapLayout = MapLayout {
    magic: &TexturedMap::BSP29.magic,
    is_wide: false,
    naming: Naming::Miptex,
    lump_count: 15,
    lump_names: "entities planes textures vertexes visibility nodes texinfo faces lighting \
        clipnodes leafs marksurfaces edges surfedges models",
};

const QUAKE2: MapLayout = MapLayout {
    magic: b"IBSP\x26\0\0\0",
    is_wide: false,
    naming: Naming::Texinfo,
    lump_count: 19,
    // Quake II's lumps, followed by two of Daikatana's.
    lump_names: "entities planes vertexes visibility nodes texinfo faces lighting leafs leaffaces \
        leafbrushes edges surfedges models brushes brushsides pop areas areaportals \
        texinfo_colours plane_polygons",
};

const QUAKE3: MapLayout = MapLayout {
    magic: b"IBSP\x2E\0\0\0",
    is_wide: false,
    naming: Naming::Shaders,
    lump_count: 17,
    lump_names: "entities shaders planes nodes leafs leafsurfaces leafbrushes models brushes \
        brushsides drawverts drawindexes fogs surfaces lightmaps lightgrid visibility",
};

const HALF_LIFE: MapLayout = MapLayout { magic: &TexturedMap::BSP30.magic, ..QUAKE };
const QUAKE_BSP2: MapLayout = MapLayout { magic: &TexturedMap::BSP2.magic, is_wide: true, ..QUAKE };
const QUAKE_2PSB: MapLayout = MapLayout { magic: &TexturedMap::BSP2_PSB.magic, ..QUAKE_BSP2 };
const QUAKE2_QBSP: MapLayout = MapLayout { magic: b"QBSP\x26\0\0\0", is_wide: true, ..QUAKE2 };
const DAIKATANA: MapLayout = MapLayout { magic: b"IBSP\x29\0\0\0", lump_count: 21, ..QUAKE2 };
const WOLFENSTEIN: MapLayout = MapLayout { magic: b"IBSP\x2F\0\0\0", ..QUAKE3 };

/// All formats.
#[rustfmt::skip]
const LAYOUTS: [&MapLayout; 9] = [
    &QUAKE, &HALF_LIFE, &QUAKE_BSP2, &QUAKE_2PSB, &QUAKE2, &QUAKE2_QBSP, &DAIKATANA, &QUAKE3,
    &WOLFENSTEIN,
];

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

/// A texture that a map names.
pub(crate) struct MapTexture {
    pub(crate) name: Vec<u8>,
    /// The number of the first record that names it.
    pub(crate) record: u32,
    /// Whether it is in the map itself.
    pub(crate) is_within: bool,
}

/// A map, as described by its header.
pub(crate) struct Map<'a> {
    pub(crate) layout: &'static MapLayout,
    /// The lumps and their names.
    lumps: Vec<(&'static str, Extent)>,
    source: &'a dyn ReadAt,
}

impl<'a> Map<'a> {
    /// Reads the header of a map.
    pub(crate) fn read(source: &'a dyn ReadAt) -> Result<Self, MapError> {
        let mut start = [0; 256];
        let len = source.read_full_at(&mut start, 0)?;
        let start = start.get(..len).unwrap_or_default();
        Self::parse(Cursor::new(start), source).ok_or(MapError::NotAMap)
    }

    fn parse(start: Cursor<'_>, source: &'a dyn ReadAt) -> Option<Self> {
        let layout = LAYOUTS.into_iter().find(|layout| start.all().starts_with(layout.magic))?;
        // The lumps' places follow what the map begins with.
        let mut start = start.at(layout.magic.len());
        let mut lumps = Vec::new();
        let names = layout.lump_names.split_whitespace();
        for name in names.take(layout.lump_count) {
            let offset = start.u32("where a lump begins").ok()?.into();
            let len = start.u32("the length of a lump").ok()?.into();
            lumps.push((name, Extent { offset, len }));
        }
        Some(Self { layout, lumps, source })
    }

    pub(crate) fn lump(&self, number: usize) -> Extent {
        self.lumps.get(number).map(|(_, lump)| *lump).unwrap_or_default()
    }

    /// The text of the entities.
    pub(crate) fn entities(&self) -> Result<Vec<u8>, MapError> {
        let (part, lump) = ("entities", self.lump(ENTITIES));
        check_count("bytes of entities", lump.len, ENTITIES_MAX)?;
        let mut all = Vec::new();
        self.pieces(lump, part, 1, |piece| all.extend_from_slice(piece))?;
        Ok(all)
    }

    /// The textures that the map names, each once, except textures that are only on invisible surfaces.
    pub(crate) fn textures(&self) -> Result<MapTextures, MapError> {
        match self.layout.naming {
            Naming::Miptex => self.mip_textures(),
            Naming::Texinfo => self.texture_records(5, 76, (40, 32), 32),
            Naming::Shaders => self.texture_records(1, 72, (0, 64), 64),
        }
    }

    /// Textures in records of this length, with a name and flags at these places.
    fn texture_records(
        &self,
        lump: usize,
        len: usize,
        (name_at, name_len): (usize, usize),
        flags_at: usize,
    ) -> Result<MapTextures, MapError> {
        let lump = self.lump(lump);
        let count = lump.len.checked_div(len as u64).unwrap_or(0);
        check_count("textures", count, RECORDS_MAX)?;
        let mut names = MapTextures::default();
        let mut number: u32 = 0;
        self.records(lump, "textures", len, |texture| {
            let record = number;
            number = number.saturating_add(1);
            let flags = texture.at(flags_at).u32("the flags")?;
            if flags & NODRAW == 0 {
                let name = texture.at(name_at).text("the name", name_len)?;
                names.add(name, record, false);
            }
            Ok(())
        })?;
        check_count("textures", names.all.len() as u64, TEXTURES_MAX.into())?;
        Ok(names)
    }

    /// Textures of a map of Quake or Half-Life: a number, an offset for each (-1 if it is left out), then
    /// headers with or without pixels.
    fn mip_textures(&self) -> Result<MapTextures, MapError> {
        let (part, lump) = ("textures", self.lump(2));
        let mut names = MapTextures::default();
        let all = texture_offsets(self.source, lump).map_err(|error| match error {
            ListError::Io(error) => MapError::Io(error),
            ListError::Short => MapError::Outside { part, lump },
            ListError::TooMany(found) => {
                MapError::TooMany { part, found: found.into(), most: TEXTURES_MAX.into() }
            }
        })?;
        let mut offsets: Vec<(u32, u32)> = Vec::new();
        for (record, offset) in (0..).zip(all) {
            if offset == NO_TEXTURE {
                names.left_out.insert(record);
            } else {
                offsets.push((offset, record));
            }
        }
        // Sorted by offset, so that a stream is read once.
        offsets.sort_unstable();
        for (offset, record) in offsets {
            let mut header = [0; Miptex::HEADER];
            let at = lump.offset.saturating_add(offset.into());
            if self.source.read_full_at(&mut header, at)? < header.len() {
                return Err(MapError::Outside { part, lump });
            }
            let miptex = Miptex::new(&header);
            names.add(miptex.name, record, miptex.has_pixels());
        }
        names.all.sort_by_key(|named| named.record);
        Ok(names)
    }

    /// Those of the textures that the map's list leaves out that faces have. Engines show a placeholder there, and
    /// warn of it.
    pub(crate) fn of_faces(&self, left_out: &BTreeSet<u32>) -> Result<BTreeSet<u32>, MapError> {
        let mut used = BTreeSet::new();
        if left_out.is_empty() {
            return Ok(used);
        }
        // A face has the number of a texinfo, which has that of a texture.
        let (part, lump) = ("texinfo", self.lump(6));
        let count = lump.len.checked_div(MIP_TEXINFO as u64).unwrap_or(0);
        check_count(part, count, RECORDS_MAX)?;
        let mut textures: Vec<u32> = Vec::new();
        self.records(lump, part, MIP_TEXINFO, |texinfo| {
            textures.push(texinfo.at(32).u32("the texture")?);
            Ok(())
        })?;
        let face_len = if self.layout.is_wide { 28 } else { 20 };
        self.records(self.lump(7), "faces", face_len, |face| {
            let texinfo = if self.layout.is_wide {
                face.at(16).u32("the texinfo")?
            } else {
                face.at(10).u16("the texinfo")?.into()
            };
            let texture = usize::try_from(texinfo).ok().and_then(|it| textures.get(it));
            if let Some(texture) = texture
                && left_out.contains(texture)
            {
                used.insert(*texture);
            }
            Ok(())
        })?;
        Ok(used)
    }

    /// Reads a lump in pieces of whole records.
    fn pieces(
        &self,
        lump: Extent,
        part: &'static str,
        record: usize,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), MapError> {
        let most = record.saturating_mul(16_384_usize.checked_div(record).unwrap_or(1));
        let mut piece = vec![0; most];
        let (mut at, mut left) = (lump.offset, lump.len);
        while left > 0 {
            let count = usize::try_from(left).unwrap_or(most).min(most);
            let piece = piece.get_mut(..count).unwrap_or_default();
            if self.source.read_full_at(piece, at)? < count {
                return Err(MapError::Outside { part, lump });
            }
            take(piece);
            at = at.saturating_add(count as u64);
            left = left.saturating_sub(count as u64);
        }
        Ok(())
    }

    /// Reads the records of a lump. A record that `take` finds too short is skipped.
    pub(crate) fn records(
        &self,
        lump: Extent,
        part: &'static str,
        len: usize,
        mut take: impl FnMut(Cursor<'_>) -> Result<(), Short>,
    ) -> Result<(), MapError> {
        self.pieces(lump, part, len, |piece| {
            for record in piece.chunks_exact(len) {
                let _ = take(Cursor::new(record));
            }
        })
    }
}

/// Names, each once. A hostile map could name one texture a million times.
#[derive(Default)]
pub(crate) struct MapTextures {
    seen: BTreeSet<Vec<u8>>,
    pub(crate) all: Vec<MapTexture>,
    /// The numbers of the records that name none, in a map of Quake or Half-Life.
    pub(crate) left_out: BTreeSet<u32>,
}

impl MapTextures {
    fn add(&mut self, name: &[u8], record: u32, is_within: bool) {
        // One more than is allowed shows that there are too many.
        if self.all.len() > TEXTURES_MAX as usize {
            return;
        }
        if !name.is_empty() && self.seen.insert(name.to_ascii_lowercase()) {
            self.all.push(MapTexture { name: name.to_vec(), record, is_within });
        }
    }
}

/// Fails if there is more of something than any real map has.
pub(crate) fn check_count(part: &'static str, found: u64, most: u64) -> Result<(), MapError> {
    if found > most {
        return Err(MapError::TooMany { part, found, most });
    }
    Ok(())
}

fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let map = Map::parse(file.start, file.source).ok_or(Mismatch::Header)?;
    // BSP2 and 2PSB begin with a name alone.
    let version = map.layout.magic.last_chunk().map(|version| u32::from_le_bytes(*version));
    facts.number("version", version.filter(|version| *version < 256));
    if file.depth < Depth::Header {
        return Ok(());
    }
    if let Some(text) = readable(facts, map.entities(), file.depth)? {
        add_entities(facts, map.layout, &text, file.depth);
    }
    if file.depth < Depth::All {
        return Ok(());
    }
    if let Some(found) = readable(facts, map.textures(), file.depth)? {
        let (textures, left_out) = (found.all, found.left_out);
        facts.number("textures", Some(textures.len() as u64));
        // Maps of Quake and Half-Life contain some textures and name others.
        if map.layout.naming == Naming::Miptex {
            let within = textures.iter().filter(|named| named.is_within).count();
            facts.number("textures_inside", Some(within as u64));
            if !left_out.is_empty() {
                facts.number("textures_left_out", Some(left_out.len() as u64));
            }
        }
        let names = textures.into_iter().take(LISTED_MAX);
        facts.texts("texture_names", names.map(|named| named.name).collect());
    }
    let mut records = Vec::new();
    for (name, lump) in map.lumps {
        records.push(vec![
            text("name", name.as_bytes()),
            number("offset", lump.offset),
            number("size", lump.len),
        ]);
        if lump.len > 0 && lump.end() > file.len {
            facts.note(format!(
                "its {name} should lie at bytes {} to {}, and it has {}",
                lump.offset,
                lump.end(),
                file.len
            ));
        }
    }
    facts.records("lumps", records);
    Ok(())
}

/// A part of a map, if it can be read. Lumps outside of the file are reported together, later.
fn readable<T>(
    facts: &mut FactList,
    part: Result<T, MapError>,
    depth: Depth,
) -> io::Result<Option<T>> {
    match part {
        Ok(part) => Ok(Some(part)),
        Err(MapError::Io(error)) => Err(error),
        Err(error) => {
            if depth == Depth::All && matches!(error, MapError::TooMany { .. }) {
                facts.note(error.to_string());
            }
            Ok(None)
        }
    }
}

fn add_entities(facts: &mut FactList, layout: &MapLayout, lump: &[u8], depth: Depth) {
    let mut count: u64 = 0;
    let mut classes: BTreeMap<&[u8], u64> = BTreeMap::new();
    // Counted apart: for eight million entities without a class, to look it up took a second of 1.4.
    let mut without_class: u64 = 0;
    let mut is_hexen2 = false;
    for entity in Entity::all(lump) {
        if count == 0 {
            let sky = entity.get("sky").or_else(|| entity.get("skyname"));
            facts.text("title", entity.get("message").unwrap_or_default());
            facts.text("sky", sky.unwrap_or_default());
        }
        count = count.saturating_add(1);
        is_hexen2 |= layout.magic == QUAKE.magic && entity.is_of_hexen2();
        if depth < Depth::All {
            continue;
        }
        let class = entity.class();
        if class.is_empty() {
            without_class = without_class.saturating_add(1);
        } else if let Some(number) = classes.get_mut(class) {
            *number = number.saturating_add(1);
        } else if classes.len() < LISTED_MAX {
            classes.insert(class, 1);
        }
    }
    facts.number("entities", Some(count));
    if is_hexen2 {
        facts.word("game", "Hexen II");
    }
    if depth < Depth::All {
        return;
    }
    if without_class > 0 {
        classes.insert(b"", without_class);
    }
    // The most frequent class first.
    let mut classes: Vec<(&[u8], u64)> = classes.into_iter().collect();
    classes.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
    let mut records = Vec::new();
    for (class, count) in classes {
        records.push(vec![text("class", class), number("count", count)]);
    }
    facts.records("classes", records);
}
