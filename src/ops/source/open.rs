//! An archive that is to be read, and how it is opened, by itself or inside others.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::directory::loose_file;
use super::nested::{self, DEPTH_MAX, Within};
use crate::archive::error::ErrorKind;
use crate::archive::{Archive, ReadAt, ReadOptions};
use crate::fs::{Source, System, is_standard_input};
use crate::ops::context::Context;
use crate::ops::finding::{Finding, Meaning, check_unchanged};

/// Waits for all of standard input, if the path means that, or until the user stops the operation.
pub(super) fn receive(context: &Context<'_>, path: &Path) -> Result<(), Finding> {
    if is_standard_input(path) {
        let system = &context.system;
        let received = system.standard_input_until(|| context.cancel.is_set());
        context.cancel.check()?;
        received.map_err(Finding::from_io)?;
    }
    Ok(())
}

/// Refuses a directory where one archive is expected.
pub(in crate::ops) fn check_one(path: &Path) -> Result<(), Finding> {
    if path.is_dir() { Err(one_expected(path)) } else { Ok(()) }
}

/// The error for a directory that is searched for archives where one archive is expected.
pub(super) fn one_expected(path: &Path) -> Finding {
    let why = "this is a directory, but exactly one archive is expected";
    Finding::error(why).advice("name an archive in it").means(Meaning::Unread).at_path(path)
}

/// Opens the archive at `path`.
pub(in crate::ops) fn open(
    system: &System,
    path: &Path,
    options: ReadOptions,
) -> Result<Archive, Finding> {
    bytes(system, path)
        .and_then(|bytes| {
            let archive = Archive::read_source(bytes, options, Some(path))?;
            archive.check_headers()?;
            Ok(archive)
        })
        .map_err(|error| error.at_path(path))
}

/// The bytes of the archive at `path`.
pub(super) fn bytes(system: &System, path: &Path) -> Result<Box<dyn ReadAt>, Finding> {
    if let Some(within) = nested::split(path) {
        return within_others(system, &within);
    }
    if is_standard_input(path) {
        return Ok(Box::new(system.standard_input().map_err(Finding::from_io)?));
    }
    Ok(Box::new(file(system, path)?))
}

/// Opens a regular file.
pub(in crate::ops) fn file(system: &System, path: &Path) -> Result<Source, Finding> {
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
    let mut names = within.names.iter().peekable();
    while let Some(name) = names.next() {
        let index = nested::find(&outer, name)?;
        let content = nested::content(system, &outer, index, file_len)?;
        if names.peek().is_none() {
            return Ok(content);
        }
        path = nested::join(&path, name);
        let archive = Archive::read_source(content, ReadOptions::default(), Some(&path));
        outer = Arc::new(archive.map_err(|error| error.at_path(&path))?);
    }
    Err(ErrorKind::NotAFile.into())
}

/// The most entries that waiting archives may have together to stay in memory.
const ENTRIES_KEPT: usize = 1 << 15;

/// The archives that wait for their turn. As many files stay open as the system allows. If they are small, they are not
/// read twice.
#[derive(Debug, Default)]
pub(in crate::ops) struct Waiting {
    archives: AtomicUsize,
    entries: AtomicUsize,
}

impl Waiting {
    /// Sets an input aside until its turn.
    pub(in crate::ops) fn add(&self, context: &Context<'_>, input: &mut Input) {
        let waiting = self.archives.fetch_add(1, Relaxed);
        let stays_open = waiting < context.system.files_kept_open();
        let entries = input.entries_in_memory();
        let is_kept = stays_open && self.entries.load(Relaxed) + entries <= ENTRIES_KEPT;
        if is_kept {
            self.entries.fetch_add(entries, Relaxed);
        }
        input.set_aside(is_kept, stays_open);
    }

    /// The input has its turn.
    pub(in crate::ops) fn remove(&self, input: &Input) {
        self.archives.fetch_sub(1, Relaxed);
        self.entries.fetch_sub(input.entries_in_memory(), Relaxed);
    }
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
    pub(super) bytes: InputBytes,
}

/// What an input is read from.
#[derive(Debug, Clone)]
pub(super) enum InputBytes {
    /// The file at its path, which is not open yet.
    Path,
    /// The file, which the search has opened.
    File(Source),
    /// An entry of another archive.
    Entry(Arc<Archive>, usize),
    /// The file, and the archive that the search has found in it.
    Archive(Source, Arc<Archive>),
    /// A directory whose files are the entries, or a file that is an entry of its own.
    Loose(Arc<Archive>),
    /// The search could not open it.
    Failed(Finding),
    /// It is named like an archive and is none.
    Ruined(Finding),
}

impl Input {
    /// Opens the archive, or returns it if the search has opened it. It must not have changed since.
    pub(in crate::ops) fn open(&self, context: &Context<'_>) -> Result<Arc<Archive>, Finding> {
        self.check(self.opened(context), true)
    }

    /// Opens the archive. One that the search has just opened is not compared with its file. Local headers of a ZIP are
    /// read only if `headers` is set.
    pub(super) fn open_at_once(
        &self,
        context: &Context<'_>,
        headers: bool,
    ) -> Result<Arc<Archive>, Finding> {
        let opened = match &self.bytes {
            InputBytes::Archive(_, archive) => Ok(Arc::clone(archive)),
            _ => self.opened(context),
        };
        self.check(opened, headers)
    }

    fn check(
        &self,
        opened: Result<Arc<Archive>, Finding>,
        headers: bool,
    ) -> Result<Arc<Archive>, Finding> {
        let checked = opened.and_then(|archive| {
            if headers {
                archive.check_headers()?;
            }
            Ok(archive)
        });
        checked.map_err(|error| error.at_path(&self.path))
    }

    fn opened(&self, context: &Context<'_>) -> Result<Arc<Archive>, Finding> {
        context.cancel.check()?;
        let bytes: Box<dyn ReadAt> = match &self.bytes {
            InputBytes::Path => bytes(&context.system, &self.path)?,
            InputBytes::File(file) => {
                check_regular(file)?;
                Box::new(file.clone())
            }
            InputBytes::Entry(outer, index) => {
                nested::content(&context.system, outer, *index, outer.file_len())?
            }
            InputBytes::Archive(_, archive) => {
                check_unchanged(archive)?;
                return Ok(Arc::clone(archive));
            }
            InputBytes::Loose(archive) => return Ok(Arc::clone(archive)),
            InputBytes::Failed(error) | InputBytes::Ruined(error) => return Err(error.clone()),
        };
        let archive = Archive::read_source(bytes, context.open, Some(&self.path))?;
        Ok(Arc::new(archive))
    }

    /// Prepares the input for the time until its turn: forgets the archive unless it `is_kept`, and closes the file
    /// unless it `stays_open`. The next read opens it again, and fails if another file has taken its place.
    pub(super) fn set_aside(&mut self, is_kept: bool, stays_open: bool) {
        if let InputBytes::Archive(file, _) = &self.bytes
            && !is_kept
        {
            self.bytes = InputBytes::File(file.clone());
        }
        if let InputBytes::File(file) = &self.bytes
            && !stays_open
            && file.close().is_err()
        {
            self.bytes = InputBytes::Path;
        }
    }

    /// How many entries of it are in memory.
    pub(super) fn entries_in_memory(&self) -> usize {
        match &self.bytes {
            InputBytes::Archive(_, archive) => archive.len(),
            _ => 0,
        }
    }

    /// The length of its file or entry, or 0 if the length is unknown.
    pub(in crate::ops) fn len(&self, system: &System) -> u64 {
        let len = match &self.bytes {
            InputBytes::Path if nested::split(&self.path).is_some() => {
                bytes(system, &self.path).ok().and_then(|bytes| bytes.size().ok())
            }
            InputBytes::Path | InputBytes::Failed(_) | InputBytes::Ruined(_) => {
                fs::metadata(&self.path).ok().map(|found| found.len())
            }
            InputBytes::File(file) | InputBytes::Archive(file, _) => file.size().ok(),
            InputBytes::Entry(outer, index) => outer.entry(*index).map(|entry| entry.size()),
            InputBytes::Loose(archive) => Some(archive.file_len()),
        };
        len.unwrap_or(0)
    }

    /// A directory whose files are the entries, or a file that is an entry of its own. The user named it.
    pub(super) fn of_loose(path: &Path, relative: PathBuf, archive: Archive) -> Self {
        Self {
            path: path.to_path_buf(),
            relative,
            found: false,
            bytes: InputBytes::Loose(Arc::new(archive)),
        }
    }

    /// Whether it is a directory with more files than this.
    pub(super) fn holds_more_than(&self, files: usize) -> bool {
        matches!(&self.bytes, InputBytes::Loose(archive) if archive.len() > files)
    }

    /// The directory whose files are its entries, if it is one.
    pub(in crate::ops) fn as_directory(&self) -> Option<&Path> {
        match &self.bytes {
            InputBytes::Loose(archive) if loose_file(archive).is_none() => Some(&self.path),
            _ => None,
        }
    }

    /// Whether it is a file that is no archive.
    pub(in crate::ops) fn is_loose_file(&self) -> bool {
        matches!(&self.bytes, InputBytes::Loose(archive) if loose_file(archive).is_some())
    }

    /// Whether it is named like an archive and is none.
    pub(in crate::ops) fn is_ruined(&self) -> bool {
        matches!(self.bytes, InputBytes::Ruined(_))
    }

    /// The paths of the files that contain it.
    pub(in crate::ops) fn files(&self) -> Vec<PathBuf> {
        match &self.bytes {
            InputBytes::Loose(archive) => {
                let paths = archive.entries().filter_map(|entry| entry.path());
                paths.map(Path::to_path_buf).collect()
            }
            _ => match nested::split(&self.path) {
                Some(within) => vec![within.file],
                None => vec![self.path.clone()],
            },
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
