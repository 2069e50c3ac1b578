//! Sprites: Quake's and Half-Life's, which have pixels, and Quake II's, which name pictures.
//!
//! Behind the header of a sprite are its frames. A frame is a picture, or a group of pictures that are
//! shown one after the other; those of group 2 are labelled `frame2-0`, `frame2-1`. Colour 255 is none in
//! Quake's, and in Half-Life's of the kind that says so.

use super::frame::{Frame, Options, Pixels};
use crate::media::FileType;
use crate::media::input::{Budget, Input, PictureError, size, wrong};
use crate::media::palette::{self, Palette};
use crate::media::source::{long, signed_long, text};

/// Half-Life's kind of sprite whose last colour is none.
const ALPHA_TEST: u32 = 3;

/// A frame of a sprite of Quake II.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFrame {
    /// The picture's name.
    pub name: Vec<u8>,
    /// How wide it is drawn.
    pub width: u32,
    /// How high.
    pub height: u32,
    /// Which of its pixels lies on the sprite's place.
    pub origin: (i32, i32),
}

/// The pictures that a sprite of Quake II names; those that are there where the file is cut off.
#[must_use]
pub fn named_frames(bytes: &[u8]) -> Vec<NamedFrame> {
    let frame = |record: &[u8]| {
        Some(NamedFrame {
            name: text(record, 16, 64)?.to_vec(),
            width: long(record, 0)?,
            height: long(record, 4)?,
            origin: (signed_long(record, 8)?, signed_long(record, 12)?),
        })
    };
    let is_one = FileType::by_magic(bytes) == Some(FileType::Sp2);
    let count = long(bytes, 8).filter(|_| is_one).map_or(0, size);
    let records = bytes.get(12..).unwrap_or_default().chunks_exact(80);
    records.take(count).filter_map(frame).collect()
}

/// What is read of a sprite with pixels.
struct Sprite<'a> {
    input: Input<'a>,
    at: usize,
    palette: Option<Palette>,
    transparent: Option<u8>,
    frames: Vec<Frame>,
}

pub(super) fn decode(
    file_type: FileType,
    input: Input<'_>,
    options: &Options,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    let mut sprite = Sprite {
        input,
        at: 36,
        palette: None,
        transparent: Some(255),
        frames: Vec::new(),
    };
    let mut count_at = 24;
    if file_type == FileType::HalfLifeSpr {
        count_at = 28;
        let at = palette::IN_HALF_LIFE_SPR;
        let colours = input.short("the number of colours", at)?;
        let none = || {
            wrong(
                "the number of colours",
                at,
                "1 to 256, and all there",
                colours,
            )
        };
        sprite.palette = Some(palette::counted(input, at).ok_or_else(none)?);
        sprite.at = usize::from(colours)
            .saturating_mul(3)
            .saturating_add(at)
            .saturating_add(2);
        let kind = input.long("how it is drawn", 12)?;
        sprite.transparent = (kind == ALPHA_TEST).then_some(255);
    }
    let count = input.long("the number of frames", count_at)?;
    for number in 0..count {
        sprite.frame(number, options, budget)?;
        if !options.all_frames {
            break;
        }
    }
    if let [frame] = sprite.frames.as_mut_slice() {
        frame.label.clear();
    }
    Ok(sprite.frames)
}

impl Sprite<'_> {
    fn long(&mut self, what: &'static str) -> Result<u32, PictureError> {
        let number = self.input.long(what, self.at)?;
        self.at = self.at.saturating_add(4);
        Ok(number)
    }

    /// A frame, or all pictures of a group.
    fn frame(
        &mut self,
        number: u32,
        options: &Options,
        budget: &mut Budget,
    ) -> Result<(), PictureError> {
        let kind_at = self.at;
        match self.long("the kind of a frame")? {
            0 => self.picture(format!("frame{number}"), budget),
            1 => {
                let count = self.long("the number of pictures in a group")?;
                let times = size(count).saturating_mul(4);
                self.input
                    .take("how long each picture is shown", self.at, times)?;
                self.at = self.at.saturating_add(times);
                for nth in 0..count {
                    self.picture(format!("frame{number}-{nth}"), budget)?;
                    if !options.all_frames {
                        break;
                    }
                }
                Ok(())
            }
            kind => Err(wrong("the kind of a frame", kind_at, "0 or 1", kind)),
        }
    }

    fn picture(&mut self, label: String, budget: &mut Budget) -> Result<(), PictureError> {
        // Two numbers say where it is drawn.
        let at = self.at.saturating_add(8);
        let sides = self.input.sides(at)?;
        let area = budget.area(at, sides.0, sides.1)?;
        let at = at.saturating_add(8);
        let indices = self.input.take("the pixels", at, area)?.to_vec();
        self.at = at.saturating_add(area);
        let pixels = Pixels::indexed(sides, indices, self.palette.clone(), self.transparent);
        self.frames.push(Frame { label, pixels });
        Ok(())
    }
}
