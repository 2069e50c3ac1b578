//! Models and sprites, as their headers say: MDL, MD2, MD3, DKM, SPR and SP2.
//!
//! | type | magic  | version    | skins | vertices | triangles | frames |
//! |------|--------|------------|-------|----------|-----------|--------|
//! | MDL  | `IDPO` | 6          | 48    | 60       | 64        | 68     |
//! | MDL of Half-Life | `IDST` | 10 |   |          |           |        |
//! | MD2  | `IDP2` | 8          | 20    | 24       | 32        | 40     |
//! | MD3  | `IDP3` | 15         |       |          |           | 76     |
//! | DKM  | `DKMD` | 1 or 2     | 24    | 28       | 36        | 44     |
//! | SPR  | `IDSP` | 1; Half-Life's 2 |  |         |           | 24; 28 |
//! | SP2  | `IDS2` | 2          |       |          |           | 8      |
//!
//! (Where each number of 32 bits stands. A file of another version is of no type that is known.)

use super::source::long;
use crate::media::FileType;

/// What a model's header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its type.
    pub file_type: FileType,
    /// Its version.
    pub version: u32,
    /// How many skins it has.
    pub skins: Option<u32>,
    /// How many vertices a frame has.
    pub vertices: Option<u32>,
    /// How many triangles.
    pub triangles: Option<u32>,
    /// How many frames.
    pub frames: Option<u32>,
}

impl Model {
    /// The model that begins so.
    pub(super) fn of(file_type: FileType, start: &[u8]) -> Option<Self> {
        let (versions, [skins, vertices, triangles, frames]) = match file_type {
            FileType::Mdl => (6..=6, [Some(48), Some(60), Some(64), Some(68)]),
            FileType::HalfLifeMdl => (10..=10, [None; 4]),
            FileType::Md2 => (8..=8, [Some(20), Some(24), Some(32), Some(40)]),
            FileType::Md3 => (15..=15, [None, None, None, Some(76)]),
            FileType::Dkm => (1..=2, [Some(24), Some(28), Some(36), Some(44)]),
            FileType::Spr => (1..=1, [None, None, None, Some(24)]),
            FileType::HalfLifeSpr => (2..=2, [None, None, None, Some(28)]),
            FileType::Sp2 => (2..=2, [None, None, None, Some(8)]),
            _ => return None,
        };
        let number = |at: Option<usize>| long(start, at?);
        Some(Self {
            file_type,
            version: long(start, 4).filter(|version| versions.contains(version))?,
            skins: number(skins),
            vertices: number(vertices),
            triangles: number(triangles),
            frames: number(frames),
        })
    }
}
