//! Converts between a WAD's lumps and entries: the type of a lump becomes the extension of the entry's
//! name.
//!
//! | in the WAD                           | the entry's name                                            |
//! |--------------------------------------|-------------------------------------------------------------|
//! | a type in the table below            | the lump's name, with the type's extension                  |
//! | any other type                       | the lump's name, and `.type` with the number: `x.type65`    |
//! | `conchars`, with the texture type    | `conchars.lmp`: Quake's font is a picture without a header  |
//! | a name that begins with `*`          | `#` replaces it, because some file systems refuse `*`; engines that look for external water textures replace it, too |
//! | `#` at the beginning, or after `*`   | `##` replaces each, so that no two lumps become one entry   |
//!
//! Every lump is restored from its entry's name. Numbers that sources disagree about (65, 68 and 69 in
//! Half-Life's) have no extension.

use std::borrow::Cow;

use crate::archive::error::ErrorKind;
use crate::archive::{Format, RawName};

/// A texture's type in Quake's WADs.
const TEXTURE_WAD2: u8 = 68;
/// A picture's type.
const PICTURE: u8 = 66;

/// The beginning of the extension for a type without one.
const BY_NUMBER: &str = "type";

/// How many bytes an entry's name usually adds to its lump's at most: `#`, `.type`, and three digits.
pub(super) const LONGER: usize = 9;

/// The lump that an entry's name describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LumpName<'a> {
    /// The prefix of the name that is not part of `rest`: whether there is a `*`, and how many `#`.
    star: bool,
    hashes: usize,
    rest: &'a [u8],
    /// The lump's type.
    pub(super) kind: u8,
}

impl<'a> LumpName<'a> {
    /// The lump's name and type, or why no WAD can contain such a file.
    pub(super) fn of_entry(name: RawName<'a>, format: Format) -> Result<Self, ErrorKind> {
        let extension = name.extension();
        let none = || ErrorKind::NoLump {
            format,
            extensions: extensions_of(format),
            other: extension.and_then(wad_that_holds),
        };
        let extension = extension.ok_or_else(none)?;
        let name = name.as_bytes();
        let stem = name.len().saturating_sub(extension.len() + 1);
        let stem = name.get(..stem).unwrap_or_default();
        let marks = stem.iter().take_while(|byte| **byte == b'#').count();
        let rest = stem.get(marks..).unwrap_or_default();
        let (star, hashes) = (marks % 2 == 1, marks / 2);
        let len = usize::from(star) + hashes + rest.len();
        let most = format.spec().name_max;
        if len > most {
            return Err(ErrorKind::NameTooLong { len, most, format });
        }
        let mut kind = kind_of(extension, format).ok_or_else(none)?;
        if is_font(stem, format) && kind == PICTURE && !is_number(extension) {
            kind = TEXTURE_WAD2;
        }
        Ok(Self { star, hashes, rest, kind })
    }

    /// The lump's name.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let star: &[u8] = if self.star { b"*" } else { b"" };
        let hashes = b"#".repeat(self.hashes);
        [star, hashes.as_slice(), self.rest].concat()
    }
}

/// The first format of WADs that has a type for this extension.
fn wad_that_holds(extension: &[u8]) -> Option<Format> {
    let mut wads = Format::ALL.into_iter().filter(|format| format.spec().has_lumps());
    wads.find(|format| kind_of(extension, *format).is_some())
}

/// The type of this extension.
fn kind_of(extension: &[u8], format: Format) -> Option<u8> {
    let mut types = format.spec().lump_types.iter();
    let known = types.find(|(_, own)| extension.eq_ignore_ascii_case(own.as_bytes()));
    if let Some((kind, _)) = known {
        return Some(*kind);
    }
    let (word, number) = extension.split_at_checked(BY_NUMBER.len())?;
    let number = core::str::from_utf8(number).ok()?;
    let number = number.parse().ok().filter(|_| is_number(extension));
    number.filter(|_| word.eq_ignore_ascii_case(BY_NUMBER.as_bytes()))
}

/// Whether an extension ends in a number without a sign.
fn is_number(extension: &[u8]) -> bool {
    extension.get(BY_NUMBER.len()).is_some_and(u8::is_ascii_digit)
}

/// Whether it is the lump that all Quake WADs list as a texture although it is not one.
fn is_font(lump: &[u8], format: Format) -> bool {
    format == Format::Wad2 && lump.eq_ignore_ascii_case(b"conchars")
}

/// Appends the name of a lump's entry.
pub(super) fn push_entry_name(names: &mut Vec<u8>, lump: &[u8], kind: u8, format: Format) {
    let rest = lump.strip_prefix(b"*").unwrap_or(lump);
    let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
    let marks = 2 * hashes + usize::from(rest.len() < lump.len());
    names.resize(names.len() + marks, b'#');
    names.extend_from_slice(rest.get(hashes..).unwrap_or_default());
    names.push(b'.');
    let mut types = format.spec().lump_types.iter();
    let own = types.find(|(number, _)| *number == kind).map(|(_, own)| *own);
    match (is_font(lump, format), kind, own) {
        (true, TEXTURE_WAD2, _) => names.extend_from_slice(b"lmp"),
        (true, PICTURE, _) | (_, _, None) => {
            names.extend_from_slice(BY_NUMBER.as_bytes());
            // Formatting it would be a seventh of what opening a WAD takes.
            let digits = [kind / 100, kind / 10 % 10, kind % 10];
            let zeros = usize::from(kind < 100) + usize::from(kind < 10);
            names.extend(digits.into_iter().skip(zeros).map(|digit| b'0' + digit));
        }
        (_, _, Some(own)) => names.extend_from_slice(own.as_bytes()),
    }
}

/// The name that a file gets in an archive of this format. A WAD has no folders, so only the last part of the name
/// counts, as the [name of a lump](lump_name_in). In all other formats it is the name itself.
///
/// A `/` at the beginning is no folder's. Quake's tools have lumps of such names.
pub(crate) fn name_in(format: Format, name: &[u8]) -> Cow<'_, [u8]> {
    let last = RawName::new(name).last_part();
    if name.strip_prefix(b"/") == Some(last) {
        return lump_name_in(format, name);
    }
    match last {
        own if format.spec().has_lumps() && !own.is_empty() => lump_name_in(format, own),
        _ => Cow::Borrowed(name),
    }
}

/// The name that a lump's entry gets in an archive of this format. In a WAD, several names can lead to one lump, and
/// this is the one that it has when it is read. It is the name itself in all other formats, and if no lump can have it.
pub(crate) fn lump_name_in(format: Format, name: &[u8]) -> Cow<'_, [u8]> {
    if !format.spec().has_lumps() {
        return Cow::Borrowed(name);
    }
    let Ok(lump) = LumpName::of_entry(RawName::new(name), format) else {
        return Cow::Borrowed(name);
    };
    let mut own = Vec::new();
    push_entry_name(&mut own, &lump.to_bytes(), lump.kind, format);
    if own == name { Cow::Borrowed(name) } else { Cow::Owned(own) }
}

/// The field for a name at the beginning of a texture, with the name of the lump that an entry of this name becomes.
/// `None` if it is longer than the field.
pub(crate) fn texture_name(format: Format, name: RawName<'_>) -> Option<[u8; 16]> {
    let lump = LumpName::of_entry(name, format).ok()?.to_bytes();
    let mut field = [0; 16];
    field.get_mut(..lump.len())?.copy_from_slice(&lump);
    Some(field)
}

/// The extensions of the files in a WAD of this format, for messages.
fn extensions_of(format: Format) -> String {
    let types = format.spec().lump_types.iter();
    let own: Vec<String> = types.map(|(_, own)| format!(".{own}")).collect();
    format!("{} and .{BY_NUMBER}N", own.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lump: &[u8], kind: u8, format: Format) -> Vec<u8> {
        let mut names = b"before".to_vec();
        push_entry_name(&mut names, lump, kind, format);
        names.split_off(b"before".len())
    }

    #[test]
    fn every_lump_comes_back_from_its_own_name() {
        let lumps: [&[u8]; 16] = [
            b"*#lava1",
            b"*##",
            b"###a",
            b"**a",
            b"brick",
            b"*lava1",
            b"#lava1",
            b"##a",
            b"*",
            b"#",
            b"",
            b"conchars",
            b"CONCHARS",
            b"a.mip",
            b"+0button",
            b"fifteen_letters",
        ];
        for format in [Format::Wad2, Format::Wad3] {
            let mut all = std::collections::HashSet::new();
            for lump in lumps {
                for kind in 0..=255 {
                    let name = entry(lump, kind, format);
                    let back = LumpName::of_entry(RawName::new(&name), format).unwrap();
                    assert_eq!((back.to_bytes(), back.kind), (lump.to_vec(), kind), "{name:?}");
                    assert!(all.insert(name));
                }
            }
        }
    }

    #[test]
    fn all_names_of_a_lump_are_one_only_in_wads() {
        let own = |format, name: &'static str| {
            let own = name_in(format, name.as_bytes()).into_owned();
            String::from_utf8(own).unwrap()
        };
        for (name, expected) in [
            ("b.mip", "b.mip"),
            ("b.MIP", "b.mip"),
            ("b.type68", "b.mip"),
            ("b.TYPE068", "b.mip"),
            ("B.mip", "B.mip"),
            ("*lava.mip", "#lava.mip"),
            ("#lava.mip", "#lava.mip"),
            ("#*lava.mip", "#*lava.mip"),
            ("conchars.type68", "conchars.lmp"),
            ("b.type7", "b.type7"),
            ("no lump", "no lump"),
            ("textures/e1/b.type68", "b.mip"),
            ("textures\\b.mip", "b.mip"),
            ("textures/*lava.mip", "#lava.mip"),
            ("textures/no lump", "no lump"),
            ("textures/", "textures/"),
        ] {
            assert_eq!(own(Format::Wad2, name), expected);
            assert_eq!(own(Format::Pk3, name), name);
        }
        // What was a lump before is not in a folder.
        assert_eq!(*lump_name_in(Format::Wad3, b"a/b.type67"), *b"a/b.mip");
        assert_eq!(own(Format::Wad3, "b.type68"), "b.type68");
        assert_eq!(own(Format::Wad3, "b.type67"), "b.mip");
    }

    #[test]
    fn lump_types_have_the_extensions_of_tools() {
        let name = |lump: &str, kind, format| {
            String::from_utf8(entry(lump.as_bytes(), kind, format)).unwrap()
        };
        assert_eq!(name("brick", b'D', Format::Wad2), "brick.mip");
        assert_eq!(name("brick", b'C', Format::Wad3), "brick.mip");
        assert_eq!(name("brick", b'C', Format::Wad2), "brick.type67");
        for kind in (0..=u8::MAX).filter(|kind| !(64..=70).contains(kind)) {
            assert_eq!(name("brick", kind, Format::Wad2), format!("brick.type{kind}"));
        }
        assert_eq!(name("num_0", b'B', Format::Wad2), "num_0.lmp");
        assert_eq!(name("palette", b'@', Format::Wad2), "palette.pal");
        assert_eq!(name("conchars", b'D', Format::Wad2), "conchars.lmp");
        assert_eq!(name("conchars", b'B', Format::Wad2), "conchars.type66");
        assert_eq!(name("font1", 70, Format::Wad3), "font1.fnt");
        assert_eq!(name("*water", b'D', Format::Wad2), "#water.mip");
    }

    #[test]
    fn what_is_no_lump_is_refused_by_its_name() {
        let error =
            |name: &str, format| LumpName::of_entry(name.into(), format).unwrap_err().to_string();
        assert_eq!(
            error("maps/e1m1.bsp", Format::Wad2),
            "a wad2 archive can hold only .mip, .lmp, .pal and .typeN files (N is the number of a type)"
        );
        for name in ["mip", "a.type", "a.type256", "a.type+1", "a.tile66", "a.typé1", "a.fnt", ""]
        {
            assert!(error(name, Format::Wad2).contains("can hold only"), "{name}");
        }
        assert!(LumpName::of_entry("a.MIP".into(), Format::Wad3).is_ok());
        let long = |len: usize| LumpName::of_entry_owned(&("x".repeat(len) + ".mip"));
        assert!(long(15).is_ok());
        assert!(matches!(long(16), Err(ErrorKind::NameTooLong { len: 16, .. })));
    }

    impl LumpName<'_> {
        fn of_entry_owned(name: &str) -> Result<(), ErrorKind> {
            LumpName::of_entry(name.into(), Format::Wad2).map(|_| ())
        }
    }
}
