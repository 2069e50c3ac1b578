//! Finds and opens the archives that the user named.
//!
//! | file        | job                                                                          |
//! |-------------|------------------------------------------------------------------------------|
//! | `search`    | from paths to archives: directories, archives within archives                |
//! | `recognize` | whether a file is an archive, by its beginning and its end                   |
//! | `inputs`    | all archives of a run                                                        |
//! | `passed_over` | why something is not taken for an archive                                  |
//! | `nested`    | archives within archives                                                     |
//! | `open`      | an archive to read, and how it is opened                                     |
//! | `named`     | finds the entry that a name means, and suggests names for a wrong one         |
//! | `select`    | from globs to entries                                                        |
//! | `glob`      | what a glob means                                                            |
//!
//! A file that the user named must be an archive. A directory is searched, and must hold an archive. `-` is standard
//! input. Inputs have the order of the arguments. Archives in a directory are sorted by name, so that a run does not
//! depend on the order in which a disk lists files.

mod glob;
mod inputs;
pub(in crate::ops) mod named;
pub(in crate::ops) mod nested;
mod open;
pub(in crate::ops) mod passed_over;
pub(in crate::ops) mod recognize;
mod search;
mod select;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use self::named::{beside, leads_into_file};
use self::recognize::{is_archive_file, is_input_file, is_named_as_archive};
use self::select::is_glob;
use super::context::{Context, Refusal};
use super::finding::{no_such_file, no_such_file_or_entry};
use crate::archive::Archive;
use crate::fs::is_standard_input;

pub(in crate::ops) use self::inputs::Inputs;
pub use self::named::Wanted;
pub use self::nested::DEPTH_MAX;
pub use self::open::Input;
pub(in crate::ops) use self::open::{check_one, file, one, open};
pub(in crate::ops) use self::search::Found;
pub use self::select::Selection;

/// How many finished archives per thread may wait for the archives before them.
const ARCHIVES_A_THREAD: usize = 16;

/// Runs `work` on each archive, on all threads, and passes the results to `deliver` in order, until `deliver` ends it.
pub(in crate::ops) fn for_each<A: Sync, R: Send>(
    context: &Context<'_>,
    archives: &[A],
    work: impl Fn(&A) -> R + Sync,
    mut deliver: impl FnMut(R) -> ControlFlow<()>,
) -> ControlFlow<()> {
    context.observer.archives(archives.len() as u64);
    let work = |archive: &A| {
        let result = work(archive);
        context.observer.archive_done();
        result
    };
    // A few at a time, so that not all results wait for one archive.
    for some in archives.chunks(ARCHIVES_A_THREAD * context.pool.threads()) {
        context.pool.in_order(some, work, &mut deliver)?;
    }
    ControlFlow::Continue(())
}

/// Refuses paths that do not exist, before anything is written. The user may have meant another file, or an entry if
/// the operation takes the names of `entries` after an archive.
pub(in crate::ops) fn check_missing(
    paths: &[impl AsRef<Path>],
    entries: bool,
) -> Result<(), Refusal> {
    let mut missing = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if is_standard_input(path) || nested::split(path).is_some() {
            continue;
        }
        let Err(error) = fs::metadata(path) else {
            continue;
        };
        // Windows says that a path into a file is not found.
        let is_into_file = leads_into_file(path);
        if error.kind() != io::ErrorKind::NotFound && !is_into_file {
            continue;
        }
        let near = beside(path);
        missing.push(if entries && (paths.len() > 1 || is_into_file) {
            no_such_file_or_entry(path, near.as_deref())
        } else {
            no_such_file(path, near.as_deref())
        });
    }
    Refusal::if_any(missing)
}

/// Divides arguments into paths of archives and names of entries. Names come after the first archive.
///
/// An argument is a path if it is an archive. Any other argument is a name if one of the archives has an entry or a
/// folder of this name. If none has, it is still a name if there is no such file and the argument does not have an
/// archive's extension. A glob is a name, too. If the first argument is a directory, its archives are not opened for
/// this, and only globs are names. [`Selection::with_names`] selects the named entries.
#[must_use]
pub fn arguments(context: &Context<'_>, words: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let Some((first, others)) = words.split_first() else {
        return (Vec::new(), Vec::new());
    };
    let is_directory = fs::metadata(first).map(|found| found.is_dir());
    let is_file = is_standard_input(first) || nested::split(first).is_some();
    if !is_file && is_directory.unwrap_or(true) {
        let (names, mut paths): (Vec<PathBuf>, Vec<PathBuf>) =
            others.iter().cloned().partition(|word| is_new_glob(word));
        paths.insert(0, first.clone());
        return (paths, names);
    }
    // After an archive a map is a file like any other.
    let is_first_archive = is_archive_file(first).unwrap_or(true);
    let mut is_archive = vec![true];
    for word in others {
        let found = if is_first_archive {
            is_archive_file(word)
        } else {
            is_input_file(context, word)
        };
        is_archive.push(found.unwrap_or(false));
    }
    if !is_archive.contains(&false) {
        return (words.to_vec(), Vec::new());
    }
    let mut archives = Vec::new();
    for (path, is_archive) in words.iter().zip(&is_archive) {
        // Standard input can be read only once, so it is not opened here.
        if *is_archive
            && !is_standard_input(path)
            && let Ok(archive) = open(&context.system, path, context.open)
        {
            archives.push(archive);
        }
    }
    let (mut paths, mut names) = (Vec::new(), Vec::new());
    let reads_standard_input = words.iter().any(|word| is_standard_input(word));
    for (word, is_archive) in words.iter().zip(is_archive) {
        if is_archive || !is_name(word, &archives, reads_standard_input) {
            paths.push(word.clone())
        } else {
            names.push(word.clone())
        }
    }
    (paths, names)
}

/// Whether an argument is a glob, and no file has its name.
fn is_new_glob(word: &Path) -> bool {
    is_glob(word.as_os_str().as_encoded_bytes()) && fs::symlink_metadata(word).is_err()
}

/// Whether an argument that is not an archive is the name of an entry. The entries of standard input are not known.
fn is_name(word: &Path, archives: &[Archive], reads_standard_input: bool) -> bool {
    let bytes = word.as_os_str().as_encoded_bytes();
    let selection = Selection::all().with_names([bytes]);
    for archive in archives {
        if archive.entries().any(|entry| selection.picks(entry.name())) {
            return true;
        }
    }
    let is_missing = fs::symlink_metadata(word).is_err();
    (is_missing || reads_standard_input) && (!is_named_as_archive(word) || bytes.contains(&b'*'))
}
