//! `cat`: entries on standard output.

use std::io::Write as _;

use clap::Args;

use crate::cli::args::{PictureArgs, number};
use crate::cli::inputs::EntryArgs;
use crate::cli::output::DataKind;
use crate::cli::ui::Ui;
use crate::ops::{Refusal, cat, cat_png};

/// Write entries to standard output
///
/// Entries are written one after another, decoded, in the order given. Binary data is not written to
/// a terminal.
#[derive(Debug, Args)]
#[command(after_long_help = CAT, override_usage = CAT_USAGE)]
pub(crate) struct CatArgs {
    #[command(flatten)]
    pub(crate) entries: EntryArgs,
    /// Write one picture as PNG
    #[arg(long, help_heading = "Pictures")]
    pub(crate) png: bool,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
    /// Refuse entries that unpack to more than N times the archive's length
    #[arg(long, value_name = "N", value_parser = number::<u64>, hide = true)]
    pub(crate) max_expansion: Option<u64>,
}

const CAT_USAGE: &str = "\
daisho cat [OPTIONS] ARCHIVE NAME...
       daisho cat [OPTIONS] ARCHIVE --index N...";

const CAT: &str = "\
Rules:
  If several entries have the name, the first is written; --index reaches
  others.
  If no entry has exactly this name, case and the kind of slash are ignored. A
  damaged entry is written up to the damage, and the exit status is 1. If the
  reader of standard output stops reading, 'cat' stops without a message, and
  the exit status is 1.
  Entries that together unpack to more than 65 times the archive's length (a
  ZIP's: 1032) are refused; --max-expansion N sets another limit.
  --png takes exactly one picture. A PNG file is written unchanged, and JPEG is
  not decoded.

Examples:
  daisho cat pak0.pak maps/e1m1.bsp > e1m1.bsp
  daisho cat pak0.pak --index 0 7 | sha256sum
  daisho cat pak1.pak pics/load0.pcx --png > load0.png";

pub(super) fn cat_entries(args: &CatArgs, ui: &Ui) -> Result<(), Refusal> {
    let pictures = args.pictures.options_if(args.png)?;
    let (archive, wanted) = (&args.entries.archive, args.entries.wanted());
    let Some(mut out) = ui.stdout(DataKind::Content) else {
        return Ok(());
    };
    let context = ui.context();
    let printed = match &pictures {
        Some(pictures) => cat_png(&context, archive, &wanted, pictures, &mut out)?,
        None => cat(&context, archive, &wanted, args.max_expansion, &mut out)?,
    };
    // Everything that can be decoded is written before findings are reported.
    let flushed = out.flush();
    ui.findings(&printed.findings);
    ui.close(out, printed.output.map_or(flushed, Err));
    Ok(())
}
