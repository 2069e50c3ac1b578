//! `show`: entries and files as people look at them.

use daisho::ops::Refusal;
use daisho::ops::finding::Finding;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use daisho::ops::source::{Wanted, is_loose_file};
use daisho::ops::{Context, show};

use crate::cli::args::{PictureArgs, SHOWN, number};
use crate::cli::output::DataKind;
use crate::cli::render::show::{Viewer, Way};
use crate::cli::ui::Ui;
use crate::cli::{complete, terminal, text};

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

JSON fields:
  those of an entry in 'daisho info --help'.

Examples:
  daisho show pak1.pak pics/load0.pcx
  daisho show pak1.pak textures/e1/wall.wal --game baseq2 --frames
  daisho show pak1.pak --index 0 1 --color always | less -R
  daisho show brick.wal                       a file that is in no archive";

pub(super) fn run(args: &ShowArgs, ui: &Ui) -> Result<(), Refusal> {
    if ui.json && args.width.is_some() {
        let error = Finding::error("--json cannot be combined with --width");
        return Err(error.advice("give one of them, or try '--help'").into());
    }
    let way = if ui.json { Way::Facts } else { way() };
    let pictures = match way {
        Way::Facts => None,
        _ => Some(args.pictures.options()?),
    };
    let context = ui.context();
    let (paths, wanted) = args.entries(&context)?;
    let several = paths.len() > 1 || wanted.len() > 1;
    let Some(mut out) = ui.stdout(DataKind::Text) else {
        return Ok(());
    };
    let mut entries = show(&context, paths, &wanted, pictures.as_ref())?;
    let mut view = Viewer::new(way, args.width, several, ui, &mut out);
    let mut written = Ok(());
    while written.is_ok()
        && let Some(entry) = entries.next_entry()?
    {
        written = view.show(&entry);
    }
    let written = written.and_then(|()| view.end(&entries.into_findings()));
    ui.close(out, written);
    Ok(())
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
