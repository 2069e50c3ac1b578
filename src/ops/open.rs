//! Opening the archives that are meant, and what there is to say of one as a whole.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::context::{Context, Problem};
use super::meant::or_missing;
use super::nested;
use crate::archive::{Archive, Note, ReadAt, ReadOptions};
use crate::error::{Error, ErrorKind};
use crate::fs::{Source, System, is_standard_input};

/// Opens the archive at `path`.
///
/// What is no regular file is not opened: a pipe without a writer would never be open. It is asked
/// once more of the open file, since somebody may have put another one there meanwhile.
pub(super) fn open(system: &System, path: &Path, options: ReadOptions) -> Result<Archive, Error> {
    let open = || {
        let source: Box<dyn ReadAt> = match nested::split(path) {
            None if is_standard_input(path) => {
                Box::new(system.standard_input().map_err(Error::from_io)?)
            }
            None => Box::new(regular(system, path)?),
            Some(within) => {
                nested::check_depth(&within)?;
                let outermost = open(system, &within.file, ReadOptions::default())?;
                nested::open(system, &within, outermost)?
            }
        };
        Archive::read(source, options, Some(path))
    };
    open().map_err(|error: Error| error.in_pak(path))
}

/// Opens the archive at `path`, whose file a search has open.
pub(super) fn open_found(
    file: Source,
    path: &Path,
    options: ReadOptions,
) -> Result<Archive, Error> {
    let open = || {
        check_regular(&file)?;
        Archive::read(Box::new(file), options, Some(path))
    };
    open().map_err(|error: Error| error.in_pak(path))
}

pub(super) fn regular(system: &System, path: &Path) -> Result<Source, Error> {
    let io = |error: io::Error| Error::new(ErrorKind::Io(error));
    if !fs::metadata(path).map_err(io)?.is_file() {
        return Err(ErrorKind::NotAFile.into());
    }
    let source = system.open(path).map_err(io)?;
    check_regular(&source)?;
    Ok(source)
}

/// Refuses what is open and no regular file.
fn check_regular(source: &Source) -> Result<(), Error> {
    let found = source.as_file().map(|file| File::metadata(&file));
    match found.transpose() {
        Ok(Some(found)) if found.is_file() => Ok(()),
        Ok(_) => Err(ErrorKind::NotAFile.into()),
        Err(error) => Err(ErrorKind::Io(error).into()),
    }
}

/// Opens one archive that the user named. A directory is refused.
pub(super) fn open_one(context: &Context<'_>, path: &Path) -> Result<Archive, Error> {
    check_one(path)?;
    open(&System::real(), path, context.open).map_err(or_missing)
}

/// Refuses a directory where one archive is expected.
pub(super) fn check_one(path: &Path) -> Result<(), Error> {
    match fs::metadata(path).is_ok_and(|found| found.is_dir()) {
        true => Err(Error::from(ErrorKind::OnePakExpected).in_pak(path)),
        false => Ok(()),
    }
}

/// What is unusual in the archive as a whole. That entries are missing is more than odd.
pub(super) fn notes(archive: &Archive) -> Vec<Problem> {
    let directory = archive.structure().directory.offset;
    let problem = |note: &Note| {
        let error = in_archive(archive, ErrorKind::Odd(*note));
        match note {
            Note::DirectoryCut { .. } => Problem::error(error.at(directory)),
            _ => Problem::warning(error),
        }
    };
    archive.notes().iter().map(problem).collect()
}

/// Whether an archive that was opened a while ago is still the one that it was.
pub(super) fn check_unchanged(archive: &Archive) -> Result<(), Error> {
    let unchanged = archive.is_unchanged().map_err(Error::from_io);
    let error = match unchanged {
        Ok(true) => return Ok(()),
        Ok(false) => ErrorKind::AnotherPak.into(),
        Err(error) => error,
    };
    Err(match archive.path() {
        Some(path) => error.in_pak(path),
        None => error,
    })
}

/// How the reserved byte was read in the archive, where one was met.
pub(super) fn reserved(archive: &Archive) -> Option<Problem> {
    let reading = archive.reserved_reading()?;
    let error = in_archive(archive, ErrorKind::ReservedRead(reading));
    Some(Problem::warning(error))
}

/// The error with the archive as its place.
pub(super) fn in_archive(archive: &Archive, error: impl Into<Error>) -> Error {
    let error = error.into();
    match archive.path() {
        Some(path) => error.in_pak(path),
        None => error,
    }
}
