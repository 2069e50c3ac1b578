//! `create`: makes an archive out of files and directories.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::Format;
use crate::cli::advice::with_output;
use crate::cli::args::{PackArgs, with_base, written_format};
use crate::cli::inputs::PathListArgs;
use crate::cli::render::written::ShowOutputs;
use crate::cli::rows::RunKind;
use crate::cli::ui::Ui;
use crate::cli::write::{WriteArgs, destination};
use crate::ops::finding::Finding;
use crate::ops::source::is_named_as_archive;
use crate::ops::write::WriteOptions;
use crate::ops::{CreateOptions, Refusal, create, create_map, maps_named};

/// Create an archive from files and directories
///
/// A single directory is the root of the names: 'create mod' stores mod/maps/b.bsp as maps/b.bsp.
/// Otherwise names are the paths as typed, as with zip and tar; --root chooses another root.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = "daisho create [OPTIONS] PATH... -o OUT")]
pub(crate) struct CreateArgs {
    /// Files, and directories whose files are packed
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    list: PathListArgs,
    #[command(flatten)]
    pack: PackArgs,
    /// Pack what MAP needs and the base game lacks; may be repeated
    ///
    /// MAP is a name or a pattern: 'mine', 'maps/mine.bsp'. PATHs are the game; the first is the base, or
    /// DAISHO_GAME if there is only one.
    #[arg(long, value_name = "MAP")]
    #[arg(conflicts_with_all = ["root", "files_from", "hidden", "png"])]
    #[arg(conflicts_with_all = ["keep_going", "game", "palette"])]
    map: Vec<String>,
    /// The archive to write; '-' is standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// The format to write [quake, daikatana, sin, hrot, wad2, wad3, pk3]
    ///
    /// Default: the format for --engine, or of OUT's extension, or quake
    #[arg(long, value_name = "FORMAT", value_parser = written_format())]
    #[arg(hide_possible_values = true)]
    pub(crate) to: Option<Format>,
    /// Leave out pictures that cannot be made (exit status 1)
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    write: WriteArgs,
}

const AFTER: &str = "\
Rules:
  Files are sorted by name. '../' and the root of a path are not stored.
  Names of more than 55 bytes are refused (119 for sin and hrot, 15 for WADs).
  A WAD can hold files with a lump's extension (.mip .lmp .pal .typeN; in WAD3
  also .fnt), and pictures, which become textures: 'daisho help editing'. It has
  no folders: only a file's own name counts.
  If the game lacks a file that --map needs, the exit status is 1; 'daisho help
  extracting' lists what is packed.
  An archive is split only for --engine, --max-size or --max-entries: pak1.pak
  becomes pak1.pak, pak2.pak and so on.

Examples:
  daisho create -o pak1.pak mymod/          the files of a directory
  daisho create -o mymod.pk3 mymod/         the same as a ZIP
  daisho create -o mine.wad textures/ -i '*.png'
                                            a WAD of PNGs
  daisho create -o pak1.pak mymod/ --png    pictures that 'extract --png' wrote
  daisho create --map mine id1 mymod -o mine.pk3
                                            all that maps/mine.bsp needs";

/// The error for a missing output, which is probably the one of two paths that is named like an archive.
fn no_output(paths: &[PathBuf]) -> Finding {
    let error = Finding::error("create needs an output");
    match paths {
        [output, input] | [input, output] if is_named_as_archive(output) && !output.exists() => {
            error.advice(with_output("create", input, output))
        }
        _ => error.advice("use -o OUT for the output, or try '--help'"),
    }
}

pub(super) fn run(mut args: CreateArgs, ui: &Ui) -> Result<(), Refusal> {
    let Some(output) = args.output else {
        return Err(no_output(&args.paths).into());
    };
    args.write.check(args.to.is_some(), false, &output, ui.json)?;
    args.list.read_into(&mut args.paths)?;
    let to = (args.write).format(args.to, Some(&output), &args.paths, ui);
    let selection = args.write.globs.selection()?;
    let mut maps = None;
    if !args.map.is_empty() {
        maps = Some(maps_named(&args.map)?);
        args.paths = with_base(args.paths)?;
    }
    let pack = args.pack.options(to.spec().has_lumps())?;
    let write = WriteOptions {
        keep_going: args.keep_going,
        ..args.write.options(destination(output), to, selection)
    };
    let options = CreateOptions { write, pack, listed: args.list.is_given() };
    let write = &options.write;
    let mut shown = ShowOutputs::new(ui, &write.destination, write.dry_run);
    let (totals, rate) = ui.run(RunKind::Writes, &mut shown, |context, out| match &maps {
        Some(maps) => create_map(context, &args.paths, maps, write, out),
        None => create(context, &args.paths, &options, out),
    })?;
    if let Some(line) = shown.lines.last_mut()
        && totals.done > 0
        && !write.dry_run
    {
        *line += &format!(" in {rate}");
    }
    shown.end();
    Ok(())
}
