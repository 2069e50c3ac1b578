//! Palettes: 256 colours, read from any file that carries them, and where a game keeps its own.
//!
//! | file                 | its colours                                                        |
//! |----------------------|--------------------------------------------------------------------|
//! | 768 bytes            | red, green, blue, 256 times: `gfx/palette.lmp`                     |
//! | PCX                  | the last 768 bytes, behind `0C`                                    |
//! | BMP of up to 8 bits  | the table behind the header                                        |
//! | WAL 3, M8, SWL       | in the header                                                      |
//! | miptex of Half-Life  | behind the smallest size; in a map, those of the first texture     |
//! | sprite of Half-Life  | behind the header                                                  |
//! | text                 | `JASC-PAL`, as Paint Shop Pro writes it, and `GIMP Palette`        |
//!
//! No game's palette is built in. Without one, grey stands for it.

use super::PictureError;
use super::input::{Input, size, wrong};
use super::source::{byte, long, short};
use crate::archive::RawName;
use crate::media::FileType;

/// Where the palette of a texture of Daikatana stands.
pub(super) const IN_WAL3: usize = 120;
/// That of Heretic II.
pub(super) const IN_M8: usize = 260;
/// That of SiN, of four bytes a colour.
pub(super) const IN_SWL: usize = 72;
/// That of a sprite of Half-Life, behind the number of its colours.
pub(super) const IN_HALF_LIFE_SPR: usize = 40;

/// How long OS/2's header of a BMP is. The colours behind it have three bytes, not four.
pub(super) const OS2_HEADER: u32 = 12;

/// 256 colours of red, green and blue.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette(Box<[[u8; 3]; 256]>);

impl std::fmt::Debug for Palette {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [first, .., last] = *self.0;
        write!(f, "Palette({first:?} to {last:?})")
    }
}

impl Palette {
    /// From black to white.
    #[must_use]
    pub fn grey() -> Self {
        Self::of_colours((0..=255).map(|shade| [shade; 3]))
    }

    /// These colours; black where they are fewer than 256, and none of those behind.
    #[must_use]
    pub fn of_colours(colours: impl IntoIterator<Item = [u8; 3]>) -> Self {
        let mut all = Box::new([[0; 3]; 256]);
        for (to, from) in all.iter_mut().zip(colours) {
            *to = from;
        }
        Self(all)
    }

    /// All colours, by their numbers.
    #[must_use]
    pub fn colours(&self) -> &[[u8; 3]; 256] {
        &self.0
    }
}

/// Three bytes a colour.
pub(super) fn of_triples(input: Input<'_>, at: usize) -> Result<Palette, PictureError> {
    let bytes = input.take("the palette", at, 768)?;
    let colours = bytes.chunks_exact(3).filter_map(|it| it.first_chunk());
    Ok(Palette::of_colours(colours.copied()))
}

/// Four bytes a colour, of which the last says nothing.
pub(super) fn of_quads(input: Input<'_>, at: usize) -> Result<Palette, PictureError> {
    let bytes = input.take("the palette", at, 1024)?;
    let colours = bytes.chunks_exact(4).filter_map(|it| it.first_chunk());
    Ok(Palette::of_colours(colours.copied()))
}

/// A number of 16 bits, and so many colours, if there are at most 256 and they are all there.
pub(super) fn counted(input: Input<'_>, at: usize) -> Option<Palette> {
    let count = usize::from(short(input.0, at)?);
    let colours = input.0.get(at.checked_add(2)?..)?;
    let colours = colours.get(..count.checked_mul(3)?)?;
    let colours = colours.chunks_exact(3).filter_map(|it| it.first_chunk());
    (1..=256)
        .contains(&count)
        .then(|| Palette::of_colours(colours.copied()))
}

/// The palette at the end of a PCX.
pub(super) fn of_pcx(input: Input<'_>) -> Option<Palette> {
    let at = input.len().checked_sub(769)?;
    let is_one = at >= 128 && byte(input.0, at) == Some(0x0C);
    of_triples(input, at.checked_add(1)?)
        .ok()
        .filter(|_| is_one)
}

/// The palette behind a texture of Half-Life; Quake's have none.
pub(super) fn of_miptex(input: Input<'_>) -> Option<Palette> {
    let [width, height, smallest] = [16, 20, 36].map(|at| long(input.0, at));
    let pixels = size(width? / 8).checked_mul(size(height? / 8))?;
    let at = size(smallest?);
    counted(input, at.checked_add(pixels)?).filter(|_| at >= 40)
}

/// The colour table of a BMP.
pub(super) fn of_bmp(input: Input<'_>) -> Result<Palette, PictureError> {
    let header = input.long("the header's length", 14)?;
    let (bits_at, colour) = if header == OS2_HEADER {
        (24, 3)
    } else {
        (28, 4)
    };
    let bits = input.short("the bits of a pixel", bits_at)?;
    if !matches!(bits, 1 | 4 | 8) {
        return Err(wrong("the bits of a pixel", bits_at, "1, 4 or 8", bits));
    }
    let mut count = 1_u32 << bits;
    if header != OS2_HEADER {
        count = match input.long("the number of colours", 46)? {
            0 => count,
            own if own <= 256 => own,
            own => return Err(wrong("the number of colours", 46, "256 at most", own)),
        };
    }
    // A table that reaches into the pixels ends where they begin.
    let at = size(header).saturating_add(14);
    let pixels = size(input.long("where the pixels begin", 10)?);
    let room = pixels.checked_sub(at).unwrap_or(usize::MAX);
    let len = size(count).saturating_mul(colour).min(room);
    let table = input.take("the colour table", at, len)?;
    let colours = table.chunks_exact(colour).filter_map(|it| it.first_chunk());
    Ok(Palette::of_colours(
        colours.map(|&[blue, green, red]| [red, green, blue]),
    ))
}

/// The entries in which a game keeps the palette of a file of this name and type. The first that exists is the
/// one.
///
/// What is found for a texture of a level of Daikatana stands in for the palette within it: its levels
/// are drawn with one palette. No entry is named where the file's own is the only one.
///
/// ```
/// use daisho::media::FileType;
/// use daisho::media::palette::wanted;
/// let names = wanted(Some(FileType::Wal3), "textures/e1m1/floor.wal".into());
/// assert_eq!(names[0], b"textures/e1m1/colormap.bmp");
/// let names = wanted(Some(FileType::Spr), "progs/s_bubble.spr".into());
/// assert_eq!(names[0], b"gfx/palette.lmp");
/// ```
#[must_use]
pub fn wanted(file_type: Option<FileType>, name: RawName<'_>) -> Vec<Vec<u8>> {
    let lower = name.as_bytes().to_ascii_lowercase();
    let in_textures = lower.starts_with(b"textures/");
    let extension = name.extension().unwrap_or_default().to_ascii_lowercase();
    let mut names: Vec<Vec<u8>> = Vec::new();
    match file_type {
        Some(FileType::Wal | FileType::Wal3) => {
            let folder = lower.iter().rposition(|byte| *byte == b'/');
            let folder = folder.and_then(|end| name.as_bytes().get(..end));
            let own = folder.filter(|_| in_textures);
            names.extend(own.map(|folder| [folder, b"/colormap.bmp"].concat()));
            if in_textures || file_type == Some(FileType::Wal) {
                names.push(b"pics/colormap.bmp".to_vec());
            }
            if file_type == Some(FileType::Wal) {
                names.push(b"pics/colormap.pcx".to_vec());
            }
        }
        Some(FileType::Pcx) => names.push(b"pics/colormap.pcx".to_vec()),
        Some(FileType::Lmp | FileType::Mip | FileType::Spr | FileType::Bsp29) => {
            names.extend(quake())
        }
        None if matches!(&extension[..], b"lmp" | b"mip") => names.extend(quake()),
        _ => {}
    }
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.to_ascii_lowercase()));
    names
}

/// Where Quake keeps its palette: in a pak, and in a WAD.
fn quake() -> [Vec<u8>; 2] {
    [b"gfx/palette.lmp".to_vec(), b"palette.pal".to_vec()]
}
