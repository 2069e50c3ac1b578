//! Converts an archive, or makes a ZIP of its files.

use std::collections::BTreeSet;

use daisho::archive::SafePath;
use daisho::ops::finding::Finding;
use daisho::ops::row::OutputRow;
use daisho::ops::source::Selection;
use daisho::ops::write::{Destination, WriteOptions};
use daisho::ops::{Context, convert as convert_archives};
use daisho::{Archive, ErrorKind, Format};
use serde_json::json;

use crate::report::{Report, Rows};

/// Makes an archive of all entries, or of those with these numbers. Reports what the command reports.
pub(crate) fn convert(
    report: &Report,
    (out, path): (&str, &str),
    format: &str,
    keep_going: bool,
    numbers: &[&str],
) -> Result<(), Finding> {
    let Some(format) = Format::by_word(format) else {
        return Err(Finding::error("no such format"));
    };
    let mut selection = Selection::all();
    if !numbers.is_empty() {
        selection = Selection::of_numbers(numbers.iter().filter_map(|it| it.parse().ok()));
    }
    write(report, (out, path), format, keep_going, selection);
    Ok(())
}

/// Makes a ZIP of all entries, or of those with these numbers. Leaves out entries that cannot be read, and those with
/// names that no file may have.
pub(crate) fn zip(
    report: &Report,
    (out, path): (&str, &str),
    numbers: &[&str],
) -> Result<(), Finding> {
    let archive = Archive::open(path)?;
    let chosen: BTreeSet<usize> = numbers.iter().filter_map(|it| it.parse().ok()).collect();
    let mut safe = Vec::new();
    for entry in archive.entries() {
        if !chosen.is_empty() && !chosen.contains(&entry.index()) {
            continue;
        }
        match SafePath::try_from(entry.name()) {
            Ok(_) => safe.push(entry.index()),
            Err(why) => report.finding(&entry.locate(ErrorKind::Path(why).into()).into()),
        }
    }
    let selection = Selection::of_numbers(safe);
    write(report, (out, path), Format::Pk3, true, selection);
    Ok(())
}

fn write(
    report: &Report,
    (out, path): (&str, &str),
    to: Format,
    keep_going: bool,
    selection: Selection,
) {
    let context = Context::new().observed_by(report);
    let options = WriteOptions {
        keep_going,
        selection,
        ..WriteOptions::new(Destination::File(out.into()), to)
    };
    let mut rows = Rows {
        report,
        row: |row: Box<OutputRow>| {
            for finding in &row.findings {
                report.finding(finding);
            }
            let made = row.bytes_out.is_some().then_some(out);
            let extension = to.spec().extension();
            report.say(&json!({ "out": made, "extension": extension, "row": row }));
        },
    };
    if let Err(refusal) = convert_archives(&context, &[path], &options, &mut rows) {
        report.refusal(&refusal);
    }
}
