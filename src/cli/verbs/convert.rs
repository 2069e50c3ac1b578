//! `convert`: writes archives in another format, or one archive with all files that an engine serves.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::advice::with_output;
use crate::cli::args::{ExpansionArgs, PaletteArgs, SERVED, is_written_picture, written_type};
use crate::cli::inputs::{InputArgs, expand_on_windows};
use crate::cli::render::written::{ShowOutputs, total};
use crate::cli::rows::RunKind;
use crate::cli::ui::Ui;
use crate::cli::verbs::which;
use crate::cli::write::{WriteArgs, destination};
use crate::engine::Engine;
use crate::media::{FileType, Kind};
use crate::ops::finding::Finding;
use crate::ops::game::View;
use crate::ops::row::WrittenType;
use crate::ops::write::{Destination, WriteOptions};
use crate::ops::{ConvertOptions, PictureConversion, Refusal, convert, convert_pictures, merge};

/// Convert archives from any format into any other
///
/// Every entry is decoded and checked. If an entry fails, its archive is not written, unless --keep-going is given.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// The archive or picture to write; '-' is standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with = "directory", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Write outputs into DIR, which is created if necessary
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(help_heading = "Output")]
    pub(crate) directory: Option<PathBuf>,
    /// The format to write [quake, daikatana, sin, hrot, wad2, wad3, pk3]
    ///
    /// Default: the format for --engine, or of OUT's extension, or quake. Loose pictures become wal, wal3, mip, lmp,
    /// pcx, tga, bmp or png.
    #[arg(long, value_name = "FORMAT", value_parser = written_type(), hide_possible_values = true)]
    pub(crate) to: Option<WrittenType>,
    /// Leave out what is unreadable, read a truncated ZIP (exit status 1)
    #[arg(long)]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    /// Merge the directories of a game, the base first, into one archive
    #[arg(long, help_heading = SERVED)]
    pub(crate) merge: bool,
    /// Include files outside of archives, as the engine does
    #[arg(long, requires = "merge", help_heading = SERVED, hide_short_help = true)]
    pub(crate) loose: bool,
    #[command(flatten)]
    palettes: PaletteArgs,
    #[command(flatten)]
    write: WriteArgs,
}

const USAGE: &str = "\
daisho convert [OPTIONS] PATH... [NAME|GLOB]... (-o OUT | -C DIR)
       daisho convert [OPTIONS] --merge DIR... -o OUT
       daisho convert [OPTIONS] PICTURE... (-o OUT | -C DIR --to TYPE)";

const AFTER: &str = "\
Rules:
  The extension of -o decides the format, unless --to or --engine is given.
  With -C, outputs get the extension of their format.
  If two inputs have the same output, if an output is also an input, or if it
  exists and neither -f nor -k is given, nothing is written (exit status 2).
  Daikatana: only .tga, .bmp, .wal, .pcx and .bsp are compressed. A WAD holds
  only .mip, .lmp, .pal and .typeN (WAD3 also .fnt), names of up to 15 bytes.
  An archive is split only for --engine, --max-size or --max-entries, into
  pak1.pak, pak2.pak and so on. Entries with the same name stay together.
  Loose pictures become others if -o or --to names a type of pictures: all or
  none, unless --keep-going is given. A WAL is Daikatana's with --to wal3 or
  --engine daikatana, or if its picture was one and -o alone says the type.

Examples:
  daisho convert pak1.pak -o quake1.pak        Daikatana to Quake
  daisho convert big.pak -o pak1.pak --engine quake  split for Quake
  daisho convert daikatana/ -C q2/ --engine yquake2  a whole game
  daisho convert --merge id1 mymod -o all.pak  a game and a mod
  daisho convert *.png -C textures --to wal3   pictures for Daikatana";

/// What to do if no pictures are made.
const MAKE_PICTURES: &str = "leave them out, or give --to a type of pictures, wad2 or wad3";

impl ConvertArgs {
    /// Refuses a missing output, options that contradict each other, an extension of no known format, and a terminal
    /// as the output.
    fn check(&self, json: bool) -> Result<(), Finding> {
        if self.output.is_none() && self.directory.is_none() {
            return Err(Finding::error("convert needs an output").advice(self.output_advice()));
        }
        if self.merge && self.directory.is_some() {
            return Err(Finding::error("--merge writes one archive, and not into -C")
                .advice("use -o OUT for the output, or try '--help'"));
        }
        if self.merge && self.write.engines().len() > 1 {
            return Err(Finding::error("--merge takes the copies that one engine serves")
                .advice("name one with --engine"));
        }
        let Some(output) = &self.output else {
            return Ok(());
        };
        let is_folder = output.is_dir() || output.as_os_str().as_encoded_bytes().ends_with(b"/");
        if !self.merge && is_folder {
            let words = if output.is_dir() {
                "this is a directory, which daisho never replaces"
            } else {
                "-o names a file, and this is a directory"
            };
            return Err(Finding::error(words)
                .at_path(output)
                .advice("use -C DIR for the directory of the outputs"));
        }
        let is_known = self.to.is_some() || self.picture_type().is_some();
        let is_picture = |path: &PathBuf| {
            let extension = path.extension().unwrap_or_default().as_encoded_bytes();
            FileType::by_extension(extension).any(|it| it.kind() == Kind::Picture)
        };
        let are_pictures = self.inputs.paths.iter().all(is_picture);
        self.write.check(is_known, are_pictures, output, json)
    }

    /// The type of pictures to write. `None` if archives are written.
    fn picture_type(&self) -> Option<FileType> {
        let to = match (self.to, &self.output) {
            (Some(WrittenType::Archive(_)), _) | (None, None) => return None,
            (Some(WrittenType::Picture(to)), _) => to,
            (None, Some(output)) => {
                let extension = output.extension()?.as_encoded_bytes();
                FileType::by_extension(extension).find(is_written_picture)?
            }
        };
        let engines = self.write.engines();
        let is_daikatana = engines.iter().any(|it| it == Engine::Daikatana);
        Some(match to {
            FileType::Wal if is_daikatana => FileType::Wal3,
            to => to,
        })
    }

    /// How pictures are converted to this type.
    fn picture_options(&mut self, to: FileType, ui: &Ui) -> Result<PictureConversion, Refusal> {
        if self.merge {
            let error = Finding::error("--merge writes an archive, and this output is a picture");
            return Err(error.advice("give -o the name of an archive").into());
        }
        self.write.check_pictures()?;
        // For an engine that reads no WAL of Daikatana, each becomes one of Quake II.
        let mut engines = self.write.engines().iter();
        let fixed_version = self.to.is_some()
            || to == FileType::Wal3
            || engines.any(|it| it.reads(FileType::Wal3.as_str()) == Some(false));
        Ok(PictureConversion {
            selection: self.inputs.selection(&self.write.globs, true, ui)?,
            listed: self.inputs.list.is_given(),
            keep_going: self.keep_going,
            existing: self.write.overwrite.existing(),
            pictures: self.palettes.options()?,
            dry_run: self.write.dry_run,
            fixed_version,
            ..PictureConversion::new(self.destination(), to)
        })
    }

    /// Where the output goes.
    fn destination(&self) -> Destination {
        match &self.output {
            Some(file) => destination(file.clone()),
            None => Destination::Directory(self.directory.clone().unwrap_or_default()),
        }
    }

    /// What to do if no output is given. In `convert A B`, B is probably meant.
    fn output_advice(&self) -> String {
        match self.inputs.paths.as_slice() {
            [input, output]
                if input.is_file() && !output.exists() && output.extension().is_some() =>
            {
                with_output("convert", input, output)
            }
            _ if self.merge => "use -o OUT for the output".to_owned(),
            _ => "use -o OUT for the output, or -C DIR for its directory".to_owned(),
        }
    }
}

pub(super) fn run(mut args: ConvertArgs, ui: &Ui) -> Result<(), Refusal> {
    args.check(ui.json)?;
    if let Some(to) = args.picture_type() {
        let options = args.picture_options(to, ui)?;
        let PictureConversion { destination, dry_run, .. } = &options;
        let mut shown = ShowOutputs::new(ui, destination, *dry_run);
        shown.several = true;
        let (totals, rate) = ui.run(RunKind::Writes, &mut shown, |context, out| {
            convert_pictures(context, &args.inputs.paths, &options, out)
        })?;
        shown.lines.push(total(&totals, ("picture", "pictures"), *dry_run, &rate));
        shown.end();
        return Ok(());
    }
    expand_on_windows(&mut args.inputs.paths);
    let selection = args.inputs.selection(&args.write.globs, args.merge, ui)?;
    let to = match args.to {
        Some(WrittenType::Archive(format)) => Some(format),
        Some(WrittenType::Picture(_)) | None => None,
    };
    let to = args.write.format(to, args.output.as_deref(), &args.inputs.paths, ui);
    // Textures in a WAD may need a palette. A merge changes none.
    let (may_change, advice) =
        if args.merge { (false, "leave them out") } else { (to.spec().has_lumps(), MAKE_PICTURES) };
    let pictures = args.palettes.options_if(may_change, advice)?;
    let paths = &args.inputs.paths;
    let destination = args.destination();
    let mut write = WriteOptions {
        keep_going: args.keep_going,
        max_expansion: args.expansion.max_expansion,
        ..args.write.options(destination, to, selection)
    };
    if args.merge {
        // An engine that cannot read this format only chooses copies, and its limits do not apply.
        let engines = write.rules.engines.iter();
        write.rules.engines = engines.filter(|it| it.profile().reads(to)).collect();
    }
    let options = ConvertOptions { write, listed: args.inputs.list.is_given(), pictures };
    let write = &options.write;
    let mut shown = ShowOutputs::new(ui, &write.destination, write.dry_run);
    shown.several = args.inputs.is_several() && !args.merge;
    shown.keep_going = write.keep_going;
    let (totals, rate) = if args.merge {
        let view = if paths.iter().any(|path| path.is_dir()) {
            let engine = args.write.engines().iter().next();
            which::open_view(paths, engine, args.loose, ui)?
        } else {
            let view = View::of_archives(&ui.context(), paths)?;
            ui.findings(&view.findings);
            view
        };
        ui.run(RunKind::Writes, &mut shown, |context, out| merge(context, &view, write, out))?
    } else {
        ui.run(RunKind::Writes, &mut shown, |context, out| convert(context, paths, &options, out))?
    };
    shown.lines.push(total(&totals, ("archive", "archives"), write.dry_run, &rate));
    shown.end();
    Ok(())
}
