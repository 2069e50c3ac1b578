//! The files of paks, written into directories.
//!
//! Three steps, each over all paks before the next one begins:
//!
//! 1. **Plan**: every pak is opened, every entry gets its path (`names`), everything that stands
//!    where a file would go is found, and paks that would get into each other's way are.
//! 2. **Refuse**: with a list, if something of that needs the user's word. Nothing has been
//!    written, and a dry run goes on to the report from here.
//! 3. **Write**: in parallel, each file on its own. What fails costs that file.
//!
//! Where a pak's files go:
//!
//! | paths                                 | `directory` given    | not given      |
//! |---------------------------------------|----------------------|----------------|
//! | one file, not `recursive`             | into it              | `STEM/`        |
//! | anything else                         | `directory/REL/STEM/` | `REL/STEM/`   |
//!
//! What an engine serves from a game's directories goes into one directory, whichever pak it comes
//! from, or whether it is a loose file: see [`extract_served`].
//!
//! `STEM` is the pak's name without its extension; of several that would have one directory all but
//! one keep their extensions (`destination`). `REL` the way to it from the directory that was
//! searched. A directory that was given may be a link, or lie behind one; below it, and below the
//! current one where none was given, no link is followed.

mod destination;
mod meet;
mod names;
mod plan;
mod rows;
mod write;

use std::path::{Path, PathBuf};

use super::context::{Context, Existing, Problem, Refusal};
use super::expansion::EXPANSION_DEFAULT;
use super::game::{LoadedPak, LooseFile, Served, View};
use super::inputs::{self, Input, Inputs, find};
use super::pool::Pool;
use super::select::Selection;
use crate::error::{Error, ErrorKind};
use crate::fs::{Sync, System};
use crate::pak::RawName;
use destination::Destination;
use rows::Rows;

pub use names::Aside;

/// What is to be extracted, and how.
#[derive(Debug)]
pub struct ExtractOptions {
    /// Whether directories are searched for paks.
    pub recursive: bool,
    /// Where everything goes.
    pub directory: Option<PathBuf>,
    /// Which entries are meant.
    pub selection: Selection,
    /// What is done about files that exist.
    pub existing: Existing,
    /// Nothing is written, and the report says what would be.
    pub dry_run: bool,
    /// ASCII letters of the files' paths become lower case.
    pub lowercase: bool,
    /// Entries whose names no file may have go into `_rescued/`, under other names.
    pub rescue: bool,
    /// How many times a pak's length its files may take. Only payloads that lie over each other
    /// can take more than [`EXPANSION_DEFAULT`]. Such a pak is not extracted.
    pub max_expansion: u64,
    /// Whether all files are brought to the disk at the end, before this returns. Those that
    /// replace others always are, each by itself.
    pub sync: bool,
}

/// What files come from, and where they go.
struct Task<'a> {
    from: Origin<'a>,
    to: Destination,
    /// Its rows that are put aside because of the files of another task.
    aside: Vec<(usize, Aside)>,
}

/// What files come from.
enum Origin<'a> {
    /// A pak, and of it the entries that the options pick.
    Pak(PathBuf),
    /// A pak that was looked at before, and entries of it, in the directory's order.
    Served(&'a LoadedPak, Vec<u32>),
    /// A game's directory, and files of it.
    Loose(PathBuf, Vec<LooseFile>),
}

impl Task<'_> {
    fn of_input((input, to): (&Input, Destination)) -> Self {
        Self {
            from: Origin::Pak(input.path.clone()),
            to,
            aside: Vec::new(),
        }
    }
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self {
            recursive: false,
            directory: None,
            selection: Selection::all(),
            existing: Existing::default(),
            dry_run: false,
            lowercase: false,
            rescue: false,
            max_expansion: EXPANSION_DEFAULT,
            sync: false,
        }
    }
}

/// What was done, or in a dry run: what would be.
#[derive(Debug, Default)]
pub struct ExtractReport {
    /// Every pak that could be opened, in the order of the inputs; where loose files are extracted,
    /// too, each directory that has some, in the order in which they load.
    pub paks: Vec<ExtractedPak>,
    /// What is not about one of these paks.
    pub problems: Vec<Problem>,
}

/// What became of one pak. Its rows are made when they are asked for: a pak can have millions.
#[derive(Debug)]
pub struct ExtractedPak {
    /// The pak, or the directory.
    pub path: PathBuf,
    /// Whether it is a directory, and its files are loose ones.
    pub is_loose: bool,
    /// Where its files go.
    pub destination: PathBuf,
    rows: Rows,
    /// What was found that cannot be found again, in the order of the rows.
    problems: Vec<(Option<usize>, Problem)>,
}

/// What became of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractedFile<'a> {
    /// Its number, counted from 0; none for a loose file.
    pub index: Option<usize>,
    /// Its name.
    pub name: RawName<'a>,
    /// Its file, from the pak's destination; none where no file may have the name.
    pub path: Option<PathBuf>,
    /// Why the file does not have the path that the name says.
    pub aside: Option<Aside>,
    /// Its size, decompressed.
    pub size: u64,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It was written where nothing was.
    Written,
    /// It was written, and something gave way to it.
    Replaced,
    /// What was there was kept.
    Kept,
    /// It was skipped, because no file may have its name.
    Skipped,
    /// It is damaged, or could not be written. There is no file.
    Failed,
    /// The work was stopped before it.
    NotReached,
}

impl Outcome {
    /// Whether there is a new file: or in a dry run, would be.
    const fn is_file(self) -> bool {
        matches!(self, Self::Written | Self::Replaced)
    }
}

impl ExtractedPak {
    /// The entries that are meant, in the directory's order.
    pub fn files(&self) -> impl Iterator<Item = ExtractedFile<'_>> {
        (0..self.rows.len()).filter_map(|row| self.rows.file(row))
    }

    /// How many files came to this end, and how many bytes these have.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> (usize, u64) {
        let rows = (0..self.rows.len()).filter(|row| self.rows.outcome(*row) == outcome);
        rows.fold((0, 0), |(n, bytes), row| {
            (n + 1, bytes + self.rows.size(row))
        })
    }

    /// What went wrong, or was odd: of the pak as a whole, then by entry. Where very many streams
    /// have something, what they have is not kept but found again here, in the pak, which should
    /// be what it was.
    pub fn problems(&self) -> impl Iterator<Item = Told<'_>> {
        let mut kept = self.problems.iter().peekable();
        let rows = core::iter::once(None).chain((0..self.rows.len()).map(Some));
        rows.flat_map(move |row| {
            let made = row.map(|row| self.rows.problems(row, &self.path));
            let mut told: Vec<Told<'_>> = made.into_iter().flatten().map(Told::Made).collect();
            while let Some((_, problem)) = kept.next_if(|(of, _)| *of == row) {
                told.push(Told::Kept(problem));
            }
            told
        })
    }

    /// The problems alone, in any order.
    #[cfg(test)]
    pub(in crate::ops) fn into_problems(self) -> Vec<Problem> {
        let rows = 0..self.rows.len();
        let made = rows.flat_map(|row| self.rows.problems(row, &self.path));
        let made: Vec<Problem> = made.collect();
        let kept = self.problems.into_iter().map(|(_, problem)| problem);
        kept.chain(made).collect()
    }
}

/// A [`Problem`] of a report.
#[derive(Debug)]
pub enum Told<'a> {
    /// One that the report keeps.
    Kept(&'a Problem),
    /// One that was made when it was asked for.
    Made(Problem),
}

impl core::ops::Deref for Told<'_> {
    type Target = Problem;

    fn deref(&self) -> &Problem {
        match self {
            Self::Kept(problem) => problem,
            Self::Made(problem) => problem,
        }
    }
}

/// Takes names of entries away from the end of arguments: where the first is a file, and none of the
/// others is an archive, the others are names of entries in it. With `recursive` a directory is a
/// path, too, which is searched.
///
/// [`Selection::with_names`] makes of them what is to be extracted.
#[must_use]
pub fn split_names(arguments: &[PathBuf], recursive: bool) -> (&[PathBuf], &[PathBuf]) {
    let is_file = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|found| !found.is_dir());
    // A mod's own directory has files of the names that its pak has.
    let is_name = |path: &PathBuf| match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => !recursive,
        Ok(_) => matches!(inputs::is_pak(path), Ok(false)),
        Err(_) => std::fs::symlink_metadata(path).is_err(),
    };
    match arguments.split_first() {
        Some((pak, names)) if is_file(pak) && names.iter().all(is_name) => arguments.split_at(1),
        _ => (arguments, &[]),
    }
}

/// Extracts the entries that `options` select from all paks that `paths` mean. [An
/// example](crate::ops#a-pak-made-and-extracted).
///
/// # Errors
///
/// If a path leads nowhere, a name that was selected is that of no entry, something stands in the way
/// that `options` say nothing about, or nothing at all can be done. Then nothing was written.
pub fn extract(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &ExtractOptions,
) -> Result<ExtractReport, Refusal> {
    extract_on(&System::real(), context, paths, options)
}

/// Extracts what `view` serves from its paks, and with `loose` from its directories as well, all of
/// it into one directory, which is the current one where `options` give none. Of names that are one
/// to the engine, or with `lowercase` in lower case, one copy is taken, as for a merge.
///
/// # Errors
///
/// As [`extract`]; and if a pak is not any more what it was when the view was made.
pub fn extract_served(
    context: &Context<'_>,
    view: &View,
    loose: bool,
    options: &ExtractOptions,
) -> Result<ExtractReport, Refusal> {
    extract_served_on(&System::real(), context, view, loose, options)
}

/// The same on any system.
pub(super) fn extract_served_on(
    system: &System,
    context: &Context<'_>,
    view: &View,
    loose: bool,
    options: &ExtractOptions,
) -> Result<ExtractReport, Refusal> {
    let taken = view.taken(&options.selection, loose, options.lowercase, false);
    let doubt = taken.doubt(view.engine());
    let served = taken.served.iter().map(Served::path);
    let sources = view.all_paks().chain(served).map(Path::to_path_buf);
    let sources = sources.collect();
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for served in taken.served {
        match (served, tasks.last_mut().map(|task| &mut task.from)) {
            (Served::Entry(pak, entry), Some(Origin::Served(last, numbers)))
                if core::ptr::eq(pak, *last) =>
            {
                numbers.extend(u32::try_from(entry.index()));
            }
            (Served::Loose(file), Some(Origin::Loose(folder, files)))
                if file.folder() == folder =>
            {
                files.push(file);
            }
            (served, _) => tasks.push(Task {
                from: match served {
                    Served::Entry(pak, entry) => {
                        Origin::Served(pak, u32::try_from(entry.index()).into_iter().collect())
                    }
                    Served::Loose(file) => Origin::Loose(file.folder().to_path_buf(), vec![file]),
                },
                to: Destination::default(),
                aside: Vec::new(),
            }),
        }
    }
    destination::share(&mut tasks, options);
    let problems = taken.problems.into_iter().chain(doubt).collect();
    let job = Job {
        tasks,
        sources,
        problems,
        shared: true,
    };
    job.extract(system, context, options)
}

/// The same on any system.
pub(super) fn extract_on(
    system: &System,
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &ExtractOptions,
) -> Result<ExtractReport, Refusal> {
    inputs::check_missing(paths, true)?;
    let inputs = find(paths, options.recursive, options.directory.as_deref())?;
    let warnings: Vec<Problem> = inputs.warnings().collect();
    let Inputs { paks, problems, .. } = inputs;
    let flat = matches!(paths, [_]) && !options.recursive;
    let destinations = if flat && options.directory.is_some() {
        paks.iter().map(|_| Destination::default()).collect()
    } else {
        destination::of(&paks)
    };
    let tasks = paks.iter().zip(destinations);
    let job = Job {
        tasks: tasks.map(Task::of_input).collect(),
        sources: paks.iter().map(|input| input.path.clone()).collect(),
        problems,
        shared: false,
    };
    let mut report = job.extract(system, context, options)?;
    if report.paks.is_empty() {
        return Err(nothing(report.problems, warnings, paths));
    }
    report.problems.extend(warnings);
    let unmatched = options.selection.unmatched().map(Problem::error);
    report.problems.extend(unmatched);
    Ok(report)
}

/// All that is to be extracted.
struct Job<'a> {
    tasks: Vec<Task<'a>>,
    /// The files that are never replaced.
    sources: Vec<PathBuf>,
    /// What went wrong on the way here.
    problems: Vec<Problem>,
    /// Whether all goes into one directory.
    shared: bool,
}

impl Job<'_> {
    fn extract(
        self,
        system: &System,
        context: &Context<'_>,
        options: &ExtractOptions,
    ) -> Result<ExtractReport, Refusal> {
        let directory = options.directory.clone().unwrap_or_default();
        let root = system.root(directory, Sync::at_end(options.sync));
        let pool = Pool::new(context.jobs);

        let planner = plan::Planner::new(system, context, options, &root, &self.sources)?;
        let planned = pool.map(&self.tasks, || (), |(), task| planner.plan(task));
        context.cancel.check()?;

        let mut report = ExtractReport {
            problems: self.problems,
            ..ExtractReport::default()
        };
        let mut refused = Vec::new();
        let mut plans = Vec::new();
        for (task, plan) in self.tasks.iter().zip(planned) {
            // What was looked at before, and is not what it was, may be shadowed by another now.
            let looked_at = matches!(task.from, Origin::Served(..));
            match plan {
                Ok(mut plan) => {
                    refused.append(&mut plan.refused);
                    plans.push(plan);
                }
                Err(error) if looked_at && !is_expansion(&error) => refused.push(error),
                Err(error) => report.problems.push(Problem::error(error)),
            }
        }
        if let [plan] = plans.as_slice() {
            refused.extend(plan.unmatched_names(&options.selection));
        }
        refused.extend(meet::meetings(&root, &plans, self.shared));
        if !refused.is_empty() {
            return Err(Refusal(refused));
        }
        if !options.dry_run && !plans.is_empty() {
            let problems = write::write(&planner, &pool, &mut plans);
            report.problems.extend(problems);
            let left = root.finish().into_iter();
            let left = left.map(|error| Problem::error(error.into()));
            report.problems.extend(left);
        }
        report.paks = plans
            .into_iter()
            .map(|plan| plan.report(options.directory.as_deref()))
            .collect();
        Ok(report)
    }
}

fn is_expansion(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Expansion { .. })
}

/// Why there is nothing to do at all.
fn nothing(problems: Vec<Problem>, warnings: Vec<Problem>, paths: &[PathBuf]) -> Refusal {
    let mut errors: Vec<Error> = problems.into_iter().map(|problem| problem.error).collect();
    if errors.is_empty() {
        let searched = |path| Error::from(ErrorKind::NoPakFound).in_pak(path);
        errors.extend(paths.iter().map(searched));
    }
    errors.extend(warnings.into_iter().map(|warning| warning.error));
    Refusal(errors)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use crate::fs::faults::{Call, Faulty};
    use crate::fs::folding::Folding;
    use crate::ops::context::{Cancel, Unobserved};
    use crate::pak::{Header, Layout, Record};

    /// A pak of stored files.
    fn pak(files: &[(&str, &str)]) -> Vec<u8> {
        let (mut payloads, mut records) = (Vec::new(), Vec::new());
        for (name, content) in files {
            let record = Record {
                name: RawName::new(name.as_bytes()),
                offset: 12 + u32::try_from(payloads.len()).unwrap(),
                size: content.len().try_into().unwrap(),
                packed: None,
            };
            payloads.extend(content.bytes());
            record.write(Layout::Quake, &mut records);
        }
        let header = Header {
            magic: *b"PACK",
            directory_offset: 12 + u32::try_from(payloads.len()).unwrap(),
            directory_len: records.len().try_into().unwrap(),
        };
        [header.to_bytes().to_vec(), payloads, records].concat()
    }

    struct Case {
        dir: tempfile::TempDir,
        paths: [PathBuf; 1],
    }

    impl Case {
        fn new(files: &[(&str, &str)]) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("a.pak");
            fs::write(&path, pak(files)).unwrap();
            Self { dir, paths: [path] }
        }

        fn extract(
            &self,
            calls: Arc<dyn crate::fs::Calls>,
            existing: Existing,
        ) -> Result<ExtractReport, Refusal> {
            let out = self.dir.path().join("out");
            let options = ExtractOptions {
                directory: Some(out),
                existing,
                ..ExtractOptions::default()
            };
            let context = Context {
                jobs: None,
                open: crate::pak::ReadOptions::default(),
                observer: &Unobserved,
                cancel: &Cancel::new(),
            };
            extract_on(&System::new(calls), &context, &self.paths, &options)
        }

        fn files(&self) -> Vec<(String, String)> {
            let mut files = Vec::new();
            let mut open = vec![self.dir.path().join("out")];
            while let Some(folder) = open.pop() {
                for entry in fs::read_dir(folder).unwrap() {
                    let path = entry.unwrap().path();
                    if path.is_dir() {
                        open.push(path);
                    } else {
                        let content = fs::read_to_string(&path).unwrap();
                        let path = path.strip_prefix(self.dir.path().join("out")).unwrap();
                        files.push((path.to_str().unwrap().to_owned(), content));
                    }
                }
            }
            files.sort();
            files
        }
    }

    /// Somebody makes a file, and something else, just before the first file gets its name.
    fn appears(names: &[&str], existing: Existing) -> (Case, ExtractReport) {
        let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "ours")).collect();
        let case = Case::new(&files);
        let out = case.dir.path().join("out");
        let first = out.join(names.first().unwrap());
        let calls = Faulty::default().meddled(Call::Link, move || {
            fs::write(first, "theirs").unwrap();
            fs::write(out.join("another"), "theirs").unwrap();
        });
        let report = case.extract(Arc::new(calls), existing).unwrap();
        (case, report)
    }

    #[test]
    fn what_appears_between_plan_and_commit_is_kept_replaced_or_refused_by_name() {
        for (existing, content, outcome) in [
            (Existing::Keep, "theirs", Outcome::Kept),
            (Existing::Replace, "ours", Outcome::Replaced),
            (Existing::Refuse, "theirs", Outcome::Failed),
        ] {
            // One that needs not wait for others; and two that might fall together, so that what
            // appears could be taken for what was made.
            for names in [
                &["a.txt", "b.txt"][..],
                &["Case", "case"],
                &["\u{e9}", "b.txt"],
            ] {
                let (case, report) = appears(names, existing);
                let found = case.files();
                let held = |name: &str| {
                    let file = found.iter().find(|(path, _)| path == name);
                    file.map(|(_, content)| content.as_str())
                };
                assert_eq!(held(names[0]), Some(content), "{existing:?} {names:?}");
                assert_eq!(held(names[1]), Some("ours"), "{existing:?} {names:?}");
                assert_eq!(held("another"), Some("theirs"));
                assert_eq!(found.len(), 3, "{found:?}");
                let pak = &report.paks[0];
                let outcomes: Vec<Outcome> = pak.files().map(|file| file.outcome).collect();
                assert_eq!(
                    outcomes,
                    [outcome, Outcome::Written],
                    "{existing:?} {names:?}"
                );
                let problems: Vec<String> = pak.problems().map(|it| it.error.to_string()).collect();
                if existing == Existing::Refuse {
                    let refused = format!("out/{}: this exists already", names[0]);
                    assert!(
                        problems.len() == 1 && problems[0].ends_with(&refused),
                        "{problems:?}"
                    );
                } else {
                    assert!(problems.is_empty(), "{problems:?}");
                }
            }
        }
    }

    #[test]
    fn a_source_or_a_directory_that_appears_is_refused_by_name_even_if_all_is_replaced() {
        let case = Case::new(&[("a", "ours")]);
        let (source, out) = (case.paths[0].clone(), case.dir.path().join("out"));
        let target = out.join("a");
        let place = target.clone();
        let calls = Faulty::default().meddled(Call::Link, move || {
            fs::hard_link(source, place).unwrap();
        });
        let report = case.extract(Arc::new(calls), Existing::Replace).unwrap();
        let problems: Vec<String> = report.paks[0]
            .problems()
            .map(|it| it.error.to_string())
            .collect();
        assert!(
            problems.len() == 1 && problems[0].contains("this is an input"),
            "{problems:?}"
        );
        assert_eq!(
            fs::read(&target).unwrap(),
            fs::read(&case.paths[0]).unwrap()
        );

        fs::remove_file(&target).unwrap();
        let place = target.clone();
        let calls = Faulty::default().meddled(Call::Link, move || fs::create_dir(place).unwrap());
        let report = case.extract(Arc::new(calls), Existing::Replace).unwrap();
        let problems: Vec<String> = report.paks[0]
            .problems()
            .map(|it| it.error.to_string())
            .collect();
        assert!(
            problems.len() == 1 && problems[0].contains("a directory stands here"),
            "{problems:?}"
        );
        assert!(target.is_dir());
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing is left");
    }

    /// A link under another spelling is the same link there.
    #[test]
    fn where_case_is_folded_a_link_is_replaced_once_and_nothing_is_lost() {
        let case = Case::new(&[("Case", "upper"), ("case", "lower")]);
        let out = case.dir.path().join("out");
        fs::create_dir(&out).unwrap();
        fs::write(case.dir.path().join("victim"), "victim").unwrap();
        std::os::unix::fs::symlink("../victim", out.join("case")).unwrap();
        let report = case.extract(Arc::new(Folding), Existing::Replace).unwrap();
        assert_eq!(report.paks[0].count(Outcome::Replaced).0, 1);
        let expected = [("case", "upper"), ("case.dup-1", "lower")];
        let expected = expected.map(|(name, content)| (name.to_owned(), content.to_owned()));
        assert_eq!(case.files(), expected);
    }

    #[test]
    fn where_case_is_folded_the_first_gets_its_name_and_none_is_lost() {
        let case = Case::new(&[
            ("MAPS", "a file"),
            ("Maps/X", "first"),
            ("maps/x", "second"),
            ("plain", "plain"),
            ("\u{c9}", "upper"),
            ("\u{e9}", "lower"),
        ]);
        let expected = [
            ("maps.dup-0", "a file"),
            ("maps/x", "first"),
            ("maps/x.dup-2", "second"),
            ("plain", "plain"),
            ("\u{e9}", "upper"),
            ("\u{e9}.dup-5", "lower"),
        ]
        .map(|(name, content)| (name.to_owned(), content.to_owned()));
        // Then over what is there: each finds its own again.
        for (existing, outcome) in [
            (Existing::Refuse, Outcome::Written),
            (Existing::Replace, Outcome::Replaced),
            (Existing::Keep, Outcome::Kept),
        ] {
            let report = case.extract(Arc::new(Folding), existing).unwrap();
            let [pak] = report.paks.as_slice() else {
                panic!("{report:?}")
            };
            assert_eq!(case.files(), expected, "{existing:?}");
            assert!(pak.files().all(|f| f.outcome == outcome), "{pak:?}");
            let aside: Vec<usize> = pak
                .files()
                .filter(|file| file.aside == Some(Aside::Folded))
                .filter_map(|file| file.index)
                .collect();
            assert_eq!(aside, [0, 2, 5]);
            assert_eq!(pak.problems().count(), 3);
            assert!(pak.problems().all(|problem| !problem.is_error()));
        }
        assert!(case.extract(Arc::new(Folding), Existing::Refuse).is_err());
    }
}
