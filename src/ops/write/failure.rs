//! How writing an archive can fail: what filling and encoding have in common.

use std::io;

use crate::archive::{Sink, StoredReader};
use crate::error::{Error, ErrorKind};
use crate::format::Directory;
use crate::fs::CommitError;
use crate::ops::context::Context;

/// Why a piece of work failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Its part cannot be read.
    Part(Error),
    /// The output cannot be written, or a stop was asked for: there is no point in going on.
    Output(Error),
}

impl Failure {
    /// A failure once a stop was asked for.
    pub(super) fn check(context: &Context<'_>) -> Result<(), Self> {
        context.cancel.check().map_err(Self::Output)
    }
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
