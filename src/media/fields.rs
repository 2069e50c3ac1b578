//! What a picture's file holds beside its pixels, and a PNG does not: it is kept in a text chunk of the PNG.
//!
//! | key                          | meaning                                                              |
//! |------------------------------|----------------------------------------------------------------------|
//! | `type`                       | the type of the file: `wal3`                                         |
//! | `width`, `height`            | its size                                                             |
//! | `name`, `animation`          | the name inside, and that of the next texture of an animation         |
//! | `flags`, `contents`, `value` | numbers of a WAL                                                     |
//! | `palette`                    | `stand-in` if the picture was drawn in grey, because no palette was found |

use core::fmt::Write as _;

use super::file_type::FileType;
use super::pixels::Data;

/// What a picture's file holds beside its pixels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PictureFields {
    /// The type of the file.
    pub file_type: Option<FileType>,
    /// Its width and height.
    pub sides: Option<(u32, u32)>,
    /// The name inside.
    pub name: Vec<u8>,
    /// The name of the next texture of an animation.
    pub animation: Vec<u8>,
    /// Flags, contents and value of a WAL. `None` if they are not known.
    pub numbers: Option<[u32; 3]>,
    /// Whether the picture was drawn in grey, because its palette was not found.
    pub is_stand_in: bool,
    /// How many colours the palette of the PNG has; 0 for all 256.
    pub colours: usize,
    /// The picture of an indexed PNG without its degrees of transparency, if it has some.
    pub numbered: Option<Data>,
}

/// The keyword of the chunk.
#[cfg(feature = "png")]
pub(super) const KEYWORD: &str = "daisho";

impl PictureFields {
    /// Takes from `other` what is missing here.
    pub fn complete(&mut self, other: Self) {
        self.file_type = self.file_type.or(other.file_type);
        self.sides = self.sides.or(other.sides);
        self.numbers = self.numbers.or(other.numbers);
        if self.name.is_empty() {
            self.name = other.name;
        }
        if self.animation.is_empty() {
            self.animation = other.animation;
        }
    }

    /// The text of the chunk.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: &str| {
            if !value.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{key}={value}");
            }
        };
        line("type", self.file_type.map_or("", FileType::as_str));
        if let Some((width, height)) = self.sides {
            line("width", &width.to_string());
            line("height", &height.to_string());
        }
        line("name", &escaped(&self.name));
        line("animation", &escaped(&self.animation));
        if let Some(numbers) = self.numbers {
            for (key, number) in NUMBERS.into_iter().zip(numbers) {
                line(key, &number.to_string());
            }
        }
        line("palette", if self.is_stand_in { STAND_IN } else { "" });
        text
    }

    /// Reads the text of the chunk. Other lines are skipped.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let mut fields = Self::default();
        let (mut width, mut height) = (None, None);
        for (key, value) in text.lines().filter_map(|line| line.split_once('=')) {
            match key {
                "type" => fields.file_type = FileType::by_word(value),
                "width" => width = value.parse().ok(),
                "height" => height = value.parse().ok(),
                "name" => fields.name = unescaped(value),
                "animation" => fields.animation = unescaped(value),
                "palette" => fields.is_stand_in = value == STAND_IN,
                _ => {
                    let at = NUMBERS.iter().position(|number| *number == key);
                    let Some(at) = at else { continue };
                    let numbers = fields.numbers.get_or_insert_default();
                    if let Some(to) = numbers.get_mut(at) {
                        *to = value.parse().unwrap_or(0);
                    }
                }
            }
        }
        fields.sides = width.zip(height);
        fields
    }
}

const NUMBERS: [&str; 3] = ["flags", "contents", "value"];

const STAND_IN: &str = "stand-in";

/// Printable ASCII as it is, and any other byte as `%` and two digits.
fn escaped(name: &[u8]) -> String {
    let mut text = String::new();
    for byte in name {
        if byte.is_ascii_graphic() && *byte != b'%' {
            text.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut name = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        name.extend(u8::from_str_radix(digits, 16));
        name.extend(rest.bytes());
    }
    name
}
