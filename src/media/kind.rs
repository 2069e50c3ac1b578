//! What an entry is by its name. Games, too, go by the extension alone.

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

/// The word of each kind, and the extensions that it has besides those of types that are known, or instead of
/// what these would say.
#[rustfmt::skip]
const KINDS: [(Kind, &str, &[&str]); 15] = [
    (Kind::Sound, "sound", &["flac"]),
    (Kind::Level, "level", &[]),
    (Kind::Model, "model", &["mdr", "iqm", "md5mesh"]),
    (Kind::Sprite, "sprite", &[]),
    (Kind::Code, "code", &[]),
    (Kind::Script, "script", &["rc"]),
    (Kind::Config, "config", &["cfg"]),
    (Kind::Lump, "lump", &["lmp", "pal"]),
    (Kind::Screen, "screen", &["bin"]),
    (Kind::Textures, "textures", &["wad"]),
    (Kind::Picture, "picture", &[]),
    (Kind::Text, "text", &["map", "ent"]),
    (Kind::Demo, "demo", &["dm_66", "dm_67", "dm_68"]),
    (Kind::Video, "video", &["roq", "ogv", "bik", "avi"]),
    (Kind::Other, "other", &["fnt"]),
];

impl Kind {
    /// The kind that an extension says by itself.
    pub(super) fn by_extension(extension: &[u8]) -> Option<Self> {
        for (kind, _, extensions) in KINDS {
            for word in extensions {
                if extension.eq_ignore_ascii_case(word.as_bytes()) {
                    return Some(kind);
                }
            }
        }
        None
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
    fn every_kind_has_its_row_and_a_word_of_its_own() {
        let mut words = std::collections::BTreeSet::new();
        for (number, (kind, word, _)) in KINDS.into_iter().enumerate() {
            assert_eq!((kind as usize, kind.as_str()), (number, word));
            assert!(words.insert(word), "{word}");
        }
        assert_eq!(Kind::Other as usize, KINDS.len() - 1);
    }
}
