//! `gallery`: makes a web page of the files of archives: pictures, maps from above, sounds, texts, facts.
//!
//! | file    | job                                                              |
//! |---------|------------------------------------------------------------------|
//! | `tile`  | an entry's picture, drawing, sound, text and facts               |
//! | `page`  | the page's HTML                                                  |
//!
//! The page works from disk, without a server or a network. The browser loads pictures from the folder next to it as they
//! scroll into view. The list is written piece by piece, each as soon as its tiles are made, and what a browser shows
//! into a file of its own, so memory holds few pictures. The page and its files get their names together, the page
//! last.

mod page;
mod tile;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::archive::{Entry, escape_path};
use crate::cli::args::{ExpansionArgs, OverwriteArgs, PictureArgs, is_standard};
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::output::Stdout;
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::cli::verbs::gallery::page::PageWriter;
use crate::cli::verbs::gallery::tile::{Tiler, paths_of};
use crate::media::Kind;
use crate::ops::expansion::{Expanded, sound_size};
use crate::ops::finding::{Finding, archive_errors, some_parts_exist};
use crate::ops::pictures::Pictures;
use crate::ops::plan::policy::{Group, Guard, Planned};
use crate::ops::report::hand_on;
use crate::ops::row::{Fate, OutputStatus, WriteTotals};
use crate::ops::source::directory::{check_outside, parent_of};
use crate::ops::source::{How, Search, Selection, missing_names};
use crate::ops::write::Destination;
use crate::ops::{Context, Refusal, Sink, json};

/// How many tiles are made before they are written.
const PIECE: usize = 256;

/// Make a web page of pictures, maps, sounds and texts
///
/// The page needs no server and no network. It has search, filters, and all facts of each file. Pictures
/// that cannot be decoded are reported.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct GalleryArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// A directory for index.html and its files [default: STEM-gallery of the only PATH]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
    #[command(flatten)]
    globs: GlobArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    #[command(flatten)]
    expansion: ExpansionArgs,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

const USAGE: &str = "daisho gallery [OPTIONS] PATH... [NAME|GLOB]...";

const AFTER: &str = "\
Rules:
  Pictures become PNG. PNG, JPEG, WAV, MP3 and OGG are copied, maps are drawn
  from above, and texts are copied up to 256 kB.
  -k keeps a page as a whole. Files that an earlier page has left without the
  page itself are refused, unless -f is given to replace them.

Examples:
  daisho gallery pak0.pak                        pak0-gallery/index.html
  daisho gallery games/ -i '*.wal' -o textures";

pub(super) fn run(mut args: GalleryArgs, ui: &Ui) -> Result<(), Refusal> {
    if args.output.as_deref().is_some_and(is_standard) {
        let error = Finding::error("a page is not written to standard output");
        return Err(error.advice("give -o a directory").into());
    }
    let selection = args.inputs.selection(&args.globs, false, ui)?;
    let output = match (args.output.take(), args.inputs.paths.as_slice()) {
        (Some(output), _) => output,
        (None, [only]) if is_standard(only) => "stdin-gallery".into(),
        (None, [only]) if only.file_stem().is_some() => {
            let mut name = only.file_stem().unwrap_or_default().to_owned();
            name.push("-gallery");
            name.into()
        }
        _ => {
            return Err(Finding::error("gallery needs an output")
                .advice("give -o a directory")
                .into());
        }
    };
    let mut page = ShowPage { made: None };
    let (_, rate) = ui.run(RunKind::Writes, &mut page, |context, out| {
        gallery(context, &args, &selection, &output, out)
    })?;
    if let Some(made) = page.made {
        ui.note(&summary(&made, &rate));
    }
    Ok(())
}

/// Shows a page when all is done.
struct ShowPage {
    made: Option<PageRow>,
}

impl Show<PageRow> for ShowPage {
    fn findings(row: &PageRow) -> &[Finding] {
        &row.findings
    }

    fn is_object(finding: &Finding) -> bool {
        // The row of a page is about no input.
        matches!(finding.status(), Some("cut" | "unread"))
    }

    fn text(&mut self, _out: &mut Stdout, row: PageRow) -> io::Result<()> {
        self.made = Some(row);
        Ok(())
    }
}

fn summary(made: &PageRow, rate: &str) -> String {
    let page = text::path(&made.page);
    if made.status.is_kept() {
        return format!("{page}: kept");
    }
    if matches!(made.status, OutputStatus::Failed | OutputStatus::Stopped) {
        return format!("{page}: not written");
    }
    let entries = text::count(made.entries, "entry", "entries");
    let pictures = text::count(made.pictures, "picture", "pictures");
    format!("open {page} in a browser: {entries}, {pictures} in {rate}")
}

/// A page that shows the contents of archives.
#[derive(Debug, serde::Serialize)]
pub(crate) struct PageRow {
    #[serde(flatten, serialize_with = "json::page")]
    page: PathBuf,
    status: OutputStatus,
    /// The number of entries on the page.
    entries: usize,
    /// The number of pictures among them that are shown.
    pictures: usize,
    /// Archives, entries and pictures that cannot be shown, and warnings.
    #[serde(flatten, serialize_with = "json::errors_and_warnings")]
    pub(crate) findings: Vec<Finding>,
}

/// Makes a page of the entries of archives. None of them is ever replaced.
///
/// # Errors
/// Nothing is written if nothing can be shown, or if the page or one of its files exists and the options do not say
/// what to do about it. A page is kept only as a whole, so files without their page are refused, too.
pub(crate) fn gallery(
    context: &Context<'_>,
    args: &GalleryArgs,
    selection: &Selection,
    output: &Path,
    out: &mut dyn Sink<PageRow>,
) -> Result<WriteTotals, Refusal> {
    let directory = output.is_dir().then_some(output);
    let how = How { skip: directory, ..How::default() };
    let mut found = Search::new(context, &args.inputs.paths, how);
    for input in found.directories() {
        check_outside(input, directory.unwrap_or(parent_of(output)), output)?;
    }
    let missing = missing_names(context, &found, selection);
    let mut findings = found.take_findings();
    if !missing.is_empty() {
        hand_on(out, missing.into_iter().chain(findings));
        return Ok(WriteTotals::default());
    }
    let (mut archives, mut names, mut counts) = (Vec::new(), Vec::new(), HashMap::new());
    for input in &found.inputs {
        context.cancel.check()?;
        match input.open(context) {
            Ok(archive) => {
                findings.extend(archive_errors(&archive));
                archives.push(archive);
                // People publish pages, and nobody needs to know where on a disk the archives were. Two archives of one
                // name get different numbers.
                let name = escape_path(&input.relative);
                let count = counts.entry(&input.relative).or_insert(0);
                *count += 1;
                names.push(match *count {
                    1 => name.to_string(),
                    number => format!("{name} ({number})"),
                });
            }
            Err(error) => findings.push(error),
        }
    }
    // Archives that expand to too much are left out.
    let (mut entries, mut expanded) = (Vec::new(), Expanded::default());
    for (number, archive) in archives.iter().enumerate() {
        let selected = selection.entries(archive);
        let bytes = selected.iter().map(sound_size).fold(0, u64::saturating_add);
        match expanded.add(archive, bytes, args.expansion.max_expansion) {
            Ok(()) => entries.extend(selected.into_iter().map(|entry| (number, entry))),
            Err(error) => {
                let path = archive.path().unwrap_or(Path::new(""));
                findings.push(Finding::unread(path, error));
            }
        }
    }
    let unmatched: Vec<Finding> = selection.unmatched().collect();
    if entries.is_empty() && !unmatched.is_empty() {
        hand_on(out, findings.into_iter().chain(unmatched));
        return Ok(WriteTotals::default());
    }
    findings.extend(unmatched);
    if entries.is_empty() {
        if findings.is_empty() {
            let error = Finding::error("there is no entry to show");
            let advice = "name archives that have entries, and patterns that match some of them";
            findings.push(error.advice(advice));
        }
        return Err(Refusal(findings));
    }
    let destination = Destination::Directory(output.to_path_buf());
    let existing = args.overwrite.existing();
    let guard = Guard::new(&context.system, &destination, existing, &found.files())?;
    let relative = guard.relative(PathBuf::from("index.html"));
    let page = Planned { fate: guard.decide(&relative).map_err(Finding::from)?, relative };
    let mut row = PageRow {
        page: guard.shown(&page.relative),
        status: OutputStatus::Planned(page.fate),
        entries: 0,
        pictures: 0,
        findings,
    };
    if page.fate != Fate::Keep {
        check_files(&guard, &entries)?;
        row.entries = entries.len();
        let options = args.pictures.options()?;
        let beside = archives.clone();
        let pictures = Pictures::open(context, &options, beside, &mut row.findings)?;
        let begin = page::begin(&title(&args.inputs.paths), &names);
        let tiler = Tiler { pictures: &pictures, guard: &guard };
        let written = write(context, &tiler, page, &begin, &entries, &mut row);
        row.status = match &written {
            Ok(fate) => OutputStatus::Done(*fate),
            Err(_) if context.cancel.is_set() => OutputStatus::Stopped,
            Err(_) => OutputStatus::Failed,
        };
        if let Err(mut error) = written {
            error.place.set_path(&*row.page);
            row.findings.push(error);
        }
        row.findings.extend(guard.finish());
    }
    let mut totals = WriteTotals::default();
    let written = WriteTotals { done: 1, entries: row.entries as u64, ..WriteTotals::default() };
    totals.add(row.status, &written);
    let _ = out.row(row);
    Ok(totals)
}

/// An entry, and the number of its archive.
type Numbered<'a> = (usize, Entry<'a>);

/// Refuses files of an earlier page that exist and are not replaced: they would be shown in place of this page's.
fn check_files(guard: &Guard, entries: &[Numbered<'_>]) -> Result<(), Refusal> {
    let (mut refused, mut kept) = (Vec::new(), Vec::new());
    // A place where a folder is needed is reported only once.
    let mut reported = HashSet::new();
    for (archive, entry) in entries {
        for relative in paths_of(*archive, entry) {
            match guard.decide(&relative) {
                Ok(Fate::Keep) => kept.push(guard.shown(&relative)),
                Ok(Fate::New | Fate::Replace) => {}
                Err(error) => {
                    let error = Finding::from(error);
                    if reported.insert(error.place.path.clone()) {
                        refused.push(error);
                    }
                }
            }
        }
    }
    if let Some(first) = kept.first() {
        let why = "the page does not exist, but files of it do, and this is the first";
        refused.push(some_parts_exist(why).at_path(first));
    }
    Refusal::if_any(refused)
}

/// Writes the page and its files. They get their names when all are complete, the page last.
fn write(
    context: &Context<'_>,
    tiler: &Tiler<'_, '_>,
    page: Planned,
    begin: &str,
    entries: &[Numbered<'_>],
    row: &mut PageRow,
) -> Result<Fate, Finding> {
    let bytes = entries.iter().map(|(_, entry)| entry.size());
    context.found(entries.len() as u64, bytes.fold(0, u64::saturating_add));
    let output = tiler.guard.begin(&page.relative)?;
    let mut writer = PageWriter::new(output.sink());
    writer.push(begin)?;
    let mut files = Vec::new();
    for piece in entries.chunks(PIECE) {
        context.cancel.check()?;
        let tiles = context.pool.map(piece, |(archive, entry)| -> Result<_, Finding> {
            let (tile, findings) = tiler.tile(*archive, entry)?;
            // The size of an entry that cannot be read is only what its archive claims.
            let is_read = !findings.iter().any(Finding::is_error);
            context.done(1, if is_read { entry.size() } else { 0 });
            Ok((tile, findings))
        });
        let mut shown = Vec::new();
        for tile in tiles {
            let (mut tile, findings) = tile?;
            row.pictures += usize::from(tile.look == Some(Kind::Picture));
            row.findings.extend(findings);
            files.append(&mut tile.files);
            shown.push(tile);
        }
        writer.files(&shown)?;
    }
    writer.push(page::END)?;
    writer.flush()?;
    context.cancel.check()?;
    let mut group = Group::new(tiler.guard, "files");
    group.add(output, page.fate)?;
    group.extend(files);
    group.commit()
}

/// The title of the page: the last parts of the paths that it shows.
fn title(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        crate::archive::escape(name.as_encoded_bytes()).to_string()
    };
    let names: Vec<String> = paths.iter().take(3).map(name).collect();
    let more = paths.len().saturating_sub(3);
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
#[cfg(unix)]
pub(crate) mod tests {
    use std::ffi::OsString;

    use clap::FromArgMatches as _;

    use super::*;
    use crate::archive::Format;
    use crate::ops::report::Reported;
    use crate::ops::{Cancel, Observer, Work};
    use crate::testing::pak;

    /// The arguments that these words mean.
    pub(crate) fn parsed(words: Vec<OsString>) -> GalleryArgs {
        let command = GalleryArgs::augment_args(clap::Command::new("gallery"));
        GalleryArgs::from_arg_matches(&command.get_matches_from(words)).unwrap()
    }

    /// Stops the run as soon as something is done.
    struct Stop<'a>(&'a Cancel);

    impl Observer for Stop<'_> {
        fn done(&self, _: Work) {
            self.0.set();
        }
    }

    #[test]
    fn a_stopped_page_is_not_reported_as_written() {
        let dir = tempfile::tempdir().unwrap();
        let names: Vec<String> = (0..600).map(|number| format!("{number}.cfg")).collect();
        let files: Vec<_> = names.iter().map(|name| (&**name, &b"text"[..], false)).collect();
        let path = dir.path().join("a.pak");
        std::fs::write(&path, pak(Format::Quake, &files)).unwrap();
        let cancel = Cancel::new();
        let stop = Stop(&cancel);
        let context = Context::new().observed_by(&stop).stopped_by(&cancel);
        let args = parsed(vec!["gallery".into(), path.into_os_string()]);
        let output = dir.path().join("look");
        let mut reported = Reported::default();
        let totals = gallery(&context, &args, &Selection::all(), &output, &mut reported).unwrap();
        assert_eq!((totals.done, totals.failed), (0, 1));
        assert!(reported.findings.is_empty());
        let statuses: Vec<OutputStatus> = reported.rows.iter().map(|page| page.status).collect();
        assert_eq!(statuses, [OutputStatus::Stopped]);
        assert!(!output.exists());
    }
}
