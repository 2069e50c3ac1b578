//! `gallery`: makes a web page that shows the contents of archives.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::ops::row::{Outcome, PageRow, Row};
use daisho::ops::{GalleryOptions, gallery};

use crate::cli::args::{OverwriteArgs, PictureArgs, is_standard};
use crate::cli::global::Global;
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::messages::{Message, Refused};
use crate::cli::render::{Action, report};
use crate::cli::text;

/// Make a web page of pictures, maps, sounds and texts
///
/// The page needs no server and no network. It has search, filters, and all facts of each file. Pictures
/// that cannot be decoded are reported.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct GalleryArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// A directory for index.html and its files, or one .html file for all
    #[arg(short, long, value_name = "DIR|FILE.html", value_hint = ValueHint::AnyPath)]
    output: PathBuf,
    #[command(flatten)]
    globs: GlobArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

const USAGE: &str = "daisho gallery [OPTIONS] PATH... [NAME|GLOB]... -o OUT";

const AFTER: &str = "\
Rules:
  Use a directory for thousands of pictures; one file suits a few hundred.
  Pictures become PNG. PNG, JPEG, WAV, MP3 and OGG are copied, maps are drawn
  from above, and texts are copied up to 256 kB.

JSON fields:
  page, status, entries, pictures, errors, warnings.

Examples:
  daisho gallery pak0.pak -o look                open look/index.html
  daisho gallery games/ -i '*.wal' -o textures.html";

pub(super) fn run(mut args: GalleryArgs, global: &Global) -> Result<(), Refused> {
    if is_standard(&args.output) {
        let error = Message::error("a page is not written to standard output");
        return Err(error
            .help("give -o a directory, or a file such as page.html")
            .into());
    }
    let options = GalleryOptions {
        output: args.output,
        selection: args.inputs.selection(&args.globs, false, global)?,
        pictures: args.pictures.options()?,
        existing: args.overwrite.existing(),
    };
    let paths = &args.inputs.paths;
    let mut made = None;
    let (_, rate) = report(
        global,
        Action::WritesTimed,
        |_, row| {
            if let Row::Page(page) = row {
                made = Some(page);
            }
            Ok(())
        },
        |context, rows| gallery(context, paths, &options, rows),
    )?;
    if let Some(made) = made {
        global.messages.note(&summary(&made, &rate));
    }
    Ok(())
}

fn summary(made: &PageRow, rate: &str) -> String {
    let page = text::path(&made.page);
    match made.outcome {
        Outcome::Kept => return format!("{page}: kept"),
        Outcome::Failed | Outcome::Stopped => {
            return format!("{page}: not written; some of its files may be left beside it");
        }
        _ => {}
    }
    let entries = text::count(made.entries, "entry", "entries");
    let pictures = text::count(made.pictures, "picture", "pictures");
    format!("{page}: {entries}, {pictures} in {rate}")
}
