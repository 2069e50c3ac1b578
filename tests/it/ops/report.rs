//! The operations that write, with everything that they report.

use std::path::PathBuf;

use daisho::ops;
use daisho::ops::finding::Finding;
use daisho::ops::game::View;
use daisho::ops::row::{OutputRow, WriteTotals};
use daisho::ops::write::WriteOptions;
use daisho::ops::{Context, ExtractOptions, ExtractRow, FileRow, Refusal, Reported, Sink};

/// What a conversion has reported.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) paks: Vec<OutputRow>,
    pub(crate) findings: Vec<Finding>,
}

/// What an extraction has reported.
#[derive(Debug)]
pub(crate) struct Extracted {
    pub(crate) files: Vec<FileRow>,
    pub(crate) findings: Vec<Finding>,
}

fn written(
    operation: impl FnOnce(&mut dyn Sink<Box<OutputRow>>) -> Result<WriteTotals, Refusal>,
) -> Result<Report, Refusal> {
    let mut reported = Reported::default();
    operation(&mut reported)?;
    Ok(Report {
        paks: reported.rows.into_iter().map(|row| *row).collect(),
        findings: reported.findings,
    })
}

fn extracted(
    operation: impl FnOnce(&mut dyn Sink<ExtractRow>) -> Result<WriteTotals, Refusal>,
) -> Result<Extracted, Refusal> {
    let mut reported = Reported::default();
    operation(&mut reported)?;
    let mut files = Vec::new();
    for row in reported.rows {
        if let ExtractRow::File(file) = row {
            files.push(file);
        }
    }
    Ok(Extracted { files, findings: reported.findings })
}

pub(crate) fn convert(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: WriteOptions,
) -> Result<Report, Refusal> {
    written(|out| ops::convert(context, paths, &options.into(), out))
}

pub(crate) fn create(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: WriteOptions,
) -> Result<OutputRow, Refusal> {
    let report = written(|out| ops::create(context, paths, &options.into(), out))?;
    Ok(report.paks.into_iter().next().unwrap())
}

pub(crate) fn merge(
    context: &Context<'_>,
    view: &View,
    options: &WriteOptions,
) -> Result<Report, Refusal> {
    written(|out| ops::merge(context, view, options, out))
}

pub(crate) fn extract(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &ExtractOptions,
) -> Result<Extracted, Refusal> {
    extracted(|out| ops::extract(context, paths, options, out))
}

#[cfg(unix)]
pub(crate) fn extract_served(
    context: &Context<'_>,
    view: &View,
    options: &ExtractOptions,
) -> Result<Extracted, Refusal> {
    extracted(|out| ops::extract_served(context, view, options, out))
}
