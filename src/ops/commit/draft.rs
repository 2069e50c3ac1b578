//! A file that is being written, under a temporary name, from as many threads as there are.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::atomic::AtomicBool;

use super::calls::heal;
use super::error::{CommitError, Doing};
use super::publish::Over;
use super::root::Root;
use super::sink::{ReadAt, Sink};
use super::system;
use super::temporary::Temporary;

/// A file that is being written. It appears under its name with [`Draft::commit`], and if it is
/// dropped before, there was never anything. It holds one open file.
#[derive(Debug)]
pub(crate) struct Draft<'root> {
    // Before the name, so that it is closed before the name is removed: some systems insist.
    pub(super) file: File,
    pub(super) temporary: Temporary<'root>,
    /// Whether the kernel has shown that it cannot copy ranges into this file.
    pub(super) copies_plainly: AtomicBool,
}

impl<'root> Draft<'root> {
    pub(super) const fn new(file: File, temporary: Temporary<'root>) -> Self {
        Self {
            file,
            temporary,
            copies_plainly: AtomicBool::new(false),
        }
    }

    fn write_all(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = heal(|| self.root().calls().write_at(&self.file, bytes, offset))?;
            bytes = match bytes.get(written..) {
                Some(rest) if written > 0 => rest,
                _ => return Err(ErrorKind::WriteZero.into()),
            };
            offset = offset
                .checked_add(written as u64)
                .ok_or(ErrorKind::FileTooLarge)?;
        }
        Ok(())
    }

    /// Gives the file its name. After an error there is no temporary any more, and under the name
    /// what was there before; except after [`Doing::Syncing`], where the file may have been placed
    /// whole but might not survive a power cut.
    pub(crate) fn commit(self, over: Over) -> Result<(), CommitError> {
        let Self {
            file,
            mut temporary,
            ..
        } = self;
        temporary.publish(file, over)
    }

    pub(super) const fn root(&self) -> &'root Root {
        self.temporary.root
    }
}

/// Every error of these carries a [`CommitError`] that names the file, but for those of the source
/// of a copy: [`CommitError::from_io`] tells them apart.
impl Sink for Draft<'_> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.write_all(bytes, offset)
            .map_err(|error| self.temporary.failed(Doing::Writing, error).into())
    }

    fn end_at(&self, len: u64) -> io::Result<()> {
        heal(|| self.root().calls().set_len(&self.file, len))
            .map_err(|error| self.temporary.failed(Doing::Sizing, error).into())
    }

    fn copy_from(&self, source: &dyn ReadAt, from: u64, len: u64, to: u64) -> io::Result<()> {
        self.copy(source, from, len, to)
    }

    /// Reserves room on the disk, so that a full one shows now and not at the end. Where that is
    /// not to be had, nothing happens.
    fn expect_len(&self, len: u64) -> io::Result<()> {
        if len == 0 {
            return Ok(());
        }
        match heal(|| self.root().calls().allocate(&self.file, len)) {
            Err(error) if system::unsupported(&error) => Ok(()),
            result => result.map_err(|error| self.temporary.failed(Doing::Reserving, error).into()),
        }
    }
}
