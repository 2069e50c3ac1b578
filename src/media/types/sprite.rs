//! Sprites: Quake's and Half-Life's, which contain pixels, and Quake II's, which name pictures.
//!
//! | type | magic  | version            | frames |
//! |------|--------|--------------------|--------|
//! | SPR  | `IDSP` | 1; Half-Life's 2   | 24; 28 |
//! | SP2  | `IDS2` | 2                  | 8      |
//!
//! DarkPlaces has a version 32 in true colour, which is only recognised.
//!
//! The header of a sprite is followed by its frames. A frame is a picture, or a group of pictures that are
//! shown one after the other; those of group 2 are labelled `frame2-0`, `frame2-1`. Colour 255 is
//! transparent in Quake's sprites, and in Half-Life's of the alpha-test kind.

use super::model::{numbers, version};
use super::row::{FILE, Kind, Magic, PICTURE, PictureDecoder, QUAKE_PALETTES, TypeRow, Usage};
use crate::archive::bytes::{Cursor, Short};
use crate::media::file::{Depth, Fact, FactList, File, LISTED_MAX, Mismatch, number, text};
use crate::media::pixels::{Data, Decoding, Frame, Frames, Palette, PictureError, sides, wrong};

pub(super) const SPR: TypeRow = TypeRow {
    magic: Magic::Always(b"IDSP\x01\0\0\0"),
    look: spr,
    decoder: PictureDecoder::IfValid(decode),
    usage: Usage::Other,
    game_palettes: QUAKE_PALETTES,
    ..PICTURE
};

pub(super) const HALF_LIFE_SPR: TypeRow = TypeRow {
    magic: Magic::Always(b"IDSP\x02\0\0\0"),
    palette: Some(|input| Ok(palette(input))),
    game_palettes: &[],
    ..SPR
};

/// It is named, and nothing of it is read.
pub(super) const SPR32: TypeRow =
    TypeRow { kind: Kind::Picture, magic: Magic::Always(b"IDSP\x20\0\0\0"), ..FILE };

pub(super) const SP2: TypeRow = TypeRow {
    kind: Kind::Model,
    magic: Magic::Always(b"IDS2\x02\0\0\0"),
    look: sp2,
    decoder: PictureDecoder::Refused(|file| {
        PictureError::NamesOnly(named_frames(file).map_or(0, |it| it.len()))
    }),
    ..FILE
};

/// Half-Life's kind of sprite whose last colour is transparent.
const ALPHA_TEST: u32 = 3;

/// The offset of the frames in Quake's sprites.
const FRAMES: usize = 36;

/// The offset of the number of colours in Half-Life's sprites. The colours follow.
const COLOURS: usize = 40;

/// How much of a sprite is looked at to list its frames: much more than any has.
const LOOKED_AT: u64 = 64 << 20;

/// Whether a sprite is of Half-Life's version.
fn is_half_life(start: Cursor<'_>) -> bool {
    start.at(4).u32("the version") == Ok(2)
}

/// Looks at a sprite of Quake or Half-Life.
fn spr(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let is_half_life = is_half_life(file.start);
    let (only, [width, height, frames]) =
        if is_half_life { (2, [20, 24, 28]) } else { (1, [16, 20, 24]) };
    version(file, facts, only..=only)?;
    let places = [("width", width), ("height", height), ("frames", frames)];
    numbers(file, facts, &places);
    facts.palette(is_half_life, "gfx/palette.lmp");
    let count = file.start.at(frames).u32("the number of frames");
    let mut begin = FRAMES as u64;
    if is_half_life {
        let colours = file.start.at(COLOURS).u16("the number of colours");
        let colours = u64::from(colours.unwrap_or(0)).saturating_mul(3);
        begin = colours.saturating_add(COLOURS as u64).saturating_add(2);
    }
    if file.depth == Depth::All {
        let whole = file.read_up_to(0, usize::try_from(file.len.min(LOOKED_AT)).unwrap_or(0))?;
        let input = Cursor::new(&whole).at(usize::try_from(begin).unwrap_or(usize::MAX));
        let (mut found, error) = pictures(input, count.unwrap_or(0), LISTED_MAX);
        let all = found.len();
        found.retain(|picture| picture.end() <= whole.len());
        if error.is_some() || found.len() < all {
            facts.cut("frames");
        }
        let record = |SpritePicture { frame, sides: (width, height), .. }| {
            vec![number("frame", frame), number("width", width), number("height", height)]
        };
        facts.records("frame_list", found.into_iter().map(record).collect());
    }
    Ok(())
}

fn sp2(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 2..=2)?;
    numbers(file, facts, &[("frames", 8)]);
    if file.depth < Depth::All {
        return Ok(());
    }
    // Not more than the file has room for.
    let count = file.start.at(8).size("the number of frames").unwrap_or(0);
    let room = usize::try_from(file.len / 80).unwrap_or(LISTED_MAX);
    let most = count.min(room).min(LISTED_MAX);
    let list = named_frames(&file.read_up_to(0, most.saturating_mul(80).saturating_add(12))?)?;
    if list.len() < count.min(LISTED_MAX) {
        facts.cut("frames");
    }
    facts.records("frame_list", list);
    Ok(())
}

/// A picture of a sprite: a frame, or one of a group.
struct SpritePicture {
    frame: u32,
    /// Its number in the group.
    nth: Option<u32>,
    sides: (u32, u32),
    /// The offset of its sides. The pixels follow.
    at: usize,
}

impl SpritePicture {
    /// Where its pixels end.
    fn end(&self) -> usize {
        let (width, height) = self.sides;
        let pixels = u64::from(width).saturating_mul(height.into());
        let pixels = usize::try_from(pixels).unwrap_or(usize::MAX);
        self.at.saturating_add(8).saturating_add(pixels)
    }
}

/// At most `most` pictures of a sprite with this many frames, and the error that ended the list. The pixels of the last
/// picture may be cut off.
fn pictures(
    mut input: Cursor<'_>,
    count: u32,
    most: usize,
) -> (Vec<SpritePicture>, Option<PictureError>) {
    let mut found = Vec::new();
    let mut add_frame = |frame: u32| -> Result<(), PictureError> {
        let kind_at = input.position();
        let kind = input.u32("the kind of a frame")?;
        if kind > 1 {
            return Err(wrong("the kind of a frame", kind_at, "0 or 1", kind));
        }
        let mut in_frame = 1;
        if kind == 1 {
            // A group: a count, the duration of each picture, and the pictures.
            in_frame = input.u32("the number of pictures in a group")?;
            let times = usize::try_from(in_frame).unwrap_or(usize::MAX).saturating_mul(4);
            input.take("how long each picture is shown", times)?;
        }
        for nth in 0..in_frame {
            if found.len() >= most {
                break;
            }
            // Skip the two numbers of its position.
            input.skip(8);
            let at = input.position();
            let sides = sides(&mut input)?;
            let picture = SpritePicture { frame, nth: (kind == 1).then_some(nth), sides, at };
            input = input.at(picture.end());
            found.push(picture);
        }
        Ok(())
    };
    let error = (0..count).take(most).find_map(|frame| add_frame(frame).err());
    (found, error)
}

/// The pictures that a sprite of Quake II names, and their sizes when drawn. A file that is cut off has fewer.
fn named_frames(bytes: &[u8]) -> Result<Vec<Vec<Fact>>, Short> {
    let count = Cursor::new(bytes).at(8).size("the number of frames").unwrap_or(0);
    let mut frames = Vec::new();
    for record in bytes.get(12..).unwrap_or_default().chunks_exact(80).take(count) {
        let mut record = Cursor::new(record);
        let (width, height) = sides(&mut record)?;
        // Skip the pixel at the sprite's position.
        record.skip(8);
        let name = text("name", record.text("the name", 64)?);
        frames.push(vec![name, number("width", width), number("height", height)]);
    }
    Ok(frames)
}

/// The palette of a sprite of Half-Life.
fn palette(input: Cursor<'_>) -> Option<Palette> {
    Palette::counted(input.at(COLOURS))
}

/// Decodes a sprite of Quake or Half-Life.
fn decode(job: &mut Decoding<'_>) -> Frames {
    let (mut input, mut own, mut transparent) = (job.input.at(FRAMES), None, Some(255));
    let mut count_at = 24;
    if is_half_life(job.input) {
        (input, count_at) = (job.input.at(COLOURS), 28);
        let colours = input.u16("the number of colours")?;
        own = palette(job.input);
        if own.is_none() {
            let (what, expected) = ("the number of colours", "1 to 256, and all there");
            return Err(wrong(what, COLOURS, expected, colours));
        }
        input.skip(usize::from(colours).saturating_mul(3));
        let kind = job.input.at(12).u32("how it is drawn")?;
        transparent = transparent.filter(|_| kind == ALPHA_TEST);
    }
    let count = job.input.at(count_at).u32("the number of frames")?;
    let most = if job.options.all_frames { usize::MAX } else { 1 };
    let (found, error) = pictures(input, count, most);
    let is_only = found.len() == 1;
    let mut frames = Vec::new();
    for SpritePicture { frame, nth, sides, at } in found {
        let area = job.area(at, sides)?;
        let indices = job.input.at(at.saturating_add(8)).take("the pixels", area)?.to_vec();
        let label = match nth {
            _ if is_only => String::new(),
            Some(nth) => format!("frame{frame}-{nth}"),
            None => format!("frame{frame}"),
        };
        frames.push(Frame::new(label, sides, Data::indexed(indices, own.clone(), transparent)));
    }
    error.map_or(Ok(frames), Err)
}
