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
        let mut list = Vec::new();
        if !list_frames(file, count.unwrap_or(0), begin, &mut list)? {
            facts.cut("frames");
        }
        facts.records("frame_list", list);
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

/// Lists the frames of a sprite from `at` on: pictures and groups of pictures. Returns whether all listed frames are
/// in the file.
fn list_frames(
    file: &File<'_>,
    count: u32,
    mut at: u64,
    list: &mut Vec<Vec<Fact>>,
) -> Result<bool, Mismatch> {
    for frame in (0..count).take(LISTED_MAX) {
        let head = file.read_up_to(at, 8)?;
        let mut head = Cursor::new(&head);
        let Ok(kind) = head.u32("the kind of a frame") else {
            return Ok(false);
        };
        at = at.saturating_add(4);
        let mut pictures = 1;
        if kind != 0 {
            // A group: a count, the duration of each picture, and the pictures.
            pictures = head.u32("the number of pictures in a group").unwrap_or(0);
            let times = u64::from(pictures).saturating_mul(4);
            at = at.saturating_add(4).saturating_add(times);
        }
        for _ in 0..pictures {
            let Some(head) = file.read(at, 16)? else {
                return Ok(false);
            };
            let (width, height) = sides(&mut Cursor::new(&head).at(8))?;
            let pixels = u64::from(width).saturating_mul(height.into());
            at = at.saturating_add(16).saturating_add(pixels);
            if at > file.len {
                return Ok(false);
            }
            if list.len() >= LISTED_MAX {
                return Ok(true);
            }
            list.push(vec![
                number("frame", frame),
                number("width", width),
                number("height", height),
            ]);
        }
    }
    Ok(true)
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

/// A sprite with pixels while it is decoded.
struct Sprite<'a> {
    input: Cursor<'a>,
    palette: Option<Palette>,
    transparent: Option<u8>,
    frames: Vec<Frame>,
}

/// Decodes a sprite of Quake or Half-Life.
fn decode(job: &mut Decoding<'_>) -> Frames {
    if !is_half_life(job.input) {
        let sprite = Sprite {
            input: job.input.at(FRAMES),
            palette: None,
            transparent: Some(255),
            frames: Vec::new(),
        };
        return sprite.decode(job.input.at(24).u32("the number of frames")?, job);
    }
    let mut input = job.input.at(COLOURS);
    let colours = input.u16("the number of colours")?;
    let Some(palette) = palette(job.input) else {
        let (what, expected) = ("the number of colours", "1 to 256, and all there");
        return Err(wrong(what, COLOURS, expected, colours));
    };
    input.skip(usize::from(colours).saturating_mul(3));
    let kind = job.input.at(12).u32("how it is drawn")?;
    let sprite = Sprite {
        input,
        palette: Some(palette),
        transparent: (kind == ALPHA_TEST).then_some(255),
        frames: Vec::new(),
    };
    sprite.decode(job.input.at(28).u32("the number of frames")?, job)
}

impl Sprite<'_> {
    fn decode(mut self, count: u32, job: &mut Decoding<'_>) -> Frames {
        for number in 0..count {
            self.frame(number, job)?;
            if !job.options.all_frames {
                break;
            }
        }
        if let [frame] = self.frames.as_mut_slice() {
            frame.label.clear();
        }
        Ok(self.frames)
    }

    /// Decodes a frame, or all pictures of a group.
    fn frame(&mut self, number: u32, job: &mut Decoding<'_>) -> Result<(), PictureError> {
        let kind_at = self.input.position();
        let kind = self.input.u32("the kind of a frame")?;
        if kind == 0 {
            return self.picture(format!("frame{number}"), job);
        }
        if kind != 1 {
            return Err(wrong("the kind of a frame", kind_at, "0 or 1", kind));
        }
        let count = self.input.u32("the number of pictures in a group")?;
        let times = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(4);
        self.input.take("how long each picture is shown", times)?;
        for nth in 0..count {
            self.picture(format!("frame{number}-{nth}"), job)?;
            if !job.options.all_frames {
                break;
            }
        }
        Ok(())
    }

    fn picture(&mut self, label: String, job: &mut Decoding<'_>) -> Result<(), PictureError> {
        // Skip the two numbers of its position.
        self.input.skip(8);
        let at = self.input.position();
        let sides = sides(&mut self.input)?;
        let area = job.area(at, sides)?;
        let indices = self.input.take("the pixels", area)?.to_vec();
        let data = Data::indexed(indices, self.palette.clone(), self.transparent);
        self.frames.push(Frame::new(label, sides, data));
        Ok(())
    }
}
