//! What an operation tells the user: an error or a warning, as plain data.
//!
//! A [`Finding`] has its own sentence, a sentence for many of its kind, and advice: in plain words, and as a kind of
//! [`Help`], which `src/cli/advice.rs` turns into options. The command groups findings by their sentence for many.
//! How to provoke each finding is in `tests/ERRORS.md`.
//!
//! | file     | job                                                          |
//! |----------|--------------------------------------------------------------|
//! | `help`   | the kinds of advice that a program can turn into its options |
//! | `errors` | findings made of the errors of the layers below              |
//! | `shared` | findings that several operations report                      |
//!
//! The way of a damaged entry to the screen: reading returns an error with a place (`archive::error`), which
//! `stream` turns into a finding. `plan/part.rs` adds it to the row of its output ([`OutputRow`]), and
//! marks entries that share the payload. `cli/rows` takes the findings out of each row for `cli/messages`,
//! which groups and prints them.
//!
//! [`OutputRow`]: crate::ops::row::OutputRow

mod errors;
mod shared;

use core::fmt;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::Entry;
use crate::archive::error::{Error, Place};
use crate::fs::CommitError;

pub use shared::judged;
pub(crate) use shared::*;

/// An error or a warning of an operation.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Whether something could not be done, or the finding is only a warning.
    pub severity: Severity,
    /// The archive or file, the entry and the byte, as far as they are known.
    pub place: Place,
    /// The sentence for this one: what failed, without the place.
    pub detail: Box<str>,
    /// The sentence for many findings of this kind, without their number. Without it, only findings with the same
    /// [`detail`](Self::detail) are of one kind.
    pub many: Option<&'static str>,
    /// What to do about it, in words.
    pub advice: Option<Cow<'static, str>>,
    /// What a program can do about it.
    pub help: Option<Help>,
    /// What it means for a program.
    pub meaning: Meaning,
    /// If a whole input could not be read: the path of that input, as the user would write it.
    pub unread: Option<Box<PathBuf>>,
}

/// Whether something could not be done, or the finding is only a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Odd but harmless: the result is complete.
    Warning,
    /// Something could not be done.
    Error,
}

/// What a finding means for a program that does not read its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Meaning {
    /// None of the others.
    Other,
    /// The user stopped the operation.
    Stopped,
    /// An input cannot be read, unless the finding is about an entry in it.
    Unread,
    /// A path does not exist, so that the input cannot be read.
    NoSuchFile,
    /// A ZIP has no directory, so that the input cannot be read. Its files may be found without it.
    NoZipDirectory,
    /// Entries of an input are missing.
    Cut,
    /// daisho does not support what it found in an entry, which is not damaged.
    Unsupported,
    /// An archive would unpack to more than is allowed.
    Expansion,
    /// The output is an input.
    OutputIsInput,
    /// An engine that the user asked about does not load an archive.
    NotLoaded,
    /// A detail that a finding about the whole archive sums up.
    Detail,
    /// A file or directory is left out, although the user may expect it. Any number of these is one message.
    LeftOut,
    /// The same, and a finding before it sums it up.
    LeftOutToo,
}

impl Finding {
    /// Something that could not be done.
    #[must_use]
    pub fn error(detail: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            place: Place::default(),
            detail: detail.into().into_boxed_str(),
            many: None,
            advice: None,
            help: None,
            meaning: Meaning::Other,
            unread: None,
        }
    }

    /// Something odd.
    #[must_use]
    pub fn warning(detail: impl Into<String>) -> Self {
        Self::error(detail).as_warning()
    }

    /// Adds the sentence for many findings of this kind.
    pub(crate) fn many(mut self, many: &'static str) -> Self {
        self.many = Some(many);
        self
    }

    /// Adds what to do about it, in words.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds what a program can do about it.
    pub(crate) fn help(mut self, help: Help) -> Self {
        self.help = Some(help);
        self
    }

    /// Adds what it means for a program.
    pub(crate) fn means(mut self, meaning: Meaning) -> Self {
        self.meaning = meaning;
        self
    }

    /// The same finding, but as a warning.
    #[must_use]
    pub fn as_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// An input that could not be read.
    #[must_use]
    pub fn unread(path: impl Into<PathBuf>, error: impl Into<Self>) -> Self {
        Self { unread: Some(Box::new(path.into())), ..error.into() }
    }

    /// Whether something could not be done.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The file that this finding is about.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.unread.as_ref().map(|path| path.as_path()).or(self.place.path.as_deref())
    }

    /// What became of the file, if it could not be read or something has failed. Each such finding that belongs to no
    /// row is an object of JSON, in every verb.
    ///
    /// An input can be `unread`, or `cut` if its directory is cut off. An entry is `damaged`, or `unsupported`. For all
    /// other errors, something has `failed`. A file or directory that is `left_out` is an object, too.
    #[must_use]
    pub fn status(&self) -> Option<&'static str> {
        if self.is_left_out() {
            return Some("left_out");
        }
        if self.is_stop() || !self.is_error() && self.unread.is_none() {
            return None;
        }
        Some(match self.meaning {
            _ if self.unread.is_some() => "unread",
            Meaning::Unsupported => "unsupported",
            _ if self.place.entry.is_some() => "damaged",
            Meaning::Cut => "cut",
            Meaning::Unread | Meaning::NoSuchFile | Meaning::NoZipDirectory => "unread",
            _ => "failed",
        })
    }

    /// Whether one message can be about both findings: they have the same advice, and the same sentence for many, or
    /// the same sentence of their own if they have none for many.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.many, &self.advice, self.help) == (other.many, &other.advice, other.help)
            && (self.many.is_some() || self.detail == other.detail)
    }

    /// Whether a file or directory is left out.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        matches!(self.meaning, Meaning::LeftOut | Meaning::LeftOutToo)
    }

    /// Whether the user stopped the operation.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        self.meaning == Meaning::Stopped
    }

    /// Adds the archive or file to the finding, unless it already has one.
    #[must_use]
    pub fn at_path(mut self, path: impl AsRef<Path>) -> Self {
        self.place.set_path(path.as_ref());
        self
    }

    /// Adds the byte offset in the archive to the finding, unless it already has one.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.place.set_offset(offset);
        self
    }

    /// The finding with this entry as its place.
    #[must_use]
    pub fn of_entry(mut self, entry: &Entry<'_>) -> Self {
        entry.locate_at(&mut self.place);
        self
    }

    /// The finding that a path does not exist.
    pub(crate) fn no_such_file(self) -> Self {
        self.advice("give the path of a file or directory that exists").means(Meaning::NoSuchFile)
    }

    /// What a system error means that a reader or a sink met.
    #[must_use]
    pub fn from_io(error: io::Error) -> Self {
        match CommitError::from_io(error) {
            Ok(error) => error.into(),
            Err(error) => Error::from_io(error).into(),
        }
    }
}

/// The place, and what failed, in one line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_unknown() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.detail)
    }
}

impl core::error::Error for Finding {}

/// What a user can do about a finding by means of the program. `cli` says it with its verbs and options; another
/// program can offer what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Help {
    /// Save the entries that are not damaged.
    KeepGoing,
    /// Say which format the archive has.
    NameFormat,
    /// Give the game, and the map as an option.
    MapOfGame,
    /// Choose how the reserved byte is read.
    ReadReserved,
    /// Raise the limit.
    Raise(UserLimit),
    /// Name the engine of the game.
    NameEngine,
    /// Make a new archive.
    NewArchive,
    /// Name the output for the files of a directory.
    NameOutput,
    /// Give the names of entries after their archive.
    NamesAfterArchive,
    /// List the names of the entries.
    ListNames,
    /// List the names that the engine serves.
    ListServed,
    /// Correct the pattern.
    Patterns,
    /// Make a new snapshot.
    NewSnapshot,
    /// Extract several pictures.
    ExtractPictures,
    /// Make pictures of a game from PNGs again.
    MakePictures,
    /// Give the game of the picture, or a palette.
    GivePalette,
    /// Leave the file or entry out.
    LeaveOut,
    /// Leave archives out of what is packed.
    LeaveOutArchives,
    /// Choose textures and pictures.
    OnlyTextures,
    /// Replace the entry that has the name.
    ReplaceEntry,
    /// Extract the entry under a safe name.
    Rescue,
    /// Say which directory the names begin at.
    GiveRoot,
    /// Take hidden files, too.
    TakeHidden,
    /// Keep no previous version.
    NoBackup,
    /// Replace the existing file, or keep it.
    Overwrite,
    /// Write all parts again.
    OverwriteAll,
    /// Change the archive itself.
    Edit,
    /// Let the output's extension decide the format.
    OutputDecides,
    /// Write several archives into a directory.
    IntoDirectory,
    /// Make a WAD of pictures, or pictures of another type.
    PicturesBecome,
    /// Write several pictures into a directory.
    PicturesIntoDirectory,
    /// Split the output.
    Split,
    /// Split the archive, and then change one of its parts.
    SplitFirst,
    /// Make an archive that the engine loads.
    ConvertForEngine,
    /// Find the entries that are damaged.
    Verify,
    /// Write the names in lower case.
    Lowercase,
}

/// A limit that the user can raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UserLimit {
    /// How much an archive may unpack to.
    Expansion,
    /// The number of pixels of a picture.
    Pixels,
    /// The length of an archive that is written.
    ArchiveSize,
    /// The length of an archive that is written, and the number of its entries.
    ArchiveEntries,
}
