//! Extracts the files of archives into directories.
//!
//! Three steps, each over all archives before the next one begins:
//!
//! 1. **Plan** (`plan::files`): every archive is opened, and every entry gets its path. Then everything that exists
//!    where a file would go is found, and so are archives that would write to the same places.
//! 2. **Refuse**: if any of this needs the user's decision, the operation ends with a list. Nothing has been
//!    written. A dry run continues with the report.
//! 3. **Write**: files are written in parallel. A failure affects only one file.
//!
//! Where an archive's files go:
//!
//! | paths                                 | `directory` given    | not given      |
//! |---------------------------------------|----------------------|----------------|
//! | one file, not listed                  | into it              | `STEM/`        |
//! | anything else                         | `directory/REL/STEM/` | `REL/STEM/`   |
//! | a picture that is no archive          | into it              | `./`            |
//! | any, `flat`                           | into it              | `./`            |
//!
//! The files that an engine serves from a game's directories all go into one directory, whether they come from a
//! pak or are loose files: see [`extract_served`].
//!
//! `STEM` is the archive's name without its extension. If several archives would share a directory, all but one
//! keep their extensions. `REL` is the path to the archive from the directory that was searched. A given directory
//! may be a link, or be reached through one. Below it, or below the current directory if none was given, links are
//! not followed.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::archive::{escape_path, path_bytes};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::finding::{Finding, check_unchanged, internal, reserved_reading};
use crate::ops::game::View;
use crate::ops::json::text_entry;
use crate::ops::pictures::{PictureOptions, Pictures};
use crate::ops::plan::files::{ArchivePlan, FilePlan, plan};
use crate::ops::plan::options::Destination;
use crate::ops::plan::paths::{Aside, PathRules, folders_of};
use crate::ops::plan::policy::Guard;
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{Fate, OutputStatus, WriteTotals};
use crate::ops::source::directory::{check_outside, needs_output};
use crate::ops::source::{How, Search, Selection, missing_names};
use crate::ops::stream::{Failure, LARGE, PIECE, largest_first, write_content};

/// What to extract, and how.
#[derive(Debug, Default)]
pub struct ExtractOptions {
    /// The directory to extract into, which is made if necessary. By default each archive gets one beside the others,
    /// with its name.
    pub directory: Option<PathBuf>,
    /// Whether all names become lower case.
    pub lowercase: bool,
    /// Whether all files go into the directory itself, without folders. If several files have the same name, the first
    /// one gets it; the others become `NAME.dup-INDEX`.
    pub flat: bool,
    /// Whether entries whose names are not allowed are extracted, too, into `_rescued/`.
    pub rescue: bool,
    /// Whether the paths come from a list. Then an archive goes below its own path, even if it is the only one.
    pub listed: bool,
    /// Which entries to extract.
    pub selection: Selection,
    /// What is done about files that exist.
    pub existing: Existing,
    /// Whether to write nothing, and only report what would be written.
    pub dry_run: bool,
    /// Pictures become PNG files, with `.png` added to their names.
    pub pictures: Option<PictureOptions>,
    /// An archive is not extracted if its files would take more than this many times its length. By default, only
    /// an archive with overlapping payloads exceeds the limit.
    pub max_expansion: Option<u64>,
}

impl ExtractOptions {
    /// How names become paths.
    pub(super) const fn path_rules(&self, served: bool) -> PathRules {
        PathRules {
            lowercase: self.lowercase,
            rescue: self.rescue,
            flat: self.flat,
            served,
            png: self.pictures.is_some(),
        }
    }
}

/// The file that an entry was extracted to, or would be.
#[derive(Debug)]
pub struct FileRow {
    /// The archive, or the directory of a loose file.
    pub archive: Arc<Path>,
    /// The entry's index, counted from 0. `None` for a loose file.
    pub index: Option<usize>,
    /// The entry's name.
    pub name: Vec<u8>,
    /// The file. `None` if the name cannot be a path.
    pub file: Option<PathBuf>,
    /// Why the file does not have the path that the name asks for.
    pub aside: Option<Aside>,
    /// Whether the file is a PNG of a picture in another format.
    pub is_png: bool,
    /// The size of the file if it was written, or else of the decompressed entry.
    pub size: u64,
    /// What becomes of it.
    pub status: OutputStatus,
    /// Errors and warnings.
    pub findings: Vec<Finding>,
}

impl Serialize for FileRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "archive", &path_bytes(&self.archive))?;
        if let Some(index) = self.index {
            map.serialize_entry("index", &index)?;
        }
        text_entry(&mut map, "name", &self.name)?;
        if let Some(file) = &self.file {
            text_entry(&mut map, "file", &path_bytes(file))?;
        }
        map.serialize_entry("size", &self.size)?;
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("replaces", &self.status.replaces())?;
        let mut findings = self.findings.iter().rev();
        if let Some(finding) = findings.find(|finding| finding.is_error()) {
            map.serialize_entry("problem", &finding.detail)?;
        }
        map.end()
    }
}

/// What an extraction reports.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
pub enum ExtractRow {
    /// A file.
    File(FileRow),
    /// The end of an archive: all of its files have been reported.
    #[serde(skip)]
    End(ExtractedArchive),
}

/// An archive whose files have been extracted.
#[derive(Debug)]
pub struct ExtractedArchive {
    /// The archive, or the directory of loose files.
    pub archive: Arc<Path>,
    /// Where its files are extracted to.
    pub into: PathBuf,
    /// Whether it is a directory whose loose files are extracted.
    pub is_loose: bool,
}

/// Extracts the entries that `options` select from all archives that `paths` name. [An
/// example](crate::ops#an-archive-made-and-extracted).
///
/// # Errors
///
/// Nothing is written if a path does not exist, a file exists and `options` do not say what to do about it, or nothing
/// at all can be done. Nothing is written either if no entry has one of the names in the selection, but that is reported
/// like any other error.
pub fn extract(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    options: &ExtractOptions,
    out: &mut dyn Sink<ExtractRow>,
) -> Result<WriteTotals, Refusal> {
    let listed = options.listed;
    let directory = options.directory.as_deref();
    let how = How {
        listed,
        skip: directory,
        takes_files: options.pictures.is_some(),
        takes_names: paths.len() > 1,
        ..How::default()
    };
    let mut found = Search::new(context, paths, how);
    found.refuse(context)?;
    let warnings: Vec<Finding> = found.warnings();
    for archive in found.directories() {
        let Some(into) = directory else {
            return Err(needs_output(archive).into());
        };
        // Extracted into itself, it would have these files as entries the next time.
        check_outside(archive, into, into)?;
    }
    let missing = missing_names(context, &found, &options.selection);
    if !missing.is_empty() {
        hand_on(out, missing.into_iter().chain(warnings));
        return Ok(WriteTotals::default());
    }
    let is_one_file = paths.len() == 1 && !listed && found.inputs.iter().all(|input| !input.found);
    let folders = if is_one_file && directory.is_some() || options.flat {
        vec![PathBuf::new(); found.inputs.len()]
    } else {
        folders_of(&found.inputs)
    };
    let opened = (context.pool).map(&found.inputs, |input| input.open(context));
    context.cancel.check()?;
    let rules = options.path_rules(false);
    let (mut archives, mut failed) = (Vec::new(), Vec::new());
    let inputs = found.inputs.iter().zip(&opened).zip(folders);
    for (number, ((input, opened), folder)) in inputs.enumerate() {
        match opened {
            Ok(archive) => {
                let entries = options.selection.entries(archive);
                archives.push(ArchivePlan::new((number, archive), entries, folder, rules));
            }
            Err(error) => failed.push((number, Finding::unread(&input.path, error.clone()))),
        }
    }
    let mut after = warnings;
    after.extend(options.selection.unmatched());
    let extraction = Extraction {
        archives,
        sources: found.files(),
        rules,
        before: found.findings,
        failed,
        after,
    };
    carry_out(context, extraction, options, out)
}

/// Reports what became of each file of an archive, and then for the archive.
fn report(
    plan: ArchivePlan<'_>,
    options: &ExtractOptions,
    totals: &mut WriteTotals,
    out: &mut dyn Sink<ExtractRow>,
) -> ControlFlow<()> {
    let archive: Arc<Path> = Arc::from(plan.path());
    let directory = options.directory.as_deref().unwrap_or(Path::new(""));
    hand_on(out, plan.findings);
    for file in plan.files {
        totals.add(file.status, &WriteTotals { done: 1, ..WriteTotals::default() });
        let entry = file.entry;
        out.row(ExtractRow::File(FileRow {
            archive: Arc::clone(&archive),
            index: (!plan.is_loose).then(|| entry.index()),
            name: entry.name().as_bytes().to_vec(),
            file: file.relative.map(|relative| directory.join(relative)),
            aside: file.aside,
            is_png: file.is_png,
            size: file.size,
            status: file.status,
            findings: file.findings,
        }))?;
    }
    out.row(ExtractRow::End(ExtractedArchive {
        archive,
        into: directory.join(&plan.folder),
        is_loose: plan.is_loose,
    }))
}

/// Extracts all files that `view` serves into one directory: the one in `options`, or the current one. Loose files
/// are included if `view` lists them. With `lowercase`, only one of the copies whose names become equal is
/// extracted, as in a merge.
///
/// # Errors
///
/// As [`extract`].
pub fn extract_served(
    context: &Context<'_>,
    view: &View,
    options: &ExtractOptions,
    out: &mut dyn Sink<ExtractRow>,
) -> Result<WriteTotals, Refusal> {
    let taken = view.winners(&options.selection, options.lowercase);
    let sources = view.sources(&taken.served);
    let rules = options.path_rules(true);
    let mut archives = Vec::new();
    for entries in taken.served.chunk_by(|a, b| core::ptr::eq(a.archive(), b.archive())) {
        let archive = view.game.archives().find(|archive| {
            let first = entries.first();
            first.is_some_and(|first| core::ptr::eq(&***archive, first.archive()))
        });
        if let Some(archive) = archive {
            archives.push(ArchivePlan::new((0, archive), entries.to_vec(), PathBuf::new(), rules));
        }
    }
    let extraction = Extraction {
        archives,
        sources,
        rules,
        before: taken.findings,
        failed: Vec::new(),
        after: Vec::new(),
    };
    carry_out(context, extraction, options, out)
}

/// What is extracted, and what was found out before.
struct Extraction<'a> {
    archives: Vec<ArchivePlan<'a>>,
    /// The files that are never replaced.
    sources: Vec<PathBuf>,
    rules: PathRules,
    /// Findings that are not about a single archive, and are reported first.
    before: Vec<Finding>,
    /// Errors of archives that cannot be extracted, with the numbers of their inputs.
    failed: Vec<(usize, Finding)>,
    /// Findings that are reported after all others.
    after: Vec<Finding>,
}

/// Plans and writes, and reports what happened to each archive.
fn carry_out(
    context: &Context<'_>,
    extraction: Extraction<'_>,
    options: &ExtractOptions,
    out: &mut dyn Sink<ExtractRow>,
) -> Result<WriteTotals, Refusal> {
    let Extraction { archives: mut plans, sources, rules, before, mut failed, after } = extraction;
    let mut findings = before;
    let destination = Destination::Directory(options.directory.clone().unwrap_or_default());
    let guard = Guard::new(&context.system, &destination, options.existing, &sources)?;
    let beside = plans.iter().map(|plan| Arc::clone(plan.archive)).collect();
    let refused = plan(context, &guard, rules, options.max_expansion, &mut plans)?;
    let mut pictures = None;
    if let Some(options) = &options.pictures {
        pictures = Some(Pictures::open(context, options, beside, &mut findings)?);
    }
    failed.extend(refused);
    failed.sort_by_key(|(number, _)| *number);
    findings.extend(failed.into_iter().map(|(_, finding)| finding));
    if !options.dry_run && !plans.is_empty() {
        write_all(context, &guard, pictures.as_ref(), &mut plans);
        findings.extend(context.cancel.check().err());
        findings.extend(guard.finish());
    }
    findings.extend(after);
    hand_on(out, findings);
    let mut totals = WriteTotals::default();
    for plan in plans {
        if report(plan, options, &mut totals, out).is_break() {
            break;
        }
    }
    Ok(totals)
}

/// How many archives are worked on at once: enough for small ones to keep all threads busy.
const ARCHIVES_MAX: usize = 16;

/// Writes all that is planned.
fn write_all(
    context: &Context<'_>,
    guard: &Guard,
    pictures: Option<&Pictures>,
    plans: &mut [ArchivePlan<'_>],
) {
    for plan in &*plans {
        let (entries, bytes) = plan.sizes().fold((0, 0), |(n, sum), size| (n + 1, sum + size));
        context.found(entries, bytes);
    }
    let crew = FileCrew { context, guard, pictures };
    for plans in plans.chunks_mut(ARCHIVES_MAX) {
        crew.write(plans);
    }
}

/// What the threads need to write files.
#[derive(Clone, Copy)]
struct FileCrew<'a> {
    context: &'a Context<'a>,
    guard: &'a Guard,
    /// Converts pictures to PNG.
    pictures: Option<&'a Pictures>,
}

impl FileCrew<'_> {
    /// Writes the files of a few archives.
    fn write(self, plans: &mut [ArchivePlan<'_>]) {
        let mut shown = Vec::new();
        for plan in &mut *plans {
            self.open(plan);
            let name = escape_path(plan.path()).to_string();
            self.context.observer.begin(&name);
            shown.push(name);
        }
        let files = plans.iter_mut().flat_map(|plan| &mut plan.files);
        let mut files: Vec<_> = files.filter(|file| file.to_write().is_some()).collect();
        files.sort_by_key(|file| largest_first(file.entry.size()));
        (self.context.pool).map_with(
            files,
            || vec![0; PIECE],
            |buffer, file| self.file(buffer, file),
        );
        for plan in plans {
            let reserved = reserved_reading(plan.archive);
            plan.findings.extend(reserved);
        }
        for name in shown {
            self.context.observer.end(&name);
        }
    }

    /// If anything of an archive will be written, checks that the archive has not changed since the plan.
    fn open(self, plan: &mut ArchivePlan<'_>) {
        if plan.sizes().next().is_none() {
            return;
        }
        if self.context.cancel.is_set() {
            plan.end_all(OutputStatus::Stopped);
            return;
        }
        if let Err(error) = check_unchanged(plan.archive) {
            plan.findings.push(error);
            plan.end_all(OutputStatus::Failed);
        }
    }

    /// Writes one file, or finds out why not.
    fn file(self, buffer: &mut [u8], file: &mut FilePlan<'_>) {
        file.status = match self.write_file(buffer, file) {
            Ok(fate) => OutputStatus::Done(fate),
            Err(error) if error.is_stop() => OutputStatus::Stopped,
            Err(error) => {
                file.add(error);
                OutputStatus::Failed
            }
        };
    }

    fn write_file(self, buffer: &mut [u8], file: &mut FilePlan<'_>) -> Result<Fate, Finding> {
        self.context.cancel.check()?;
        let (Some(relative), Some(fate)) = (&file.relative, file.to_write()) else {
            return Err(internal("a file is written that has no path"));
        };
        let entry = file.entry;
        let output = self.guard.begin(relative)?;
        let sink = output.sink();
        let mut size = entry.size();
        let findings = if let Some(pictures) = self.pictures.filter(|_| file.is_png) {
            let (_share, picture) = pictures.decode_within_memory(&entry)?;
            let png = picture.png().map_err(Finding::from_io)?;
            sink.write_at(&png, 0).map_err(Finding::from_io)?;
            self.context.done(0, size);
            size = png.len() as u64;
            Vec::from_iter(picture.remark)
        } else {
            if size >= LARGE && !entry.is_plain() {
                sink.expect_len(size).map_err(Finding::from_io)?;
            }
            let count = |len| self.context.done(0, len);
            let odd = write_content(self.context, &entry, buffer, (sink, 0), count);
            odd.map_err(Failure::into_error)?
        };
        let fate = self.guard.commit(output.finish(fate)?)?;
        file.size = size;
        for finding in findings {
            file.add(finding);
        }
        self.context.done(1, 0);
        Ok(fate)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use crate::archive::Format;
    use crate::format::{Header, Record};
    use crate::fs::{Interference, System};
    use crate::ops::context::{Context, Existing};
    use crate::ops::report::Reported;
    use crate::ops::row::Fate;
    use crate::testing::{Call, Faulty};

    /// A pak of stored files.
    fn pak(files: &[(&str, &str)]) -> Vec<u8> {
        let (mut payloads, mut records) = (Vec::new(), Vec::new());
        for (name, content) in files {
            let record = Record {
                name: crate::archive::RawName::new(name.as_bytes()),
                offset: 12 + u32::try_from(payloads.len()).unwrap(),
                size: content.len().try_into().unwrap(),
                ..Record::default()
            };
            payloads.extend(content.bytes());
            record.write(Format::Quake, &mut records);
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
            calls: Arc<dyn Interference>,
            existing: Existing,
        ) -> (Vec<OutputStatus>, Vec<String>) {
            let out = self.dir.path().join("out");
            let options =
                ExtractOptions { directory: Some(out), existing, ..ExtractOptions::default() };
            let context = Context::new().on(System::new(calls));
            let (mut statuses, mut findings) = (Vec::new(), Vec::new());
            let mut reported = Reported::default();
            extract(&context, &self.paths, &options, &mut reported).unwrap();
            for row in reported.rows {
                if let ExtractRow::File(file) = row {
                    findings.extend(file.findings.iter().map(Finding::to_string));
                    statuses.push(file.status);
                }
            }
            findings.extend(reported.findings.iter().map(Finding::to_string));
            (statuses, findings)
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
    fn appears(names: &[&str], existing: Existing) -> (Case, Vec<OutputStatus>, Vec<String>) {
        let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "ours")).collect();
        let case = Case::new(&files);
        let out = case.dir.path().join("out");
        let first = out.join(names.first().unwrap());
        let calls = Faulty::lacking(&[Call::CreateUnnamed]).meddled(Call::Link, move || {
            fs::write(first, "theirs").unwrap();
            fs::write(out.join("another"), "theirs").unwrap();
        });
        let (statuses, findings) = case.extract(Arc::new(calls), existing);
        (case, statuses, findings)
    }

    #[test]
    fn late_files_are_kept_replaced_or_refused() {
        for (existing, content, status) in [
            (Existing::Keep, "theirs", OutputStatus::Done(Fate::Keep)),
            (Existing::Replace, "ours", OutputStatus::Done(Fate::Replace)),
            (Existing::Refuse, "theirs", OutputStatus::Failed),
        ] {
            for names in [["a.txt", "b.txt"], ["\u{e9}", "b.txt"]] {
                let (case, statuses, findings) = appears(&names, existing);
                let found = case.files();
                let held = |name: &str| {
                    let file = found.iter().find(|(path, _)| path == name);
                    file.map(|(_, content)| content.as_str())
                };
                assert_eq!(held(names[0]), Some(content), "{existing:?} {names:?}");
                assert_eq!(held(names[1]), Some("ours"), "{existing:?} {names:?}");
                assert_eq!(held("another"), Some("theirs"));
                assert_eq!(found.len(), 3, "{found:?}");
                assert_eq!(
                    statuses,
                    [status, OutputStatus::Done(Fate::New)],
                    "{existing:?} {names:?}"
                );
                if existing == Existing::Refuse {
                    let refused = format!("out/{}: already exists", names[0]);
                    assert!(findings.len() == 1 && findings[0].ends_with(&refused), "{findings:?}");
                } else {
                    assert!(findings.is_empty(), "{findings:?}");
                }
            }
        }
    }

    #[test]
    fn a_late_source_or_directory_is_refused_with_force() {
        let case = Case::new(&[("a", "ours")]);
        let (source, out) = (case.paths[0].clone(), case.dir.path().join("out"));
        let target = out.join("a");
        let place = target.clone();
        let calls = Faulty::lacking(&[Call::CreateUnnamed]).meddled(Call::Link, move || {
            fs::hard_link(source, place).unwrap();
        });
        let (_, findings) = case.extract(Arc::new(calls), Existing::Replace);
        assert!(findings.len() == 1 && findings[0].contains("this is an input"), "{findings:?}");
        assert_eq!(fs::read(&target).unwrap(), fs::read(&case.paths[0]).unwrap());

        fs::remove_file(&target).unwrap();
        let place = target.clone();
        let calls = Faulty::lacking(&[Call::CreateUnnamed])
            .meddled(Call::Link, move || fs::create_dir(place).unwrap());
        let (_, findings) = case.extract(Arc::new(calls), Existing::Replace);
        assert!(
            findings.len() == 1
                && findings[0].contains("this is a directory, which daisho never replaces"),
            "{findings:?}"
        );
        assert!(target.is_dir());
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing is left");
    }
}
