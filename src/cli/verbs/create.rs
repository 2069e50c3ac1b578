//! `create`

use std::time::Instant;

use daisho::archive::escape;
use daisho::ops::context::Existing;
use daisho::ops::create::create;
use daisho::ops::write::{Destination, Outcome, WriteOptions};

use super::{asked, parts};
use crate::cli::args::CreateArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::text;

/// See [`CreateArgs`].
pub(crate) fn run(args: CreateArgs, global: &Global) -> Result<Exit, Exit> {
    let to = args.rules.layout(args.to, Some(&args.output));
    let options = WriteOptions {
        rules: args.rules.rules(),
        level: args.rules.level,
        lowercase: args.rules.lowercase,
        existing: if args.force {
            Existing::Replace
        } else {
            Existing::Refuse
        },
        dry_run: args.dry_run,
        sync: args.sync.sync,
        ..WriteOptions::new(Destination::File(args.output), to)
    };
    let begun = Instant::now();
    let created = global.observe_rate(|context| create(context, &args.paths, &options));
    let report = asked::accepted(created, global)?;
    let seconds = begun.elapsed().as_secs_f64();
    global.messages.problems(&report.problems);
    let target = text::path(&report.target);
    parts::tell_hard_to_find(&report.hard_to_find, global);
    let mut files = text::count(report.files.len(), "file", "files");
    if report.parts.len() > 1 {
        let paks = report.parts.len();
        files = format!("{paks} paks, {files}");
    }
    let sizes = text::in_and_out(report.bytes_in, report.bytes_out);
    Ok(match report.outcome {
        Outcome::Written => {
            parts::tell(&report.parts, false, global);
            let rate = text::rate(global.done(), seconds);
            let line = format!("{target}: {files}, {sizes} in {rate}");
            global.messages.note(&line);
            Exit::Done
        }
        Outcome::Planned => {
            for file in &report.files {
                let (name, size) = (escape(&file.name), text::bytes(file.size));
                global.messages.note(&format!("{name}: {size}"));
            }
            parts::tell(&report.parts, true, global);
            let line = format!("{target}: would write {files}, {sizes}");
            global.messages.note(&line);
            Exit::Done
        }
        Outcome::Kept => Exit::Done,
        _ => {
            global.messages.note(&format!("{target}: not written"));
            Exit::NotAllWell
        }
    })
}
