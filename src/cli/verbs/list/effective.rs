//! `list --effective`: for each name, the copy that the engine serves.

use std::io::{self, Write as _};
use std::path::Path;

use daisho::Entry;
use daisho::ops::select::Selection;
use serde::Serialize;

use super::columns::Columns;
use super::row::Row;
use crate::cli::args::ListArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind as Sent, Output};
use crate::cli::text;
use crate::cli::verbs::view;

pub(super) fn run(args: &ListArgs, selection: &Selection, global: &Global) -> Result<Exit, Exit> {
    let view = view::open(&args.inputs.paths, &args.engine, global)?;
    let winners = view.winners(selection, args.loose);
    Ok(output::write(global, Sent::Text, |out| {
        if args.json {
            let mut served = winners.served.iter();
            served.try_for_each(|served| show_json(out, served))?;
        } else {
            show(out, &winners.served)?;
        }
        out.flush()?;
        view::tell_undefined(&view, &winners, global);
        global.messages.problems(&winners.problems);
        Ok(Exit::Done)
    }))
}

/// Shows each pak as `list` does, and loose files in groups between them.
fn show(out: &mut Output, served: &[Entry<'_>]) -> io::Result<()> {
    let groups = served
        .chunk_by(|a, b| core::ptr::eq(a.archive(), b.archive()) || a.is_file() && b.is_file());
    for (n, group) in groups.enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        match group.first() {
            Some(first) if !first.is_file() => {
                writeln!(out, "{}:", text::path(path_of(first)))?;
                show_entries(out, group)?;
            }
            _ => show_loose(out, group)?,
        }
    }
    Ok(())
}

/// The pak, or the loose file.
fn path_of<'a>(entry: &Entry<'a>) -> &'a Path {
    entry.path().unwrap_or(Path::new(""))
}

/// A line for each entry.
fn show_entries(out: &mut Output, entries: &[Entry<'_>]) -> io::Result<()> {
    let columns = Columns::of(entries.iter().copied());
    entries
        .iter()
        .try_for_each(|entry| writeln!(out, "{}{}", columns.of_entry(entry), entry.name()))
}

fn show_loose(out: &mut Output, files: &[Entry<'_>]) -> io::Result<()> {
    let kind = |file: &Entry<'_>| file.kind().as_str();
    let sizes = files.iter().map(|file| file.size().to_string().len());
    let (size, wide) = (
        sizes.max().unwrap_or(0),
        files.iter().map(|file| kind(file).len()).max().unwrap_or(0),
    );
    writeln!(out, "loose files:")?;
    files.iter().try_for_each(|file| {
        let (kind, bytes, path) = (kind(file), file.size(), text::path(path_of(file)));
        writeln!(out, "{bytes:>size$}  {kind:<wide$}  {path}")
    })
}

#[derive(Serialize)]
struct LooseRow {
    #[serde(flatten)]
    file: json::Text,
    #[serde(flatten)]
    name: json::Text,
    kind: &'static str,
    size: u64,
}

fn show_json(out: &mut Output, entry: &Entry<'_>) -> io::Result<()> {
    let path = path_of(entry);
    if !entry.is_file() {
        return json::row(out, &Row::new(&json::Text::pak(path), entry));
    }
    let row = LooseRow {
        file: json::Text::file(path),
        name: json::Text::name(entry.name().as_bytes()),
        kind: entry.kind().as_str(),
        size: entry.size(),
    };
    json::row(out, &row)
}
