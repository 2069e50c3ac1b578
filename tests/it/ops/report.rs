//! The operations that write, with their rows gathered.

use std::path::PathBuf;

use daisho::ops;
use daisho::ops::finding::Finding;
use daisho::ops::game::View;
use daisho::ops::row::{ArchiveRow, FileRow, OutputRow, Row, Summary};
use daisho::ops::write::WriteOptions;
use daisho::ops::{Context, ExtractOptions, Refusal};

/// What an operation has reported.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) paks: Vec<OutputRow>,
    pub(crate) archives: Vec<ArchiveRow>,
    pub(crate) files: Vec<FileRow>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) summary: Summary,
}

fn gathered(
    operation: impl FnOnce(&mut dyn FnMut(Row)) -> Result<Summary, Refusal>,
) -> Result<Report, Refusal> {
    let mut report = Report::default();
    let summary = operation(&mut |row| match row {
        Row::Output(row) => report.paks.push(*row),
        Row::Archive(row) => report.archives.push(row),
        Row::File(row) => report.files.push(row),
        Row::Finding(finding) => report.findings.push(finding),
        other => panic!("{other:?}"),
    })?;
    report.summary = summary;
    Ok(report)
}

pub(crate) fn convert(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &WriteOptions,
) -> Result<Report, Refusal> {
    gathered(|rows| ops::convert(context, paths, options, rows))
}

pub(crate) fn create(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &WriteOptions,
) -> Result<OutputRow, Refusal> {
    let report = gathered(|rows| ops::create(context, paths, options, rows))?;
    Ok(report.paks.into_iter().next().unwrap())
}

pub(crate) fn merge(
    context: &Context<'_>,
    view: &View,
    options: &WriteOptions,
) -> Result<Report, Refusal> {
    gathered(|rows| ops::merge(context, view, options, rows))
}

pub(crate) fn extract(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &ExtractOptions,
) -> Result<Report, Refusal> {
    gathered(|rows| ops::extract(context, paths, options, rows))
}

#[cfg(unix)]
pub(crate) fn extract_served(
    context: &Context<'_>,
    view: &View,
    options: &ExtractOptions,
) -> Result<Report, Refusal> {
    gathered(|rows| ops::extract_served(context, view, options, rows))
}
