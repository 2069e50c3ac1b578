//! What was found of a file, asked by name and in one short line.

use super::facts::Value;
use super::{Family, FileType, Found};
use crate::archive::escape;

impl Found {
    /// Whether it is something else than its name says, or nothing that is known. An extension that other
    /// programs have as well says nothing about a file of an unknown type.
    #[must_use]
    pub fn is_contrary(&self) -> bool {
        match self.file_type {
            Some(found) => !self.named.is_empty() && !self.named.contains(&found),
            None => self.named.iter().any(|named| !named.shares_extensions()),
        }
    }

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

    /// The most of it in one short line, with what comes out of the file escaped; empty if nothing is known
    /// of it.
    #[must_use]
    pub fn summary(&self) -> String {
        let Some(file_type) = self.file_type else {
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
            Family::Sound => vec![
                self.number("rate").map(|rate| format!("{rate} Hz")),
                self.bits(),
                self.channels(),
                self.seconds(),
                self.get("loop_start").map(|_| "loops".to_owned()),
            ],
            Family::Picture => vec![self.words("lump"), self.size(), self.bits()],
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

    fn size(&self) -> Option<String> {
        let (width, height) = self.number("width").zip(self.number("height"))?;
        Some(format!("{width}x{height}"))
    }

    fn bits(&self) -> Option<String> {
        Some(format!("{} bit", self.number("bits")?))
    }

    fn channels(&self) -> Option<String> {
        Some(match self.number("channels")? {
            1 => "mono".to_owned(),
            2 => "stereo".to_owned(),
            channels => format!("{channels} channels"),
        })
    }

    fn seconds(&self) -> Option<String> {
        let Value::Milliseconds(number) = self.get("seconds")? else {
            return None;
        };
        // Rounded, but never down to nothing.
        let tenths = number.saturating_add(50) / 100;
        let tenths = if *number > 0 { tenths.max(1) } else { 0 };
        Some(format!("{}.{} s", tenths / 10, tenths % 10))
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

/// A text, cut if it is long.
fn short(text: &str) -> String {
    if text.chars().count() <= SHORT {
        return text.to_owned();
    }
    let cut: String = text.chars().take(SHORT - 3).collect();
    cut + "..."
}
