//! Palettes that files contain.
//!
//! | file                 | its colours                                                        |
//! |----------------------|--------------------------------------------------------------------|
//! | 768 bytes            | red, green, blue, 256 times: `gfx/palette.lmp`                     |
//! | PCX                  | the last 768 bytes, after `0C`                                     |
//! | BMP of 8 bits        | the table after the header                                         |
//! | WAL 3, M8, SWL       | in the header                                                      |
//! | miptex of Half-Life  | after the smallest size                                            |
//! | sprite of Half-Life  | after the header                                                   |
//! | text                 | `JASC-PAL`, as Paint Shop Pro writes it, and `GIMP Palette`        |

use super::file::Depth;
use super::file_type::FileType;
use super::found::facts;
use super::pixels::{Palette, PictureError, wrong};
use super::types::texture;
use crate::archive::RawName;
use crate::archive::bytes::Cursor;

impl Palette {
    /// Whether a file of this name holds colours or a table of light, and so is no picture to edit.
    #[must_use]
    pub fn is_named(name: RawName<'_>) -> bool {
        let last = name.last_part().to_ascii_lowercase();
        let tables: [&[u8]; 4] =
            [b"palette.lmp", b"colormap.lmp", b"colormap.pcx", b"colormap.bmp"];
        last.ends_with(b".pal") || tables.contains(&last.as_slice())
    }

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
        let file_type = found.and_then(|found| found.file_type);
        let palette = match file_type.and_then(|it| it.row().palette) {
            Some(read) => read(input)?,
            None if bytes.len() == 768 => Some(Palette::of_triples(input)?),
            None => texture::miptex_palette(input),
        };
        palette.ok_or(PictureError::NotAPicture)
    }

    /// The palette that a game has for a picture of this name. `read` returns the content of a file that the game
    /// serves. If it has none, the built-in one, if Quake has such pictures.
    ///
    /// ```
    /// use daisho::media::Palette;
    /// let game = daisho::Game::open(["corpus/game/id1"])?;
    /// let serve = |name: &[u8]| game.get(name)?.read().ok();
    /// let palette = Palette::of_game("progs/s_bubble.spr".into(), serve);
    /// assert_eq!(palette.map(|it| it.colours()[1]), Some([15, 15, 15]));
    /// # Ok::<(), daisho::Error>(())
    /// ```
    pub fn of_game(name: RawName<'_>, read: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Self> {
        let types = || FileType::by_extension(name.extension().unwrap_or_default());
        let mut names = types().flat_map(|it| it.palettes(name));
        let of_game = |it: Vec<u8>| Self::of_file(RawName::new(&it), &read(&it)?).ok();
        names.find_map(of_game).or_else(|| types().find_map(FileType::built_in_palette))
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
