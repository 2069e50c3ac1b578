//! One folder of a game: its paks, opened and judged, and its loose files.

use core::fmt;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::find::LooseFile;
use super::order::{self, Came, Told};
use super::unasked::Unasked;
use crate::engine::{Engine, Names, Outcome, OwnPak, Profile, Reason, Verdict, check};
use crate::error::{Error, ErrorKind};
use crate::fs::{Source, System, is_temporary};
use crate::ops::context::Problem;
use crate::ops::open;
use crate::pak::{Archive, Entry, Layout, ReadOptions};

/// A list that some engines take the order of paks from.
const ORDER_LIST: &str = "pak.lst";

/// The first pak.
const FIRST: &str = "pak0.pak";

/// One folder of a game.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    paks: Vec<LoadedPak>,
    never: Vec<Never>,
}

/// A pak that the engine loads.
#[derive(Debug)]
pub struct LoadedPak {
    /// Where it is, as the user would write it.
    pub path: PathBuf,
    /// The pak, open.
    pub archive: Archive,
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
    NotAPak(Outcome),
    /// It cannot be read.
    Unreadable,
}

/// A folder that was listed, and its paks, opened.
#[derive(Debug)]
pub(super) struct Listed {
    path: PathBuf,
    /// The files in it.
    names: BTreeSet<OsString>,
    paks: BTreeMap<OsString, Result<Archive, Error>>,
}

/// Lists a folder, and opens whatever is named as a pak is. A directory of such a name is an error
/// among the paks, which matters to engines that ask for it.
pub(super) fn list(path: &Path, options: ReadOptions) -> Result<Listed, Error> {
    if !fs::metadata(path).map_err(Error::from_io)?.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    let names = files(path).map_err(Error::from_io)?;
    let mut paks = BTreeMap::new();
    for name in names.iter().filter(|name| order::is_pak_name(name)) {
        paks.insert(name.clone(), open::open(&path.join(name), options));
    }
    Ok(Listed {
        path: path.to_path_buf(),
        names,
        paks,
    })
}

/// The names of the files in a folder, of the links there that lead to files, and of directories by
/// a pak's name.
fn files(path: &Path) -> io::Result<BTreeSet<OsString>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        // What is gone, or leads nowhere, is not there for an engine either.
        let Ok(found) = fs::metadata(path.join(&name)) else {
            continue;
        };
        if found.is_file() || found.is_dir() && order::is_pak_name(&name) {
            names.insert(name);
        }
    }
    Ok(names)
}

/// What an engine makes of a file by a pak's name that is none, where that is what is wrong.
fn not_a_pak(error: &Error, profile: &Profile) -> Option<Outcome> {
    Some(match error.kind() {
        ErrorKind::TooShort { .. } => profile.broken.too_short,
        ErrorKind::NotAPak { .. } | ErrorKind::Relative { .. } => profile.broken.not_a_pak,
        ErrorKind::NotAFile => profile.broken.is_directory,
        _ => return None,
    })
}

impl Listed {
    /// The layouts of the paks that can be read.
    pub(super) fn layouts(&self) -> impl Iterator<Item = Layout> + '_ {
        let archives = self.paks.values().filter_map(|pak| pak.as_ref().ok());
        archives.map(Archive::layout)
    }

    /// Why the others cannot.
    pub(super) fn errors(self) -> impl Iterator<Item = Error> {
        self.paks.into_values().filter_map(Result::err)
    }
}

impl Folder {
    /// The folder as `engine` sees it. What it never loads is told to `problems`.
    pub(super) fn new(
        listed: Listed,
        engine: Engine,
        base: bool,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let profile = engine.profile();
        let Listed {
            path,
            mut names,
            paks: mut opened,
        } = listed;
        // To an engine that does not mind it, a directory is a directory.
        if profile.broken.is_directory == Outcome::CountsAsMissing {
            names.retain(|name| !opened.get(name).is_some_and(is_directory));
        }
        let mut folder = Self {
            path,
            paks: Vec::new(),
            never: Vec::new(),
        };
        let told = order::ask(&names, profile.numbering, |name| {
            let came = folder.ask(name, opened.remove(name), engine, problems);
            // Its own pak follows, and is loaded.
            let goes_on = base && profile.own == OwnPak::Within && name == FIRST;
            if goes_on && came == Came::Missing {
                Came::Refused
            } else {
                came
            }
        });
        folder.tell_unsorted(&told, engine, problems);
        for (name, why) in told.unasked {
            let archive = opened.remove(&name).and_then(Result::ok);
            let why = Why::Unasked(why);
            folder.never(folder.path.join(&name), why, archive, engine, problems);
        }
        folder.tell_unseen(&names, &profile, problems);
        if base && profile.needs_pak0 && !names.contains(OsStr::new(FIRST)) {
            let engine = engine.name();
            let error = Error::from(ErrorKind::NeedsFirst { engine });
            problems.push(Problem::warning(error.in_pak(&folder.path)));
        }
        if base && let OwnPak::Beside(name) = profile.own {
            folder.add_own(name, engine, problems);
        }
        folder
    }

    /// Adds the engine's own pak, where there is one beside the base directory.
    fn add_own(&mut self, name: &str, engine: Engine, problems: &mut Vec<Problem>) {
        let beside = match (self.path.file_name(), self.path.parent()) {
            (Some(_), Some(parent)) => parent.join(name),
            _ => self.path.join("..").join(name),
        };
        if !fs::metadata(&beside).is_ok_and(|found| found.is_file()) {
            return;
        }
        let loaded = self.paks.len();
        let is_first = |pak: &LoadedPak| pak.path.file_name() == Some(OsStr::new(FIRST));
        let behind = usize::from(self.paks.first().is_some_and(is_first));
        let opened = Some(open::open(&beside, Some(engine.profile().layout).into()));
        self.ask_at(beside, opened, engine, problems);
        if self.paks.len() > loaded {
            self.paks
                .get_mut(behind..)
                .unwrap_or_default()
                .rotate_right(1);
        }
    }

    /// Warns of names in paks of which the engine leaves the order to the file system.
    fn tell_unsorted(&self, told: &Told, engine: Engine, problems: &mut Vec<Problem>) {
        let names = engine.profile().names;
        let count = told.unsorted.iter().map(|group| {
            let of_group = |pak: &&LoadedPak| {
                let name = pak.path.file_name().unwrap_or_default();
                group.iter().any(|other| other == name)
            };
            in_several(self.paks.iter().filter(of_group), names)
        });
        let count = count.sum();
        if count > 0 {
            let engine = engine.name();
            let error = Error::from(ErrorKind::Unsorted { engine, count });
            problems.push(Problem::warning(error.in_pak(&self.path)));
        }
    }

    fn ask(
        &mut self,
        name: &OsStr,
        opened: Option<Result<Archive, Error>>,
        engine: Engine,
        problems: &mut Vec<Problem>,
    ) -> Came {
        self.ask_at(self.path.join(name), opened, engine, problems)
    }

    fn ask_at(
        &mut self,
        path: PathBuf,
        opened: Option<Result<Archive, Error>>,
        engine: Engine,
        problems: &mut Vec<Problem>,
    ) -> Came {
        let profile = engine.profile();
        let archive = match opened {
            Some(Ok(archive)) => archive,
            Some(Err(error)) => {
                let outcome = not_a_pak(&error, &profile);
                problems.push(Problem::error(error));
                self.never_a_pak(path, outcome, engine, problems);
                return Came::Refused;
            }
            None => return Came::Missing,
        };
        let verdict = check(&archive, engine);
        let came = match verdict.outcome {
            Outcome::Loads => {
                let oddities = open::oddities(&archive, &path).into_iter();
                problems.extend(oddities.filter(Problem::is_error));
                let pak = LoadedPak::new(path, archive, profile.names);
                self.paks.push(pak);
                return Came::Loaded;
            }
            Outcome::Misread | Outcome::Refused | Outcome::NoStart => Came::Refused,
            Outcome::CountsAsMissing => Came::Missing,
        };
        self.never(path, Why::Refused(verdict), Some(archive), engine, problems);
        came
    }

    /// Keeps what is no pak, or cannot be read, of which the error is told already.
    fn never_a_pak(
        &mut self,
        path: PathBuf,
        outcome: Option<Outcome>,
        engine: Engine,
        problems: &mut Vec<Problem>,
    ) {
        let outcome = match outcome {
            // There is no header before it that it could be misread by.
            Some(Outcome::Misread) if self.paks.is_empty() => Some(Outcome::NoStart),
            outcome => outcome,
        };
        match outcome {
            Some(outcome @ (Outcome::Misread | Outcome::NoStart)) => {
                self.never(path, Why::NotAPak(outcome), None, engine, problems);
            }
            other => {
                let why = other.map_or(Why::Unreadable, Why::NotAPak);
                let archive = None;
                self.never.push(Never { path, why, archive });
            }
        }
    }

    fn never(
        &mut self,
        path: PathBuf,
        why: Why,
        archive: Option<Archive>,
        engine: Engine,
        problems: &mut Vec<Problem>,
    ) {
        let (engine, clause) = (engine.name(), why.to_string());
        let kind = if why.is_misread() {
            ErrorKind::Misread {
                engine,
                why: clause,
            }
        } else {
            ErrorKind::NeverLoaded {
                engine,
                why: clause,
            }
        };
        let error = Error::from(kind).in_pak(&path);
        problems.push(if why.is_fatal() {
            Problem::error(error)
        } else {
            Problem::warning(error)
        });
        self.never.push(Never { path, why, archive });
    }

    /// Warns of what the engine loads or obeys here, and what is not looked into.
    fn tell_unseen(
        &self,
        names: &BTreeSet<OsString>,
        profile: &Profile,
        problems: &mut Vec<Problem>,
    ) {
        let unseen = names.iter().filter(|name| {
            let is_list = profile.order_list && name.eq_ignore_ascii_case(ORDER_LIST);
            is_list || is_other(name, profile)
        });
        problems.extend(unseen.map(|name| {
            let error = Error::from(ErrorKind::Unseen).in_pak(self.path.join(name));
            Problem::warning(error)
        }));
    }

    /// Where it is, as the user would write it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its paks, in the order in which they load.
    pub fn paks(&self) -> impl DoubleEndedIterator<Item = &LoadedPak> + use<'_> {
        self.paks.iter()
    }

    /// Its paks that are never loaded.
    #[must_use]
    pub fn never_loaded(&self) -> &[Never] {
        &self.never
    }

    /// Its loose files, by name, without the archives beside them. Directories that links lead to
    /// are not entered, since they can lead round; those are told to `problems`.
    pub(super) fn loose(&self, engine: Engine, problems: &mut Vec<Problem>) -> Vec<LooseFile> {
        let mut found = Vec::new();
        for entry in WalkDir::new(&self.path).min_depth(1).sort_by_file_name() {
            let looked = entry.map_err(io::Error::from);
            let looked = looked.and_then(|entry| Ok((fs::metadata(entry.path())?, entry)));
            let (data, entry) = match looked {
                Ok(looked) => looked,
                // A link to nowhere is no file for an engine either.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    let error = Error::from_io(error).in_pak(&self.path);
                    problems.push(Problem::error(error));
                    continue;
                }
            };
            let path = entry.path();
            if data.is_dir() && entry.path_is_symlink() {
                let what = "a symbolic link to a directory";
                let error = Error::from(ErrorKind::Unfollowed { what }).in_pak(path);
                problems.push(Problem::warning(error));
            }
            let name = entry.file_name();
            let is_archive = order::is_pak_name(name) || is_other(name, &engine.profile());
            let is_archive = is_archive && entry.depth() == 1;
            if !data.is_file() || is_archive || is_temporary(entry.file_name()) {
                continue;
            }
            let relative = path.strip_prefix(&self.path).unwrap_or(path);
            let parts: Vec<&[u8]> = relative.iter().map(OsStr::as_encoded_bytes).collect();
            found.push(LooseFile {
                path: path.to_path_buf(),
                name: parts.join(&b'/'),
                size: data.len(),
            });
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }
}

/// Whether a name is that of another archive which the engine loads.
fn is_other(name: &OsStr, profile: &Profile) -> bool {
    let exact = profile.numbering.listing().is_some_and(|it| !it.any_case);
    let name = name.to_string_lossy();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        let same = |other: &&str| extension == *other;
        let alike = |other: &&str| extension.eq_ignore_ascii_case(other);
        let mut others = profile.others.iter();
        if exact {
            others.any(same)
        } else {
            others.any(alike)
        }
    })
}

fn is_directory(opened: &Result<Archive, Error>) -> bool {
    matches!(opened, Err(error) if matches!(error.kind(), ErrorKind::NotAFile))
}

/// How many names lie in more than one of these paks. By their hashes, since there may be very many;
/// somebody who makes up names of one hash gets a warning in vain.
fn in_several<'a>(paks: impl Iterator<Item = &'a LoadedPak>, names: Names) -> usize {
    let hash = |entry: Entry<'_, fs::File>| {
        let mut hasher = DefaultHasher::new();
        hasher.write(&names.of_entry(entry.name().as_bytes())?);
        Some(hasher.finish())
    };
    let of_pak = |pak: &LoadedPak| {
        let mut names: Vec<u64> = pak.archive.entries().filter_map(hash).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let mut names: Vec<u64> = paks.flat_map(of_pak).collect();
    names.sort_unstable();
    let same = names.chunk_by(|a, b| a == b);
    same.filter(|same| same.len() > 1).count()
}

impl LoadedPak {
    fn new(path: PathBuf, archive: Archive, names: Names) -> Self {
        let is_renamed = |entry: &Entry<'_, fs::File>| {
            let name = names.clean_entry(entry.name().as_bytes());
            matches!(name, Some(Cow::Owned(_)))
        };
        let renamed = archive.entries().filter(is_renamed);
        let renamed = renamed.map(|entry| entry.index()).collect();
        Self {
            path,
            archive,
            renamed,
        }
    }

    /// The entries that are found by this key, in the directory's order.
    pub(super) fn find(&self, key: &[u8], names: Names) -> Vec<Entry<'_, fs::File>> {
        let has_key = |entry: &Entry<'_, fs::File>| {
            names.of_entry(entry.name().as_bytes()).as_deref() == Some(key)
        };
        let renamed = self.renamed.iter();
        let renamed = renamed.filter_map(|index| self.archive.entry(*index));
        let indexed = self.archive.find_all(key, names.case);
        let mut found: Vec<_> = indexed.chain(renamed).filter(has_key).collect();
        found.sort_by_key(Entry::index);
        found.dedup_by_key(|entry| entry.index());
        found
    }

    /// Opens the pak once more, to be copied from, if it is still the one that was looked at.
    pub(in crate::ops) fn reopen(&self, system: &System) -> Result<Archive<Source>, Error> {
        let seen = &self.archive;
        let options = ReadOptions {
            layout: Some(seen.layout()),
            ..seen.options()
        };
        let archive = open::open_on(system, &self.path, options)?;
        let same = archive.file_len() == seen.file_len()
            && archive.header() == seen.header()
            && archive.directory() == seen.directory();
        if same {
            Ok(archive)
        } else {
            Err(Error::from(ErrorKind::AnotherPak).in_pak(&self.path))
        }
    }
}

impl Why {
    /// Whether the engine does not even start.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.outcome() == Some(Outcome::NoStart)
    }

    /// Whether the engine loads it, and serves from it what it does not hold.
    #[must_use]
    pub fn is_misread(&self) -> bool {
        self.outcome() == Some(Outcome::Misread)
    }

    const fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Refused(verdict) => Some(verdict.outcome),
            Self::NotAPak(outcome) => Some(*outcome),
            Self::Unasked(_) | Self::Unreadable => None,
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unasked(why) => why.fmt(f),
            Self::Unreadable => f.write_str("it cannot be read"),
            Self::NotAPak(Outcome::Misread) => f.write_str(
                "it is shorter than a pak's header, and this engine takes that of the pak before it",
            ),
            Self::NotAPak(Outcome::NoStart) => {
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
