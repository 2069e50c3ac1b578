//! `dupes`: finds files that are stored more than once.

use daisho::ops::Refusal;
use std::io::{self, Write as _};

use clap::Args;
use daisho::archive::escape;
use daisho::ops::{CopyRow, DupesOptions, DupesRow, DupesTotals, DuplicatesRow, dupes};

use crate::cli::args::parse_size;
use crate::cli::exit;
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::output::Stdout;
use crate::cli::render::json_line;
use crate::cli::rows::{RunKind, Show, Totals};
use crate::cli::text;
use crate::cli::ui::Ui;

/// Find files that are stored more than once
///
/// Files are equal if their sizes and SHA-256 are equal, whatever their names, formats and archives.
/// The files that waste the most bytes come first. Equal archives are reported as whole archives, and only one of
/// them is searched for files. Empty files are left out, and a file whose size no other file has is not read.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
#[command(override_usage = "daisho dupes [OPTIONS] PATH... [NAME|GLOB]...")]
pub(crate) struct DupesArgs {
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    #[command(flatten)]
    globs: GlobArgs,
    /// Skip files smaller than SIZE, such as 64K
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    min_size: Option<u64>,
}

const AFTER: &str = "\
JSON fields, a line for each copy:
  sha256, size, copies, archive, index, name, packed_size (0 if it shares
  another entry's payload). A copy of a whole archive has no index and no name.

Examples:
  daisho dupes pak0.pak pak1.pak '*.wav'
  daisho dupes games/ -i '*.dkm' --json | jq -r .sha256";

pub(super) fn run(mut args: DupesArgs, ui: &Ui) -> Result<(), Refusal> {
    let options = DupesOptions {
        selection: args.inputs.selection(&args.globs, false, ui)?,
        min_size: args.min_size.unwrap_or(0),
    };
    let paths = &args.inputs.paths;
    let mut copies = ShowCopies { json: ui.json, copies: Vec::new() };
    let (totals, _) =
        ui.run(RunKind::Decodes, &mut copies, |context, out| dupes(context, paths, &options, out))?;
    let is_whole = totals.unread + totals.cut + totals.damaged == 0;
    // After a stop, what was not compared may be a copy.
    let is_compared = totals.archives > 0 && !totals.is_unmatched && exit::caught().is_none();
    if totals.contents == 0 && is_compared {
        ui.note(if is_whole {
            "no file is stored more than once"
        } else {
            "no file that could be read is stored more than once"
        });
    }
    Ok(())
}

impl Totals for DupesTotals {
    fn is_nothing_read(&self) -> bool {
        self.archives == 0
    }
}

/// Shows copies, those of one file or archive together.
struct ShowCopies {
    json: bool,
    /// The copies of a content so far.
    copies: Vec<CopyRow>,
}

impl Show<DupesRow> for ShowCopies {
    fn json(&self, out: &mut Stdout, row: &DupesRow) -> io::Result<bool> {
        let DupesRow::Copy(copy) = row else {
            return Ok(false);
        };
        json_line(out, copy)?;
        Ok(true)
    }

    fn text(&mut self, out: &mut Stdout, row: DupesRow) -> io::Result<()> {
        match row {
            DupesRow::Whole(_) if self.json => Ok(()),
            DupesRow::Whole(row) => writeln!(out, "{}", text::heading(&total(&row))),
            DupesRow::Copy(copy) => {
                let count = copy.copies;
                self.copies.push(copy);
                if self.copies.len() == count {
                    show(out, &self.copies)?;
                    self.copies.clear();
                }
                Ok(())
            }
        }
    }
}

/// `2 files stored 5 times; 7280 bytes wasted`.
fn total(row: &DuplicatesRow) -> String {
    let mut parts = Vec::new();
    for (number, (one, many), copies) in [
        (row.archives, ("archive", "archives"), row.archive_copies),
        (row.files, ("file", "files"), row.file_copies),
    ] {
        if number > 0 {
            let what = text::count(number, one, many);
            parts.push(format!("{what} stored {copies} times"));
        }
    }
    format!("{}; {} wasted", parts.join(", "), text::bytes(row.wasted))
}

/// Writes the copies of a file or an archive.
fn show(out: &mut Stdout, copies: &[CopyRow]) -> io::Result<()> {
    let Some(first) = copies.first() else {
        return Ok(());
    };
    let (count, size) = (copies.len(), text::bytes(first.size));
    let wasted = copies.iter().skip(1).map(|copy| copy.packed_size);
    let wasted = text::bytes(wasted.fold(0, u64::saturating_add));
    match first.index {
        None => writeln!(out, "\n{count} equal archives of {size}, {wasted} wasted")?,
        Some(_) => writeln!(out, "\n{count} copies of {size}, {wasted} wasted")?,
    }
    for copy in copies {
        let archive = text::path(&copy.archive);
        let Some(name) = &copy.name else {
            writeln!(out, "  {archive}")?;
            continue;
        };
        let is_shared = copy.packed_size == 0;
        let shared = if is_shared { " (shared)" } else { "" };
        writeln!(out, "  {archive}: {}{shared}", escape(name))?;
    }
    Ok(())
}
