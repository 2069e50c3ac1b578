//! Palettes that files contain, and the files in which a game keeps the palettes of its pictures.
//!
//! | file                 | its colours                                                        |
//! |----------------------|--------------------------------------------------------------------|
//! | 768 bytes            | red, green, blue, 256 times: `gfx/palette.lmp`                     |
//! | PCX                  | the last 768 bytes, after `0C`                                     |
//! | BMP of up to 8 bits  | the table after the header                                         |
//! | WAL 3, M8, SWL       | in the header                                                      |
//! | miptex of Half-Life  | after the smallest size; in a map, those of the first texture      |
//! | sprite of Half-Life  | after the header                                                   |
//! | text                 | `JASC-PAL`, as Paint Shop Pro writes it, and `GIMP Palette`        |

use super::file::Depth;
use super::found::facts;
use super::pixels::{Palette, PictureError, wrong};
use super::types::{FileType, bmp, bsp, pcx, sprite, texture};
use crate::archive::RawName;
use crate::archive::bytes::Cursor;

impl Palette {
    /// Reads the palette in a file.
    ///
    /// ```
    /// use daisho::media::Palette;
    /// let text = b"JASC-PAL\r\n0100\r\n2\r\n0 0 0\r\n200 100 50\r\n";
    /// let palette = Palette::of_file("quake.pal".into(), text)?;
    /// assert_eq!(palette.colours()[1], [200, 100, 50]);
    /// # Ok::<(), daisho::media::PictureError>(())
    /// ```
    ///
    /// # Errors
    /// If the file contains no palette.
    pub fn of_file(name: RawName<'_>, bytes: &[u8]) -> Result<Self, PictureError> {
        if bytes.starts_with(b"JASC-PAL") {
            return of_text(bytes, 3);
        }
        if bytes.starts_with(b"GIMP Palette") {
            return of_text(bytes, 1);
        }
        let input = Cursor::new(bytes);
        let found = facts(name, &bytes, Depth::Type).ok();
        let palette = match found.and_then(|found| found.file_type) {
            Some(FileType::Bmp) => return bmp::palette(input),
            Some(FileType::Wal3) => texture::WAL3.palette(input)?,
            Some(FileType::M8) => texture::M8.palette(input)?,
            Some(FileType::Swl) => texture::SWL.palette(input)?,
            Some(FileType::Pcx) => pcx::palette(input),
            Some(FileType::HalfLifeSpr) => sprite::palette(input),
            Some(FileType::Bsp30) => bsp::palette(input),
            _ if bytes.len() == 768 => return Palette::of_triples(input),
            _ => texture::miptex_palette(input),
        };
        palette.ok_or(PictureError::NotAPicture)
    }
}

/// Reads lines of three numbers, from this line on. Other lines, such as a name, are skipped.
fn of_text(bytes: &[u8], first: usize) -> Result<Palette, PictureError> {
    let mut colours = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n').skip(first) {
        colours.extend(colour(line));
    }
    if colours.is_empty() {
        return Err(wrong("the number of colours", 0, "1 or more", 0));
    }
    Ok(Palette::of_colours(colours))
}

fn colour(line: &[u8]) -> Option<[u8; 3]> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    let mut next = || words.next()?.parse().ok();
    Some([next()?, next()?, next()?])
}

impl FileType {
    /// The entries in which a game keeps the palette for a file of this type and name. The first one that
    /// exists is used.
    ///
    /// The list is empty if a file always uses its own, as a texture of Daikatana does.
    ///
    /// ```
    /// use daisho::media::FileType;
    /// let names = FileType::Wal.palettes("textures/e1m1/floor.wal".into());
    /// assert_eq!(names[0], b"textures/e1m1/colormap.bmp");
    /// let names = FileType::Spr.palettes("progs/s_bubble.spr".into());
    /// assert_eq!(names[0], b"gfx/palette.lmp");
    /// ```
    #[must_use]
    pub fn palettes(self, name: RawName<'_>) -> Vec<Vec<u8>> {
        let names: &[&[u8]] = match self {
            Self::Wal => return of_wal(name),
            Self::Pcx => &[b"pics/colormap.pcx"],
            // In a pak and in a WAD.
            Self::Lmp | Self::Mip | Self::Spr | Self::Bsp29 => {
                &[b"gfx/palette.lmp", b"palette.pal"]
            }
            _ => &[],
        };
        names.iter().map(|name| name.to_vec()).collect()
    }
}

/// The palettes of a texture of Quake II. Daikatana has such textures, too, and a palette for each level.
fn of_wal(name: RawName<'_>) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    let name = name.as_bytes();
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    let mut parts = name.split(is_separator);
    let in_textures = parts
        .next()
        .is_some_and(|part| part.eq_ignore_ascii_case(b"textures"));
    if in_textures && let Some(last) = name.iter().rposition(is_separator) {
        let (folder, _) = name.split_at(last.saturating_add(1));
        names.push([folder, b"colormap.bmp"].concat());
    }
    names.push(b"pics/colormap.bmp".to_vec());
    names.push(b"pics/colormap.pcx".to_vec());
    names
}
