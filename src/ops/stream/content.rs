//! One content, read on this thread: decoded ([`copy`]), or stored bytes copied by the kernel ([`copy_stored`]).

use std::io;

use crate::archive::{Entry, StoredReader};
use crate::codec::Summary;
use crate::fs::CommitError;
use crate::fs::Sink;
use crate::ops::context::Context;
use crate::ops::finding::Finding;

/// How much is decoded at once. A stop is heard between two pieces.
pub(in crate::ops) const PIECE: usize = 64 * 1024;

/// How much is copied at once. A stop is heard between two copies.
pub(in crate::ops) const COPY: u64 = 1 << 20;

/// Why a content was not read, or not written, to its end.
#[derive(Debug)]
pub(in crate::ops) enum Failure {
    /// The entry cannot be read.
    Entry(Finding),
    /// The output cannot be written, or the user asked for a stop. There is no point in going on.
    Output(Finding),
}

impl Failure {
    /// Fails if the user asked for a stop.
    pub(in crate::ops) fn check(context: &Context<'_>) -> Result<(), Self> {
        context.cancel.check().map_err(Self::Output)
    }

    /// A read that failed.
    pub(in crate::ops) fn entry(error: impl Into<Finding>) -> Self {
        Self::Entry(error.into())
    }

    /// A write that failed.
    pub(in crate::ops) fn output(error: io::Error) -> Self {
        Self::Output(Finding::from_io(error))
    }

    /// The error, if it does not matter whose it is.
    pub(in crate::ops) fn into_error(self) -> Finding {
        match self {
            Self::Entry(error) | Self::Output(error) => error,
        }
    }
}

/// Decodes a content from its beginning to its end. `take` gets it in pieces as long as the buffer; only
/// the last may be shorter. It also gets everything that comes before damage.
pub(in crate::ops) fn copy(
    context: &Context<'_>,
    entry: &Entry<'_>,
    buffer: &mut [u8],
    take: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<Option<Summary>, Failure> {
    let mut reader = entry.reader().map_err(Failure::entry)?;
    loop {
        Failure::check(context)?;
        let read = reader.read_full(buffer).map_err(Failure::entry)?;
        if read == 0 {
            return Ok(reader.summary().copied());
        }
        take(buffer.get(..read).unwrap_or_default())?;
    }
}

/// Copies `len` stored bytes of the reader's file, from offset `from` to offset `to` of the sink. `copied` gets the
/// length of each copy.
pub(in crate::ops) fn copy_stored(
    context: &Context<'_>,
    reader: &StoredReader<'_>,
    (from, len): (u64, u64),
    (sink, to): (&impl Sink, u64),
    copied: impl Fn(u64),
) -> Result<(), Failure> {
    let mut done = 0;
    while done < len {
        Failure::check(context)?;
        let count = (len - done).min(COPY);
        sink.copy_from(reader.source(), from + done, count, to + done)
            .map_err(|error| copy_failure(error, reader, from + done))?;
        done += count;
        copied(count);
    }
    reader.check_unchanged().map_err(Failure::entry)
}

/// A copy that failed, at either end.
fn copy_failure(error: io::Error, reader: &StoredReader<'_>, from: u64) -> Failure {
    match CommitError::from_io(error) {
        Ok(error) => Failure::Output(error.into()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Failure::entry(reader.cut(reader.source().size().unwrap_or(from)))
        }
        Err(error) => Failure::entry(reader.failed(error, from)),
    }
}

/// What is unusual in an entry's stream.
pub(in crate::ops) fn odd_stream(entry: &Entry<'_>, summary: Option<&Summary>) -> Vec<Finding> {
    let mut odd = Vec::new();
    for warning in summary.into_iter().flat_map(Summary::warnings) {
        let at = entry.start().saturating_add(warning.at());
        odd.push(Finding::from(warning).of_entry(entry).at(at));
    }
    odd
}
