//! Reads one content on the current thread: for a function ([`copy`]), or into a sink ([`write_content`]).

use std::io;

use crate::archive::{Entry, PayloadReader};
use crate::codec::StreamSummary;
use crate::fs::{CommitError, WriteAt};
use crate::ops::context::Context;
use crate::ops::finding::{Finding, internal};

/// How many bytes are decoded at once. Between two pieces, the operation can be stopped.
pub(crate) const PIECE: usize = 64 * 1024;

/// How many bytes are copied at once. Between two copies, the operation can be stopped.
const COPY: u64 = 1 << 20;

/// Why a content was not completely read or written.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The entry cannot be read.
    Entry(Finding),
    /// The output cannot be written, or the user stopped the operation. The work on this output ends.
    Output(Finding),
}

impl Failure {
    /// Fails if the user has stopped the operation.
    pub(crate) fn check(context: &Context<'_>) -> Result<(), Self> {
        context.cancel.check().map_err(Self::Output)
    }

    /// The failure of a read.
    pub(crate) fn entry(error: impl Into<Finding>) -> Self {
        Self::Entry(error.into())
    }

    /// The failure of a write.
    pub(crate) fn output(error: io::Error) -> Self {
        Self::Output(Finding::from_io(error))
    }

    /// The error, whether it is about the entry or the output.
    pub(crate) fn into_error(self) -> Finding {
        match self {
            Self::Entry(error) | Self::Output(error) => error,
        }
    }
}

/// Decodes a content, and calls `take` for each piece of it. All pieces but the last are as long as the buffer. If the
/// entry is damaged, `take` gets the content before the damage.
pub(crate) fn copy(
    context: &Context<'_>,
    entry: &Entry<'_>,
    buffer: &mut [u8],
    take: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<Option<StreamSummary>, Failure> {
    let mut reader = entry.reader().map_err(Failure::entry)?;
    loop {
        Failure::check(context)?;
        let read = reader.read_full(buffer).map_err(Failure::entry)?;
        if read == 0 {
            return Ok(reader.summary().copied());
        }
        let Some(piece) = buffer.get(..read) else {
            return Err(Failure::Output(internal("more is read than asked for")));
        };
        take(piece)?;
    }
}

/// Writes a content to offset `to` of the sink, and calls `written` with the length of each piece. Returns what is
/// unusual in the entry's stream.
///
/// The kernel copies a stored content, unless it fits into the buffer: to read and write it takes two calls, which are
/// as fast as one call of the kernel's copy, and also work between file systems.
pub(crate) fn write_content(
    context: &Context<'_>,
    entry: &Entry<'_>,
    buffer: &mut [u8],
    (sink, to): (&dyn WriteAt, u64),
    written: impl Fn(u64),
) -> Result<Vec<Finding>, Failure> {
    let size = entry.size();
    if entry.is_plain() && (entry.is_file() || size > buffer.len() as u64) {
        let reader = entry.payload().map_err(Failure::entry)?;
        copy_stored(context, &reader, (reader.start(), size), (sink, to), written)?;
        return Ok(Vec::new());
    }
    let mut at = to;
    let summary = copy(context, entry, buffer, &mut |piece| {
        sink.write_at(piece, at).map_err(Failure::output)?;
        at += piece.len() as u64;
        written(piece.len() as u64);
        Ok(())
    })?;
    Ok(odd_stream(entry, summary.as_ref()))
}

/// Copies `len` stored bytes from offset `from` of the reader's file to offset `to` of the sink. Calls `copied` with the
/// length of each piece.
pub(crate) fn copy_stored(
    context: &Context<'_>,
    reader: &PayloadReader<'_>,
    (from, len): (u64, u64),
    (sink, to): (&dyn WriteAt, u64),
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

/// The failure of a copy, by the end that failed.
fn copy_failure(error: io::Error, reader: &PayloadReader<'_>, from: u64) -> Failure {
    match CommitError::from_io(error) {
        Ok(error) => Failure::Output(error.into()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Failure::entry(reader.cut(reader.source().size().unwrap_or(from)))
        }
        Err(error) => Failure::entry(reader.failed(error, from)),
    }
}

/// Findings about an unusual stream.
pub(crate) fn odd_stream(entry: &Entry<'_>, summary: Option<&StreamSummary>) -> Vec<Finding> {
    let mut odd = Vec::new();
    for warning in summary.into_iter().flat_map(StreamSummary::warnings) {
        let at = entry.known_offset().saturating_add(warning.at());
        odd.push(Finding::from(warning).of_entry(entry).at(at));
    }
    odd
}
