//! A directory of a game, on a disk, in memory or in a browser, and remarks about it.

use core::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::archive::error::Error;
use crate::archive::{Archive, LooseFile, RawName, ReadAt, SafePath, open_regular, relative_path};
use crate::engine::is_pak_name;
use crate::engine::profile::EngineProfile;

/// A directory of a game. Names are bytes, with parts joined by `/`.
pub trait GameFolder: Send + Sync {
    /// The directory as the user would write it, for messages.
    fn path(&self) -> &Path;

    /// The entries of a folder in the directory, in any order. The empty name is the directory itself.
    ///
    /// # Errors
    /// If it cannot be listed.
    fn list(&self, folder: &[u8]) -> io::Result<Vec<FolderEntry>>;

    /// The size of the file with exactly this name, if it exists. Parts of the name are never empty or `..`.
    fn size(&self, name: &[u8]) -> Option<u64>;

    /// Opens the file of this name.
    ///
    /// # Errors
    /// If the file does not exist, or cannot be opened.
    fn open(&self, name: &[u8]) -> io::Result<Arc<dyn ReadAt>>;

    /// The directory that contains this one. Some engines load an archive of their own from there.
    fn parent(&self) -> Option<Arc<dyn GameFolder>> {
        None
    }
}

/// A directory of a game on a disk.
#[derive(Debug, Clone)]
pub struct DiskFolder {
    path: PathBuf,
}

impl DiskFolder {
    /// The directory at this path.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path of the file with this name.
    #[must_use]
    pub fn path_of(&self, name: &[u8]) -> PathBuf {
        self.path.join(relative_path(name))
    }

    /// The directory that contains this one.
    #[must_use]
    pub fn parent(&self) -> Self {
        match (self.path.file_name(), self.path.parent()) {
            (Some(_), Some(parent)) => Self::new(parent),
            _ => Self::new(self.path.join("..")),
        }
    }
}

impl GameFolder for DiskFolder {
    fn path(&self) -> &Path {
        &self.path
    }

    fn list(&self, folder: &[u8]) -> io::Result<Vec<FolderEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.path_of(folder))? {
            let entry = entry?;
            let is_link = entry.file_type()?.is_symlink();
            let found = match fs::metadata(entry.path()) {
                Ok(found) => found,
                // A link that leads nowhere is no file for an engine either.
                Err(_) if is_link => continue,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            let kind = if found.is_dir() && is_link {
                FolderEntryKind::LinkedFolder
            } else if found.is_dir() {
                FolderEntryKind::Folder
            } else if found.is_file() {
                FolderEntryKind::File(found.len())
            } else {
                continue;
            };
            let name = entry.file_name().into_encoded_bytes();
            entries.push(FolderEntry { name, kind });
        }
        Ok(entries)
    }

    fn size(&self, name: &[u8]) -> Option<u64> {
        let found = fs::metadata(self.path_of(name)).ok()?;
        found.is_file().then_some(found.len())
    }

    fn open(&self, name: &[u8]) -> io::Result<Arc<dyn ReadAt>> {
        let file = open_regular(&self.path_of(name))?;
        Ok(Arc::new(file))
    }

    fn parent(&self) -> Option<Arc<dyn GameFolder>> {
        Some(Arc::new(self.parent()))
    }
}

/// A file or a folder in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// Its name.
    pub name: Vec<u8>,
    /// Whether it is a file.
    pub kind: FolderEntryKind,
}

/// The kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FolderEntryKind {
    /// A file of this size.
    File(u64),
    /// A folder.
    Folder,
    /// A link to a folder. It is not entered, because links can form a circle.
    LinkedFolder,
}

impl FolderEntry {
    pub(super) fn is_file(&self) -> bool {
        matches!(self.kind, FolderEntryKind::File(_))
    }
}

/// A remark about a game: a behaviour of its engine, or a file that daisho ignores.
#[derive(Debug)]
pub struct GameNote {
    /// The file or directory that it is about.
    pub path: PathBuf,
    /// The remark.
    pub kind: GameNoteKind,
}

/// A remark about a file or directory of a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum GameNoteKind {
    /// The engine does not start, because the base directory has no `pak0.pak`.
    NeedsFirst,
    /// The order in which the file system lists these archives decides which of them wins.
    Unsorted(Vec<PathBuf>),
    /// The engine also loads or obeys this file, but daisho ignores it.
    Unseen,
    /// A link to a folder. daisho does not follow it, so files in it are not listed.
    Unfollowed,
    /// The folder cannot be listed.
    Unreadable(Error),
}

/// The files of a directory of a game, or of a folder in it that is loaded like an archive.
#[derive(Clone)]
pub(super) struct FilesIn {
    pub(super) folder: Arc<dyn GameFolder>,
    /// The folder's name and a slash. Empty for the directory itself.
    pub(super) within: Vec<u8>,
}

impl fmt::Debug for FilesIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path_of(b"").fmt(f)
    }
}

impl FilesIn {
    /// The path and the size of the file with exactly this name.
    pub(super) fn find(&self, name: &[u8]) -> Option<(PathBuf, u64)> {
        let path = SafePath::try_from(RawName::new(name)).ok()?;
        // A safe path has slashes instead of backslashes, but that is another name on disk.
        if path.as_bytes() != name {
            return None;
        }
        let size = self.folder.size(&self.full_name(name))?;
        Some((self.path_of(name), size))
    }

    /// All files, at any depth, as an archive in the order of their names, without archives at the top that the
    /// engine loads.
    pub(super) fn walk(
        &self,
        profile: &EngineProfile,
        notes: &mut Vec<GameNote>,
    ) -> Result<Archive, Error> {
        let mut files = Vec::new();
        let mut skipped = Vec::new();
        let mut folders = vec![Vec::new()];
        while let Some(folder) = folders.pop() {
            let name = folder.strip_suffix(b"/").unwrap_or(&folder);
            let entries = match self.list(name) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    let error = Error::from_io(error);
                    let kind = GameNoteKind::Unreadable(error);
                    let path = self.path_of(name);
                    skipped.push(GameNote { path, kind });
                    continue;
                }
            };
            for entry in entries {
                if folder.is_empty() && !is_loose(&entry, profile) {
                    continue;
                }
                let name = [&folder, &*entry.name].concat();
                match entry.kind {
                    FolderEntryKind::File(size) => files.push((name, size)),
                    FolderEntryKind::Folder => folders.push([&name, &b"/"[..]].concat()),
                    FolderEntryKind::LinkedFolder => {
                        let (path, kind) = (self.path_of(&name), GameNoteKind::Unfollowed);
                        skipped.push(GameNote { path, kind });
                    }
                }
            }
        }
        files.sort();
        skipped.sort_by(|a, b| a.path.cmp(&b.path));
        notes.extend(skipped);
        self.archive_of(files)
    }

    /// These files as an archive.
    pub(super) fn archive_of(&self, files: Vec<(Vec<u8>, u64)>) -> Result<Archive, Error> {
        let mut loose = Vec::new();
        for (name, size) in files {
            let path = self.path_of(&name);
            loose.push(LooseFile { name, path, size });
        }
        let files = self.clone();
        let open = move |name: &[u8], _: &Path| files.folder.open(&files.full_name(name));
        Archive::of_files(&self.path_of(b""), loose, Box::new(open))
    }

    fn list(&self, folder: &[u8]) -> io::Result<Vec<FolderEntry>> {
        let name = self.full_name(folder);
        self.folder.list(name.strip_suffix(b"/").unwrap_or(&name))
    }

    fn full_name(&self, name: &[u8]) -> Vec<u8> {
        [&self.within, name].concat()
    }

    fn path_of(&self, name: &[u8]) -> PathBuf {
        path_of(&*self.folder, &self.full_name(name))
    }
}

/// The path of a file in a directory, as the user would write it.
pub(super) fn path_of(folder: &dyn GameFolder, name: &[u8]) -> PathBuf {
    match name.strip_suffix(b"/").unwrap_or(name) {
        [] => folder.path().to_path_buf(),
        name => folder.path().join(relative_path(name)),
    }
}

/// Whether an entry at the top of a directory is a loose file, or a folder of loose files. Archives that the engine
/// loads are not loose, and no engine treats a pak as a loose file. An archive that daisho ignores is, because a map
/// may name it.
fn is_loose(entry: &FolderEntry, profile: &EngineProfile) -> bool {
    let name = &*entry.name;
    let loads = profile.is_archive(name);
    if entry.is_file() { !is_pak_name(name) && !loads } else { !is_folder_name(name) || !loads }
}

/// Whether a directory of this name is an archive to some engines.
pub(super) fn is_folder_name(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(b".pk3dir") || name.ends_with(b".dpkdir")
}
