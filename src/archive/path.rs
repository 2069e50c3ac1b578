//! Converts names to paths that are safe to create below a folder on any system, and displays paths.
//!
//! A pak's names are bytes from a stranger, and every extractor that used them as paths has been led out of
//! its folder. A [`SafePath`] can only be made from a [`RawName`], by a conversion that can fail, and holds
//! relative parts joined with `/`. The rules are the same on all systems, so that everyone can extract the
//! same files: Windows' rules are the strictest, and apply everywhere. One exception: bytes that are not
//! UTF-8 are valid on Unix and refused elsewhere.
//!
//! | in the name                                                     | what happens                     |
//! |-----------------------------------------------------------------|----------------------------------|
//! | `\`                                                             | replaced by `/`, before all other rules |
//! | upper case                                                      | kept                             |
//! | empty                                                           | [`PathError::Empty`]             |
//! | begins with two separators (`//server/x`, `\\server\x`)         | [`PathError::Unc`]               |
//! | begins with one separator                                       | [`PathError::Absolute`]          |
//! | begins with a letter and `:`                                    | [`PathError::Drive`]             |
//! | `:` anywhere else (a stream of a file on NTFS)                  | [`PathError::Colon`]             |
//! | an empty part (`a//b`, `a/`)                                    | [`PathError::EmptyPart`]         |
//! | a part `..`                                                     | [`PathError::Parent`]            |
//! | a part `.`                                                      | [`PathError::Current`]           |
//! | U+0000 to U+001F, U+007F                                        | [`PathError::Control`]           |
//! | any of `<` `>` `"` `\|` `?` `*`                                 | [`PathError::Character`]         |
//! | a part that ends in a dot or a space (Windows drops them)       | [`PathError::Trailing`]          |
//! | a device (`con`, `nul.txt`, `COM1 .x`, `lpt³`, `conin$`)        | [`PathError::Device`]            |
//! | a part of more than 255 bytes                                   | [`PathError::LongPart`]          |
//! | more than 4,096 bytes                                           | [`PathError::Long`]              |
//! | more than 256 parts                                             | [`PathError::Deep`]              |
//! | bytes that are not UTF-8, where paths are not bytes             | [`PathError::NotUtf8`]           |
//!
//! Two different paths may still be the same file: some systems ignore case. [`SafePath::conflict_key`]
//! finds those beforehand.
//!
//! # How a path is displayed
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

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::name::{Escaped, RawName, escape};

/// The longest part that the usual file systems take.
const PART_MAX: usize = 255;

/// The longest path that Linux takes, and the most parts. No game has a name of ten parts.
const PATH_MAX: usize = 4096;
const PARTS_MAX: usize = 256;

/// Whether paths may contain bytes that are not UTF-8 on this system.
const PATHS_ARE_BYTES: bool = cfg!(unix);

/// A safe relative path, with parts joined by `/`.
///
/// ```
/// use daisho::archive::{PathError, RawName, SafePath};
/// use std::path::Path;
///
/// let path = SafePath::try_from(RawName::from("maps\\e1m1.bsp"))?;
/// assert_eq!(Path::new("out").join(path.to_path_buf()), Path::new("out/maps/e1m1.bsp"));
///
/// let refused = |name| SafePath::try_from(RawName::from(name)).unwrap_err();
/// assert_eq!(refused("../../.bashrc"), PathError::Parent);
/// assert_eq!(refused("models/nul.mdl"), PathError::Device);
/// # Ok::<(), PathError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafePath(Vec<u8>);

/// Why a name is not a safe path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// It is empty.
    #[error("the name is empty")]
    Empty,
    /// It begins with a separator.
    #[error("the name is an absolute path")]
    Absolute,
    /// It begins with two separators.
    #[error("the name is a network path")]
    Unc,
    /// It begins with a drive letter.
    #[error("the name begins with a drive letter")]
    Drive,
    /// It contains a colon, which opens a hidden stream of a file on NTFS.
    #[error("the name has a colon in it")]
    Colon,
    /// Two separators in a row, or one at the end.
    #[error("the name has an empty part")]
    EmptyPart,
    /// `..`
    #[error("the name leads upwards through \"..\"")]
    Parent,
    /// `.`
    #[error("the name has a part \".\"")]
    Current,
    /// A control byte.
    #[error("the name has the control byte {0:#04x} in it")]
    Control(u8),
    /// A character that Windows does not allow.
    #[error("the name has \"{}\" in it, which Windows does not allow in names", char::from(*.0))]
    Character(u8),
    /// A part ends in a dot or a space.
    #[error("a part of the name ends in a dot or a space, which Windows drops")]
    Trailing,
    /// A part is a device on Windows, with or without an extension.
    #[error("a part of the name is a device name on Windows")]
    Device,
    /// A part is longer than file systems allow.
    #[error("a part of the name has {0} bytes, more than 255")]
    LongPart(usize),
    /// It is longer than systems allow.
    #[error("the name has {0} bytes, more than 4,096")]
    Long(usize),
    /// It has too many parts, each of which would be a folder.
    #[error("the name has {0} parts, more than 256")]
    Deep(usize),
    /// Bytes that are not UTF-8, on a system whose paths are text.
    #[error("the name is not UTF-8, as a path must be on this system")]
    NotUtf8,
}

impl PathError {
    /// Whether no system can have a file of this name. Other names are a problem on some systems only.
    #[must_use]
    pub const fn is_everywhere(&self) -> bool {
        match self {
            Self::Empty
            | Self::Absolute
            | Self::Unc
            | Self::Drive
            | Self::EmptyPart
            | Self::Parent
            | Self::Current
            | Self::LongPart(_)
            | Self::Long(_)
            | Self::Deep(_) => true,
            Self::Colon
            | Self::Control(_)
            | Self::Character(_)
            | Self::Trailing
            | Self::Device
            | Self::NotUtf8 => false,
        }
    }
}

impl SafePath {
    /// The bytes, parts joined with `/`.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The parts; there is at least one, and none is empty.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/')
    }

    /// The path in the system's type.
    #[must_use]
    pub fn to_path_buf(&self) -> PathBuf {
        relative_path(&self.0)
    }

    /// A key that is equal for paths that differ only in ASCII case. Many file systems take them for one
    /// file.
    #[must_use]
    pub fn conflict_key(&self) -> Cow<'_, [u8]> {
        let mut key = Cow::Borrowed(&*self.0);
        if self.0.iter().any(u8::is_ascii_uppercase) {
            key.to_mut().make_ascii_lowercase();
        }
        key
    }
}

impl core::fmt::Display for SafePath {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        escape(&self.0).fmt(f)
    }
}

impl TryFrom<RawName<'_>> for SafePath {
    type Error = PathError;

    fn try_from(name: RawName<'_>) -> Result<Self, PathError> {
        convert(name.as_bytes(), PATHS_ARE_BYTES)
    }
}

fn convert(name: &[u8], paths_are_bytes: bool) -> Result<SafePath, PathError> {
    let mut path = name.to_vec();
    for byte in path.iter_mut().filter(|byte| **byte == b'\\') {
        *byte = b'/';
    }
    match path.as_slice() {
        [] => return Err(PathError::Empty),
        [b'/', b'/', ..] => return Err(PathError::Unc),
        [b'/', ..] => return Err(PathError::Absolute),
        [letter, b':', ..] if letter.is_ascii_alphabetic() => return Err(PathError::Drive),
        _ => {}
    }
    if path.len() > PATH_MAX {
        return Err(PathError::Long(path.len()));
    }
    let parts = path.split(|byte| *byte == b'/').count();
    if parts > PARTS_MAX {
        return Err(PathError::Deep(parts));
    }
    if !paths_are_bytes && core::str::from_utf8(&path).is_err() {
        return Err(PathError::NotUtf8);
    }
    for part in path.split(|byte| *byte == b'/') {
        check_part(part)?;
    }
    Ok(SafePath(path))
}

fn check_part(part: &[u8]) -> Result<(), PathError> {
    for &byte in part {
        match byte {
            b':' => return Err(PathError::Colon),
            0..=0x1f | 0x7f => return Err(PathError::Control(byte)),
            b'<' | b'>' | b'"' | b'|' | b'?' | b'*' => return Err(PathError::Character(byte)),
            _ => {}
        }
    }
    match part {
        [] => Err(PathError::EmptyPart),
        b".." => Err(PathError::Parent),
        b"." => Err(PathError::Current),
        [.., b'.' | b' '] => Err(PathError::Trailing),
        _ if is_device(part) => Err(PathError::Device),
        _ if part.len() > PART_MAX => Err(PathError::LongPart(part.len())),
        _ => Ok(()),
    }
}

/// Whether Windows opens a device for this name. Any extension, case, and spaces before the dot are
/// possible; superscript digits count as digits.
fn is_device(part: &[u8]) -> bool {
    let stem = part.split(|byte| *byte == b'.').next().unwrap_or(part);
    let stem = stem.trim_ascii_end();
    // The longest name is `conout$`. This is called for each part of a path, so it does not allocate.
    let mut lower = [0; 7];
    let Some(lower) = lower.get_mut(..stem.len()) else {
        return false;
    };
    lower.copy_from_slice(stem);
    lower.make_ascii_lowercase();
    match &*lower {
        b"con" | b"prn" | b"aux" | b"nul" | b"conin$" | b"conout$" => true,
        [b'c', b'o', b'm', number @ ..] | [b'l', b'p', b't', number @ ..] => {
            matches!(number, [b'0'..=b'9'] | [0xC2, 0xB9 | 0xB2 | 0xB3])
        }
        _ => false,
    }
}

/// A name with parts joined by `/` as a path. Nothing is checked.
pub(crate) fn relative_path(name: &[u8]) -> PathBuf {
    name.split(|byte| *byte == b'/').map(os_part).collect()
}

#[cfg(unix)]
fn os_part(part: &[u8]) -> &std::ffi::OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(part)
}

/// Names that are not UTF-8 are no files here.
#[cfg(not(unix))]
fn os_part(part: &[u8]) -> &std::ffi::OsStr {
    std::ffi::OsStr::new(core::str::from_utf8(part).unwrap_or_default())
}

/// From this length on, Windows by default accepts a path only with the prefix `\\?\`: `MAX_PATH`.
const LONG: usize = 260;

/// Formats a path as in the table above, escaped.
#[must_use]
pub fn escape_path(path: &Path) -> Escaped<'_> {
    Escaped { bytes: path_bytes(path), is_quoted: false, separates: cfg!(windows) }
}

/// Like [`escape_path`], but between quotes, for use in a sentence.
pub(crate) fn quoted_path(path: &Path) -> Escaped<'_> {
    Escaped { is_quoted: true, ..escape_path(path) }
}

/// The bytes of a path as in the table above, not escaped: for data, which has its own rules.
#[must_use]
pub fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if cfg!(windows) { with_backslashes(bytes) } else { Cow::Borrowed(bytes) }
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

    /// Checks the table of the module's documentation, and the limits of each rule.
    #[test]
    fn every_rule_refuses_or_mends_what_the_table_says() {
        use PathError as E;
        let long = [b'x'; PART_MAX + 1];
        let deep = b"a/".repeat(257)[..513].to_vec();
        let wide = format!("{}y", format!("{}/", "x".repeat(31)).repeat(128)).into_bytes();
        type Case<'a> = (&'a [u8], Result<&'a [u8], PathError>);
        let cases: &[Case<'_>] = &[
            (b"maps/e1m1.bsp", Ok(b"maps/e1m1.bsp")),
            (b"a", Ok(b"a")),
            (b"gfx\\menu\\a.lmp", Ok(b"gfx/menu/a.lmp")),
            (b"MAPS/E1M1.BSP", Ok(b"MAPS/E1M1.BSP")),
            (b"..a/...b/a..b", Ok(b"..a/...b/a..b")),
            (b" a/.hidden", Ok(b" a/.hidden")),
            ("textures/刀.wal".as_bytes(), Ok("textures/刀.wal".as_bytes())),
            (b"", Err(E::Empty)),
            (b"/etc/passwd", Err(E::Absolute)),
            (b"\\windows", Err(E::Absolute)),
            (b"/", Err(E::Absolute)),
            (b"//server/share", Err(E::Unc)),
            (b"\\\\server\\share", Err(E::Unc)),
            (b"\\/server", Err(E::Unc)),
            (b"\\\\?\\C:\\x", Err(E::Unc)),
            (b"c:/x", Err(E::Drive)),
            (b"Z:x", Err(E::Drive)),
            (b"a/c:x", Err(E::Colon)),
            (b"file.txt:hidden", Err(E::Colon)),
            (b"1:x", Err(E::Colon)),
            (b"a//b", Err(E::EmptyPart)),
            (b"a/", Err(E::EmptyPart)),
            (b"a\\\\b", Err(E::EmptyPart)),
            (b"..", Err(E::Parent)),
            (b"a/../b", Err(E::Parent)),
            (b"a\\..\\b", Err(E::Parent)),
            (b".", Err(E::Current)),
            (b"./a", Err(E::Current)),
            (b"a/./b", Err(E::Current)),
            (b"a\x1b[2J", Err(E::Control(0x1b))),
            (b"a\nb", Err(E::Control(b'\n'))),
            (b"a\x7f", Err(E::Control(0x7f))),
            (b"a\0b", Err(E::Control(0))),
            (b"what?", Err(E::Character(b'?'))),
            (b"*.bsp", Err(E::Character(b'*'))),
            (b"a<b", Err(E::Character(b'<'))),
            (b"a>b", Err(E::Character(b'>'))),
            (b"a|b", Err(E::Character(b'|'))),
            (b"a\"b", Err(E::Character(b'"'))),
            (b"...", Err(E::Trailing)),
            (b"a./b", Err(E::Trailing)),
            (b"a /b", Err(E::Trailing)),
            (b"a/b ", Err(E::Trailing)),
            (b".. /x", Err(E::Trailing)),
            (b"con", Err(E::Device)),
            (b"a/CON.txt", Err(E::Device)),
            (b"NUL/b", Err(E::Device)),
            (b"aux.tar.gz", Err(E::Device)),
            (b"prn", Err(E::Device)),
            (b"com1", Err(E::Device)),
            (b"COM1 .txt", Err(E::Device)),
            (b"lpt9.x", Err(E::Device)),
            ("com\u{b2}.x".as_bytes(), Err(E::Device)),
            ("LPT\u{b3}".as_bytes(), Err(E::Device)),
            (b"CONIN$", Err(E::Device)),
            (b"conout$.x", Err(E::Device)),
            (b"console", Ok(b"console")),
            (b"com10", Ok(b"com10")),
            (b"comx", Ok(b"comx")),
            (b"nul1", Ok(b"nul1")),
            (&long, Err(E::LongPart(256))),
            (&long[1..], Ok(&long[1..])),
            (&deep, Err(E::Deep(257))),
            (&deep[2..], Ok(&deep[2..])),
            (&wide, Err(E::Long(4097))),
            (&wide[1..], Ok(&wide[1..])),
        ];
        for (name, expected) in cases {
            let found = SafePath::try_from(RawName::new(name));
            let found = found.as_ref().map(SafePath::as_bytes).map_err(|error| *error);
            assert_eq!(found, *expected, "{}", escape(name));
        }
    }

    #[test]
    fn non_utf8_bytes_are_paths_only_on_unix() {
        assert_eq!(convert(b"\xe9t\xe9.wav", true).unwrap().as_bytes(), b"\xe9t\xe9.wav");
        assert_eq!(convert(b"\xe9t\xe9.wav", false), Err(PathError::NotUtf8));
        assert!(convert("été.wav".as_bytes(), false).is_ok());
    }

    #[test]
    fn a_safe_path_stays_below_any_folder() {
        let path = SafePath::try_from(RawName::from("a\\b/c.d")).unwrap();
        let root = PathBuf::from("root");
        assert_eq!(
            root.join(path.to_path_buf()),
            PathBuf::from("root").join("a").join("b").join("c.d")
        );
        assert_eq!(path.parts().count(), 3);
        assert_eq!(path.to_string(), "a/b/c.d");
    }

    #[test]
    fn paths_that_differ_in_case_only_conflict() {
        let key = |name: &'static str| {
            let path = SafePath::try_from(RawName::from(name)).unwrap();
            path.conflict_key().into_owned()
        };
        assert_eq!(key("Maps/A.bsp"), key("maps\\a.BSP"));
        assert_ne!(key("É.wal"), key("é.wal"));
        assert_ne!(key("a"), key("b"));
    }

    /// Checks the table of the module's documentation.
    #[test]
    fn windows_paths_are_shown_as_they_are_typed() {
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
            ("games/mod.zip//id1/pak0.pak", r"games\mod.zip//id1/pak0.pak"),
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
    fn separating_backslashes_are_shown_once() {
        let show = |bytes: &'static [u8], is_quoted, separates| {
            let bytes = Cow::Borrowed(bytes);
            let escaped = Escaped { bytes, is_quoted, separates };
            escaped.to_string()
        };
        let path = b"a\\b\"\x1b[2J\xff\xe2\x80\xae";
        assert_eq!(show(path, false, true), r#"a\b"\x1b[2J\xff\u{202e}"#);
        assert_eq!(show(path, true, true), r#""a\b\"\x1b[2J\xff\u{202e}""#);
        assert_eq!(show(path, false, false), r#"a\\b"\x1b[2J\xff\u{202e}"#);
        assert_eq!(show(path, true, false), r#""a\\b\"\x1b[2J\xff\u{202e}""#);
        assert_eq!(show(b"\\\\s\\a\\", true, true), r#""\\s\a\""#);
    }
}
