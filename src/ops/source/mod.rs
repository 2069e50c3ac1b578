//! Finds and opens the archives that the user named.
//!
//! | file        | job                                                                          |
//! |-------------|------------------------------------------------------------------------------|
//! | `search`    | from paths to archives: directories, archives within archives                |
//! | `directory` | a directory whose files are entries                                           |
//! | `recognize` | whether a file is an archive, and why something is not taken for one        |
//! | `nested`    | archives within archives                                                     |
//! | `input`     | an archive to read, and how it is opened                                     |
//! | `named`     | finds the entry that a name means, and suggests names for a wrong one         |
//!
//! A file that the user named must be an archive; where entries are shown, any other file is an entry of its own. A
//! directory is searched for archives, and is one itself if it has none. `-` is standard input. Inputs have the order of
//! the arguments. Archives in a directory are sorted by name, so that a run does not depend on the order in which a disk
//! lists files.

pub(crate) mod directory;
mod input;
pub(crate) mod named;
pub(crate) mod nested;
pub(crate) mod recognize;
mod search;

use std::cell::LazyCell;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use crate::fs::is_standard_input;
use crate::ops::context::Context;
use crate::ops::finding::Finding;
use crate::ops::selection::is_glob;
use crate::ops::source::recognize::{is_archive_file, is_input_file};

pub use self::input::Input;
pub(crate) use self::input::{check_one, file, one, open};
pub use self::named::Wanted;
pub use self::nested::DEPTH_MAX;
pub use self::recognize::{is_loose_file, is_named_as_archive};
pub(crate) use self::search::{How, Search};
pub use super::selection::Selection;

/// Runs `work`, which opens an archive, for each input on all threads, and hands the results on in order, until `take`
/// ends it. An error is handed on as an input that could not be read.
pub(crate) fn for_each<'i, R: Send>(
    context: &Context<'_>,
    inputs: impl IntoIterator<Item = &'i Input>,
    work: impl Fn(&'i Input) -> Result<R, Finding> + Sync,
    mut take: impl FnMut(&'i Input, Result<R, Finding>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let inputs: Vec<&Input> = inputs.into_iter().collect();
    let bytes = inputs.iter().map(|input| input.len(&context.system));
    context.observer.archives(inputs.len() as u64, bytes.fold(0, u64::saturating_add));
    let work = |input: &'i Input| {
        let result = work(input);
        context.observer.archive_done(input.len(&context.system));
        (input, result.map_err(|error| Finding::unread(&input.path, error.at_path(&input.path))))
    };
    let window = ARCHIVES_A_THREAD * context.pool.threads();
    context.pool.in_order(inputs, window, work, |(input, result)| {
        // Incomplete results are not handed on.
        if context.cancel.is_set() {
            return ControlFlow::Break(());
        }
        take(input, result)
    })
}

/// How many archives per thread may wait for one before them. Their rows take memory.
const ARCHIVES_A_THREAD: usize = 16;

/// An error for each name that was given and that no entry of these archives has. None if an archive cannot be read,
/// because that one might have it.
pub(crate) fn missing_names(
    context: &Context<'_>,
    found: &Search,
    selection: &Selection,
) -> Vec<Finding> {
    if !selection.has_names() || !found.findings.is_empty() {
        return Vec::new();
    }
    let looked_at = context.pool.map(&found.inputs, |input| {
        input.open(context).map(|archive| selection.entries(&archive).len())
    });
    let (mut errors, mut names) = (Vec::new(), Vec::new());
    let missing: Vec<&[u8]> = selection.unmatched_names().collect();
    if looked_at.iter().any(Result::is_err) || missing.is_empty() {
        return Vec::new();
    }
    for archive in found.inputs.iter().filter_map(|input| input.open(context).ok()) {
        names.extend(named::names_of(&archive));
    }
    for (number, name) in missing.into_iter().enumerate() {
        let names = names.iter().filter(|_| number < named::SUGGESTED).cloned();
        let error = named::not_found(name, names, true);
        errors.push(match found.inputs.as_slice() {
            [only] => error.at_path(&only.path),
            _ => error,
        });
    }
    errors
}

/// Divides arguments into paths of archives and names of entries. Names come after the first archive, and
/// [`Selection::with_names`] selects the entries.
///
/// | an argument after the first archive, in this order                      | what it is |
/// |--------------------------------------------------------------------------|------------|
/// | begins with `./`                                                         | a path     |
/// | a file of this path begins like an archive                               | a path     |
/// | the first archive has an entry or a folder of this name                  | a name     |
/// | a file of this path would be named like an archive                       | a path     |
/// | a glob                                                                   | a name     |
/// | a directory of this path, or a file, which is reported as no archive     | a path     |
/// | anything else                                                            | a name     |
///
/// If the first archive is a directory, its files count as its entries for this, and nothing in it is opened. The entries
/// of standard input are not known.
#[must_use]
pub fn arguments(context: &Context<'_>, words: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let Some((first, others)) = words.split_first() else {
        return (Vec::new(), Vec::new());
    };
    let first_is_no_archive = !is_archive_file(first).unwrap_or(true);
    // It is opened when it is first asked for a name.
    let archive = LazyCell::new(|| open(&context.system, first, context.open).ok());
    let has = |word: &Path| {
        if is_standard_input(first) {
            return false;
        }
        if first.is_dir() {
            // A name that leads out of the directory is none of its files'.
            let mut parts = word.components();
            return parts.all(|part| matches!(part, Component::Normal(_)))
                && first.join(word).exists();
        }
        let selection = Selection::all().with_names([word.as_os_str().as_encoded_bytes()]);
        archive.as_ref().is_some_and(|archive| !selection.entries(archive).is_empty())
    };
    let (mut paths, mut names) = (vec![first.clone()], Vec::new());
    for word in others {
        let bytes = word.as_os_str().as_encoded_bytes();
        // After an archive, a map is a file like any other.
        let is_archive =
            if first_is_no_archive { is_input_file(context, word) } else { is_archive_file(word) };
        let is_path = if bytes.starts_with(b"./") || is_archive.unwrap_or(false) {
            true
        } else if is_named_as_archive(word) && !is_glob(bytes) && !word.is_dir() {
            // An entry can have the name of an archive that does not exist, or is damaged.
            !has(word)
        } else {
            !is_glob(bytes) && !has(word) && !is_standard_input(first) && word.exists()
        };
        if is_path {
            paths.push(word.clone());
        } else {
            names.push(word.clone());
        }
    }
    (paths, names)
}
