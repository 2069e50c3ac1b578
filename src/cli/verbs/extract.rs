//! `extract`: writes the files of paks, or those that an engine serves, into directories.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use daisho::archive::quoted;
use daisho::ops::context::{Problem, Refusal};
use daisho::ops::extract::{
    ExtractOptions, Extracted, ExtractedFile, ExtractedPak, extract, extract_served, split_names,
};
use daisho::ops::write::Outcome;

use super::{view, written};
use crate::cli::args::{
    EngineArgs, ExistingArgs, ExpansionArgs, GlobArgs, InputArgs, PictureArgs, SERVED, SHOWN,
    SyncArgs,
};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind, Output};
use crate::cli::text;
use crate::cli::values::number;

/// Write the files of paks into directories
///
/// One pak goes straight into DIR (default: a directory named as the pak is, without its
/// extension). Several paks, or any with -r, get a directory each: DIR/PATH/STEM/. Behind a pak,
/// names pick entries, as tar and unzip take them: 'daisho extract pak0.pak maps/e1m1.bsp'.
///
/// It never writes outside of that directory, whatever names the pak holds, and never through a
/// link that stands in it. A damaged entry leaves no file; it is named, and all others are
/// written.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// The directory to write into; made where it is missing [default: ./STEM]
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(help_heading = "Where it goes")]
    pub(crate) directory: Option<PathBuf>,
    /// Make all names lower case
    ///
    /// Names that become one by this are treated as duplicates; of what an engine serves, one is
    /// taken.
    #[arg(long, help_heading = "Where it goes")]
    pub(crate) lowercase: bool,
    /// Leave out the first N directories of each path
    ///
    /// Entries of whose paths nothing is left then are left out, and counted.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<usize>)]
    #[arg(
        hide_default_value = true,
        help_heading = "Where it goes",
        hide_short_help = true
    )]
    pub(crate) strip_components: usize,
    /// Put all files into DIR itself, without the directories that their names say
    ///
    /// Of files of one path the first gets it. Another one of the same pak is put aside as a duplicate
    /// is; those of another pak go into DIR/PATH/STEM/, where they would go without --flat. Here paths
    /// are one if only case tells them apart, whatever the file system says. What is put aside is counted,
    /// and -v names it.
    #[arg(long, requires = "directory", conflicts_with_all = ["effective", "strip_components"])]
    #[arg(help_heading = "Where it goes")]
    pub(crate) flat: bool,
    /// Extract entries whose names no file may have, too
    ///
    /// They go to _rescued/ under an escaped name. Without it they are named and skipped, and the
    /// exit status is 1.
    #[arg(long, help_heading = "Where it goes")]
    pub(crate) rescue: bool,
    /// Write pictures as PNG, named as they are with .png behind that; everything else as it is
    ///
    /// What is a picture its name says: .wal, .lmp, .mip, .pcx, .tga, .bmp, .spr, .m8, .m32, .swl, the
    /// first picture of a .cin, Quake's end screens. PNG and JPEG stay as they are. One that cannot be
    /// decoded is named, and the exit status is 1. '--kind picture --kind sprite --kind lump' leaves out the rest.
    #[arg(long = "as", value_name = "png", help_heading = "Pictures")]
    pub(crate) format: Option<PictureFormat>,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    #[command(flatten)]
    pub(crate) sync: SyncArgs,
    /// Extract what an engine serves from a game's directories
    ///
    /// PATHs are directories such as id1, the base first and mods after it. Of each name only the
    /// copy is taken that the engine serves from the paks, as 'daisho list --effective' shows it;
    /// all go straight into DIR, which must be given. Of names that the engine takes for one, or
    /// that --lowercase makes one, one is taken, and the others are reported.
    #[arg(long, conflicts_with = "recursive", requires = "directory", help_heading = SERVED)]
    pub(crate) effective: bool,
    /// Copy loose files, too, where they are served; they can shadow those in paks
    #[arg(long, requires = "effective", help_heading = SERVED, hide_short_help = true)]
    pub(crate) loose: bool,
    #[command(flatten, next_help_heading = SERVED)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) existing: ExistingArgs,
    /// Print a row of JSON for each file: what became of it, and where it is
    #[arg(long, help_heading = SHOWN, hide_short_help = true)]
    pub(crate) json: bool,
}

/// What pictures become.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PictureFormat {
    /// Portable Network Graphics
    Png,
}

impl ExtractArgs {
    /// Refuses options of pictures where these stay as they are.
    pub(crate) fn check(&self) -> Result<(), Message> {
        if self.pictures.is_given() && self.format.is_none() {
            return Err(
                Message::error("these options are about pictures that are decoded")
                    .help("give --as png as well, or try '--help'"),
            );
        }
        if self.effective {
            return Ok(());
        }
        self.engine.check_absent()
    }
}

const USAGE: &str = "\
daisho extract [OPTIONS] PAK [PAK|NAME]...
       daisho extract [OPTIONS] PATH...";

const AFTER: &str = "\
Rules:
  The first argument is a pak. What stands behind it is a pak as well where it is a file that
  begins as one, and else a name, even if there is a file or directory of this name here. With -r
  or --files-from all are paths. A pak that is also the name of an entry in one before it is taken
  as a pak, with a warning. A name picks the entry of this whole name, or all in the directory of
  this name, of each pak; one with '*', '?', '[' or '{' is a glob as well, as with -i. ASCII case
  and the kind of slash make no difference, and -x wins. A name that no entry has, and an argument
  that is missing, are refused before anything is written, with what was probably meant, and the
  exit status is 2.
  Paks that would share a directory, as pak0.pak and pak0.bak do: one without an extension gets
  STEM/, or else the one called .pak, or the first; the others get directories of their whole
  names, as pak0.bak/, and a warning. Paks of one whole name from different places are refused:
  extract each with a -C of its own.
  With --effective all paks share DIR. Of names that are two to the engine and one as a path
  ('d\\e' and 'd/e'), the one that is spelled as the path gets it, and the other is put aside.
  Names: '\\' becomes '/'. A name that leads upwards, is absolute, or is no file's name on some
  system (a device, a control byte, a dot at the end) is reported and skipped: see --rescue.
  Duplicates: the first entry of a name, which is the one that most engines serve, gets the plain
  name; the others are put aside as NAME.dup-INDEX, and reported. INDEX counts from 0, as
  everywhere. Where that is the name of another entry, it is NAME.dup-INDEX-2, and so on.
  A file against a directory ('a' and 'a/b'): the file is put aside as a.dup-INDEX, whichever of
  the two comes first.
  Names that differ in case alone, or in Unicode's form alone: each gets its own file where the
  file system tells them apart; where it does not, the later ones are put aside in the same way.
  Links: DIR itself may be one. Below it none is followed; -f replaces a link itself.
  All files are planned first. If one exists, nothing is written, all that stand in the way are
  listed, and the exit status is 2: see -f and -k. Directories, pipes and sources are in the way
  even then. So are two paks that would write to one place. What appears later, while files are
  written, is treated alike: -k keeps it, -f replaces it, and without them that file fails by
  name.
  --max-expansion: a shared payload counts once for each name that gets a file. Files that -k
  keeps and entries that -i and -x leave out do not count.
  Each file appears whole or not at all. Paks hold no times and no rights, so none are set.

Words of the summary:
  replaced     a file stood there, and -f was given
  put aside    a duplicate, written as NAME.dup-INDEX
  kept         a file stood there, and -k was given
  skipped      no file may have such a name; --rescue writes it
  failed       damaged, or not to be written; the errors say why
  not reached  the run was stopped before it
  left out     --strip-components left nothing of its path

Examples:
  daisho extract pak0.pak                        everything, into pak0/
  daisho extract pak0.pak maps/e1m1.bsp sound    one file, and all below sound/
  daisho extract pak0.pak -C q/ -i '*.wav'       sounds only
  daisho extract pak0.pak pak1.pak 'maps/*' -C q/
                                                 of two paks, into q/pak0/ and q/pak1/
  daisho extract pak0.pak -i 'maps/**' -x '*.ent'
  daisho extract -r games/ --kind sound --flat -C sounds/
                                                 all sounds, in one directory
  daisho extract -r games/ -C out/ -k            all paks below games/, what is there is kept
  daisho extract pak0.pak -C look --as png --kind picture
                                                 pictures, to look at
  daisho extract pak0.pak -n                     what would be written, and where
  daisho extract --effective id1 mymod -C all/   what a mod is played with";

pub(super) fn run(args: ExtractArgs, global: &Global) -> Result<Exit, Refusal> {
    let only_paths = args.inputs.recursive || args.inputs.list.is_given() || args.effective;
    let (paths, names) = if only_paths {
        (args.inputs.paths.clone(), Vec::new())
    } else {
        split_names(&args.inputs.paths, false)
    };
    let names = names.iter().map(|name| name.as_os_str().as_encoded_bytes());
    let selection = args.globs.selection()?.with_names(names);
    let options = ExtractOptions {
        search: args.inputs.search(),
        directory: args.directory,
        selection,
        existing: args.existing.existing(),
        dry_run: args.existing.dry_run,
        sync: args.sync.sync,
        lowercase: args.lowercase,
        rescue: args.rescue,
        strip_components: args.strip_components,
        flat: args.flat,
        pictures: args
            .format
            .map(|PictureFormat::Png| args.pictures.options()),
        max_expansion: args.expansion.max_expansion,
    };
    let done = if args.effective {
        let view = view::open(&paths, args.engine.engine, global)?;
        global.observe(|context| extract_served(context, &view, args.loose, &options))
    } else {
        global.observe(|context| extract(context, &paths, &options))
    };
    let mut report = done?;
    if args.json {
        return Ok(output::write(global, Kind::Text, |out| {
            json::unread(out, &report.problems)?;
            let mut rows = Rows::new(out);
            tell(&mut report, options.dry_run, Some(&mut rows), global);
            rows.written.map(|()| Exit::Done)
        }));
    }
    let shown = match options.dry_run {
        true => written::show_plan(planned(&report), global),
        false => Exit::Done,
    };
    tell(&mut report, options.dry_run, None, global);
    Ok(shown)
}

/// A line for each file that would be written or kept.
fn planned(report: &Extracted) -> impl Iterator<Item = String> {
    let line = |pak: &ExtractedPak, file: &ExtractedFile<'_>| {
        let verb = match file.outcome {
            Outcome::Written => "write",
            Outcome::Replaced => "replace",
            Outcome::Kept => "keep",
            _ => return None,
        };
        Some(format!("{verb} {}", place(pak, file)))
    };
    let lines = move |pak| ExtractedPak::files(pak).filter_map(move |file| line(pak, &file));
    report.paks.iter().flat_map(lines)
}

/// Reports what became of all archives, and writes rows of their files, if these are wanted.
fn tell(report: &mut Extracted, dry_run: bool, mut rows: Option<&mut Rows<'_>>, global: &Global) {
    let messages = &global.messages;
    messages.problems(&report.problems);
    let several = report.paks.len() > 1;
    let (mut total, mut without) = (Counts::default(), 0);
    for pak in &mut report.paks {
        for problem in pak.take_problems() {
            messages.problem(&problem);
            if let Some(rows) = &mut rows {
                rows.note(&problem);
            }
        }
        if let Some(rows) = &mut rows {
            rows.write(pak, dry_run);
        }
        if !dry_run && messages.is_verbose() {
            for file in pak.files() {
                messages.detail(&detail(pak, &file));
            }
        }
        if !several {
            messages.flush();
        }
        let counts = Counts::of(pak);
        if several && counts == Counts::default() {
            without += 1;
            continue;
        }
        let place = text::path(&pak.path);
        let into = if dry_run { "would go into" } else { "into" };
        let what = if pak.is_loose { "loose file" } else { "file" };
        let directory = format!(", {into} {}", directory(pak));
        messages.line(&format!("{place}: {}", counts.in_words(what, &directory)));
        total += counts;
    }
    if several {
        // Of one pak there can be two, with --flat.
        let paks = report.paks.chunk_by(|a, b| a.path == b.path).count();
        let paks = text::count(paks, "pak", "paks");
        let mut line = format!("{paks}: {}", total.in_words("file", ""));
        if without > 0 {
            line += &format!("; {without} without a match");
        }
        messages.note(&line);
    }
}

/// Rows of JSON, one for each file that an archive's entries became, or were to.
struct Rows<'o> {
    out: &'o mut Output,
    /// Why entries of the next archive failed, by their numbers.
    failed: HashMap<usize, String>,
    /// What has come of writing.
    written: io::Result<()>,
}

impl<'o> Rows<'o> {
    fn new(out: &'o mut Output) -> Self {
        Self {
            out,
            failed: HashMap::new(),
            written: Ok(()),
        }
    }

    /// Remembers a problem of the archive that is written next.
    fn note(&mut self, problem: &Problem) {
        let error = Some(&problem.error).filter(|_| problem.is_error());
        let failed = error.and_then(|it| Some((it.entry()?.0, it.kind().to_string())));
        self.failed.extend(failed);
    }

    fn write(&mut self, pak: &ExtractedPak, dry_run: bool) {
        let mut files = pak.files();
        if self.written.is_ok() {
            self.written = files.try_for_each(|file| self.row(pak, &file, dry_run));
        }
        self.failed.clear();
    }

    fn row(&mut self, pak: &ExtractedPak, file: &ExtractedFile<'_>, dry: bool) -> io::Result<()> {
        let replaces = file.outcome == Outcome::Replaced;
        let status = match file.outcome {
            Outcome::Written | Outcome::Replaced if dry => Outcome::Planned,
            outcome => outcome,
        };
        json::row(self.out, |row| {
            row.path("pak", &pak.path)?;
            if let Some(index) = file.index {
                row.field("index", index)?;
            }
            row.text("name", file.name)?;
            if let Some(path) = &file.path {
                row.path("file", &pak.destination.join(path))?;
            }
            row.field("size", file.size)?;
            row.field("status", written::status(status))?;
            row.field("replaces", replaces)?;
            match file.index.and_then(|index| self.failed.get(&index)) {
                Some(problem) => row.field("problem", problem),
                None => Ok(()),
            }
        })
    }
}

/// `  entry N "name": written to PATH, N bytes`
fn detail(pak: &ExtractedPak, file: &ExtractedFile<'_>) -> String {
    let what = match file.outcome {
        Outcome::Written | Outcome::Planned => "written to",
        Outcome::Replaced => "written, replacing",
        Outcome::Kept => "kept",
        Outcome::Skipped => "skipped",
        Outcome::Failed => "failed",
        Outcome::Stopped => "not reached",
    };
    let name = quoted(file.name);
    let entry = match file.index {
        Some(index) => format!("entry {index} {name}"),
        None => name.to_string(),
    };
    let place = place(pak, file);
    let space = if place.is_empty() { "" } else { " " };
    format!(
        "  {entry}: {what}{space}{place}, {}",
        text::bytes(file.size)
    )
}

/// How many files came to which end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    written: usize,
    bytes: u64,
    /// Beside those, in the order of [`BESIDES`].
    besides: [usize; BESIDES.len()],
}

/// What else becomes of entries.
const BESIDES: [&str; 7] = [
    "replaced",
    "put aside",
    "kept",
    "skipped",
    "failed",
    "not reached before the run was stopped",
    "left out",
];

impl Counts {
    fn of(pak: &ExtractedPak) -> Self {
        let (written, replaced) = (pak.count(Outcome::Written), pak.count(Outcome::Replaced));
        Self {
            written: written.0 + replaced.0,
            bytes: written.1.saturating_add(replaced.1),
            besides: [
                replaced.0,
                pak.count_aside(),
                pak.count(Outcome::Kept).0,
                pak.count(Outcome::Skipped).0,
                pak.count(Outcome::Failed).0,
                pak.count(Outcome::Stopped).0,
                pak.left_out,
            ],
        }
    }

    /// `N files, N bytes, into DIR/; 1 kept, 2 failed`
    fn in_words(&self, one: &str, directory: &str) -> String {
        let files = text::count(self.written, one, &format!("{one}s"));
        let bytes = text::bytes(self.bytes);
        let besides = self.besides.iter().zip(BESIDES);
        let besides = besides.filter(|(count, _)| **count > 0);
        let besides: Vec<String> = besides
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let between = if besides.is_empty() { "" } else { "; " };
        format!("{files}, {bytes}{directory}{between}{}", besides.join(", "))
    }
}

impl core::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.written += other.written;
        self.bytes = self.bytes.saturating_add(other.bytes);
        for (sum, count) in self.besides.iter_mut().zip(other.besides) {
            *sum += count;
        }
    }
}

/// Where the pak's files go, as a directory.
fn directory(pak: &ExtractedPak) -> String {
    text::folder(&pak.destination)
}

fn place(pak: &ExtractedPak, file: &ExtractedFile<'_>) -> String {
    let path = file.path.as_ref();
    path.map(|path| text::path(&pak.destination.join(path)))
        .unwrap_or_default()
}
