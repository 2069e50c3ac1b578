//! Who writes an archive, and how that can fail: what filling and encoding have in common.

use std::io;

use crate::archive::{Sink, StoredReader};
use crate::error::{Error, ErrorKind};
use crate::format::Directory;
use crate::fs::CommitError;
use crate::ops::context::{Context, Work};
use crate::ops::pool::Pool;

/// Who does the work, who watches, and who may stop it.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Crew<'a> {
    pub(in crate::ops) pool: &'a Pool,
    pub(in crate::ops) context: &'a Context<'a>,
}

impl<'a> Crew<'a> {
    pub(in crate::ops) const fn new(pool: &'a Pool, context: &'a Context<'a>) -> Self {
        Self { pool, context }
    }
}

impl Crew<'_> {
    /// An error once a stop was asked for.
    pub(super) fn check(self) -> Result<(), Failure> {
        self.context.cancel.check().map_err(Failure::Output)
    }

    /// Reports work that was done.
    pub(super) fn done(self, entries: u64, bytes: u64) {
        self.context.observer.done(Work { entries, bytes });
    }
}

/// Why a piece of work failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Its part cannot be read.
    Part(Error),
    /// The output cannot be written, or a stop was asked for: there is no point in going on.
    Output(Error),
}

/// Writes the directory and the header.
pub(super) fn seal(directory: &Directory<'_>, sink: &impl Sink) -> Result<u64, Error> {
    if directory.len() > 0 {
        sink.end_at(directory.file_len()).map_err(output)?;
    }
    let sealed = directory.seal(&mut |bytes, at| sink.write_at(bytes, at));
    sealed.map_err(of_output)
}

/// A failure to write.
pub(super) fn output(error: io::Error) -> Error {
    match CommitError::from_io(error) {
        Ok(error) => error.into(),
        Err(error) => Error::from_io(error),
    }
}

/// A failure to write that has passed through the format.
pub(super) fn of_output(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Io(_) => match error.into_kind() {
            ErrorKind::Io(error) => output(error),
            kind => kind.into(),
        },
        _ => error,
    }
}

/// A failure to copy, on whichever side.
pub(super) fn of_copy(error: io::Error, reader: &StoredReader<'_>, from: u64) -> Failure {
    match CommitError::from_io(error) {
        Ok(error) => Failure::Output(error.into()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Failure::Part(reader.cut(reader.source().size().unwrap_or(from)))
        }
        Err(error) => Failure::Part(reader.failed(error, from)),
    }
}
