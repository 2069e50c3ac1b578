//! The last edit taken back: the archive and its previous version, `NAME~`, exchange their names.
//!
//! So undoing twice redoes the edit.

use std::path::{Path, PathBuf};

use super::context::{Context, Refusal};
use super::edit::{Change, backup_of, changeable, check_backup, shown_as};
use super::open::open;
use super::read::diff::{DiffOptions, diff};
use super::row::{self, ChangeRow, Row};
use crate::error::{Error, ErrorKind};
use crate::fs::System;

/// What was taken back, or would be.
#[derive(Debug)]
pub struct Undone {
    /// The archive.
    pub archive: PathBuf,
    /// What that does to its entries.
    pub changes: Vec<Change>,
    /// How many entries it has then.
    pub entries: u64,
    /// How long the file was, and how long it is then.
    pub bytes: (u64, u64),
}

/// Takes the last edit back; with `dry_run` only finds out what that would do.
///
/// # Errors
/// If there is no previous version, or one of the two is not an archive. Nothing is changed then.
pub fn undo(context: &Context<'_>, archive: &Path, dry_run: bool) -> Result<Undone, Refusal> {
    undo_on(&System::real(), context, archive, dry_run)
}

/// [`undo`] on a system.
pub(crate) fn undo_on(
    system: &System,
    context: &Context<'_>,
    path: &Path,
    dry_run: bool,
) -> Result<Undone, Refusal> {
    let file = changeable(path)?;
    let (backup, shown_backup) = (backup_of(&file), backup_of(path));
    let found = check_backup(system, context.open, &backup);
    let found = found.map_err(|error| shown_as(error, &shown_backup))?;
    // A run that was killed may have left two names for one file.
    let is_same = || Ok(system.identify(&file)? == system.identify(&backup)?);
    if !found || is_same().map_err(|error| Error::from_io(error).in_pak(path))? {
        return Err(Error::from(ErrorKind::NothingToUndo(shown_backup))
            .in_pak(path)
            .into());
    }
    let now = open(system, path, context.open)?;
    let then = open(system, &backup, context.open)?;
    // Damaged entries keep nobody from going back, so what is said of them here is not passed on.
    let mut changes = Vec::new();
    diff(
        context,
        &file,
        &backup,
        &DiffOptions::default(),
        &mut |row| {
            if let Row::Change(found) = row {
                changes.extend(change(found));
            }
        },
    )?;
    let undone = Undone {
        archive: path.to_path_buf(),
        changes,
        entries: then.len() as u64,
        bytes: (now.file_len(), then.file_len()),
    };
    drop((now, then));
    context.cancel.check()?;
    if !dry_run {
        let (root, name) = system.root_of_file(&file).map_err(Error::from)?;
        let exchanged = root.exchange(&name, &backup_of(&name));
        let mut errors = Vec::new();
        if let Err(error) = exchanged {
            let error = Error::from(error);
            // An error may also be about the temporary name that is the only one of a file now.
            let is_archive = error.pak() == Some(&*file);
            errors.push(if is_archive {
                shown_as(error, path)
            } else {
                error
            });
        }
        errors.extend(root.finish().into_iter().map(Error::from));
        if !errors.is_empty() {
            return Err(Refusal(errors));
        }
    }
    Ok(undone)
}

/// A difference between the archive and its previous version, as a change.
fn change(found: ChangeRow) -> Option<Change> {
    let ChangeRow {
        name,
        new_name,
        size_a,
        size_b,
        ..
    } = found;
    let (before, after) = (size_a.unwrap_or_default(), size_b.unwrap_or_default());
    Some(match found.change {
        row::Change::Added => Change::Added { name, size: after },
        row::Change::Removed => Change::Removed { name, size: before },
        row::Change::Changed => Change::Replaced {
            name,
            size: after,
            entries: 1,
        },
        row::Change::Renamed => Change::Renamed {
            name: new_name?,
            from: name,
        },
        row::Change::Moved => return None,
    })
}
