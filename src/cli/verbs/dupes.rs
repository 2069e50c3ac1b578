//! `dupes`: shows contents that lie more than once.

use std::io::{self, Write as _};

use clap::Args;
use daisho::archive::escape;
use daisho::ops::context::Refusal;
use daisho::ops::read::dupes::{Dupe, dupes};

use crate::cli::args::{GlobArgs, InputArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind, Output};
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
    let selection = args.inputs.selection(&args.globs, global.context().open)?;
    let (paths, search) = (&args.inputs.paths, args.inputs.search());
    let (found, _) = global.observe_rate(|context| dupes(context, paths, search, &selection));
    let found = found?;
    let exit = output::write(global, Kind::Text, |out| {
        let mut between = "";
        for dupe in &found.contents {
            match args.json {
                true => show_json(out, dupe)?,
                false => show(out, dupe, between)?,
            }
            between = "\n";
        }
        Ok(global.judge(found.paks, &found.problems))
    });
    let wasted = found.contents.iter().map(Dupe::wasted);
    let wasted = wasted.fold(0, u64::saturating_add);
    let copies: usize = found.contents.iter().map(|dupe| dupe.copies.len()).sum();
    global.messages.note(&format!(
        "{} in {copies} copies, {} for nothing",
        text::count(found.contents.len(), "content", "contents"),
        text::bytes(wasted)
    ));
    Ok(exit)
}

fn show(out: &mut Output, dupe: &Dupe, between: &str) -> io::Result<()> {
    let (copies, size) = (dupe.copies.len(), text::bytes(dupe.size));
    writeln!(
        out,
        "{between}{copies} copies of {size}, {} for nothing",
        text::bytes(dupe.wasted())
    )?;
    for copy in &dupe.copies {
        let shared = if copy.stored == 0 { " (shared)" } else { "" };
        writeln!(
            out,
            "  {}: {}{shared}",
            text::path(&copy.pak),
            escape(&copy.name)
        )?;
    }
    Ok(())
}

fn show_json(out: &mut Output, dupe: &Dupe) -> io::Result<()> {
    let sum: String = dupe
        .sha256
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    for copy in &dupe.copies {
        json::row(out, |row| {
            row.field("sha256", &sum)?;
            row.field("size", dupe.size)?;
            row.field("copies", dupe.copies.len())?;
            row.path("pak", &copy.pak)?;
            row.field("index", copy.index)?;
            row.text("name", &copy.name)?;
            row.field("packed_size", copy.stored)
        })?;
    }
    Ok(())
}
