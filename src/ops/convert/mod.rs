//! Archives written anew, in the format that is wanted.
//!
//! All outputs are planned before the first is written. Then archives are converted side by side, and
//! the entries of each as well, on the same threads. Without a limit that may split an output, archives
//! are opened when their turn comes, so a batch takes no more memory than its threads need; with one, they
//! are opened before, to count their outputs.

use std::path::PathBuf;

use self::candidate::{Candidate, is_whole};
use self::place::{Placed, place};
use super::context::{Context, Problem, Refusal};
use super::inputs::{self, Inputs};
use super::open;
use super::plan::layout::Plan;
use super::plan::part::Part;
use super::plan::targets::OutputRoot;
use super::row::{Delivery, Outcome, OutputRow, Row, Summary};
use super::write::job::Job;
use super::write::{Destination, WriteOptions};
use crate::archive::Archive;
use crate::error::{Error, ErrorKind};

mod candidate;
mod place;

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
    inputs::check_missing(paths, false)?;
    let inputs = inputs::find(paths, options.search, skip)?;
    let warnings: Vec<Problem> = inputs.warnings().collect();
    let Inputs {
        paks, mut problems, ..
    } = inputs;
    let found = paks.len() + problems.len();
    if skip.is_none() && found > 1 {
        return Err(Error::from(ErrorKind::OneOutput { found }).into());
    }
    let mut candidates: Vec<Candidate> = paks.into_iter().map(Candidate::new).collect();
    candidate::count(context, options, &mut candidates)?;
    let (root, placed) = place(&context.system, options, &candidates)?;
    let batch = Batch { context, options };
    let jobs: Vec<(&Candidate, &Placed)> = candidates.iter().zip(&placed).collect();
    context.observer.archives(jobs.len() as u64);
    let convert = |(candidate, placed): &(&Candidate, &Placed)| {
        let output = batch.convert(&root, candidate, placed);
        context.observer.archive_done();
        output
    };
    let mut out = Delivery::new(rows);
    // As long as nothing could be done with any, it may be a refusal of the whole.
    let (mut hopeless, mut has_begun) = (Vec::new(), false);
    context.pool.in_order(&jobs, convert, |output| {
        has_begun |= !is_hopeless(&output);
        hopeless.push(output);
        if has_begun {
            for output in hopeless.drain(..) {
                out.row(Row::Output(Box::new(output)));
            }
        }
    });
    problems.extend(root.finish());
    problems.extend(options.selection.unmatched().map(Problem::error));
    if !has_begun {
        return Err(refusal(paths, hopeless, problems, warnings));
    }
    out.findings(problems);
    out.findings(warnings);
    Ok(out.summary)
}

/// How all inputs are converted.
struct Batch<'a> {
    context: &'a Context<'a>,
    options: &'a WriteOptions,
}

impl Batch<'_> {
    /// Converts an archive, or says why not.
    fn convert(&self, root: &OutputRoot, candidate: &Candidate, placed: &Placed) -> OutputRow {
        let source = candidate.path().to_path_buf();
        let mut report = OutputRow::new(source, placed.shown.clone(), self.options.to);
        if placed.targets.kept {
            report.outcome = Outcome::Kept;
            return report;
        }
        let opened = match &candidate.opened {
            Some(archive) => open::check_unchanged(archive).map(|()| None),
            None => self.open(candidate).map(Some),
        };
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                if matches!(error.kind(), ErrorKind::Interrupted) {
                    report.outcome = Outcome::Stopped;
                }
                report.problems.push(Problem::error(error));
                return report;
            }
        };
        let Some(archive) = opened.as_ref().or(candidate.opened.as_ref()) else {
            return report;
        };
        report.from = Some(archive.format());
        report.bytes_in = archive.file_len();
        if !archive.is_empty() {
            report.problems = open::notes(archive);
        }
        let picked = self.options.selection.entries(archive);
        let parts = Part::all(picked, self.options.to, self.options.lowercase);
        report.entries = parts.len() as u64;
        let many = matches!(self.options.destination, Destination::Directory(_));
        if many && parts.is_empty() && !archive.is_empty() {
            report.outcome = Outcome::Skipped;
            return report;
        }
        let plan = Plan::of(&parts, is_whole(archive), archive.file_len(), self.options);
        match plan {
            Ok(plan) => {
                let job = Job {
                    context: self.context,
                    options: self.options,
                    root,
                    archives: &[archive],
                    merged_for: None,
                };
                job.run(candidate.path(), plan, &placed.targets, report)
            }
            Err(error) => {
                let error = error.in_pak(candidate.path());
                report.problems.push(Problem::error(error));
                report
            }
        }
    }

    fn open(&self, candidate: &Candidate) -> Result<Archive, Error> {
        let context = self.context;
        let path = candidate.path();
        let cancelled = context.cancel.check().map_err(|error| error.in_pak(path));
        cancelled.and_then(|()| open::open(&context.system, path, context.open))
    }
}

/// Why nothing was done: no input could be opened, or may be converted.
fn refusal(
    paths: &[PathBuf],
    outputs: Vec<OutputRow>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
) -> Refusal {
    let of_outputs = outputs.into_iter().flat_map(|output| output.problems);
    let problems = problems.into_iter().chain(of_outputs);
    let mut errors: Vec<Error> = problems.map(|problem| problem.error).collect();
    if errors.is_empty() {
        let nothing = |path: &PathBuf| Error::from(ErrorKind::NoPakFound).in_pak(path);
        errors.extend(paths.iter().map(nothing));
    }
    errors.extend(warnings.into_iter().map(|warning| warning.error));
    Refusal(errors)
}

/// Whether nothing could be done with an archive, or may be.
fn is_hopeless(output: &OutputRow) -> bool {
    let expands = |problem: &Problem| matches!(problem.error.kind(), ErrorKind::Expansion { .. });
    let is_refused = output.problems.iter().any(expands);
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
    use crate::ops::context::{Cancel, Existing, Unobserved};
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
        let cancel = Cancel::new();
        let context = Context::new(&Unobserved, &cancel).on(System::new(Arc::new(calls)));
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
                let problems: Vec<String> =
                    pak.problems.iter().map(|it| it.error.to_string()).collect();
                match existing {
                    _ if outcome == Outcome::Failed => assert!(
                        problems.len() == 1 && problems[0].contains("already exists"),
                        "{problems:?}"
                    ),
                    _ => assert!(problems.is_empty(), "{problems:?}"),
                }
            }
        }
    }
}
