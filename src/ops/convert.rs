//! Converts archives: writes each one in another format.
//!
//! All outputs are planned before the first is written. Then several archives, and several entries of each, are
//! converted at the same time on the same threads. If no limit can split an output, an archive is opened when its
//! turn comes, so a batch uses only the memory that its threads need. If a limit can split outputs, all archives
//! are opened first, to count their outputs.
//!
//! A merge writes all files that an engine serves from a game's folders into one archive, or several if a limit
//! requires it. Entries are in the order in which their paks load, and within a pak in the order of its directory.
//! So the same game gives the same bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::Archive;
use crate::archive::error::ErrorKind;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding, Help, one_output};
use crate::ops::game::View;
use crate::ops::other_palette::PaletteMapper;
use crate::ops::pictures::PictureOptions;
use crate::ops::plan::layout::Layout;
use crate::ops::plan::part::Part;
use crate::ops::plan::policy::Guard;
use crate::ops::plan::targets::{self, NameWanted, Targets, named_for};
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{Fate, MANY, OutputRow, OutputStatus, WriteTotals};
use crate::ops::source::directory::{check_outside, needs_output, parent_of};
use crate::ops::source::{How, Input, Search, missing_names, recognize};
use crate::ops::write::job::{Job, report_one, write_one};
use crate::ops::write::{Destination, WriteOptions};

/// How archives are converted.
#[derive(Debug)]
pub struct ConvertOptions {
    /// How they are written.
    pub write: WriteOptions,
    /// Whether the paths come from a list. Then each keeps its folders, even if it is the only one.
    pub listed: bool,
    /// Where palettes are looked for if textures of a WAD get another one.
    pub pictures: PictureOptions,
}

impl From<WriteOptions> for ConvertOptions {
    fn from(write: WriteOptions) -> Self {
        Self { write, listed: false, pictures: PictureOptions::default() }
    }
}

/// Converts the archives that `paths` mean. Reports each as soon as it and those before it are done.
///
/// [An example](crate::ops#archives-converted) is in the documentation of the module.
///
/// # Errors
///
/// Nothing is written in these cases: a single output has not exactly one input, no input is an archive, two inputs
/// would be written to the same output, an output is an input by any name, something exists that may not be
/// replaced, an output must be split but cannot be, its format is not one that the engine reads, or outputs are
/// kept and only some parts of a split output exist. Nothing is written, either, if no entry has one of the names in
/// the selection; that is reported as an error.
pub fn convert(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    options: &ConvertOptions,
    out: &mut dyn Sink<Box<OutputRow>>,
) -> Result<WriteTotals, Refusal> {
    let ConvertOptions { write: options, listed, pictures } = options;
    options.rules.check(options.to)?;
    let found = inputs(context, paths, *listed, &options.destination)?;
    let missing = missing_names(context, &found, &options.selection);
    let warnings: Vec<Finding> = found.warnings();
    let (archives, mut findings) = (found.inputs, found.findings);
    let mapper = PaletteMapper::new(context, options.to, pictures, &mut findings)?;
    let opener = Opener { context, options, mapper: mapper.as_ref() };
    let opened = opener.open_first(&archives);
    let (guard, outputs) = plan(context, options, &archives, &opened)?;
    let mut totals = WriteTotals::default();
    if !missing.is_empty() {
        hand_on(out, missing.into_iter().chain(warnings));
        return Ok(totals);
    }
    let bytes = archives.iter().map(|input| input.len(&context.system));
    context.observer.archives(outputs.len() as u64, bytes.fold(0, u64::saturating_add));
    let convert = |output: &Output<'_>| {
        let mut row = output.convert(opener, &guard);
        row.is_one_of_many = outputs.len() > MANY;
        context.observer.archive_done(output.input.len(&context.system));
        row
    };
    // An archive whose output is kept was not read, and might have a match.
    let mut are_all_read = true;
    let flow = context.pool.in_order(&outputs, usize::MAX, convert, |row| {
        are_all_read &= row.from.is_some() || row.status == OutputStatus::Failed;
        totals.count(&row);
        out.row(Box::new(row))
    });
    findings.extend(guard.finish());
    if are_all_read && flow.is_continue() {
        findings.extend(options.selection.unmatched());
    }
    hand_on(out, findings.into_iter().chain(warnings));
    Ok(totals)
}

/// Finds the archives to convert.
fn inputs(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    listed: bool,
    destination: &Destination,
) -> Result<Search, Refusal> {
    let skip = match destination {
        Destination::Directory(directory) => Some(directory.as_path()),
        Destination::File(_) | Destination::Spool(_) => None,
    };
    let mut found = Search::new(context, paths, How { listed, skip, ..How::default() });
    found.refuse(context)?;
    check_directories(&found, destination)?;
    let count = found.inputs.len() + found.findings.len();
    if skip.is_none() && count > 1 && !found.inputs.is_empty() {
        return Err(one_output("archive", count).into());
    }
    Ok(found)
}

/// Refuses an output among the files of a directory that is an archive, and several outputs: a directory in which no
/// archive was found is only packed into the file that the user names.
fn check_directories(inputs: &Search, destination: &Destination) -> Result<(), Refusal> {
    for directory in inputs.directories() {
        match destination {
            Destination::Directory(_) => return Err(needs_output(directory).into()),
            Destination::File(file) => check_outside(directory, parent_of(file), file)?,
            Destination::Spool(_) => {}
        }
    }
    Ok(())
}

/// Opens archives as they are written.
#[derive(Clone, Copy)]
struct Opener<'a> {
    context: &'a Context<'a>,
    options: &'a WriteOptions,
    /// Gives textures the palette of the output. `None` if the output is no WAD.
    mapper: Option<&'a PaletteMapper>,
}

/// An archive as it is written.
struct Opened {
    archive: Arc<Archive>,
    /// The length of its file.
    file_len: u64,
    /// What was changed.
    remark: Option<Finding>,
}

impl Opener<'_> {
    fn open(self, input: &Input) -> Result<Opened, Finding> {
        let archive = input.open(self.context)?;
        let file_len = archive.file_len();
        let (archive, remark) = match self.mapper {
            Some(mapper) => mapper.map(self.context, self.options, archive)?,
            None => (archive, None),
        };
        Ok(Opened { archive, file_len, remark })
    }

    /// Opens all archives now if a limit may split an output. An archive that is `None` in the result is opened when its
    /// turn comes, and its failure is reported then.
    fn open_first(self, inputs: &[Input]) -> Vec<Option<Opened>> {
        let Self { context, options, .. } = self;
        let is_needed = options.rules.limit();
        let open = |input: &Input| {
            if !is_needed || context.cancel.is_set() || !is_archive(context, input) {
                return None;
            }
            self.open(input).ok()
        };
        context.pool.map(inputs, open)
    }
}

/// Whether an input begins like an archive. If not, it will not be converted, so its output cannot be a reason for
/// a refusal.
fn is_archive(context: &Context<'_>, input: &Input) -> bool {
    input.found
        || input.as_directory().is_some()
        || recognize::is_input_file(context, &input.path).unwrap_or(false)
}

/// An input, and where its outputs go.
struct Output<'a> {
    input: &'a Input,
    targets: Targets,
    /// The archive and its parts, if it was opened to count its outputs.
    laid_out: Option<(&'a Opened, Layout<'a>)>,
}

/// Decides where every output goes.
fn plan<'a>(
    context: &Context<'_>,
    options: &WriteOptions,
    inputs: &'a [Input],
    opened: &'a [Option<Opened>],
) -> Result<(Guard, Vec<Output<'a>>), Refusal> {
    let layouts = context.pool.map(opened, |opened| {
        let opened = opened.as_ref()?;
        Some((opened, Layout::of_archive(&opened.archive, options)))
    });
    let (mut outputs, mut wanted, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for (input, layout) in inputs.iter().zip(layouts) {
        let mut laid_out = None;
        let mut count = usize::from(is_archive(context, input));
        match layout {
            Some((opened, Ok(layout))) => {
                if is_skipped(options, &opened.archive, &layout) {
                    count = 0;
                } else if count > 0 {
                    count = layout.count(options);
                }
                laid_out = Some((opened, layout));
            }
            Some((opened, Err(error))) => {
                refused.push(finding::in_archive(&opened.archive, error));
            }
            None => {}
        }
        let relative = named_for(&input.relative, options.to, options.rules.engines);
        wanted.push(NameWanted { input: &input.path, relative, outputs: count });
        outputs.push(Output { input, targets: Targets::default(), laid_out });
    }
    Refusal::if_any(refused)?;
    let (system, to) = (&context.system, &options.destination);
    targets::check_format(to, options.to.into())?;
    let sources: Vec<PathBuf> = inputs.iter().flat_map(Input::files).collect();
    let guard = Guard::new(system, to, options.existing, &sources)?;
    let all = targets::place(&guard, wanted, options.rules.engines)?;
    for (output, targets) in outputs.iter_mut().zip(all) {
        output.targets = targets;
    }
    Ok((guard, outputs))
}

/// Whether an archive that is one of several has no selected entry.
fn is_skipped(options: &WriteOptions, archive: &Archive, layout: &Layout<'_>) -> bool {
    let is_one_of_several = matches!(options.destination, Destination::Directory(_));
    is_one_of_several && layout.len() == 0 && !archive.is_empty()
}

impl Output<'_> {
    /// Converts the archive, or reports why not.
    fn convert(&self, opener: Opener<'_>, guard: &Guard) -> OutputRow {
        let options = opener.options;
        let (path, shown) = (self.input.path.clone(), self.targets.shown.clone());
        let mut row = OutputRow::new(path, shown, options.to);
        if self.targets.are_kept() {
            row.status = OutputStatus::Planned(Fate::Keep);
            return row;
        }
        let failed = match &self.laid_out {
            Some((opened, layout)) => match finding::check_unchanged(&opened.archive) {
                Ok(()) => return self.write(opener, guard, (opened, layout), row),
                Err(error) => error,
            },
            None => match opener.open(self.input) {
                // It was no archive when outputs got their places.
                Ok(opened) if self.targets.files.is_empty() => {
                    finding::in_archive(&opened.archive, ErrorKind::Replaced)
                }
                Ok(opened) => match Layout::of_archive(&opened.archive, options) {
                    Ok(layout) => return self.write(opener, guard, (&opened, &layout), row),
                    Err(error) => finding::in_archive(&opened.archive, error),
                },
                Err(error) => error,
            },
        };
        if failed.is_stop() {
            row.status = OutputStatus::Stopped;
        }
        row.findings.push(failed);
        row
    }

    /// Writes the archive, unless nothing of it is selected.
    fn write(
        &self,
        opener: Opener<'_>,
        guard: &Guard,
        (opened, layout): (&Opened, &Layout<'_>),
        mut row: OutputRow,
    ) -> OutputRow {
        let Opener { context, options, .. } = opener;
        let archive = &opened.archive;
        row.from = Some(archive.format_word());
        row.bytes_in = opened.file_len;
        if !archive.is_empty() {
            row.findings = finding::archive_notes(archive);
        }
        row.findings.extend(opened.remark.clone());
        if is_skipped(options, archive, layout) {
            row.status = OutputStatus::Skipped;
            return row;
        }
        let job = Job {
            context,
            options,
            guard,
            targets: &self.targets,
            layout,
            merged_for: None,
            needs_files: false,
        };
        job.run(&self.input.path, row)
    }
}

/// Writes all files that `view` serves into one archive. Loose files are included if `view` lists them. `options`
/// say where and how. The destination must be a file or a spool.
///
/// # Errors
///
/// Nothing is written if the destination is a directory, if the output is one of the game's paks or files under any
/// of its names, or if it exists and may not be replaced.
pub fn merge(
    context: &Context<'_>,
    view: &View,
    options: &WriteOptions,
    out: &mut dyn Sink<Box<OutputRow>>,
) -> Result<WriteTotals, Refusal> {
    let Some(target) = options.destination.file() else {
        return Err(one_output("archive", view.folders.len()).into());
    };
    options.rules.check(options.to)?;
    let source = view.folders.first().cloned().unwrap_or_default();
    if view.game.loaded().next().is_none() && !view.is_plain {
        let why = "nothing is written, because none of the archives is loaded";
        return Err(Finding::error(why).at_path(source).into());
    }
    let winners = view.to_merge(&options.selection, options.lowercase);
    let findings = winners.findings;
    let served = winners.served.iter().copied();
    let parts = Part::all(served, options.to, options.lowercase);
    let archives: Vec<&Archive> = view.game.loaded().map(|it| &*it.archive).collect();
    let files = parts.iter().filter(|part| part.entry.is_file());
    let len = archives.iter().map(|archive| archive.file_len());
    let len = len.chain(files.map(Part::size)).sum();
    // What could not be read, or is cut short, has entries that the output would lack.
    let whole = !view.findings.iter().any(Finding::is_error);
    let layout = Layout::of(parts, whole, len, options)?;

    let mut row = OutputRow::new(source, target.into(), options.to);
    row.from = match view.engine() {
        Some(engine) => Some(engine.profile().layout().as_str()),
        None => common_format(&archives),
    };
    row.bytes_in = layout.size();
    if !whole && !options.keep_going {
        let why = "nothing is written, because archives could not be read, or not as a whole";
        row.findings.push(Finding::error(why).help(Help::KeepGoing));
    }
    let sources = view.sources(&winners.served);
    let row = write_one(context, options, &layout, &sources, None, view.engine(), row)?;
    Ok(report_one(row, findings, out))
}

/// The word for the format of all of these archives, if they have the same.
fn common_format(archives: &[&Archive]) -> Option<&'static str> {
    let mut words = archives.iter().map(|archive| archive.format_word());
    let first = words.next()?;
    words.all(|word| word == first).then_some(first)
}
