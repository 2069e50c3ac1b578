//! The corpus: small files that each show one thing. `corpus/manifest.json` says what.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The path of `relative` below the folder `corpus`.
pub(crate) fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(relative)
}

/// Whether files that tests make are to be written, like snapshots of `insta`, and not compared.
pub(crate) fn renews() -> bool {
    std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always")
}

/// The files of a folder below `corpus`, in name order, by name and content.
pub(crate) fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(path(folder))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// The paks below a folder, in the order of their paths: what ends in `.pak`, and what begins as a
/// pak does. The folder `except` is left out.
pub(crate) fn paks(root: &Path, except: &Path) -> Vec<PathBuf> {
    let mut paks = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() && path != except {
            paks.extend(self::paks(&path, except));
        } else if path.is_file() && is_pak(&path) {
            paks.push(path);
        }
    }
    paks.sort();
    paks
}

fn is_pak(path: &Path) -> bool {
    let extension = path.extension();
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pak"))
        || (read.is_ok() && magic == *b"PACK")
}

/// What the fuzz target `name` ever found.
pub(crate) fn found(name: &str) -> Vec<Vec<u8>> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/found");
    // No folder where nothing was found yet.
    let files = fs::read_dir(found.join(name)).into_iter().flatten();
    files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
}
