//! Which arguments are paths of archives, and which are names of entries.

use std::fs;
use std::path::{Path, PathBuf};

use super::named::is_glob;
use super::nested;
use super::open::open;
use super::recognize::{is_named_as_archive, is_pak};
use super::select::Selection;
use crate::archive::Archive;
use crate::fs::is_standard_input;
use crate::ops::context::Context;

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
