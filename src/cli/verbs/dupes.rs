//! `dupes`: shows contents that lie more than once.

use std::io::{self, Write as _};

use clap::Args;
use daisho::archive::escape;
use daisho::ops::context::Refusal;
use daisho::ops::read::dupes::dupes;
use daisho::ops::row::{CopyRow, Row};

use crate::cli::args::{GlobArgs, InputArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;

/// Show contents that lie more than once
///
/// Within an archive and across all that are given, whatever their formats and names: equal are
/// contents of one size and one SHA-256. Those that take most for nothing come first. Entries that
/// share one payload are named, and take nothing.
///
/// It never writes a file. Empty files are left out.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = "daisho dupes [OPTIONS] PATH... [NAME|GLOB]...")]
pub(crate) struct DupesArgs {
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    #[command(flatten)]
    globs: GlobArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    json: bool,
}

const AFTER: &str = "\
JSON fields, a line for each copy:
  sha256, size, copies, pak, index, name, packed_size (0 where it shares another entry's payload).
  Fields are only ever added.

Examples:
  daisho dupes pak0.pak pak1.pak '*.wav'
  daisho dupes -r games/ -i '*.dkm' --json | jq -r .sha256";

pub(super) fn run(mut args: DupesArgs, global: &Global) -> Result<Exit, Refusal> {
    let selection = args.inputs.selection(&args.globs, &global.context())?;
    let (paths, search) = (&args.inputs.paths, args.inputs.search());
    let mut copies = Vec::new();
    let mut is_first = true;
    let (exit, summary) = report(
        global,
        Style::new(args.json, Work::Decodes),
        |out, row| {
            let Row::Copy(copy) = row else { return Ok(()) };
            let count = copy.copies;
            copies.push(copy);
            if copies.len() == count {
                show(out, &copies, is_first)?;
                copies.clear();
                is_first = false;
            }
            Ok(())
        },
        |rows| global.observe(|context| dupes(context, paths, search, &selection, rows)),
    );
    if let Some(summary) = summary {
        global.messages.note(&format!(
            "{} in {} copies, {} for nothing",
            text::count(summary.done, "content", "contents"),
            summary.entries,
            text::bytes(summary.bytes_out)
        ));
    }
    Ok(exit)
}

/// Writes the copies of a content.
fn show(out: &mut Output, copies: &[CopyRow], is_first: bool) -> io::Result<()> {
    let between = if is_first { "" } else { "\n" };
    let size = text::bytes(copies.first().map_or(0, |copy| copy.size));
    let wasted = copies.iter().skip(1).map(|copy| copy.packed_size);
    let wasted = text::bytes(wasted.fold(0, u64::saturating_add));
    writeln!(
        out,
        "{between}{} copies of {size}, {wasted} for nothing",
        copies.len()
    )?;
    for copy in copies {
        let shared = if copy.packed_size == 0 {
            " (shared)"
        } else {
            ""
        };
        let (archive, name) = (text::path(&copy.archive), escape(&copy.name));
        writeln!(out, "  {archive}: {name}{shared}")?;
    }
    Ok(())
}
