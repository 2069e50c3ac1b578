//! Paks written anew, in the layout that is wanted.
//!
//! | file      | job                                                                          |
//! |-----------|------------------------------------------------------------------------------|
//! | `targets` | which output for which input, and what speaks against it, before all writing |
//! | `one`     | one pak: open, plan, write, commit                                           |
//! | `merge`   | one pak out of all that an engine serves from a game's folders                |
//! | `report`  | what became of each                                                          |
//!
//! All outputs are planned before the first is written. Then paks are converted side by side, and
//! the entries of each as well, on the same threads. Paks are opened when their turn comes, so a
//! batch takes no more memory or open files than its threads need.

mod merge;
mod one;
mod report;
pub(super) mod targets;

use std::path::PathBuf;

pub use merge::merge;
pub use report::{ConvertReport, Outcome, PakReport, Totals};

use super::assemble::Crew;
use super::context::{Context, Existing, Problem, Refusal};
use super::expansion::EXPANSION_DEFAULT;
use super::inputs::{self, Input, Inputs};
use super::pool::Pool;
use super::split::Rules;
use crate::error::{Error, ErrorKind};
use crate::fs::System;
use crate::pak::Layout;

/// What [`convert`] is to do.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// Where the output goes.
    pub destination: Destination,
    /// The layout to write.
    pub to: Layout,
    /// What outputs have to keep to. One that would not is split.
    pub rules: Rules,
    /// Whether names become what every engine finds: ASCII letters in lower case, `/` for `\\`.
    pub lowercase: bool,
    /// Whether directories are searched for paks.
    pub recursive: bool,
    /// Whether entries that cannot be converted are left out. Without it, a pak that has one is
    /// not written.
    pub keep_going: bool,
    /// What is done about outputs that exist.
    pub existing: Existing,
    /// Whether only to find out what would be done.
    pub dry_run: bool,
    /// How many times a pak's length may be written for it, decompressed, each payload once. Only
    /// payloads that lie over each other can take more than [`EXPANSION_DEFAULT`]. Such a pak is
    /// not written.
    pub max_expansion: u64,
    /// Whether each new pak is brought to the disk before it gets its name, and the name after it.
    /// One that replaces another always is.
    pub sync: bool,
}

/// Where the output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Into this file, which takes exactly one input.
    File(PathBuf),
    /// Below this directory, which is made when it is missing: what was named as a file under its
    /// own name, what was found in a directory under its path from there.
    Directory(PathBuf),
}

impl ConvertOptions {
    /// What a conversion is unless more is said: no limits but the format's, names as they are,
    /// no search, no pak that lacks an entry, nothing replaced.
    ///
    /// Name the rest with `..`, so that an option that is added later does not matter:
    ///
    /// ```
    /// use daisho::ops::convert::{ConvertOptions, Destination};
    /// use daisho::pak::Layout;
    ///
    /// let options = ConvertOptions {
    ///     recursive: true,
    ///     ..ConvertOptions::new(Destination::Directory("quake".into()), Layout::Quake)
    /// };
    /// # assert!(options.recursive && !options.keep_going && !options.dry_run);
    /// ```
    #[must_use]
    pub fn new(destination: Destination, to: Layout) -> Self {
        Self {
            destination,
            to,
            rules: Rules::default(),
            lowercase: false,
            recursive: false,
            keep_going: false,
            existing: Existing::default(),
            dry_run: false,
            max_expansion: EXPANSION_DEFAULT,
            sync: false,
        }
    }
}

/// Converts the paks that `paths` mean.
///
/// [An example](crate::ops#paks-converted) stands where all of this begins.
///
/// # Errors
///
/// Nothing is written where one output is wanted and there is not one input, no input is a pak,
/// two inputs would land on one name, an output is an input by any name, or something exists that
/// may not be replaced; nor where an output must be split and cannot be, or its layout is not that
/// of the engine; nor where some parts of the only output are to be kept, and are not what they
/// should be.
pub fn convert(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &ConvertOptions,
) -> Result<ConvertReport, Refusal> {
    convert_on(&System::real(), context, paths, options)
}

/// The same on any system.
pub(super) fn convert_on(
    system: &System,
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &ConvertOptions,
) -> Result<ConvertReport, Refusal> {
    options.rules.check(options.to)?;
    let skip = match &options.destination {
        Destination::Directory(directory) => Some(directory.as_path()),
        Destination::File(_) => None,
    };
    inputs::check_missing(paths, false)?;
    let inputs = inputs::find(paths, options.recursive, skip)?;
    let warnings: Vec<Problem> = inputs.warnings().collect();
    let Inputs {
        paks, mut problems, ..
    } = inputs;
    let found = paks.len() + problems.len();
    if skip.is_none() && found > 1 {
        return Err(Error::from(ErrorKind::OneOutput { found }).into());
    }
    let candidates: Vec<Candidate> = paks.into_iter().map(Candidate::new).collect();
    let pool = Pool::new(context.jobs);
    let counts = counts(system, context, &pool, &candidates, options)?;
    let targets::Planned {
        root,
        targets,
        sources,
    } = targets::plan(system, &candidates, &counts, options)?;

    let batch = one::Batch {
        crew: Crew {
            pool: &pool,
            cancel: context.cancel,
            observer: context.observer,
        },
        open: context.open,
        system,
        meeting: targets::Meeting {
            root: &root,
            rules: &options.rules,
            sources: &sources,
            existing: options.existing,
        },
        options,
    };
    let jobs: Vec<_> = candidates.iter().zip(&targets).collect();
    let paks = pool.map(
        &jobs,
        || (),
        |(), (candidate, target)| batch.convert(candidate, target),
    );
    problems.extend(
        root.finish()
            .into_iter()
            .map(|error| Problem::error(error.into())),
    );
    conclude(paths, paks, problems, warnings)
}

/// An input, and whether it begins as a pak does. If not, it will not be written, and nothing can
/// speak against its output.
#[derive(Debug)]
struct Candidate {
    input: Input,
    is_pak: bool,
}

impl Candidate {
    fn new(input: Input) -> Self {
        let is_pak = input.searched || inputs::is_pak(&input.path).unwrap_or(false);
        Self { input, is_pak }
    }
}

/// How many outputs each candidate needs. Where limits can ask for more than one, each is looked
/// into now, and opened once more when its turn comes.
fn counts(
    system: &System,
    context: &Context<'_>,
    pool: &Pool,
    candidates: &[Candidate],
    options: &ConvertOptions,
) -> Result<Vec<usize>, Refusal> {
    if !options.rules.limit() {
        return Ok(vec![1; candidates.len()]);
    }
    let count = |candidate: &Candidate| {
        if context.cancel.is_set() {
            return Ok(1);
        }
        one::count(system, context, candidate, options)
    };
    let counted = pool.map(candidates, || (), |(), candidate| count(candidate));
    let (mut counts, mut refused) = (Vec::new(), Vec::new());
    for counted in counted {
        match counted {
            Ok(count) => counts.push(count),
            Err(error) => refused.push(error),
        }
    }
    if refused.is_empty() {
        Ok(counts)
    } else {
        Err(Refusal(refused))
    }
}

/// What the run comes to: where no input could be opened, or is allowed to be, nothing was done.
fn conclude(
    paths: &[PathBuf],
    paks: Vec<PakReport>,
    mut problems: Vec<Problem>,
    warnings: Vec<Problem>,
) -> Result<ConvertReport, Refusal> {
    let refused = |problem: &Problem| {
        let kind = problem.error.kind();
        matches!(
            kind,
            ErrorKind::Expansion { .. } | ErrorKind::NotTheParts { .. }
        )
    };
    let hopeless = |pak: &PakReport| {
        let refused = pak.problems.iter().any(refused);
        pak.outcome == Outcome::Failed && (pak.from.is_none() || refused)
    };
    if !paks.iter().all(hopeless) {
        problems.extend(warnings);
        return Ok(ConvertReport { paks, problems });
    }
    let of_paks = paks.into_iter().flat_map(|pak| pak.problems);
    let mut errors: Vec<Error> = problems
        .into_iter()
        .chain(of_paks)
        .map(|problem| problem.error)
        .collect();
    if errors.is_empty() {
        let nothing = |path: &PathBuf| Error::from(ErrorKind::NoPakFound).in_pak(path);
        errors.extend(paths.iter().map(nothing));
    }
    errors.extend(warnings.into_iter().map(|warning| warning.error));
    Err(Refusal(errors))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::num::NonZeroU64;
    use std::sync::Arc;

    use super::*;
    use crate::fs::faults::{Call, Faulty};
    use crate::ops::context::{Cancel, Unobserved};
    use crate::ops::sweep::pak;

    /// Converts a pak of three entries, in one output or in two, while somebody makes the first of
    /// them just before an output gets its name.
    fn meddled(split: bool, existing: Existing) -> (tempfile::TempDir, ConvertReport) {
        let dir = tempfile::tempdir().unwrap();
        let (source, target) = (dir.path().join("in.pak"), dir.path().join("pak1.pak"));
        let entries: [(&str, &[u8], bool); 3] = [
            ("a", b"one", false),
            ("b", b"two", false),
            ("c", b"three", false),
        ];
        fs::write(&source, pak(Layout::Daikatana, &entries)).unwrap();
        let place = target.clone();
        let calls =
            Faulty::default().meddled(Call::Link, move || fs::write(place, "theirs").unwrap());
        let options = ConvertOptions {
            existing,
            rules: Rules {
                max_entries: NonZeroU64::new(2).filter(|_| split),
                ..Rules::default()
            },
            ..ConvertOptions::new(Destination::File(target), Layout::Quake)
        };
        let context = Context {
            jobs: None,
            open: crate::pak::ReadOptions::default(),
            observer: &Unobserved,
            cancel: &Cancel::new(),
        };
        let system = System::new(Arc::new(calls));
        let report = convert_on(&system, &context, &[source], &options).unwrap();
        (dir, report)
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
                let (dir, report) = meddled(split, existing);
                let [pak] = report.paks.as_slice() else {
                    panic!("{report:?}")
                };
                assert_eq!(pak.outcome, outcome, "{existing:?} {split}");
                let first = fs::read(dir.path().join("pak1.pak")).unwrap();
                assert_eq!(first == b"theirs", existing != Existing::Replace);
                assert_eq!(dir.path().join("pak2.pak").exists(), split);
                let files = fs::read_dir(dir.path()).unwrap().count();
                assert_eq!(files, if split { 3 } else { 2 }, "nothing else is left");
                let problems: Vec<String> =
                    pak.problems.iter().map(|it| it.error.to_string()).collect();
                match existing {
                    Existing::Refuse => assert!(
                        problems.len() == 1 && problems[0].contains("this exists already"),
                        "{problems:?}"
                    ),
                    Existing::Keep if split => assert!(
                        problems.len() == 1 && problems[0].contains("another pak"),
                        "{problems:?}"
                    ),
                    _ => assert!(problems.is_empty(), "{problems:?}"),
                }
            }
        }
    }
}
