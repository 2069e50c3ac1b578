//! Recognises archives that daisho does not read, and programs, by their first or last bytes. Answers only if they are
//! certain.
//!
//! People try to open them, because they have similar names or lie beside archives.

use crate::archive::bytes::{u32_at, u64_at};

/// Archives with these first bytes are not of ours.
const ARCHIVES: [(&[u8], &str); 7] = [
    (b"RFF\x1A", "a Blood archive (RFF)"),
    (b"IWAD", "a Doom game archive (IWAD)"),
    (b"PWAD", "a Doom add-on archive (PWAD)"),
    (b"\x34\x12\xAA\x55", "a Source engine archive (VPK)"),
    (b"\x1F\x8B\x08", "a gzip file"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
];

/// What a file that begins with `start` is, if known. There is no answer for archives of ours, nor for files of
/// games, whose types `media` knows.
pub(crate) fn known_as(start: &[u8]) -> Option<&'static str> {
    if is_program(start) { Some("a Windows program") } else { other_archive(start) }
}

/// Whether a file with these first bytes is a Windows program.
pub(crate) fn is_program(start: &[u8]) -> bool {
    start.starts_with(b"MZ")
}

/// What a file with these first bytes is, if it is an archive, but not of ours.
pub(crate) fn other_archive(start: &[u8]) -> Option<&'static str> {
    let (_, what) = ARCHIVES.iter().find(|(magic, _)| start.starts_with(magic))?;
    Some(what)
}

/// How many of a file's last bytes [`is_unreal`] reads at most.
pub(super) const END_MOST: usize = 205;

const UNREAL_MAGIC: [u8; 4] = [0xE1, 0x12, 0x6F, 0x5A];

/// The magic's distance from the end of an Unreal archive, and the versions that have it. Before it may be
/// the encryption fields; after it come the directory's offset and hash, in later versions the names of
/// compression methods, and in one version one more byte.
const UNREAL: [(usize, core::ops::RangeInclusive<u32>); 5] =
    [(44, 1..=7), (172, 8..=8), (204, 8..=8), (205, 9..=9), (204, 10..=13)];

/// Whether these are the last bytes of an Unreal archive: magic, version, and a directory inside of the
/// file.
pub(super) fn is_unreal(end: &[u8], len: u64) -> bool {
    UNREAL.iter().any(|(distance, versions)| {
        let at = end.len().checked_sub(*distance);
        let footer = at.and_then(|at| end.get(at..)).unwrap_or_default();
        let directory_end = u64_at(footer, 8).checked_add(u64_at(footer, 16));
        footer.starts_with(&UNREAL_MAGIC)
            && versions.contains(&u32_at(footer, 4))
            && directory_end.is_some_and(|at| at <= len - *distance as u64)
    })
}

/// A file that begins with an archive's magic by coincidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookalike {
    /// A packfile of Git.
    Packfile,
    /// An archive of RISC OS's PackDir.
    PackDir,
    /// A text.
    Text,
}

impl Lookalike {
    /// The kind of a file that begins with an archive's magic but cannot be opened as one, if its first
    /// twelve bytes tell. Git's packfiles have their version and count there, big-endian. PackDir has a NUL
    /// and a small number after its magic, then a name. A text has letters, which would mean an offset of
    /// half a gigabyte.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        let (_, numbers) = start.split_at_checked(4)?;
        if start.starts_with(b"PACK\0\0\0\x02") || start.starts_with(b"PACK\0\0\0\x03") {
            return Some(Self::Packfile);
        }
        if let (true, [0, 0..=4, 0, 0, 0, name @ ..]) = (start.starts_with(b"PACK"), numbers) {
            // Three letters, read as the directory's length, are half a gigabyte.
            let is_name = name.len() >= 3 && name.iter().take(3).all(u8::is_ascii_graphic);
            return is_name.then_some(Self::PackDir);
        }
        let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        (numbers.len() >= 8 && numbers.iter().take(8).all(is_text)).then_some(Self::Text)
    }

    /// A phrase for messages.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            Self::Packfile => "a Git packfile",
            Self::PackDir => "a RISC OS archive (PackDir)",
            Self::Text => "a text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relatives_are_told_by_name_and_a_pak_is_none() {
        for (magic, what) in ARCHIVES {
            let mut file = magic.to_vec();
            file.extend([0xCC; 12]);
            assert_eq!(known_as(&file), Some(what));
            assert_eq!(other_archive(&file), Some(what));
        }
        assert_eq!(known_as(b"MZ\x90\0"), Some("a Windows program"));
        for other in [&b"PACK\x0c\0\0\0\0\0\0\0"[..], b"", b"PK", b"IBSP\x29\0\0\0"] {
            assert_eq!(known_as(other), None);
        }
    }

    /// The end of an Unreal archive, field by field: encryption flag and key, magic, version, the
    /// directory's offset, length and hash, whether it is frozen, names of compression methods.
    fn unreal(version: u32, names: usize) -> Vec<u8> {
        let mut file = vec![0; 300];
        if version >= 7 {
            file.extend([7; 16]);
        }
        if version >= 4 {
            file.push(0);
        }
        file.extend(0x5A6F_12E1_u32.to_le_bytes());
        file.extend(version.to_le_bytes());
        file.extend(100_u64.to_le_bytes());
        file.extend(200_u64.to_le_bytes());
        file.extend([0xAA; 20]);
        if version == 9 {
            file.push(0);
        }
        file.extend(vec![0; 32 * names]);
        file
    }

    #[test]
    fn unreal_archives_are_recognised_by_their_end() {
        let told = |file: &[u8]| {
            let end = &file[file.len().saturating_sub(END_MOST)..];
            is_unreal(end, file.len() as u64)
        };
        let versions = (1..=7).map(|version| (version, 0));
        let later = [(8, 4), (8, 5), (9, 5), (10, 5), (11, 5), (12, 5), (13, 5)];
        for (version, names) in versions.chain(later) {
            let file = unreal(version, names);
            assert!(told(&file), "{version}, {names}");
            let mut longer = file.clone();
            longer.push(0);
            assert!(!told(&longer), "{version}, {names}");
            // The directory must end before this record begins, not a byte later.
            let magic = 0x5A6F_12E1_u32.to_le_bytes();
            let at = file.windows(4).position(|it| it == magic).unwrap();
            for (size, is_inside) in [(at as u64 - 100, true), (at as u64 - 99, false)] {
                let mut moved = file.clone();
                moved[at + 16..at + 24].copy_from_slice(&size.to_le_bytes());
                assert_eq!(told(&moved), is_inside);
            }
            let mut far = file;
            far[at + 8..at + 24].fill(0xFF);
            assert!(!told(&far));
        }
        for (version, names) in [(0, 0), (8, 0), (9, 0), (7, 5), (14, 5)] {
            assert!(!told(&unreal(version, names)), "{version}, {names}");
        }
        assert!(!told(b""));
    }

    #[test]
    fn files_that_begin_like_paks_are_reported() {
        for (start, what) in [
            (b"PACK\0\0\0\x02\0\0\0\x09", Some(Lookalike::Packfile)),
            (b"PACK\0\0\0\0\0ADF", Some(Lookalike::PackDir)),
            (b"PACK\0\x04\0\0\0!Ed", Some(Lookalike::PackDir)),
            (b"PACK\0\x05\0\0\0!Ed", None),
            // A directory of 8,448 bytes at byte 256.
            (b"PACK\0\x01\0\0\0\x21\0\0", None),
            (b"SPAK\0\x01\0\0\0abc", None),
            (b"PACKAGE LIST", Some(Lookalike::Text)),
        ] {
            assert_eq!(Lookalike::of(start), what, "{}", start.escape_ascii());
        }
    }
}
