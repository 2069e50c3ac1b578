//! Converts an archive, or makes a ZIP of its files.

use std::ops::ControlFlow;

use daisho::archive::SafePath;
use daisho::ops::finding::Finding;
use daisho::ops::row::OutputRow;
use daisho::ops::source::Selection;
use daisho::ops::write::{Destination, WriteOptions};
use daisho::ops::{Context, Refusal, Sink, convert as convert_archives};
use daisho::{Archive, ErrorKind, Format};

use crate::pictures::number;
use crate::report::Report;

/// Makes an archive of all entries, or of those with these numbers.
pub(crate) fn convert(
    report: &Report,
    (out, path): (&str, &str),
    format: &str,
    keep_going: bool,
    indices: &[&str],
) -> Result<(), Refusal> {
    let format = Format::by_word(format).ok_or_else(|| Finding::error("no such format"))?;
    let selection = match indices {
        [] => Selection::all(),
        _ => Selection::of_numbers(numbers(indices)?),
    };
    let options = WriteOptions {
        keep_going,
        selection,
        ..WriteOptions::new(Destination::File(out.into()), format)
    };
    write(report, path, options)
}

/// Makes a ZIP of all entries, or of those with these numbers. Leaves out entries that cannot be read, and those with
/// names that no file may have.
pub(crate) fn zip(
    report: &Report,
    (out, path): (&str, &str),
    indices: &[&str],
) -> Result<(), Refusal> {
    let archive = Archive::open(path).map_err(Finding::from)?;
    let chosen = numbers(indices)?;
    let mut safe = Vec::new();
    for entry in archive.entries() {
        if !chosen.is_empty() && chosen.binary_search(&entry.index()).is_err() {
            continue;
        }
        match SafePath::try_from(entry.name()) {
            Ok(_) => safe.push(entry.index()),
            Err(why) => report.finding(&entry.locate(ErrorKind::Path(why).into()).into()),
        }
    }
    let options = WriteOptions {
        keep_going: true,
        selection: Selection::of_numbers(safe),
        ..WriteOptions::new(Destination::File(out.into()), Format::Pk3)
    };
    write(report, path, options)
}

/// These numbers of entries, in order.
fn numbers(indices: &[&str]) -> Result<Vec<usize>, Finding> {
    let numbers: Result<Vec<usize>, Finding> = indices.iter().map(|it| number(it)).collect();
    let mut numbers = numbers?;
    numbers.sort_unstable();
    Ok(numbers)
}

fn write(mut report: &Report, path: &str, options: WriteOptions) -> Result<(), Refusal> {
    let context = Context::new().observed_by(report);
    convert_archives(&context, &[path], &options.into(), &mut report)?;
    Ok(())
}

impl Sink<Box<OutputRow>> for &Report {
    fn row(&mut self, row: Box<OutputRow>) -> ControlFlow<()> {
        self.findings(&row.findings);
        self.say(&row);
        ControlFlow::Continue(())
    }

    fn finding(&mut self, finding: Finding) {
        Report::finding(self, &finding);
    }
}
