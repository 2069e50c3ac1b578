//! The changes of an archive, as lines.

use std::io;

use daisho::archive::escape;
use daisho::ops::context::{Context, Refusal};
use daisho::ops::row::{Edit, EditRow, Outcome, Row, Summary};

use super::written::{show_changes, tell_hard_to_find};
use super::{Action, Channel, report};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::Stdout;
use crate::cli::text;

/// Runs an edit, and shows what was changed. `undo` only exchanges two files, so it shows no rate.
pub(crate) fn report_edit(
    global: &Global,
    is_undo: bool,
    operation: impl FnOnce(&Context<'_>, &mut dyn FnMut(Row)) -> Result<Summary, Refusal>,
) -> Exit {
    let mut edited = None;
    let show = |out: &mut Stdout, row: Row| {
        if let Row::Edit(row) = row {
            show(out, &row, global)?;
            edited = Some(row);
        }
        Ok(())
    };
    let ended = report(global, Action::WritesTimed, show, operation);
    let Some(edited) = edited else {
        return ended.exit;
    };
    let outcome = edited.output.outcome;
    let target = text::path(&edited.output.target);
    if matches!(outcome, Outcome::Failed | Outcome::Stopped) {
        global.messages.note(&format!("{target}: not changed"));
        return ended.exit.and(Exit::NotAllWell);
    }
    let mut line = format!("{target}: {}", summary(&edited, is_undo));
    if outcome == Outcome::Written && !is_undo {
        line += &format!(" in {}", ended.rate);
    }
    let lines = Channel::new(outcome == Outcome::Planned, global.json);
    lines.print_last(global, &line).and(ended.exit)
}

/// `1 added, 2 replaced; would write 3 entries, 10 bytes to 20 bytes`
fn summary(edited: &EditRow, is_undo: bool) -> String {
    let output = &edited.output;
    if output.outcome == Outcome::Kept {
        return "unchanged, the new archive would be the same".to_owned();
    }
    let mut words = counts(edited);
    if !words.is_empty() {
        words += "; ";
    }
    words += match (output.outcome, is_undo) {
        (Outcome::Planned, true) => "would be ",
        (Outcome::Planned, false) => "would write ",
        _ => "",
    };
    let entries = text::count(output.entries_out(), "entry", "entries");
    let sizes = text::in_and_out(output.bytes_in, output.bytes_out);
    format!("{words}{entries}, {sizes}")
}

/// Shows the changes.
fn show(out: &mut Stdout, row: &EditRow, global: &Global) -> io::Result<()> {
    tell_hard_to_find(&row.output, global);
    if global.json {
        return Ok(());
    }
    show_changes(out, &row.output, row.changes.iter().map(words), global)
}

/// What became of an entry, in words.
fn words(change: &Edit) -> String {
    match change {
        Edit::Added { name, size } => format!("add {}: {}", escape(name), text::bytes(*size)),
        Edit::Replaced {
            name,
            size,
            entries,
        } => {
            let all = match entries {
                1 => String::new(),
                _ => format!(", for {entries} entries"),
            };
            format!("replace {}: {}{all}", escape(name), text::bytes(*size))
        }
        Edit::Removed { name, size } => {
            format!("remove {}: {}", escape(name), text::bytes(*size))
        }
        Edit::Renamed { name, from } => format!("rename {} to {}", escape(from), escape(name)),
    }
}

/// How many entries were changed in each way, in words.
fn counts(row: &EditRow) -> String {
    let mut counts = Vec::new();
    for (count, word) in row.counts() {
        if count > 0 {
            counts.push(format!("{count} {word}"));
        }
    }
    counts.join(", ")
}
