//! `create`: makes a pak out of files and directories.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::Format;
use daisho::archive::escape;
use daisho::ops::context::{Context, Refusal};
use daisho::ops::create::create;
use daisho::ops::row::{Outcome, OutputRow, Row};
use daisho::ops::write::WriteOptions;

use super::written::{self, check_standard_output};
use crate::cli::args::{ExistingArgs, GlobArgs, PathListArgs, RuleArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;
use crate::cli::values::written_format;

/// Make a pak out of files and directories
///
/// One directory is the root of the names: each of its files is called by its path from there,
/// with '/', in sorted order. Several paths, or a file, keep the path that was typed, as zip and
/// tar do. Only regular files are taken.
///
/// It never changes a file it reads, never cuts a name short, and never writes a pak without
/// entries.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct CreateArgs {
    /// A file, or a directory whose files are meant
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    list: PathListArgs,
    /// The pak to write; '-' is standard output
    #[arg(short, long, value_name = "OUT.pak", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// The format to write
    ///
    /// By default that of the engine which --engine names, or what the output's extension says
    /// (.sin, .pk3, .zip, .wad ...), or quake. A .wad is of Quake's kind unless wad3 is asked for.
    #[arg(long, value_name = "FORMAT", value_parser = written_format())]
    pub(crate) to: Option<Format>,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) existing: ExistingArgs,
    /// Print a row of JSON: what became of the pak, and where it is
    #[arg(long, help_heading = SHOWN, hide_short_help = true)]
    pub(crate) json: bool,
}

const AFTER: &str = "\
Rules:
  'create mod' names mod/maps/b.bsp maps/b.bsp; 'create maps sound' keeps maps/b.bsp and
  sound/x.wav as typed. './' is dropped, '../' is stripped with a warning, and of an absolute path
  the last part is taken. Names longer than 55 bytes (119 with --to sin or hrot) are refused.
  WAD: only .mip, .lmp and .pal fit, with names of up to 15 bytes; '#' becomes '*'.
  Without --to and --engine the extension of -o says the format; one that contradicts --to, or
  belongs to no format, is refused. '-' is standard output, './-' a file of that name.
  If two files get one name, the output is one of the files, or it exists (without -f), nothing is
  written and the exit status is 2.
  The archive is split only if --engine, --max-size or --max-entries asks for it: -o pak1.pak
  becomes pak1.pak, pak2.pak and so on. Entries of one name stay in one part.

Examples:
  daisho create -o pak1.pak mymod/               a directory's files
  daisho create -o mymod.pk3 mymod/              the same as a ZIP for games
  daisho create -o pak1.pak --to daikatana mymod/
                                                 the same, compressed
  daisho create -o mine.wad textures/ -x '*.txt'
                                                 textures for a level editor
  daisho create -o tiny.pak progs.dat default.cfg
  daisho create -o pak0.pak --engine quake2 --lowercase mymod/
                                                 as many paks as Quake II needs to load it
  daisho create -o pak1.pak mymod/ -n            what it would hold";

impl CreateArgs {
    /// Adds the paths of the list that was given.
    pub(super) fn complete(&mut self) -> Result<(), Message> {
        self.rules.check_extension(self.to, &self.output)?;
        check_standard_output(&self.output, self.existing.dry_run, self.json)?;
        self.list.complete(&mut self.paths)
    }
}

pub(super) fn run(args: CreateArgs, global: &Global) -> Result<Exit, Refusal> {
    let destination = written::destination(args.output.clone());
    let to = args.rules.layout(args.to, Some(&args.output), &args.paths);
    if let Some(remark) = args.rules.remark(to) {
        global.messages.tell(remark);
    }
    let options = WriteOptions {
        selection: args.globs.selection()?,
        rules: args.rules.rules(),
        level: args.rules.level,
        lowercase: args.rules.lowercase,
        existing: args.existing.existing(),
        dry_run: args.existing.dry_run,
        search: args.list.search(),
        ..WriteOptions::new(destination.clone(), to)
    };
    let mut rate = String::new();
    let mut line = String::new();
    let (exit, summary) = report(
        global,
        Style::new(args.json, Work::Writes),
        |out, row| {
            if let Row::Output(output) = row {
                line = summary_of(&output);
                show(out, &output, args.json, global)?;
            }
            Ok(())
        },
        |rows| {
            let create = |context: &Context<'_>| create(context, &args.paths, &options, rows);
            global.observe_rate(create, &mut rate)
        },
    );
    let Some(summary) = summary else {
        return Ok(exit);
    };
    if summary.done > 0 && !options.dry_run {
        line += &format!(" in {rate}");
    }
    let copied = written::copy_out(&options.destination, global);
    global.messages.note(&line);
    Ok(copied.and(exit).and(match summary.failed {
        0 => Exit::Done,
        _ => Exit::NotAllWell,
    }))
}

/// Shows where the pak or its parts are, and what they would hold.
fn show(out: &mut Output, output: &OutputRow, as_json: bool, global: &Global) -> io::Result<()> {
    written::tell_hard_to_find(output, global);
    let is_planned = output.outcome == Outcome::Planned;
    if !matches!(output.outcome, Outcome::Failed | Outcome::Stopped) {
        written::tell_parts(&output.parts, is_planned, global);
    }
    if as_json {
        return Ok(());
    }
    for line in written::planned(output) {
        writeln!(out, "{line}")?;
    }
    for file in output.files.iter().filter(|_| is_planned) {
        let (name, size) = (escape(&file.name), text::bytes(file.size));
        writeln!(out, "add {name}: {size}")?;
    }
    Ok(())
}

fn summary_of(output: &OutputRow) -> String {
    let files = text::count(output.files.len(), "file", "files");
    let words = written::summary(output, &files).unwrap_or_else(|| "not written".to_owned());
    format!("{}: {words}", text::path(&output.target))
}
