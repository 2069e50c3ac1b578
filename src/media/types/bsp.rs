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
use crate::format::Miptex;
use crate::format::map::{
    MapError, MapHeader, MapKind, Naming, Slot, TEXTURES, TEXTURES_MAX, check_count, slots,
};
use crate::media::entities::Entity;
use crate::media::file::{Depth, FactList, File, LISTED_MAX, Mismatch, number, text};

const MAP: TypeRow = TypeRow { kind: Kind::Map, look, ..FILE };

pub(super) const BSP29: TypeRow = TypeRow { magic: Always(MapKind::BSP29.magic), ..MAP };
pub(super) const BSP30: TypeRow = TypeRow { magic: Always(MapKind::BSP30.magic), ..MAP };
pub(super) const BSP2: TypeRow = TypeRow { magic: Always(MapKind::BSP2.magic), ..MAP };
pub(super) const BSP2_PSB: TypeRow = TypeRow { magic: Always(MapKind::BSP2_PSB.magic), ..MAP };
pub(super) const IBSP38: TypeRow = TypeRow { magic: Always(MapKind::IBSP38.magic), ..MAP };
pub(super) const QBSP38: TypeRow = TypeRow { magic: Always(MapKind::QBSP38.magic), ..MAP };
pub(super) const IBSP41: TypeRow = TypeRow { magic: Always(MapKind::IBSP41.magic), ..MAP };
pub(super) const IBSP46: TypeRow = TypeRow { magic: Always(MapKind::IBSP46.magic), ..MAP };
pub(super) const IBSP47: TypeRow = TypeRow { magic: Always(MapKind::IBSP47.magic), ..MAP };

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
    pub(crate) header: MapHeader,
    source: &'a dyn ReadAt,
}

impl<'a> Map<'a> {
    /// Reads the header of a map.
    pub(crate) fn read(source: &'a dyn ReadAt) -> Result<Self, MapError> {
        let header = MapHeader::read(source)?.ok_or(MapError::NotAMap)?;
        Ok(Self { header, source })
    }

    /// The text of the entities.
    pub(crate) fn entities(&self) -> Result<Vec<u8>, MapError> {
        let (part, lump) = ("entities", self.header.lump(ENTITIES));
        check_count("bytes of entities", lump.len, ENTITIES_MAX)?;
        let mut all = Vec::new();
        self.pieces(lump, part, 1, |piece| all.extend_from_slice(piece))?;
        Ok(all)
    }

    /// The textures that the map names, each once, except textures that are only on invisible surfaces.
    pub(crate) fn textures(&self) -> Result<MapTextures, MapError> {
        match self.header.kind.naming {
            Naming::Miptex(_) => self.mip_textures(),
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
        let lump = self.header.lump(lump);
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

    /// Textures of a map of Quake or Half-Life: headers with or without pixels.
    fn mip_textures(&self) -> Result<MapTextures, MapError> {
        let lump = self.header.lump(TEXTURES);
        let mut names = MapTextures::default();
        for (record, slot) in (0..).zip(slots(self.source, lump)?) {
            match slot {
                Slot::LeftOut => {
                    names.left_out.insert(record);
                }
                Slot::Cut(_) => {
                    return Err(MapError::Outside { part: "textures", lump });
                }
                Slot::Texture(_, header) => {
                    let miptex = Miptex::new(&header);
                    names.add(miptex.name, record, miptex.has_pixels());
                }
            }
        }
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
        let (part, lump) = ("texinfo", self.header.lump(6));
        let count = lump.len.checked_div(MIP_TEXINFO as u64).unwrap_or(0);
        check_count(part, count, RECORDS_MAX)?;
        let mut textures: Vec<u32> = Vec::new();
        self.records(lump, part, MIP_TEXINFO, |texinfo| {
            textures.push(texinfo.at(32).u32("the texture")?);
            Ok(())
        })?;
        let face_len = if self.header.kind.is_wide { 28 } else { 20 };
        self.records(self.header.lump(7), "faces", face_len, |face| {
            let texinfo = if self.header.kind.is_wide {
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

fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let header = MapHeader::parse(file.start.all()).ok_or(Mismatch::Header)?;
    let map = Map { header, source: file.source };
    let kind = map.header.kind;
    // BSP2 and 2PSB begin with a name alone.
    let version = kind.magic.last_chunk().map(|version| u32::from_le_bytes(*version));
    facts.number("version", version.filter(|version| *version < 256));
    if file.depth < Depth::Header {
        return Ok(());
    }
    if let Some(text) = readable(facts, map.entities(), file.depth)? {
        add_entities(facts, kind, &text, file.depth);
    }
    if file.depth < Depth::All {
        return Ok(());
    }
    if let Some(found) = readable(facts, map.textures(), file.depth)? {
        let (textures, left_out) = (found.all, found.left_out);
        facts.number("textures", Some(textures.len() as u64));
        // Maps of Quake and Half-Life contain some textures and name others.
        if matches!(kind.naming, Naming::Miptex(_)) {
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
    for (name, lump) in map.header.lumps {
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

fn add_entities(facts: &mut FactList, kind: &MapKind, lump: &[u8], depth: Depth) {
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
        is_hexen2 |= kind.magic == MapKind::BSP29.magic && entity.is_of_hexen2();
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
