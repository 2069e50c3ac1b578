//! Sprites: Quake's and Half-Life's, which contain pixels, and Quake II's, which name pictures.
//!
//! | type | magic  | version            | frames |
//! |------|--------|--------------------|--------|
//! | SPR  | `IDSP` | 1; Half-Life's 2   | 24; 28 |
//! | SP2  | `IDS2` | 2                  | 8      |
//!
//! The header of a sprite is followed by its frames. A frame is a picture, or a group of pictures that are
//! shown one after the other; those of group 2 are labelled `frame2-0`, `frame2-1`. Colour 255 is
//! transparent in Quake's sprites, and in Half-Life's of the alpha-test kind.

use super::facts::{Depth, Fact, FactList, LISTED_MAX, number, text};
use super::file::{File, Mismatch};
use super::model::{numbers, version};
use super::palette::{self, Palette};
use super::pixels::{Decoding, Frame, Frames, PictureError, Pixels, sides, wrong};
use crate::archive::bytes::{Cursor, Short};

/// Half-Life's kind of sprite whose last colour is transparent.
const ALPHA_TEST: u32 = 3;

/// The offset of the frames in Quake's sprites.
const FRAMES: usize = 36;

/// The offset of the number of colours in Half-Life's sprites. The colours follow.
const COLOURS: usize = 40;

pub(super) fn spr(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 1..=1)?;
    numbers(
        file,
        facts,
        &[("width", 16), ("height", 20), ("frames", 24)],
    );
    facts.word("palette", "gfx/palette.lmp");
    let count = file.start.at(24).u32("the number of frames").unwrap_or(0);
    frames(file, facts, count, FRAMES as u64)
}

pub(super) fn half_life_spr(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 2..=2)?;
    numbers(
        file,
        facts,
        &[("width", 20), ("height", 24), ("frames", 28)],
    );
    facts.word("palette", "inside");
    let count = file.start.at(28).u32("the number of frames").unwrap_or(0);
    let mut input = file.start.at(COLOURS);
    let colours = input.u16("the number of colours").unwrap_or(0);
    let palette = u64::from(colours).saturating_mul(3);
    frames(
        file,
        facts,
        count,
        palette.saturating_add(COLOURS as u64).saturating_add(2),
    )
}

pub(super) fn sp2(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 2..=2)?;
    numbers(file, facts, &[("frames", 8)]);
    if file.depth < Depth::All {
        return Ok(());
    }
    let count = file.start.at(8).u32("the number of frames").unwrap_or(0);
    let mut list = Vec::new();
    let mut at: u64 = 12;
    for _ in (0..count).take(LISTED_MAX) {
        let Some(record) = file.read(at, 80)? else {
            facts.cut("frames");
            break;
        };
        let frame = NamedFrame::read(&record)?;
        list.push(vec![
            text("name", &frame.name),
            number("width", frame.width),
            number("height", frame.height),
        ]);
        at = at.saturating_add(80);
    }
    facts.records("frame_list", list);
    Ok(())
}

/// Adds the frames of a sprite from `at` on: pictures and groups of pictures.
fn frames(file: &File<'_>, facts: &mut FactList, count: u32, mut at: u64) -> Result<(), Mismatch> {
    if file.depth < Depth::All {
        return Ok(());
    }
    let mut list = Vec::new();
    for frame in (0..count).take(LISTED_MAX) {
        let mut head = file.read_up_to(at, 8)?;
        if head.len() < 4 {
            facts.cut("frames");
            break;
        }
        head.resize(8, 0);
        let mut head = Cursor::new(&head);
        at = at.saturating_add(4);
        let mut pictures = 1;
        if head.u32("the kind of a frame")? != 0 {
            // A group: a count, the duration of each picture, and the pictures.
            pictures = head.u32("the number of pictures in a group")?;
            let times = u64::from(pictures).saturating_mul(4);
            at = at.saturating_add(4).saturating_add(times);
        }
        match pictures_of(file, &mut list, frame, pictures, at)? {
            FrameEnd::At(end) => at = end,
            FrameEnd::Full => break,
            FrameEnd::Cut => {
                facts.cut("frames");
                break;
            }
        }
    }
    facts.records("frame_list", list);
    Ok(())
}

/// How the pictures of a frame end.
enum FrameEnd {
    At(u64),
    /// The list is full.
    Full,
    /// The file is cut off.
    Cut,
}

/// Adds the pictures of a frame.
fn pictures_of(
    file: &File<'_>,
    list: &mut Vec<Vec<Fact>>,
    frame: u32,
    pictures: u32,
    mut at: u64,
) -> Result<FrameEnd, Mismatch> {
    for _ in 0..pictures {
        let Some(head) = file.read(at, 16)? else {
            return Ok(FrameEnd::Cut);
        };
        let (width, height) = sides(&mut Cursor::new(&head).at(8))?;
        let pixels = u64::from(width).saturating_mul(height.into());
        at = at.saturating_add(16).saturating_add(pixels);
        if at > file.len {
            return Ok(FrameEnd::Cut);
        }
        if list.len() >= LISTED_MAX {
            return Ok(FrameEnd::Full);
        }
        list.push(vec![
            number("frame", frame),
            number("width", width),
            number("height", height),
        ]);
    }
    Ok(FrameEnd::At(at))
}

/// A frame of a sprite of Quake II.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFrame {
    /// The picture's name.
    pub name: Vec<u8>,
    /// Its width when drawn.
    pub width: u32,
    /// Its height when drawn.
    pub height: u32,
    /// The pixel at the sprite's position.
    pub origin: (i32, i32),
}

impl NamedFrame {
    fn read(record: &[u8]) -> Result<Self, Short> {
        let mut record = Cursor::new(record);
        let (width, height) = sides(&mut record)?;
        let origin = (record.i32("the origin")?, record.i32("the origin")?);
        let name = record.text("the name", 64)?.to_vec();
        Ok(Self {
            name,
            width,
            height,
            origin,
        })
    }
}

/// The pictures that a sprite of Quake II names. A file that is cut off has fewer.
#[must_use]
pub fn named_frames(bytes: &[u8]) -> Vec<NamedFrame> {
    let count = Cursor::new(bytes).at(8).size("the number of frames");
    let count = count.unwrap_or(0);
    if !bytes.starts_with(b"IDS2\x02\0\0\0") {
        return Vec::new();
    }
    let records = bytes.get(12..).unwrap_or_default().chunks_exact(80);
    records
        .take(count)
        .filter_map(|record| NamedFrame::read(record).ok())
        .collect()
}

/// The palette of a sprite of Half-Life.
pub(super) fn palette(input: Cursor<'_>) -> Option<Palette> {
    palette::counted(input.at(COLOURS))
}

/// A sprite with pixels while it is decoded.
struct Sprite<'a> {
    input: Cursor<'a>,
    palette: Option<Palette>,
    transparent: Option<u8>,
    frames: Vec<Frame>,
}

pub(super) fn decode_spr(job: &mut Decoding<'_>) -> Frames {
    let count = job.input.at(24).u32("the number of frames")?;
    let sprite = Sprite {
        input: job.input.at(FRAMES),
        palette: None,
        transparent: Some(255),
        frames: Vec::new(),
    };
    sprite.decode(count, job)
}

pub(super) fn decode_half_life_spr(job: &mut Decoding<'_>) -> Frames {
    let mut input = job.input.at(COLOURS);
    let colours = input.u16("the number of colours")?;
    let Some(palette) = palette(job.input) else {
        let (what, expected) = ("the number of colours", "1 to 256, and all there");
        return Err(wrong(what, COLOURS, expected, colours));
    };
    input.skip(usize::from(colours).saturating_mul(3));
    let kind = job.input.at(12).u32("how it is drawn")?;
    let count = job.input.at(28).u32("the number of frames")?;
    let sprite = Sprite {
        input,
        palette: Some(palette),
        transparent: (kind == ALPHA_TEST).then_some(255),
        frames: Vec::new(),
    };
    sprite.decode(count, job)
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
        let times = usize::try_from(count)
            .unwrap_or(usize::MAX)
            .saturating_mul(4);
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
        let pixels = Pixels::indexed(sides, indices, self.palette.clone(), self.transparent);
        self.frames.push(Frame { label, pixels });
        Ok(())
    }
}
