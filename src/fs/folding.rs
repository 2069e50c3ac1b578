//! A system that does not tell names apart by case, as those of Windows and macOS, made of one
//! that does: every name is asked for in lower case.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;

use cap_std::fs::Dir;

use super::calls::{Calls, Real};
use super::look::{FileId, Rights, Seen};

/// The real calls, with every name below the root in lower case. Nothing is synced.
#[derive(Debug)]
pub(crate) struct Folding;

fn fold(name: &OsStr) -> OsString {
    name.to_string_lossy().to_lowercase().into()
}

impl Calls for Folding {
    fn open_source(&self, path: &Path) -> io::Result<File> {
        Real.open_source(path)
    }

    fn read_at(&self, file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        Real.read_at(file, buffer, offset)
    }

    fn identify_open(&self, file: &File) -> io::Result<FileId> {
        Real.identify_open(file)
    }

    fn len(&self, file: &File) -> io::Result<u64> {
        Real.len(file)
    }

    fn open_root(&self, path: &Path) -> io::Result<Dir> {
        Real.open_root(path)
    }

    fn make_root(&self, path: &Path) -> io::Result<()> {
        Real.make_root(path)
    }

    fn identify(&self, path: &Path) -> io::Result<FileId> {
        Real.identify(path)
    }

    fn open_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<Dir> {
        Real.open_dir(parent, &fold(name))
    }

    fn make_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        Real.make_dir(parent, &fold(name))
    }

    fn look(&self, parent: &Dir, name: &OsStr) -> io::Result<Seen> {
        Real.look(parent, &fold(name))
    }

    /// As it spells them: in lower case.
    fn names(&self, dir: &Dir) -> io::Result<Vec<OsString>> {
        Real.names(dir)
    }

    fn create(&self, parent: &Dir, name: &OsStr) -> io::Result<File> {
        Real.create(parent, &fold(name))
    }

    fn reopen(&self, parent: &Dir, name: &OsStr) -> io::Result<File> {
        Real.reopen(parent, &fold(name))
    }

    fn write_at(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
        Real.write_at(file, bytes, offset)
    }

    fn copy_range(&self, from: (&File, u64), to: (&File, u64), len: usize) -> io::Result<usize> {
        Real.copy_range(from, to, len)
    }

    fn allocate(&self, file: &File, len: u64) -> io::Result<()> {
        Real.allocate(file, len)
    }

    fn set_len(&self, file: &File, len: u64) -> io::Result<()> {
        Real.set_len(file, len)
    }

    fn set_rights(&self, file: &File, rights: Rights) -> io::Result<()> {
        Real.set_rights(file, rights)
    }

    fn link(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        Real.link(parent, &fold(old), &fold(new))
    }

    fn rename(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        Real.rename(parent, &fold(old), &fold(new))
    }

    fn rename_new(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        Real.rename_new(parent, &fold(old), &fold(new))
    }

    fn remove(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        Real.remove(parent, &fold(name))
    }

    fn remove_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        Real.remove_dir(parent, &fold(name))
    }

    fn remove_root(&self, path: &Path) -> io::Result<()> {
        Real.remove_root(path)
    }

    fn sync_file(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    fn sync_dir(&self, _: &Dir) -> io::Result<()> {
        Ok(())
    }

    fn sync_all(&self, _: &Dir) -> io::Result<()> {
        Ok(())
    }
}
