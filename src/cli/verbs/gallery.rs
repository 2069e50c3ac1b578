//! `gallery`: a page that shows what archives hold.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::ops::context::{Context, Existing, Refusal};
use daisho::ops::gallery::{GalleryOptions, gallery};
use daisho::ops::row::{Outcome, PageRow, Row};

use crate::cli::args::{GlobArgs, InputArgs, PictureArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;

/// Make a page that shows what is in archives: pictures, maps, sounds, texts, facts
///
/// The page works from disk, in any browser, without a server and without a network: search, filters by
/// archive, kind and folder, a click for full size with all facts; sounds play, maps are drawn from above.
/// It is usable by keyboard ('/' to search, arrows, Enter, Escape) and by a screen reader.
///
/// What cannot be decoded is a tile that says so. Archives are never changed.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct GalleryArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// A directory, for index.html with its files beside it; or a file .html that has everything in it
    #[arg(short, long, value_name = "DIR|FILE.html", value_hint = ValueHint::AnyPath)]
    output: PathBuf,
    #[command(flatten)]
    globs: GlobArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    /// Replace a page that exists, and the files beside it
    #[arg(short, long, conflicts_with = "keep", help_heading = "Overwriting")]
    force: bool,
    /// Keep a page that exists
    #[arg(short, long, help_heading = "Overwriting")]
    keep: bool,
    /// Print a row of JSON: what became of the page, and where it is
    #[arg(long, help_heading = SHOWN, hide_short_help = true)]
    json: bool,
}

const AFTER: &str = "\
Rules:
  A directory gets index.html and files/, which a browser loads as they come into view: for games
  with thousands of pictures. A file has everything in it, for up to some hundred pictures.
  Pictures become PNG, with palettes as under --game. PNG, JPEG, WAV, MP3 and OGG are copied, maps
  are drawn as SVG, and texts are copied up to 256 kB.
  The page gets its name last. -f replaces files of the same names, and leaves others.

Examples:
  daisho gallery pak0.pak -o look                look/index.html is the page
  daisho gallery -r games/ -i '*.wal' -o textures.html";

pub(super) fn run(args: GalleryArgs, global: &Global) -> Result<Exit, Refusal> {
    let options = GalleryOptions {
        search: args.inputs.search(),
        output: args.output,
        selection: args.globs.selection()?,
        pictures: args.pictures.options(),
        existing: match (args.force, args.keep) {
            (true, _) => Existing::Replace,
            (false, true) => Existing::Keep,
            (false, false) => Existing::Refuse,
        },
    };
    let paths = &args.inputs.paths;
    let (mut rate, mut made) = (String::new(), None);
    let keep = |_: &mut Output, row: Row| {
        if let Row::Page(page) = row {
            made = Some(page);
        }
        Ok(())
    };
    let (exit, _) = report(global, Style::new(args.json, Work::Writes), keep, |rows| {
        let show = |context: &Context<'_>| gallery(context, paths, &options, rows);
        global.observe_rate(show, &mut rate)
    });
    if let Some(made) = made {
        global.messages.note(&summary(&made, &rate));
    }
    Ok(exit)
}

fn summary(made: &PageRow, rate: &str) -> String {
    let page = text::path(&made.page);
    match made.outcome {
        Outcome::Kept => return format!("{page}: kept"),
        Outcome::Failed | Outcome::Stopped => {
            return format!("{page}: not written; what was made for it may be left beside it");
        }
        _ => {}
    }
    let entries = text::count(made.entries, "entry", "entries");
    let pictures = text::count(made.pictures, "picture", "pictures");
    format!("{page}: {entries}, {pictures} in {rate}")
}
