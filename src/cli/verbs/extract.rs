//! `extract`: writes the files of archives into directories, or only the files that an engine serves.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::archive::quoted;
use crate::cli::args::{EngineArgs, ExpansionArgs, OverwriteArgs, PictureArgs, SERVED};
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::output::Stdout;
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::cli::verbs::which;
use crate::ops::finding::Finding;
use crate::ops::row::{Fate, OutputStatus};
use crate::ops::{
    ExtractOptions, ExtractRow, ExtractedArchive, FileRow, Refusal, extract, extract_served,
};

/// Extract files from archives
///
/// A single archive goes into DIR, by default ./STEM, which is its file name without the extension. If there are
/// several, each goes into DIR/PATH/STEM. Nothing is written outside of that directory, whatever names are in the
/// archive. Damaged entries are reported, and all others are written.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Extract into DIR, which is created if necessary [default: ./STEM]
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(help_heading = "Output")]
    directory: Option<PathBuf>,
    /// Make all names lower case
    #[arg(long, help_heading = "Output")]
    lowercase: bool,
    /// Put all files into DIR itself, without folders
    ///
    /// If several files have the same name, the first one gets it; the others become NAME.dup-INDEX.
    #[arg(long, requires = "directory", help_heading = "Output")]
    flat: bool,
    /// Also extract entries whose names are not allowed, into _rescued/
    #[arg(long, help_heading = "Output")]
    rescue: bool,
    /// Write pictures as PNG, with .png added to their names
    ///
    /// Pictures are .wal, .lmp, .mip, .pcx, .tga, .bmp, .spr, .m8, .m32 and .swl. Other files are written as
    /// they are. A PATH can also be a picture that is in no archive. Without -C, its PNG goes into the current
    /// directory.
    #[arg(long, help_heading = "Pictures")]
    pub(crate) png: bool,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
    /// Find the files of a truncated ZIP (exit status 1)
    #[arg(long, conflicts_with = "effective", help_heading = None)]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    /// Extract a game as its engine sees it
    ///
    /// PATHs are the directories of a game, the base first. daisho extracts the copy of each file that the
    /// engine would use.
    #[arg(long, requires = "directory", conflicts_with = "flat", help_heading = SERVED)]
    pub(crate) effective: bool,
    /// Include files outside of archives, as the engine does
    #[arg(long, requires = "effective", help_heading = SERVED, hide_short_help = true)]
    pub(crate) loose: bool,
    #[command(flatten, next_help_heading = SERVED)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    /// Show what would be done, and do nothing
    #[arg(short = 'n', long, help_heading = "Overwriting")]
    dry_run: bool,
}

const USAGE: &str = "\
daisho extract [OPTIONS] PATH... [NAME|GLOB]...";

const AFTER: &str = "\
Rules:
  After the first archive, an argument that is not an archive is the name of an
  entry, a folder, or a pattern, and -i adds to them. If one matches nothing,
  nothing is written, and the exit status is 1.
  '\\' in a name becomes '/'. An entry is skipped if its name leads upwards, is
  absolute, or is not allowed on some system; see --rescue.
  Everything is planned first. If one of the files exists and neither -f nor -k
  is given, nothing is written and the exit status is 2.

Examples:
  daisho extract pak0.pak                       everything, into pak0/
  daisho extract pak0.pak maps/e1m1.bsp sound/  a file and a folder
  daisho extract pak0.pak -C q/ '*.wav'         sounds only
  daisho extract pak0.pak -C look --png pics/   pictures as PNG
  daisho extract --png brick.wal                brick.wal.png
  daisho extract pak0.pak -n                    only say what would be written
  daisho extract --effective id1 mymod -C all/  a mod as it is played";

pub(super) fn run(mut args: ExtractArgs, ui: &Ui) -> Result<(), Refusal> {
    let pictures = args.pictures.options_if(args.png)?;
    let (globs, effective) = (&args.globs, args.effective);
    let selection = args.inputs.selection(globs, effective, ui)?;
    let is_several = args.inputs.is_several();
    let (listed, paths) = (args.inputs.list.is_given(), args.inputs.paths);
    let options = ExtractOptions {
        directory: args.directory,
        lowercase: args.lowercase,
        flat: args.flat,
        rescue: args.rescue,
        listed,
        selection,
        existing: args.overwrite.existing(),
        dry_run: args.dry_run,
        pictures,
        max_expansion: args.expansion.max_expansion,
    };
    let mut told = Told {
        is_planned: options.dry_run,
        is_game: args.effective,
        several: is_several || args.effective,
        ui,
        counts: Counts::default(),
        total: Counts::default(),
        archives: 0,
        has_loose: false,
        without: 0,
    };
    if args.effective {
        let view = which::open_view(&paths, args.engine.engine, args.loose, ui)?;
        ui.run(RunKind::Writes, &mut told, |context, out| {
            extract_served(context, &view, &options, out)
        })?;
    } else {
        ui.run(RunKind::Writes, &mut told, |context, out| extract(context, &paths, &options, out))?;
    }
    told.end();
    Ok(())
}

/// Says what becomes of files, archive by archive.
struct Told<'g> {
    is_planned: bool,
    /// Whether a game's files are extracted, as an engine serves them.
    is_game: bool,
    /// Whether there are several archives, or may be.
    several: bool,
    ui: &'g Ui,
    /// The counts for the current archive so far.
    counts: Counts,
    /// The counts for all archives.
    total: Counts,
    archives: usize,
    /// Whether the user named a file that is no archive.
    has_loose: bool,
    /// The number of archives without a file to extract.
    without: usize,
}

impl Show<ExtractRow> for Told<'_> {
    fn findings(row: &ExtractRow) -> &[Finding] {
        match row {
            ExtractRow::File(file) => &file.findings,
            ExtractRow::End(_) => &[],
        }
    }

    fn has_object(row: &ExtractRow) -> bool {
        matches!(row, ExtractRow::File(_))
    }

    fn text(&mut self, out: &mut Stdout, row: ExtractRow) -> io::Result<()> {
        match row {
            ExtractRow::File(file) => self.file(out, &file),
            ExtractRow::End(archive) => self.archive(out, &archive),
        }
    }
}

impl Told<'_> {
    /// Shows what would happen to a file, or with `-v` what happened to it.
    fn file(&mut self, out: &mut Stdout, file: &FileRow) -> io::Result<()> {
        self.counts.add(file);
        self.total.add(file);
        if !self.is_planned {
            if self.ui.verbose {
                self.ui.detail(&detail(file));
            }
            return Ok(());
        }
        let verb = match file.status {
            OutputStatus::Planned(Fate::New) => "write",
            OutputStatus::Planned(Fate::Replace) => "replace",
            OutputStatus::Planned(Fate::Keep) => "keep",
            _ => return Ok(()),
        };
        if self.ui.json { Ok(()) } else { writeln!(out, "{verb} {}", place(file)) }
    }

    /// Prints the line of an archive. Of several, those without a file to extract are only counted.
    fn archive(&mut self, out: &mut Stdout, row: &ExtractedArchive) -> io::Result<()> {
        let counts = core::mem::take(&mut self.counts);
        self.archives += 1;
        self.has_loose |= row.is_loose && !self.is_game;
        if self.several && counts == Counts::default() {
            self.without += 1;
            return Ok(());
        }
        if !self.several {
            self.ui.flush();
        }
        let into = if self.is_planned { "would go into" } else { "into" };
        let what = if row.is_loose { "loose file" } else { "file" };
        let directory = format!(", {into} {}", text::folder(&row.into));
        let line = format!("{}: {}", text::path(&row.archive), counts.in_words(what, &directory));
        self.ui.print(out, self.is_planned, &line)
    }

    /// Prints the totals of several archives.
    fn end(self) {
        if self.archives < 2 && self.without == 0 {
            return;
        }
        let mut archives = text::count(self.archives, "archive", "archives");
        if self.has_loose {
            archives += " and files";
        }
        let mut line = format!("{archives}: {}", self.total.in_words("file", ""));
        if self.without > 0 {
            line += &format!("; {} without a file to extract", self.without);
        }
        self.ui.print_last(self.is_planned, &line);
    }
}

/// `  entry N "name": written to PATH, N bytes`
fn detail(file: &FileRow) -> String {
    let what = match file.status {
        OutputStatus::Planned(Fate::Keep) | OutputStatus::Done(Fate::Keep) => "kept",
        OutputStatus::Done(Fate::Replace) => "written, replacing",
        OutputStatus::Done(Fate::New) | OutputStatus::Planned(_) => "written to",
        OutputStatus::Skipped => "skipped",
        OutputStatus::Failed => "failed",
        OutputStatus::Stopped => "not reached",
    };
    let name = quoted(&file.name);
    let entry = match file.index {
        Some(index) => format!("entry {index} {name}"),
        None => name.to_string(),
    };
    let place = place(file);
    let space = if place.is_empty() { "" } else { " " };
    format!("  {entry}: {what}{space}{place}, {}", text::bytes(file.size))
}

fn place(file: &FileRow) -> String {
    file.file.as_deref().map_or(String::new(), text::path)
}

/// The number of files for each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    written: usize,
    bytes: u64,
    /// The numbers of entries with another status, in the order of [`BESIDES`].
    besides: [usize; BESIDES.len()],
}

/// The words for these.
const BESIDES: [&str; 7] = [
    "written as PNG",
    "replaced",
    "written as NAME.dup-INDEX",
    "kept",
    "skipped",
    "failed",
    "not reached before the run was stopped",
];

impl Counts {
    /// Counts a file.
    fn add(&mut self, file: &FileRow) {
        let [pngs, replaced, duplicates, kept, skipped, failed, stopped] = &mut self.besides;
        match file.status {
            OutputStatus::Planned(Fate::Keep) | OutputStatus::Done(Fate::Keep) => *kept += 1,
            OutputStatus::Planned(fate) | OutputStatus::Done(fate) => {
                self.written += 1;
                self.bytes = self.bytes.saturating_add(file.size);
                *replaced += usize::from(fate == Fate::Replace);
                *pngs += usize::from(file.is_png);
                *duplicates += usize::from(file.aside.is_some());
            }
            OutputStatus::Skipped => *skipped += 1,
            OutputStatus::Failed => *failed += 1,
            OutputStatus::Stopped => *stopped += 1,
        }
    }

    /// `N files, N bytes, into DIR/; 1 kept, 2 failed`
    fn in_words(&self, one: &str, directory: &str) -> String {
        let files = text::count(self.written, one, &format!("{one}s"));
        let bytes = text::bytes(self.bytes);
        let besides = text::counts(self.besides.into_iter().zip(BESIDES));
        let between = if besides.is_empty() { "" } else { "; " };
        format!("{files}, {bytes}{directory}{between}{besides}")
    }
}
