//! A directory of a game on a disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::{ReadAt, relative_path};
use crate::engine::{FolderEntry, FolderEntryKind, GameFolder};
use crate::fs::{System, is_temporary};

/// A directory of a game on a disk.
pub(super) struct DiskFolder {
    system: System,
    path: PathBuf,
}

impl DiskFolder {
    pub(super) fn new(system: &System, path: PathBuf) -> Self {
        Self {
            system: system.clone(),
            path,
        }
    }
}

impl GameFolder for DiskFolder {
    fn path(&self) -> &Path {
        &self.path
    }

    fn list(&self, folder: &[u8]) -> io::Result<Vec<FolderEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.path.join(relative_path(folder)))? {
            let entry = entry?;
            let is_link = entry.file_type()?.is_symlink();
            let found = match fs::metadata(entry.path()) {
                Ok(found) => found,
                // A link that leads nowhere is no file for an engine either.
                Err(_) if is_link => continue,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            let kind = match (found.is_dir(), is_link) {
                (true, true) => FolderEntryKind::LinkedFolder,
                (true, false) => FolderEntryKind::Folder,
                _ if found.is_file() && !is_temporary(&entry.file_name()) => {
                    FolderEntryKind::File(found.len())
                }
                _ => continue,
            };
            let name = entry.file_name().into_encoded_bytes();
            entries.push(FolderEntry { name, kind });
        }
        Ok(entries)
    }

    fn size(&self, name: &[u8]) -> Option<u64> {
        let found = fs::metadata(self.path.join(relative_path(name))).ok()?;
        found.is_file().then_some(found.len())
    }

    fn open(&self, name: &[u8]) -> io::Result<Arc<dyn ReadAt>> {
        let path = self.path.join(relative_path(name));
        Ok(Arc::new(self.system.open_regular(&path)?))
    }

    fn parent(&self) -> Option<Arc<dyn GameFolder>> {
        let parent = match (self.path.file_name(), self.path.parent()) {
            (Some(_), Some(parent)) => parent.to_path_buf(),
            _ => self.path.join(".."),
        };
        Some(Arc::new(Self::new(&self.system, parent)))
    }
}
