//! The corpus: small files that each show one thing, made by code of this project.
//!
//! What is committed under `corpus/` is compared with what the code makes, byte by byte. After a
//! change of the code, `DAISHO_BLESS=1 cargo test` writes the files anew, for `git diff` to show.

use std::fs;
use std::path::{Path, PathBuf};

/// The path of `relative` below the folder `corpus`.
pub(crate) fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(relative)
}

/// Compares each of `files` (path below `corpus`, content) with what is committed, or writes it
/// where the environment has `DAISHO_BLESS=1`.
///
/// # Panics
///
/// Where a file is missing or differs; the message names every such file.
pub(crate) fn compare_or_bless(files: &[(String, Vec<u8>)]) {
    let bless = std::env::var_os("DAISHO_BLESS").is_some_and(|value| value == "1");
    let mut stale = Vec::new();
    for (relative, made) in files {
        let path = path(relative);
        if fs::read(&path).is_ok_and(|committed| committed == *made) {
            continue;
        }
        if bless {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, made).unwrap();
        } else {
            stale.push(relative.as_str());
        }
    }
    assert!(
        stale.is_empty(),
        "not as the code makes them: {stale:?}; DAISHO_BLESS=1 cargo test writes them anew"
    );
}

/// The files of a folder below `corpus`, in name order, by name and content; manifests left out.
pub(crate) fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(path(folder))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .filter(|(name, _)| !name.starts_with("MANIFEST"))
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}
