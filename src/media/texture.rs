//! Textures in games' own formats: WAL of Quake II and of Daikatana, M8, M32, SWL, and the miptex of maps and
//! WADs. None of them has a magic: a file is what its name says if its numbers agree.
//!
//! | type   | header | name   | width, height | mips | first offset | how it is told                         |
//! |--------|--------|--------|---------------|------|--------------|----------------------------------------|
//! | WAL    | 100    | 0, 32  | 32, 36        | 4    | 40           | byte 0 is no small number               |
//! | WAL 3  | 892    | 1, 32  | 36, 40        | 9    | 44           | byte 0 is 3, as no text begins          |
//! | M8     | 1,040  | 4, 32  | 36, 100       | 16   | 164          | begins with 2                           |
//! | M32    | 968    | 4, 128 | 516, 580      | 16   | 644          | begins with 4                           |
//! | SWL    | 1,188  | 0, 64  | 64, 68        | 4    | 1,100        | -                                      |
//! | miptex | 40     | 0, 16  | 16, 20        | 4    | 24           | -                                      |

use super::PictureError;
use super::input::{Budget, Input, size};
use super::palette::{self, Palette};
use super::pixels::frame::{Data, Frame, Options, Pixels};
use super::source::{byte, long, text};
use crate::media::FileType;

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

/// Where the numbers of a format are.
struct Layout {
    file_type: FileType,
    /// The first 32 bits, if they are a version.
    version: Option<u32>,
    /// The name's offset and length.
    name: (usize, usize),
    width: usize,
    height: usize,
    /// Whether each mip has its own width and height, one behind the other.
    own_sizes: bool,
    /// Where the offset of the first mip is.
    offset: usize,
    /// How many mips it has at most.
    mips: usize,
    /// The length of the header.
    len: u32,
    /// The bytes of a pixel.
    bytes: usize,
    palette: Option<usize>,
    transparent: Option<u8>,
}

const WAL: Layout = Layout {
    file_type: FileType::Wal,
    version: None,
    name: (0, 32),
    width: 32,
    height: 36,
    own_sizes: false,
    offset: 40,
    mips: 4,
    len: 100,
    bytes: 1,
    palette: None,
    transparent: None,
};

const LAYOUTS: [Layout; 6] = [
    WAL,
    Layout {
        file_type: FileType::Wal3,
        name: (1, 32),
        width: 36,
        height: 40,
        offset: 44,
        mips: 9,
        len: 892,
        palette: Some(palette::IN_WAL3),
        transparent: Some(255),
        ..WAL
    },
    Layout {
        file_type: FileType::M8,
        version: Some(2),
        name: (4, 32),
        width: 36,
        height: 100,
        own_sizes: true,
        offset: 164,
        mips: 16,
        len: 1040,
        palette: Some(palette::IN_M8),
        ..WAL
    },
    Layout {
        file_type: FileType::M32,
        version: Some(4),
        name: (4, 128),
        width: 516,
        height: 580,
        own_sizes: true,
        offset: 644,
        mips: 16,
        len: 968,
        bytes: 4,
        ..WAL
    },
    // Its offsets are behind a palette of 1,024 bytes, and a checksum with two bytes to spare.
    Layout {
        file_type: FileType::Swl,
        name: (0, 64),
        width: 64,
        height: 68,
        offset: 1100,
        len: 1188,
        palette: Some(palette::IN_SWL),
        ..WAL
    },
    Layout {
        file_type: FileType::Mip,
        name: (0, 16),
        width: 16,
        height: 20,
        offset: 24,
        len: 40,
        ..WAL
    },
];

impl Texture {
    /// The texture of this type with this header, if it can be one.
    pub(super) fn of(file_type: FileType, start: &[u8], size: u64) -> Option<Self> {
        let header = LAYOUTS.iter().find(|it| it.file_type == file_type)?;
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
        let mips = mips(header, start, (width, height), size);
        is_one.then(|| Self {
            file_type,
            name: name.to_vec(),
            width,
            height,
            mips,
            has_palette: match file_type {
                FileType::M32 => None,
                FileType::Mip => Some(has_palette(start, (width, height), size)),
                _ => Some(header.palette.is_some()),
            },
        })
    }
}

/// How many mips of a texture lie in the file, one behind another from the largest on.
fn mips(header: &Layout, start: &[u8], (width, height): (u32, u32), size: u64) -> u32 {
    let lies = |number: &u32| {
        let at = usize::try_from(*number).ok()?.checked_mul(4)?;
        let offset = long(start, header.offset.checked_add(at)?)?;
        // Behind the mip that is one pixel high or wide there is none.
        let before = number.saturating_sub(1);
        let is_last = *number > 0 && (width >> before <= 1 || height >> before <= 1);
        let sides =
            [width, height].map(|side| u64::from(side.checked_shr(*number).unwrap_or(0).max(1)));
        let len = sides
            .into_iter()
            .product::<u64>()
            .checked_mul(header.bytes as u64)?;
        let end = u64::from(offset).checked_add(len)?;
        Some(!is_last && offset >= header.len && end <= size)
    };
    let numbers = (0..u32::MAX).take(header.mips);
    let count = numbers
        .take_while(|number| lies(number) == Some(true))
        .count();
    u32::try_from(count).unwrap_or(0)
}

/// Whether a palette is behind the smallest of a miptex' four sizes, as in Half-Life.
fn has_palette(start: &[u8], (width, height): (u32, u32), size: u64) -> bool {
    let smallest = long(start, 36).map_or(u64::MAX, u64::from);
    let pixels = u64::from(width / 8).saturating_mul((height / 8).into());
    // A count of two bytes, and one colour at least.
    size >= smallest.saturating_add(pixels).saturating_add(5)
}

/// Decodes a file of one of these types but a miptex.
pub(super) fn decode(
    file_type: FileType,
    input: Input<'_>,
    options: &Options,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    let layout = LAYOUTS.iter().find(|it| it.file_type == file_type);
    let layout = layout.ok_or(PictureError::NotAPicture)?;
    let colours = match layout.palette {
        Some(at) if file_type == FileType::Swl => Some(palette::of_quads(input, at)?),
        Some(at) => Some(palette::of_triples(input, at)?),
        None => None,
    };
    let first = mip(layout, 0, input, colours.as_ref(), budget)?;
    let mut frames = vec![Frame::only(first)];
    let mips = if options.mips { layout.mips } else { 1 };
    for level in 1..mips {
        // Shipped textures have fewer than their header has room for, and some are cut off.
        let Ok(pixels) = mip(layout, level, input, colours.as_ref(), budget) else {
            break;
        };
        let label = format!("mip{level}");
        frames.push(Frame { label, pixels });
    }
    Ok(frames)
}

/// One size of the picture.
fn mip(
    layout: &Layout,
    level: usize,
    input: Input<'_>,
    palette: Option<&Palette>,
    budget: &mut Budget,
) -> Result<Pixels, PictureError> {
    let nth = |at: usize| at.saturating_add(level.saturating_mul(4));
    let (width, height) = if layout.own_sizes {
        let width = input.long("the width", nth(layout.width))?;
        (width, input.long("the height", nth(layout.height))?)
    } else {
        let width = input.long("the width", layout.width)?;
        let height = input.long("the height", layout.height)?;
        let level = u32::try_from(level).unwrap_or(u32::MAX);
        // There is no mip behind one whose smaller side is 1.
        let half = |side: u32| side.checked_shr(level).unwrap_or(0);
        (half(width), half(height))
    };
    let at = size(input.long("where the pixels begin", nth(layout.offset))?);
    if level > 0 && at == 0 {
        return Err(PictureError::NotAPicture);
    }
    let area = budget.area(nth(layout.width), width, height)?;
    let bytes = input.take("the pixels", at, area.saturating_mul(layout.bytes))?;
    Ok(match layout.bytes {
        4 => Pixels {
            width,
            height,
            data: Data::Rgba(bytes.to_vec()),
        },
        _ => Pixels::indexed(
            (width, height),
            bytes.to_vec(),
            palette.cloned(),
            layout.transparent,
        ),
    })
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
