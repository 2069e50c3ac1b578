//! The archives that `convert`, `create` and the edits write: plans, parts, changes, and summaries.

use std::io::{self, Write as _};
use std::path::Path;

use crate::archive::escape;
use crate::cli::exit::Exit;
use crate::cli::output::{DataKind, Stdout};
use crate::cli::render::info::unread_line;
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::ops::finding::Finding;
use crate::ops::row::{
    Change, ChangeRow, Created, Fate, HardToFind, OutputFile, OutputRow, OutputStatus, Unread,
    WriteTotals,
};
use crate::ops::write::Destination;
use crate::ops::{self, Edit, EditOptions, EditRow, Refusal};

/// Shows each archive or picture that is written.
pub(crate) struct ShowOutputs<'a> {
    ui: &'a Ui,
    destination: &'a Destination,
    dry_run: bool,
    /// Whether there are several, or may be.
    pub(crate) several: bool,
    pub(crate) keep_going: bool,
    /// Lines that are printed in the end.
    pub(crate) lines: Vec<String>,
    /// What engines cannot read of the archives so far.
    unread: Vec<Unread>,
}

impl<'a> ShowOutputs<'a> {
    pub(crate) fn new(ui: &'a Ui, destination: &'a Destination, dry_run: bool) -> Self {
        let (lines, unread) = (Vec::new(), Vec::new());
        Self { ui, destination, dry_run, several: false, keep_going: false, lines, unread }
    }

    /// Ends the report: copies the archive to standard output if `-o` says so, and prints the last lines. If standard
    /// output does not take the archive, it was not written, and no line says that it was.
    pub(crate) fn end(mut self) {
        if let Destination::Spool(spool) = self.destination
            && !self.dry_run
            && !self.ui.write(DataKind::Archive, |out| spool.copy_to(out).map(drop))
        {
            return;
        }
        // Of all archives together, not of each.
        self.lines.extend(unread_line(&self.unread));
        for line in &self.lines {
            self.ui.print_last(self.dry_run, line);
        }
    }

    /// Adds what engines cannot read of one archive to what they cannot read of those before it.
    fn add_unread(&mut self, more: Vec<Unread>) {
        for unread in more {
            let mut before = self.unread.iter_mut();
            let same = before.find(|before| {
                before.engine == unread.engine && before.file_type == unread.file_type
            });
            match same {
                Some(before) => before.count += unread.count,
                None => self.unread.push(unread),
            }
        }
    }

    /// Shows which files would be written.
    fn show_plan(&self, out: &mut Stdout, output: &OutputRow) -> io::Result<()> {
        if output.status.is_kept() {
            writeln!(out, "keep {}", text::path(&output.target))?;
        } else if output.status.is_planned() {
            for part in &output.parts {
                let verb = if part.replaces { "replace" } else { "write" };
                writeln!(out, "{verb} {}", text::path(&part.target))?;
            }
        }
        Ok(())
    }

    /// Prints a line for each part if there are several.
    fn print_parts(&self, out: &mut Stdout, parts: &[OutputFile]) -> io::Result<()> {
        for part in parts.iter().filter(|_| parts.len() > 1) {
            let entries = text::count(part.entries, "entry", "entries");
            let would = if self.dry_run { "would write " } else { "" };
            let mut line = format!("  {}: {would}{entries}", text::path(&part.target));
            if let Some(bytes) = part.bytes {
                line += &format!(", {}", text::bytes(bytes));
            }
            self.ui.print(out, self.dry_run, &line)?;
        }
        Ok(())
    }

    /// The line about an output. `None` if nothing was selected, or if the run was stopped before.
    fn line(&self, output: &OutputRow) -> Option<String> {
        let (source, target) = (text::path(&output.source), text::path(&output.target));
        let (names, entries) = match output.files.len() {
            0 => (format!("{source} -> {target}"), entries_of(output.entries_out())),
            files => (target, text::count(files, "file, ", "files, ")),
        };
        let mut line = format!("{names}: {}", summary(output, &entries)?);
        if output.status.is_kept() {
            return Some(line);
        }
        if output.mended > 0 {
            let mended = output.mended;
            line += &format!(", {mended} corrected (odd in the source, and not in the output)");
        }
        let skipped = output.skipped;
        if skipped > 0 && output.status == OutputStatus::Failed {
            let all = text::count(output.entries, "entry", "entries");
            line += &format!(": {skipped} of {all} cannot be converted");
            if !self.keep_going {
                let them = if skipped == 1 { "it" } else { "them" };
                line += &format!("; --keep-going leaves {them} out");
            }
        } else if skipped > 0 {
            line += &format!(", {skipped} left out");
        }
        Some(line)
    }
}

impl Show<Box<OutputRow>> for ShowOutputs<'_> {
    fn findings(row: &Box<OutputRow>) -> &[Finding] {
        &row.findings
    }

    fn text(&mut self, out: &mut Stdout, mut row: Box<OutputRow>) -> io::Result<()> {
        self.add_unread(std::mem::take(&mut row.unread));
        tell_hard_to_find(&row, self.ui);
        // Warnings about a new archive come after the list of its files, which can be long.
        if !self.several && row.files.is_empty() {
            self.ui.flush();
        }
        if self.dry_run && !self.ui.json {
            self.show_plan(out, &row)?;
        }
        if self.several && self.dry_run && matches!(row.status, OutputStatus::Planned(_)) {
            // The plan has a line for each output already.
            return Ok(());
        }
        if row.status.is_planned() || self.ui.verbose && row.status.is_written() {
            let files = row.files.iter();
            let add = |it: &Created| format!("add {}: {}", escape(&it.name), text::bytes(it.size));
            show_changes(out, self.dry_run, files.map(add), self.ui)?;
        }
        let is_well = row.status.is_kept() || row.status.is_written() && row.skipped == 0;
        if is_well && row.is_one_of_many && !self.ui.verbose {
            return Ok(());
        }
        self.print_parts(out, &row.parts)?;
        let Some(line) = self.line(&row) else {
            return Ok(());
        };
        // A line about standard output waits until all is there, and one about a new archive for the time.
        let waits = matches!(self.destination, Destination::Spool(_)) && !self.dry_run;
        if waits || !row.files.is_empty() {
            self.lines.push(line);
            return Ok(());
        }
        self.ui.print(out, self.dry_run, &line)
    }
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

/// `2 archives, 7 entries, 1.2 MB to 3.4 MB`, with `entries` in words. `None` if nothing was selected, or if the run was
/// stopped before.
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

/// How many changes are shown without `-v`.
const SHOWN: usize = 5;

/// Shows the changes of a dry run, or the first changes that were made; all with `-v`.
pub(crate) fn show_changes(
    out: &mut Stdout,
    is_planned: bool,
    changes: impl ExactSizeIterator<Item = String>,
    ui: &Ui,
) -> io::Result<()> {
    if is_planned && !ui.json {
        for change in changes {
            writeln!(out, "{change}")?;
        }
    } else if !is_planned {
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

/// With `-v`, names each entry that an engine never finds, or finds only by its exact spelling.
fn tell_hard_to_find(output: &OutputRow, ui: &Ui) {
    for hard in &output.hard_to_find {
        let HardToFind { index, name, .. } = hard;
        let how =
            if hard.found { "is found only under exactly this spelling" } else { "is never found" };
        let (name, engines) = (escape(name), hard.engines);
        let line = format!("  entry {index} \"{name}\" {how} by {engines}");
        ui.detail(&line);
    }
}

/// Runs an edit, and shows what it has changed.
pub(crate) fn run_edit(
    ui: &Ui,
    archive: &Path,
    edit: Edit,
    options: EditOptions,
) -> Result<(), Refusal> {
    let mut shown = ShowEdit { ui, edited: None };
    let ((), rate) = ui.run(RunKind::Writes, &mut shown, |context, out| {
        let _ = out.row(ops::edit(context, archive, &[edit], options)?);
        Ok(())
    })?;
    let Some(edited) = shown.edited else {
        return Ok(());
    };
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

/// Shows an edit when all is done.
struct ShowEdit<'g> {
    ui: &'g Ui,
    edited: Option<EditRow>,
}

impl Show<EditRow> for ShowEdit<'_> {
    fn findings(row: &EditRow) -> &[Finding] {
        &row.output.findings
    }

    fn is_object(finding: &Finding) -> bool {
        finding.is_error() && finding.status().is_some()
    }

    fn has_object(row: &EditRow) -> bool {
        !matches!(row.output.status, OutputStatus::Failed | OutputStatus::Stopped)
    }

    fn text(&mut self, out: &mut Stdout, row: EditRow) -> io::Result<()> {
        tell_hard_to_find(&row.output, self.ui);
        let status = row.output.status;
        if status.is_planned() || status.is_written() {
            show_changes(out, status.is_planned(), row.changes.iter().map(edit_words), self.ui)?;
        }
        self.edited = Some(row);
        Ok(())
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
    let entries = text::count(output.entries_out(), "entry, ", "entries, ");
    words + &summary(output, &entries).unwrap_or_default()
}

/// What became of an entry, in words.
pub(crate) fn edit_words(row: &ChangeRow) -> String {
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
