//! A pak out of files.
//!
//! Everything that speaks against it is found before the first byte is written: names that no
//! entry can have, two files of one name, an output that is one of the files or lies among them.
//! See `files` for which files are meant and what they are called.

mod files;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::assemble::{self, Crew, Loose, Sharing, shown};
use super::context::{Context, Existing, Problem, Refusal};
use super::convert::targets::{self, Meeting, check_format, check_parent};
use super::pool::Pool;
use super::split::{self, HardToFind, Job, Lowered, Output, Part, Rules, hard_to_find, unloadable};
use crate::error::{ENTRY_SIZE, Error, ErrorKind};
use crate::fs::{FileId, Sync, System};
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
    /// What the pak has to keep to. One that would not is split.
    pub rules: Rules,
    /// Whether names become what every engine finds: ASCII letters in lower case.
    pub lowercase: bool,
    /// What is done if it exists.
    pub existing: Existing,
    /// Whether only to find out what would be done.
    pub dry_run: bool,
    /// Whether the pak is brought to the disk before it gets its name, and the name after it. One
    /// that replaces another always is.
    pub sync: bool,
}

impl CreateOptions {
    /// What a creation is unless more is said: no limits but the format's, names as they are,
    /// nothing replaced.
    #[must_use]
    pub fn new(output: impl Into<PathBuf>, to: Layout) -> Self {
        Self {
            output: output.into(),
            to,
            rules: Rules::default(),
            lowercase: false,
            existing: Existing::default(),
            dry_run: false,
            sync: false,
        }
    }
}

/// What [`create`] has done.
#[derive(Debug)]
pub struct CreateReport {
    /// The pak; where it is split, the first one.
    pub target: PathBuf,
    /// What became of it.
    pub outcome: Outcome,
    /// What it holds, or would hold, in order.
    pub entries: Vec<Created>,
    /// Bytes of all files.
    pub bytes_in: u64,
    /// The paks that are written, or would be: one, or where it is split several, in their order.
    pub parts: Vec<Part>,
    /// The pak's length, or that of all parts; none where it was not written, and is not known without writing.
    pub bytes_out: Option<u64>,
    /// Names that the engine which is to load it never finds, or only as they are spelled. Problems
    /// sum them up.
    pub hard_to_find: Vec<HardToFind>,
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

/// Makes a pak out of the files that `paths` mean. [An example](crate::ops#a-pak-made-and-extracted).
///
/// # Errors
///
/// Nothing is written where a path cannot be looked at, a name cannot be an entry's, two files
/// have one name, or the output is, or lies among, the files, or exists and may not be replaced;
/// nor where it must be split and cannot be, or its layout is not that of the engine.
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
    options.rules.check(options.to)?;
    let (mut files, problems) = files::collect(system, paths, options.to)?;
    let mut report = CreateReport {
        target: options.output.clone(),
        outcome: Outcome::Failed,
        entries: Vec::new(),
        bytes_in: files.iter().map(|file| file.len).sum(),
        parts: Vec::new(),
        bytes_out: None,
        hard_to_find: Vec::new(),
        problems,
    };
    let (root, name) = system
        .root_of_file(&options.output, Sync::each(options.sync))
        .map_err(Error::from)?;
    let place = |error: Error| error.in_pak(&options.output);
    check_parent(&options.output)?;
    outside(paths, &options.output).map_err(place)?;
    report.problems.extend(lower(&mut files, options));
    fits(&files, options)?;
    let sharing = Sharing::of(&files, options.to);
    let lists = split::split(&files, &sharing, options.to, &options.rules)?;
    let count = lists.as_ref().map_or(1, Vec::len);
    let meeting = Meeting {
        root: &root,
        rules: &options.rules,
        sources: &sources(system, &files, options, count)?,
        existing: options.existing,
    };
    let outputs = planned(&meeting, (&name, options), count)?;
    if files.is_empty() {
        let nothing = Error::from(ErrorKind::NothingToWrite);
        report.problems.push(Problem::error(place(nothing)));
        return Ok(report);
    }
    let Some(outputs) = outputs else {
        report.outcome = Outcome::Kept;
        report.entries = files.into_iter().map(Created::from).collect();
        return Ok(report);
    };
    let stale = meeting.stale((&name, &options.output), &outputs, |_| false);
    remark(&mut report, &files, &outputs, options);
    let name = shown(&options.output);
    context.observer.begin(&name);
    let worked = work(
        context,
        meeting,
        &files,
        (&outputs, lists),
        sharing,
        options,
    );
    context.observer.end(&name);
    match worked {
        Ok((outcome, parts, problems)) => {
            report.outcome = outcome;
            report.bytes_out = parts.iter().map(|part| part.bytes).sum();
            if !parts.is_empty() {
                report.problems.extend(stale.behind(parts.len()));
            }
            report.parts = parts;
            report.problems.extend(problems);
        }
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

/// Where the pak or its parts go, if nothing speaks against it.
fn planned(
    meeting: &Meeting<'_>,
    (name, options): (&Path, &CreateOptions),
    count: usize,
) -> Result<Option<Vec<Output>>, Refusal> {
    let outputs = meeting.outputs((name, &options.output), count, &mut |_| Ok(()));
    let is_input = |error: &Error| matches!(error.kind(), ErrorKind::OutputIsInput { .. });
    if !matches!(&outputs, Err(errors) if errors.iter().any(is_input)) {
        // A file of any name may be among the files: then that is what is wrong.
        check_format(&options.output, options.to)?;
    }
    outputs.map_err(|errors| Refusal(errors.into_iter().map(pak_exists).collect()))
}

/// Writes the pak or its parts, or finds out what would be written.
fn work(
    context: &Context<'_>,
    meeting: Meeting<'_>,
    files: &Vec<Loose>,
    (outputs, lists): (&[Output], Option<Vec<Vec<u32>>>),
    sharing: Sharing,
    options: &CreateOptions,
) -> Result<(Outcome, Vec<Part>, Vec<Problem>), Error> {
    let pool = Pool::new(context.jobs);
    let job = Job {
        crew: Crew {
            pool: &pool,
            cancel: context.cancel,
            observer: context.observer,
        },
        meeting,
        outputs,
        parts: files,
        to: options.to,
        keep_going: false,
    };
    let mut problems = Vec::new();
    let (outcome, parts) = if options.dry_run {
        let (parts, _) = job.plan(&sharing, lists.as_deref())?;
        (Outcome::Planned, parts)
    } else {
        let made = job.write(sharing, lists)?;
        let failed = made.tally.failed.into_iter();
        problems.extend(failed.map(|found| Problem::error(found.error)));
        match made.outputs {
            parts if parts.is_empty() && made.kept > 0 => (Outcome::Kept, parts),
            parts if parts.is_empty() => (Outcome::Failed, parts),
            parts => (Outcome::Written, parts),
        }
    };
    if !options.rules.limit()
        && let [part] = &parts[..]
    {
        let warning = unloadable(part, options.to);
        problems.extend(warning.map(|it| Problem::warning(it.in_pak(&options.output))));
    }
    Ok((outcome, parts, problems))
}

/// Gives the files the names that every engine finds, if that is asked for, and warns of those that
/// are one then.
fn lower(files: &mut Vec<Loose>, options: &CreateOptions) -> Vec<Problem> {
    if !options.lowercase {
        return Vec::new();
    }
    let lowered = Lowered::of(&*files, true);
    let warnings = lowered.alike(options.rules.engine, options.to);
    let names = lowered.into_names();
    for (file, name) in files.iter_mut().zip(names) {
        if let Some(name) = name {
            file.name = name.into_vec();
        }
    }
    warnings
}

/// Warns of what the engine will not find or load.
fn remark(
    report: &mut CreateReport,
    files: &Vec<Loose>,
    outputs: &[Output],
    options: &CreateOptions,
) {
    let (hard_to_find, warnings) = hard_to_find(options.rules.engine, files);
    report.hard_to_find = hard_to_find;
    let place = |it: Problem| Problem::warning(it.error.in_pak(&options.output));
    report.problems.extend(warnings.into_iter().map(place));
    if let [output] = outputs {
        report
            .problems
            .extend(output.not_loaded(options.rules.engine));
    }
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

/// The help for a pak that exists is another one here, where nothing is left to do if it is kept.
fn pak_exists(error: Error) -> Error {
    let Some(pak) = error.pak().map(Path::to_path_buf) else {
        return error;
    };
    match error.kind() {
        ErrorKind::Exists => Error::from(ErrorKind::PakExists).in_pak(pak),
        ErrorKind::InTheWayOfPart { .. } => match error.into_kind() {
            ErrorKind::InTheWayOfPart { part, parts, why } => {
                let why = match why.kind() {
                    ErrorKind::Exists => Box::new(ErrorKind::PakExists.into()),
                    _ => why,
                };
                Error::from(ErrorKind::InTheWayOfPart { part, parts, why }).in_pak(pak)
            }
            kind => Error::from(kind).in_pak(pak),
        },
        _ => error,
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
    outputs: usize,
) -> Result<HashMap<FileId, PathBuf>, Error> {
    let found = std::fs::symlink_metadata(&options.output);
    let nothing = found.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    if outputs == 1 && nothing {
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
            let what = ENTRY_SIZE;
            Error::from(ErrorKind::OverLimit { what, value, limit }).in_pak(&file.path)
        })
        .collect();
    if !errors.is_empty() {
        return Err(Refusal(errors));
    }
    let split = options.rules.limit();
    if !split && !files.is_empty() && !assemble::needs_encoder(files, options.to) {
        assemble::plan(files, &Sharing::of(files, options.to), options.to)?;
    }
    Ok(())
}
