//! Files on disk as an archive: what an archive is made of, and a game's loose files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::system::System;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{
    Archive, Coding, Contents, Files, Format, ReadAt, ReadOptions, Record, Store,
};

/// A file that is an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LooseFile {
    /// Its name as an entry.
    pub(crate) name: Vec<u8>,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// How many bytes it has.
    pub(crate) size: u64,
}

/// These files as an archive, in this order. Each is opened when it is read, and must have the length
/// that it had.
pub(crate) fn archive_of(system: &System, directory: &Path, files: Vec<LooseFile>) -> Archive {
    let (mut names, mut records, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        records.push(Record {
            crc32: None,
            lead: 0,
            offset: 0,
            size: file.size,
            stored_len: file.size,
            name_at: u32::try_from(names.len()).unwrap_or(u32::MAX),
            name_len: u16::try_from(file.name.len()).unwrap_or(u16::MAX),
            coding: Coding::Stored,
        });
        names.extend(file.name);
        paths.push(file.path);
    }
    let len = records.iter().map(|record| record.size).sum();
    let folder = Folder {
        system: system.clone(),
        paths,
    };
    let contents = Contents::new(Format::Directory, records, names);
    let store = Store::Each(Arc::new(folder));
    let options = ReadOptions::default();
    Archive::new(store, Some(directory), len, options, contents)
}

/// Where the files are, by the numbers of their entries.
struct Folder {
    system: System,
    paths: Vec<PathBuf>,
}

impl Files for Folder {
    fn path(&self, index: usize) -> &Path {
        self.paths.get(index).map_or(Path::new(""), |path| path)
    }

    fn open(&self, index: usize) -> Result<Arc<dyn ReadAt>, Error> {
        let path = self.path(index);
        let place = |error| Error::from_io(error).in_pak(path);
        // Asked before it is opened, too: a pipe that has come in its place would never be open.
        if !std::fs::metadata(path).map_err(place)?.is_file() {
            return Err(Error::from(ErrorKind::NotAFile).in_pak(path));
        }
        Ok(Arc::new(self.system.open(path).map_err(place)?))
    }
}
