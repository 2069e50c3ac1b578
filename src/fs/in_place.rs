//! A file that is changed where it is: it grows, and then a few of its first bytes are changed; or the
//! other way round.
//!
//! | step of a change              | where it fails, or the run is killed before it is done             |
//! |-------------------------------|--------------------------------------------------------------------|
//! | lock the file                 | nothing has happened                                               |
//! | write behind its end, sync    | it is cut to its length; after a kill it has bytes behind its end  |
//! | write some first bytes, sync  | they are written back; after a kill they are the old or the new    |
//!
//! Nothing is cut off before the first bytes that lead to it are changed and on the disk, and they are
//! not changed before what they lead to is there. A run that is killed therefore leaves one of both
//! states, with what belongs to neither behind its end.
//!
//! One run at a time: the lock is the system's, and gone with the process. Where a file system has no
//! locks, two runs that change one file at once are not kept apart.

use std::fs::File;
use std::io::{self, ErrorKind::WouldBlock};
use std::path::{Path, PathBuf};

use super::error::{CommitError, Step};
use super::gate::Gate;
use super::platform;
use super::root::System;
use crate::archive::{ReadAt, Sink};
use crate::error::{Error, ErrorKind};

/// A file that no other run changes as long as this one has it.
#[derive(Debug)]
pub(crate) struct InPlace {
    file: File,
    path: PathBuf,
    gate: Gate,
}

/// Some bytes of a file that become others: where they begin, what they are, and what they become.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exchange<'b> {
    pub(crate) at: u64,
    pub(crate) old: &'b [u8],
    pub(crate) new: &'b [u8],
}

/// What is written behind a file's end. Unless it is committed it is cut off again.
#[derive(Debug)]
pub(crate) struct Growth<'f> {
    file: &'f InPlace,
    /// How long the file was.
    len: u64,
    /// Whether what was written stays.
    stays: bool,
}

impl System {
    /// Opens a file to change it where it is, and locks it.
    pub(crate) fn open_in_place(&self, path: &Path) -> Result<InPlace, Error> {
        let failed = |error| CommitError::new(Step::Changing, path, error);
        let gate = self.gate().clone();
        let file = match gate.open_in_place(path) {
            Err(error) if error.kind() == WouldBlock => {
                return Err(Error::from(ErrorKind::Locked).in_pak(path));
            }
            opened => opened.map_err(failed)?,
        };
        let file = InPlace {
            file,
            path: path.to_path_buf(),
            gate,
        };
        file.lock(platform::unsupported)?;
        let names = file.gate.names_of(&file.file).map_err(failed)?;
        if names > 1 {
            return Err(Error::from(ErrorKind::SeveralNames { names }).in_pak(path));
        }
        Ok(file)
    }

    /// Locks a file that is to be replaced by another one, so that nobody changes it meanwhile. Where it
    /// cannot be locked that is no reason not to replace it. Nothing where a system has no locks: there an
    /// open file is in its own way.
    pub(crate) fn lock_old(&self, path: &Path) -> Result<Option<InPlace>, Error> {
        let gate = self.gate().clone();
        let file = gate.open_source(path).map_err(Error::from_io);
        let file = InPlace {
            file: file.map_err(|error| error.in_pak(path))?,
            path: path.to_path_buf(),
            gate,
        };
        file.lock(|_| true)?;
        Ok(platform::LOCKS.then_some(file))
    }
}

impl InPlace {
    /// Locks the file, unless that fails in a way that does not matter; and sees to it that it still is
    /// the one of its name: a run that had it may have replaced it.
    fn lock(&self, does_not_matter: impl Fn(&io::Error) -> bool) -> Result<(), Error> {
        let taken = || Error::from(ErrorKind::Locked).in_pak(&self.path);
        match self.gate.lock(&self.file) {
            Err(error) if error.kind() == WouldBlock => return Err(taken()),
            Err(error) if !does_not_matter(&error) => {
                return Err(self.failed(Step::Locking, error).into());
            }
            _ => {}
        }
        let same = || Ok(self.gate.identify(&self.path)? == self.gate.identify_open(&self.file)?);
        match same().map_err(|error| self.failed(Step::Locking, error))? {
            true => Ok(()),
            false => Err(taken()),
        }
    }

    /// Lets the file grow, which is this long.
    pub(crate) const fn grow(&self, len: u64) -> Growth<'_> {
        Growth {
            file: self,
            len,
            stays: false,
        }
    }

    /// Cuts the file where it is longer, and brings that to the disk.
    pub(crate) fn cut(&self, len: u64) -> Result<(), CommitError> {
        let longer = self.size().map(|size| size > len);
        if longer.map_err(|error| self.failed(Step::Sizing, error))? {
            let cut = self.gate.set_len(&self.file, len);
            cut.map_err(|error| self.failed(Step::Sizing, error))?;
        }
        self.sync()
    }

    /// Changes some bytes, and brings that to the disk; where that fails they are changed back.
    pub(crate) fn exchange(&self, bytes: Exchange<'_>) -> Result<(), CommitError> {
        let set = |bytes: &[u8], at| {
            let written = self.gate.write_all(&self.file, bytes, at);
            written.map_err(|error| self.failed(Step::Changing, error))?;
            self.sync()
        };
        set(bytes.new, bytes.at).inspect_err(|_| {
            // Whoever looks next mends what cannot be mended now.
            let _ = set(bytes.old, bytes.at);
        })
    }

    fn sync(&self) -> Result<(), CommitError> {
        let synced = self.gate.sync_file(&self.file);
        synced.map_err(|error| self.failed(Step::Syncing, error))
    }

    fn failed(&self, step: Step, cause: io::Error) -> CommitError {
        CommitError::new(step, &self.path, cause)
    }
}

impl Drop for InPlace {
    /// Closing it would do, but not while a process that is being started has it open, too.
    fn drop(&mut self) {
        let _ = self.gate.unlock(&self.file);
    }
}

impl ReadAt for InPlace {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.gate.read_at(&self.file, buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        self.gate.len(&self.file)
    }
}

impl Growth<'_> {
    /// How long the file was, which is where the growth begins.
    pub(crate) const fn start(&self) -> u64 {
        self.len
    }

    /// Brings all that was written to the disk, and then changes some first bytes.
    pub(crate) fn commit(mut self, bytes: Exchange<'_>) -> Result<(), CommitError> {
        self.file.sync()?;
        self.stays = true;
        let exchanged = self.file.exchange(bytes);
        if exchanged.is_err() {
            // What the first bytes may lead to stays, until it is sure that they do not.
            let mut found = vec![0; bytes.old.len()];
            let read = self.file.read_full_at(&mut found, bytes.at);
            let is_old = read.is_ok() && found == bytes.old && self.file.sync().is_ok();
            self.stays = !is_old;
        }
        exchanged
    }
}

impl Drop for Growth<'_> {
    fn drop(&mut self) {
        if !self.stays {
            // What is left behind the end then does no harm.
            let _ = self.file.gate.set_len(&self.file.file, self.len);
        }
    }
}

impl Sink for Growth<'_> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        if offset < self.len {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let written = self.file.gate.write_all(&self.file.file, bytes, offset);
        written.map_err(|error| self.file.failed(Step::Writing, error).into())
    }

    fn end_at(&self, len: u64) -> io::Result<()> {
        let cut = self.file.gate.set_len(&self.file.file, len.max(self.len));
        cut.map_err(|error| self.file.failed(Step::Sizing, error).into())
    }
}
