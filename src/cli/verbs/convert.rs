//! `convert`: writes paks anew in another layout, or makes one of what an engine serves.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::Format;
use daisho::engine::Engine;
use daisho::ops::context::{Context, Refusal};
use daisho::ops::convert::convert;
use daisho::ops::merge::merge;
use daisho::ops::row::{Outcome, OutputRow, Row, Summary};
use daisho::ops::write::{Destination, WriteOptions};

use super::view;
use super::written::{self, check_standard_output};
use crate::cli::args::{ExistingArgs, ExpansionArgs, GlobArgs, InputArgs, RuleArgs, SERVED, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;
use crate::cli::values::written_format;

/// Convert archives from any format into any other
///
/// Every entry is decompressed and checked, and laid down in a new archive. Order, names (as bytes),
/// duplicates and shared contents stay as they are, as far as the format can say them; gaps and dead
/// data go. An archive that has the wanted format already is written anew, too, clean.
///
/// It never changes a source, even with -f, and never writes an archive that lacks an entry unless
/// --keep-going says so. One bad archive in a batch costs that archive and nothing else.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// The pak to write; takes exactly one input pak; '-' is standard output
    #[arg(short, long, value_name = "OUT.pak", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with = "directory", help_heading = "Where it goes")]
    pub(crate) output: Option<PathBuf>,
    /// The directory to write paks into; made where it is missing
    ///
    /// A pak that was named lands there under its own name, one that -r found under its path from
    /// the directory that was searched.
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(help_heading = "Where it goes")]
    pub(crate) directory: Option<PathBuf>,
    /// The format to write
    ///
    /// By default that of the engine which --engine names, or what the output's extension says
    /// (.sin, .pk3, .zip, .wad ...), or quake. A .wad stays of the game that it is of.
    #[arg(long, value_name = "FORMAT", value_parser = written_format())]
    pub(crate) to: Option<Format>,
    /// Leave damaged entries out, and write the pak without them
    ///
    /// Each one is named, and the exit status is 1. Without it such a pak is not written at all.
    #[arg(long)]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    /// Make one pak of what an engine serves from a game's directories
    ///
    /// PATHs are directories such as id1, the base first and mods after it. Of each name only the
    /// copy is taken that the engine serves, as 'daisho list --effective' shows it, in the order in
    /// which the paks load. --engine says whose rules hold; where it is not given, those of quake,
    /// or of daikatana where most of the paks are Daikatana's. With --to for another engine's
    /// layout nothing is split but by --max-size and --max-entries. Of names that the engine takes
    /// for one, or that --lowercase makes one, one is taken, and the others are reported.
    #[arg(long, conflicts_with_all = ["recursive", "directory"], help_heading = SERVED)]
    pub(crate) merge: bool,
    /// Take loose files in, too, which can shadow those in paks
    #[arg(long, requires = "merge", help_heading = SERVED, hide_short_help = true)]
    pub(crate) loose: bool,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) existing: ExistingArgs,
    /// Print a row of JSON for each pak: what became of it, and where it is
    #[arg(long, help_heading = SHOWN, hide_short_help = true)]
    pub(crate) json: bool,
}

const USAGE: &str = "\
daisho convert [OPTIONS] PATH -o OUT.pak
       daisho convert [OPTIONS] PATH... -C DIR
       daisho convert [OPTIONS] --merge GAMEDIR... -o OUT.pak";

const AFTER: &str = "\
Rules:
  Without --to and --engine the extension of -o says the format; one that contradicts --to, or
  belongs to no format, is refused. '-' is standard output, './-' a file of that name. Below -C,
  outputs get the extension of their format. With -r and --engine the archives of a directory
  keep their names if the engine then loads all of them in the same order, and are numbered if not.
  All outputs are planned first. If two inputs would get one name, an output is also an input, or
  a file exists (without -f or -k), nothing is written and the exit status is 2.
  Daikatana: only .tga, .bmp, .wal, .pcx and .bsp are compressed, and only if that makes them
  smaller. WAD: only .mip, .lmp and .pal fit, with names of up to 15 bytes; '#' becomes '*'.
  ZIP: files are stored or deflated, which every engine reads.
  An archive is split only if --engine, --max-size or --max-entries asks for it: -o pak1.pak
  becomes pak1.pak, pak2.pak and so on. Entries of one name stay in one part. -k keeps the parts
  if all of them exist, and is refused if only some do. An archive without entries is not written.

Words of the summary:
  mended       odd in the source, such as a stream without its end, and correct in the output
  left out     damaged, and not in the output because of --keep-going
  kept         the output existed, and -k was given
  not written  nothing has the output's name; the errors say why

Examples:
  daisho convert pak1.pak -o quake1.pak          Daikatana to Quake
  daisho convert quake1.pak -o new.pak --to daikatana
  daisho convert pak0.pk3 -o pak0.pak            a ZIP to Quake
  daisho convert big.pak -o pak1.pak --engine quake
                                                 as many paks as Quake needs to load it
  daisho convert -r daikatana/ -C q2/ --engine yquake2
                                                 a whole game for another engine
  daisho convert -r daikatana/ -C quake/ -n      what a batch would do
  daisho convert -r daikatana/ -C quake/ -k      continue a batch that was stopped
  daisho convert cut.pak -o rest.pak --keep-going
                                                 what is left of a damaged pak
  daisho convert --merge id1 mymod -o all.pak    what a mod is played with, in one pak";

impl ConvertArgs {
    /// Refuses a conversion to nowhere, or to a terminal.
    pub(crate) fn check(&self) -> Result<(), Message> {
        if self.output.is_none() && self.directory.is_none() {
            let message = Message::error("convert needs an output");
            return Err(match self.inputs.paths.as_slice() {
                [from, to] if from.exists() && !to.exists() => {
                    let (from, to) = (text::path(from), text::path(to));
                    message.help(format!(
                        "an output stands behind -o: daisho convert {from} -o {to}"
                    ))
                }
                _ => message.help("give -o OUT.pak for one pak, or -C DIR for any number of them"),
            });
        }
        if self.merge && self.rules.engines().len() > 1 {
            return Err(Message::error("--merge takes the copies that one engine serves")
                .help("name one with --engine; 'daisho convert ... --engine A,B' then writes its output for several"));
        }
        let Some(output) = &self.output else {
            return Ok(());
        };
        self.rules.check_extension(self.to, output)?;
        check_standard_output(output, self.existing.dry_run, self.json)
    }
}

pub(super) fn run(args: ConvertArgs, global: &Global) -> Result<Exit, Refusal> {
    let to = args
        .rules
        .layout(args.to, args.output.as_deref(), &args.inputs.paths);
    if let Some(remark) = args.rules.remark(to) {
        global.messages.tell(remark);
    }
    let destination = match args.output {
        Some(file) => written::destination(file),
        None => Destination::Directory(args.directory.unwrap_or_default()),
    };
    let mut rules = args.rules.rules();
    if args.merge {
        // With --merge it first of all says which engine's rules choose the copies.
        let reads = |engine: &Engine| engine.profile().reads(to);
        rules.engines = rules.engines.iter().filter(reads).collect();
    }
    let options = WriteOptions {
        destination,
        to,
        selection: args.globs.selection()?,
        rules,
        level: args.rules.level,
        lowercase: args.rules.lowercase,
        search: args.inputs.search(),
        keep_going: args.keep_going,
        existing: args.existing.existing(),
        dry_run: args.existing.dry_run,
        max_expansion: args.expansion.max_expansion,
    };
    let paths = &args.inputs.paths;
    let several = args.inputs.is_several() && !args.merge;
    let style = Style::new(args.json, Work::Writes);
    let mut rate = String::new();
    let show = |out: &mut Output, row: Row| match row {
        Row::Output(output) => show(out, &output, several, &options, args.json, global),
        _ => Ok(()),
    };
    let (exit, summary) = if args.merge {
        let view = view::open(paths, args.rules.engines().iter().next(), global)?;
        report(global, style, show, |rows| {
            let merge = |context: &Context<'_>| merge(context, &view, args.loose, &options, rows);
            global.observe_rate(merge, &mut rate)
        })
    } else {
        report(global, style, show, |rows| {
            let convert = |context: &Context<'_>| convert(context, paths, &options, rows);
            global.observe_rate(convert, &mut rate)
        })
    };
    let Some(summary) = summary else {
        return Ok(exit);
    };
    let copied = written::copy_out(&options.destination, global);
    let line = total(&summary, options.dry_run, &rate);
    global.messages.note(&line);
    Ok(copied.and(exit).and(match summary.failed {
        0 => Exit::Done,
        _ => Exit::NotAllWell,
    }))
}

/// Shows what has become of an archive, one of `several` or the only one.
fn show(
    out: &mut Output,
    output: &OutputRow,
    several: bool,
    options: &WriteOptions,
    as_json: bool,
    global: &Global,
) -> io::Result<()> {
    written::tell_hard_to_find(output, global);
    if !several {
        global.messages.flush();
    }
    if options.dry_run && !as_json {
        for line in written::planned(output) {
            writeln!(out, "{line}")?;
        }
    }
    if several && options.dry_run && matches!(output.outcome, Outcome::Planned | Outcome::Kept) {
        // The plan has a line for each output already.
        return Ok(());
    }
    written::tell_parts(&output.parts, options.dry_run, global);
    if let Some(line) = line(output, options) {
        global.messages.line(&line);
    }
    Ok(())
}

/// The summary line of a pak.
fn line(pak: &OutputRow, options: &WriteOptions) -> Option<String> {
    let (source, target) = (text::path(&pak.source), text::path(&pak.target));
    let entries = text::count(pak.entries_out(), "entry", "entries");
    let mut line = format!("{source} -> {target}: {}", written::summary(pak, &entries)?);
    if pak.outcome == Outcome::Kept {
        return Some(line);
    }
    if pak.mended > 0 {
        line.push_str(&format!(
            ", {} mended (odd in the source, and not in the output)",
            pak.mended
        ));
    }
    if pak.skipped > 0 {
        let all = text::count(pak.entries, "entry", "entries");
        line.push_str(&match pak.outcome {
            Outcome::Failed if options.keep_going => format!(", no entry of {all} is left"),
            Outcome::Failed => format!(
                ", {} of {all} cannot be converted: --keep-going leaves {} out",
                pak.skipped,
                if pak.skipped == 1 { "it" } else { "them" }
            ),
            _ => format!(", {} left out", pak.skipped),
        });
    }
    Some(line)
}

/// The last line, with the time and the rate of the run.
fn total(totals: &Summary, dry_run: bool, rate: &str) -> String {
    let mut line = text::count(totals.done, "pak", "paks");
    line.push_str(if dry_run { " to write" } else { " written" });
    for (number, what) in [
        (totals.kept, "kept"),
        (totals.skipped, "without an entry that is picked"),
        (totals.failed, "not written"),
    ] {
        if number > 0 {
            line.push_str(&format!(", {number} {what}"));
        }
    }
    if totals.done == 0 || dry_run {
        return line;
    }
    line.push_str(&format!(
        ": {}, {} in {rate}",
        text::count(totals.entries, "entry", "entries"),
        text::in_and_out(totals.bytes_in, Some(totals.bytes_out)),
    ));
    line
}
