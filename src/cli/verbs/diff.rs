//! `diff`: compares two paks by what is in them.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::archive::escape;
use daisho::ops::context::Refusal;
use daisho::ops::read::diff::{Change, Comparison, DiffOptions, Difference, diff};

use crate::cli::args::{ExpansionArgs, GlobArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind};

/// Compare two archives by what is in them
///
/// Contents are compared decompressed and by name, so archives of different formats can be alike, and
/// an archive and a directory of files. What was added, removed, changed, or moved to another place in
/// the order is printed, and makes the exit status 1.
///
/// It never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = DIFF)]
pub(crate) struct DiffArgs {
    /// The archive to compare, or a directory of files
    #[arg(value_name = "A", value_hint = ValueHint::AnyPath)]
    pub(crate) a: PathBuf,
    /// The archive or directory to compare it with
    #[arg(value_name = "B", value_hint = ValueHint::AnyPath)]
    pub(crate) b: PathBuf,
    /// Do not count another order as a difference
    #[arg(long)]
    pub(crate) ignore_order: bool,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

const DIFF: &str = "\
Rules:
  First what A has, in its order, then what only B has. Entries of one name are compared in order,
  the first with the first. An entry that is damaged in one archive only has changed. Entries that have
  moved are one line, unless -v asks for each. A directory's files are called by their paths from there,
  and nothing moves there: 'diff old.pak mymod/' is what was edited since mymod/ was extracted.

JSON fields:
  name, change (added, removed, changed, moved); name_hex too where the name is not UTF-8.
  Fields are only ever added.

Examples:
  daisho diff pak1.pak quake1.pak                silence: the conversion lost nothing
  daisho diff old.pak new.pak --json";

pub(super) fn run(args: DiffArgs, global: &Global) -> Result<Exit, Refusal> {
    let options = DiffOptions {
        selection: args.globs.selection()?,
        ignore_order: args.ignore_order,
        max_expansion: args.expansion.max_expansion,
    };
    let compared = global.observe(|context| {
        diff(context, &args.a, &args.b, &options, |problem| {
            global.messages.problem(&problem);
        })
    })?;
    let exit = global.judge(compared.paks, &[]);
    if compared.differences.is_empty() {
        return Ok(exit);
    }
    let shown = output::write(global, Kind::Text, |out| {
        let mut moved = moved_together(
            &compared.differences,
            args.json || global.messages.verbose(),
        );
        for difference in &compared.differences {
            let (change, name) = (difference.change.as_str(), &difference.name);
            if difference.change == Change::Moved && moved > 1 {
                let name = escape(name);
                writeln!(
                    out,
                    "{change:<7}  {moved} entries, the first of them {name}"
                )?;
                moved = 0;
            }
            if difference.change == Change::Moved && moved == 0 {
                continue;
            }
            if args.json {
                json::row(out, |row| {
                    row.text("name", name)?;
                    row.field("change", change)
                })?;
            } else {
                writeln!(out, "{change:<7}  {}", escape(name))?;
            }
        }
        Ok(Exit::NotAllWell)
    });
    global.messages.note(&summary(&compared));
    Ok(exit.and(shown).and(Exit::NotAllWell))
}

/// How many entries that have moved are one line: order alone says little, and all of a repacked archive
/// can be in another one. One is where each has its own.
fn moved_together(differences: &[Difference], each: bool) -> usize {
    let moved = |it: &&Difference| it.change == Change::Moved;
    match each {
        true => 1,
        false => differences.iter().filter(moved).count().max(1),
    }
}

fn summary(compared: &Comparison) -> String {
    let kinds = [
        Change::Added,
        Change::Removed,
        Change::Changed,
        Change::Moved,
    ];
    let counts = kinds.map(|kind| {
        let all = compared.differences.iter();
        let count = all.filter(|difference| difference.change == kind).count();
        format!("{count} {}", kind.as_str())
    });
    format!("{}, {} the same", counts.join(", "), compared.same)
}
