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

use super::row::{FILE, Kind, Magic, PictureDecoder, QUAKE_PALETTES, TypeRow};
use super::texture::{decode_miptex, miptex_palette};
use crate::archive::bytes::{Cursor, Short};
use crate::archive::{Extent, RawName, ReadAt};
use crate::format::{ListError, Miptex, NO_TEXTURE, TEXTURES_MAX, TexturedMap, texture_offsets};
use crate::media::entities::Entity;
use crate::media::file::{Depth, FactList, File, LISTED_MAX, Mismatch, number, text};
use crate::media::pixels::{Decoding, Frames, Palette, PictureError, wrong};

const MAP: TypeRow = TypeRow { kind: Kind::Map, extensions: &["bsp"], look, ..FILE };

/// A map that contains its textures.
const MAP_WITH_TEXTURES: TypeRow = TypeRow { decoder: PictureDecoder::IfValid(decode), ..MAP };

#[rustfmt::skip]
pub(super) const BSP29: TypeRow = TypeRow { word: TexturedMap::BSP29.word, name: "BSP 29 (Quake)", described: "a Quake level", magic: Magic::Always(QUAKE.magic), game_palettes: QUAKE_PALETTES, ..MAP_WITH_TEXTURES };
#[rustfmt::skip]
pub(super) const BSP30: TypeRow = TypeRow { word: TexturedMap::BSP30.word, name: "BSP 30 (Half-Life)", described: "a Half-Life level", magic: Magic::Always(HALF_LIFE.magic), palette: Some(|input| Ok(palette(input))), ..MAP_WITH_TEXTURES };
#[rustfmt::skip]
pub(super) const BSP2: TypeRow = TypeRow { word: TexturedMap::BSP2.word, name: "BSP2 (Quake, larger)", described: "a Quake level of more than the old limits (BSP2)", magic: Magic::Always(QUAKE_BSP2.magic), game_palettes: QUAKE_PALETTES, ..MAP_WITH_TEXTURES };
#[rustfmt::skip]
pub(super) const BSP2_PSB: TypeRow = TypeRow { word: TexturedMap::BSP2_PSB.word, name: "2PSB (Quake, larger)", described: "a Quake level of more than the old limits (2PSB)", magic: Magic::Always(QUAKE_2PSB.magic), game_palettes: QUAKE_PALETTES, ..MAP_WITH_TEXTURES };
#[rustfmt::skip]
pub(super) const IBSP38: TypeRow = TypeRow { word: "ibsp38", name: "IBSP 38 (Quake II)", described: "a Quake II level", magic: Magic::Always(QUAKE2.magic), ..MAP };
#[rustfmt::skip]
pub(super) const QBSP38: TypeRow = TypeRow { word: "qbsp38", name: "QBSP 38 (Quake II, larger)", described: "a Quake II level of more than the old limits (QBSP)", magic: Magic::Always(QUAKE2_QBSP.magic), ..MAP };
#[rustfmt::skip]
pub(super) const IBSP41: TypeRow = TypeRow { word: "ibsp41", name: "IBSP 41 (Daikatana)", described: "a Daikatana level", magic: Magic::Always(DAIKATANA.magic), ..MAP };
#[rustfmt::skip]
pub(super) const IBSP46: TypeRow = TypeRow { word: "ibsp46", name: "IBSP 46 (Quake III)", described: "a Quake III level", magic: Magic::Always(QUAKE3.magic), ..MAP };
#[rustfmt::skip]
pub(super) const IBSP47: TypeRow = TypeRow { word: "ibsp47", name: "IBSP 47 (Wolfenstein, Quake Live)", described: "a level of Return to Castle Wolfenstein or Quake Live", magic: Magic::Always(WOLFENSTEIN.magic), ..MAP };

/// The lump of entities, in every format.
const ENTITIES: usize = 0;
/// The longest entity lump that is read. Today's maps have lumps of some megabytes.
const ENTITIES_MAX: u64 = 16 << 20;

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
    version: Option<u32>,
    /// Whether edges have wider numbers.
    pub(crate) is_wide: bool,
    pub(crate) naming: Naming,
    lump_count: usize,
    lump_names: &'static str,
}

const QUAKE: MapLayout = MapLayout {
    magic: &TexturedMap::BSP29.magic,
    version: Some(29),
    is_wide: false,
    naming: Naming::Miptex,
    lump_count: 15,
    lump_names: "entities planes textures vertexes visibility nodes texinfo faces lighting clipnodes leafs marksurfaces \
        edges surfedges models",
};

const QUAKE2: MapLayout = MapLayout {
    magic: b"IBSP\x26\0\0\0",
    version: Some(38),
    is_wide: false,
    naming: Naming::Texinfo,
    lump_count: 19,
    // Quake II's lumps, followed by two of Daikatana's.
    lump_names: "entities planes vertexes visibility nodes texinfo faces lighting leafs leaffaces leafbrushes edges \
        surfedges models brushes brushsides pop areas areaportals texinfo_colours plane_polygons",
};

const QUAKE3: MapLayout = MapLayout {
    magic: b"IBSP\x2E\0\0\0",
    version: Some(46),
    is_wide: false,
    naming: Naming::Shaders,
    lump_count: 17,
    lump_names: "entities shaders planes nodes leafs leafsurfaces leafbrushes models brushes brushsides drawverts \
        drawindexes fogs surfaces lightmaps lightgrid visibility",
};

#[rustfmt::skip]
const HALF_LIFE: MapLayout = MapLayout { magic: &TexturedMap::BSP30.magic, version: Some(30), ..QUAKE };
#[rustfmt::skip]
const QUAKE_BSP2: MapLayout = MapLayout { magic: &TexturedMap::BSP2.magic, version: None, is_wide: true, ..QUAKE };
#[rustfmt::skip]
const QUAKE_2PSB: MapLayout = MapLayout { magic: &TexturedMap::BSP2_PSB.magic, version: None, is_wide: true, ..QUAKE };
#[rustfmt::skip]
const QUAKE2_QBSP: MapLayout = MapLayout { magic: b"QBSP\x26\0\0\0", is_wide: true, ..QUAKE2 };
#[rustfmt::skip]
const DAIKATANA: MapLayout = MapLayout { magic: b"IBSP\x29\0\0\0", version: Some(41), lump_count: 21, ..QUAKE2 };
#[rustfmt::skip]
const WOLFENSTEIN: MapLayout = MapLayout { magic: b"IBSP\x2F\0\0\0", version: Some(47), ..QUAKE3 };

/// All formats.
#[rustfmt::skip]
const LAYOUTS: [&MapLayout; 9] = [&QUAKE, &HALF_LIFE, &QUAKE_BSP2, &QUAKE_2PSB, &QUAKE2, &QUAKE2_QBSP, &DAIKATANA, &QUAKE3, &WOLFENSTEIN];

impl MapLayout {
    /// The layout of a map that begins like this.
    fn find(start: Cursor<'_>) -> Option<&'static Self> {
        let mut layouts = LAYOUTS.into_iter();
        layouts.find(|layout| start.all().starts_with(layout.magic))
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
    #[error("its {part} should lie at bytes {} to {}, and the file ends before", lump.offset, lump.end())]
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
        let layout = MapLayout::find(start)?;
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
        check_count("textures", count, TEXTURES_MAX.into())?;
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
        Ok(names)
    }

    /// Textures of a map of Quake or Half-Life: a number, an offset for each (-1 if it is left out), then
    /// headers with or without pixels.
    fn mip_textures(&self) -> Result<MapTextures, MapError> {
        let (part, lump) = ("textures", self.lump(2));
        let mut names = MapTextures::default();
        let all = texture_offsets(self.source, lump).map_err(|error| match error {
            ListError::Io(error) => MapError::Io(error),
            ListError::Short(_) => MapError::Outside { part, lump },
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
        check_count(part, count, TEXTURES_MAX.into())?;
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
    facts.number("version", map.layout.version);
    if file.depth < Depth::Header {
        return Ok(());
    }
    if let Some(text) = readable(facts, map.entities(), file.depth)? {
        add_entities(facts, &text, file.depth);
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

fn add_entities(facts: &mut FactList, lump: &[u8], depth: Depth) {
    let mut count: u64 = 0;
    let mut classes: BTreeMap<&[u8], u64> = BTreeMap::new();
    // Counted apart: for eight million entities without a class, to look it up took a second of 1.4.
    let mut without_class: u64 = 0;
    for entity in Entity::all(lump) {
        if count == 0 {
            let sky = entity.get("sky").or_else(|| entity.get("skyname"));
            facts.text("title", entity.get("message").unwrap_or_default());
            facts.text("sky", sky.unwrap_or_default());
        }
        count = count.saturating_add(1);
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

/// Finds the lump of textures in a map of Quake or Half-Life: its offset, its bytes, and the offset of each texture
/// in it, which is -1 if the texture is missing.
fn texture_lump(input: Cursor<'_>) -> Result<(usize, &[u8], Vec<u32>), PictureError> {
    let start = input.at(20).size("where the textures begin")?;
    let len = input.at(24).size("how long the textures are")?;
    let lump = input.at(start).take("the textures", len)?;
    let whole = Extent { offset: 0, len: len as u64 };
    let offsets = texture_offsets(&lump, whole).map_err(|error| match error {
        ListError::Short(short) => short.into(),
        ListError::TooMany(found) => {
            wrong("the number of textures", start, "at most 1048576", found)
        }
        // Bytes in memory can be read.
        ListError::Io(_) => PictureError::NotAPicture,
    })?;
    Ok((start, lump, offsets))
}

/// The bytes of a lump from an offset on. Empty beyond its end.
fn from_offset(lump: &[u8], offset: u32) -> Cursor<'_> {
    let at = usize::try_from(offset).unwrap_or(usize::MAX);
    Cursor::new(lump.get(at..).unwrap_or_default())
}

/// The palette of the first texture with pixels in a map of Half-Life.
fn palette(input: Cursor<'_>) -> Option<Palette> {
    let (_, lump, offsets) = texture_lump(input).ok()?;
    let mut textures = offsets.into_iter().map(|offset| from_offset(lump, offset));
    textures.find_map(miptex_palette)
}

/// Decodes the textures of a map, labelled with their names. Textures whose pixels are in a WAD are left out.
/// Only textures of Half-Life have palettes.
fn decode(job: &mut Decoding<'_>) -> Frames {
    let (start, lump, offsets) = texture_lump(job.input)?;
    let has_palette = MapLayout::find(job.input).is_some_and(|it| it.version == HALF_LIFE.version);
    let mut frames = Vec::new();
    // Records may name one place many times; then the lump is too short for that many pixels.
    let mut left = lump.len();
    for offset in offsets {
        if offset == NO_TEXTURE {
            continue;
        }
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let header = Cursor::new(lump).at(at).array("the header of a texture")?;
        let miptex = Miptex::new(&header);
        if !miptex.has_pixels() {
            continue;
        }
        let name = RawName::new(miptex.name).to_string();
        let texture = from_offset(lump, offset);
        let taken = decode_miptex(texture, &name, has_palette, job, &mut frames)?;
        let Some(rest) = left.checked_sub(taken) else {
            let (what, expected) = ("where a texture begins", "behind the one before");
            return Err(wrong(what, start.saturating_add(at), expected, offset));
        };
        left = rest;
        if !job.options.all_frames {
            break;
        }
    }
    Ok(frames)
}
