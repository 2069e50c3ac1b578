//! `list`

mod columns;
mod effective;
mod row;
mod tree;

use std::io::{self, Write as _};

use daisho::ops::read::list::{ListOptions, Listing, list};

use super::asked;
use crate::cli::args::ListArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind, Output};
use crate::cli::text;
use columns::Columns;
use row::Row;

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

fn show_json(out: &mut Output, listing: &Listing<'_>) -> io::Result<()> {
    let pak = json::Text::pak(listing.path);
    listing
        .entries
        .iter()
        .try_for_each(|entry| json::row(out, &Row::new(&pak, entry)))
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
