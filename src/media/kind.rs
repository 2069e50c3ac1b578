//! What an entry is by its name. Games, too, go by the extension alone.

use crate::archive::RawName;

/// What kind of file an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A sound.
    Sound,
    /// A map.
    Level,
    /// A model.
    Model,
    /// A model that is a picture.
    Sprite,
    /// Compiled game code.
    Code,
    /// A script of console commands that a game starts with.
    Script,
    /// Settings.
    Config,
    /// A palette, colour map or picture of Quake's.
    Lump,
    /// An end screen.
    Screen,
    /// A texture archive.
    Textures,
    /// A picture or a texture.
    Picture,
    /// The text that a map is made of.
    Text,
    /// A game that was recorded.
    Demo,
    /// Moving pictures.
    Video,
    /// Any other extension, or none.
    Other,
}

/// The word and the extensions of each kind.
#[rustfmt::skip]
const KINDS: [(Kind, &str, &[&str]); 15] = [
    (Kind::Sound, "sound", &["wav", "ogg", "mp3", "opus", "flac"]),
    (Kind::Level, "level", &["bsp"]),
    (Kind::Model, "model", &["mdl", "md2", "dkm", "md3", "mdr", "iqm", "md5mesh"]),
    (Kind::Sprite, "sprite", &["spr", "sp2"]),
    (Kind::Code, "code", &["dat"]),
    (Kind::Script, "script", &["rc"]),
    (Kind::Config, "config", &["cfg"]),
    (Kind::Lump, "lump", &["lmp", "pal"]),
    (Kind::Screen, "screen", &["bin"]),
    (Kind::Textures, "textures", &["wad"]),
    (Kind::Picture, "picture", &["wal", "mip", "pcx", "tga", "bmp", "m8", "m32", "swl", "png", "jpg", "jpeg"]),
    (Kind::Text, "text", &["map", "ent"]),
    (Kind::Demo, "demo", &["dem", "dm2", "mvd", "qwd", "dm_66", "dm_67", "dm_68"]),
    (Kind::Video, "video", &["cin", "roq", "ogv", "bik", "avi"]),
    (Kind::Other, "other", &[]),
];

impl Kind {
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
        for (kind, _, extensions) in KINDS {
            for word in extensions {
                if extension.eq_ignore_ascii_case(word.as_bytes()) {
                    return kind;
                }
            }
        }
        Self::Other
    }

    /// A stable lower-case word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let row = KINDS.iter().find(|(kind, ..)| *kind == self);
        row.map_or("other", |(_, word, _)| word)
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
        for (kind, _, extensions) in KINDS {
            for extension in extensions {
                for name in [
                    format!("d/x.{extension}"),
                    format!("X.{}", extension.to_uppercase()),
                ] {
                    assert_eq!(Kind::of(RawName::from(name.as_str())), kind, "{name}");
                }
            }
        }
        assert_eq!(Kind::of(RawName::from("wav")), Kind::Other);
    }

    #[test]
    fn every_kind_has_its_row_and_a_word_of_its_own() {
        let mut words = std::collections::BTreeSet::new();
        for (number, (kind, word, _)) in KINDS.into_iter().enumerate() {
            assert_eq!((kind as usize, kind.as_str()), (number, word));
            assert!(words.insert(word), "{word}");
        }
        assert_eq!(Kind::Other as usize, KINDS.len() - 1);
    }
}
