//! `show`: entries and files as people look at them: pictures in the terminal, text, or facts.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::{mem, slice};

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;

use crate::Entry;
use crate::cli::args::{PictureArgs, SHOWN, number};
use crate::cli::complete;
use crate::cli::output::Stdout;
use crate::cli::render::info::{block, details, in_short, which};
use crate::cli::rows::{RunKind, Show};
use crate::cli::terminal::{self, ColorDepth, Room};
use crate::cli::text::{self, Escaper};
use crate::cli::ui::Ui;
use crate::media::{FileType, Picture};
use crate::ops::Refusal;
use crate::ops::finding::{self, Finding, Help};
use crate::ops::pictures::Pictures;
use crate::ops::read::info::whole;
use crate::ops::report::{hand_on, hand_on_rows};
use crate::ops::row::{EntryRow, TEXT};
use crate::ops::source::directory::loose_file;
use crate::ops::source::named::find;
use crate::ops::source::{Wanted, is_loose_file, one};

/// Show entries or files: pictures in the terminal, text, or facts
///
/// Pictures are drawn with coloured half blocks, two pixels per character. If the output is a pipe or a file,
/// 'show' prints the same facts as 'daisho info', unless --color always is given. A FILE that is no archive is shown like an entry.
#[derive(Debug, Args)]
#[command(after_long_help = SHOW, override_usage = USAGE)]
pub(crate) struct ShowArgs {
    /// An archive and the names of entries or folders, or patterns; or files
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::FilePath)]
    #[arg(add = ArgValueCompleter::new(complete::paths_and_names))]
    paths: Vec<PathBuf>,
    /// Numbers of entries of the archive, counted from 0
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    index: Vec<usize>,
    /// Draw at most N columns wide [default: the terminal]
    #[arg(long, value_name = "N", help_heading = SHOWN)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) width: Option<u16>,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

const USAGE: &str = "\
daisho show [OPTIONS] ARCHIVE NAME...
       daisho show [OPTIONS] ARCHIVE --index N...
       daisho show [OPTIONS] FILE...";

const SHOW: &str = "\
Rules:
  PNG and JPEG are not decoded: their facts are shown.
  Other programs draw pictures with more detail: 'daisho cat ARCHIVE NAME
  --png | chafa'.
  If a picture cannot be decoded, its facts are shown and the exit status is
  1.

Examples:
  daisho show pak1.pak pics/load0.pcx
  daisho show pak1.pak textures/e1/wall.wal --game baseq2 --frames
  daisho show pak1.pak --index 0 1 --color always | less -R
  daisho show brick.wal                       a file that is in no archive";

const COLOURLESS: &str = "pictures are drawn in colours here, which are turned off: these are their facts; --color always draws them";
const UNDECODED: &str = "PNG and JPEG are not decoded: these are their facts; 'daisho cat ARCHIVE NAME | chafa' draws them";

pub(super) fn run(args: &ShowArgs, ui: &Ui) -> Result<(), Refusal> {
    if ui.json && args.width.is_some() {
        let error = Finding::error("--json cannot be combined with --width");
        return Err(error.advice("give one of them, or try '--help'").into());
    }
    let context = ui.context();
    // If the first path is a file that is no archive, all paths are files, and no entries are named.
    let (mut paths, mut wanted) = (args.paths.as_slice(), Vec::new());
    if let Some((archive, names)) = args.paths.split_first()
        && (!args.index.is_empty() || !is_loose_file(&context, archive))
    {
        if !args.index.is_empty() && !names.is_empty() {
            let error = Finding::error("--index cannot be combined with names");
            return Err(error.advice("give one of them, or try '--help'").into());
        }
        paths = slice::from_ref(archive);
        wanted = Wanted::list(names, &args.index);
    }
    let (mut findings, mut archives) = (Vec::new(), Vec::new());
    for path in paths {
        let archive = one(&context, path, true, &mut findings)?;
        if wanted.is_empty() && loose_file(&archive).is_none() {
            let error = Finding::error("this is an archive, and no entry of it is named")
                .advice("give the names of entries after it")
                .help(Help::ListNames);
            return Err(error.at_path(path).into());
        }
        findings.extend(finding::archive_errors(&archive));
        archives.push(archive);
    }
    let mut viewer = Viewer {
        pictures: None,
        colours: text::has_colours().then(terminal::colours),
        room: Room::here(args.width),
        several: paths.len() > 1 || wanted.len() > 1,
        ui,
        is_first: true,
        undrawn: None,
    };
    if !ui.json && (viewer.colours.is_some() || io::stdout().is_terminal()) {
        let options = args.pictures.options()?;
        viewer.pictures = Some(Pictures::open(&context, &options, Vec::new(), &mut findings)?);
    }
    let mut entries = Vec::new();
    for (path, archive) in paths.iter().zip(&archives) {
        if wanted.is_empty() {
            entries.extend(archive.entries());
        }
        for wanted in &wanted {
            match find(archive, wanted, false) {
                Ok(found) => entries.extend(found),
                Err(error) => findings.push(error.at_path(path)),
            }
        }
    }
    ui.run(RunKind::Looks, &mut viewer, |context, out| {
        hand_on(out, findings);
        for entry in entries {
            context.cancel.check()?;
            let (facts, error) = whole(entry);
            let entry = error.is_none().then_some(entry);
            hand_on(out, error);
            let row = facts.map(|facts| EntryToShow { facts, entry });
            if hand_on_rows(out, row).is_break() {
                break;
            }
        }
        hand_on(out, archives.iter().filter_map(|archive| finding::reserved_reading(archive)));
        Ok(())
    })?;
    if let Some(note) = viewer.undrawn {
        ui.note(note);
    }
    Ok(())
}

/// Shows entries: pictures, texts, and the facts of all others.
struct Viewer<'v> {
    /// Decodes pictures. `None` if only facts are shown.
    pictures: Option<Pictures>,
    /// `None` if pictures are not drawn.
    colours: Option<ColorDepth>,
    room: Room,
    several: bool,
    ui: &'v Ui,
    is_first: bool,
    /// Why a picture was not drawn.
    undrawn: Option<&'static str>,
}

/// An entry to show.
#[derive(serde::Serialize)]
struct EntryToShow<'a> {
    #[serde(flatten)]
    facts: EntryRow,
    /// `None` if it is damaged.
    #[serde(skip)]
    entry: Option<Entry<'a>>,
}

impl Show<EntryToShow<'_>> for Viewer<'_> {
    fn text(&mut self, out: &mut Stdout, row: EntryToShow<'_>) -> io::Result<()> {
        let EntryToShow { facts, entry } = row;
        if !mem::take(&mut self.is_first) {
            writeln!(out)?;
        }
        let mut is_shown = false;
        if let (true, Some(entry), Some(details)) =
            (self.pictures.is_some(), entry, details(&facts))
        {
            if matches!(details.file_type, Some(FileType::Png | FileType::Jpeg)) {
                self.undrawn = Some(UNDECODED);
            } else if Picture::may_be_in(entry.name()) {
                is_shown = self.draw(out, &entry, &facts)?;
            } else if facts.facts.as_ref().is_some_and(|it| it.other == Some(TEXT))
                && !details.is_contrary()
            {
                is_shown = self.print(out, &entry, &facts)?;
            }
        }
        if is_shown { Ok(()) } else { block(out, &facts, self.ui.verbose) }
    }
}

impl Viewer<'_> {
    /// Draws a picture. Returns whether it was drawn.
    fn draw(&mut self, out: &mut Stdout, entry: &Entry<'_>, facts: &EntryRow) -> io::Result<bool> {
        let picture = match self.pictures.as_ref().map(|pictures| pictures.decode(entry)) {
            Some(Ok(picture)) => picture,
            Some(Err(error)) => return self.report(out, &error),
            None => return Ok(false),
        };
        if let Some(remark) = &picture.remark {
            self.report(out, remark)?;
        }
        let Some(colours) = self.colours else {
            self.undrawn = Some(COLOURLESS);
            return Ok(false);
        };
        let Some(whole) = picture.whole() else {
            return Ok(false);
        };
        self.heading(out, facts)?;
        let drawn = terminal::draw(&whole, &picture.palette, colours, &self.room);
        out.write_all(drawn.as_bytes())?;
        Ok(true)
    }

    /// Prints an entry's text, up to the damage if it is damaged. Returns whether it was printed.
    fn print(&self, out: &mut Stdout, entry: &Entry<'_>, facts: &EntryRow) -> io::Result<bool> {
        let mut reader = match entry.reader() {
            Ok(reader) => reader,
            Err(error) => return self.report(out, &error.into()),
        };
        self.heading(out, facts)?;
        let (mut escaper, mut buffer) = (Escaper::default(), vec![0; 64 * 1024]);
        let damage = loop {
            match reader.read_some(&mut buffer) {
                Ok(0) => break None,
                Ok(read) => {
                    let text = escaper.escape(buffer.get(..read).unwrap_or(&buffer));
                    out.write_all(text.as_bytes())?;
                }
                Err(error) => break Some(error),
            }
        };
        out.write_all(escaper.end().as_bytes())?;
        if let Some(error) = damage {
            self.report(out, &error.into())?;
        }
        Ok(true)
    }

    /// Reports a finding, after what was shown before it. Nothing more was shown.
    fn report(&self, out: &mut Stdout, finding: &Finding) -> io::Result<bool> {
        out.flush()?;
        self.ui.finding(finding);
        Ok(false)
    }

    /// Writes a line about the next entry if there are several.
    fn heading(&self, out: &mut Stdout, entry: &EntryRow) -> io::Result<()> {
        if !self.several {
            return Ok(());
        }
        let mut facts = vec![which(entry)];
        facts.extend(in_short(entry));
        writeln!(out, "{}", text::scrub(&facts.join(", ")))
    }
}
