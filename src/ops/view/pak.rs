//! A pak that an engine loads, or one that it does not, and why.

use core::fmt;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::{Archive, Entry};
use crate::engine::{Effect, Engine, Names, Profile, Reason, Unasked, Verdict, check};
use crate::error::{Error, ErrorKind};

/// A pak that the engine loads.
#[derive(Debug)]
pub struct LoadedPak {
    /// The pak, open.
    pub archive: Arc<Archive>,
    /// The numbers of the entries that the engine finds by another name than they have, be it in
    /// whatever case.
    renamed: Vec<usize>,
}

/// A pak that the engine never loads.
#[derive(Debug)]
pub struct Never {
    /// Where it is, as the user would write it.
    pub path: PathBuf,
    /// Why not.
    pub why: Why,
    /// The pak, where it can be read.
    pub archive: Option<Archive>,
}

/// Why a pak is never loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The engine never asks for it.
    Unasked(Unasked),
    /// The engine makes nothing of it, or nonsense.
    Refused(Verdict),
    /// It is no pak.
    NotAPak(Effect),
    /// It cannot be read.
    Unreadable,
}

impl LoadedPak {
    pub(super) fn new(archive: Archive, names: Names) -> Self {
        let is_renamed = |entry: &Entry<'_>| {
            let name = names.clean_entry(entry.name().as_bytes());
            matches!(name, Some(Cow::Owned(_)))
        };
        let renamed = archive.entries().filter(is_renamed);
        let renamed = renamed.map(|entry| entry.index()).collect();
        let archive = Arc::new(archive);
        Self { archive, renamed }
    }

    /// Where it is, as the user would write it.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.archive.path().unwrap_or(Path::new(""))
    }

    /// The entries that are found by this key, in the directory's order.
    pub(super) fn find(&self, key: &[u8], names: Names) -> Vec<Entry<'_>> {
        let has_key =
            |entry: &Entry<'_>| names.of_entry(entry.name().as_bytes()).as_deref() == Some(key);
        let renamed = self.renamed.iter();
        let renamed = renamed.filter_map(|index| self.archive.entry(*index));
        let indexed = self.archive.find_all(key, names.case);
        let mut found: Vec<_> = indexed.chain(renamed).filter(has_key).collect();
        found.sort_by_key(Entry::index);
        found.dedup_by_key(|entry| entry.index());
        found
    }
}

impl Why {
    /// Why an engine that asks for a pak does not load it: none where it does.
    pub(super) fn not_loaded(pak: &Result<Archive, Error>, engine: Engine) -> Option<Self> {
        match pak {
            Ok(archive) => {
                let verdict = check(archive, engine);
                (!verdict.loads()).then_some(Self::Refused(verdict))
            }
            Err(error) => {
                let effect = effect_of_no_pak(error, &engine.profile());
                Some(effect.map_or(Self::Unreadable, Self::NotAPak))
            }
        }
    }

    /// Whether the engine does not even start.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.effect() == Effect::NoStart
    }

    /// Whether the engine loads it, and serves from it what it does not hold.
    #[must_use]
    pub fn is_misread(&self) -> bool {
        self.effect() == Effect::Misread
    }

    /// What the engine makes of it.
    pub(super) const fn effect(&self) -> Effect {
        match self {
            Self::Refused(verdict) => verdict.effect,
            Self::NotAPak(effect) => *effect,
            Self::Unasked(_) | Self::Unreadable => Effect::Refused,
        }
    }
}

/// What an engine makes of a file by a pak's name that is none, where that is what is wrong.
fn effect_of_no_pak(error: &Error, profile: &Profile) -> Option<Effect> {
    Some(match error.kind() {
        ErrorKind::TooShort { .. } => profile.broken.too_short,
        ErrorKind::NotAPak { .. }
        | ErrorKind::Relative { .. }
        | ErrorKind::NoZipEnd
        | ErrorKind::NoZipDirectory { .. }
        | ErrorKind::SplitZip => profile.broken.not_a_pak,
        ErrorKind::NotAFile => profile.broken.is_directory,
        _ => return None,
    })
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unasked(why) => why.fmt(f),
            Self::Unreadable => f.write_str("it cannot be read"),
            Self::NotAPak(Effect::Misread) => f.write_str(
                "it is shorter than a pak's header, and this engine takes that of the pak before it",
            ),
            Self::NotAPak(Effect::NoStart) => {
                f.write_str("it is no pak, and this engine does not start with such a file")
            }
            Self::NotAPak(_) => f.write_str("it is no pak, and this engine goes on without it"),
            Self::Refused(verdict) => {
                let words: Vec<String> = verdict.why.iter().map(Reason::to_string).collect();
                f.write_str(&words.join("; "))
            }
        }
    }
}
