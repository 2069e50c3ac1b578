//! `info`: describes an archive as a whole. It reports the format and why, sums, an account of every byte,
//! what is unusual, which engines load it, and the types of its files.
//!
//! Remarks are about things that the directory shows. `verify` finds the rest. Only the headers of files are read,
//! and decoded if they are compressed.

mod content;
mod remarks;

use std::path::Path;

use crate::archive::{Archive, Entry, ReadOptions};
use crate::engine::{Effect, Engines, Facts, Stock};
use crate::fs::is_standard_input;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding, Notice};
use crate::ops::row::{Content, Delivery, InfoRow, Row, Summary};
use crate::ops::source;

/// Describes one archive after another, with the verdicts of `engines`, or of all engines if `engines` is empty.
///
/// ```
/// use daisho::ops::context::Context;
/// use daisho::engine::Engines;
/// use daisho::ops::read::info::info;
/// use daisho::ops::row::Row;
///
/// let context = Context::new();
/// let path = "corpus/paks/sound/gap-of-dead-data.pak";
/// info(&context, &[path], Engines::NONE, &mut |row| {
///     if let Row::Info(pak) = row {
///         assert!(pak.account.gap_bytes() > 0);
///         for remark in &pak.remarks {
///             println!("{}", remark.words);
///         }
///     }
/// })?;
/// # Ok::<(), daisho::ops::context::Refusal>(())
/// ```
///
/// # Errors
///
/// None so far.
pub fn info(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    engines: Engines,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let mut rows = |mut row: Row| {
        if let Row::Finding(finding) = &mut row {
            add_salvageable(context, finding);
        }
        rows(row);
    };
    let mut out = Delivery::new(&mut rows);
    source::each(context, paths, &mut out, &mut |input, archive, out| {
        let mut info = look(context, &input.path, archive, engines);
        info.findings = findings(&info);
        out.row(Row::Info(Box::new(info)));
    });
    Ok(out.summary)
}

/// If the finding is about a ZIP without a directory, adds how many of its files can still be read.
fn add_salvageable(context: &Context<'_>, finding: &mut Finding) {
    let Some(path) = finding
        .unread
        .as_deref()
        .filter(|path| finding.notice == Notice::MissingZipDirectory && !is_standard_input(path))
    else {
        return;
    };
    let options = ReadOptions {
        salvage: true,
        ..context.open
    };
    let Ok(archive) = source::open(&context.system, path, options) else {
        return;
    };
    let is_there = |entry: &Entry<'_>| entry.check_claims().is_ok();
    let files = match archive.entries().filter(is_there).count() {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    };
    finding.detail += &format!("; {files} can be found without it");
}

/// Looks at an archive.
fn look(context: &Context<'_>, path: &Path, archive: &Archive, asked: Engines) -> InfoRow {
    let account = archive.account();
    let entries = || archive.entries();
    InfoRow {
        archive: path.to_path_buf(),
        format: archive.format(),
        why: archive.why(),
        entries: archive.len(),
        compressed: entries().filter(Entry::is_compressed).count(),
        empty: entries().filter(|entry| entry.size() == 0).count(),
        // Entries are free to claim more than a number can say.
        size: entries()
            .map(|entry| entry.size())
            .fold(0, u64::saturating_add),
        packed_size: entries()
            .map(|entry| entry.stored_len())
            .fold(0, u64::saturating_add),
        remarks: remarks::of(archive, &account),
        account,
        engines: Facts::of(archive).judge_for(asked),
        content: Content::of(context, archive, asked),
        stock: Stock::of(archive),
        is_check: !asked.is_empty(),
        findings: Vec::new(),
    }
}

/// An error for each reason why engines that were asked about do not load the archive, and one if it is
/// damaged.
fn findings(info: &InfoRow) -> Vec<Finding> {
    let mut findings = Vec::new();
    if info.is_check {
        let asked: Engines = info.engines.iter().map(|(engine, _)| *engine).collect();
        let refusal = |engine| {
            let verdict = info.verdict(engine).filter(|verdict| !verdict.loads())?;
            let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
            Some((verdict.effect == Effect::Misread, why.join("; ")))
        };
        for (refusal, engines) in asked.agreeing(refusal) {
            if let Some((is_garbage, why)) = refusal {
                let mut finding = finding::judged(engines, is_garbage, why);
                finding.notice = Notice::NotLoaded;
                findings.push(finding);
            }
        }
    }
    if info.is_damaged() {
        findings.push(Finding::error(
            Notice::DamagedArchive,
            "the archive is damaged",
        ));
    }
    let in_archive = |finding: Finding| finding.in_pak(&info.archive);
    findings.into_iter().map(in_archive).collect()
}
