//! Undoes the last edit: the archive and its previous version, `NAME~`, exchange their names.
//!
//! So undoing twice redoes the edit.

use std::path::Path;

use super::context::{Context, Refusal};
use super::edit::{backup_of, changeable, check_backup, shown_as};
use super::read::diff::{DiffOptions, diff};
use super::row::{Change, Delivery, EditRow, Outcome, OutputFile, OutputRow, Row, Summary};
use super::source::open;
use crate::archive::quoted_path;
use crate::ops::finding::{Finding, Notice};

/// Undoes the last edit. With `dry_run`, only reports what that would change.
///
/// # Errors
/// If there is no previous version, or one of the two files is not an archive. Then nothing is changed.
pub fn undo(
    context: &Context<'_>,
    path: &Path,
    dry_run: bool,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let file = changeable(path)?;
    let (backup, shown_backup) = (backup_of(&file), backup_of(path));
    let found = check_backup(&context.system, context.open, &backup);
    let found = found.map_err(|error| shown_as(error, &shown_backup))?;
    // A run that was killed may have left two names for one file.
    let is_same = || Ok(context.system.identify(&file)? == context.system.identify(&backup)?);
    if !found || is_same().map_err(|error| Finding::from_io(error).at_path(path))? {
        let why = format!(
            "there is nothing to undo: {} does not exist",
            quoted_path(&shown_backup)
        );
        return Err(Finding::error(Notice::NothingToUndo, why)
            .at_path(path)
            .into());
    }
    let now = open(&context.system, path, context.open)?;
    let then = open(&context.system, &backup, context.open)?;
    // Damaged entries are no reason not to undo, so they are not reported here.
    let mut changes = Vec::new();
    diff(
        context,
        &file,
        &backup,
        &DiffOptions::default(),
        &mut |row| {
            if let Row::Change(change) = row
                && change.change != Change::Moved
            {
                changes.push(change);
            }
        },
    )?;
    let shown = path.to_path_buf();
    let mut output = OutputRow::new(shown.clone(), shown.clone(), then.format());
    output.from = Some(now.format());
    output.bytes_in = now.file_len();
    output.bytes_out = Some(then.file_len());
    output.outcome = match dry_run {
        true => Outcome::Planned,
        false => Outcome::Written,
    };
    output.parts.push(OutputFile {
        target: shown,
        replaces: true,
        entries: then.len() as u64,
        bytes: output.bytes_out,
    });
    drop((now, then));
    context.cancel.check()?;
    if !dry_run {
        exchange(context, path, &file)?;
    }
    let mut out = Delivery::new(rows);
    out.row(Row::Edit(Box::new(EditRow { output, changes })));
    Ok(out.summary)
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
