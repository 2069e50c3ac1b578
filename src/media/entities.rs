//! The text of a map's entities: what stands in it, as pairs of keys and values in braces.
//!
//! ```text
//! {
//! "classname" "worldspawn"
//! "sky" "unit1_"
//! }
//! ```
//!
//! Read as the engines do: a word is what stands in quotes, or runs up to white space or a brace; `//`
//! begins a comment; nothing is escaped. Text that ends within an entity ends the entities.

/// How many pairs of an entity are kept. Those of real maps have some dozens.
const PAIRS_MAX: usize = 1024;

/// One entity. Of a key that stands twice, the later value counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entity<'a> {
    /// Its keys and values, as they stand.
    pub pairs: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Entity<'a> {
    /// The value of a key, ASCII case ignored.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a [u8]> {
        let mut pairs = self.pairs.iter().rev();
        let found = pairs.find(|(name, _)| name.eq_ignore_ascii_case(key.as_bytes()));
        found.map(|(_, value)| *value)
    }

    /// Its `classname`.
    #[must_use]
    pub fn class(&self) -> &'a [u8] {
        self.get("classname").unwrap_or_default()
    }
}

/// The entities of a text, one after another.
///
/// ```
/// use daisho::media::entities::entities;
/// let text = b"{ \"classname\" \"worldspawn\" \"sky\" \"unit1_\" } { \"classname\" \"light\" }";
/// let classes: Vec<_> = entities(text).map(|entity| entity.class()).collect();
/// assert_eq!(classes, [&b"worldspawn"[..], b"light"]);
/// ```
pub fn entities(text: &[u8]) -> impl Iterator<Item = Entity<'_>> {
    let mut words = Words(text);
    core::iter::from_fn(move || {
        if !matches!(words.next()?, Word::Brace(b'{')) {
            return None;
        }
        let mut entity = Entity::default();
        loop {
            match words.next()? {
                Word::Brace(b'}') => return Some(entity),
                Word::Brace(_) => return None,
                Word::Text(key) => match words.next()? {
                    Word::Text(value) if entity.pairs.len() < PAIRS_MAX => {
                        entity.pairs.push((key, value));
                    }
                    Word::Text(_) => {}
                    Word::Brace(_) => return None,
                },
            }
        }
    })
}

/// A word of such a text, or of a script that is written alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word<'a> {
    Brace(u8),
    Text(&'a [u8]),
}

/// The words of a text.
#[derive(Debug, Clone)]
pub(super) struct Words<'a>(pub(super) &'a [u8]);

impl<'a> Words<'a> {
    /// What comes behind the first of these bytes.
    fn behind(text: &'a [u8], end: impl Fn(&[u8]) -> bool) -> (&'a [u8], &'a [u8]) {
        let at = (0..text.len()).find(|at| text.get(*at..).is_some_and(&end));
        text.split_at(at.unwrap_or(text.len()))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            // As in C, a NUL ends the text, and all that is not above a blank is white space.
            let is_white = |byte: &u8| (1..=b' ').contains(byte);
            let at = self.0.iter().position(|byte| !is_white(byte))?;
            let rest = self.0.get(at..).unwrap_or_default();
            let (first, behind) = rest.split_first().filter(|(first, _)| **first != 0)?;
            if rest.starts_with(b"//") {
                (_, self.0) = Self::behind(rest, |text| text.starts_with(b"\n"));
                continue;
            }
            if rest.starts_with(b"/*") {
                (_, self.0) = Self::behind(rest, |text| text.starts_with(b"*/"));
                self.0 = self.0.get(2..).unwrap_or_default();
                continue;
            }
            return Some(match *first {
                b'{' | b'}' => {
                    self.0 = behind;
                    Word::Brace(*first)
                }
                b'"' => {
                    let (word, rest) = Self::behind(behind, |text| text.starts_with(b"\""));
                    self.0 = rest.get(1..).unwrap_or_default();
                    Word::Text(word)
                }
                _ => {
                    let ends = |byte: u8| byte <= b' ' || matches!(byte, b'{' | b'}' | b'"');
                    let (word, rest) =
                        Self::behind(rest, |text| text.first().copied().is_none_or(ends));
                    self.0 = rest;
                    Word::Text(word)
                }
            });
        }
    }
}
