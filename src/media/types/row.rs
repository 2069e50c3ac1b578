//! What is known of a type of files, and the seven kinds of files.

use core::fmt;

use crate::archive::bytes::{Cursor, Short};
use crate::media::colouring::PictureEncoding;
use crate::media::fields::PictureFields;
use crate::media::file::{FactList, File, Mismatch};
use crate::media::pixels::{Decoding, Frames, Palette, PictureError};

type PictureEncoder = fn(&mut PictureEncoding<'_>) -> Result<Vec<u8>, PictureError>;

type ReadFields = fn(Cursor<'_>) -> Result<PictureFields, Short>;

type ReadPalette = fn(Cursor<'_>) -> Result<Option<Palette>, PictureError>;

/// The properties of a type. Each is a constant in the type's module, over those of [`FILE`] or of its family.
pub(in crate::media) struct TypeRow {
    pub(super) kind: Kind,
    pub(in crate::media) magic: Magic,
    /// Examines a file and adds its facts, if its header fits the type.
    pub(in crate::media) look: fn(&File<'_>, &mut FactList) -> Result<(), Mismatch>,
    pub(in crate::media) decoder: PictureDecoder,
    /// Encodes a picture, if daisho writes this type.
    pub(in crate::media) encoder: Option<PictureEncoder>,
    /// Reads what such a file holds beside its pixels.
    pub(super) fields: Option<ReadFields>,
    pub(super) usage: Usage,
    /// Reads the palette in such a file.
    pub(in crate::media) palette: Option<ReadPalette>,
    /// The entries in which a game keeps the palette for such a file. In `textures/*/` the file must be, too.
    pub(super) game_palettes: &'static [&'static str],
}

/// A type that is known by its extension, and from which nothing is read.
pub(super) const FILE: TypeRow = TypeRow {
    kind: Kind::Other,
    magic: Magic::ByName,
    look: |_, _| Ok(()),
    decoder: PictureDecoder::No,
    encoder: None,
    fields: None,
    usage: Usage::Other,
    palette: None,
    game_palettes: &[],
};

/// A picture in a file of its own, which can be a texture or replace one.
pub(super) const PICTURE: TypeRow = TypeRow { kind: Kind::Picture, usage: Usage::Picture, ..FILE };

/// Where Quake keeps its palette: in a pak, and in a WAD.
pub(super) const QUAKE_PALETTES: &[&str] = &["gfx/palette.lmp", "palette.pal"];

/// How files of a type begin.
#[derive(Clone, Copy)]
pub(in crate::media) enum Magic {
    /// With these bytes.
    Always(&'static [u8]),
    /// With these bytes, or with others if the extension fits.
    Often(&'static [u8]),
    /// With anything: the extension must fit.
    ByName,
}

/// Whether files of a type can be decoded.
#[derive(Clone, Copy)]
pub(in crate::media) enum PictureDecoder {
    No,
    /// No, and the error says why.
    Refused(fn(&[u8]) -> PictureError),
    /// Yes, if their header is valid.
    IfValid(fn(&mut Decoding<'_>) -> Frames),
    /// Yes, even if only the extension and these first bytes fit. Then the decoder's error describes the damage.
    EvenDamaged(&'static [u8], fn(&mut Decoding<'_>) -> Frames),
}

/// How engines use files of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    Other,
    /// As a picture, a texture, or in place of one.
    Picture,
    /// For the surfaces of maps.
    Texture,
    /// As a lump of a WAD.
    Lump,
    /// As a lump of a WAD, for the surfaces of maps.
    TextureLump,
}

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

impl Kind {
    /// All kinds.
    #[rustfmt::skip]
    pub const ALL: [Self; 7] = [
        Self::Map, Self::Picture, Self::Model, Self::Sound, Self::Text, Self::Code, Self::Other,
    ];

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

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
