//! What became of an output, as a row of JSON.

use std::borrow::Cow;
use std::io;

use daisho::Format;
use daisho::archive::path_bytes;
use daisho::error::EngineNames;
use daisho::ops::context::Problem;
use daisho::ops::write::{Created, HardToFind, Outcome, Output, Written};
use serde::Serialize;

use crate::cli::json;
use crate::cli::output;

/// Writes what became of an output as a row.
pub(crate) fn show_json(out: &mut output::Output, written: &Written) -> io::Result<()> {
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
pub(crate) fn problems(row: &mut json::Row<'_>, problems: &[Problem]) -> io::Result<()> {
    for (name, of_errors) in [("errors", true), ("warnings", false)] {
        let problems = problems.iter().filter(|it| it.is_error() == of_errors);
        let sentences = problems.map(|problem| problem.error.to_string());
        row.field(name, Vec::from_iter(sentences))?;
    }
    Ok(())
}

/// A stable word for what became of an archive or a file.
pub(crate) const fn status(outcome: Outcome) -> &'static str {
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
