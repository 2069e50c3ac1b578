//! A directory that is read as an archive: its files are the entries.
//!
//! | in the directory                                            | as an entry                           |
//! |--------------------------------------------------------------|---------------------------------------|
//! | a regular file                                               | its path from the directory is the name |
//! | a hidden file, or the litter of a system or an editor        | left out, and counted in one warning  |
//! | a symbolic link to a regular file in the directory           | that file, even a hidden one, under the name of the link |
//! | any other symbolic link, because it can lead anywhere        | left out, with a warning              |
//! | a pipe, a socket or a device                                 | left out, with a warning              |
//! | a temporary file of daisho                                   | left out, with a warning              |
//!
//! Entries have the order of their names as bytes, so they do not depend on the order in which a disk lists files.

use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, LooseFile, RawName, quoted_path};
use crate::fs::{System, archive_of, is_temporary};
use crate::ops::finding::{Finding, Help, Meaning, OTHER_OUTPUT, left_out};

/// What a walk meets below a directory.
pub(crate) enum Met {
    File {
        path: PathBuf,
        size: u64,
    },
    /// A hidden file, or litter.
    Hidden(PathBuf),
    /// Something that is no regular file: a warning.
    LeftOut(Finding),
    /// Something that cannot be examined: an error.
    Unreadable(Finding),
}

/// Walks through all files below `root`, in the order of their paths. With `hidden`, hidden files and litter are files
/// like all others.
pub(crate) fn walk(root: &Path, hidden: bool) -> impl Iterator<Item = Met> {
    let walk = WalkDir::new(root).min_depth(1).sort_by_file_name();
    walk.into_iter().filter_map(move |found| match found {
        Ok(entry) => meet(root, entry, hidden),
        Err(error) => {
            let path = error.path().unwrap_or(root).to_path_buf();
            if is_left_hidden(root, &path, hidden) {
                return None;
            }
            Some(unreadable(&error, &path))
        }
    })
}

/// What a walk has met. `None` for a directory, whose files come next.
fn meet(root: &Path, entry: DirEntry, hidden: bool) -> Option<Met> {
    let kind = entry.file_type();
    let is_left_hidden = is_left_hidden(root, entry.path(), hidden);
    if kind.is_file() && is_temporary(entry.file_name()) {
        let why = left_out("a temporary", "a run that was killed has left it");
        return Some(Met::LeftOut(why.at_path(entry.path())));
    }
    if kind.is_dir() || is_left_hidden && !kind.is_file() {
        return None;
    }
    if is_left_hidden {
        return Some(Met::Hidden(entry.into_path()));
    }
    if kind.is_symlink() {
        return Some(match linked_size(root, entry.path()) {
            Some(size) => Met::File { size, path: entry.into_path() },
            None => {
                let why = "it leads to no file in the directory that is read";
                let why = left_out("a symbolic link", why)
                    .many("symbolic links are left out: they lead to no file in the directory that is read");
                Met::LeftOut(why.means(Meaning::LeftOut).at_path(entry.path()))
            }
        });
    }
    if !kind.is_file() {
        let why = left_out("a pipe, socket or device", "only regular files are taken");
        return Some(Met::LeftOut(why.means(Meaning::LeftOut).at_path(entry.path())));
    }
    Some(match entry.metadata() {
        // A pipe may have taken its place.
        Ok(data) if !data.is_file() => {
            Met::Unreadable(Finding::from(ErrorKind::NotAFile).at_path(entry.path()))
        }
        Ok(data) => Met::File { size: data.len(), path: entry.into_path() },
        Err(error) => unreadable(&error, entry.path()),
    })
}

/// The size of the file that a link leads to. `None` if that is no regular file below `root`.
fn linked_size(root: &Path, link: &Path) -> Option<u64> {
    let root = crate::fs::canonicalize(root).ok()?;
    let file = crate::fs::canonicalize(link).ok().filter(|file| file.starts_with(root))?;
    let data = std::fs::metadata(file).ok().filter(|data| data.is_file())?;
    Some(data.len())
}

fn unreadable(error: &walkdir::Error, path: &Path) -> Met {
    Met::Unreadable(walk_error(error).at_path(path))
}

/// Why a walk could not read something. The finding has no place yet.
pub(super) fn walk_error(error: &walkdir::Error) -> Finding {
    // Without an error of the system, links lead in a circle. The walk follows none.
    Finding::from_io(match error.io_error().and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::ErrorKind::Other.into(),
    })
}

/// Whether something in a directory is left out because it is hidden.
fn is_left_hidden(root: &Path, path: &Path, hidden: bool) -> bool {
    let relative = below_root(root, path).as_os_str();
    !hidden && RawName::new(relative.as_encoded_bytes()).is_hidden()
}

/// The path of a file that was found in a directory, from there.
pub(crate) fn below_root<'p>(root: &Path, path: &'p Path) -> &'p Path {
    path.strip_prefix(root).unwrap_or(path)
}

/// The warning that these hidden files are left out of a directory.
pub(crate) fn left_hidden(files: &[PathBuf]) -> Option<Finding> {
    let first = files.first()?;
    let why = match files.len() {
        1 => "1 hidden or backup file is left out".to_owned(),
        count => format!("{count} hidden or backup files are left out, such as this one"),
    };
    Some(Finding::warning(why).at_path(first))
}

/// Opens a directory as an archive, whatever archives are in it. Returns warnings about files that are left out, too.
///
/// # Errors
/// If it has no files, or some cannot be examined. The warnings are among the findings.
pub(crate) fn open_directory(
    system: &System,
    root: &Path,
) -> Result<(Archive, Vec<Finding>), Vec<Finding>> {
    let (mut files, mut hidden, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    for met in walk(root, false) {
        match met {
            Met::File { path, size } => {
                files.push(LooseFile { name: entry_name(below_root(root, &path)), path, size })
            }
            Met::Hidden(path) => hidden.push(path),
            Met::LeftOut(finding) | Met::Unreadable(finding) => findings.push(finding),
        }
    }
    findings.extend(left_hidden(&hidden));
    if files.is_empty() && !findings.iter().any(Finding::is_error) {
        let why = "this directory holds no archive and no files";
        let error = Finding::error(why).help(Help::NewArchive).means(Meaning::Unread);
        findings.push(error.at_path(root));
    }
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    match archive_of(system, root, files) {
        Ok(archive) => Ok((archive, findings)),
        Err(error) => Err(vec![error.into()]),
    }
}

/// Opens a file that is no archive as an archive whose only entry it is.
///
/// # Errors
/// If it cannot be examined.
pub(super) fn open_loose_file(system: &System, path: &Path) -> Result<Archive, Finding> {
    let data = std::fs::metadata(path).map_err(Finding::from_io)?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let file = LooseFile {
        name: name.as_encoded_bytes().to_vec(),
        path: path.to_path_buf(),
        size: data.len(),
    };
    Ok(archive_of(system, path, vec![file])?)
}

/// The file that an archive was opened for, if it is a file that is no archive.
pub(crate) fn loose_file(archive: &Archive) -> Option<&Path> {
    let entry = archive.entry(0)?;
    let path = entry.path()?;
    // The path of a directory is never that of one of its files.
    (entry.is_file() && archive.path() == Some(path)).then_some(path)
}

/// The name of an entry for a path from the directory.
pub(crate) fn entry_name(relative: &Path) -> Vec<u8> {
    let mut name = Vec::new();
    for part in relative {
        if !name.is_empty() {
            name.push(b'/');
        }
        name.extend_from_slice(part.as_encoded_bytes());
    }
    name
}

/// The name of a directory: what its output would be called. `.` and `..` get the names of the directories that they
/// mean.
pub(super) fn directory_name(path: &Path) -> PathBuf {
    if let Some(name) = path.file_name() {
        return name.into();
    }
    let absolute = crate::fs::canonicalize(path).ok();
    match absolute.as_deref().and_then(Path::file_name) {
        Some(name) => name.into(),
        None => "files".into(),
    }
}

/// Refuses an output whose directory is `parent` if this lies in an input that is a directory: the next run would take
/// the output for one of its files. `parent` need not exist.
pub(crate) fn check_outside(input: &Path, parent: &Path, output: &Path) -> Result<(), Finding> {
    let directory = crate::fs::canonicalize(input);
    let directory = directory.map_err(|it| Finding::from_io(it).at_path(input))?;
    let parent = std::path::absolute(parent).map_err(|it| Finding::from_io(it).at_path(output))?;
    let existing = parent.ancestors().find_map(|above| crate::fs::canonicalize(above).ok());
    if !existing.is_some_and(|existing| existing.starts_with(directory)) {
        return Ok(());
    }
    let input = quoted_path(input);
    let why = format!("this lies in an input, {input}, and would be taken for one of its files");
    Err(Finding::error(why).advice(OTHER_OUTPUT).at_path(output))
}

/// The directory of a file that is to be written.
pub(crate) fn parent_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The error if no output is named for the files of a directory.
pub(crate) fn needs_output(directory: &Path) -> Finding {
    let why = "this directory is read as an archive, and its files need an output that is named";
    Finding::error(why).help(Help::NameOutput).at_path(directory)
}
