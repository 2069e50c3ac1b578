//! Merges all files that an engine serves from a game's folders into one archive, or several if a limit requires
//! it.
//!
//! Entries are in the order in which their paks load, and within a pak in the order of its directory. So the same
//! game gives the same bytes.

use super::context::{Context, Refusal};
use super::game::View;
use super::plan::layout::Layout;
use super::plan::part::Part;
use super::plan::targets::place_one;
use super::row::{Delivery, OutputRow, Row, Summary};
use super::write::WriteOptions;
use super::write::job::Job;
use crate::archive::Archive;
use crate::ops::finding::{Finding, one_output};

/// Writes all files that `view` serves into one archive. Loose files are included if `view` lists them. `options`
/// say where and how: the destination must be a file or a spool, and `recursive` means nothing.
///
/// # Errors
///
/// Nothing is written if the destination is a directory, if the output is one of the game's paks or files by any
/// name, or if it exists and may not be replaced.
pub fn merge(
    context: &Context<'_>,
    view: &View,
    options: &WriteOptions,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let Some(target) = options.destination.file() else {
        return Err(one_output(view.folders.len()).into());
    };
    options.rules.check(options.to)?;
    let winners = view.to_merge(&options.selection, options.lowercase);
    let doubt = winners.doubt(view.engine);
    let mut findings = winners.findings;
    findings.extend(doubt);
    let served = winners.served.iter().copied();
    let parts = Part::all(served, options.to, options.lowercase);
    let archives: Vec<&Archive> = view.game.loaded().map(|it| &*it.archive).collect();
    let files = parts.iter().filter(|part| part.entry.is_file());
    let len = archives.iter().map(|archive| archive.file_len());
    let len = len.chain(files.map(Part::size)).sum();
    // What could not be read, or is cut short, has entries that the output would lack.
    let whole = !view.findings.iter().any(Finding::is_error);
    let layout = Layout::of(parts, whole, len, options)?;
    let sources = view.sources(&winners.served);
    let (root, targets) = place_one(context, options, &sources, layout.count(options), None)?;

    let source = view.folders.first().cloned().unwrap_or_default();
    let mut row = OutputRow::new(source, target.into(), options.to);
    row.from = Some(view.engine.profile().layout);
    let sizes = layout.parts.iter().map(Part::size);
    row.bytes_in = sizes.fold(0, u64::saturating_add);
    let job = Job {
        context,
        options,
        root: &root,
        targets: &targets,
        layout: &layout,
        archives: &archives,
        merged_for: Some(view.engine),
    };
    let row = job.run(target, row);
    findings.extend(root.finish());
    let mut out = Delivery::new(rows);
    out.findings(findings);
    out.row(Row::Output(Box::new(row)));
    Ok(out.summary)
}
