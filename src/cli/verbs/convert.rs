//! `convert`

use std::time::Instant;

use daisho::ops::context::Existing;
use daisho::ops::convert::{
    ConvertOptions, ConvertReport, Destination, Outcome, PakReport, convert, merge,
};

use super::asked::count;
use super::{parts, view};
use crate::cli::args::{ConvertArgs, EngineArgs};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::text;

/// See [`ConvertArgs`].
pub(crate) fn run(args: ConvertArgs, global: &Global) -> Exit {
    let to = args.rules.layout(args.to, args.output.as_deref());
    let destination = match (args.output, args.directory) {
        (Some(file), _) => Destination::File(file),
        (None, Some(directory)) => Destination::Directory(directory),
        // Parsing has refused it.
        (None, None) => return Exit::Refused,
    };
    let mut rules = args.rules.rules();
    // There it says first of all who serves what is taken.
    if args.merge
        && rules
            .engine
            .is_some_and(|engine| engine.profile().layout != to)
    {
        rules.engine = None;
    }
    let options = ConvertOptions {
        destination,
        to,
        rules,
        lowercase: args.rules.lowercase,
        recursive: args.inputs.recursive,
        keep_going: args.keep_going,
        existing: match (args.existing.force, args.existing.keep) {
            (true, _) => Existing::Replace,
            (_, true) => Existing::Keep,
            _ => Existing::Refuse,
        },
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
        let view = match view::open(paths, &engine, global) {
            Ok(view) => view,
            Err(exit) => return exit,
        };
        global.observe_rate(|context| merge(context, &view, args.loose, &options))
    } else {
        global.observe_rate(|context| convert(context, paths, &options))
    };
    match done {
        Err(refusal) => global.messages.refusal(&refusal),
        Ok(report) => {
            tell(&report, &options, global);
            let totals = report.totals();
            let seconds = begun.elapsed().as_secs_f64();
            global
                .messages
                .note(&total(&report, options.dry_run, global.done(), seconds));
            if totals.failed > 0 {
                Exit::NotAllWell
            } else {
                Exit::Done
            }
        }
    }
}

fn tell(report: &ConvertReport, options: &ConvertOptions, global: &Global) {
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

/// What became of a pak, in one line.
fn line(pak: &PakReport, options: &ConvertOptions) -> Option<String> {
    let (source, target) = (text::path(&pak.source), text::path(&pak.target));
    let mut entries = count(pak.entries_out(), "entry", "entries");
    let (paks, kept) = (pak.parts.len(), pak.parts_kept);
    if paks + kept > 1 {
        let paks = count(paks as u64, "pak", "paks");
        entries = format!("{paks}, {entries}");
    }
    let sizes = |out: Option<u64>| match out {
        Some(out) => format!("{} to {}", text::bytes(pak.bytes_in), text::bytes(out)),
        None => text::bytes(pak.bytes_in),
    };
    let mut line = match pak.outcome {
        Outcome::Written => format!("{source} -> {target}: {entries}, {}", sizes(pak.bytes_out)),
        Outcome::Planned => {
            let sizes = sizes(pak.bytes_out);
            format!("{source} -> {target}: would write {entries}, {sizes}")
        }
        Outcome::Kept => return Some(format!("{source} -> {target}: kept")),
        Outcome::Failed => format!("{source} -> {target}: not written"),
        Outcome::Stopped => return None,
    };
    if kept > 0 {
        line.push_str(&format!(", {kept} of {} parts kept", paks + kept));
    }
    if pak.mended > 0 {
        line.push_str(&format!(", {} mended", pak.mended));
    }
    if pak.skipped > 0 {
        let all = count(pak.entries, "entry", "entries");
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

/// The last line, of a run that has handled so many bytes of content.
fn total(report: &ConvertReport, dry_run: bool, done: u64, seconds: f64) -> String {
    let totals = report.totals();
    let mut line = count(totals.written, "pak", "paks");
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
        ": {}, {} to {} in {}",
        count(totals.entries, "entry", "entries"),
        text::bytes(totals.bytes_in),
        text::bytes(totals.bytes_out),
        text::rate(done, seconds)
    ));
    line
}
