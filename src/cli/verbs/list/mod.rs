//! `list`

mod columns;
mod effective;
mod tree;

use std::fs::File;
use std::io::{self, Write as _};
use std::ops::ControlFlow;

use daisho::ops::list::{ListOptions, Listing, list};
use daisho::pak::Entry;
use serde::Serialize;

use super::asked;
use crate::cli::args::ListArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind, Output};
use crate::cli::text;
use columns::Columns;

/// See [`ListArgs`].
pub(crate) fn run(args: ListArgs, global: &Global) -> Exit {
    let selection = match asked::selection(&args.globs, global) {
        Ok(selection) => selection,
        Err(exit) => return exit,
    };
    if args.effective {
        return effective::run(&args, &selection, global);
    }
    let options = ListOptions {
        recursive: args.inputs.recursive,
        selection,
    };
    let paths = &args.inputs.paths;
    let headed = args.inputs.recursive || paths.len() > 1;
    output::write(global, Kind::Text, |out| {
        let mut between = "";
        let mut shown: io::Result<()> = Ok(());
        let listed = list(&global.context(), paths, &options, |listing| {
            let heading = headed.then(|| format!("{between}{}:", text::path(listing.path())));
            if listing.entries().next().is_some() {
                shown = show(out, listing, &args, heading);
                between = "\n";
            }
            if shown.is_ok() {
                shown = tell(out, listing, global);
            }
            match shown {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        shown?;
        Ok(match listed {
            Ok(report) => asked::judge(report.paks, &report.problems, global),
            Err(refusal) => global.messages.refusal(&refusal),
        })
    })
}

fn show(
    out: &mut Output,
    listing: &Listing<'_>,
    args: &ListArgs,
    heading: Option<String>,
) -> io::Result<()> {
    if args.json {
        return show_json(out, listing);
    }
    if let Some(heading) = heading {
        writeln!(out, "{heading}")?;
    }
    let columns = Columns::of(listing.entries());
    if args.tree {
        return tree::show(out, listing, &columns);
    }
    listing
        .entries()
        .try_for_each(|entry| writeln!(out, "{}{}", columns.of_entry(&entry), entry.name()))
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    pak: &'a json::Pak,
    index: usize,
    #[serde(flatten)]
    name: json::Name,
    kind: &'static str,
    offset: u32,
    size: u32,
    packed_size: u32,
    compressed: bool,
}

fn show_json(out: &mut Output, listing: &Listing<'_>) -> io::Result<()> {
    let pak = json::Pak::new(listing.path());
    listing
        .entries()
        .try_for_each(|entry| json::row(out, &Row::new(&pak, &entry)))
}

impl<'a> Row<'a> {
    fn new(pak: &'a json::Pak, entry: &Entry<'_, File>) -> Self {
        Self {
            pak,
            index: entry.index(),
            name: json::Name::new(entry.name().as_bytes()),
            kind: entry.kind().as_str(),
            offset: entry.record().offset,
            size: entry.size(),
            packed_size: entry.stored_len(),
            compressed: entry.is_compressed(),
        }
    }
}

/// What is wrong with the pak and its entries, after what could be shown of it.
fn tell(out: &mut Output, listing: &Listing<'_>, global: &Global) -> io::Result<()> {
    let mut oddities = listing.oddities();
    oddities.retain(|oddity| oddity.is_error());
    let errors = || listing.rows().filter_map(|row| row.problem);
    if !oddities.is_empty() || errors().next().is_some() {
        out.flush()?;
        global.messages.problems(&oddities);
        errors().for_each(|error| global.messages.tell(&error));
    }
    Ok(())
}
