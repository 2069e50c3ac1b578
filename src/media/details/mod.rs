//! What people want to know of a file, as a list of facts: more than its header says, where that is asked
//! for.
//!
//! | type                | of the header                                      | besides                            |
//! |---------------------|----------------------------------------------------|------------------------------------|
//! | map                 | version, leafs, entities by number, title, sky       | classes, textures, lumps           |
//! | texture, picture    | width, height, mips or bits, where the palette is     | -                                  |
//! | model, sprite       | version, frames, skins, vertices, triangles           | skins, surfaces, frames by name or size |
//! | sound               | rate, bits, channels, length where it stands there    | length, loop                       |
//! | program             | version, CRC, game, statements, functions, globals, fields | -                             |
//!
//! What a file says of itself and cannot be is a note.
//!
//! ```
//! use daisho::media::details::{Depth, details};
//!
//! let mut picture = vec![64, 0, 0, 0, 32, 0, 0, 0];
//! picture.resize(8 + 64 * 32, 0);
//! let found = details("gfx/qplaque.lmp".into(), &mut &picture[..], Depth::Header).unwrap();
//! assert_eq!(found.summary(), "64x32, 8 bit");
//! assert_eq!(found.number("width"), Some(64));
//! ```

mod fact;
mod map;
mod model;
mod sound;

use std::io;

pub use fact::{Depth, Fact, Value};

use super::picture::{Lump, Picture};
use super::program::Program;
use super::source::Source;
use super::texture::Texture;
use super::{Facts, Found, look};
use crate::archive::{RawName, escape};
use crate::media::{Family, FileType};
use fact::Collected;

/// What was found of a file, in detail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Details {
    /// Its type, and what its header says.
    pub found: Found,
    /// The facts, in the order in which they are shown.
    pub facts: Vec<Fact>,
    /// What it says of itself that cannot be.
    pub notes: Vec<String>,
}

/// Looks at a file as far as `depth` says.
///
/// # Errors
/// If the file cannot be read.
pub fn details(
    name: RawName<'_>,
    source: &mut (impl Source + ?Sized),
    depth: Depth,
) -> io::Result<Details> {
    let found = look(name, source)?;
    let mut all = Collected::default();
    match &found.facts {
        Some(Facts::Map(map)) => map::add(&mut all, map, source, depth)?,
        Some(Facts::Texture(texture)) => add_texture(&mut all, texture),
        Some(Facts::Model(model)) => model::add(&mut all, model, source, depth)?,
        Some(Facts::Sound(sound)) => sound::add(&mut all, sound, source, depth)?,
        Some(Facts::Picture(picture)) => add_picture(&mut all, picture),
        Some(Facts::Program(program)) => add_program(&mut all, program),
        Some(Facts::Named(_)) | None => {}
    }
    let Collected { facts, notes } = all;
    Ok(Details {
        found,
        facts,
        notes,
    })
}

fn add_texture(all: &mut Collected, texture: &Texture) {
    all.number("width", Some(texture.width));
    all.number("height", Some(texture.height));
    all.number("mips", Some(texture.mips));
    all.palette(texture.file_type, texture.has_palette);
    all.text("texture", Some(&texture.name));
}

fn add_picture(all: &mut Collected, picture: &Picture) {
    if let Some(lump) = picture.lump {
        all.word("lump", lump.as_str());
    }
    // Colours are no picture.
    let size = picture.size.filter(|_| picture.lump != Some(Lump::Palette));
    all.number("width", size.map(|(width, _)| width));
    all.number("height", size.map(|(_, height)| height));
    all.number("bits", picture.bits.filter(|_| size.is_some()));
    all.palette(picture.file_type, picture.has_palette);
}

fn add_program(all: &mut Collected, program: &Program) {
    all.number("version", Some(program.version));
    all.number("crc", Some(program.crc));
    if let Some(game) = program.game() {
        all.word("game", game);
    }
    all.number("statements", Some(program.statements));
    all.number("functions", Some(program.functions));
    all.number("globals", Some(program.globals));
    all.number("fields", Some(program.fields));
}

impl Details {
    /// The fact of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut facts = self.facts.iter();
        facts.find(|fact| fact.name == name).map(|fact| &fact.value)
    }

    /// The number of this name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The most of it in one short line, with what comes out of the file escaped; empty where nothing is
    /// known of it.
    #[must_use]
    pub fn summary(&self) -> String {
        let Some(file_type) = self.found.file_type() else {
            return String::new();
        };
        let parts = match file_type.family() {
            Family::Map => vec![
                self.map_version(file_type),
                self.count("entities", "entity", "entities"),
            ],
            Family::Texture => vec![self.size(), self.count("mips", "mip", "mips")],
            Family::Model => vec![
                self.count("frames", "frame", "frames"),
                self.count("skins", "skin", "skins"),
                self.count("triangles", "triangle", "triangles"),
            ],
            Family::Sprite => vec![self.size(), self.count("frames", "frame", "frames")],
            Family::Sound => self.sound(),
            Family::Picture => vec![
                self.words("lump"),
                self.size(),
                self.number("bits").map(|bits| format!("{bits} bit")),
            ],
            Family::Program => vec![
                self.words("game"),
                self.count("functions", "function", "functions"),
            ],
            Family::Demo | Family::Video => vec![],
        };
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(", ")
    }

    fn map_version(&self, file_type: FileType) -> Option<String> {
        let version = match file_type {
            FileType::Bsp2 | FileType::Bsp2Psb | FileType::Qbsp38 => file_type.short().to_owned(),
            _ => self.number("version")?.to_string(),
        };
        Some(format!("map {version}"))
    }

    fn sound(&self) -> Vec<Option<String>> {
        let channels = self.number("channels").map(|channels| match channels {
            1 => "mono".to_owned(),
            2 => "stereo".to_owned(),
            channels => format!("{channels} channels"),
        });
        vec![
            self.number("rate").map(|rate| format!("{rate} Hz")),
            self.number("bits").map(|bits| format!("{bits} bit")),
            channels,
            self.seconds(),
            self.get("loop_start").map(|_| "loops".to_owned()),
        ]
    }

    fn size(&self) -> Option<String> {
        let (width, height) = self.number("width").zip(self.number("height"))?;
        Some(format!("{width}x{height}"))
    }

    fn seconds(&self) -> Option<String> {
        match self.get("seconds")? {
            Value::Milliseconds(number) => {
                // Rounded, but never down to nothing.
                let tenths = number.saturating_add(50) / 100;
                let tenths = if *number > 0 { tenths.max(1) } else { 0 };
                Some(format!("{}.{} s", tenths / 10, tenths % 10))
            }
            _ => None,
        }
    }

    fn count(&self, name: &str, one: &str, more: &str) -> Option<String> {
        let number = self.number(name)?;
        Some(format!("{number} {}", if number == 1 { one } else { more }))
    }

    fn words(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::Word(word) => Some(word.clone()),
            Value::Text(text) => Some(short(&escape(text).to_string())),
            _ => None,
        }
    }
}

/// How long a text is at most in a short line.
const SHORT: usize = 40;

/// A text, cut where it is long.
fn short(text: &str) -> String {
    let is_long = text.chars().count() > SHORT;
    let cut: String = text
        .chars()
        .take(if is_long { SHORT - 3 } else { SHORT })
        .collect();
    if is_long { cut + "..." } else { cut }
}

#[cfg(test)]
mod tests;
