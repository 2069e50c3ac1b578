//! `show`: entries and files as people look at them: pictures in the terminal, text, or facts.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;

use crate::Entry;
use crate::cli::args::{PictureArgs, SHOWN, number};
use crate::cli::complete;
use crate::cli::output::{DataKind, Stdout};
use crate::cli::render::json_line;
use crate::cli::render::show::{block, details, in_short, which};
use crate::cli::terminal::{self, ColorDepth, Room};
use crate::cli::text::{self, Escaper};
use crate::cli::ui::Ui;
use crate::media::{FileType, Picture};
use crate::ops::finding::{self, Finding, Help};
use crate::ops::pictures::Pictures;
use crate::ops::read::facts::whole;
use crate::ops::row::EntryRow;
use crate::ops::source::directory::loose_file;
use crate::ops::source::named::find;
use crate::ops::source::{Wanted, is_loose_file, one_or_loose_file};
use crate::ops::{Context, Refusal};

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

/// How many bytes of an entry are examined to find out whether it is text.
const LOOKED_AT: u64 = 4096;

const COLOURLESS: &str = "pictures are drawn in colours here, which are turned off: these are their facts; --color always draws them";
const UNDECODED: &str = "PNG and JPEG are not decoded: these are their facts; 'daisho cat ARCHIVE NAME | chafa' draws them";

pub(super) fn run(args: &ShowArgs, ui: &Ui) -> Result<(), Refusal> {
    if ui.json && args.width.is_some() {
        let error = Finding::error("--json cannot be combined with --width");
        return Err(error.advice("give one of them, or try '--help'").into());
    }
    let context = ui.context();
    let (paths, wanted) = args.entries(&context)?;
    let mut findings = Vec::new();
    let mut archives = Vec::new();
    for path in paths {
        let archive = one_or_loose_file(&context, path, &mut findings)?;
        if wanted.is_empty() && loose_file(&archive).is_none() {
            let error = Finding::error("this is an archive, and no entry of it is named")
                .advice("give the names of entries after it")
                .help(Help::ListNames);
            return Err(error.at_path(path).into());
        }
        findings.extend(finding::archive_errors(&archive));
        archives.push(archive);
    }
    let way = if ui.json { Way::Facts } else { way() };
    let mut pictures = None;
    if way != Way::Facts {
        let options = args.pictures.options()?;
        pictures = Some(Pictures::open(&context, &options, Vec::new(), &mut findings)?);
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
    let Some(mut out) = ui.stdout(DataKind::Text) else {
        return Ok(());
    };
    let several = paths.len() > 1 || wanted.len() > 1;
    let room = Room::here(args.width);
    let mut viewer =
        Viewer { way, pictures, room, several, ui, out: &mut out, findings, undrawn: None };
    let mut written = Ok(());
    let mut is_first = true;
    for entry in entries {
        context.cancel.check()?;
        let (facts, error) = whole(entry);
        let is_sound = error.is_none();
        viewer.findings.extend(error);
        let Some(facts) = facts else { continue };
        if !is_first && !ui.json {
            written = writeln!(viewer.out);
        }
        is_first = false;
        written = written.and_then(|()| viewer.show(&entry, &facts, is_sound));
        if written.is_err() {
            break;
        }
    }
    written = written.and_then(|()| viewer.out.flush());
    let Viewer { mut findings, undrawn, .. } = viewer;
    for archive in &archives {
        findings.extend(finding::reserved_reading(archive));
    }
    ui.findings(&findings);
    if let Some(note) = undrawn {
        ui.note(note);
    }
    ui.close(out, written);
    Ok(())
}

/// How entries are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Their facts.
    Facts,
    /// As text, or as pictures in so many colours.
    Drawn(ColorDepth),
    /// As text, and pictures as their facts.
    Text,
}

/// Shows entries on standard output.
struct Viewer<'v> {
    way: Way,
    /// Decodes pictures. `None` if only facts are shown.
    pictures: Option<Pictures>,
    room: Room,
    several: bool,
    ui: &'v Ui,
    out: &'v mut Stdout,
    /// What could not be read.
    findings: Vec<Finding>,
    /// Why a picture was not drawn.
    undrawn: Option<&'static str>,
}

impl Viewer<'_> {
    /// Shows an entry. Only the facts are shown of one that is not sound.
    fn show(&mut self, entry: &Entry<'_>, facts: &EntryRow, is_sound: bool) -> io::Result<()> {
        let (Some(pictures), Some(details), true) = (&self.pictures, details(facts), is_sound)
        else {
            return self.facts(facts);
        };
        if matches!(details.file_type, Some(FileType::Png | FileType::Jpeg)) {
            self.undrawn = Some(UNDECODED);
        } else if Picture::may_be_in(entry.name()) {
            match pictures.decode(entry) {
                Ok(mut picture) => {
                    self.findings.extend(picture.remark.take());
                    let Way::Drawn(colours) = self.way else {
                        self.undrawn = Some(COLOURLESS);
                        return self.facts(facts);
                    };
                    if let Some(whole) = picture.whole() {
                        let drawn = terminal::draw(&whole, &picture.palette, colours, &self.room);
                        self.heading(facts)?;
                        return self.out.write_all(drawn.as_bytes());
                    }
                }
                Err(error) => self.findings.push(error),
            }
        } else if details.file_type.is_none() && !details.is_contrary() {
            match is_text(*entry) {
                Ok(true) => return self.text(entry, facts),
                Ok(false) => {}
                Err(error) => self.findings.push(error),
            }
        }
        self.facts(facts)
    }

    fn facts(&mut self, facts: &EntryRow) -> io::Result<()> {
        if self.ui.json {
            json_line(self.out, facts)
        } else {
            block(self.out, facts, self.ui.verbose)
        }
    }

    /// Writes a line about the next entry if there are several.
    fn heading(&mut self, entry: &EntryRow) -> io::Result<()> {
        if !self.several {
            return Ok(());
        }
        let mut facts = vec![which(entry)];
        facts.extend(in_short(entry));
        writeln!(self.out, "{}", text::scrub(&facts.join(", ")))
    }

    fn text(&mut self, entry: &Entry<'_>, facts: &EntryRow) -> io::Result<()> {
        self.heading(facts)?;
        if let Err(error) = print(self.out, entry)? {
            self.out.flush()?;
            self.ui.finding(&error);
        }
        Ok(())
    }
}

/// Prints an entry's text, up to the damage if it is damaged.
fn print(out: &mut Stdout, entry: &Entry<'_>) -> io::Result<Result<(), Finding>> {
    let mut reader = match entry.reader() {
        Ok(reader) => reader,
        Err(error) => return Ok(Err(error.into())),
    };
    let (mut escaper, mut buffer) = (Escaper::default(), vec![0; 64 * 1024]);
    let read = loop {
        match reader.read_some(&mut buffer) {
            Ok(0) => break Ok(()),
            Ok(read) => {
                let text = escaper.escape(buffer.get(..read).unwrap_or(&buffer));
                out.write_all(text.as_bytes())?;
            }
            Err(error) => break Err(error.into()),
        }
    };
    out.write_all(escaper.end().as_bytes())?;
    Ok(read)
}

/// Whether an entry begins like text: it is not empty, and its beginning has no NUL bytes.
fn is_text(entry: Entry<'_>) -> Result<bool, Finding> {
    // What comes before damage is shown, and the damage is said where it is reached.
    let start = entry.start(LOOKED_AT)?;
    let controls = start.iter();
    let controls = controls.filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    let are_few = controls.count() * 10 <= start.len();
    Ok(!start.is_empty() && !start.contains(&0) && are_few)
}

impl ShowArgs {
    /// The archive and the entries that are named or numbered. If the first path is a file that is no archive, all
    /// paths are files, and no entries are named.
    fn entries(&self, context: &Context<'_>) -> Result<(&[PathBuf], Vec<Wanted>), Finding> {
        let Some((archive, names)) = self.paths.split_first() else {
            return Ok((&[], Vec::new()));
        };
        if self.index.is_empty() && is_loose_file(context, archive) {
            return Ok((&self.paths, Vec::new()));
        }
        if !self.index.is_empty() && !names.is_empty() {
            let error = Finding::error("--index cannot be combined with names");
            return Err(error.advice("give one of them, or try '--help'"));
        }
        let wanted = Wanted::list(names, &self.index);
        Ok((std::slice::from_ref(archive), wanted))
    }
}

/// The best that standard output can show.
fn way() -> Way {
    if text::has_colours() {
        Way::Drawn(terminal::colours())
    } else if io::stdout().is_terminal() {
        Way::Text
    } else {
        Way::Facts
    }
}
