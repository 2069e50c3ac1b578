//! One fact of a file: its name, and its value, as plain data.

use crate::media::FileType;

/// How far into a file to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// At its header, and at a map's entities.
    Header,
    /// As far as its facts need.
    All,
}

/// One fact of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// A stable word for what it is: lower case, with `_` between words.
    pub name: &'static str,
    /// What it is.
    pub value: Value,
}

/// What a fact says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A number, which counts something or has the unit that the name says.
    Number(u64),
    /// Seconds, as thousandths of them.
    Milliseconds(u64),
    /// A word or a sentence of our own.
    Word(String),
    /// Text out of the file, whose bytes may be anything.
    Text(Vec<u8>),
    /// Several texts out of the file.
    Texts(Vec<Vec<u8>>),
    /// Things of which each has the same facts.
    Records(Vec<Vec<Fact>>),
}

/// How many names or records of a file are kept. Some maps name a thousand textures.
pub(super) const LISTED_MAX: usize = 4096;

/// Facts and notes, as they are found.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) facts: Vec<Fact>,
    pub(super) notes: Vec<String>,
}

impl Collected {
    pub(super) fn add(&mut self, name: &'static str, value: Value) {
        self.facts.push(Fact { name, value });
    }

    /// Adds a number that is known.
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

    pub(super) fn word(&mut self, name: &'static str, word: impl Into<String>) {
        self.add(name, Value::Word(word.into()));
    }

    /// Adds a text that says something.
    pub(super) fn text(&mut self, name: &'static str, text: Option<&[u8]>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.add(name, Value::Text(text.to_vec()));
        }
    }

    /// Adds those of some texts that say something; nothing where none does.
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

    /// Says where the palette is: inside, or in the file from which the game takes it.
    pub(super) fn palette(&mut self, file_type: FileType, is_within: Option<bool>) {
        match (is_within, file_type) {
            (Some(true), _) => self.word("palette", "inside"),
            (Some(false), FileType::Wal) => self.word("palette", "pics/colormap.pcx"),
            (Some(false), _) => self.word("palette", "gfx/palette.lmp"),
            (None, _) => {}
        }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
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
