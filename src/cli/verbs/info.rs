//! `info`: describes archives, or entries of one.

use std::io::{self, Write as _};
use std::mem;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::args::{engines, number, with_engines};
use crate::cli::inputs::InputArgs;
use crate::cli::output::Stdout;
use crate::cli::rows::{RunKind, Show};
use crate::cli::ui::Ui;
use crate::cli::verbs::identity;
use crate::cli::{render, text};
use crate::engine::Engines;
use crate::ops::finding::{Finding, reserved_reading};
use crate::ops::read::info::whole;
use crate::ops::report::{hand_on, hand_on_rows};
use crate::ops::source::named::find;
use crate::ops::source::{Wanted, arguments, is_loose_file, one};
use crate::ops::{Context, InfoRow, Refusal, Sink, info};

/// Describe archives: format, contents, and which engines load them
///
/// -v adds how the format was recognised, the reason for each engine's verdict, and the names of all files. --engine
/// says why an engine does not load the archive. With NAMEs after an archive, info describes these entries: a map's
/// title and textures, the size of a picture, the length of a sound, the skins of a model. A file that is no archive
/// is described like an entry.
#[derive(Debug, Args)]
#[command(after_long_help = INFO, override_usage = USAGE)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Check for these engines; exit status 1 if one does not load an archive
    #[arg(long, value_name = "ENGINES", value_parser = engines(), ignore_case = true)]
    #[arg(value_delimiter = ',', hide_possible_values = true, long_help = with_engines(CHECK))]
    pub(crate) engine: Vec<Engines>,
    /// Print one digest of names, sizes and contents, the same in any format
    ///
    /// A pak, its PK3 and its extracted files have the same identity. Case and the order of entries do not count.
    /// If several entries have the same name, only the first one counts.
    #[arg(long, conflicts_with_all = ["engine", "index"])]
    pub(crate) identity: bool,
    /// Numbers of entries, counted from 0, instead of names
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    #[arg(conflicts_with_all = ["engine", "files_from"])]
    pub(crate) index: Vec<usize>,
}

const USAGE: &str = "\
daisho info [OPTIONS] PATH...
       daisho info [OPTIONS] ARCHIVE NAME...
       daisho info [OPTIONS] ARCHIVE --index N...";

const CHECK: &str = "\
Check for these engines; exit status 1 if one does not load an archive

A name that the engine never asks for is reported, but is not a failure. With -q
nothing is printed, and the exit status is the answer.";

const INFO: &str = "\
Identity:
  --identity prints one digest of names, sizes and contents, the same for a
  pak, its PK3 and the directory of its files. 'daisho help snapshots' says
  more.

Examples:
  daisho info pak1.pak
  daisho info pak1.pak maps/e1m2.bsp sound/hit.wav
  daisho info textures/*.mip              files that are in no archive
  daisho info pak0.pk3 --engine qss,fteqw,ioquake3
                                          do all of these load it?
  daisho info --identity games/           a digest of each archive's contents
  daisho info games/ --json | jq -r 'select(.format == \"daikatana\") | .archive' ";

pub(super) fn run(mut args: InfoArgs, ui: &Ui) -> Result<(), Refusal> {
    args.inputs.read_list(args.identity)?;
    if args.identity {
        return identity::run(&args.inputs.paths, ui);
    }
    let asked: Engines = args.engine.iter().copied().collect();
    let mut shown = ShowInfo {
        verbose: ui.verbose,
        has_lines: !ui.verbose && asked.is_empty(),
        only: args.inputs.only(),
        // The exit status is the answer.
        is_silent: ui.quiet && !asked.is_empty(),
        is_first: true,
        archives: 0,
        files: 0,
        bytes: 0,
    };
    if !args.inputs.list.is_given() && args.engine.is_empty() {
        let (paths, names) = match args.inputs.paths.split_first() {
            Some((archive, names)) if !args.index.is_empty() => {
                (vec![archive.clone()], names.to_vec())
            }
            // A name means nothing after a file that is no archive.
            Some((first, _)) if is_loose_file(&ui.context(), first) => {
                (args.inputs.paths.clone(), Vec::new())
            }
            _ => arguments(&ui.context(), &args.inputs.paths),
        };
        let wanted = Wanted::list(&names, &args.index);
        match (paths.as_slice(), names.as_slice()) {
            ([archive], _) if !wanted.is_empty() => {
                shown.only = Some(archive.clone());
                ui.run(RunKind::Looks, &mut shown, |context, out| {
                    look(context, archive, &wanted, out)
                })?;
                return Ok(());
            }
            (_, [name, ..]) => {
                let name = text::path(name);
                let error = format!("both archives and the name of an entry are given: \"{name}\"");
                let help = "give one archive with names, or archives alone";
                return Err(Finding::error(error).advice(help).into());
            }
            _ => {}
        }
    }
    let paths = &args.inputs.paths;
    ui.run(RunKind::Looks, &mut shown, |context, out| info(context, paths, asked, out))?;
    let ShowInfo { has_lines, archives, files, bytes, .. } = shown;
    if has_lines && archives > 1 {
        let files = text::count(files, "file", "files");
        ui.note(&format!("{archives} archives, {files}, {}", text::bytes(bytes)));
    }
    Ok(())
}

/// Shows facts about archives, entries and files.
struct ShowInfo {
    verbose: bool,
    /// Whether there is a line for each input, but for `only`.
    has_lines: bool,
    /// The only path that the user gave. If it is an archive itself, it gets more than a line.
    only: Option<PathBuf>,
    is_silent: bool,
    is_first: bool,
    /// How many archives were shown, with how many files and bytes.
    archives: usize,
    files: usize,
    bytes: u64,
}

impl Show<InfoRow> for ShowInfo {
    fn findings(row: &InfoRow) -> &[Finding] {
        match row {
            InfoRow::Archive(info) => &info.findings,
            InfoRow::Entry(_) => &[],
        }
    }

    fn text(&mut self, out: &mut Stdout, row: InfoRow) -> io::Result<()> {
        if self.is_silent {
            return Ok(());
        }
        let path = match &row {
            InfoRow::Archive(info) => &info.archive,
            InfoRow::Entry(entry) => entry.at.path(),
        };
        let is_line = self.has_lines && self.only.as_deref() != Some(path);
        // An empty line separates blocks.
        if !mem::take(&mut self.is_first) && !is_line {
            writeln!(out)?;
        }
        match row {
            InfoRow::Archive(info) => {
                self.archives += 1;
                self.files += info.entries;
                self.bytes = self.bytes.saturating_add(info.account.file);
                if is_line {
                    render::info::line(out, &info)
                } else {
                    render::info::show(out, &info, self.verbose)
                }
            }
            InfoRow::Entry(file) if is_line => render::info::entry_line(out, &file),
            InfoRow::Entry(entry) => render::info::block(out, &entry, self.verbose),
        }
    }
}

/// Reports the facts of entries, in the order in which they are asked for.
fn look(
    context: &Context<'_>,
    path: &Path,
    wanted: &[Wanted],
    out: &mut dyn Sink<InfoRow>,
) -> Result<(), Refusal> {
    let mut warnings = Vec::new();
    let archive = one(context, path, true, &mut warnings)?;
    hand_on(out, warnings);
    for wanted in wanted {
        // The name may be meant as a file.
        let entries = match find(&archive, wanted, true) {
            Ok(entries) => entries,
            Err(error) => {
                out.finding(error.at_path(path));
                continue;
            }
        };
        for entry in entries {
            context.cancel.check()?;
            let (row, finding) = whole(entry);
            hand_on(out, finding);
            if hand_on_rows(out, row.map(InfoRow::Entry)).is_break() {
                return Ok(());
            }
        }
    }
    hand_on(out, reserved_reading(&archive));
    Ok(())
}
