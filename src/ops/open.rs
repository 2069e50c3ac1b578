//! Opening the paks that are meant: what each of the operations that look begins with.

use std::fs::{self, File};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::context::{Context, Problem, Refusal};
use super::inputs::{self, Input, Inputs};
use super::select::{Picked, Selection};
use crate::codec::Warning;
use crate::error::{Error, ErrorKind};
use crate::fs::{Source, System};
use crate::pak::{Archive, Entry, Oddity, ReadAt, ReadOptions};

/// Opens the pak at `path`.
///
/// What is no regular file is not opened: a pipe without a writer would never be open. It is asked
/// once more of the open file, since somebody may have put another one there meanwhile.
pub(super) fn open(path: &Path, options: ReadOptions) -> Result<Archive, Error> {
    opened(path, options, || File::open(path))
}

/// The same for an operation that writes.
pub(super) fn open_on(
    system: &System,
    path: &Path,
    options: ReadOptions,
) -> Result<Archive<Source>, Error> {
    opened(path, options, || system.open(path))
}

fn opened<S: ReadAt>(
    path: &Path,
    options: ReadOptions,
    open: impl Fn() -> io::Result<S>,
) -> Result<Archive<S>, Error> {
    regular(path, open)
        .and_then(|source| Archive::with_options(source, options))
        .map_err(|error| error.in_pak(path))
}

/// Opens a file that is known already, for an operation that writes.
pub(super) fn source(system: &System, path: &Path) -> Result<Source, Error> {
    regular(path, || system.open(path)).map_err(|error| error.in_pak(path))
}

fn regular<S: ReadAt>(path: &Path, open: impl Fn() -> io::Result<S>) -> Result<S, Error> {
    let io = |error| Error::new(ErrorKind::Io(error));
    if !fs::metadata(path).map_err(io)?.is_file() {
        return Err(ErrorKind::NotAFile.into());
    }
    let source = open().map_err(io)?;
    let found = source.as_file().map(File::metadata).transpose();
    if !found.map_err(io)?.is_some_and(|found| found.is_file()) {
        return Err(ErrorKind::NotAFile.into());
    }
    Ok(source)
}

/// Opens one pak that the user named. A directory is refused.
pub(super) fn open_one(context: &Context<'_>, path: &Path) -> Result<Archive, Error> {
    if fs::metadata(path).is_ok_and(|found| found.is_dir()) {
        return Err(Error::from(ErrorKind::OnePakExpected).in_pak(path));
    }
    open(path, context.open)
}

/// Finds the paks, as [`inputs::find`] does. A search that finds no pak at all is a problem, too.
pub(super) fn find(paths: &[PathBuf], recursive: bool) -> Result<Inputs, Refusal> {
    let mut inputs = inputs::find(paths, recursive, None)?;
    if inputs.paks.is_empty() && inputs.problems.is_empty() {
        let nothing = paths
            .iter()
            .map(|path| Problem::error(Error::from(ErrorKind::NoPakFound).in_pak(path)));
        inputs.problems.extend(nothing);
    }
    Ok(inputs)
}

/// Opens one pak after another and lends it to `visit`, until that breaks off or a stop is asked
/// for. Says how many there were; what cannot be opened becomes a problem.
pub(super) fn each(
    context: &Context<'_>,
    paks: &[Input],
    problems: &mut Vec<Problem>,
    mut visit: impl FnMut(&Input, &Archive) -> ControlFlow<()>,
) -> usize {
    let mut opened = 0;
    for input in paks {
        if context.cancel.is_set() {
            break;
        }
        match open(&input.path, context.open) {
            Ok(archive) => {
                opened += 1;
                if visit(input, &archive).is_break() {
                    break;
                }
            }
            Err(error) => problems.push(Problem::error(error)),
        }
    }
    opened
}

/// What is unusual in the pak as a whole. That entries are missing is more than odd.
pub(super) fn oddities<S: ReadAt>(archive: &Archive<S>, path: &Path) -> Vec<Problem> {
    let directory = u64::from(archive.header().directory_offset);
    let problem = |oddity| {
        let cut = matches!(oddity, Oddity::DirectoryCut { .. });
        let error = Error::from(ErrorKind::Odd(oddity)).in_pak(path);
        if cut {
            Problem::error(error.at(directory))
        } else {
            Problem::warning(error)
        }
    };
    archive.oddities().into_iter().map(problem).collect()
}

/// How the reserved byte was read in the pak, where one was met.
pub(super) fn reserved<S>(archive: &Archive<S>, path: &Path) -> Option<Problem> {
    let reading = archive.reserved_reading()?;
    let error = Error::from(ErrorKind::ReservedRead(reading));
    Some(Problem::warning(error.in_pak(path)))
}

/// The entries that `selection` picks.
pub(super) fn picked<S: ReadAt>(archive: &Archive<S>, selection: &Selection) -> Picked {
    Picked::of(selection, archive.entries().map(|entry| entry.name()))
}

/// What is unusual in an entry's stream, with the entry and the byte of the pak.
pub(super) fn odd_stream<S>(entry: &Entry<'_, S>, warning: Warning) -> Error {
    let start = entry.extent().map_or(0, |extent| extent.offset);
    Error::from(ErrorKind::OddStream(warning))
        .in_entry(entry.index(), entry.name())
        .at(start.saturating_add(warning.at()))
}
