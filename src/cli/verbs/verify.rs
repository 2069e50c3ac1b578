//! `verify`: decodes everything in archives, and compares it with a snapshot.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::TypedValueParser;
use clap::{Args, ValueHint};

use crate::archive::{escape, path_bytes};
use crate::cli::args::{ExpansionArgs, one_of};
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::output::Stdout;
use crate::cli::rows::{RunKind, Show};
use crate::cli::ui::Ui;
use crate::cli::{exit, text};
use crate::ops::catalogue::{
    Change, Hash, Line, Recorded, SnapshotOptions, SnapshotRow, SnapshotTotals, State,
};
use crate::ops::finding::Finding;
use crate::ops::{
    Refusal, VerifiedArchive, VerifiedEntry, VerifyOptions, VerifyRow, VerifyTotals, verify,
};

/// Check that every entry can be decoded
///
/// Every entry is decoded, and its checksum is compared if the archive has one. Damage is reported with
/// the entry and the byte, and the exit status is 1. With --snapshot, contents are also compared with
/// the recorded ones.
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY)]
#[command(override_usage = "daisho verify [OPTIONS] PATH... [NAME|GLOB]...")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// Compare the contents with those recorded in FILE
    ///
    /// A missing FILE is an error; --update creates it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Snapshot")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Create or update the snapshot
    ///
    /// Damaged entries and unreadable archives are recorded (exit status 1).
    #[arg(long, requires = "snapshot", help_heading = "Snapshot")]
    pub(crate) update: bool,
    /// The checksum to print, or in a new snapshot [default: crc32]
    ///
    /// Without --snapshot or --json, prints a line for each entry, which 'sha256sum -c' can check.
    /// crc32 finds accidents; sha256 also finds deliberate changes, and takes longer.
    #[arg(long, value_name = "HASH", value_parser = hash(), help_heading = "Snapshot")]
    pub(crate) hash: Option<Hash>,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

/// Parses the word for a hash.
fn hash() -> impl TypedValueParser<Value = Hash> {
    one_of(Hash::ALL.map(|it| (it.as_str().into(), it)))
}

const VERIFY: &str = "\
Rules:
  A snapshot has a line for each entry, sorted by name: checksum, size, name.
  It records contents, not formats: a pak, its conversion and its PK3 match
  the same snapshot. With several archives, each name begins with the
  archive's path. In place of the checksum, a damaged entry has 'damaged', and
  an archive that cannot be read has 'unreadable'. Lines that the snapshot
  already has for entries of such an archive stay.
  'unsupported' is an entry whose compression or encryption daisho does not
  read; it is not damaged, but the exit status is 1.
  Each of several archives has a line. Of more than 20, only an archive that is
  not OK has one, or each with -v. With -q, an archive that is not OK has a
  line, and nothing else is printed but errors; with --snapshot, only
  differences are.
  --hash prints the checksum of each entry and the path of the file that
  'daisho extract -C' of the same arguments makes of it, so that 'sha256sum -c'
  can check what was extracted. Escaped names have a backslash before the line,
  as in sha256sum. It can check such a line if only backslashes are escaped.
  A difference is an entry that is missing, new, changed or renamed (same
  content, other name), or an archive that is missing or new as a whole, or
  became unreadable or readable. If damage is as the snapshot records it, the
  exit status is 0.
  With names, -i or -x, only matching entries are compared or updated.

Examples:
  daisho verify pak0.pak maps/                     only this folder
  daisho verify games/                             all archives in a directory
  daisho verify pak1.pak --snapshot pak1.txt --update
                                                   record what is in it
  daisho verify quake1.pak --snapshot pak1.txt     the conversion lost nothing
  daisho verify games/ --snapshot games.txt --update --hash sha256
  daisho verify pak0.pak --hash sha256 > pak0.sums
                                                   for 'sha256sum -c'
  daisho verify games/ --json | jq -c 'select(.status != \"ok\")'
                                                   only what is damaged or odd";

pub(super) fn run(mut args: VerifyArgs, ui: &Ui) -> Result<(), Refusal> {
    let selection = args.inputs.selection(&args.globs, false, ui)?;
    let update = args.update;
    // Rows of JSON and snapshots have the checksums in them.
    let list_of = args.hash.filter(|_| args.snapshot.is_none() && !ui.json);
    let options = VerifyOptions {
        listed: args.inputs.list.is_given(),
        selection,
        snapshot: args.snapshot.map(|path| SnapshotOptions { path, update }),
        hash: args.hash,
        checksums: ui.json,
        sums: list_of.is_some(),
        max_expansion: args.expansion.max_expansion,
    };
    let paths = &args.inputs.paths;
    let several = args.inputs.is_several();
    let mut shown = VerifyLines {
        several,
        // Their lines are data, like the differences from a snapshot, which also has what is damaged.
        only_not_ok: ui.quiet && list_of.is_none() && !ui.json && options.snapshot.is_none(),
        ui,
        list_of,
        changed: None,
        last: None,
    };
    let (totals, _) =
        ui.run(RunKind::Decodes, &mut shown, |context, out| verify(context, paths, &options, out))?;
    match exit::caught() {
        _ if totals.is_unmatched => {}
        None => shown.end(&totals, options.snapshot.as_ref()),
        Some(_) => shown.stopped(&totals, options.snapshot.as_ref()),
    }
    Ok(())
}

/// Shows what was verified.
struct VerifyLines<'g> {
    several: bool,
    /// Whether only archives that are not OK have a line, also under `-q`.
    only_not_ok: bool,
    ui: &'g Ui,
    /// The kind of the checksums if standard output is a list of them, and the report is not the result.
    list_of: Option<Hash>,
    /// The archive of the last difference from the snapshot.
    changed: Option<Vec<u8>>,
    /// The last archive that was verified.
    last: Option<Arc<Path>>,
}

impl Show<VerifyRow> for VerifyLines<'_> {
    fn findings(row: &VerifyRow) -> &[Finding] {
        match row {
            VerifyRow::Entry(entry) if !entry.is_recorded => &entry.check.findings,
            VerifyRow::Archive(row) if !row.is_recorded => &row.problems,
            _ => &[],
        }
    }

    fn is_object(_: &Finding) -> bool {
        // The row of an archive says so itself.
        false
    }

    fn text(&mut self, out: &mut Stdout, row: VerifyRow) -> io::Result<()> {
        match row {
            VerifyRow::Entry(row) => self.show_sum(out, &row),
            VerifyRow::Archive(row) => {
                self.last = Some(row.archive.clone());
                self.show_archive(out, &row)
            }
            VerifyRow::Difference(row) => self.show_difference(out, &row),
        }
    }
}

impl VerifyLines<'_> {
    /// Prints a line of the report.
    fn print(&self, out: &mut Stdout, line: &str) -> io::Result<()> {
        self.ui.print(out, self.list_of.is_none(), line)
    }

    /// Writes a line as `sha256sum` prints it: the checksum, two spaces, the name. A name with something escaped in it
    /// has a backslash before the line, as there.
    fn show_sum(&self, out: &mut Stdout, row: &VerifiedEntry) -> io::Result<()> {
        let sum = self.list_of.and_then(|hash| row.check.sums.by(hash));
        let (Some(sum), Some(file)) = (sum, &row.file) else { return Ok(()) };
        let bytes = path_bytes(file);
        let name = escape(&bytes).to_string();
        let mark = if name.as_bytes() == &*bytes { "" } else { "\\" };
        writeln!(out, "{mark}{sum}  {name}")
    }

    /// Shows an archive, unless it is the only one, or is OK and one of many.
    fn show_archive(&self, out: &mut Stdout, row: &VerifiedArchive) -> io::Result<()> {
        let is_unread = row.counts.unread > 0;
        let verdict = if is_unread { "could not be read".into() } else { verdict(&row.counts) };
        let line = format!("{}: {verdict}", text::path(&row.archive));
        let is_ok = row.status() == "ok";
        if self.only_not_ok {
            return if is_ok { Ok(()) } else { writeln!(out, "{line}") };
        }
        let is_left_out = is_ok && row.is_one_of_many && !self.ui.verbose;
        if self.several && !is_left_out { self.print(out, &line) } else { Ok(()) }
    }

    /// Shows a difference, below a heading for its archive if there are several archives.
    fn show_difference(&mut self, out: &mut Stdout, difference: &SnapshotRow) -> io::Result<()> {
        let archive = &difference.archive;
        if difference.whole > 0 {
            self.changed = None;
            let entries = text::count(difference.whole, "entry", "entries");
            let change = difference.change.as_str();
            return writeln!(out, "{change:<7}  {}: {entries}", escape(archive));
        }
        let indent = if archive.is_empty() { "" } else { "  " };
        if !archive.is_empty() && self.changed.as_ref() != Some(archive) {
            writeln!(out, "{}:", escape(archive))?;
        }
        self.changed = Some(archive.clone());
        writeln!(out, "{indent}{}", words(difference))
    }

    /// Prints what was verified before a stop.
    fn stopped(&self, totals: &VerifyTotals, snapshot: Option<&SnapshotOptions>) {
        let Some(last) = self.last.as_deref().map(text::path) else {
            return;
        };
        let archives = text::count(totals.archives, "archive", "archives");
        let mut line = format!("stopped after {last}: {archives}, {}", verdict(totals));
        if let Some(snapshot) = snapshot {
            line += &format!("; {} stays as it was", text::path(&snapshot.path));
        }
        self.ui.print_last(self.list_of.is_none(), &line);
    }

    /// Prints what became of the snapshot, and the summary.
    fn end(&self, totals: &VerifyTotals, snapshot: Option<&SnapshotOptions>) {
        if let (Some(options), Some(recorded)) = (snapshot, &totals.snapshot) {
            match in_words(&options.path, recorded) {
                Ok(line) => self.ui.print_last(self.list_of.is_none(), &line),
                Err(message) => self.ui.tell(&message),
            }
        }
        let mut line = String::new();
        if self.several {
            line += &text::count(totals.archives, "archive, ", "archives, ");
        }
        line += &verdict(totals);
        if totals.unread > 0 {
            line += &format!(
                "; {} could not be read",
                text::count(totals.unread, "archive", "archives")
            );
        }
        self.ui.print_last(self.list_of.is_none(), &line);
    }
}

/// A summary: `3 entries, 1 damaged, 20 bytes OK`.
fn verdict(counts: &VerifyTotals) -> String {
    let entries = text::count(counts.entries, "entry", "entries");
    let bytes = text::bytes(counts.bytes);
    let not_ok = text::counts([(counts.damaged, "damaged"), (counts.unsupported, "not supported")]);
    let mut words = if !not_ok.is_empty() {
        format!("{entries}, {not_ok}, {bytes} OK")
    } else if counts.entries == 0 {
        entries
    } else if counts.cut + counts.unread > 0 {
        format!("{entries}, {bytes} OK")
    } else {
        format!("{entries}, {bytes}, all OK")
    };
    if counts.warnings > 0 {
        words += &format!(", {}", text::count(counts.warnings, "warning", "warnings"));
    }
    if counts.cut > 0 {
        let cut = text::count(counts.cut, "directory", "directories");
        words += &format!("; {cut} cut off");
    }
    words
}

/// What became of the snapshot, or that the archives differ from it.
fn in_words(snapshot: &Path, totals: &SnapshotTotals) -> Result<String, Finding> {
    let place = text::path(snapshot);
    let counts = totals.differences.iter().map(|(change, count)| (*count, change.as_str()));
    let counts = text::counts(counts);
    let damage = match totals.damage {
        0 => String::new(),
        many => {
            let damaged = text::count(many, "entry or archive is", "entries or archives are");
            format!("; {damaged} damaged, as recorded")
        }
    };
    let words = match totals.outcome {
        Recorded::Created(lines) => {
            let lines = text::count(lines, "entry", "entries");
            format!("created with {lines}")
        }
        Recorded::Compared if counts.is_empty() => format!("no differences{damage}"),
        Recorded::Updated if counts.is_empty() => {
            format!("no differences, so it stays as it is{damage}")
        }
        Recorded::Updated => format!("updated; {counts}"),
        Recorded::Compared => {
            let error = Finding::error(format!("the contents differ from the snapshot: {counts}"));
            let help = "if the differences are intended, record them with --update";
            return Err(error.at_path(snapshot).advice(help));
        }
    };
    Ok(format!("{place}: {words}"))
}

/// `changed  NAME: 3 bytes, then 5`
fn words(difference: &SnapshotRow) -> String {
    let change = difference.change.as_str();
    match difference.change {
        Change::Unreadable => {
            return format!("{change}: the archive cannot be read, or not all of it");
        }
        Change::Readable => return format!("{change}: the archive was unreadable before"),
        _ => {}
    }
    let line = [&difference.before, &difference.after].map(Option::as_ref);
    let is_archive = line.into_iter().flatten().any(Line::is_unreadable);
    let name = match &difference.from {
        _ if is_archive => "the unreadable archive".to_owned(),
        Some(former) => format!("{} -> {}", escape(former), escape(&difference.name)),
        None => escape(&difference.name).to_string(),
    };
    let what = match line {
        [Some(_), Some(after)] if after.sum().is_none() && !is_archive => {
            format!("now {}", trouble(after))
        }
        [Some(before), Some(after)] if before.sum().is_none() && !is_archive => {
            format!("was {}, now OK, {}", trouble(before), text::bytes(after.size))
        }
        [Some(before), Some(after)] => text::sizes(before.size, after.size),
        [one, other] => text::bytes(one.or(other).map_or(0, |line| line.size)),
    };
    format!("{change:<7}  {name}: {what}")
}

/// Why an entry cannot be decoded.
fn trouble(line: &Line) -> &'static str {
    if line.state == State::Unsupported { "not supported" } else { "damaged" }
}
