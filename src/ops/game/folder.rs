//! One folder of a game: its paks, opened and judged, and its loose files.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::find::LooseFile;
use super::order::{self, Came};
use super::unasked::Unasked;
use crate::error::{Error, ErrorKind};
use crate::ops::commit::{Source, System, is_temporary};
use crate::ops::context::Problem;
use crate::ops::engine::{Engine, Outcome, Profile, Reason, Verdict, check};
use crate::ops::open;
use crate::pak::{Archive, Case, Layout, RawName, ReadOptions};

/// A list that some engines take the order of paks from.
const ORDER_LIST: &str = "pak.lst";

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
    /// The engine makes nothing of it.
    Refused(Verdict),
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

/// Lists a folder, and opens whatever is named as a pak is.
pub(super) fn list(path: &Path, options: ReadOptions) -> Result<Listed, Error> {
    if !fs::metadata(path).map_err(Error::from_io)?.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    let names = files(path).map_err(Error::from_io)?;
    let paks = names
        .iter()
        .filter(|name| order::is_pak_name(name))
        .map(|name| (name.clone(), open::open(&path.join(name), options)))
        .collect();
    Ok(Listed {
        path: path.to_path_buf(),
        names,
        paks,
    })
}

/// The names of the files in a folder, and of the links there that lead to files.
fn files(path: &Path) -> io::Result<BTreeSet<OsString>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        // What is gone, or leads nowhere, is not there for an engine either.
        if fs::metadata(path.join(&name)).is_ok_and(|found| found.is_file()) {
            names.insert(name);
        }
    }
    Ok(names)
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
    pub(super) fn new(listed: Listed, engine: Engine, problems: &mut Vec<Problem>) -> Self {
        let profile = engine.profile();
        let Listed {
            path,
            names,
            paks: mut opened,
        } = listed;
        let mut folder = Self {
            path,
            paks: Vec::new(),
            never: Vec::new(),
        };
        let told = order::ask(&names, profile.numbering, |name| {
            folder.ask(name, opened.remove(name), engine, problems)
        });
        let unsorted = folder.paks.len().saturating_sub(told.unsorted);
        let unsorted = folder.paks.get(unsorted..).unwrap_or_default();
        let count = in_several(unsorted, profile.case);
        if count > 0 {
            let engine = engine.name();
            let error = Error::from(ErrorKind::Unsorted { engine, count });
            problems.push(Problem::warning(error.in_pak(&folder.path)));
        }
        for (name, why) in told.unasked {
            let archive = opened.remove(&name).and_then(Result::ok);
            let why = Why::Unasked(why);
            folder.never(folder.path.join(&name), why, archive, engine, problems);
        }
        folder.tell_unseen(&names, &profile, problems);
        folder
    }

    fn ask(
        &mut self,
        name: &OsStr,
        opened: Option<Result<Archive, Error>>,
        engine: Engine,
        problems: &mut Vec<Problem>,
    ) -> Came {
        let path = self.path.join(name);
        let archive = match opened {
            Some(Ok(archive)) => archive,
            Some(Err(error)) => {
                problems.push(Problem::error(error));
                let (why, archive) = (Why::Unreadable, None);
                self.never.push(Never { path, why, archive });
                return Came::Refused;
            }
            None => return Came::Missing,
        };
        let verdict = check(&archive, engine);
        let came = match verdict.outcome {
            Outcome::Loads => {
                let oddities = open::oddities(&archive, &path).into_iter();
                problems.extend(oddities.filter(Problem::is_error));
                self.paks.push(LoadedPak { path, archive });
                return Came::Loaded;
            }
            Outcome::Refused | Outcome::NoStart => Came::Refused,
            Outcome::CountsAsMissing => Came::Missing,
        };
        self.never(path, Why::Refused(verdict), Some(archive), engine, problems);
        came
    }

    fn never(
        &mut self,
        path: PathBuf,
        why: Why,
        archive: Option<Archive>,
        engine: Engine,
        problems: &mut Vec<Problem>,
    ) {
        let kind = ErrorKind::NeverLoaded {
            engine: engine.name(),
            why: why.to_string(),
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
            let lower = name.to_string_lossy().to_lowercase();
            let is_list = profile.order_list && lower == ORDER_LIST;
            is_list || is_other(&lower, profile.others)
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
            let top = entry.file_name().to_string_lossy().to_lowercase();
            let others = engine.profile().others;
            let is_archive = entry.depth() == 1 && is_other(&top, &[others, &["pak"]].concat());
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

/// Whether a name has one of these extensions.
fn is_other(lower: &str, extensions: &[&str]) -> bool {
    let extension = lower.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| extensions.contains(&extension))
}

/// How many names lie in more than one of these paks. By their hashes, since there may be very many;
/// somebody who makes up names of one hash gets a warning in vain.
fn in_several(paks: &[LoadedPak], case: Case) -> usize {
    if paks.len() < 2 {
        return 0;
    }
    let hash = |name: RawName<'_>| {
        let mut hasher = DefaultHasher::new();
        for byte in name.as_bytes() {
            hasher.write_u8(match case {
                Case::Matters => *byte,
                Case::Ignored => byte.to_ascii_lowercase(),
            });
        }
        hasher.finish()
    };
    let of_pak = |pak: &LoadedPak| {
        let mut names: Vec<u64> = pak.archive.entries().map(|e| hash(e.name())).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let mut names: Vec<u64> = paks.iter().flat_map(of_pak).collect();
    names.sort_unstable();
    let same = names.chunk_by(|a, b| a == b);
    same.filter(|same| same.len() > 1).count()
}

impl LoadedPak {
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
        matches!(self, Self::Refused(verdict) if verdict.outcome == Outcome::NoStart)
    }
}

impl fmt::Display for Why {
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
