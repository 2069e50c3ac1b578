//! A pak out of files.
//!
//! Everything that speaks against it is found before the first byte is written: names that no
//! entry can have, two files of one name, an output that is one of the files or lies among them.
//! See `files` for which files are meant and what they are called.

mod files;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::assemble::{self, Crew, Loose, Sharing, shown};
use super::commit::{FileId, Over, Sync, System};
use super::context::{Context, Existing, Problem, Refusal};
use super::convert::targets::{self, Way, check_parent, meet};
use super::pool::Pool;
use crate::error::{Error, ErrorKind};
use crate::pak::Layout;
use crate::pak::layout::NUMBER_MAX;

pub use super::convert::Outcome;

/// What [`create`] is to do.
#[derive(Debug, Clone)]
pub struct CreateOptions {
    /// The pak to write.
    pub output: PathBuf,
    /// The layout to write.
    pub to: Layout,
    /// What is done if it exists.
    pub existing: Existing,
    /// Whether only to find out what would be done.
    pub dry_run: bool,
    /// Whether the pak is brought to the disk before it gets its name, and the name after it. One
    /// that replaces another always is.
    pub sync: bool,
}

/// What [`create`] has done.
#[derive(Debug)]
pub struct CreateReport {
    /// The pak.
    pub target: PathBuf,
    /// What became of it.
    pub outcome: Outcome,
    /// What it holds, or would hold, in order.
    pub entries: Vec<Created>,
    /// Bytes of all files.
    pub bytes_in: u64,
    /// The pak's length; none where it was not written, and is not known without writing.
    pub bytes_out: Option<u64>,
    /// What is to be told, file by file.
    pub problems: Vec<Problem>,
}

/// A file and the entry it becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// The file.
    pub path: PathBuf,
    /// The name in the pak.
    pub name: Vec<u8>,
    /// How many bytes it has.
    pub size: u64,
}

/// Makes a pak out of the files that `paths` mean.
///
/// # Errors
///
/// Nothing is written where a path cannot be looked at, a name cannot be an entry's, two files
/// have one name, or the output is, or lies among, the files, or exists and may not be replaced.
pub fn create(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &CreateOptions,
) -> Result<CreateReport, Refusal> {
    create_on(&System::real(), context, paths, options)
}

/// The same on any system.
pub(super) fn create_on(
    system: &System,
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &CreateOptions,
) -> Result<CreateReport, Refusal> {
    let (files, problems) = files::collect(system, paths)?;
    let mut report = CreateReport {
        target: options.output.clone(),
        outcome: Outcome::Failed,
        entries: Vec::new(),
        bytes_in: files.iter().map(|file| file.len).sum(),
        bytes_out: None,
        problems,
    };
    let (root, name) = system
        .root_of_file(&options.output, Sync::each(options.sync))
        .map_err(Error::from)?;
    let place = |error: Error| error.in_pak(&options.output);
    check_parent(&options.output)?;
    outside(paths, &options.output).map_err(place)?;
    let sources = sources(system, &files, options)?;
    let way = meet(&root, &name, &sources, options.existing).map_err(place)?;
    fits(&files, options)?;
    if files.is_empty() {
        let nothing = Error::from(ErrorKind::NothingToWrite);
        report.problems.push(Problem::warning(place(nothing)));
        return Ok(report);
    }
    let work = |report: &mut CreateReport| {
        let over = match way {
            Way::New => Over::Nothing,
            Way::Replaces => Over::Old,
            Way::Kept => return Ok(Outcome::Kept),
        };
        let sharing = Sharing::of(&files, options.to);
        if options.dry_run {
            if !assemble::needs_encoder(&files, options.to) {
                let plan = assemble::plan(&files, &sharing, options.to)?;
                report.bytes_out = Some(plan.file_len());
            }
            return Ok(Outcome::Planned);
        }
        let pool = Pool::new(context.jobs);
        let crew = Crew {
            pool: &pool,
            cancel: context.cancel,
            observer: context.observer,
        };
        let draft = root.draft(&name)?;
        let (len, tally) = assemble::write(crew, &files, sharing, options.to, false, &draft)?;
        let failed = tally.failed.into_iter();
        report
            .problems
            .extend(failed.map(|found| Problem::error(found.error)));
        let Some(len) = len else {
            return Ok(Outcome::Failed);
        };
        context.cancel.check()?;
        draft.commit(over)?;
        report.bytes_out = Some(len);
        Ok(Outcome::Written)
    };
    let name = shown(&options.output);
    context.observer.begin(&name);
    let worked: Result<Outcome, Error> = work(&mut report);
    context.observer.end(&name);
    match worked {
        Ok(outcome) => report.outcome = outcome,
        Err(error) => {
            if matches!(error.kind(), ErrorKind::Interrupted) {
                report.outcome = Outcome::Stopped;
            }
            report.problems.push(Problem::error(place(error)));
        }
    }
    let left = root.finish().into_iter();
    report
        .problems
        .extend(left.map(|error| Problem::error(error.into())));
    report.entries = files.into_iter().map(Created::from).collect();
    Ok(report)
}

impl From<Loose> for Created {
    fn from(file: Loose) -> Self {
        Self {
            path: file.path,
            name: file.name,
            size: file.len,
        }
    }
}

/// Whether the output lies outside of the directories that were named. Inside, the next run would
/// take it for one of the files.
fn outside(paths: &[PathBuf], output: &Path) -> Result<(), Error> {
    let parent = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Ok(parent) = std::fs::canonicalize(parent) else {
        // Told by whoever writes there.
        return Ok(());
    };
    for path in paths {
        if path.is_dir() && std::fs::canonicalize(path).is_ok_and(|dir| parent.starts_with(dir)) {
            let input = path.clone();
            return Err(ErrorKind::OutputInInput { input }.into());
        }
    }
    Ok(())
}

/// The files that must not be replaced; only asked for if there is something to replace.
fn sources(
    system: &System,
    files: &[Loose],
    options: &CreateOptions,
) -> Result<HashMap<FileId, PathBuf>, Error> {
    let found = std::fs::symlink_metadata(&options.output);
    if found.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return Ok(HashMap::new());
    }
    let paths = files.iter().map(|file| &file.path);
    targets::sources(system, paths, options.existing)
}

/// Whether the format can say all the numbers, as far as they are known.
fn fits(files: &Vec<Loose>, options: &CreateOptions) -> Result<(), Refusal> {
    let large = files.iter().filter(|file| file.len > NUMBER_MAX);
    let errors: Vec<Error> = large
        .map(|file| {
            let (value, limit) = (file.len, NUMBER_MAX);
            let what = "the entry's size";
            Error::from(ErrorKind::OverLimit { what, value, limit }).in_pak(&file.path)
        })
        .collect();
    if !errors.is_empty() {
        return Err(Refusal(errors));
    }
    if !files.is_empty() && !assemble::needs_encoder(files, options.to) {
        assemble::plan(files, &Sharing::of(files, options.to), options.to)?;
    }
    Ok(())
}
