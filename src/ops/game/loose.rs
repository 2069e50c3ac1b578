//! A folder's loose files, as an archive.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use crate::archive::{Archive, RawName, ReadOptions, SafePath};
use crate::engine::{Engine, Profile, is_pak_name};
use crate::fs::{LooseFile, System, archive_of, is_temporary};
use crate::ops::finding::{Finding, Notice};
use crate::ops::source;

/// The loose files of a folder.
#[derive(Debug)]
pub(super) struct LooseFiles {
    /// The files, by name.
    pub(super) archive: Arc<Archive>,
    skipped: Vec<Skipped>,
}

/// What was not looked into.
#[derive(Debug)]
pub(super) enum Skipped {
    /// A link to a directory.
    Link(PathBuf),
    /// Something in this folder that cannot be read.
    Unreadable(PathBuf, io::Error),
}

impl LooseFiles {
    /// The files in `folder` and further down, without the archives that the engine loads from it.
    /// Directories that links lead to are not entered, since they can lead round.
    pub(super) fn walk(system: &System, folder: &Path, profile: &Profile) -> Self {
        let (archive, skipped) = Self::read(system, folder, profile);
        let archive = Arc::new(archive);
        Self { archive, skipped }
    }

    /// The same as an archive, and what was not looked into.
    pub(super) fn read(
        system: &System,
        folder: &Path,
        profile: &Profile,
    ) -> (Archive, Vec<Skipped>) {
        let (mut files, mut skipped) = (Vec::new(), Vec::new());
        let walk = WalkDir::new(folder).min_depth(1).sort_by_file_name();
        let walk = walk
            .into_iter()
            .filter_entry(|entry| !is_archive(entry, profile));
        for entry in walk {
            let looked = entry.map_err(io::Error::from);
            let looked = looked.and_then(|entry| Ok((fs::metadata(entry.path())?, entry)));
            let (data, entry) = match looked {
                Ok(looked) => looked,
                // A link to nowhere is no file for an engine either.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    skipped.push(Skipped::Unreadable(folder.to_path_buf(), error));
                    continue;
                }
            };
            if data.is_dir() && entry.path_is_symlink() {
                skipped.push(Skipped::Link(entry.path().to_path_buf()));
            }
            if !data.is_file() || is_temporary(entry.file_name()) {
                continue;
            }
            let path = entry.path();
            let relative = path.strip_prefix(folder).unwrap_or(path);
            let parts: Vec<&[u8]> = relative.iter().map(OsStr::as_encoded_bytes).collect();
            files.push(LooseFile {
                name: parts.join(&b'/'),
                path: path.to_path_buf(),
                size: data.len(),
            });
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        (archive_of(system, folder, files), skipped)
    }

    /// A finding for each thing that was not looked into.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.skipped.iter().map(|skipped| match skipped {
            Skipped::Link(path) => {
                let why =
                    "a symbolic link to a directory is not followed: files behind it are not seen";
                Finding::warning(Notice::Unfollowed, why).in_pak(path)
            }
            Skipped::Unreadable(folder, error) => {
                let error = io::Error::new(error.kind(), error.to_string());
                Finding::unread(folder, Finding::from_io(error).in_pak(folder))
            }
        })
    }
}

/// A folder for who asks no engine: whatever in it is an archive to any of them, in the order of names,
/// and last its loose files. What cannot be read is a finding.
pub(in crate::ops) fn archives_and_files(
    system: &System,
    folder: &Path,
    options: ReadOptions,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Archive>, Finding> {
    let is_archive = |name: &[u8]| {
        let mut engines = Engine::ALL.into_iter();
        is_pak_name(name) || engines.any(|engine| engine.profile().is_archive(name))
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(Finding::from_io)? {
        let entry = entry.map_err(Finding::from_io)?;
        if is_archive(entry.file_name().as_encoded_bytes()) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    // That of the engine that knows the most kinds of archives, which are no loose files then.
    let profile = Engine::Fteqw.profile();
    let mut found = Vec::new();
    for path in paths {
        let opened = match path.is_dir() {
            true => Ok(LooseFiles::read(system, &path, &profile).0),
            false => source::open(system, &path, options),
        };
        match opened {
            Ok(archive) => found.push(archive),
            Err(error) => findings.push(error),
        }
    }
    found.push(LooseFiles::read(system, folder, &profile).0);
    Ok(found)
}

/// Whether it is an archive that the engine loads, by its name in the folder itself; or a pak, which is no
/// loose file to any.
fn is_archive(entry: &DirEntry, profile: &Profile) -> bool {
    let name = entry.file_name().as_encoded_bytes();
    let loads = || profile.is_archive(name) || profile.is_other_archive(name);
    entry.depth() == 1
        && match entry.file_type().is_dir() {
            true => is_folder_name(name) && loads(),
            false => is_pak_name(name) || loads(),
        }
}

/// Whether what is named so is an archive to some engines where it is a directory.
pub(super) fn is_folder_name(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(b".pk3dir") || name.ends_with(b".dpkdir")
}

/// Where the loose file of exactly this name is, and its size.
pub(super) fn find_exactly(folder: &Path, name: &[u8]) -> Option<(PathBuf, u64)> {
    let relative = SafePath::try_from(RawName::new(name)).ok()?;
    // A backslash is mended on the way, and is another name to the file system.
    let path = (relative.as_bytes() == name).then(|| relative.to_path_buf())?;
    let path = folder.join(path);
    let data = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
    Some((path, data.len()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_is_reported_at_every_call() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("sub/a"), b"abc").unwrap();
        fs::write(dir.path().join("pak0.pak"), b"").unwrap();
        std::os::unix::fs::symlink("sub", dir.path().join("link")).unwrap();
        let profile = Engine::Quake.profile();
        let files = LooseFiles::walk(&System::real(), dir.path(), &profile);
        let entry = files.archive.get("sub/a").unwrap();
        assert_eq!((files.archive.len(), entry.size()), (1, 3));
        assert_eq!(entry.read().unwrap(), b"abc");
        for _ in 0..2 {
            let findings: Vec<String> = files.findings().map(|it| it.to_string()).collect();
            assert_eq!(findings.len(), 1);
            assert!(findings[0].contains("a symbolic link to a directory"));
        }
    }
}
