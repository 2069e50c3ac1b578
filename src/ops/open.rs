//! Opening the archives that are meant, and what there is to say of one as a whole.

use crate::ops::finding::{Finding, Notice};
use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::context::Context;
use super::meant::or_missing;
use super::nested;
use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Note, ReadAt, ReadOptions};
use crate::fs::{Source, System, is_standard_input};

/// Opens the archive at `path`.
///
/// What is no regular file is not opened: a pipe without a writer would never be open. It is asked
/// once more of the open file, since somebody may have put another one there meanwhile.
pub(super) fn open(system: &System, path: &Path, options: ReadOptions) -> Result<Archive, Finding> {
    let open = || {
        let source: Box<dyn ReadAt> = match nested::split(path) {
            None if is_standard_input(path) => {
                Box::new(system.standard_input().map_err(Finding::from_io)?)
            }
            None => Box::new(regular(system, path)?),
            Some(within) => {
                nested::check_depth(&within)?;
                let outermost = open(system, &within.file, ReadOptions::default())?;
                nested::open(system, &within, outermost)?
            }
        };
        Ok(Archive::read(source, options, Some(path))?)
    };
    open().map_err(|error: Finding| error.in_pak(path))
}

/// Opens the archive at `path`, whose file a search has open.
pub(super) fn open_found(
    file: Source,
    path: &Path,
    options: ReadOptions,
) -> Result<Archive, Finding> {
    let open = || {
        check_regular(&file)?;
        Ok(Archive::read(Box::new(file), options, Some(path))?)
    };
    open().map_err(|error: Finding| error.in_pak(path))
}

pub(super) fn regular(system: &System, path: &Path) -> Result<Source, Finding> {
    let io = |error: io::Error| Finding::from(ErrorKind::Io(error));
    if !fs::metadata(path).map_err(io)?.is_file() {
        return Err(ErrorKind::NotAFile.into());
    }
    let source = system.open(path).map_err(io)?;
    check_regular(&source)?;
    Ok(source)
}

/// Refuses what is open and no regular file.
fn check_regular(source: &Source) -> Result<(), Finding> {
    let found = source.as_file().map(|file| File::metadata(&file));
    match found.transpose() {
        Ok(Some(found)) if found.is_file() => Ok(()),
        Ok(_) => Err(ErrorKind::NotAFile.into()),
        Err(error) => Err(ErrorKind::Io(error).into()),
    }
}

/// Opens one archive that the user named. A directory is refused.
pub(super) fn open_one(context: &Context<'_>, path: &Path) -> Result<Archive, Finding> {
    check_one(path)?;
    open(&System::real(), path, context.open).map_err(or_missing)
}

/// Refuses a directory where one archive is expected.
pub(super) fn check_one(path: &Path) -> Result<(), Finding> {
    match fs::metadata(path).is_ok_and(|found| found.is_dir()) {
        true => {
            let why = "this is a directory, and one pak is expected";
            Err(Finding::error(Notice::OneArchiveExpected, why).in_pak(path))
        }
        false => Ok(()),
    }
}

/// What is unusual in the archive as a whole. That entries are missing is more than odd.
pub(super) fn notes(archive: &Archive) -> Vec<Finding> {
    let directory = archive.structure().directory.offset;
    let problem = |note: &Note| {
        let finding = in_archive(archive, *note);
        match note {
            Note::DirectoryCut { .. } => finding.at(directory),
            _ => finding,
        }
    };
    archive.notes().iter().map(problem).collect()
}

/// Whether an archive that was opened a while ago is still the one that it was.
pub(super) fn check_unchanged(archive: &Archive) -> Result<(), Finding> {
    let unchanged = archive.is_unchanged().map_err(Finding::from_io);
    let error = match unchanged {
        Ok(true) => return Ok(()),
        Ok(false) => Finding::from(ErrorKind::AnotherPak),
        Err(error) => error,
    };
    Err(match archive.path() {
        Some(path) => error.in_pak(path),
        None => error,
    })
}

/// How the reserved byte was read in the archive, where one was met.
pub(super) fn reserved(archive: &Archive) -> Option<Finding> {
    let reading = archive.reserved_reading()?;
    let notice = match reading.vote {
        Some(_) => Notice::ReservedVoted,
        None => Notice::ReservedChosen,
    };
    Some(in_archive(
        archive,
        Finding::warning(notice, reading.to_string()),
    ))
}

/// The error with the archive as its place.
pub(super) fn in_archive(archive: &Archive, error: impl Into<Finding>) -> Finding {
    let error = error.into();
    match archive.path() {
        Some(path) => error.in_pak(path),
        None => error,
    }
}
