//! What a file is that is no pak, told by how it begins: people hand over its relatives, and the
//! things that are often found beside it.

/// What begins with each of these is no pak, but has a name.
const KNOWN: [(&[u8], &str); 20] = [
    (b"\x9F\xC5\x8D\x48", "an encrypted PK3 of Quake Live's beta"),
    (b"KenSilverman", "a Build engine archive (GRP)"),
    (b"RFF\x1A", "a Blood archive (RFF)"),
    (b"GDPC", "a Godot archive"),
    (b"GMAD", "a Garry's Mod archive (GMA)"),
    (b"IWAD", "a Doom game archive (IWAD)"),
    (b"PWAD", "a Doom add-on archive (PWAD)"),
    (b"\x34\x12\xAA\x55", "a Source engine archive (VPK)"),
    (b"\x1F\x8B", "a gzip file"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a bzip2 file"),
    (b"\xFD7zXZ\0", "an xz file"),
    (b"\x28\xB5\x2F\xFD", "a Zstandard file"),
    (b"RIFF", "a RIFF file, as sounds are"),
    (b"IBSP", "a Quake II level"),
    (b"\x1D\0\0\0", "a Quake level"),
    (b"IDPO", "a Quake model"),
    (b"IDP2", "a Quake II model"),
    (b"MZ", "a Windows program"),
];

/// What a file that begins with `start` is, where its beginning is known. A pak itself has no
/// answer here.
#[must_use]
pub fn known_as(start: &[u8]) -> Option<&'static str> {
    KNOWN
        .iter()
        .find(|(magic, _)| start.starts_with(magic))
        .map(|(_, what)| *what)
}

/// What begins with an archive's magic, by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alike {
    /// One of Git's packfiles.
    Packfile,
    /// A text.
    Text,
}

impl Alike {
    /// What a file is that begins with an archive's magic and cannot be opened as one, where its first
    /// twelve bytes tell: Git's packfiles have their version and count there, big-endian, and a text
    /// has letters, which as numbers lead half a gigabyte away.
    #[must_use]
    pub fn of(start: &[u8]) -> Option<Self> {
        let (_, numbers) = start.split_at_checked(4)?;
        if start.starts_with(b"PACK\0\0\0\x02") || start.starts_with(b"PACK\0\0\0\x03") {
            return Some(Self::Packfile);
        }
        let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        (numbers.len() >= 8 && numbers.iter().take(8).all(is_text)).then_some(Self::Text)
    }

    /// It in words.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::Packfile => "one of Git's packfiles",
            Self::Text => "a text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relatives_are_told_by_name_and_a_pak_is_none() {
        for (magic, what) in KNOWN {
            let mut file = magic.to_vec();
            file.extend([0xCC; 12]);
            assert_eq!(known_as(&file), Some(what));
        }
        assert_eq!(known_as(b"PACK\x0c\0\0\0\0\0\0\0"), None);
        assert_eq!(known_as(b""), None);
        assert_eq!(known_as(b"PK"), None);
    }
}
