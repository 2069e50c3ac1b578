//! `create`

use std::time::Instant;

use daisho::ops::context::Existing;
use daisho::ops::create::{CreateOptions, Outcome, create};
use daisho::pak::escape;

use super::asked::count;
use super::parts;
use crate::cli::args::CreateArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::text;

/// See [`CreateArgs`].
pub(crate) fn run(args: CreateArgs, global: &Global) -> Exit {
    let to = args.rules.layout(args.to, Some(&args.output));
    let options = CreateOptions {
        output: args.output,
        to,
        rules: args.rules.rules(),
        lowercase: args.rules.lowercase,
        existing: if args.force {
            Existing::Replace
        } else {
            Existing::Refuse
        },
        dry_run: args.dry_run,
        sync: args.sync.sync,
    };
    let begun = Instant::now();
    let report = match global.observe_rate(|context| create(context, &args.paths, &options)) {
        Ok(report) => report,
        Err(refusal) => return global.messages.refusal(&refusal),
    };
    let seconds = begun.elapsed().as_secs_f64();
    global.messages.problems(&report.problems);
    let target = text::path(&report.target);
    parts::tell_hard_to_find(&report.hard_to_find, global);
    let mut files = count(report.entries.len() as u64, "file", "files");
    if report.parts.len() > 1 {
        let paks = report.parts.len();
        files = format!("{paks} paks, {files}");
    }
    let to = |out: Option<u64>| match out {
        Some(out) => format!("{} to {}", text::bytes(report.bytes_in), text::bytes(out)),
        None => text::bytes(report.bytes_in),
    };
    match report.outcome {
        Outcome::Written => {
            parts::tell(&report.parts, false, global);
            let (sizes, rate) = (to(report.bytes_out), text::rate(global.done(), seconds));
            let line = format!("{target}: {files}, {sizes} in {rate}");
            global.messages.note(&line);
            Exit::Done
        }
        Outcome::Planned => {
            for entry in &report.entries {
                let (name, size) = (escape(&entry.name), text::bytes(entry.size));
                global.messages.note(&format!("{name}: {size}"));
            }
            parts::tell(&report.parts, true, global);
            let line = format!("{target}: would write {files}, {}", to(report.bytes_out));
            global.messages.note(&line);
            Exit::Done
        }
        Outcome::Kept => Exit::Done,
        Outcome::Failed | Outcome::Stopped => {
            global.messages.note(&format!("{target}: not written"));
            Exit::NotAllWell
        }
    }
}
