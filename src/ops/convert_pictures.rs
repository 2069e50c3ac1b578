//! Converts loose pictures: writes each one as a file of another type.
//!
//! All outputs are planned first, and all pictures are encoded into a temporary file before the first one is
//! written. So a picture that is refused leaves nothing behind.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::error::ErrorKind;
use crate::archive::{Entry, Format, LooseFile, RawName, SafePath};
use crate::engine::Engines;
use crate::fs::is_standard_input;
use crate::media::{FileType, Kind};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::finding::{Finding, Help, internal, one_output};
use crate::ops::gather_files::{GatheredFiles, Gathering, gather};
use crate::ops::pictures::{MakePictures, PictureOptions, PicturePlace};
use crate::ops::plan::policy::Guard;
use crate::ops::plan::targets::{self, NameWanted, Targets};
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{Fate, MANY, OutputFile, OutputRow, OutputStatus, WriteTotals, WrittenType};
use crate::ops::source::{Selection, nested, recognize};
use crate::ops::stream::{Failure, PIECE, write_content};
use crate::ops::write::Destination;

/// Options of [`convert_pictures`].
#[derive(Debug)]
pub struct PictureConversion {
    /// Where the output goes.
    pub destination: Destination,
    /// The type to write.
    pub to: FileType,
    /// Whether a WAL gets the version of `to`. Otherwise it gets that of the picture that it is made of, if that has one.
    pub fixed_version: bool,
    /// Which of the pictures are converted.
    pub selection: Selection,
    /// Whether the paths come from a list. Then each keeps its folders.
    pub listed: bool,
    /// Whether pictures that cannot be converted are left out. If not, nothing is written.
    pub keep_going: bool,
    /// What is done about outputs that exist.
    pub existing: Existing,
    /// Where palettes are looked for.
    pub pictures: PictureOptions,
    /// Whether to write nothing, and only report what would be written.
    pub dry_run: bool,
}

/// Converts the pictures that `paths` name or that are below them, and reports each in their order.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let output = dir.path().join("stone.png");
/// use daisho::media::FileType;
/// use daisho::ops::write::Destination;
/// use daisho::ops::{Context, PictureConversion, Reported, convert_pictures};
///
/// let options = PictureConversion::new(Destination::File(output.clone()), FileType::Png);
/// let picture = "corpus/pictures/daikatana.wal";
/// convert_pictures(&Context::new(), &[picture.into()], &options, &mut Reported::default())?;
/// assert!(std::fs::read(output)?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Nothing is written in these cases: a path is not that of a picture or of a directory with pictures, a picture
/// cannot be converted and `keep_going` is off, a single output has not exactly one picture, or an output has the
/// name of another output, of a picture, or of a file that may not be replaced.
pub fn convert_pictures(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &PictureConversion,
    out: &mut dyn Sink<Box<OutputRow>>,
) -> Result<WriteTotals, Refusal> {
    let GatheredFiles { files, made, unmade, mut findings } = gather_all(paths, options)?;
    if options.destination.file().is_some() && files.len() > 1 {
        let error = one_output("picture", files.len());
        return Err(error.help(Help::PicturesIntoDirectory).into());
    }
    let (guard, targets) = place(context, options, &files)?;
    let wanted: Vec<LooseFile> = files
        .iter()
        .zip(&targets)
        .filter(|(_, targets)| !targets.are_kept())
        .map(|(file, targets)| LooseFile {
            name: name_inside(&options.destination, &targets.shown, &file.name),
            ..file.clone()
        })
        .collect();
    let make = MakePictures {
        place: Some(options.place()),
        made: &made,
        unmade,
        options: &options.pictures,
        keep_going: options.keep_going,
        old: None,
    };
    let encoded = make.archive(context, Path::new(""), wanted, &mut findings)?;
    let mut made: HashMap<&Path, Entry<'_>> = HashMap::new();
    for entry in encoded.entries() {
        made.extend(entry.path().map(|path| (path, entry)));
    }
    let mut about: BTreeMap<_, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        about.entry(finding.place.path.clone()).or_default().push(finding);
    }
    let mut rows = Vec::new();
    for (file, targets) in files.iter().zip(targets) {
        let to = WrittenType::Picture(options.to);
        let mut row = OutputRow::new(file.path.clone(), targets.shown.clone(), to);
        row.bytes_in = file.size;
        row.is_one_of_many = files.len() > MANY;
        let path = Some(Arc::from(file.path.as_path()));
        row.findings = about.remove(&path).unwrap_or_default();
        rows.push((row, targets));
    }
    context.found(encoded.len() as u64, encoded.file_len());
    let mut totals = WriteTotals::default();
    let work = |(mut row, targets): (OutputRow, Targets)| {
        if targets.are_kept() {
            row.status = OutputStatus::Planned(Fate::Keep);
        } else if let Some(entry) = made.get(&*row.source) {
            if let Err(error) = write(context, options, &guard, entry, &targets, &mut row) {
                if error.is_stop() {
                    row.status = OutputStatus::Stopped;
                }
                row.findings.push(error.at_path(&targets.shown));
            }
            context.done(1, 0);
        }
        row
    };
    let _ = context.pool.in_order(rows, usize::MAX, work, |row| {
        totals.count(&row);
        out.row(Box::new(row))
    });
    hand_on(out, about.into_values().flatten());
    hand_on(out, guard.finish());
    hand_on(out, options.selection.unmatched());
    Ok(totals)
}

impl PictureConversion {
    /// The defaults: every picture, and nothing is replaced.
    #[must_use]
    pub fn new(destination: Destination, to: FileType) -> Self {
        Self {
            destination,
            to,
            fixed_version: false,
            selection: Selection::all(),
            listed: false,
            keep_going: false,
            existing: Existing::default(),
            pictures: PictureOptions::default(),
            dry_run: false,
        }
    }

    const fn place(&self) -> PicturePlace {
        PicturePlace::Loose { to: self.to, is_fixed: self.fixed_version }
    }
}

/// Gathers the pictures that were named, or found in directories. Their names are the paths of the outputs below a
/// directory.
fn gather_all(paths: &[PathBuf], options: &PictureConversion) -> Result<GatheredFiles, Refusal> {
    let (mut all, mut refused) = (GatheredFiles::default(), Vec::new());
    for path in paths {
        match gather_below(path, options) {
            Ok(gathered) => {
                all.files.extend(gathered.files);
                all.made.extend(gathered.made);
                all.unmade.extend(gathered.unmade);
                all.findings.extend(gathered.findings);
            }
            Err(Refusal(errors)) => refused.extend(errors),
        }
    }
    Refusal::if_any(refused)?;
    if all.files.is_empty() {
        if options.selection.has_missed() {
            return Err(Refusal(options.selection.unmatched().collect()));
        }
        return Err(no_picture("no picture is selected").into());
    }
    Ok(all)
}

/// Gathers a picture, or the pictures below a directory.
fn gather_below(path: &Path, options: &PictureConversion) -> Result<GatheredFiles, Refusal> {
    if is_standard_input(path) {
        let error = Finding::error("a picture is not read from standard input");
        return Err(error.advice("write it into a file first").at_path(path).into());
    }
    let place = options.place();
    let is_directory = path.is_dir();
    if !is_directory {
        check_loose(path, place)?;
    }
    let mut root = Some(path);
    if options.listed {
        root = None;
    } else if !is_directory {
        let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
        root = Some(parent.unwrap_or(Path::new(".")));
    }
    let how = Gathering {
        root,
        named: None,
        selection: &options.selection,
        // Of the formats that are written this one takes the longest names.
        to: Format::Pk3,
        hidden: false,
        lowercase: false,
        place: Some(place),
    };
    let mut gathered = gather(&[path.to_path_buf()], &how)?;
    gathered.files.retain(|file| gathered.made.contains_key(&file.path));
    if gathered.files.is_empty() && options.selection.is_all() {
        let error = no_picture("this directory holds no picture");
        return Err(error.at_path(path).into());
    }
    Ok(gathered)
}

/// Refuses what is no picture by its name: archives and others.
fn check_loose(path: &Path, place: PicturePlace) -> Result<(), Finding> {
    let name = RawName::of_file(path);
    let is_within = nested::split(path).is_some();
    if !is_within && (!path.is_file() || place.of(name.as_bytes(), true)?.is_some()) {
        // A path that cannot be read is refused when its file is gathered.
        return Ok(());
    }
    let extension = name.extension().unwrap_or_default();
    let is_map = FileType::by_extension(extension).any(|it| it.kind() == Kind::Map);
    let error = if is_within || is_map || recognize::is_archive_file(path).unwrap_or(false) {
        let why = "this can hold many pictures, and only a loose picture becomes another one";
        Finding::error(why)
            .many("archives and maps are named where loose pictures are expected")
            .advice("name a loose picture")
            .help(Help::ExtractPictures)
    } else {
        no_picture("this is no picture that daisho reads")
    };
    Err(error.at_path(path))
}

/// The error that something is no picture, or has none.
fn no_picture(why: &str) -> Finding {
    Finding::error(why)
        .many("files are no pictures that daisho reads")
        .advice("name pictures, or directories that hold some")
        .help(Help::LeaveOut)
}

/// Decides where each output goes.
fn place(
    context: &Context<'_>,
    options: &PictureConversion,
    files: &[LooseFile],
) -> Result<(Guard, Vec<Targets>), Refusal> {
    targets::check_format(&options.destination, WrittenType::Picture(options.to))?;
    let sources: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    let (system, to) = (&context.system, &options.destination);
    let guard = Guard::new(system, to, options.existing, &sources)?;
    let mut wanted = Vec::new();
    for file in files {
        let relative = SafePath::try_from(RawName::new(&file.name))
            .map_err(|error| Finding::from(ErrorKind::Path(error)).at_path(&file.path))?;
        let relative = relative.to_path_buf();
        wanted.push(NameWanted { input: &file.path, relative, outputs: 1 });
    }
    let targets = targets::place(&guard, wanted, Engines::default())?;
    Ok((guard, targets))
}

/// The name of an output that decides about its content: the texture's name inside a WAL, and where its palette is.
/// It begins with `textures/` if the output is in such a directory.
fn name_inside(destination: &Destination, output: &Path, name: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> =
        output.components().map(|part| part.as_os_str().as_encoded_bytes()).collect();
    let folders = parts.len().saturating_sub(1);
    let is_textures = |part: &&[u8]| part.eq_ignore_ascii_case(b"textures");
    let begin = parts.iter().take(folders).rposition(is_textures);
    match (begin, destination) {
        (_, Destination::Spool(_)) | (None, Destination::Directory(_)) => name.to_vec(),
        (None, Destination::File(_)) => parts.last().copied().unwrap_or_default().to_vec(),
        (Some(begin), _) => {
            let below: Vec<&[u8]> = parts.into_iter().skip(begin).collect();
            below.join(&b'/')
        }
    }
}

/// Writes an encoded picture, or finds out what would be written.
fn write(
    context: &Context<'_>,
    options: &PictureConversion,
    guard: &Guard,
    entry: &Entry<'_>,
    targets: &Targets,
    row: &mut OutputRow,
) -> Result<(), Finding> {
    context.cancel.check()?;
    let [planned] = targets.files.as_slice() else {
        return Err(internal("a picture has not exactly one place"));
    };
    if options.dry_run {
        row.status = OutputStatus::Planned(planned.fate);
    } else {
        let output = guard.begin(&planned.relative)?;
        let (mut buffer, count) = (vec![0; PIECE], |len| context.done(0, len));
        write_content(context, entry, &mut buffer, (output.sink(), 0), count)
            .map_err(Failure::into_error)?;
        row.status = OutputStatus::Done(guard.commit(output.finish(planned.fate)?)?);
    }
    if !row.status.is_kept() {
        let (target, bytes) = (targets.shown.clone(), Some(entry.size()));
        row.bytes_out = bytes;
        row.parts.push(OutputFile { target, replaces: row.status.replaces(), entries: 0, bytes });
    }
    Ok(())
}
