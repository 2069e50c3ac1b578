//! `list`: shows what is in paks, or what an engine serves from a game's directories.

mod row;
mod served;
mod show;
mod table;

use std::io::{self, Write as _};

use clap::Args;
use daisho::ops::context::Refusal;
use daisho::ops::read::list::{ListOptions, Listing, list};

use crate::cli::args::{GlobArgs, InputArgs};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Output, go_on};
use crate::cli::text;
use row::Row;
use served::ServedArgs;
use show::{Printer, ShownArgs};

/// Show what is in paks
///
/// One line for each entry, in the order of the directory: its number, counted from 0, its size,
/// what it takes in the pak ('-' where that is the same, and no column where it always is), its
/// kind, and its name, escaped. Where there are several paks, a terminal has a heading for each of
/// them, and in a pipe its path leads every line.
///
/// It decompresses nothing but headers for -l, and never writes a file: see 'daisho verify' for
/// whether the entries are sound.
#[derive(Debug, Args)]
#[command(after_long_help = LIST, override_usage = "daisho list [OPTIONS] PATH... [NAME|GLOB]...")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    shown: ShownArgs,
    #[command(flatten)]
    served: ServedArgs,
}

const LIST: &str = "\
Rules:
  Arguments after the first pak that are no archives are names of entries, folders, or globs: only
  these are listed. With -r or --files-from all arguments are paths, and -i takes globs.
  Names and paths are escaped; in JSON they are as they are. --names -0 alone writes their bytes, to
  a file or a pipe.

JSON fields:
  pak, index, name, kind, offset, size, packed_size, compressed; name_hex too where the name is
  not UTF-8. Of a loose file: file, name, kind, size. With -l also type, and facts: an object with
  what its header says, as 'daisho info ARCHIVE NAME --json' has it. Of a pak that could not be
  read: pak, status (unread), problem. Fields are only ever added.

Examples:
  daisho list pak0.pak
  daisho list pak0.pak '*.tga' maps/             what matches, and a folder
  daisho list -l pak0.pak '*.wav'                with the length of each sound
  daisho list pak0.pak --tree
  daisho list -r games/ -i '*.bsp'               every level below a directory
  daisho list pak0.pak --names -0 | xargs -0 daisho cat pak0.pak | sha256sum
                                                 names as another program takes them
  daisho list pak0.pak --json | jq -r 'select(.compressed) | .name'
  daisho list -r games/ -i '*.wav' --json | jq -s -c 'sort_by(-.size)[]'
                                                 all sounds, the largest first
  daisho list -r games/ --json | jq -r '[.pak, .name, .size] | @csv'
                                                 a table for a spreadsheet
  daisho list --effective id1 hipnotic --engine quakespasm
                                                 what the game is played with";

impl ListArgs {
    /// Refuses an engine that would say nothing.
    pub(crate) fn check(&self) -> Result<(), Message> {
        self.served.check()
    }

    /// Adds the paths of the list that was given.
    pub(super) fn complete(&mut self) -> Result<(), Message> {
        self.inputs.complete()
    }
}

pub(super) fn run(mut args: ListArgs, global: &Global) -> Result<Exit, Refusal> {
    if args.served.effective {
        let selection = args.globs.selection()?;
        return args
            .served
            .run(&args.inputs.paths, &selection, &args.shown, global);
    }
    let options = ListOptions {
        selection: args.inputs.selection(&args.globs, global.context().open)?,
        search: args.inputs.search(),
        headers: args.shown.long,
    };
    let (paths, several) = (&args.inputs.paths, args.inputs.is_several());
    let (mut paks, mut entries, mut size, mut packed) = (0, 0_u64, 0_u64, 0_u64);
    let exit = output::write(global, args.shown.kind(), |out| {
        let mut printer = Printer::new(&args.shown, several, out);
        let mut shown: io::Result<()> = Ok(());
        let listed = list(&global.context(), paths, &options, |listing| {
            entries += listing.entries.len() as u64;
            for entry in &listing.entries {
                size = size.saturating_add(entry.size());
                packed = packed.saturating_add(entry.stored_len());
            }
            shown = printer.show(&text::path(listing.path), &rows(listing));
            if shown.is_ok() {
                shown = tell(printer.out, listing, global);
            }
            go_on(shown.is_ok())
        });
        shown?;
        Ok(match listed {
            Ok(visited) => {
                paks = visited.paks;
                if args.shown.json {
                    json::unread(printer.out, &visited.problems)?;
                }
                global.judge(visited.paks, &visited.problems)
            }
            Err(refusal) => global.messages.refusal(&refusal),
        })
    });
    if several && paks > 0 && args.shown.is_table() {
        let paks = text::count(paks, "pak", "paks");
        let entries = text::count(entries, "entry", "entries");
        let sizes = match size == packed {
            true => text::bytes(size),
            false => format!("{}, {} in the paks", text::bytes(size), text::bytes(packed)),
        };
        global.messages.note(&format!("{paks}, {entries}, {sizes}"));
    }
    Ok(exit)
}

/// The entries of an archive, each with its header.
fn rows<'a>(listing: &'a Listing<'_>) -> Vec<Row<'a>> {
    let mut rows = Vec::with_capacity(listing.entries.len());
    for (number, entry) in listing.entries.iter().enumerate() {
        rows.push(Row {
            path: listing.path,
            entry: *entry,
            header: listing.headers.get(number).and_then(Option::as_deref),
        });
    }
    rows
}

/// Reports what is wrong with the pak and its entries, after its rows.
fn tell(out: &mut Output, listing: &Listing<'_>, global: &Global) -> io::Result<()> {
    let mut errors = listing
        .problems
        .iter()
        .filter(|it| it.is_error())
        .peekable();
    if errors.peek().is_some() {
        out.flush()?;
        errors.for_each(|error| global.messages.problem(error));
    }
    Ok(())
}
