//! Levels: which format a map has, where its parts lie, and what they say.
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
//!
//! **Leafs of IBSP 41.** Newer maps of Daikatana have leafs of 28 bytes, as Quake II's are, older ones of
//! 32, and nothing says which. Both can divide the lump's length, so the leafs are looked at: each names a
//! range of faces and one of brushes, and of records that are taken for longer or shorter than they are
//! some soon lie out of range.

use std::io;

use super::source::{Source, long, short, signed_short, text};
use super::texture::MipTexture;
use crate::media::FileType;

/// The lump of entities, in every format.
const ENTITIES: usize = 0;
/// Leafs, and the numbers of their faces and brushes, in IBSP 38 and 41.
const LEAFS: usize = 8;
const LEAF_FACES: usize = 9;
const LEAF_BRUSHES: usize = 10;

/// How many bytes of leafs are looked at: whole records of either length.
const LEAFS_MAX: usize = 28 * 32 * 64;

/// The longest entity lump that is read. Maps of today have one of some megabytes.
const ENTITIES_MAX: u64 = 16 << 20;

/// How many textures a map may name: some times more than any engine takes.
const TEXTURES_MAX: u32 = 1 << 20;

/// The flag of a surface that is not drawn, in IBSP 38, 41 and 46: its texture is never seen.
const NODRAW: u32 = 0x80;

/// A map, as its header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// Its format.
    pub file_type: FileType,
    /// How long its leafs are, in a map of Daikatana.
    pub leafs: Option<Leafs>,
    lumps: Vec<Lump>,
}

/// How long the leafs of a map of Daikatana are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leafs {
    /// 28 bytes, as in Quake II.
    Of28,
    /// 32 bytes, as in older maps.
    Of32,
    /// It is not certain: both can be, or neither, or they could not be read.
    NotKnown,
}

impl Leafs {
    /// The number of bytes.
    #[must_use]
    pub const fn bytes(self) -> Option<u8> {
        match self {
            Self::Of28 => Some(28),
            Self::Of32 => Some(32),
            Self::NotKnown => None,
        }
    }
}

/// A part of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lump {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub len: u64,
}

/// Why a map cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no map of a format that is known.
    #[error("it is not a map of a known format")]
    NotAMap,
    /// A part lies outside of the file, or behind what can be read of it.
    #[error("its {part} should lie at bytes {} to {}, and the file ends before", lump.offset, lump.offset.saturating_add(lump.len))]
    Outside {
        /// What it holds.
        part: &'static str,
        /// Where it should lie.
        lump: Lump,
    },
    /// A part is larger than that of any map.
    #[error("it has more {part} than any map: {found}, at most {most}")]
    TooMany {
        /// What it holds.
        part: &'static str,
        /// How many.
        found: u64,
        /// How many are read at most.
        most: u64,
    },
}

/// A texture that a map names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: Vec<u8>,
    /// The number of the first record that names it.
    pub record: u32,
    /// Whether it is in the map itself.
    pub is_within: bool,
}

impl Map {
    /// The map whose file begins so.
    pub(super) fn of(file_type: FileType, start: &[u8]) -> Option<Self> {
        let (first, count) = match file_type {
            FileType::Bsp29 | FileType::Bsp30 | FileType::Bsp2 | FileType::Bsp2Psb => {
                (4_usize, 15_usize)
            }
            FileType::Ibsp38 | FileType::Qbsp38 => (8, 19),
            FileType::Ibsp41 => (8, 21),
            FileType::Ibsp46 | FileType::Ibsp47 => (8, 17),
            _ => return None,
        };
        let directory = start.get(first..)?.get(..count.checked_mul(8)?)?;
        let lumps = directory.chunks_exact(8).map(|lump| Lump {
            offset: long(lump, 0).map_or(0, u64::from),
            len: long(lump, 4).map_or(0, u64::from),
        });
        Some(Self {
            file_type,
            leafs: (file_type == FileType::Ibsp41).then_some(Leafs::NotKnown),
            lumps: lumps.collect(),
        })
    }

    /// Reads the header of a map.
    ///
    /// # Errors
    /// If it is none, or cannot be read.
    pub fn read(source: &mut (impl Source + ?Sized)) -> Result<Self, MapError> {
        let mut start = [0; 256];
        let len = source.read_at(0, &mut start)?;
        let start = start.get(..len).unwrap_or_default();
        let file_type = FileType::by_magic(start).ok_or(MapError::NotAMap)?;
        Self::of(file_type, start).ok_or(MapError::NotAMap)
    }

    /// Its parts, by their numbers.
    #[must_use]
    pub fn lumps(&self) -> &[Lump] {
        &self.lumps
    }

    fn lump(&self, number: usize) -> Lump {
        self.lumps.get(number).copied().unwrap_or_default()
    }

    /// The same, with the length of its leafs found out where it is Daikatana's.
    pub(super) fn with_leafs(mut self, source: &mut (impl Source + ?Sized)) -> io::Result<Self> {
        if self.leafs.is_some() {
            let lump = self.lump(LEAFS);
            let count = usize::try_from(lump.len)
                .unwrap_or(LEAFS_MAX)
                .min(LEAFS_MAX);
            let mut leafs = vec![0; count];
            let read = source.read_at(lump.offset, &mut leafs)?;
            leafs.truncate(read);
            self.leafs = Some(self.judge_leafs(&leafs));
        }
        Ok(self)
    }

    /// How long the records are of which these are the first.
    fn judge_leafs(&self, leafs: &[u8]) -> Leafs {
        let can_be = |len: usize| {
            let divides = self.lump(LEAFS).len.checked_rem(len as u64) == Some(0);
            let mut records = leafs.chunks_exact(len).peekable();
            divides && records.peek().is_some() && records.all(|leaf| self.is_leaf(leaf, len))
        };
        match (can_be(28), can_be(32)) {
            (true, false) => Leafs::Of28,
            (false, true) => Leafs::Of32,
            _ => Leafs::NotKnown,
        }
    }

    /// Whether a record can be a leaf: contents, cluster, area, bounds, then a range of faces and one of
    /// brushes. `len` is how long all of them are.
    fn is_leaf(&self, leaf: &[u8], len: usize) -> bool {
        let count = self.lump(LEAFS).len.checked_div(len as u64).unwrap_or(0);
        let in_range = |at: usize, lump: usize| {
            let end = short(leaf, at).zip(short(leaf, at.saturating_add(2)));
            let end = end.map(|(first, count)| u64::from(first).saturating_add(count.into()));
            end.is_some_and(|end| end <= self.lump(lump).len / 2)
        };
        let cluster = signed_short(leaf, 4).map_or(i64::MIN, i64::from);
        let is_cluster = cluster >= -1 && cluster < i64::try_from(count).unwrap_or(i64::MAX);
        let is_area = signed_short(leaf, 6).is_some_and(|area| area >= 0);
        is_cluster && is_area && in_range(20, LEAF_FACES) && in_range(24, LEAF_BRUSHES)
    }

    /// The text that says what stands in the map, for [`entities`](super::entities).
    ///
    /// # Errors
    /// If it cannot be read, or is longer than that of any map.
    pub fn entities(&self, source: &mut (impl Source + ?Sized)) -> Result<Vec<u8>, MapError> {
        let (part, lump) = ("entities", self.lump(ENTITIES));
        if lump.len > ENTITIES_MAX {
            let (found, most) = (lump.len, ENTITIES_MAX);
            let part = "bytes of entities";
            return Err(MapError::TooMany { part, found, most });
        }
        let mut all = Vec::new();
        let take = |piece: &[u8]| all.extend_from_slice(piece);
        in_pieces(source, lump, part, 1, take)?;
        Ok(all)
    }

    /// The textures that it names, each once, but for those on surfaces that are not drawn.
    ///
    /// # Errors
    /// If they cannot be read, or are more than those of any map.
    pub fn textures(&self, source: &mut (impl Source + ?Sized)) -> Result<Vec<Named>, MapError> {
        match self.file_type {
            FileType::Ibsp38 | FileType::Qbsp38 | FileType::Ibsp41 => {
                self.records(source, 5, 76, (40, 32), 32)
            }
            FileType::Ibsp46 | FileType::Ibsp47 => self.records(source, 1, 72, (0, 64), 64),
            _ => self.mip_textures(source),
        }
    }

    /// Textures in records of this length, with a name and flags at these places.
    fn records(
        &self,
        source: &mut (impl Source + ?Sized),
        number: usize,
        len: usize,
        name: (usize, usize),
        flags: usize,
    ) -> Result<Vec<Named>, MapError> {
        let lump = self.lump(number);
        let count = lump.len.checked_div(len as u64).unwrap_or(0);
        check_count(count)?;
        let mut names = Names::default();
        let mut record: u32 = 0;
        in_pieces(source, lump, "textures", len, |piece| {
            for texture in piece.chunks_exact(len) {
                let is_drawn = long(texture, flags).is_some_and(|flags| flags & NODRAW == 0);
                if let Some(name) = text(texture, name.0, name.1).filter(|_| is_drawn) {
                    names.add(name, record, false);
                }
                record = record.saturating_add(1);
            }
        })?;
        Ok(names.all)
    }

    /// Textures of a map of Quake or Half-Life: a number, an offset for each (-1 where there is none),
    /// then headers, with pixels or without.
    fn mip_textures(&self, source: &mut (impl Source + ?Sized)) -> Result<Vec<Named>, MapError> {
        let lump = self.lump(2);
        if lump.len == 0 {
            return Ok(Vec::new());
        }
        let outside = || MapError::Outside {
            part: "textures",
            lump,
        };
        let mut count = [0; 4];
        let read = source.read_at(lump.offset, &mut count)?;
        let count = long(&count, 0)
            .filter(|_| read == count.len())
            .ok_or_else(outside)?;
        check_count(count.into())?;
        let table = Lump {
            offset: lump.offset.saturating_add(4),
            len: u64::from(count).saturating_mul(4),
        };
        let mut offsets = Vec::new();
        in_pieces(source, table, "textures", 4, |piece| {
            let numbers = piece.chunks_exact(4).filter_map(|number| long(number, 0));
            offsets.extend(numbers);
        })?;
        // In the order in which they lie, so that a stream is gone through once.
        let mut offsets: Vec<(u32, u32)> = offsets.into_iter().zip(0..).collect();
        offsets.retain(|(offset, _)| *offset != u32::MAX);
        offsets.sort_unstable();
        let mut names = Names::default();
        for (offset, record) in offsets {
            let mut header = [0; MipTexture::LEN];
            let at = lump.offset.saturating_add(offset.into());
            let read = source.read_at(at, &mut header)?;
            let texture = MipTexture::of(&header).filter(|_| read == header.len());
            let texture = texture.ok_or_else(outside)?;
            names.add(&texture.name, record, texture.has_pixels);
        }
        names.all.sort_by_key(|named| named.record);
        Ok(names.all)
    }
}

/// Names, each once.
#[derive(Default)]
struct Names {
    seen: std::collections::BTreeSet<Vec<u8>>,
    all: Vec<Named>,
}

impl Names {
    fn add(&mut self, name: &[u8], record: u32, is_within: bool) {
        if !name.is_empty() && self.seen.insert(name.to_ascii_lowercase()) {
            self.all.push(Named {
                name: name.to_vec(),
                record,
                is_within,
            });
        }
    }
}

fn check_count(found: u64) -> Result<(), MapError> {
    if found <= TEXTURES_MAX.into() {
        return Ok(());
    }
    let part = "textures";
    let most = TEXTURES_MAX.into();
    Err(MapError::TooMany { part, found, most })
}

/// Reads a lump in pieces of whole records, and hands each on.
pub(super) fn in_pieces(
    source: &mut (impl Source + ?Sized),
    lump: Lump,
    part: &'static str,
    record: usize,
    mut take: impl FnMut(&[u8]),
) -> Result<(), MapError> {
    let most = record.saturating_mul(16_384usize.checked_div(record).unwrap_or(1));
    let mut piece = vec![0; most];
    let (mut at, mut left) = (lump.offset, lump.len);
    while left > 0 {
        let count = usize::try_from(left).unwrap_or(most).min(most);
        let piece = piece.get_mut(..count).unwrap_or_default();
        if source.read_at(at, piece)? < count {
            return Err(MapError::Outside { part, lump });
        }
        take(piece);
        at = at.saturating_add(count as u64);
        left = left.saturating_sub(count as u64);
    }
    Ok(())
}
