//! What `convert` and `create` share: where an output goes, and what is said of it: its problems, names
//! that are hard to find, its parts, and its summary.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use daisho::Format;
use daisho::archive::{escape, path_bytes};
use daisho::error::EngineNames;
use daisho::ops::context::Problem;
use daisho::ops::write::{Created, Destination, HardToFind, Outcome, Output, Spool, Written};
use serde::Serialize;

use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};
use crate::cli::text;
use crate::cli::values::is_standard;

/// Where `-o` says that an output goes.
pub(super) fn destination(output: PathBuf) -> Destination {
    match is_standard(&output) {
        true => Destination::Spool(Spool::default()),
        false => Destination::File(output),
    }
}

/// Refuses an archive to a terminal, where one would be written, or to where rows of JSON go.
pub(super) fn check_standard_output(
    output: &Path,
    dry_run: bool,
    json: bool,
) -> Result<(), Message> {
    match is_standard(output) && !dry_run {
        true if json => Err(Message::error(
            "the archive and the rows of --json would both go to standard output",
        )
        .help("give -o a file, or leave out --json")),
        true => output::refuse_terminal(),
        false => Ok(()),
    }
}

/// Copies an archive to standard output, if it is to go there.
pub(super) fn copy_out(destination: &Destination, global: &Global) -> Exit {
    match destination {
        Destination::Spool(spool) => output::write(global, Kind::Binary, |out| {
            spool.copy_to(out).map(|_| Exit::Done)
        }),
        _ => Exit::Done,
    }
}

/// What would be written or kept, in lines of a plan; none where it was really done.
pub(super) fn planned(output: &Written) -> Vec<String> {
    let kept = || format!("keep {}", text::path(&output.target));
    match output.outcome {
        Outcome::Planned => output.parts.iter().map(write_line).collect(),
        Outcome::Kept => vec![kept()],
        _ => Vec::new(),
    }
}

fn write_line(part: &Output) -> String {
    let verb = if part.replaces { "replace" } else { "write" };
    format!("{verb} {}", text::path(&part.target))
}

/// Prints what -n has found, each thing on a line with the verb first, to standard output.
pub(super) fn show_plan(lines: impl Iterator<Item = String>, global: &Global) -> Exit {
    output::write(global, Kind::Text, |out| {
        for line in lines {
            writeln!(out, "{line}")?;
        }
        Ok(Exit::Done)
    })
}

/// A line for each part, where there are several.
pub(super) fn tell_parts(parts: &[Output], dry_run: bool, global: &Global) {
    if parts.len() < 2 {
        return;
    }
    for part in parts {
        let (target, entries) = (
            text::path(&part.target),
            text::count(part.entries, "entry", "entries"),
        );
        let would = if dry_run { "would write " } else { "" };
        let bytes = match part.bytes {
            Some(bytes) => format!(", {}", text::bytes(bytes)),
            None => String::new(),
        };
        global
            .messages
            .line(&format!("  {target}: {would}{entries}{bytes}"));
    }
}

/// Reports what is wrong with an output, and with `-v` every name that an engine never finds, or only
/// in its exact spelling.
pub(super) fn tell_problems(output: &Written, global: &Global) {
    global.messages.problems(&output.problems);
    for hard in &output.hard_to_find {
        let HardToFind { index, name, .. } = hard;
        let how = if hard.found {
            "is found only under exactly this spelling"
        } else {
            "is never found"
        };
        let (name, engines) = (escape(name), EngineNames::from(hard.engines));
        let line = format!("  entry {index} \"{name}\" {how} by {engines}");
        global.messages.detail(&line);
    }
}

/// `2 paks, 7 entries, 1.2 MB to 3.4 MB`, with `entries` in words; or what else became of the output.
/// Nothing where it was not come to.
pub(super) fn summary(output: &Written, entries: &str) -> Option<String> {
    let paks = match output.parts.len() + output.parts_kept {
        0 | 1 => String::new(),
        _ => text::count(output.parts.len(), "pak, ", "paks, "),
    };
    let sizes = text::in_and_out(output.bytes_in, output.bytes_out);
    Some(match output.outcome {
        Outcome::Written => format!("{paks}{entries}, {sizes}"),
        Outcome::Planned => format!("would write {paks}{entries}, {sizes}"),
        Outcome::Kept => "kept".to_owned(),
        Outcome::Failed => "not written".to_owned(),
        _ => return None,
    })
}

/// Writes what became of an output as a row.
pub(super) fn show_json(out: &mut output::Output, written: &Written) -> io::Result<()> {
    json::row(out, |row| {
        if written.files.is_empty() {
            row.path("pak", &written.source)?;
        }
        row.path("output", &written.target)?;
        row.field("status", status(written.outcome))?;
        row.field("from", written.from.map(Format::as_str))?;
        row.field("to", written.to.as_str())?;
        row.field("entries", written.entries_out())?;
        row.field("failed", written.skipped)?;
        row.field("mended", written.mended)?;
        row.field("bytes_in", written.bytes_in)?;
        row.field("bytes", written.bytes_out)?;
        row.field(
            "outputs",
            Vec::from_iter(written.parts.iter().map(OutputRow::of)),
        )?;
        let planned = written.outcome == Outcome::Planned;
        if planned && !written.files.is_empty() {
            row.field(
                "files",
                Vec::from_iter(written.files.iter().map(FileRow::of)),
            )?;
        }
        let hard = written.hard_to_find.iter().map(HardRow::of);
        row.field("hard_to_find", Vec::from_iter(hard))?;
        problems(row, &written.problems)
    })
}

/// Writes what went wrong, and what is odd, in sentences.
pub(super) fn problems(row: &mut json::Row<'_>, problems: &[Problem]) -> io::Result<()> {
    for (name, of_errors) in [("errors", true), ("warnings", false)] {
        let problems = problems.iter().filter(|it| it.is_error() == of_errors);
        let sentences = problems.map(|problem| problem.error.to_string());
        row.field(name, Vec::from_iter(sentences))?;
    }
    Ok(())
}

/// A stable word for what became of an archive or a file.
pub(super) const fn status(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Written | Outcome::Replaced => "written",
        Outcome::Kept => "kept",
        Outcome::Planned => "planned",
        Outcome::Skipped => "skipped",
        Outcome::Failed => "failed",
        Outcome::Stopped => "stopped",
    }
}

/// A name within a row of JSON.
#[derive(Serialize)]
struct Named<'a> {
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_hex: Option<String>,
}

impl<'a> Named<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self {
            name: String::from_utf8_lossy(bytes),
            name_hex: json::hex(bytes),
        }
    }
}

/// An output within a row of JSON.
#[derive(Serialize)]
struct OutputRow {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
    replaces: bool,
    entries: u64,
    bytes: Option<u64>,
}

impl OutputRow {
    fn of(output: &Output) -> Self {
        let bytes = path_bytes(&output.target);
        Self {
            file: String::from_utf8_lossy(&bytes).into_owned(),
            file_hex: json::hex(&bytes),
            replaces: output.replaces,
            entries: output.entries,
            bytes: output.bytes,
        }
    }
}

/// A file that would become an entry, within a row of JSON.
#[derive(Serialize)]
struct FileRow<'a> {
    #[serde(flatten)]
    name: Named<'a>,
    size: u64,
}

impl<'a> FileRow<'a> {
    fn of(file: &'a Created) -> Self {
        let (name, size) = (Named::of(&file.name), file.size);
        Self { name, size }
    }
}

/// A name that engines find only as it is spelled, or never, within a row of JSON.
#[derive(Serialize)]
struct HardRow<'a> {
    index: usize,
    #[serde(flatten)]
    name: Named<'a>,
    found: bool,
    engines: String,
}

impl<'a> HardRow<'a> {
    fn of(hard: &'a HardToFind) -> Self {
        Self {
            index: hard.index,
            name: Named::of(&hard.name),
            found: hard.found,
            engines: EngineNames::from(hard.engines).to_string(),
        }
    }
}
