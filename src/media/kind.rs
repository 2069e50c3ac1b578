//! The kind of a file: seven words that `--json`, the page and the gallery use.

/// What kind of file an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A map.
    Map,
    /// A picture, a texture, or a sprite that consists of pictures.
    Picture,
    /// A model.
    Model,
    /// A sound or music.
    Sound,
    /// Text: settings, scripts, sources of maps.
    Text,
    /// Compiled game code.
    Code,
    /// Any other file: demos, videos, archives, unknown extensions.
    Other,
}

/// Extensions whose files have no [`FileType`](super::FileType), because nothing is read from them.
const EXTENSIONS: [(Kind, &[&str]); 4] = [
    (Kind::Sound, &["flac"]),
    (Kind::Model, &["mdr", "iqm", "md5mesh"]),
    (
        Kind::Text,
        &[
            "txt", "cfg", "rc", "lst", "map", "ent", "shader", "mtr", "def", "script", "skin", "qc",
        ],
    ),
    (Kind::Code, &["qvm"]),
];

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Map,
        Self::Picture,
        Self::Model,
        Self::Sound,
        Self::Text,
        Self::Code,
        Self::Other,
    ];

    /// The kind of an extension that is listed here.
    pub(super) fn by_extension(extension: &[u8]) -> Option<Self> {
        for (kind, extensions) in EXTENSIONS {
            for word in extensions {
                if extension.eq_ignore_ascii_case(word.as_bytes()) {
                    return Some(kind);
                }
            }
        }
        None
    }

    /// A stable lower-case word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Picture => "picture",
            Self::Model => "model",
            Self::Sound => "sound",
            Self::Text => "text",
            Self::Code => "code",
            Self::Other => "other",
        }
    }
}

impl Kind {
    /// The words for one such file and for several: `map` and `maps`.
    #[must_use]
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Map => ("map", "maps"),
            Self::Picture => ("picture", "pictures"),
            Self::Model => ("model", "models"),
            Self::Sound => ("sound", "sounds"),
            Self::Text => ("text", "texts"),
            Self::Code => ("code file", "code files"),
            Self::Other => ("other file", "other files"),
        }
    }
}

impl core::fmt::Display for Kind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}
