//! `show`: entries as people look at them.

use std::io::{self, IsTerminal as _};
use std::ops::ControlFlow;

use clap::{Args, ValueEnum};
use daisho::ops::read::show::{Shown, show};

use crate::cli::args::{PictureArgs, SHOWN};
use crate::cli::global::Global;
use crate::cli::inputs::EntryArgs;
use crate::cli::messages::{Message, Refused};
use crate::cli::output::{self, DataKind};
use crate::cli::render::show::{Viewer, Way};
use crate::cli::terminal::{self, Protocol};
use crate::cli::text;

/// Show entries: pictures in the terminal, text, or facts
///
/// Pictures are drawn with the protocol of kitty or iTerm2 if the terminal supports it, and otherwise with
/// coloured half blocks. If the output is a pipe or a file, 'show' prints the same facts as
/// 'daisho info ARCHIVE NAME'.
#[derive(Debug, Args)]
#[command(after_long_help = SHOW, override_usage = USAGE)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) entries: EntryArgs,
    /// How to draw pictures
    #[arg(long = "as", value_name = "HOW", default_value = "auto", help_heading = SHOWN)]
    pub(crate) how: How,
    /// Draw at most N columns wide [default: the terminal]
    #[arg(long, value_name = "N", help_heading = SHOWN)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) width: Option<u16>,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

/// How pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum How {
    /// Chosen by the terminal's environment; to a pipe, facts
    Auto,
    /// The protocol of kitty and Ghostty
    Kitty,
    /// The protocol of iTerm2, WezTerm and VS Code
    Iterm2,
    /// Text: two pixels per character, in 256 colours, or in all if COLORTERM is truecolor
    Blocks,
    /// Draw nothing: print the facts of every entry
    Facts,
}

const USAGE: &str = "\
daisho show [OPTIONS] ARCHIVE NAME...
       daisho show [OPTIONS] ARCHIVE --index N...";

const SHOW: &str = "\
Rules:
  PNG and JPEG are not decoded: iTerm2 draws both, kitty draws PNG.
  kitty's protocol is used if KITTY_WINDOW_ID, TERM or TERM_PROGRAM names
  kitty or Ghostty, and iTerm2's if TERM_PROGRAM names iTerm2 or WezTerm.
  Inside tmux or screen, neither is used.
  If a picture cannot be decoded, its facts are shown and the exit status is
  1.

JSON fields:
  those of an entry in 'daisho info --help'.

Examples:
  daisho show pak1.pak pics/load0.pcx
  daisho show pak1.pak textures/e1/wall.wal --game baseq2 --frames
  daisho show pak1.pak --index 0 1 --as blocks --width 60";

pub(super) fn run(args: &ShowArgs, global: &Global) -> Result<(), Refused> {
    if global.json && (args.how != How::Auto || args.width.is_some()) {
        let error = Message::error("--json cannot be combined with --as or --width");
        return Err(error.help("give one of them, or try '--help'").into());
    }
    let way = match global.json {
        true => Way::Facts,
        false => way(args.how),
    };
    let pictures = match way {
        Way::Facts => None,
        _ => Some(args.pictures.options()),
    };
    let (archive, wanted) = (&args.entries.archive, args.entries.wanted());
    let mut refused = Ok(());
    output::write(global, DataKind::Text, |out| {
        let mut view = Viewer::new(way, args.width, wanted.len() > 1, global, out);
        let mut shown = Ok(());
        let visit = |entry: &Shown<'_>| {
            shown = view.show(entry);
            match shown {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let done = show(
            &global.context(),
            archive,
            &wanted,
            pictures.as_ref(),
            visit,
        );
        shown?;
        match done {
            Ok(findings) => view.end(&findings),
            Err(refusal) => {
                refused = Err(refusal.into());
                Ok(())
            }
        }
    });
    refused
}

/// The way that the user wants, or the best that the terminal can do.
fn way(how: How) -> Way {
    match how {
        How::Facts => Way::Facts,
        How::Kitty => Way::Drawn(Protocol::Kitty),
        How::Iterm2 => Way::Drawn(Protocol::Iterm2),
        How::Blocks => Way::Drawn(Protocol::Blocks(terminal::colours())),
        How::Auto if !io::stdout().is_terminal() => Way::Facts,
        How::Auto => match terminal::protocol() {
            None => Way::Text,
            Some(Protocol::Blocks(_)) if !text::has_colours() => Way::Text,
            Some(protocol) => Way::Drawn(protocol),
        },
    }
}
