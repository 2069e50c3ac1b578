//! `list --effective`: for each name of a game's directories, the copy that an engine serves.

use std::io::Write as _;
use std::path::{Path, PathBuf};

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
        shown: &ShownArgs,
        global: &Global,
    ) -> Result<Exit, Refusal> {
        let view = view::open(folders, self.engine.engine, global)?;
        let winners = view.winners(selection, self.loose);
        let (mut headers, mut unreadable) = (Vec::new(), Vec::new());
        if shown.long {
            (headers, unreadable) = facts::headers(&global.context(), &winners.served);
        }
        Ok(output::write(global, shown.kind(), |out| {
            let mut printer = Printer::new(shown, true, out);
            let same = |a: &Entry<'_>, b: &Entry<'_>| {
                core::ptr::eq(a.archive(), b.archive()) || a.is_file() && b.is_file()
            };
            let mut rows = Vec::with_capacity(winners.served.len());
            for (number, entry) in winners.served.iter().enumerate() {
                rows.push(Row {
                    path: entry.path().unwrap_or(Path::new("")),
                    entry: *entry,
                    header: headers.get(number).and_then(Option::as_deref),
                });
            }
            for group in rows.chunk_by(|a, b| same(&a.entry, &b.entry)) {
                let pak = group.first().filter(|first| !first.entry.is_file());
                let heading = pak.map(|pak| text::path(pak.path));
                printer.show(heading.as_deref().unwrap_or("loose files"), group)?;
            }
            out.flush()?;
            view::tell_undefined(&view, &winners, global);
            global.messages.problems(&winners.problems);
            global.messages.problems(&unreadable);
            Ok(Exit::Done)
        }))
    }
}
