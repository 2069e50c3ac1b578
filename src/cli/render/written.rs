//! The archives that `convert`, `create` and the edits write: plans, parts, changes, and summaries.

use std::io::{self, Write as _};

use crate::archive::escape;
use crate::cli::exit::Exit;
use crate::cli::output::{DataKind, Stdout};
use crate::cli::render::json_line;
use crate::cli::rows::Show;
use crate::cli::text;
use crate::cli::ui::{Ui, Watch};
use crate::ops::finding::Finding;
use crate::ops::row::{
    Change, ChangeRow, Fate, HardToFind, OutputFile, OutputRow, OutputStatus, WriteTotals,
};
use crate::ops::write::Destination;
use crate::ops::{EditRow, Refusal};

/// Ends the report: copies the archive to standard output if `-o` says so, and prints the last lines. If standard
/// output does not take the archive, it was not written, and no line says that it was.
pub(crate) fn end(destination: &Destination, dry_run: bool, lines: &[String], ui: &Ui) {
    if let Destination::Spool(spool) = destination
        && !dry_run
        && !ui.write(DataKind::Archive, |out| spool.copy_to(out).map(drop))
    {
        return;
    }
    for line in lines {
        ui.print_last(dry_run, line);
    }
}

/// The line of an archive or a picture that was converted.
pub(crate) fn converted_line(output: &OutputRow, keep_going: bool) -> Option<String> {
    let (source, target) = (text::path(&output.source), text::path(&output.target));
    let mut line =
        format!("{source} -> {target}: {}", summary(output, &entries_of(output.entries_out()))?);
    if output.status.is_kept() {
        return Some(line);
    }
    if output.mended > 0 {
        line.push_str(&format!(
            ", {} corrected (odd in the source, and not in the output)",
            output.mended
        ));
    }
    if output.skipped > 0 {
        let all = text::count(output.entries, "entry", "entries");
        line.push_str(&match output.status {
            OutputStatus::Failed if keep_going => format!(": no entry of {all} is left"),
            OutputStatus::Failed => format!(
                ": {} of {all} cannot be converted; --keep-going leaves {} out",
                output.skipped,
                if output.skipped == 1 { "it" } else { "them" }
            ),
            _ => format!(", {} left out", output.skipped),
        });
    }
    Some(line)
}

/// The last line of a conversion of things that are called so, with the time and the rate.
pub(crate) fn total(
    totals: &WriteTotals,
    (one, more): (&str, &str),
    dry_run: bool,
    rate: &str,
) -> String {
    let mut line = text::count(totals.done, one, more);
    line.push_str(if dry_run { " to write" } else { " written" });
    let others = text::counts([
        (totals.kept, "kept"),
        (totals.skipped, "without a match"),
        (totals.failed, "not written"),
    ]);
    if !others.is_empty() {
        line += &format!(", {others}");
    }
    if totals.done > 0 && !dry_run {
        let sizes = text::in_and_out(totals.bytes_in, Some(totals.bytes_out));
        line += &format!(": {}{sizes} in {rate}", entries_of(totals.entries));
    }
    line
}

/// `3 entries, `, or nothing of pictures, which have none.
fn entries_of(count: u64) -> String {
    if count == 0 { String::new() } else { text::count(count, "entry, ", "entries, ") }
}

/// Shows the new archive or its parts, and with `-v` the names in them.
pub(crate) fn show_created(out: &mut Stdout, output: &OutputRow, ui: &Ui) -> io::Result<()> {
    tell_hard_to_find(output, ui);
    show_plan(out, output, ui)?;
    if output.status.is_planned() || ui.verbose {
        let files = output.files.iter().map(|file| {
            let (name, size) = (escape(&file.name), text::bytes(file.size));
            format!("add {name}: {size}")
        });
        show_changes(out, output, files, ui)?;
    }
    if !matches!(output.status, OutputStatus::Failed | OutputStatus::Stopped) {
        print_parts(out, &output.parts, output.status.is_planned(), ui)?;
    }
    Ok(())
}

/// The line of an archive that was created.
pub(crate) fn created_line(output: &OutputRow) -> String {
    let files = text::count(output.files.len(), "file, ", "files, ");
    let mut words = summary(output, &files).unwrap_or_else(|| "not written".to_owned());
    if output.skipped > 0 && (output.status.is_written() || output.status.is_planned()) {
        words += &format!(", {} left out", output.skipped);
    }
    format!("{}: {words}", text::path(&output.target))
}

/// Shows which files would be written. Nothing, if the output was really written.
pub(crate) fn show_plan(out: &mut Stdout, output: &OutputRow, ui: &Ui) -> io::Result<()> {
    match output.status {
        _ if ui.json => {}
        status if status.is_kept() => writeln!(out, "keep {}", text::path(&output.target))?,
        OutputStatus::Planned(_) => {
            for part in &output.parts {
                let verb = if part.replaces { "replace" } else { "write" };
                writeln!(out, "{verb} {}", text::path(&part.target))?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// How many changes are shown without `-v`.
const SHOWN: usize = 5;

/// Shows the changes of a dry run, or the first changes that were made; all with `-v`.
fn show_changes(
    out: &mut Stdout,
    output: &OutputRow,
    changes: impl ExactSizeIterator<Item = String>,
    ui: &Ui,
) -> io::Result<()> {
    if ui.json {
        return Ok(());
    }
    if output.status.is_planned() {
        for change in changes {
            writeln!(out, "{change}")?;
        }
    } else if output.status.is_written() {
        let shown = if ui.verbose { usize::MAX } else { SHOWN };
        let more = changes.len().saturating_sub(shown);
        for change in changes.take(shown) {
            ui.line(&format!("  {change}"));
        }
        if more > 0 {
            ui.line(&format!("  and {more} more (-v shows them)"));
        }
    }
    Ok(())
}

/// Prints a line for each part if there are several.
pub(crate) fn print_parts(
    out: &mut Stdout,
    parts: &[OutputFile],
    dry_run: bool,
    ui: &Ui,
) -> io::Result<()> {
    if parts.len() < 2 {
        return Ok(());
    }
    for part in parts {
        let (target, entries) =
            (text::path(&part.target), text::count(part.entries, "entry", "entries"));
        let would = if dry_run { "would write " } else { "" };
        let bytes = match part.bytes {
            Some(bytes) => format!(", {}", text::bytes(bytes)),
            None => String::new(),
        };
        let line = format!("  {target}: {would}{entries}{bytes}");
        ui.print(out, dry_run, &line)?;
    }
    Ok(())
}

/// With `-v`, names each entry that an engine never finds, or finds only by its exact spelling.
pub(crate) fn tell_hard_to_find(output: &OutputRow, ui: &Ui) {
    for hard in &output.hard_to_find {
        let HardToFind { index, name, .. } = hard;
        let how =
            if hard.found { "is found only under exactly this spelling" } else { "is never found" };
        let (name, engines) = (escape(name), hard.engines);
        let line = format!("  entry {index} \"{name}\" {how} by {engines}");
        ui.detail(&line);
    }
}

/// `2 archives, 7 entries, 1.2 MB to 3.4 MB`, with `entries` in words. `None` if the run was stopped before.
fn summary(output: &OutputRow, entries: &str) -> Option<String> {
    let archives = match output.parts.len() {
        0 | 1 => String::new(),
        count => text::count(count, "archive, ", "archives, "),
    };
    let sizes = text::in_and_out(output.bytes_in, output.bytes_out);
    Some(match output.status {
        OutputStatus::Planned(Fate::Keep) | OutputStatus::Done(Fate::Keep) => "kept".to_owned(),
        OutputStatus::Planned(_) => format!("would write {archives}{entries}{sizes}"),
        OutputStatus::Done(_) => format!("{archives}{entries}{sizes}"),
        OutputStatus::Failed => "not written".to_owned(),
        OutputStatus::Skipped | OutputStatus::Stopped => return None,
    })
}

/// Shows what an edit has changed.
pub(crate) fn report_edit(
    edited: Result<EditRow, Refusal>,
    watch: Watch<'_>,
    ui: &Ui,
) -> Result<(), Refusal> {
    let rate = watch.end();
    let edited = edited?;
    ui.show_one(&mut ShowEdit { ui }, &edited);
    let status = edited.output.status;
    let target = text::path(&edited.output.target);
    if matches!(status, OutputStatus::Failed | OutputStatus::Stopped) {
        ui.note(&format!("{target}: not changed"));
        ui.worsen(Exit::NotAllWell);
        return Ok(());
    }
    let mut line = format!("{target}: {}", edit_summary(&edited));
    if status.is_written() {
        line += &format!(" in {rate}");
    }
    ui.print_last(status.is_planned(), &line);
    Ok(())
}

/// Shows an edit.
struct ShowEdit<'g> {
    ui: &'g Ui,
}

impl<'r> Show<&'r EditRow> for ShowEdit<'_> {
    const ROWS_ARE_INPUTS: bool = true;

    fn findings<'s>(row: &'s &'r EditRow) -> &'s [Finding] {
        &row.output.findings
    }

    fn json(&self, out: &mut Stdout, row: &&'r EditRow) -> io::Result<bool> {
        for error in row.output.findings.iter().filter(|it| it.is_error() && it.status().is_some())
        {
            json_line(out, error)?;
        }
        if matches!(row.output.status, OutputStatus::Failed | OutputStatus::Stopped) {
            return Ok(false);
        }
        json_line(out, row)?;
        Ok(true)
    }

    fn text(&mut self, out: &mut Stdout, row: &'r EditRow) -> io::Result<()> {
        tell_hard_to_find(&row.output, self.ui);
        show_changes(out, &row.output, row.changes.iter().map(edit_words), self.ui)
    }
}

/// `1 added, 2 replaced, 1 left out; would write 3 entries, 10 bytes to 20 bytes`
fn edit_summary(edited: &EditRow) -> String {
    let output = &edited.output;
    if output.status.is_kept() {
        return "unchanged, the new archive would be the same".to_owned();
    }
    let [added, replaced, removed, renamed] = edited.counts();
    let left_out = (output.skipped, "left out");
    let mut words = text::counts([added, replaced, removed, renamed, left_out]);
    if !words.is_empty() {
        words += "; ";
    }
    if output.status.is_planned() {
        words += "would write ";
    }
    let entries = text::count(output.entries_out(), "entry", "entries");
    let sizes = text::in_and_out(output.bytes_in, output.bytes_out);
    format!("{words}{entries}, {sizes}")
}

/// What became of an entry, in words.
fn edit_words(row: &ChangeRow) -> String {
    let name = escape(&row.name);
    let size = text::bytes(row.size_b.or(row.size_a).unwrap_or(0));
    match row.change {
        Change::Added => format!("add {name}: {size}"),
        Change::Changed => {
            let all = match row.entries {
                1 => String::new(),
                entries => format!(", for {entries} entries"),
            };
            format!("replace {name}: {size}{all}")
        }
        Change::Removed => format!("remove {name}: {size}"),
        _ => {
            let new = row.new_name.as_deref().unwrap_or(&row.name);
            format!("rename {name} to {}", escape(new))
        }
    }
}
