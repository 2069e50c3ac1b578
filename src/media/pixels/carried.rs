//! The palette that a file carries, whichever file that is.

use crate::archive::RawName;
use crate::media::FileType;
use crate::media::input::{Input, PictureError, size, wrong};
use crate::media::look;
use crate::media::palette::{
    IN_HALF_LIFE_SPR, IN_M8, IN_SWL, IN_WAL3, Palette, counted, of_bmp, of_miptex, of_pcx,
    of_quads, of_triples,
};
use crate::media::source::long;

impl Palette {
    /// The palette that a file carries.
    ///
    /// ```
    /// use daisho::media::palette::Palette;
    /// let text = b"JASC-PAL\r\n0100\r\n2\r\n0 0 0\r\n200 100 50\r\n";
    /// let palette = Palette::of_file("quake.pal".into(), text)?;
    /// assert_eq!(palette.colours()[1], [200, 100, 50]);
    /// # Ok::<(), daisho::media::pixels::PictureError>(())
    /// ```
    ///
    /// # Errors
    /// If it carries none.
    pub fn of_file(name: RawName<'_>, bytes: &[u8]) -> Result<Self, PictureError> {
        let input = Input(bytes);
        if bytes.starts_with(b"JASC-PAL") {
            return of_text(bytes, 3);
        }
        if bytes.starts_with(b"GIMP Palette") {
            return of_text(bytes, 1);
        }
        let found = look(name, &mut &*bytes).ok();
        let none = PictureError::NotAPicture;
        match found.and_then(|found| found.file_type()) {
            Some(FileType::Pcx) => of_pcx(input).ok_or(none),
            Some(FileType::Bmp) => of_bmp(input),
            Some(FileType::Wal3) => of_triples(input, IN_WAL3),
            Some(FileType::M8) => of_triples(input, IN_M8),
            Some(FileType::Swl) => of_quads(input, IN_SWL),
            Some(FileType::HalfLifeSpr) => counted(input, IN_HALF_LIFE_SPR).ok_or(none),
            Some(FileType::Bsp30) => of_map(input).ok_or(none),
            _ if bytes.len() == 768 => of_triples(input, 0),
            _ => of_miptex(input).ok_or(none),
        }
    }
}

/// The palette of the first texture in a map of Half-Life that has its pixels there.
fn of_map(input: Input<'_>) -> Option<Palette> {
    let start = size(long(input.0, 20)?);
    let lump = input.0.get(start..)?;
    let lump = lump.get(..size(long(input.0, 24)?))?;
    let table = lump.get(4..)?;
    let table = table.get(..size(long(lump, 0)?).checked_mul(4)?)?;
    let offsets = table.chunks_exact(4).filter_map(|it| long(it, 0));
    let mut textures = offsets.filter_map(|offset| lump.get(size(offset)..));
    textures.find_map(|texture| of_miptex(Input(texture)))
}

/// Lines of three numbers, from this line on. Others, such as a name, say nothing of colours.
fn of_text(bytes: &[u8], first: usize) -> Result<Palette, PictureError> {
    let colour = |line: &[u8]| -> Option<[u8; 3]> {
        let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
        let mut next = || words.next()?.parse().ok();
        Some([next()?, next()?, next()?])
    };
    let lines = bytes.split(|byte| *byte == b'\n').skip(first);
    let mut colours = lines.filter_map(colour).take(256).peekable();
    if colours.peek().is_none() {
        return Err(wrong("the number of colours", 0, "1 or more", 0));
    }
    Ok(Palette::of_colours(colours))
}
