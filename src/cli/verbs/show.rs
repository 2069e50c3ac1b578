//! `show`: entries as people look at them.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use daisho::Entry;
use daisho::archive::quoted;
use daisho::ops::finding::Finding;

use daisho::ops::read::show::{Content, Shown, Wanted, show};
use daisho::ops::row::EntryRow;

use crate::cli::args::{PictureArgs, SHOWN};
use crate::cli::complete;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind, Output, go_on};
use crate::cli::render::facts::{block, details};
use crate::cli::terminal::{self, Protocol, Room};
use crate::cli::text::{self, Escaper};
use crate::cli::values::number;

/// Show entries: pictures in the terminal, text as text, of all else what it is
///
/// Pictures are drawn by the protocol of kitty or iTerm2 if the environment names such a terminal, and else as
/// half blocks in colours. Large pictures are scaled down, tiny ones up. Text is shown whole, with
/// control characters escaped.
///
/// To a pipe or a file it prints what 'daisho info ARCHIVE NAME...' prints. It never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = SHOW, override_usage = USAGE)]
pub(crate) struct ShowArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    pub(crate) archive: PathBuf,
    /// An entry's name
    #[arg(
        value_name = "NAME",
        add = ArgValueCompleter::new(complete::names),
        required_unless_present = "index",
        conflicts_with = "index"
    )]
    pub(crate) names: Vec<OsString>,
    /// Entries by their numbers, counted from 0, as 'daisho list' shows them
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    pub(crate) index: Vec<usize>,
    /// How pictures are drawn; what is not 'auto' holds for a pipe, too
    #[arg(long = "as", value_name = "HOW", default_value = "auto", help_heading = SHOWN)]
    pub(crate) how: How,
    /// Draw pictures at most N columns wide, and as high as that takes
    ///
    /// By default they fit the terminal, but for two lines.
    #[arg(long, value_name = "N", help_heading = SHOWN)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) width: Option<u16>,
    /// One JSON object a line, as 'daisho info' has it
    #[arg(long, help_heading = SHOWN, conflicts_with_all = ["how", "width"])]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

/// How pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum How {
    /// By the terminal's environment variables; to a pipe, facts
    Auto,
    /// As kitty and Ghostty take them
    Kitty,
    /// As iTerm2, WezTerm and VS Code take them
    Iterm2,
    /// As text: two pixels a character, in 256 colours, or all where COLORTERM says truecolor
    Blocks,
    /// Not at all: the facts of every entry
    Facts,
}

const USAGE: &str = "\
daisho show [OPTIONS] ARCHIVE NAME...
       daisho show [OPTIONS] ARCHIVE --index N...";

const SHOW: &str = "\
Rules:
  Names mean entries as with 'daisho cat'. The name says what is a picture, as with
  'daisho extract --as png'. PNG and JPEG are not decoded: iTerm2 gets both as they are, kitty gets
  PNG. Of what cannot be drawn, and to a pipe, the facts are shown.
  kitty's protocol is used if KITTY_WINDOW_ID, TERM or TERM_PROGRAM names kitty or Ghostty, and
  iTerm2's if TERM_PROGRAM names iTerm2 or WezTerm; within tmux and screen neither is.
  If a picture cannot be decoded, its facts are shown and the exit status is 1.

JSON fields:
  as of an entry in 'daisho info --help'.

Examples:
  daisho show pak1.pak pics/load0.pcx
  daisho show pak1.pak textures/e1/wall.wal --game baseq2 --frames
  daisho show pak1.pak --index 0 1 --as blocks --width 60";

/// What becomes of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Their facts.
    Facts,
    /// What they look like, with pictures drawn so.
    Drawn(Protocol),
    /// The same without pictures.
    Text,
}

pub(super) fn run(args: ShowArgs, global: &Global) -> Exit {
    let way = if args.json { Way::Facts } else { way(args.how) };
    let by_name = |name: OsString| Wanted::Name(name.into_encoded_bytes());
    let names = args.names.into_iter().map(by_name);
    let wanted: Vec<Wanted> = names
        .chain(args.index.into_iter().map(Wanted::Index))
        .collect();
    let options = (way != Way::Facts).then(|| args.pictures.options());
    let kind = if way == Way::Facts {
        Kind::Text
    } else {
        Kind::Drawing
    };
    output::write(global, kind, |out| {
        let mut view = View {
            way,
            room: Room::here(args.width),
            as_json: args.json,
            several: wanted.len() > 1,
            count: 0,
            global,
            out,
            findings: Vec::new(),
            undrawn: None,
        };
        let mut shown = Ok(());
        let visit = |entry: &Shown<'_>| {
            shown = view.show(entry);
            go_on(shown.is_ok())
        };
        let done = show(
            &global.context(),
            &args.archive,
            &wanted,
            options.as_ref(),
            visit,
        );
        shown?;
        view.out.flush()?;
        Ok(match done {
            Ok(findings) => {
                global.messages.findings(&view.findings);
                global.messages.findings(&findings);
                if let Some(note) = view.undrawn {
                    global.messages.note(note);
                }
                Exit::Done
            }
            Err(refusal) => global.messages.refusal(&refusal),
        })
    })
}

/// What is wanted, and what the terminal can do.
fn way(how: How) -> Way {
    match how {
        How::Facts => Way::Facts,
        How::Kitty => Way::Drawn(Protocol::Kitty),
        How::Iterm2 => Way::Drawn(Protocol::Iterm2),
        How::Blocks => Way::Drawn(Protocol::Blocks(terminal::colours())),
        How::Auto if !output::is_terminal() => Way::Facts,
        How::Auto => match terminal::protocol() {
            None => Way::Text,
            Some(Protocol::Blocks(_)) if !output::has_colours() => Way::Text,
            Some(protocol) => Way::Drawn(protocol),
        },
    }
}

/// Entries on their way to standard output.
struct View<'v> {
    way: Way,
    room: Room,
    as_json: bool,
    several: bool,
    count: usize,
    global: &'v Global,
    out: &'v mut Output,
    findings: Vec<Finding>,
    /// Why a picture was not drawn.
    undrawn: Option<&'static str>,
}

const COLOURLESS: &str = "pictures are drawn in colours here, which are turned off: these are their facts; --as blocks draws them";
const PASSED: &str = "PNG and JPEG are not decoded, and this way of drawing cannot pass them on: these are their facts; \
                      --as iterm2 passes on both, --as kitty PNG";

impl View<'_> {
    fn show(&mut self, shown: &Shown<'_>) -> io::Result<()> {
        let between = self.count > 0 && !self.as_json;
        self.count += 1;
        if between {
            writeln!(self.out)?;
        }
        let drawn = match (&shown.content, self.way) {
            (_, Way::Facts) | (Content::Other, _) => None,
            (Content::Text, _) => return self.text(shown),
            (_, Way::Text) => {
                self.undrawn = Some(COLOURLESS);
                None
            }
            (Content::Picture(picture), Way::Drawn(protocol)) => picture
                .whole()
                .map(|whole| terminal::draw(&whole, &picture.palette, protocol, &self.room))
                .transpose()?,
            (Content::File(file, size), Way::Drawn(protocol)) => {
                let is_png = file.starts_with(b"\x89PNG");
                let passed = terminal::pass(file, is_png, *size, protocol, &self.room);
                if passed.is_none() {
                    self.undrawn = Some(PASSED);
                }
                passed
            }
        };
        match drawn {
            Some(drawn) => {
                self.heading(&shown.facts)?;
                self.out.write_all(drawn.as_bytes())
            }
            None => self.facts(&shown.facts),
        }
    }

    fn facts(&mut self, entry: &EntryRow) -> io::Result<()> {
        match self.as_json {
            true => json::line(self.out, entry),
            false => block(self.out, entry, self.global.messages.verbose()),
        }
    }

    /// One line of what comes, where there is more than one to be told apart.
    fn heading(&mut self, entry: &EntryRow) -> io::Result<()> {
        if !self.several {
            return Ok(());
        }
        let (index, name) = (entry.at.index().unwrap_or_default(), quoted(&entry.name));
        let mut facts = vec![format!("entry {index} {name}")];
        if let Some(details) = details(entry) {
            facts.extend(details.file_type.map(|it| it.to_string()));
            facts.push(details.summary());
        }
        facts.retain(|fact| !fact.is_empty());
        writeln!(self.out, "{}", text::scrub(&facts.join(", ")))
    }

    fn text(&mut self, shown: &Shown<'_>) -> io::Result<()> {
        self.heading(&shown.facts)?;
        if let Err(error) = print(self.out, &shown.entry)? {
            self.findings.push(error);
        }
        Ok(())
    }
}

/// Prints an entry's text, whole or up to where it is damaged.
fn print(out: &mut Output, entry: &Entry<'_>) -> io::Result<Result<(), Finding>> {
    let mut reader = match entry.reader() {
        Ok(reader) => reader,
        Err(error) => return Ok(Err(error.into())),
    };
    let (mut escaper, mut buffer) = (Escaper::default(), vec![0; 64 * 1024]);
    let read = loop {
        match reader.read_some(&mut buffer) {
            Ok(0) => break Ok(()),
            Ok(read) => {
                let text = escaper.escape(buffer.get(..read).unwrap_or_default());
                out.write_all(text.as_bytes())?;
            }
            Err(error) => break Err(error.into()),
        }
    };
    out.write_all(escaper.end().as_bytes())?;
    Ok(read)
}
