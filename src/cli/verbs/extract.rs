//! `extract`

use std::io::{self, Write as _};

use daisho::archive::quoted;
use daisho::ops::extract::{
    ExtractOptions, Extracted, ExtractedFile, ExtractedPak, extract, extract_served, split_names,
};
use daisho::ops::write::Outcome;

use super::{asked, view};
use crate::cli::args::ExtractArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::{self, Kind, Output};
use crate::cli::text;

/// See [`ExtractArgs`].
pub(crate) fn run(args: ExtractArgs, global: &Global) -> Result<Exit, Exit> {
    let (paths, names) = if args.inputs.recursive || args.effective {
        (args.inputs.paths.as_slice(), [].as_slice())
    } else {
        split_names(&args.inputs.paths, args.inputs.recursive)
    };
    let names = names.iter().map(|name| name.as_os_str().as_encoded_bytes());
    let selection = asked::selection(&args.globs, global)?.with_names(names);
    let options = ExtractOptions {
        recursive: args.inputs.recursive,
        directory: args.directory,
        selection,
        existing: args.existing.existing(),
        dry_run: args.existing.dry_run,
        sync: args.sync.sync,
        lowercase: args.lowercase,
        rescue: args.rescue,
        max_expansion: args.expansion.max_expansion,
    };
    let done = if args.effective {
        let view = view::open(paths, &args.engine, global)?;
        global.observe(|context| extract_served(context, &view, args.loose, &options))
    } else {
        global.observe(|context| extract(context, paths, &options))
    };
    let mut report = asked::accepted(done, global)?;
    tell(&mut report, options.dry_run, global);
    if options.dry_run {
        return Ok(output::write(global, Kind::Text, |out| show(&report, out)));
    }
    Ok(Exit::Done)
}

/// With `-n`, prints a line for each file that would be written or kept.
fn show(report: &Extracted, output: &mut Output) -> io::Result<Exit> {
    for pak in &report.paks {
        for file in pak.files() {
            let verb = match file.outcome {
                Outcome::Written => "write",
                Outcome::Replaced => "replace",
                Outcome::Kept => "keep",
                _ => continue,
            };
            writeln!(output, "{verb} {}", place(pak, &file))?;
        }
    }
    Ok(Exit::Done)
}

fn tell(report: &mut Extracted, dry_run: bool, global: &Global) {
    let messages = &global.messages;
    messages.problems(&report.problems);
    for pak in &mut report.paks {
        for problem in pak.take_problems() {
            messages.problem(&problem);
        }
        if !dry_run && messages.is_verbose() {
            for file in pak.files() {
                messages.detail(&detail(pak, &file));
            }
        }
        messages.note(&summary(pak, dry_run));
    }
}

/// `  entry N "name": written to PATH, N bytes`
fn detail(pak: &ExtractedPak, file: &ExtractedFile<'_>) -> String {
    let what = match file.outcome {
        Outcome::Written | Outcome::Planned => "written to",
        Outcome::Replaced => "written, replacing",
        Outcome::Kept => "kept",
        Outcome::Skipped => "skipped",
        Outcome::Failed => "failed",
        Outcome::Stopped => "not reached",
    };
    let name = quoted(file.name);
    let entry = match file.index {
        Some(index) => format!("entry {index} {name}"),
        None => name.to_string(),
    };
    let place = place(pak, file);
    let space = if place.is_empty() { "" } else { " " };
    format!(
        "  {entry}: {what}{space}{place}, {}",
        text::count(file.size, "byte", "bytes")
    )
}

/// `PAK: N files, N bytes, into DIR/; 1 kept, 2 failed`
fn summary(pak: &ExtractedPak, dry_run: bool) -> String {
    let (written, replaced) = (pak.count(Outcome::Written), pak.count(Outcome::Replaced));
    let (one, many) = if pak.is_loose {
        ("loose file", "loose files")
    } else {
        ("file", "files")
    };
    let files = text::count(written.0 + replaced.0, one, many);
    let bytes = text::count(written.1 + replaced.1, "byte", "bytes");
    let mut line = format!(
        "{}: {files}, {bytes}, {} {}",
        text::path(&pak.path),
        if dry_run { "would go into" } else { "into" },
        directory(pak)
    );
    let besides = [
        (replaced.0, "replaced"),
        (pak.count_aside(), "put aside"),
        (pak.count(Outcome::Kept).0, "kept"),
        (pak.count(Outcome::Skipped).0, "skipped"),
        (pak.count(Outcome::Failed).0, "failed"),
        (pak.count(Outcome::Stopped).0, "not reached"),
    ];
    let besides = besides.iter().filter(|(count, _)| *count > 0);
    for (number, (count, what)) in besides.enumerate() {
        line += if number == 0 { "; " } else { ", " };
        line += &format!("{count} {what}");
    }
    line
}

/// Where the pak's files go, as a directory.
fn directory(pak: &ExtractedPak) -> String {
    let shown = text::path(&pak.destination);
    match shown.as_str() {
        "" => "./".to_owned(),
        shown if shown.ends_with('/') => shown.to_owned(),
        shown => format!("{shown}/"),
    }
}

fn place(pak: &ExtractedPak, file: &ExtractedFile<'_>) -> String {
    let path = file.path.as_ref();
    path.map(|path| text::path(&pak.destination.join(path)))
        .unwrap_or_default()
}
