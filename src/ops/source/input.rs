//! An archive that is to be read, and how it is opened, by itself or inside others.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, ReadAt, ReadOptions};
use crate::fs::{Source, System, is_standard_input};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, Meaning, check_unchanged};
use crate::ops::source::directory::loose_file;
use crate::ops::source::nested::{self, DEPTH_MAX, Within};
use crate::ops::source::search::{How, Search};

/// Waits for all of standard input, if the path leads there, or until the user stops the operation.
pub(super) fn receive(context: &Context<'_>, path: &Path) -> Result<(), Finding> {
    let outer = nested::split(path).map(|within| within.file);
    if is_standard_input(outer.as_deref().unwrap_or(path)) {
        let system = &context.system;
        let received = system.standard_input(|| context.cancel.is_set());
        context.cancel.check()?;
        received.map_err(Finding::from_io)?;
    }
    Ok(())
}

/// Refuses a directory where one archive is expected.
pub(crate) fn check_one(path: &Path) -> Result<(), Finding> {
    if path.is_dir() { Err(one_expected(path)) } else { Ok(()) }
}

/// The error for a directory that is searched for archives where one archive is expected.
pub(super) fn one_expected(path: &Path) -> Finding {
    let why = "this is a directory, but exactly one archive is expected";
    Finding::error(why).advice("name an archive in it").means(Meaning::Unread).at_path(path)
}

/// Opens the archive at `path`.
pub(crate) fn open(system: &System, path: &Path, options: ReadOptions) -> Result<Archive, Finding> {
    bytes(system, path)
        .and_then(|bytes| {
            let archive = Archive::read_source(bytes, options, Some(path))?;
            archive.check_headers()?;
            Ok(archive)
        })
        .map_err(|error| error.at_path(path))
}

/// Opens one archive that the user has named. A directory that is searched for archives is refused. With `takes_files`,
/// a file that is no archive is an archive whose only entry it is. Adds warnings about files that are left out of a
/// directory.
pub(crate) fn one(
    context: &Context<'_>,
    path: &Path,
    takes_files: bool,
    warnings: &mut Vec<Finding>,
) -> Result<Arc<Archive>, Refusal> {
    let mut found = Search::new(context, &[path], How { takes_files, ..How::default() });
    context.cancel.check()?;
    match found.inputs.first() {
        Some(input) if !path.is_dir() || input.as_directory().is_some() => {
            warnings.extend(found.warnings());
            Ok(input.open(context).map_err(|error| Finding::unread(path, error))?)
        }
        Some(_) => Err(one_expected(path).into()),
        None => Err(Refusal(found.take_findings())),
    }
}

/// The bytes of the archive at `path`.
pub(super) fn bytes(system: &System, path: &Path) -> Result<Box<dyn ReadAt>, Finding> {
    if let Some(within) = nested::split(path) {
        return within_others(system, &within);
    }
    if is_standard_input(path) {
        return Ok(Box::new(system.standard_input(|| false).map_err(Finding::from_io)?));
    }
    Ok(Box::new(file(system, path)?))
}

/// Opens a regular file.
pub(crate) fn file(system: &System, path: &Path) -> Result<Source, Finding> {
    system.open_regular(path).map_err(Finding::from_io)
}

/// Refuses an open file that is not a regular one.
pub(super) fn check_regular(file: &Source) -> Result<(), Finding> {
    if file.is_regular().map_err(Finding::from_io)? {
        Ok(())
    } else {
        Err(ErrorKind::NotAFile.into())
    }
}

/// The bytes of an archive within others.
fn within_others(system: &System, within: &Within) -> Result<Box<dyn ReadAt>, Finding> {
    if within.names.len() > usize::from(DEPTH_MAX) {
        let why = format!(
            "daisho opens archives within archives to a depth of {DEPTH_MAX}, but this one lies deeper"
        );
        return Err(Finding::error(why).advice("extract the outer archives first"));
    }
    let mut path = within.file.clone();
    let mut outer = Arc::new(open(system, &path, ReadOptions::default())?);
    let file_len = outer.file_len();
    let (last, between) = within.names.split_last().ok_or(ErrorKind::NotAFile)?;
    for name in between {
        let index = nested::find(&outer, name)?;
        let content = nested::content(system, &outer, index, file_len)?;
        path = nested::join(&path, name);
        let archive = Archive::read_source(content, ReadOptions::default(), Some(&path));
        outer = Arc::new(archive.map_err(|error| error.at_path(&path))?);
    }
    nested::content(system, &outer, nested::find(&outer, last)?, file_len)
}

/// An archive to read.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its path, as a user would write it.
    pub path: PathBuf,
    /// The path of its output below an output directory: its file name, or its path relative to the searched directory.
    pub relative: PathBuf,
    /// Whether a search has found it, so that the user did not name it.
    pub found: bool,
    pub(super) origin: Origin,
    /// The archive, if it stays in memory until its turn, or why the search could not open it.
    pub(super) opened: Option<Result<Arc<Archive>, Finding>>,
    /// Whether it is named like an archive and is none.
    pub(crate) is_ruined: bool,
}

/// What an input is read from.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// The file at its path.
    Path,
    /// The file, which the search has opened. If it is closed meanwhile, the next read opens it again, and fails if
    /// another file has taken its place.
    File(Source),
    /// An entry of another archive.
    Within(Arc<Archive>, usize),
    /// A directory whose files are the entries, or a file that is an entry of its own.
    Loose,
}

impl Input {
    /// An archive that the user has named.
    pub(super) fn named(path: &Path, relative: PathBuf) -> Self {
        Self {
            path: path.to_path_buf(),
            relative,
            found: false,
            origin: Origin::Path,
            opened: None,
            is_ruined: false,
        }
    }

    /// A directory whose files are the entries, or a file that is an entry of its own. The user named it.
    pub(super) fn of_loose(path: &Path, relative: PathBuf, archive: Archive) -> Self {
        let opened = Some(Ok(Arc::new(archive)));
        Self { origin: Origin::Loose, opened, ..Self::named(path, relative) }
    }

    /// Opens the archive, or returns it if the search has opened it. It must not have changed since.
    pub(crate) fn open(&self, context: &Context<'_>) -> Result<Arc<Archive>, Finding> {
        if let Some(Ok(archive)) = &self.opened {
            check_unchanged(archive)?;
        }
        let archive = self.open_as_found(context)?;
        archive.check_headers().map_err(|error| error.at_path(&self.path))?;
        Ok(archive)
    }

    /// Opens the archive, or returns it as the search has found it, without a look at the local headers of a ZIP. For
    /// verbs that read little more than its directory.
    pub(crate) fn open_as_found(&self, context: &Context<'_>) -> Result<Arc<Archive>, Finding> {
        let opened = match &self.opened {
            Some(opened) => opened.clone(),
            None => self.read(context),
        };
        opened.map_err(|error| error.at_path(&self.path))
    }

    fn read(&self, context: &Context<'_>) -> Result<Arc<Archive>, Finding> {
        context.cancel.check()?;
        let bytes: Box<dyn ReadAt> = match &self.origin {
            Origin::File(file) => {
                check_regular(file)?;
                Box::new(file.clone())
            }
            Origin::Within(outer, index) => {
                nested::content(&context.system, outer, *index, outer.file_len())?
            }
            Origin::Path | Origin::Loose => bytes(&context.system, &self.path)?,
        };
        Ok(Arc::new(Archive::read_source(bytes, context.open, Some(&self.path))?))
    }

    /// The length of its file or entry, or 0 if the length is unknown.
    pub(crate) fn len(&self, system: &System) -> u64 {
        let len = match (&self.origin, &self.opened) {
            (Origin::Loose, Some(Ok(archive))) => Some(archive.file_len()),
            (Origin::File(file), Some(Ok(_)) | None) => file.size().ok(),
            (Origin::Within(outer, index), _) => outer.entry(*index).map(|entry| entry.size()),
            _ if nested::split(&self.path).is_some() => {
                bytes(system, &self.path).ok().and_then(|bytes| bytes.size().ok())
            }
            _ => fs::metadata(&self.path).ok().map(|found| found.len()),
        };
        len.unwrap_or(0)
    }

    /// The archive of a directory's files, or of a file that is an entry of its own.
    pub(super) fn loose(&self) -> Option<&Archive> {
        match (&self.origin, &self.opened) {
            (Origin::Loose, Some(Ok(archive))) => Some(archive),
            _ => None,
        }
    }

    /// The directory whose files are its entries, if it is one.
    pub(crate) fn as_directory(&self) -> Option<&Path> {
        let archive = self.loose()?;
        loose_file(archive).is_none().then_some(&*self.path)
    }

    /// Whether it is a file that is no archive.
    pub(crate) fn is_loose_file(&self) -> bool {
        self.loose().is_some_and(|archive| loose_file(archive).is_some())
    }

    /// The paths of the files that contain it.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        if let Some(archive) = self.loose() {
            let paths = archive.entries().filter_map(|entry| entry.path());
            return paths.map(Path::to_path_buf).collect();
        }
        match nested::split(&self.path) {
            Some(within) => vec![within.file],
            None => vec![self.path.clone()],
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A device may take the place of a file while a search is under way.
    #[test]
    fn an_open_device_is_refused() {
        let context = Context::new();
        let null = context.system.open(Path::new("/dev/null")).unwrap();
        assert!(check_regular(&null).is_err());
        let program = std::env::current_exe().unwrap();
        let program = context.system.open(&program).unwrap();
        assert!(check_regular(&program).is_ok());
    }
}
