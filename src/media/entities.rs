//! Parses text in braces: a map's entities as pairs of keys and values, and shader scripts of Quake III.
//!
//! ```text
//! {
//! "classname" "worldspawn"
//! "sky" "unit1_"
//! }
//! ```
//!
//! Words are read as the engines read them: a word is in quotes, or ends at white space or a brace; `//`
//! begins a comment; there are no escapes.

/// How many pairs of an entity are kept. Real maps have some dozens.
const PAIRS_MAX: usize = 1024;

/// One entity. If a key occurs twice, the later value counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entity<'a> {
    /// Its keys and values, in order.
    pub pairs: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Entity<'a> {
    /// Iterates over the entities of a text. An entity that is cut off is dropped.
    ///
    /// ```
    /// use daisho::media::entities::Entity;
    /// let text = b"{ \"classname\" \"worldspawn\" \"sky\" \"unit1_\" } { \"classname\" \"light\" }";
    /// let classes: Vec<_> = Entity::all(text).map(|entity| entity.class()).collect();
    /// assert_eq!(classes, [&b"worldspawn"[..], b"light"]);
    /// ```
    pub fn all(text: &'a [u8]) -> impl Iterator<Item = Self> {
        let mut words = Words(text);
        core::iter::from_fn(move || {
            if !matches!(words.next()?, Word::Brace(b'{')) {
                return None;
            }
            let mut entity = Self::default();
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

    /// The value of a key, compared without ASCII case.
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

    /// Whether only a map of Hexen II has it. These maps have Quake's format. Their items have classes of their own,
    /// and worldspawn has a key for music.
    #[must_use]
    pub fn is_of_hexen2(&self) -> bool {
        let class = self.class().to_ascii_lowercase();
        class.starts_with(b"item_mana_")
            || class == b"puzzle_piece"
            || class == b"worldspawn" && self.get("midi").is_some()
    }
}

/// A word of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word<'a> {
    Brace(u8),
    Text(&'a [u8]),
}

/// The words of a text.
#[derive(Debug, Clone)]
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    /// Splits the text after the first of these bytes.
    fn behind(text: &'a [u8], end: impl Fn(&[u8]) -> bool) -> (&'a [u8], &'a [u8]) {
        let at = (0..text.len()).find(|at| text.get(*at..).is_some_and(&end));
        text.split_at(at.unwrap_or(text.len()))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            // As in C, NUL ends the text, and every character up to the space is white space.
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

/// A shader of a script of Quake III.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shader<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The words of its definition that are paths: the files that it draws, and others.
    pub paths: Vec<&'a [u8]>,
}

/// How many paths of a shader are kept. Real ones name a dozen.
const PATHS_MAX: usize = 256;

/// The shaders that a Quake III script defines. The script is a sequence of a name and a block in braces.
///
/// ```
/// use daisho::media::entities::shaders;
/// let script = b"textures/a // the floor\n{ { map fx/a.tga rgbGen wave } }\ntextures/b { }";
/// let shaders: Vec<_> = shaders(script).collect();
/// assert_eq!(shaders[0].name, b"textures/a");
/// assert_eq!(shaders[0].paths, [b"fx/a.tga"]);
/// assert_eq!(shaders[1].name, b"textures/b");
/// ```
pub fn shaders(script: &[u8]) -> impl Iterator<Item = Shader<'_>> {
    let mut words = Words(script);
    core::iter::from_fn(move || {
        let mut last = None;
        loop {
            match words.next()? {
                Word::Text(name) => last = Some(name),
                Word::Brace(b'{') => {
                    let paths = paths_in_block(&mut words);
                    if let Some(name) = last.take() {
                        return Some(Shader { name, paths });
                    }
                }
                Word::Brace(_) => {}
            }
        }
    })
}

/// The words up to the end of a block that are paths.
fn paths_in_block<'a>(words: &mut Words<'a>) -> Vec<&'a [u8]> {
    let mut paths = Vec::new();
    let mut depth: u32 = 1;
    for word in words {
        match word {
            Word::Text(word) if word.contains(&b'/') && paths.len() < PATHS_MAX => paths.push(word),
            Word::Text(_) => {}
            Word::Brace(b'{') => depth = depth.saturating_add(1),
            Word::Brace(_) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
        }
    }
    paths
}
