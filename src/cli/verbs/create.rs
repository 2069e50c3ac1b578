//! `create`: makes a pak out of files and directories.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::Format;
use daisho::archive::escape;
use daisho::ops::context::{Problem, Refusal};
use daisho::ops::create::create;
use daisho::ops::write::{Outcome, WriteOptions};

use super::written::{self, check_standard_output};
use crate::cli::args::{ExistingArgs, GlobArgs, PathListArgs, RuleArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};
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
  'create maps sound' makes maps/b.bsp and sound/x.wav, and so does 'create *' where there is more
  than one; 'create mod' makes maps/b.bsp of mod/maps/b.bsp. './' is dropped, and what leads
  upwards, as in ../mod, is stripped as tar does, with a warning. Of an absolute path the last
  part is taken.
  Names are kept as they are, upper case included, unless --lowercase is given. One of more than
  55 bytes (119 with --to sin or hrot) is refused, because engines read on past it.
  Into a WAD go only files that its types stand for: .mip, .lmp and .pal, of names of up to 15
  bytes without the extension; '#' at a name's beginning becomes '*', as it was before extract.
  The extension of -o says the format (.pak, .sin, .wad, .pk3, .pk4, .pkz, .zip and others). An
  extension that says another format than --to is refused, and without --to and --engine so is one
  of no format. '-' is standard output, unless that is a terminal; a file that is called so is './-'.
  Two files of one name, an output that is one of the files, and an output that exists (without
  -f) are refused before anything is written, and the exit status is 2.
  A pak that exceeds a limit is split only where --engine, --max-size or --max-entries asks for
  it.
  The parts are filled in the order of the files, -o pak1.pak becomes pak1.pak, pak2.pak and so
  on, and all are written before the first gets its name. Entries of one name stay together in one
  part, so that the one that was served still is; a shared payload is written once in each part
  that has it.

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
    let (created, rate) = global.observe_rate(|context| create(context, &args.paths, &options));
    let report = created?;
    written::tell_problems(&report, global);
    let is_planned = report.outcome == Outcome::Planned;
    let is_written = !matches!(report.outcome, Outcome::Failed | Outcome::Stopped);
    let is_done = is_written && !report.problems.iter().any(Problem::is_error);
    if is_written {
        written::tell_parts(&report.parts, is_planned, global);
    }
    let files = text::count(report.files.len(), "file", "files");
    let words = written::summary(&report, &files).unwrap_or_else(|| "not written".to_owned());
    let mut line = format!("{}: {words}", text::path(&report.target));
    if report.outcome == Outcome::Written {
        line += &format!(" in {rate}");
    }
    let copied = written::copy_out(&options.destination, global);
    let added = report.files.iter().filter(|_| is_planned).map(|file| {
        let (name, size) = (escape(&file.name), text::bytes(file.size));
        format!("add {name}: {size}")
    });
    let lines = written::planned(&report).into_iter().chain(added);
    let shown = match (args.json, args.existing.dry_run) {
        (true, _) => output::write(global, Kind::Text, |out| {
            written::show_json(out, &report)?;
            Ok(Exit::Done)
        }),
        (false, true) => written::show_plan(lines, global),
        (false, false) => Exit::Done,
    };
    global.messages.note(&line);
    Ok(copied.and(shown).and(if is_done {
        Exit::Done
    } else {
        Exit::NotAllWell
    }))
}
