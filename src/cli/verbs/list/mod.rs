//! `list`

mod columns;
mod effective;
mod tree;

use std::io::{self, Write as _};

use daisho::Entry;
use daisho::ops::read::list::{ListOptions, Listing, list};
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
pub(crate) fn run(args: ListArgs, global: &Global) -> Result<Exit, Exit> {
    let selection = asked::selection(&args.globs, global)?;
    if args.effective {
        return effective::run(&args, &selection, global);
    }
    let options = ListOptions {
        recursive: args.inputs.recursive,
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
            asked::go_on(shown.is_ok())
        });
        shown?;
        Ok(match listed {
            Ok(visited) => asked::judge(visited.paks, &visited.problems, global),
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
    if args.json {
        return show_json(out, listing);
    }
    if let Some(heading) = heading {
        writeln!(out, "{heading}")?;
    }
    let columns = Columns::of(listing.entries.iter().copied());
    if args.tree {
        return tree::show(out, listing, &columns);
    }
    listing
        .entries
        .iter()
        .try_for_each(|entry| writeln!(out, "{}{}", columns.of_entry(entry), entry.name()))
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    pak: &'a json::Text,
    index: usize,
    #[serde(flatten)]
    name: json::Text,
    kind: &'static str,
    offset: u64,
    size: u64,
    packed_size: u64,
    compressed: bool,
}

fn show_json(out: &mut Output, listing: &Listing<'_>) -> io::Result<()> {
    let pak = json::Text::pak(listing.path);
    listing
        .entries
        .iter()
        .try_for_each(|entry| json::row(out, &Row::new(&pak, entry)))
}

impl<'a> Row<'a> {
    fn new(pak: &'a json::Text, entry: &Entry<'_>) -> Self {
        Self {
            pak,
            index: entry.index(),
            name: json::Text::name(entry.name().as_bytes()),
            kind: entry.kind().as_str(),
            offset: entry.offset(),
            size: entry.size(),
            packed_size: entry.stored_len(),
            compressed: entry.is_compressed(),
        }
    }
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
