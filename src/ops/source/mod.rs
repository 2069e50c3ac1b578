//! From what a user typed to opened archives.
//!
//! | file        | job                                                                          |
//! |-------------|------------------------------------------------------------------------------|
//! | `search`    | from paths to archives: directories, archives within archives                |
//! | `recognize` | whether a file is an archive, by its beginning and its end                   |
//! | `passed_over` | why something is not taken for an archive                                  |
//! | `nested`    | archives within archives                                                     |
//! | `open`      | an archive to read, and how it is opened                                     |
//! | `named`     | finds the entry that a name means, and suggests names for a wrong one         |
//! | `select`    | from globs to entries                                                        |
//!
//! A file that was named is an input whatever it holds: if it is no archive, that is an error. A directory is
//! searched; if it holds no archive, that is an error, too. `-` is standard input. Inputs come in the order of the
//! arguments, and in a directory in the order of their names, so that a run does not depend on how a disk lists its
//! files.

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

use self::named::beside;
use self::recognize::{is_named_as_archive, is_pak};
use self::select::is_glob;
use super::context::{Context, Refusal};
use super::finding::{Finding, Notice, no_such_file};
use super::row::Delivery;
use crate::archive::Archive;
use crate::fs::is_standard_input;

pub use self::named::Wanted;
pub use self::nested::DEPTH_MAX;
pub use self::open::{Input, Inputs};
pub(in crate::ops) use self::open::{check_one, file, one, open};
pub use self::select::Selection;

/// Finds all archives that `paths` mean; they are `listed` if they come from a list. Then even a single path
/// is one of several, and each keeps its own folders below an output directory, so that lists that share a
/// collection give the same outputs as one list.
///
/// A search does not enter the directory `skip`: that of the output, so that a second run does not read what
/// the first one has written. A path that cannot be read becomes a finding, and the search goes on.
pub(in crate::ops) fn all(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    listed: bool,
    skip: Option<&Path>,
) -> Inputs {
    let mut archives = Vec::new();
    let mut found = search::run(context, paths, listed, skip, &mut |mut input| {
        input.close();
        archives.push(input);
        ControlFlow::Continue(None)
    });
    found.archives = archives;
    found
}

/// Opens one archive after another and lends it to `visit`, until a stop is asked for. Reports what cannot be
/// opened, and what a search has passed over.
pub(in crate::ops) fn each(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    out: &mut Delivery<'_>,
    visit: &mut dyn FnMut(&Input, &Archive, &mut Delivery<'_>),
) {
    let mut unread = Vec::new();
    let found = search::run(context, paths, false, None, &mut |input| {
        if context.cancel.is_set() {
            return ControlFlow::Break(());
        }
        match input.open(context) {
            Ok(archive) => {
                out.summary.archives += 1;
                visit(&input, &archive, out);
                ControlFlow::Continue(Some(archive))
            }
            Err(error) => {
                unread.push(Finding::unread(input.path, error));
                ControlFlow::Continue(None)
            }
        }
    });
    let passed_over: Vec<Finding> = found.warnings().collect();
    out.findings(found.findings);
    out.findings(passed_over);
    out.findings(unread);
}

/// Refuses paths that lead nowhere, before anything is written: the user may have meant another file, or an
/// entry if `entries` can be named behind an archive.
pub(in crate::ops) fn check_missing(
    paths: &[impl AsRef<Path>],
    entries: bool,
) -> Result<(), Refusal> {
    let mut missing = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let looked = fs::metadata(path);
        if is_standard_input(path)
            || !looked.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
            // Windows says so of a path that leads into a file, too.
            || nested::split(path).is_some()
        {
            continue;
        }
        let notice = match entries && paths.len() > 1 {
            true => Notice::NoSuchFileOrEntry,
            false => Notice::NoSuchFile,
        };
        missing.push(no_such_file(notice, path, beside(path).as_deref()));
    }
    Refusal::if_any(missing)
}

/// Tells archives from the names of entries in them, which follow the first archive.
///
/// An argument is a path if it is an archive, or if its extension is that of one. Any other is a name if an
/// entry or a folder in one of the archives has it, or if no file does; a glob needs no entry. After a directory,
/// whose archives are not searched for this, only globs are names.
/// [`Selection::with_names`] selects these entries.
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
    let mut is_archive = vec![true];
    for word in others {
        is_archive.push(is_pak(word).unwrap_or(false));
    }
    if !is_archive.contains(&false) {
        return (words.to_vec(), Vec::new());
    }
    let mut archives = Vec::new();
    for (path, is_archive) in words.iter().zip(&is_archive) {
        // Standard input is read once, and not to find this out.
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
        match is_archive || !is_name(word, &archives, reads_standard_input) {
            true => paths.push(word.clone()),
            false => names.push(word.clone()),
        }
    }
    (paths, names)
}

/// Whether an argument is a glob, and no file has its name.
fn is_new_glob(word: &Path) -> bool {
    word.to_str().is_some_and(is_glob) && fs::symlink_metadata(word).is_err()
}

/// Whether an argument that is no archive is the name of an entry. The entries of standard input are not known.
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
