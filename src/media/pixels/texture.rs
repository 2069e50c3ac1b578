//! WAL of Quake II and Daikatana, M8, M32 and SWL: a header with several sizes of one picture.

use super::frame::{Data, Frame, Options, Pixels};
use crate::archive::FileType;
use crate::media::input::{Budget, Input, PictureError, size};
use crate::media::palette::{self, Palette};

/// Where the numbers of a format stand.
struct Layout {
    /// The widths and heights: one of each, or one of each for every mip.
    width: usize,
    height: usize,
    own_sizes: bool,
    /// Where the pixels of each mip begin.
    offsets: usize,
    mips: usize,
    /// How many bytes a pixel has.
    bytes: usize,
    palette: Option<usize>,
    transparent: Option<u8>,
}

fn layout(file_type: FileType) -> Layout {
    let wal = Layout {
        width: 32,
        height: 36,
        own_sizes: false,
        offsets: 40,
        mips: 4,
        bytes: 1,
        palette: None,
        transparent: None,
    };
    match file_type {
        FileType::Wal3 => Layout {
            width: 36,
            height: 40,
            offsets: 44,
            mips: 9,
            palette: Some(palette::IN_WAL3),
            transparent: Some(255),
            ..wal
        },
        FileType::M8 => Layout {
            width: 36,
            height: 100,
            own_sizes: true,
            offsets: 164,
            mips: 16,
            palette: Some(palette::IN_M8),
            ..wal
        },
        FileType::M32 => Layout {
            width: 516,
            height: 580,
            own_sizes: true,
            offsets: 644,
            mips: 16,
            bytes: 4,
            ..wal
        },
        FileType::Swl => Layout {
            width: 64,
            height: 68,
            offsets: 1100,
            palette: Some(palette::IN_SWL),
            ..wal
        },
        _ => wal,
    }
}

pub(super) fn decode(
    file_type: FileType,
    input: Input<'_>,
    options: &Options,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    let layout = layout(file_type);
    let colours = match layout.palette {
        Some(at) if file_type == FileType::Swl => Some(palette::of_quads(input, at)?),
        Some(at) => Some(palette::of_triples(input, at)?),
        None => None,
    };
    let mut frames = vec![Frame::only(mip(
        &layout,
        0,
        input,
        colours.as_ref(),
        budget,
    )?)];
    let mips = if options.mips { layout.mips } else { 1 };
    for level in 1..mips {
        // Shipped textures have fewer than their header has room for, and some are cut off.
        let Ok(pixels) = mip(&layout, level, input, colours.as_ref(), budget) else {
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
    let at = size(input.long("where the pixels begin", nth(layout.offsets))?);
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
