//! `list`: shows what is in paks, or what an engine serves from a game's directories.

use std::io::{self, Write as _};
use std::path::Path;

use clap::Args;
use daisho::Entry;
use daisho::archive::escape;
use daisho::ops::context::Refusal;
use daisho::ops::read::list::{ListOptions, Listing, list};
use daisho::ops::select::Selection;

use super::{tree, view};
use crate::cli::args::{EngineArgs, GlobArgs, InputArgs, SERVED, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind, Output, go_on};
use crate::cli::text;

/// Show what is in paks
///
/// One line for each entry, in the order of the directory: its number, counted from 0, its size,
/// what it takes in the pak ('-' where that is the same, and no column where it always is), its
/// kind, and its name, escaped.
///
/// It never decompresses anything and never writes a file: see 'daisho verify' for whether the
/// entries are sound.
#[derive(Debug, Args)]
#[command(after_long_help = LIST)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
    /// As a tree of directories
    #[arg(long, conflicts_with = "json", help_heading = SHOWN)]
    pub(crate) tree: bool,
    /// List what an engine serves from a game's directories
    ///
    /// PATHs are directories such as id1, the base first and mods after it. Of each name only the
    /// copy is listed that the engine serves. Archives that it never loads are reported, and with -v
    /// the order in which the others load.
    #[arg(long, conflicts_with_all = ["recursive", "tree"], help_heading = SERVED)]
    pub(crate) effective: bool,
    /// Take loose files in, too, which can shadow those in paks
    #[arg(long, requires = "effective", help_heading = SERVED)]
    pub(crate) loose: bool,
    #[command(flatten, next_help_heading = SERVED)]
    pub(crate) engine: EngineArgs,
}

const LIST: &str = "\
JSON fields:
  pak, index, name, kind, offset, size, packed_size, compressed; name_hex too where the name is
  not UTF-8. Of a loose file: file, name, kind, size. Fields are only ever added.

Examples:
  daisho list pak0.pak
  daisho list pak0.pak --tree
  daisho list -r games/ -i '*.bsp'               every level below a directory
  daisho list pak0.pak --json | jq -r 'select(.compressed) | .name'
  daisho list --effective id1 hipnotic --engine quakespasm
                                                 what the game is played with";

pub(super) fn run(args: ListArgs, global: &Global) -> Result<Exit, Refusal> {
    let selection = args.globs.selection()?;
    if args.effective {
        return effective(&args, &selection, global);
    }
    let options = ListOptions {
        search: args.inputs.search(),
        selection,
    };
    let paths = &args.inputs.paths;
    let headed = args.inputs.recursive || paths.len() > 1;
    Ok(output::write(global, Kind::Text, |out| {
        let mut between = "";
        let mut shown: io::Result<()> = Ok(());
        let listed = list(&global.context(), paths, &options, |listing| {
            let heading = headed.then(|| format!("{between}{}:", text::path(listing.path)));
            if !listing.entries.is_empty() {
                shown = show(out, listing, &args, heading);
                between = "\n";
            }
            if shown.is_ok() {
                shown = tell(out, listing, global);
            }
            go_on(shown.is_ok())
        });
        shown?;
        Ok(match listed {
            Ok(visited) => global.judge(visited.paks, &visited.problems),
            Err(refusal) => global.messages.refusal(&refusal),
        })
    }))
}

fn show(
    out: &mut Output,
    listing: &Listing<'_>,
    args: &ListArgs,
    heading: Option<String>,
) -> io::Result<()> {
    let entries = &listing.entries;
    if args.json {
        let mut entries = entries.iter();
        return entries.try_for_each(|entry| show_json(out, listing.path, entry));
    }
    if let Some(heading) = heading {
        writeln!(out, "{heading}")?;
    }
    if !args.tree {
        return show_entries(out, entries);
    }
    let columns = Columns::of(entries);
    let names = entries
        .iter()
        .map(|entry| (entry.name().as_bytes(), entry.index()));
    tree::draw(names, &mut |branch, part, index| {
        let entry = index.and_then(|index| listing.archive.entry(index));
        let before = entry.map_or_else(|| columns.blank(), |entry| columns.of_entry(&entry));
        writeln!(out, "{before}{branch}{}", escape(part))
    })
}

/// A line for each entry with its name, or for a loose file with its path.
fn show_entries(out: &mut Output, entries: &[Entry<'_>]) -> io::Result<()> {
    let columns = Columns::of(entries);
    entries.iter().try_for_each(|entry| {
        let before = columns.of_entry(entry);
        if entry.is_file() {
            return writeln!(out, "{before}{}", text::path(path_of(entry)));
        }
        writeln!(out, "{before}{}", entry.name())
    })
}

/// Writes an entry of the pak at `path`, or the loose file there, as a row.
fn show_json(out: &mut Output, path: &Path, entry: &Entry<'_>) -> io::Result<()> {
    let (name, kind) = (entry.name().as_bytes(), entry.kind().as_str());
    json::row(out, |row| {
        if entry.is_file() {
            row.path("file", path)?;
            row.text("name", name)?;
            row.field("kind", kind)?;
            return row.field("size", entry.size());
        }
        row.path("pak", path)?;
        row.field("index", entry.index())?;
        row.text("name", name)?;
        row.field("kind", kind)?;
        row.field("offset", entry.offset())?;
        row.field("size", entry.size())?;
        row.field("packed_size", entry.stored_len())?;
        row.field("compressed", entry.is_compressed())
    })
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

/// With `--effective`: for each name, the copy that the engine serves.
fn effective(args: &ListArgs, selection: &Selection, global: &Global) -> Result<Exit, Refusal> {
    let view = view::open(&args.inputs.paths, args.engine.engine, global)?;
    let winners = view.winners(selection, args.loose);
    Ok(output::write(global, Kind::Text, |out| {
        if args.json {
            let mut served = winners.served.iter();
            served.try_for_each(|entry| show_json(out, path_of(entry), entry))?;
        } else {
            show_served(out, &winners.served)?;
        }
        out.flush()?;
        view::tell_undefined(&view, &winners, global);
        global.messages.problems(&winners.problems);
        Ok(Exit::Done)
    }))
}

/// Shows each pak as `list` does, and loose files in groups between them.
fn show_served(out: &mut Output, served: &[Entry<'_>]) -> io::Result<()> {
    let groups = served
        .chunk_by(|a, b| core::ptr::eq(a.archive(), b.archive()) || a.is_file() && b.is_file());
    for (n, group) in groups.enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        let pak = group.first().filter(|first| !first.is_file());
        let heading = pak.map(|pak| text::path(path_of(pak)));
        writeln!(out, "{}:", heading.as_deref().unwrap_or("loose files"))?;
        show_entries(out, group)?;
    }
    Ok(())
}

/// The pak, or the loose file.
fn path_of<'a>(entry: &Entry<'a>) -> &'a Path {
    entry.path().unwrap_or(Path::new(""))
}

/// The columns before the name, by their widths.
#[derive(Debug)]
struct Columns {
    /// 0 if they are loose files, which have no numbers: then there is no such column.
    index: usize,
    size: usize,
    /// 0 if no entry is compressed: then there is no such column.
    packed: usize,
    kind: usize,
}

impl Columns {
    /// The widths that these entries need.
    fn of(entries: &[Entry<'_>]) -> Self {
        let mut columns = Self {
            index: 0,
            size: 0,
            packed: 0,
            kind: 0,
        };
        for entry in entries {
            if !entry.is_file() {
                columns.index = columns.index.max(digits(entry.index() as u64));
            }
            columns.size = columns.size.max(digits(entry.size()));
            columns.kind = columns.kind.max(entry.kind().as_str().len());
            if entry.is_compressed() {
                columns.packed = columns.packed.max(digits(entry.stored_len()));
            }
        }
        columns
    }

    /// An entry's number, size, compressed size if it is compressed, and kind.
    fn of_entry(&self, entry: &Entry<'_>) -> String {
        let packed = match entry.is_compressed() {
            true => entry.stored_len().to_string(),
            false => "-".to_owned(),
        };
        self.line(
            &entry.index().to_string(),
            &entry.size().to_string(),
            &packed,
            entry.kind().as_str(),
        )
    }

    /// Spaces as wide as all columns.
    fn blank(&self) -> String {
        self.line("", "", "", "")
    }

    fn line(&self, index: &str, size: &str, packed: &str, kind: &str) -> String {
        let if_any = |text: &str, width| match width {
            0 => String::new(),
            width => format!("{text:>width$}  "),
        };
        let (index, packed) = (if_any(index, self.index), if_any(packed, self.packed));
        let (size_width, kind_width) = (self.size, self.kind);
        format!("{index}{size:>size_width$}  {packed}{kind:<kind_width$}  ")
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_as_wide_as_its_digits() {
        for number in [0, 1, 9, 10, 99, 100, u64::from(u32::MAX)] {
            assert_eq!(digits(number), number.to_string().len());
        }
    }
}
