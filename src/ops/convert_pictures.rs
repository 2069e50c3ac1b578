//! Converts loose pictures: writes each one as a file of another type.
//!
//! All outputs are planned first, and all pictures are encoded into a temporary file before the first one is
//! written. So a picture that is refused leaves nothing behind.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Entry, Format, LooseFile, RawName, SafePath, path_bytes};
use crate::fs::is_standard_input;
use crate::media::{FileType, Kind};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::finding::{Finding, Help, internal, one_output};
use crate::ops::gather_files::{Gathering, gather};
use crate::ops::json;
use crate::ops::pictures::{Made, MakePictures, PictureOptions, PicturePlace};
use crate::ops::plan::number::NameWanted;
use crate::ops::plan::policy::Guard;
use crate::ops::plan::targets::{Targets, place_files};
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{Fate, OutputStatus, WriteTotals};
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

/// What became of a picture.
#[derive(Debug)]
pub struct ConvertedPicture {
    /// The picture.
    pub source: PathBuf,
    /// The path of the output, also if it was not written.
    pub target: PathBuf,
    /// The type of the output.
    pub to: FileType,
    /// What became of it.
    pub status: OutputStatus,
    /// The length of the picture's file.
    pub bytes_in: u64,
    /// The length of the output. `None` if it was not encoded.
    pub bytes_out: Option<u64>,
    /// Errors and warnings.
    pub findings: Vec<Finding>,
}

impl Serialize for ConvertedPicture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        json::text_entry(&mut map, "picture", &path_bytes(&self.source))?;
        json::text_entry(&mut map, "output", &path_bytes(&self.target))?;
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("to", self.to.as_str())?;
        map.serialize_entry("replaces", &self.status.replaces())?;
        map.serialize_entry("bytes_in", &self.bytes_in)?;
        map.serialize_entry("bytes", &self.bytes_out)?;
        json::sentences(&mut map, &self.findings)?;
        map.end()
    }
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
    out: &mut dyn Sink<ConvertedPicture>,
) -> Result<WriteTotals, Refusal> {
    let Loose { files, made, unmade, mut findings } = Loose::below(paths, options)?;
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
    let jobs = jobs(files, targets, &encoded, &mut findings)?;
    context.found(jobs.len() as u64, encoded.file_len());
    let writer = PictureWriter { context, options, guard: &guard };
    let mut totals = WriteTotals::default();
    let _ = context.pool.in_order(
        &jobs,
        usize::MAX,
        |job| writer.row(job),
        |row| {
            count(&mut totals, &row);
            out.row(row)
        },
    );
    hand_on(out, findings);
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

/// Pictures that were named, or found in directories.
#[derive(Default)]
struct Loose {
    /// Their names are the paths of the outputs below a directory.
    files: Vec<LooseFile>,
    made: Made,
    unmade: Vec<Finding>,
    findings: Vec<Finding>,
}

impl Loose {
    fn below(paths: &[PathBuf], options: &PictureConversion) -> Result<Self, Refusal> {
        let (mut loose, mut refused) = (Self::default(), Vec::new());
        for path in paths {
            if let Err(Refusal(errors)) = loose.add(path, options) {
                refused.extend(errors);
            }
        }
        Refusal::if_any(refused)?;
        if loose.files.is_empty() {
            if options.selection.has_missed() {
                return Err(Refusal(options.selection.unmatched().collect()));
            }
            return Err(no_picture("no picture is selected").into());
        }
        Ok(loose)
    }

    /// Adds a picture, or the pictures below a directory.
    fn add(&mut self, path: &Path, options: &PictureConversion) -> Result<(), Refusal> {
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
        let made = gathered.made;
        gathered.files.retain(|file| made.contains_key(&file.path));
        if gathered.files.is_empty() && options.selection.is_all() {
            let error = no_picture("this directory holds no picture");
            return Err(error.at_path(path).into());
        }
        self.files.append(&mut gathered.files);
        self.made.extend(made);
        self.unmade.append(&mut gathered.unmade);
        self.findings.extend(gathered.findings);
        Ok(())
    }
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
    if let Destination::File(output) = &options.destination {
        check_extension(output, options.to)?;
    }
    let sources: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    let (system, to) = (&context.system, &options.destination);
    let guard = Guard::new(system, to, options.existing, &sources)?;
    let mut wanted = Vec::new();
    for file in files {
        let relative = SafePath::try_from(RawName::new(&file.name))
            .map_err(|error| Finding::from(ErrorKind::Path(error)).at_path(&file.path))?;
        wanted.push(NameWanted {
            input: &file.path,
            relative: guard.relative(relative.to_path_buf()),
            outputs: 1,
        });
    }
    let targets = place_files(&guard, &wanted)?;
    Ok((guard, targets))
}

/// Refuses an output whose extension belongs to another type, or to an archive.
fn check_extension(output: &Path, to: FileType) -> Result<(), Finding> {
    let extension = output.extension().unwrap_or_default();
    let bytes = extension.as_encoded_bytes();
    let mut types = FileType::by_extension(bytes).peekable();
    let is_unknown = types.peek().is_none() && !Format::is_extension(bytes);
    if is_unknown || types.any(|it| it == to) {
        return Ok(());
    }
    let extension = extension.to_string_lossy();
    let why =
        format!("the name ends in \".{extension}\", but the output would be {}", to.described());
    Err(Finding::error(why)
        .advice("give the output the extension of that format")
        .help(Help::OutputDecides)
        .at_path(output))
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

/// A picture, and where it goes.
struct PictureJob<'a> {
    file: LooseFile,
    targets: Targets,
    /// The encoded picture. `None` if it is not written.
    encoded: Option<Entry<'a>>,
    findings: Vec<Finding>,
}

/// Brings together what is known of each picture. Takes its findings from `findings`.
fn jobs<'a>(
    files: Vec<LooseFile>,
    targets: Vec<Targets>,
    encoded: &'a Archive,
    findings: &mut Vec<Finding>,
) -> Result<Vec<PictureJob<'a>>, Finding> {
    let mut jobs = Vec::new();
    let mut places = HashMap::new();
    for (file, targets) in files.into_iter().zip(targets) {
        places.insert(file.path.clone(), jobs.len());
        jobs.push(PictureJob { file, targets, encoded: None, findings: Vec::new() });
    }
    for entry in encoded.entries() {
        let place = entry.path().and_then(|path| places.get(path));
        let job = place.and_then(|place| jobs.get_mut(*place));
        let job = job.ok_or_else(|| internal("an encoded picture is none of the inputs"))?;
        job.encoded = Some(entry);
    }
    for finding in core::mem::take(findings) {
        let place = finding.place.path.as_deref().and_then(|it| places.get(it));
        match place.and_then(|place| jobs.get_mut(*place)) {
            Some(job) => job.findings.push(finding),
            None => findings.push(finding),
        }
    }
    Ok(jobs)
}

/// Writes encoded pictures.
struct PictureWriter<'a> {
    context: &'a Context<'a>,
    options: &'a PictureConversion,
    guard: &'a Guard,
}

impl PictureWriter<'_> {
    /// Writes a picture, unless it is kept, was refused, or would only be planned.
    fn row(&self, job: &PictureJob<'_>) -> ConvertedPicture {
        let mut row = ConvertedPicture {
            source: job.file.path.clone(),
            target: job.targets.shown.clone(),
            to: self.options.to,
            status: OutputStatus::Failed,
            bytes_in: job.file.size,
            bytes_out: None,
            findings: job.findings.clone(),
        };
        if job.targets.are_kept() {
            row.status = OutputStatus::Planned(Fate::Keep);
            return row;
        }
        let Some(entry) = &job.encoded else {
            return row;
        };
        let written = self.write(entry, &job.targets);
        self.context.done(1, 0);
        match written {
            Ok(status) => {
                row.status = status;
                row.bytes_out = (!status.is_kept()).then(|| entry.size());
            }
            Err(error) => {
                if error.is_stop() {
                    row.status = OutputStatus::Stopped;
                }
                row.findings.push(error.at_path(&job.targets.shown));
            }
        }
        row
    }

    fn write(&self, entry: &Entry<'_>, targets: &Targets) -> Result<OutputStatus, Finding> {
        self.context.cancel.check()?;
        let [planned] = targets.files.as_slice() else {
            return Err(internal("a picture has not exactly one place"));
        };
        if self.options.dry_run {
            return Ok(OutputStatus::Planned(planned.fate));
        }
        let output = self.guard.begin(&planned.relative)?;
        let (mut buffer, count) = (vec![0; PIECE], |len| self.context.done(0, len));
        write_content(self.context, entry, &mut buffer, (output.sink(), 0), count)
            .map_err(Failure::into_error)?;
        let fate = self.guard.commit(output.finish(planned.fate)?)?;
        Ok(OutputStatus::Done(fate))
    }
}

/// Counts a picture.
fn count(totals: &mut WriteTotals, row: &ConvertedPicture) {
    let written = WriteTotals {
        done: 1,
        bytes_in: row.bytes_in,
        bytes_out: row.bytes_out.unwrap_or(0),
        ..WriteTotals::default()
    };
    totals.add(row.status, &written);
}
