//! Archives written anew, in the format that is wanted.
//!
//! All outputs are planned before the first is written. Then archives are converted side by side, and
//! the entries of each as well, on the same threads. Without a limit that may split an output, archives
//! are opened when their turn comes, so a batch takes no more memory than its threads need; with one, they
//! are opened before, and laid out to count their outputs.

use crate::ops::finding::{Finding, Notice, one_output};
use std::path::PathBuf;

use super::context::{Context, Refusal};
use super::open;
use super::plan::layout::Layout;
use super::plan::number::Wanted;
use super::plan::targets::{OutputRoot, Targets, named_as, place_one};
use super::row::{Delivery, Outcome, OutputRow, Row, Summary};
use super::source::{self, Input, recognize};
use super::write::job::Job;
use super::write::{Destination, WriteOptions};
use crate::archive::Archive;

/// Converts the archives that `paths` mean, and reports each as soon as it and those before it are done.
///
/// [An example](crate::ops#archives-converted) stands where all of this begins.
///
/// # Errors
///
/// Nothing is written where one output is wanted and there is not one input, no input is an archive,
/// two inputs would land on one name, an output is an input by any name, or something exists that
/// may not be replaced; nor where an output must be split and cannot be, or its format is not that
/// of the engine; nor where outputs are to be kept and only some parts of a split one exist.
pub fn convert(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &WriteOptions,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    options.rules.check(options.to)?;
    let skip = match &options.destination {
        Destination::Directory(directory) => Some(directory.as_path()),
        Destination::File(_) | Destination::Spool(_) => None,
    };
    source::check_missing(paths, false)?;
    let inputs = source::all(context, paths, options.search, skip)?;
    let warnings: Vec<Finding> = inputs.warnings().collect();
    let (archives, mut findings) = (inputs.archives, inputs.findings);
    let found = archives.len() + findings.len();
    if skip.is_none() && found > 1 && !archives.is_empty() {
        return Err(one_output(found).into());
    }
    let opened = open_to_split(context, options, &archives);
    let plan = plan(context, options, &archives, &opened)?;
    context.observer.archives(plan.outputs.len() as u64);
    let mut out = Delivery::new(rows);
    // As long as nothing could be done with any, it may be a refusal of the whole.
    let (mut hopeless, mut has_begun) = (Vec::new(), false);
    let convert = |output: &Output<'_>| {
        let row = plan.convert(output);
        context.observer.archive_done();
        row
    };
    context.pool.in_order(&plan.outputs, convert, |row| {
        has_begun |= !is_hopeless(&row);
        hopeless.push(row);
        if has_begun {
            for row in hopeless.drain(..) {
                out.row(Row::Output(Box::new(row)));
            }
        }
    });
    findings.extend(plan.root.finish());
    findings.extend(options.selection.unmatched());
    if !has_begun {
        return Err(refusal(hopeless, findings, warnings));
    }
    out.findings(findings);
    out.findings(warnings);
    Ok(out.summary)
}

/// Opens the archives if a limit may split one. Those that cannot be opened are reported when it is their turn.
fn open_to_split(
    context: &Context<'_>,
    options: &WriteOptions,
    inputs: &[Input],
) -> Vec<Option<Archive>> {
    let open = |(): &mut (), input: &Input| {
        if !options.rules.limit() || context.cancel.is_set() || !is_archive(input) {
            return None;
        }
        input.open(context).ok()
    };
    context.pool.map(inputs, || (), open)
}

/// Whether an input begins as an archive does. If not, it will not be written, and nothing can speak against
/// its output.
fn is_archive(input: &Input) -> bool {
    input.found || recognize::is_pak(&input.path).unwrap_or(false)
}

/// All that is converted, and where it goes.
struct Plan<'a> {
    context: &'a Context<'a>,
    options: &'a WriteOptions,
    root: OutputRoot,
    outputs: Vec<Output<'a>>,
}

/// An input, and where its outputs go.
struct Output<'a> {
    input: &'a Input,
    targets: Targets,
    /// The archive and its parts, if it was opened to count its outputs.
    laid_out: Option<(&'a Archive, Layout<'a>)>,
}

/// Decides where every output goes.
fn plan<'a>(
    context: &'a Context<'a>,
    options: &'a WriteOptions,
    inputs: &'a [Input],
    opened: &'a [Option<Archive>],
) -> Result<Plan<'a>, Refusal> {
    let lay_out = |(): &mut (), opened: &Option<&'a Archive>| {
        let archive = (*opened)?;
        let layout = Layout::of_archive(archive, options);
        Some(layout.map_err(|error| open::in_archive(archive, error)))
    };
    let opened: Vec<Option<&'a Archive>> = opened.iter().map(Option::as_ref).collect();
    let layouts = context.pool.map(&opened, || (), lay_out);
    let (mut laid_out, mut wanted, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for ((input, opened), layout) in inputs.iter().zip(opened).zip(layouts) {
        let layout = layout.transpose().unwrap_or_else(|error| {
            refused.push(error);
            None
        });
        let outputs = match (&layout, opened) {
            _ if !is_archive(input) => 0,
            (Some(layout), Some(archive)) if is_skipped(options, archive, layout) => 0,
            (Some(layout), _) => layout.count(options),
            (None, _) => 1,
        };
        laid_out.push(opened.zip(layout));
        wanted.push((input, outputs));
    }
    if !refused.is_empty() {
        return Err(Refusal(refused));
    }
    let (root, targets) = place(context, options, &wanted)?;
    let mut outputs = Vec::new();
    for ((input, targets), laid_out) in inputs.iter().zip(targets).zip(laid_out) {
        outputs.push(Output {
            input,
            targets,
            laid_out,
        });
    }
    Ok(Plan {
        context,
        options,
        root,
        outputs,
    })
}

/// Where the outputs of inputs go, of which each needs so many.
fn place(
    context: &Context<'_>,
    options: &WriteOptions,
    inputs: &[(&Input, usize)],
) -> Result<(OutputRoot, Vec<Targets>), Refusal> {
    let sources = inputs.iter().map(|(input, _)| input.file());
    let sources: Vec<PathBuf> = sources.collect();
    let Destination::Directory(directory) = &options.destination else {
        let outputs = inputs.iter().map(|(_, outputs)| *outputs).sum();
        let (root, targets) = place_one(context, options, &sources, outputs, None)?;
        return Ok((root, vec![targets]));
    };
    let sources = sources.iter().map(PathBuf::as_path);
    let root = context.system.root(directory);
    let root = OutputRoot::new(root, options.existing, &context.system, sources)?;
    let mut wanted = Vec::new();
    for (input, outputs) in inputs {
        let relative = named_as(&input.relative, options.to);
        wanted.push(Wanted {
            input: &input.path,
            shown: directory.join(&relative),
            relative,
            outputs: *outputs,
            is_numbered: input.found && !options.rules.engines.is_empty(),
        });
    }
    let targets = root.place(&wanted, options)?;
    Ok((root, targets))
}

/// Whether no entry of an archive is selected that is one of several.
fn is_skipped(options: &WriteOptions, archive: &Archive, layout: &Layout<'_>) -> bool {
    let is_one_of_several = matches!(options.destination, Destination::Directory(_));
    is_one_of_several && layout.parts.is_empty() && !archive.is_empty()
}

impl Plan<'_> {
    /// Converts an archive, or says why not.
    fn convert(&self, output: &Output<'_>) -> OutputRow {
        let path = &output.input.path;
        let mut row = OutputRow::new(path.clone(), output.targets.shown.clone(), self.options.to);
        if output.targets.kept {
            row.outcome = Outcome::Kept;
            return row;
        }
        let failed = match &output.laid_out {
            Some((archive, layout)) => match open::check_unchanged(archive) {
                Ok(()) => return self.write(output, archive, layout, row),
                Err(error) => error,
            },
            None => match output.input.open(self.context) {
                Ok(archive) => match Layout::of_archive(&archive, self.options) {
                    Ok(layout) => return self.write(output, &archive, &layout, row),
                    Err(error) => open::in_archive(&archive, error),
                },
                Err(error) => error,
            },
        };
        if failed.is_stop() {
            row.outcome = Outcome::Stopped;
        }
        row.findings.push(failed);
        row
    }

    /// Writes an archive that is laid out.
    fn write(
        &self,
        output: &Output<'_>,
        archive: &Archive,
        layout: &Layout<'_>,
        mut row: OutputRow,
    ) -> OutputRow {
        row.from = Some(archive.format());
        row.bytes_in = archive.file_len();
        if !archive.is_empty() {
            row.findings = open::notes(archive);
        }
        if is_skipped(self.options, archive, layout) {
            row.outcome = Outcome::Skipped;
            return row;
        }
        let job = Job {
            context: self.context,
            options: self.options,
            root: &self.root,
            targets: &output.targets,
            layout,
            archives: &[archive],
            merged_for: None,
        };
        job.run(&output.input.path, row)
    }
}

/// Why nothing was done: no input could be opened, or may be converted.
fn refusal(outputs: Vec<OutputRow>, findings: Vec<Finding>, warnings: Vec<Finding>) -> Refusal {
    let of_outputs = outputs.into_iter().flat_map(|output| output.findings);
    let findings = findings.into_iter().chain(of_outputs);
    Refusal(findings.chain(warnings).collect())
}

/// Whether nothing could be done with an archive, or may be.
fn is_hopeless(output: &OutputRow) -> bool {
    let expands = |finding: &Finding| {
        matches!(
            finding.notice,
            Notice::Expansion | Notice::OverlappingPayloads
        )
    };
    let is_refused = output.findings.iter().any(expands);
    output.outcome == Outcome::Failed && (output.from.is_none() || is_refused)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::num::NonZeroU64;
    use std::sync::Arc;

    use super::*;
    use crate::archive::Format;
    use crate::fs::System;
    use crate::ops::context::Existing;
    use crate::ops::write::Rules;
    use crate::testing::{Call, Faulty, pak};

    /// Converts a pak of three entries, in one output or in two, while somebody makes the first of
    /// them just before an output gets its name.
    fn meddled(split: bool, existing: Existing) -> (tempfile::TempDir, OutputRow) {
        let dir = tempfile::tempdir().unwrap();
        let (source, target) = (dir.path().join("in.pak"), dir.path().join("pak1.pak"));
        let entries: [(&str, &[u8], bool); 3] = [
            ("a", b"one", false),
            ("b", b"two", false),
            ("c", b"three", false),
        ];
        fs::write(&source, pak(Format::Daikatana, &entries)).unwrap();
        let place = target.clone();
        let calls = Faulty::lacking(&[Call::CreateUnnamed])
            .meddled(Call::Link, move || fs::write(place, "theirs").unwrap());
        let options = WriteOptions {
            existing,
            rules: Rules {
                max_entries: NonZeroU64::new(2).filter(|_| split),
                ..Rules::default()
            },
            ..WriteOptions::new(Destination::File(target), Format::Quake)
        };
        let context = Context::new().on(System::new(Arc::new(calls)));
        let mut output = None;
        convert(&context, &[source], &options, &mut |row| match row {
            Row::Output(row) => output = Some(*row),
            other => panic!("{other:?}"),
        })
        .unwrap();
        (dir, output.unwrap())
    }

    #[test]
    fn an_output_that_appears_between_plan_and_commit_is_kept_replaced_or_refused_by_name() {
        for split in [false, true] {
            for (existing, outcome) in [
                (
                    Existing::Keep,
                    if split {
                        Outcome::Failed
                    } else {
                        Outcome::Kept
                    },
                ),
                (Existing::Replace, Outcome::Written),
                (Existing::Refuse, Outcome::Failed),
            ] {
                let (dir, pak) = meddled(split, existing);
                assert_eq!(pak.outcome, outcome, "{existing:?} {split}");
                let first = fs::read(dir.path().join("pak1.pak")).unwrap();
                assert_eq!(first == b"theirs", existing != Existing::Replace);
                assert_eq!(dir.path().join("pak2.pak").exists(), split);
                let files = fs::read_dir(dir.path()).unwrap().count();
                assert_eq!(files, if split { 3 } else { 2 }, "nothing else is left");
                let findings: Vec<String> = pak.findings.iter().map(Finding::to_string).collect();
                match existing {
                    _ if outcome == Outcome::Failed => assert!(
                        findings.len() == 1 && findings[0].contains("already exists"),
                        "{findings:?}"
                    ),
                    _ => assert!(findings.is_empty(), "{findings:?}"),
                }
            }
        }
    }
}
