//! An archive out of files.
//!
//! Everything that speaks against it is found before the first byte is written: names that no
//! entry can have, two files of one name, an output that is one of the files or lies among them.
//! See `gather_files` for which files are meant and what they are called.

use std::path::{Path, PathBuf};

use super::context::{Context, Problem, Refusal};
use super::gather_files::gather;
use super::plan::layout::Plan;
use super::plan::part::Part;
use super::plan::targets::{OutputRoot, Targets, check_format};
use super::row::{Created, Delivery, OutputRow, Row, Summary};
use super::write::WriteOptions;
use super::write::job::Job;
use crate::archive::{Entry, Format};
use crate::error::{ENTRY_SIZE, Error, ErrorKind};

use crate::fs::archive_of;

/// Makes an archive out of the files that `paths` mean. [An
/// example](crate::ops#an-archive-made-and-extracted). The destination must be a file, or a spool.
///
/// # Errors
///
/// Nothing is written where a path cannot be looked at, a name cannot be an entry's, two files
/// have one name, or the output is, or lies among, the files, or exists and may not be replaced;
/// nor where it must be split and cannot be, or its format is not that of the engine.
pub fn create(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &WriteOptions,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let Some(output) = options.destination.file() else {
        let found = paths.len();
        return Err(Error::from(ErrorKind::OneOutput { found }).into());
    };
    options.rules.check(options.to)?;
    let (files, mut problems) = gather(paths, options, None)?;
    problems.extend(options.selection.unmatched().map(Problem::error));
    let root = context.system.root_of_file(output);
    let (root, name) = root.map_err(Error::from)?;
    if !options.destination.is_spool() {
        outside(paths, output).map_err(|error| error.in_pak(output))?;
    }
    let folder = match paths {
        [only] => only.as_path(),
        _ => Path::new(""),
    };
    let archive = archive_of(&context.system, folder, files);
    fits(archive.entries(), options.to)?;
    let parts = Part::all(&archive, options.to, options.lowercase);
    let plan = Plan::of(&parts, true, archive.file_len(), options)?;
    plan.check_size(options)?;
    let sources = archive.entries().filter_map(|it| it.path());
    let root = OutputRoot::new(root, options.existing, &context.system, sources)?;
    let root = root.or_spool(&options.destination);
    let targets = targets(&root, &name, output, plan.count(), options)?;

    let mut report = OutputRow::new(folder.to_path_buf(), output.into(), options.to);
    report.entries = parts.len() as u64;
    report.bytes_in = archive.file_len();
    report.problems = problems;
    let job = Job {
        context,
        options,
        root: &root,
        archives: &[],
        merged_for: None,
    };
    let mut report = job.run(output, plan, &targets, report);
    let created = |part: &Part<'_>| Created {
        path: part.entry.path().map_or_else(PathBuf::new, PathBuf::from),
        name: part.name().as_bytes().to_vec(),
        size: part.size(),
    };
    report.files = parts.iter().map(created).collect();
    report.problems.extend(root.finish());
    let mut out = Delivery::new(rows);
    out.row(Row::Output(Box::new(report)));
    Ok(out.summary)
}

/// Where the archive or its parts go, if nothing speaks against it.
fn targets(
    root: &OutputRoot,
    name: &Path,
    output: &Path,
    count: usize,
    options: &WriteOptions,
) -> Result<Targets, Refusal> {
    let targets = root.targets((name, output), count, &options.rules);
    let is_input = |error: &Error| matches!(error.kind(), ErrorKind::OutputIsInput { .. });
    if !matches!(&targets, Err(errors) if errors.iter().any(is_input)) {
        // A file of any name may be among the files: then that is what is wrong.
        check_format(output, options.to)?;
    }
    targets.map_err(Refusal)
}

/// Whether the output lies outside of the directories that were named. Inside, the next run would
/// take it for one of the files.
fn outside(paths: &[PathBuf], output: &Path) -> Result<(), Error> {
    let parent = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Ok(parent) = std::fs::canonicalize(parent) else {
        // Reported by whoever writes there.
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

/// Whether the format can say how large each file is.
fn fits<'a>(files: impl Iterator<Item = Entry<'a>>, to: Format) -> Result<(), Refusal> {
    let large = files.filter(|file| file.size() > to.number_max());
    let errors: Vec<Error> = large
        .map(|file| {
            let (value, limit) = (file.size(), to.number_max());
            let what = ENTRY_SIZE;
            file.locate(ErrorKind::OverLimit { what, value, limit }.into())
        })
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Refusal(errors))
    }
}
