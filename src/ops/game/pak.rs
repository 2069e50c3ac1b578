//! An archive that an engine loads, or one that it does not, and why.

use core::fmt;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::loose::find_exactly;
use crate::archive::{Archive, Entry, Format};
use crate::engine::{
    Duplicates, Effect, Engine, Names, Profile, Reason, Unasked, Verdict, check, is_pak_name,
    passed_over,
};
use crate::ops::finding::{Finding, Notice};

/// An archive that the engine loads: a pak, a ZIP, or a directory that it takes for one.
#[derive(Debug)]
pub struct LoadedPak {
    /// The archive, open.
    pub archive: Arc<Archive>,
    /// How the engine takes names of its entries.
    pub(super) names: Names,
    /// Which of several entries of one name is served.
    pub(super) duplicates: Duplicates,
    /// The numbers of the entries that the engine passes over, in order.
    passed_over: Vec<usize>,
    /// The numbers of the entries that the engine finds by another name than they have, be it in
    /// whatever case.
    renamed: Vec<usize>,
    /// The archives between which the engine's order is not defined, this one included. Empty if its order
    /// is defined.
    pub(super) rivals: Arc<[PathBuf]>,
}

/// An archive that the engine never loads.
#[derive(Debug)]
pub struct Never {
    /// Where it is, as the user would write it.
    pub path: PathBuf,
    /// Why not.
    pub why: Why,
    /// The archive, where it can be read.
    pub archive: Option<Archive>,
}

/// Why an archive is never loaded.
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
    pub(super) fn new(archive: Arc<Archive>, engine: Engine) -> Self {
        let (profile, format) = (engine.profile(), archive.format());
        let names = profile.names_in(format);
        let is_renamed = |entry: &Entry<'_>| {
            let own = entry.name().as_bytes();
            let name = names.clean_entry(own);
            name.is_some_and(|name: Cow<'_, [u8]>| *name != *own)
        };
        let renamed = archive.entries().filter(is_renamed);
        let renamed = renamed.map(|entry| entry.index()).collect();
        Self {
            names,
            duplicates: profile.duplicates_in(format),
            passed_over: passed_over(&archive, engine),
            archive,
            renamed,
            rivals: Arc::default(),
        }
    }

    /// Whether it is a directory that the engine takes for an archive.
    pub(super) fn is_directory(&self) -> bool {
        self.archive.format() == Format::Directory
    }

    /// The entries that the engine does not pass over, in the directory's order.
    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> {
        let entries = self.archive.entries();
        entries.filter(|entry| !self.passes_over(entry))
    }

    fn passes_over(&self, entry: &Entry<'_>) -> bool {
        self.passed_over.binary_search(&entry.index()).is_ok()
    }

    /// The file of exactly this name, where this is a directory.
    pub(super) fn find_file(&self, name: &[u8]) -> Option<(PathBuf, u64)> {
        self.is_directory()
            .then(|| find_exactly(self.path(), name))?
    }

    /// Where it is, as the user would write it.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.archive.path().unwrap_or(Path::new(""))
    }

    /// The entries that are found by this key, in the directory's order.
    pub(super) fn find(&self, key: &[u8]) -> Vec<Entry<'_>> {
        if self.is_directory() {
            return Vec::new();
        }
        let names = self.names;
        let has_key =
            |entry: &Entry<'_>| names.of_entry(entry.name().as_bytes()).as_deref() == Some(key);
        let renamed = self.renamed.iter();
        let renamed = renamed.filter_map(|index| self.archive.entry(*index));
        let indexed = self.archive.find_all(key, names.case);
        let mut found: Vec<_> = indexed.chain(renamed).filter(has_key).collect();
        found.retain(|entry| !self.passes_over(entry));
        found.sort_by_key(Entry::index);
        found.dedup_by_key(|entry| entry.index());
        found
    }
}

impl Why {
    /// Why an engine that asks for a pak does not load it: none where it does.
    pub(super) fn not_loaded(
        name: &[u8],
        pak: &Result<Archive, Finding>,
        engine: Engine,
    ) -> Option<Self> {
        match pak {
            Ok(archive) if archive.format() == Format::Directory => None,
            Ok(archive) => {
                let verdict = check(archive, engine);
                (!verdict.loads()).then_some(Self::Refused(verdict))
            }
            // What an engine does about no pak was asked of paks alone: without a ZIP all go on.
            Err(_) if !is_pak_name(name) => Some(Self::NotAPak(Effect::Refused)),
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
fn effect_of_no_pak(error: &Finding, profile: &Profile) -> Option<Effect> {
    Some(match error.notice {
        Notice::TooShort => profile.broken.too_short,
        Notice::NotAnArchive | Notice::MissingZipDirectory | Notice::SplitZip => {
            profile.broken.not_a_pak
        }
        Notice::NotAFile => profile.broken.is_directory,
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
