//! An archive that a game loads, or one that it does not load, and why.

use core::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::folder::FilesIn;
use crate::archive::Archive;
use crate::archive::error::{Error, ErrorKind};
use crate::engine::{Effect, EngineProfile, Paks, Reason, Unasked, Verdict, is_pak_name};

/// An archive that a game loads: a pak, a ZIP, or a directory that is loaded like one.
#[derive(Debug)]
pub struct Loaded {
    /// The archive, open.
    pub archive: Arc<Archive>,
    /// Remarks about it, although it loads.
    pub why: Vec<Reason>,
    /// Its files, if it is a directory: one of the game's own, or one that is loaded like an archive.
    pub(super) files: Option<FilesIn>,
    /// The number of its directory in the game.
    pub(super) folder: usize,
}

/// An archive that a game does not load.
#[derive(Debug)]
pub struct Skipped {
    /// Its path, as the user would write it.
    pub path: PathBuf,
    /// Why it is not loaded.
    pub why: NotLoaded,
    /// The archive, or why it cannot be opened.
    pub opened: Result<Arc<Archive>, Error>,
}

/// Why an archive is not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotLoaded {
    /// The engine never asks for it.
    Unasked(Unasked),
    /// The engine refuses it, or misreads it. Perhaps it is not even a pak.
    Refused(Verdict),
    /// It cannot be read.
    Unreadable,
}

impl Loaded {
    pub(super) fn new(archive: Archive, why: Vec<Reason>, files: Option<FilesIn>) -> Self {
        Self { archive: Arc::new(archive), why, files, folder: 0 }
    }

    /// Its path, as the user would write it.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.archive.path().unwrap_or(Path::new(""))
    }

    /// Whether these are the loose files of one of the game's directories.
    pub(super) fn is_loose(&self) -> bool {
        self.files.as_ref().is_some_and(|files| files.within.is_empty())
    }
}

impl NotLoaded {
    /// Whether the engine does not even start.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.effect() == Effect::NoStart
    }

    /// Whether the engine loads it, but serves garbage.
    #[must_use]
    pub fn is_misread(&self) -> bool {
        self.effect() == Effect::Misread
    }

    pub(super) const fn effect(&self) -> Effect {
        match self {
            Self::Refused(verdict) => verdict.effect,
            Self::Unasked(_) | Self::Unreadable => Effect::Refused,
        }
    }

    /// The effect of a file that is named like an archive and cannot be opened.
    pub(super) fn unopened(name: &[u8], error: &Error, profile: &EngineProfile) -> Self {
        // Broken files were tried only with a pak's name. Without a ZIP, all engines continue.
        let paks = profile.paks.as_ref().filter(|_| is_pak_name(name));
        let Some(Paks { broken, .. }) = paks else {
            return Self::not_a_pak(Effect::Refused);
        };
        match error.kind() {
            ErrorKind::TooShort { .. } => Self::not_a_pak(broken.too_short),
            ErrorKind::NotAnArchive { .. }
            | ErrorKind::LfsPointer
            | ErrorKind::OtherFile { .. }
            | ErrorKind::NoZipEnd
            | ErrorKind::NoZipDirectory { .. }
            | ErrorKind::SplitZip => Self::not_a_pak(broken.not_a_pak),
            ErrorKind::NotAFile => Self::not_a_pak(broken.is_directory),
            _ => Self::Unreadable,
        }
    }

    /// A file that is not a pak, and what the engine does with it.
    pub(super) fn not_a_pak(effect: Effect) -> Self {
        let mut verdict = Verdict::loaded();
        let why = match effect {
            Effect::Misread => {
                "it is shorter than a pak's header, and this engine uses the header of the pak before it"
            }
            Effect::NoStart => "it is not a pak, and this engine does not start with such a file",
            _ => "it is not a pak, and this engine goes on without it",
        };
        verdict.add(effect, why.to_owned());
        Self::Refused(verdict)
    }
}

impl fmt::Display for NotLoaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unasked(why) => why.fmt(f),
            Self::Unreadable => f.write_str("it cannot be read"),
            Self::Refused(verdict) => {
                let words: Vec<String> = verdict.why.iter().map(Reason::to_string).collect();
                f.write_str(&words.join("; "))
            }
        }
    }
}
