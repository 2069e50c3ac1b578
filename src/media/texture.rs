//! Textures in games' own formats: WAL of Quake II and of Daikatana, M8, M32, SWL, and the miptex that
//! lies in maps and WADs. None of them has a magic: a file is what its name says where its numbers agree.
//!
//! | type   | header | name   | width, height | mips | first offset | how it is told                         |
//! |--------|--------|--------|---------------|------|--------------|----------------------------------------|
//! | WAL    | 100    | 0, 32  | 32, 36        | 4    | 40           | byte 0 is no small number               |
//! | WAL 3  | 892    | 1, 32  | 36, 40        | 9    | 44           | byte 0 is 3, as no text begins          |
//! | M8     | 1,040  | 4, 32  | 36, 100       | 16   | 164          | begins with 2                           |
//! | M32    | 968    | 4, 128 | 516, 580      | 16   | 644          | begins with 4                           |
//! | SWL    | 1,188  | 0, 64  | 64, 68        | 4    | 1,100        | -                                      |
//! | miptex | 40     | 0, 16  | 16, 20        | 4    | 24           | -                                      |

use super::source::{byte, long, text};
use crate::archive::FileType;

/// The largest side of a texture that is taken for one.
const SIDE_MAX: u32 = 8192;

/// What a texture's header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// Its type.
    pub file_type: FileType,
    /// The name that it has within.
    pub name: Vec<u8>,
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// How many of its mips are there: a file that is cut has fewer than its header says.
    pub mips: u32,
    /// Whether its palette is in it; none where it needs none.
    pub has_palette: Option<bool>,
}

/// Where what stands in a header.
struct Header {
    file_type: FileType,
    /// What the file begins with, where it has a version.
    version: Option<u32>,
    name: (usize, usize),
    width: usize,
    height: usize,
    /// Where the first mip's offset stands.
    offset: usize,
    /// How many mips it has at most.
    mips: usize,
    /// How long the header is.
    len: u32,
}

const HEADERS: [Header; 5] = [
    Header {
        file_type: FileType::Wal,
        version: None,
        name: (0, 32),
        width: 32,
        height: 36,
        offset: 40,
        mips: 4,
        len: 100,
    },
    Header {
        file_type: FileType::Wal3,
        version: None,
        name: (1, 32),
        width: 36,
        height: 40,
        offset: 44,
        mips: 9,
        len: 892,
    },
    Header {
        file_type: FileType::M8,
        version: Some(2),
        name: (4, 32),
        width: 36,
        height: 100,
        offset: 164,
        mips: 16,
        len: 1040,
    },
    Header {
        file_type: FileType::M32,
        version: Some(4),
        name: (4, 128),
        width: 516,
        height: 580,
        offset: 644,
        mips: 16,
        len: 968,
    },
    // Its offsets stand behind a palette of 1,024 bytes, and a checksum with two bytes to spare.
    Header {
        file_type: FileType::Swl,
        version: None,
        name: (0, 64),
        width: 64,
        height: 68,
        offset: 1100,
        mips: 4,
        len: 1188,
    },
];

impl Texture {
    /// The texture of this type with this header, if it can be one.
    pub(super) fn of(file_type: FileType, start: &[u8], size: u64) -> Option<Self> {
        let header = HEADERS.iter().find(|it| it.file_type == file_type)?;
        let begins = match (file_type, byte(start, 0)?) {
            (FileType::Wal3, version) => version == 3,
            (FileType::Wal, first) => first > 32 || first == 0,
            _ => true,
        };
        let version = header
            .version
            .is_none_or(|version| long(start, 0) == Some(version));
        let name = text(start, header.name.0, header.name.1)?;
        let side = |at| long(start, at).filter(|side| (1..=SIDE_MAX).contains(side));
        let (width, height) = (side(header.width)?, side(header.height)?);
        // The largest mip lies behind the header and in the file; that of a longer header is not seen.
        let pixels = u64::from(width).checked_mul(height.into())?;
        let lies = long(start, header.offset).is_none_or(|offset| {
            let end = u64::from(offset).checked_add(pixels);
            offset >= header.len && end.is_some_and(|end| end <= size)
        });
        let is_one = begins && version && lies && size > header.len.into();
        is_one.then(|| Self {
            file_type,
            name: name.to_vec(),
            width,
            height,
            mips: mips(header, start, (width, height), size),
            has_palette: match file_type {
                FileType::M32 => None,
                FileType::Wal => Some(false),
                _ => Some(true),
            },
        })
    }
}

/// How many mips of a texture lie in the file, one behind another from the largest on.
fn mips(header: &Header, start: &[u8], (width, height): (u32, u32), size: u64) -> u32 {
    let bytes = if header.file_type == FileType::M32 {
        4
    } else {
        1
    };
    let lies = |number: &u32| {
        let at = usize::try_from(*number).ok()?.checked_mul(4)?;
        let offset = long(start, header.offset.checked_add(at)?)?;
        // Behind the mip that is one pixel high or wide there is none.
        let before = number.saturating_sub(1);
        let is_last = *number > 0 && (width >> before <= 1 || height >> before <= 1);
        let sides =
            [width, height].map(|side| u64::from(side.checked_shr(*number).unwrap_or(0).max(1)));
        let len = sides.into_iter().product::<u64>().checked_mul(bytes)?;
        let end = u64::from(offset).checked_add(len)?;
        Some(!is_last && offset >= header.len && end <= size)
    };
    let numbers = (0..u32::MAX).take(header.mips);
    let count = numbers
        .take_while(|number| lies(number) == Some(true))
        .count();
    u32::try_from(count).unwrap_or(0)
}

/// A texture in a map or a WAD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MipTexture {
    /// Its name.
    pub name: Vec<u8>,
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Whether its pixels are here; else they are in a WAD.
    pub has_pixels: bool,
}

impl MipTexture {
    /// How long its header is.
    pub const LEN: usize = 40;

    /// The texture with this header.
    #[must_use]
    pub fn of(header: &[u8]) -> Option<Self> {
        Some(Self {
            name: text(header, 0, 16)?.to_vec(),
            width: long(header, 16)?,
            height: long(header, 20)?,
            has_pixels: long(header, 24)
                .filter(|offset| *offset != 0 && *offset != u32::MAX)
                .is_some(),
        })
    }
}
