//! Chooses the directory of each extracted archive.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::archive::{RawName, SafePath};
use crate::ops::source::Input;

/// The directory for each of these archives, relative to the root.
///
/// Archives whose names differ only in the extension, such as `pak0.pak` and `pak0.bak`, would share a directory.
/// One of them gets it: the one without an extension, otherwise the `.pak`, otherwise the first. Each of the others
/// gets a directory with its whole name. So the same archives have the same directories in every
/// run. Archives with the same whole name still share a directory, and are refused later.
pub(crate) fn folders_of(archives: &[Input]) -> Vec<PathBuf> {
    let mut owners: HashMap<PathBuf, &Input> = HashMap::new();
    for input in archives.iter().filter(|input| !input.is_loose_file()) {
        let owner = owners.entry(base(input)).or_insert(input);
        if claim(owner) < claim(input) {
            *owner = input;
        }
    }
    let mut folders = Vec::with_capacity(archives.len());
    for input in archives {
        if input.is_loose_file() {
            folders.push(folder_of(input).to_path_buf());
            continue;
        }
        let base = base(input);
        // Some file systems take names for the same that differ only in case.
        let owner = owners.get(&base).copied().unwrap_or(input).relative.as_os_str();
        let is_owner = owner.eq_ignore_ascii_case(&input.relative);
        folders.push(if is_owner { base } else { input.relative.clone() });
    }
    folders
}

/// The rank of an archive among others with the same stem: the best one gets the directory.
fn claim(input: &Input) -> u8 {
    match input.relative.extension() {
        None => 2,
        Some(extension) if extension.eq_ignore_ascii_case("pak") => 1,
        Some(_) => 0,
    }
}

/// The directory of an archive that is extracted alone, below the root.
fn base(input: &Input) -> PathBuf {
    // A stem can be `..` (of `...pak`), or a name that another system refuses. A whole name is always usable.
    let stem = input.relative.file_stem().filter(|stem| {
        let stem = stem.as_encoded_bytes();
        SafePath::try_from(RawName::new(stem)).is_ok_and(|path| path.as_bytes() == stem)
    });
    let name = stem.or_else(|| input.relative.file_name());
    folder_of(input).join(name.unwrap_or_default())
}

/// The directory that a loose file goes into, below the root.
fn folder_of(input: &Input) -> &Path {
    input.relative.parent().unwrap_or(Path::new(""))
}
