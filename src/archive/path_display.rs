//! Formats paths for messages, so that they can be typed again.
//!
//! A path comes from the user or contains names from an archive, so control characters are escaped as in
//! [`escape`]. A backslash that is a separator is not escaped.
//!
//! | on Windows                               | displayed as        |
//! |------------------------------------------|---------------------|
//! | `games/out\a`                            | `games\out\a`       |
//! | `\\?\C:\games`, as the system returns it | `C:\games`          |
//! | `\\?\UNC\server\games`                   | `\\server\games`    |
//! | the same with 260 characters or more     | unchanged: only this form works |
//! | `games/mod.zip//id1/pak0.pak`            | `games\mod.zip//id1/pak0.pak`: after the two slashes comes a name in an archive |

use core::fmt::{self, Display, Write as _};
use std::borrow::Cow;
use std::path::Path;

use super::name::escape;

/// From this length on, Windows by default accepts a path only with the prefix `\\?\`: `MAX_PATH`.
const LONG: usize = 260;

/// Formats a path as in the table above, escaped.
#[must_use]
pub fn escape_path(path: &Path) -> EscapedPath<'_> {
    EscapedPath::new(path, false)
}

/// Like [`escape_path`], but between quotes, for use in a sentence.
#[must_use]
pub fn quoted_path(path: &Path) -> EscapedPath<'_> {
    EscapedPath::new(path, true)
}

/// The bytes of a path as in the table above, not escaped: for data, which has its own rules.
#[must_use]
pub fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    match cfg!(windows) {
        true => with_backslashes(bytes),
        false => Cow::Borrowed(bytes),
    }
}

/// The return type of [`escape_path`] and [`quoted_path`], which implements `Display`.
#[derive(Debug, Clone)]
pub struct EscapedPath<'p> {
    bytes: Cow<'p, [u8]>,
    is_quoted: bool,
    /// Whether a backslash is a separator.
    separates: bool,
}

impl<'p> EscapedPath<'p> {
    fn new(path: &'p Path, is_quoted: bool) -> Self {
        Self {
            bytes: path_bytes(path),
            is_quoted,
            separates: cfg!(windows),
        }
    }
}

impl Display for EscapedPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_special =
            |byte: &u8| self.is_quoted && *byte == b'"' || self.separates && *byte == b'\\';
        let mut rest: &[u8] = &self.bytes;
        if self.is_quoted {
            f.write_char('"')?;
        }
        while let Some(at) = rest.iter().position(is_special) {
            let (plain, from) = rest.split_at(at);
            escape(plain).fmt(f)?;
            f.write_str(if from.starts_with(b"\"") {
                "\\\""
            } else {
                "\\"
            })?;
            rest = from.get(1..).unwrap_or_default();
        }
        escape(rest).fmt(f)?;
        if self.is_quoted {
            f.write_char('"')?;
        }
        Ok(())
    }
}

/// A Windows path with its own separators.
fn with_backslashes(path: &[u8]) -> Cow<'_, [u8]> {
    let (start, rest) = without_prefix(path);
    let within = rest.windows(2).skip(1).position(|pair| pair == b"//");
    let (file, name) = rest.split_at(within.map_or(rest.len(), |at| at + 1));
    if start.is_empty() && !file.contains(&b'/') {
        return Cow::Borrowed(rest);
    }
    let separator = |byte: &u8| if *byte == b'/' { b'\\' } else { *byte };
    let file: Vec<u8> = file.iter().map(separator).collect();
    Cow::Owned([start, &file, name].concat())
}

/// Removes the prefix that makes Windows take a path literally, if the path means the same without it.
/// Returns the replacement and the rest of the path.
fn without_prefix(path: &[u8]) -> (&'static [u8], &[u8]) {
    const PREFIX: &[u8] = br"\\?\";
    let Some(rest) = path.strip_prefix(PREFIX) else {
        return (b"", path);
    };
    match rest {
        _ if path.len() >= LONG => (b"", path),
        [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic() => (b"", rest),
        _ => match rest.strip_prefix(br"UNC\") {
            Some(share) => (br"\\", share),
            None => (b"", path),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the table of the module's documentation.
    #[test]
    fn a_path_of_windows_is_shown_with_its_own_separator_and_as_it_can_be_typed() {
        let long = |start: &str| format!("{start}{}", r"long\".repeat(LONG / 5));
        for (path, shown) in [
            ("a.pak", "a.pak"),
            ("games/out\\a", "games\\out\\a"),
            (r"\\?\C:\games\a.pak", r"C:\games\a.pak"),
            (r"\\?\UNC\server\games", r"\\server\games"),
            ("//server/games/a", r"\\server\games\a"),
            (&long(r"\\?\C:\"), &long(r"\\?\C:\")),
            (r"\\?\Volume{b75e2c83}\a", r"\\?\Volume{b75e2c83}\a"),
            (r"\\?\C:", r"\\?\C:"),
            (r"\\.\pipe\a", r"\\.\pipe\a"),
            (
                "games/mod.zip//id1/pak0.pak",
                r"games\mod.zip//id1/pak0.pak",
            ),
            ("a/b.zip//c.zip//d/e.pak", r"a\b.zip//c.zip//d/e.pak"),
            ("out/", r"out\"),
            ("/", r"\"),
            ("", ""),
        ] {
            let found = with_backslashes(path.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found), shown, "{path}");
        }
    }

    #[test]
    fn a_backslash_that_separates_is_shown_once_and_what_steers_is_escaped() {
        let show = |bytes: &'static [u8], is_quoted, separates| {
            let bytes = Cow::Borrowed(bytes);
            EscapedPath {
                bytes,
                is_quoted,
                separates,
            }
            .to_string()
        };
        let path = b"a\\b\"\x1b[2J\xff\xe2\x80\xae";
        assert_eq!(show(path, false, true), r#"a\b"\x1b[2J\xff\u{202e}"#);
        assert_eq!(show(path, true, true), r#""a\b\"\x1b[2J\xff\u{202e}""#);
        assert_eq!(show(path, false, false), r#"a\\b"\x1b[2J\xff\u{202e}"#);
        assert_eq!(show(path, true, false), r#""a\\b\"\x1b[2J\xff\u{202e}""#);
        assert_eq!(show(b"\\\\s\\a\\", true, true), r#""\\s\a\""#);
    }
}
