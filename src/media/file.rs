//! A file that is being examined, and its facts as plain data.
//!
//! | type                | in the header                                         | elsewhere                          |
//! |---------------------|-------------------------------------------------------|------------------------------------|
//! | map                 | version, entities by number, title, sky               | classes, textures, lumps           |
//! | texture, picture    | width, height, mips or bits, where the palette is     | -                                  |
//! | model, sprite       | version, frames, skins, vertices, triangles           | skins, surfaces, frames by name or size |
//! | WAV                 | rate, bits, channels, length if the header has it     | length, loop                       |
//! | program             | version, CRC, game, statements, functions, globals, fields | -                             |
//!
//! A note is a contradiction within a file.

use std::io;

use super::pixels::PictureError;
use crate::archive::bytes::{Cursor, Short};
use crate::archive::{RawName, ReadAt};

/// How many bytes of the beginning are read: as far as the offsets of an SWL's mips.
pub(crate) const START: usize = 1116;

/// A file that is being examined.
pub(super) struct File<'a> {
    pub(super) name: RawName<'a>,
    /// The first [`START`] bytes, or all of a shorter file.
    pub(super) start: Cursor<'a>,
    pub(super) len: u64,
    pub(super) depth: Depth,
    pub(super) source: &'a dyn ReadAt,
}

impl File<'_> {
    /// Reads `len` bytes at `offset`, or fewer if the file ends before.
    pub(super) fn read_up_to(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        let read = self.source.read_full_at(&mut bytes, offset)?;
        bytes.truncate(read);
        Ok(bytes)
    }

    /// Reads `len` bytes at `offset`; `None` if the file ends before.
    pub(super) fn read(&self, offset: u64, len: usize) -> io::Result<Option<Vec<u8>>> {
        let bytes = self.read_up_to(offset, len)?;
        Ok((bytes.len() == len).then_some(bytes))
    }
}

/// Why a file is not of the expected type.
#[derive(Debug)]
pub(super) enum Mismatch {
    /// The header does not fit the type.
    Header,
    /// The file cannot be read.
    Io(io::Error),
}

impl From<io::Error> for Mismatch {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Short> for Mismatch {
    fn from(_: Short) -> Self {
        Self::Header
    }
}

impl From<PictureError> for Mismatch {
    fn from(_: PictureError) -> Self {
        Self::Header
    }
}

/// Returns a mismatch unless the header's numbers agree.
pub(super) fn check(agree: bool) -> Result<(), Mismatch> {
    if agree { Ok(()) } else { Err(Mismatch::Header) }
}

/// How much of a file to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Its type. Reads only its beginning.
    Type,
    /// Its header, and a map's entities.
    Header,
    /// All of its facts.
    All,
}

/// One fact of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// A stable name: lower case, with `_` between words.
    pub name: &'static str,
    /// Its value.
    pub value: Value,
}

/// The value of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A number. It counts something, or has the unit in the fact's name.
    Number(u64),
    /// Thousandths of a second.
    Milliseconds(u64),
    /// A word or a sentence of daisho's.
    Word(String),
    /// Text from the file, as arbitrary bytes.
    Text(Vec<u8>),
    /// Several texts from the file.
    Texts(Vec<Vec<u8>>),
    /// Several things with the same facts each.
    Records(Vec<Vec<Fact>>),
}

/// How many names or records of a file are kept. Some maps name a thousand textures.
pub(super) const LISTED_MAX: usize = 4096;

/// Facts and notes while they are collected.
#[derive(Debug, Default)]
pub(super) struct FactList {
    pub(super) facts: Vec<Fact>,
    pub(super) notes: Vec<String>,
}

impl FactList {
    fn add(&mut self, name: &'static str, value: Value) {
        self.facts.push(Fact { name, value });
    }

    /// Adds a number, if it is known.
    pub(super) fn number(&mut self, name: &'static str, number: Option<impl Into<u64>>) {
        if let Some(number) = number {
            self.add(name, Value::Number(number.into()));
        }
    }

    pub(super) fn milliseconds(&mut self, name: &'static str, milliseconds: Option<u64>) {
        if let Some(number) = milliseconds {
            self.add(name, Value::Milliseconds(number));
        }
    }

    pub(super) fn word(&mut self, name: &'static str, word: &str) {
        self.add(name, Value::Word(word.to_owned()));
    }

    /// Adds a text that is not empty.
    pub(super) fn text(&mut self, name: &'static str, text: &[u8]) {
        if !text.is_empty() {
            self.add(name, Value::Text(text.to_vec()));
        }
    }

    /// Adds the texts that are not empty.
    pub(super) fn texts(&mut self, name: &'static str, mut texts: Vec<Vec<u8>>) {
        texts.retain(|text| !text.is_empty());
        if !texts.is_empty() {
            self.add(name, Value::Texts(texts));
        }
    }

    /// Adds records, if there are any.
    pub(super) fn records(&mut self, name: &'static str, records: Vec<Vec<Fact>>) {
        if !records.is_empty() {
            self.add(name, Value::Records(records));
        }
    }

    /// Adds a width and a height.
    pub(super) fn sides(&mut self, (width, height): (u32, u32)) {
        self.number("width", Some(width));
        self.number("height", Some(height));
    }

    /// Adds the place of the palette: in the file itself, or in another file of the game.
    pub(super) fn palette(&mut self, is_inside: bool, game: &str) {
        self.word("palette", if is_inside { "inside" } else { game });
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Notes that some parts are not completely in the file.
    pub(super) fn cut(&mut self, parts: &str) {
        self.note(format!("its {parts} do not all lie in the file"));
    }
}

/// A number of a record.
pub(super) fn number(name: &'static str, number: impl Into<u64>) -> Fact {
    let value = Value::Number(number.into());
    Fact { name, value }
}

/// A text of a record.
pub(super) fn text(name: &'static str, text: &[u8]) -> Fact {
    let value = Value::Text(text.to_vec());
    Fact { name, value }
}
