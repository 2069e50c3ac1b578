//! What an entry is, as far as its name tells: the games, too, go by the extension alone.

use crate::archive::RawName;

/// What kind of file an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `.wav`, `.ogg`, `.mp3`, `.opus`, `.flac`
    Sound,
    /// `.bsp`
    Level,
    /// `.mdl`, `.md2`, `.dkm`, `.md3`, `.mdr`, `.iqm`, `.md5mesh`
    Model,
    /// `.spr`, `.sp2`
    Sprite,
    /// `.dat`: compiled game code
    Code,
    /// `.rc`
    Script,
    /// `.cfg`
    Config,
    /// `.lmp`, `.pal`: palette, colormap or picture
    Lump,
    /// `.bin`: an end screen
    Screen,
    /// `.wad`: a texture archive
    Textures,
    /// `.wal`, `.mip`, `.pcx`, `.tga`, `.bmp`, `.m8`, `.m32`, `.swl`, `.png`, `.jpg`
    Picture,
    /// `.map`, `.ent`
    Text,
    /// `.dem`, `.dm2`, `.mvd`, `.qwd`, `.dm_66` to `.dm_68`
    Demo,
    /// `.cin`, `.roq`, `.ogv`, `.bik`, `.avi`
    Video,
    /// Any other extension, or none.
    Other,
}

#[rustfmt::skip]
const EXTENSIONS: [(Kind, &[&str]); 14] = [
    (Kind::Sound, &["wav", "ogg", "mp3", "opus", "flac"]),
    (Kind::Level, &["bsp"]),
    (Kind::Model, &["mdl", "md2", "dkm", "md3", "mdr", "iqm", "md5mesh"]),
    (Kind::Sprite, &["spr", "sp2"]),
    (Kind::Code, &["dat"]),
    (Kind::Script, &["rc"]),
    (Kind::Config, &["cfg"]),
    (Kind::Lump, &["lmp", "pal"]),
    (Kind::Screen, &["bin"]),
    (Kind::Textures, &["wad"]),
    (Kind::Picture, &["wal", "mip", "pcx", "tga", "bmp", "m8", "m32", "swl", "png", "jpg", "jpeg"]),
    (Kind::Text, &["map", "ent"]),
    (Kind::Demo, &["dem", "dm2", "mvd", "qwd", "dm_66", "dm_67", "dm_68"]),
    (Kind::Video, &["cin", "roq", "ogv", "bik", "avi"]),
];

impl Kind {
    /// Every kind there is.
    pub const ALL: [Self; 15] = [
        Self::Sound,
        Self::Level,
        Self::Model,
        Self::Sprite,
        Self::Code,
        Self::Script,
        Self::Config,
        Self::Lump,
        Self::Screen,
        Self::Textures,
        Self::Picture,
        Self::Text,
        Self::Demo,
        Self::Video,
        Self::Other,
    ];

    /// The kind that a name's extension says, ASCII case ignored.
    ///
    /// ```
    /// use daisho::archive::RawName;
    /// use daisho::media::Kind;
    /// assert_eq!(Kind::of(RawName::from("maps/E1M1.BSP")), Kind::Level);
    /// assert_eq!(Kind::of(RawName::from("readme")), Kind::Other);
    /// ```
    #[must_use]
    pub fn of(name: RawName<'_>) -> Self {
        let extension = name.extension().unwrap_or_default();
        for (kind, words) in EXTENSIONS {
            if words
                .iter()
                .any(|word| extension.eq_ignore_ascii_case(word.as_bytes()))
            {
                return kind;
            }
        }
        Self::Other
    }

    /// A stable lower-case word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Level => "level",
            Self::Model => "model",
            Self::Sprite => "sprite",
            Self::Code => "code",
            Self::Script => "script",
            Self::Config => "config",
            Self::Lump => "lump",
            Self::Screen => "screen",
            Self::Textures => "textures",
            Self::Picture => "picture",
            Self::Text => "text",
            Self::Demo => "demo",
            Self::Video => "video",
            Self::Other => "other",
        }
    }
}

impl core::fmt::Display for Kind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_of_the_table_is_found_in_either_case() {
        let words =
            |(kind, words): (Kind, &'static [&str])| words.iter().map(move |it| (*it, kind));
        for (extension, kind) in EXTENSIONS.into_iter().flat_map(words) {
            for name in [
                format!("d/x.{extension}"),
                format!("X.{}", extension.to_uppercase()),
            ] {
                assert_eq!(Kind::of(RawName::from(name.as_str())), kind, "{name}");
            }
        }
        assert_eq!(Kind::of(RawName::from("wav")), Kind::Other);
    }

    #[test]
    fn all_kinds_are_listed_once() {
        let mut listed = Kind::ALL;
        listed.sort_unstable();
        assert!(listed.windows(2).all(|pair| pair[0] < pair[1]));
        for (kind, words) in EXTENSIONS {
            assert!(listed.contains(&kind), "{words:?}");
        }
    }
}
