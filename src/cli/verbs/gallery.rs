//! `gallery`: makes a web page that shows the contents of archives.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::args::{ExpansionArgs, OverwriteArgs, PictureArgs, is_standard};
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::output::Stdout;
use crate::cli::render::json_line;
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::ops::finding::Finding;
use crate::ops::row::OutputStatus;
use crate::ops::{GalleryOptions, PageRow, Refusal, gallery};

/// Make a web page of pictures, maps, sounds and texts
///
/// The page needs no server and no network. It has search, filters, and all facts of each file. Pictures
/// that cannot be decoded are reported.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct GalleryArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// A directory for index.html and its files
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: PathBuf,
    #[command(flatten)]
    globs: GlobArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    #[command(flatten)]
    expansion: ExpansionArgs,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

const USAGE: &str = "daisho gallery [OPTIONS] PATH... [NAME|GLOB]... -o DIR";

const AFTER: &str = "\
Rules:
  Pictures become PNG. PNG, JPEG, WAV, MP3 and OGG are copied, maps are drawn
  from above, and texts are copied up to 256 kB.
  -k keeps a page as a whole. Files that an earlier page has left without the
  page itself are refused, unless -f is given to replace them.

Examples:
  daisho gallery pak0.pak -o look                open look/index.html
  daisho gallery games/ -i '*.wal' -o textures";

pub(super) fn run(mut args: GalleryArgs, ui: &Ui) -> Result<(), Refusal> {
    if is_standard(&args.output) {
        let error = Finding::error("a page is not written to standard output");
        return Err(error.advice("give -o a directory").into());
    }
    let options = GalleryOptions {
        output: args.output,
        selection: args.inputs.selection(&args.globs, false, ui)?,
        pictures: args.pictures.options()?,
        existing: args.overwrite.existing(),
        max_expansion: args.expansion.max_expansion,
    };
    let paths = &args.inputs.paths;
    let mut page = ShowPage { made: None };
    let (_, rate) = ui.run(RunKind::WritesTimed, &mut page, |context, out| {
        gallery(context, paths, &options, out)
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

    fn json(&self, out: &mut Stdout, row: &PageRow) -> io::Result<bool> {
        // The row of a page is about no input. Inputs whose directory is cut off are shown with every row.
        for finding in &row.findings {
            if finding.status() == Some("unread") {
                json_line(out, finding)?;
            }
        }
        json_line(out, row)?;
        Ok(true)
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
    format!("{page}: {entries}, {pictures} in {rate}")
}
