//! Looks at one thing in a directory that is searched. Several threads do this at the same time.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use walkdir::DirEntry;

use super::directory::walk_error;
use super::open::{Input, InputBytes};
use super::passed_over::PassedOver;
use super::recognize::{Recognized, is_named_as_archive, look};
use crate::fs::is_temporary;
use crate::ops::context::Context;
use crate::ops::finding::Finding;

/// What a search has seen at a path in a directory.
pub(super) enum Looked {
    Archive(Input),
    /// A file that is named like an archive but is none.
    Ruined(Input),
    PassedOver(PathBuf, PassedOver),
    /// `--exclude-archive` leaves it out.
    LeftOut,
    Unreadable(PathBuf, Finding),
    /// A file that could not be opened, and that is not named like an archive.
    Unopened(PathBuf, Finding),
    /// Nothing that a search takes or reports.
    Other,
}

/// Looks at what is in a directory. Several threads share it.
pub(super) struct Looker<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) root: &'a Path,
    /// Whether the directory comes from a list.
    pub(super) listed: bool,
}

impl Looker<'_> {
    /// Looks at what a walk has met, or could not read.
    pub(super) fn look(&self, met: &Result<DirEntry, (PathBuf, Finding)>) -> Looked {
        let entry = match met {
            Ok(entry) => entry,
            Err((path, error)) => return Looked::Unreadable(path.clone(), error.clone()),
        };
        if entry.depth() == 0 {
            return Looked::Other;
        }
        let path = entry.path();
        let is_file = entry.file_type().is_file();
        if is_file && (is_temporary(entry.file_name()) || is_previous_version(path)) {
            return Looked::Other;
        }
        if leaves_out(self.context, path.strip_prefix(self.root).unwrap_or(path)) {
            return Looked::LeftOut;
        }
        let is_link = entry.path_is_symlink();
        match look(&self.context.system, path, is_link, is_file) {
            Ok(Recognized::Archive(file)) => {
                let mut input = self.found(path, InputBytes::File(file.clone()));
                input.bytes = match input.open(self.context) {
                    Ok(archive) => InputBytes::Archive(file, archive),
                    Err(error) => InputBytes::Failed(error),
                };
                Looked::Archive(input)
            }
            Ok(Recognized::Ruined(error)) => {
                Looked::Ruined(self.found(path, InputBytes::Ruined(error.at_path(path))))
            }
            Ok(Recognized::PassedOver(why)) => Looked::PassedOver(path.to_path_buf(), why),
            Ok(Recognized::Other) => Looked::Other,
            // In a snapshot it is an unreadable archive.
            Err(error) if is_file && is_named_as_archive(path) => {
                let failed = InputBytes::Failed(Finding::from_io(error).at_path(path));
                Looked::Archive(self.found(path, failed))
            }
            Err(error) if is_file => Looked::Unopened(path.to_path_buf(), Finding::from_io(error)),
            Err(error) => Looked::Unreadable(path.to_path_buf(), Finding::from_io(error)),
        }
    }

    /// What the search has found at a path.
    fn found(&self, path: &Path, bytes: InputBytes) -> Input {
        let relative = path.strip_prefix(self.root).unwrap_or(path);
        Input {
            path: path.to_path_buf(),
            relative: if self.listed {
                folders_of(self.root).join(relative)
            } else {
                relative.to_path_buf()
            },
            found: true,
            bytes,
        }
    }
}

/// Whether `--exclude-archive` leaves out this path, which is relative to the searched directory.
pub(super) fn leaves_out(context: &Context<'_>, relative: &Path) -> bool {
    context.leaves_out(relative.as_os_str().as_encoded_bytes())
}

/// The path below an output directory for a path from a list: without the root, and without everything up to the last
/// `..`.
pub(super) fn folders_of(path: &Path) -> PathBuf {
    let mut folders = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => folders.push(part),
            Component::ParentDir => folders = PathBuf::new(),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    folders
}

/// Whether this file is the previous version of an archive beside it, kept by an edit.
fn is_previous_version(path: &Path) -> bool {
    // The rest of the name need not be UTF-8.
    let Some(extension) = path.extension().and_then(OsStr::to_str) else {
        let name = path.file_name().and_then(OsStr::to_str);
        let archive = name.and_then(|name| name.strip_suffix('~'));
        return archive.is_some_and(|archive| path.with_file_name(archive).is_file());
    };
    let archive = extension.strip_suffix('~');
    archive.is_some_and(|extension| path.with_extension(extension).is_file())
}

/// What could not be read in a directory, and why.
pub(super) fn unread(error: walkdir::Error, root: &Path) -> (PathBuf, Finding) {
    let path = error.path().unwrap_or(root).to_path_buf();
    (path, walk_error(error))
}
