//! `list --effective`: of each name the copy that is served.

use std::fs::File;
use std::io::{self, Write as _};

use daisho::ops::game::{LooseFile, Served};
use daisho::ops::select::Selection;
use daisho::pak::{Entry, Kind, RawName};
use serde::Serialize;

use super::{Columns, Row};
use crate::cli::args::ListArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind as Sent, Output};
use crate::cli::text;
use crate::cli::verbs::view;

pub(super) fn run(args: &ListArgs, selection: &Selection, global: &Global) -> Exit {
    let view = match view::open(&args.inputs.paths, &args.engine, global) {
        Ok(view) => view,
        Err(exit) => return exit,
    };
    let winners = view.winners(selection, args.loose);
    output::write(global, Sent::Text, |out| {
        if args.json {
            winners
                .served
                .iter()
                .try_for_each(|row| show_json(out, row))?;
        } else {
            show(out, &winners.served)?;
        }
        out.flush()?;
        view::tell_undefined(&view, &winners, global);
        global.messages.problems(&winners.problems);
        Ok(Exit::Done)
    })
}

/// Pak by pak, each as `list` shows it, loose files between them.
fn show(out: &mut Output, served: &[Served<'_>]) -> io::Result<()> {
    let groups = served.chunk_by(|a, b| match (a, b) {
        (Served::Entry(a, _), Served::Entry(b, _)) => core::ptr::eq(*a, *b),
        (Served::Loose(_), Served::Loose(_)) => true,
        _ => false,
    });
    for (n, group) in groups.enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        let loose: Vec<&LooseFile> = group.iter().filter_map(loose).collect();
        match group.first() {
            Some(Served::Entry(pak, _)) => {
                writeln!(out, "{}:", text::path(&pak.path))?;
                show_entries(out, &group.iter().filter_map(entry).collect::<Vec<_>>())?;
            }
            _ => show_loose(out, &loose)?,
        }
    }
    Ok(())
}

fn entry<'a>(served: &Served<'a>) -> Option<Entry<'a, File>> {
    served.entry().copied()
}

fn loose<'a>(served: &'a Served<'_>) -> Option<&'a LooseFile> {
    match served {
        Served::Loose(file) => Some(file),
        Served::Entry(..) => None,
    }
}

fn show_entries(out: &mut Output, entries: &[Entry<'_, File>]) -> io::Result<()> {
    let columns = Columns::of(entries.iter().copied());
    entries
        .iter()
        .try_for_each(|entry| writeln!(out, "{}{}", columns.of_entry(entry), entry.name()))
}

fn show_loose(out: &mut Output, files: &[&LooseFile]) -> io::Result<()> {
    let kind = |file: &LooseFile| Kind::of(RawName::new(&file.name)).as_str();
    let sizes = files.iter().map(|file| file.size.to_string().len());
    let (size, wide) = (
        sizes.max().unwrap_or(0),
        files.iter().map(|file| kind(file).len()).max().unwrap_or(0),
    );
    writeln!(out, "loose files:")?;
    files.iter().try_for_each(|file| {
        let (kind, bytes, path) = (kind(file), file.size, text::path(&file.path));
        writeln!(out, "{bytes:>size$}  {kind:<wide$}  {path}")
    })
}

#[derive(Serialize)]
struct LooseRow {
    #[serde(flatten)]
    file: json::File,
    #[serde(flatten)]
    name: json::Name,
    kind: &'static str,
    size: u64,
}

fn show_json(out: &mut Output, served: &Served<'_>) -> io::Result<()> {
    let path = served.path();
    match served {
        Served::Entry(_, entry) => json::row(out, &Row::new(&json::Pak::new(path), entry)),
        Served::Loose(file) => json::row(
            out,
            &LooseRow {
                file: json::File::new(path),
                name: json::Name::new(&file.name),
                kind: served.kind().as_str(),
                size: file.size,
            },
        ),
    }
}
