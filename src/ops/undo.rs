//! Undoes the last edit: the archive and its previous version, `NAME~`, exchange their names.
//!
//! So undoing twice redoes the edit.

use std::path::{Path, PathBuf};

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::{Archive, path_bytes, quoted_path};
use crate::ops::context::{Context, Refusal};
use crate::ops::edit::{backup_of, changeable, open_backup, shown_as};
use crate::ops::finding::Finding;
use crate::ops::json::text_entry;
use crate::ops::source::{self, open};

/// An archive and its previous version that have exchanged their names, or would.
#[derive(Debug)]
pub struct UndoRow {
    /// The archive.
    pub archive: PathBuf,
    /// Whether nothing was done, because only a report was asked for.
    pub is_planned: bool,
    /// The archive before.
    pub before: Version,
    /// The archive now, which was its previous version.
    pub after: Version,
}

/// The entries and the length of one version of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// How many entries it has.
    pub entries: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

impl Serialize for UndoRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let status = if self.is_planned { "planned" } else { "written" };
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "archive", &path_bytes(&self.archive))?;
        map.serialize_entry("status", status)?;
        map.serialize_entry("entries_before", &self.before.entries)?;
        map.serialize_entry("bytes_before", &self.before.bytes)?;
        map.serialize_entry("entries", &self.after.entries)?;
        map.serialize_entry("bytes", &self.after.bytes)?;
        map.end()
    }
}

/// Undoes the last edit. With `dry_run`, only reports what that would change.
///
/// # Errors
/// If there is no previous version, or one of the two files is not an archive. Then nothing is changed.
pub fn undo(context: &Context<'_>, path: &Path, dry_run: bool) -> Result<UndoRow, Refusal> {
    let file = changeable(path)?;
    let (backup, shown_backup) = (backup_of(&file), backup_of(path));
    let previous = open_backup(&context.system, context.open, &backup);
    let previous = previous.map_err(|error| shown_as(error, &shown_backup))?;
    // A run that was killed may have left two names for one file.
    let previous = match previous {
        Some(_) if is_one_file(context, &file, &backup)? => None,
        previous => previous,
    };
    let Some(previous) = previous else {
        let why =
            format!("there is nothing to undo: {} does not exist", quoted_path(&shown_backup));
        return Err(Finding::error(why)
            .advice("adding, removing and renaming keep the previous archive there, unless no backup is wanted")
            .at_path(path)
            .into());
    };
    let source = source::file(&context.system, path).map_err(|error| error.at_path(path))?;
    let current = open(&context.system, path, context.open)?;
    let row = UndoRow {
        archive: path.to_path_buf(),
        is_planned: dry_run,
        before: version(&current),
        after: version(&previous),
    };
    // Some systems cannot rename an open file.
    drop((current, previous));
    context.cancel.check()?;
    if dry_run {
        return Ok(row);
    }
    let locked = source.lock();
    let _lock = locked.map_err(|error| Finding::from_io(error).at_path(path))?;
    exchange(context, path, &file)?;
    Ok(row)
}

fn version(archive: &Archive) -> Version {
    Version { entries: archive.len() as u64, bytes: archive.file_len() }
}

/// Whether two paths are names of one file.
fn is_one_file(context: &Context<'_>, one: &Path, other: &Path) -> Result<bool, Finding> {
    let identify = |path| {
        let identified = context.system.identify(path);
        identified.map_err(|error| Finding::from_io(error).at_path(path))
    };
    Ok(identify(one)? == identify(other)?)
}

/// Exchanges the names of an archive, which the user calls `shown`, and of its previous version.
fn exchange(context: &Context<'_>, shown: &Path, file: &Path) -> Result<(), Refusal> {
    let (root, name) = context.system.root_of_file(file).map_err(Finding::from)?;
    let mut errors = Vec::new();
    if let Err(error) = root.exchange(&name, &backup_of(&name)) {
        let error = Finding::from(error);
        // An error about another path, such as the previous version's, keeps that path.
        errors.push(match error.place.path.as_deref() {
            Some(path) if path == file => shown_as(error, shown),
            _ => error,
        });
    }
    errors.extend(root.finish().into_iter().map(Finding::from));
    Refusal::if_any(errors)
}
