//! Findings about an archive as a whole.

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Note};
use crate::ops::finding::{Finding, Notice};

/// Findings about the archive as a whole. They are warnings, but missing entries are an error.
pub(super) fn notes(archive: &Archive) -> Vec<Finding> {
    let directory = archive.structure().directory.offset;
    let finding = |note: &Note| {
        let finding = in_archive(archive, *note);
        match note {
            Note::DirectoryCut { .. } => finding.at(directory),
            _ => finding,
        }
    };
    archive.notes().iter().map(finding).collect()
}

/// Checks that an archive has not changed since it was opened.
pub(super) fn check_unchanged(archive: &Archive) -> Result<(), Finding> {
    let unchanged = archive.is_unchanged().map_err(Finding::from_io);
    let error = match unchanged {
        Ok(true) => return Ok(()),
        Ok(false) => Finding::from(ErrorKind::Replaced),
        Err(error) => error,
    };
    Err(match archive.path() {
        Some(path) => error.in_pak(path),
        None => error,
    })
}

/// How the reserved byte was read in the archive, if it occurs.
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
