//! `convert`

use std::time::Instant;

use daisho::ops::convert::convert;
use daisho::ops::merge::merge;
use daisho::ops::write::{Destination, Outcome, Report, WriteOptions, Written};

use super::{asked, parts, view};
use crate::cli::args::{ConvertArgs, EngineArgs};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::text;

/// See [`ConvertArgs`].
pub(crate) fn run(args: ConvertArgs, global: &Global) -> Result<Exit, Exit> {
    let to = args.rules.layout(args.to, args.output.as_deref());
    let destination = match (args.output, args.directory) {
        (Some(file), _) => Destination::File(file),
        (None, Some(directory)) => Destination::Directory(directory),
        // Parsing has refused it.
        (None, None) => return Err(Exit::Refused),
    };
    let mut rules = args.rules.rules();
    if args.merge {
        // With --merge it first of all says which engine's rules choose the copies.
        rules.engine = rules.engine.filter(|engine| engine.profile().layout == to);
    }
    let options = WriteOptions {
        destination,
        to,
        rules,
        level: args.rules.level,
        lowercase: args.rules.lowercase,
        recursive: args.inputs.recursive,
        keep_going: args.keep_going,
        existing: args.existing.existing(),
        dry_run: args.existing.dry_run,
        max_expansion: args.expansion.max_expansion,
        sync: args.sync.sync,
    };
    let paths = &args.inputs.paths;
    let begun = Instant::now();
    let done = if args.merge {
        let engine = EngineArgs {
            engine: args.rules.engine,
        };
        let view = view::open(paths, &engine, global)?;
        global.observe_rate(|context| merge(context, &view, args.loose, &options))
    } else {
        global.observe_rate(|context| convert(context, paths, &options))
    };
    let report = asked::accepted(done, global)?;
    tell(&report, &options, global);
    let seconds = begun.elapsed().as_secs_f64();
    let line = total(&report, options.dry_run, global.done(), seconds);
    global.messages.note(&line);
    Ok(match report.totals().failed {
        0 => Exit::Done,
        _ => Exit::NotAllWell,
    })
}

fn tell(report: &Report, options: &WriteOptions, global: &Global) {
    global.messages.problems(&report.problems);
    for pak in &report.paks {
        global.messages.problems(&pak.problems);
        parts::tell_hard_to_find(&pak.hard_to_find, global);
        parts::tell(&pak.parts, options.dry_run, global);
        if let Some(line) = line(pak, options) {
            global.messages.note(&line);
        }
    }
}

/// The summary line of a pak.
fn line(pak: &Written, options: &WriteOptions) -> Option<String> {
    let (source, target) = (text::path(&pak.source), text::path(&pak.target));
    let mut entries = text::count(pak.entries_out(), "entry", "entries");
    let (paks, kept) = (pak.parts.len(), pak.parts_kept);
    if paks + kept > 1 {
        let paks = text::count(paks, "pak", "paks");
        entries = format!("{paks}, {entries}");
    }
    let sizes = text::in_and_out(pak.bytes_in, pak.bytes_out);
    let mut line = match pak.outcome {
        Outcome::Written => format!("{source} -> {target}: {entries}, {sizes}"),
        Outcome::Planned => format!("{source} -> {target}: would write {entries}, {sizes}"),
        Outcome::Kept => return Some(format!("{source} -> {target}: kept")),
        Outcome::Failed => format!("{source} -> {target}: not written"),
        _ => return None,
    };
    if kept > 0 {
        line.push_str(&format!(", {kept} of {} parts kept", paks + kept));
    }
    if pak.mended > 0 {
        line.push_str(&format!(", {} mended", pak.mended));
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

/// The last line, for a run that processed `done` bytes of content.
fn total(report: &Report, dry_run: bool, done: u64, seconds: f64) -> String {
    let totals = report.totals();
    let mut line = text::count(totals.written, "pak", "paks");
    line.push_str(if dry_run { " to write" } else { " written" });
    for (number, what) in [(totals.kept, "kept"), (totals.failed, "not written")] {
        if number > 0 {
            line.push_str(&format!(", {number} {what}"));
        }
    }
    if totals.written == 0 || dry_run {
        return line;
    }
    line.push_str(&format!(
        ": {}, {} in {}",
        text::count(totals.entries, "entry", "entries"),
        text::in_and_out(totals.bytes_in, Some(totals.bytes_out)),
        text::rate(done, seconds)
    ));
    line
}
