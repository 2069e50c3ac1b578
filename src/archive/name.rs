//! An entry's name in its archive: bytes in no defined encoding, displayed escaped.
//!
//! A [`RawName`] is never a path. Only the fallible conversion in [`path`](super::path) turns one into the
//! other.
//!
//! # How a name is displayed
//!
//! A pak comes from strangers, and a raw name in a terminal can move the cursor, hide a line, or reverse
//! the reading direction. So only characters that are clearly text are displayed unchanged, and two
//! different names are never displayed as the same text:
//!
//! | in the name                                                   | displayed as        |
//! |---------------------------------------------------------------|---------------------|
//! | a backslash                                                   | `\\`                |
//! | U+0000 to U+001F, U+007F                                      | `\x1b`              |
//! | a byte that is not part of valid UTF-8                        | `\xff`              |
//! | U+0080 to U+009F; characters that change direction or lines, or have no width | `\u{202e}` |
//! | everything else                                               | itself              |

use core::fmt::{self, Display, Write as _};
use std::borrow::Cow;
use std::path::Path;

use bstr::ByteSlice as _;

/// A name as it is in the archive.
///
/// ```
/// use daisho::Archive;
///
/// let archive = Archive::open("corpus/game/data/pak1.pak")?;
/// let hero = archive.entries().find(|entry| entry.name() == "skins/hero.tga");
/// assert_eq!(hero, archive.get("skins/hero.tga"));
/// # Ok::<(), daisho::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RawName<'a>(&'a [u8]);

/// Whether this extension is one of these, which are in lower case. ASCII case is ignored.
pub(crate) fn is_extension_of(extension: &[u8], all: &[&str]) -> bool {
    let mut all = all.iter();
    all.any(|other| extension.eq_ignore_ascii_case(other.as_bytes()))
}

/// Words as a choice: `a, b or c`.
pub(crate) fn or_list(words: &[String]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

impl<'a> RawName<'a> {
    /// Creates a name from all of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The name in a record's field, which ends at the first NUL. The bytes after it are often leaked
    /// memory, and are never compared, displayed or copied.
    #[inline]
    #[must_use]
    pub fn from_field(field: &'a [u8]) -> Self {
        let end = field.find_byte(0).unwrap_or(field.len());
        Self(field.get(..end).unwrap_or(field))
    }

    /// The name of a file on disk, without its folders. Empty if the path has none, as `..`.
    #[must_use]
    pub fn of_file(path: &'a Path) -> Self {
        path.file_name().map_or(Self(b""), |name| Self(name.as_encoded_bytes()))
    }

    /// The bytes.
    #[inline]
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The name as text, if it is valid UTF-8.
    #[must_use]
    pub fn to_str(self) -> Option<&'a str> {
        core::str::from_utf8(self.0).ok()
    }

    /// The part after the last separator. Some tools wrote `\` instead of `/`, so both count.
    #[must_use]
    pub fn last_part(self) -> &'a [u8] {
        self.0.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or(self.0)
    }

    /// Whether a part of it is hidden on Unix, or is litter of a system or an editor: `.git`, `.DS_Store`, `Thumbs.db`,
    /// `desktop.ini`, `a.txt~`.
    pub(crate) fn is_hidden(self) -> bool {
        let mut parts = self.0.split(|byte| matches!(byte, b'/' | b'\\'));
        parts.any(|part| {
            let is_litter = [&b"thumbs.db"[..], b"desktop.ini"]
                .iter()
                .any(|litter| part.eq_ignore_ascii_case(litter));
            let is_dots = matches!(part, b"." | b"..");
            is_litter || part.ends_with(b"~") || part.starts_with(b".") && !is_dots
        })
    }

    /// The part after the last dot of the file name, if there is a dot.
    #[must_use]
    pub fn extension(self) -> Option<&'a [u8]> {
        let part = self.last_part();
        part.rfind_byte(b'.').and_then(|dot| part.get(dot + 1..))
    }
}

impl Display for RawName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(self.0).fmt(f)
    }
}

impl fmt::Debug for RawName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", quoted(self.0))
    }
}

impl AsRef<[u8]> for RawName<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

impl PartialEq<str> for RawName<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for RawName<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl<'a> From<&'a str> for RawName<'a> {
    fn from(name: &'a str) -> Self {
        Self(name.as_bytes())
    }
}

impl<'a> From<&'a String> for RawName<'a> {
    fn from(name: &'a String) -> Self {
        Self(name.as_bytes())
    }
}

impl<'a> From<&'a [u8]> for RawName<'a> {
    fn from(name: &'a [u8]) -> Self {
        Self(name)
    }
}

/// Escapes any bytes as in the table above. This is for names, and for paths, which may contain names.
///
/// ```
/// use daisho::archive::escape;
/// assert_eq!(escape(b"maps/e1m1.bsp").to_string(), "maps/e1m1.bsp");
/// assert_eq!(escape(b"a\\b\x1b[2J\xff").to_string(), r"a\\b\x1b[2J\xff");
/// assert_eq!(escape("cod.\u{202e}exe".as_bytes()).to_string(), r"cod.\u{202e}exe");
/// ```
#[must_use]
pub const fn escape(bytes: &[u8]) -> Escaped<'_> {
    Escaped { bytes: Cow::Borrowed(bytes), is_quoted: false, separates: false }
}

/// Like [`escape`], but between quotes, for use in a sentence. A quote in the name is `\"`, so that a name
/// cannot end it.
///
/// ```
/// use daisho::archive::quoted;
/// assert_eq!(quoted(b"a\" or \"b\x07").to_string(), r#""a\" or \"b\x07""#);
/// ```
#[must_use]
pub const fn quoted(bytes: &[u8]) -> Escaped<'_> {
    Escaped { bytes: Cow::Borrowed(bytes), is_quoted: true, separates: false }
}

/// The most bytes of an entry's name that a message shows.
const SHOWN_NAME: usize = 256;

/// An entry's name in a message: [`quoted`], and cut if it is so long that the message would not be read.
pub(crate) fn quoted_name(name: &[u8]) -> Escaped<'_> {
    Escaped { bytes: shortened(name, SHOWN_NAME), is_quoted: true, separates: false }
}

/// The first `most` bytes of a name and `...` if it is longer. No character is cut in two.
pub(crate) fn shortened(name: &[u8], most: usize) -> Cow<'_, [u8]> {
    let Some(start) = name.get(..most).filter(|_| name.len() > most) else {
        return Cow::Borrowed(name);
    };
    let is_whole = |len: &usize| name.get(*len).is_none_or(|byte| byte & 0xC0 != 0x80);
    let end = (most.saturating_sub(3)..=most).rev().find(is_whole);
    let start = start.get(..end.unwrap_or(most)).unwrap_or(start);
    Cow::Owned([start, b"..."].concat())
}

/// The return type of [`escape`], [`quoted`] and of the same functions for paths. It implements `Display`.
#[derive(Debug, Clone)]
pub struct Escaped<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) is_quoted: bool,
    /// Whether a backslash is a separator, and so not escaped.
    pub(super) separates: bool,
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_special =
            |byte: &u8| self.is_quoted && *byte == b'"' || self.separates && *byte == b'\\';
        let mut rest: &[u8] = &self.bytes;
        if self.is_quoted {
            f.write_char('"')?;
        }
        while let Some(at) = rest.iter().position(is_special) {
            let (plain, from) = rest.split_at(at);
            write_escaped(plain, f)?;
            f.write_str(if from.starts_with(b"\"") { "\\\"" } else { "\\" })?;
            rest = from.get(1..).unwrap_or_default();
        }
        write_escaped(rest, f)?;
        if self.is_quoted {
            f.write_char('"')?;
        }
        Ok(())
    }
}

fn write_escaped(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        // Most names are plain: runs of plain characters are written at once.
        while let Some(at) = rest.find(is_escaped) {
            let (plain, special) = rest.split_at(at);
            f.write_str(plain)?;
            let mut special = special.chars();
            match special.next().unwrap_or_default() {
                '\\' => f.write_str("\\\\")?,
                c if c.is_ascii() => write!(f, "\\x{:02x}", u32::from(c))?,
                c => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            }
            rest = special.as_str();
        }
        f.write_str(rest)?;
        for byte in chunk.invalid() {
            write!(f, "\\x{byte:02x}")?;
        }
    }
    Ok(())
}

/// Whether a character is escaped.
const fn is_escaped(c: char) -> bool {
    matches!(c, '\\' | '\0'..='\x1f' | '\x7f') || !c.is_ascii() && steers(c)
}

/// Whether a character above ASCII is invisible or changes how the text around it is displayed.
///
/// These are controls, line separators, characters that Unicode ignores by default
/// (`Default_Ignorable_Code_Point`, with joiners and variation selectors), and invisible format characters.
/// A test compares the ranges with Unicode's own files.
const fn steers(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// The bytes of an escaped name, or `None` if it contains an invalid escape.
///
/// ```
/// use daisho::archive::{escape, unescape};
/// let name = b"a\\b\x1b[2J\xff\xe2\x80\xae";
/// assert_eq!(unescape(&escape(name).to_string()).unwrap(), name);
/// assert_eq!(unescape(r"a\b"), None);
/// ```
#[must_use]
pub fn unescape(shown: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(shown.len());
    let mut rest = shown;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        rest = if let Some(after) = escape.strip_prefix('\\') {
            bytes.push(b'\\');
            after
        } else if let Some(after) = escape.strip_prefix('x') {
            let (digits, after) = after.split_at_checked(2)?;
            bytes.push(u8::try_from(hex(digits)?).ok()?);
            after
        } else {
            let (digits, after) = escape.strip_prefix("u{")?.split_once('}')?;
            let c = char::from_u32(hex(digits)?)?;
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            after
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

/// Parses a number of hexadecimal digits. The standard parser also accepts a sign.
fn hex(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    plain.then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_ends_at_its_first_nul() {
        let mut field = [0xCC; 56];
        field[..8].copy_from_slice(b"gfx.wad\0");
        assert_eq!(RawName::from_field(&field).as_bytes(), b"gfx.wad");
        let full = [b'x'; 56];
        assert_eq!(RawName::from_field(&full).as_bytes(), full);
    }

    #[test]
    fn a_long_name_is_shown_cut_between_two_characters() {
        assert_eq!(&*shortened(b"func_wall", 9), b"func_wall");
        assert_eq!(&*shortened(b"func_walls", 9), b"func_wall...");
        let word = "a\u{5200}\u{5200}".as_bytes();
        for (most, shown) in [(5, "a\u{5200}..."), (4, "a\u{5200}..."), (3, "a..."), (1, "a...")] {
            assert_eq!(&*shortened(word, most), shown.as_bytes());
        }
        // Bytes that are no text at all.
        let shown = [&[0x80; 8][..], b"..."].concat();
        assert_eq!(&*shortened(&[0x80; 9], 8), shown);
        let long = "x".repeat(32_000);
        let shown = quoted_name(long.as_bytes()).to_string();
        assert_eq!(shown, format!("\"{}...\"", "x".repeat(256)));
        assert_eq!(quoted_name(b"a b").to_string(), "\"a b\"");
    }

    #[test]
    fn a_name_is_text_where_it_is_valid_utf8() {
        assert_eq!(RawName::from("été.wav").to_str(), Some("été.wav"));
        assert_eq!(RawName::new(b"\xe9t\xe9.wav").to_str(), None);
    }

    #[test]
    fn names_display_escaped_and_debug_quoted() {
        let name = RawName::new(b"\"a\"\x1b\xe9");
        assert_eq!(name.to_string(), r#""a"\x1b\xe9"#);
        assert_eq!(format!("{name:?}"), r#""\"a\"\x1b\xe9""#);
        assert_eq!(quoted(b"").to_string(), r#""""#);
    }

    #[test]
    fn the_extension_is_the_last_parts() {
        let extension = |name: &'static str| RawName::from(name).extension();
        assert_eq!(extension("maps/e1m1.bsp"), Some(&b"bsp"[..]));
        assert_eq!(extension("maps.old/e1m1"), None);
        assert_eq!(extension("maps.old\\e1m1"), None);
        assert_eq!(extension("a.b.TGA"), Some(&b"TGA"[..]));
        assert_eq!(extension("a."), Some(&b""[..]));
    }

    #[test]
    fn nothing_that_steers_a_terminal_is_shown_as_it_is() {
        for (name, shown) in [
            (&b"plain/name.wav"[..], "plain/name.wav"),
            (b"back\\slash", r"back\\slash"),
            (b"\x00\x1b\n\t\x7f", r"\x00\x1b\x0a\x09\x7f"),
            (b"latin \xe9", r"latin \xe9"),
            ("wide é 刀".as_bytes(), "wide é 刀"),
            ("\u{85}".as_bytes(), r"\u{85}"),
            ("\u{202e}\u{2066}\u{61c}\u{200f}".as_bytes(), r"\u{202e}\u{2066}\u{61c}\u{200f}"),
            (b"\xe5\x88", r"\xe5\x88"),
            (
                "\u{34f}\u{115f}\u{1160}\u{3164}\u{ffa0}".as_bytes(),
                r"\u{34f}\u{115f}\u{1160}\u{3164}\u{ffa0}",
            ),
            (
                "\u{fe00}\u{fe0f}\u{e0000}\u{e007f}".as_bytes(),
                r"\u{fe00}\u{fe0f}\u{e0000}\u{e007f}",
            ),
        ] {
            assert_eq!(escape(name).to_string(), shown);
        }
    }

    #[test]
    fn names_that_differ_are_never_shown_as_the_same_text() {
        let names: [&[u8]; 6] =
            [b"\x85", "\u{85}".as_bytes(), br"\x85", br"\u{85}", b"\\\\x85", b"\x05"];
        let mut shown: Vec<String> = names.iter().map(|name| escape(name).to_string()).collect();
        shown.sort();
        shown.dedup();
        assert_eq!(shown.len(), names.len());
    }

    #[test]
    fn what_is_no_escape_is_nothing() {
        for shown in [
            r"\",
            r"\x",
            r"\x1",
            r"\xg0",
            r"\x+1",
            r"\n",
            r"\u{",
            r"\u{}",
            r"\u{110000}",
            r"\u{d800}",
            r"\u20",
        ] {
            assert_eq!(unescape(shown), None, "{shown}");
        }
    }

    proptest! {
        #[test]
        fn every_name_comes_back(name: Vec<u8>, text: String) {
            prop_assert_eq!(unescape(&escape(&name).to_string()), Some(name));
            prop_assert_eq!(unescape(&escape(text.as_bytes()).to_string()), Some(text.into_bytes()));
        }
    }
}
