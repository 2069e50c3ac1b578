//! `list --effective`: for each name of a game's directories, the copy that an engine serves.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use daisho::Entry;
use daisho::ops::context::Refusal;
use daisho::ops::read::facts;
use daisho::ops::select::Selection;

use super::row::Row;
use super::show::{Printer, ShownArgs};
use crate::cli::args::{EngineArgs, SERVED};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output;
use crate::cli::text;
use crate::cli::verbs::view;

/// What an engine serves.
#[derive(Debug, Args)]
#[command(next_help_heading = SERVED)]
pub(super) struct ServedArgs {
    /// List what an engine serves from a game's directories
    ///
    /// PATHs are directories such as id1, the base first and mods after it. Of each name only the
    /// copy is listed that the engine serves. Archives that it never loads are reported, and with -v
    /// the order in which the others load.
    #[arg(long, conflicts_with_all = ["recursive", "tree"])]
    pub(super) effective: bool,
    /// Take loose files in, too, which can shadow those in paks
    #[arg(long, requires = "effective")]
    loose: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

impl ServedArgs {
    /// Refuses an engine that would say nothing.
    pub(super) fn check(&self) -> Result<(), Message> {
        match self.effective {
            true => Ok(()),
            false => self.engine.check_absent(),
        }
    }

    /// Shows each archive as `list` does, and loose files in groups between them.
    pub(super) fn run(
        &self,
        folders: &[PathBuf],
        selection: &Selection,
        (shown, null): (&ShownArgs, bool),
        global: &Global,
    ) -> Result<Exit, Refusal> {
        let view = view::open(folders, self.engine.engine, global)?;
        let winners = view.winners(selection, self.loose);
        let (mut headers, mut unreadable) = (Vec::new(), Vec::new());
        if shown.wants_facts() {
            (headers, unreadable) = facts::headers(&global.context(), &winners.served);
        }
        Ok(output::write(global, shown.kind(null), |out| {
            let mut printer = Printer::new(shown, null, true, out);
            let same = |a: &Entry<'_>, b: &Entry<'_>| {
                core::ptr::eq(a.archive(), b.archive()) || a.is_file() && b.is_file()
            };
            let mut headers = headers.as_slice();
            for group in winners.served.chunk_by(same) {
                let pak = group.first().filter(|first| !first.is_file());
                let heading = pak.map(|pak| text::path(path_of(pak)));
                let (own, rest) = headers.split_at(group.len().min(headers.len()));
                headers = rest;
                let rows = group.iter().enumerate().flat_map(|(number, entry)| {
                    let own = own.get(number..=number).unwrap_or_default();
                    Row::all(&Rc::from(path_of(entry)), [entry], own)
                });
                printer.add(heading.as_deref().unwrap_or("loose files"), rows.collect())?;
            }
            printer.finish()?;
            out.flush()?;
            view::tell_undefined(&view, &winners, global);
            global.messages.problems(&winners.problems);
            global.messages.problems(&unreadable);
            Ok(Exit::Done)
        }))
    }
}

/// The archive, or the loose file.
fn path_of<'a>(entry: &Entry<'a>) -> &'a Path {
    entry.path().unwrap_or(Path::new(""))
}
