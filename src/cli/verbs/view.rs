//! The game's directories, opened for the verbs that see them as an engine does.

use std::path::PathBuf;

use daisho::engine::Engine;
use daisho::error::{Error, ErrorKind};
use daisho::ops::context::Refusal;
use daisho::ops::view::View;

use crate::cli::global::Global;
use crate::cli::text;

/// Opens the directories, and reports which engine's rules hold, which paks it never loads, and with
/// `-v` the load order of the others.
pub(super) fn open(
    folders: &[PathBuf],
    engine: Option<Engine>,
    global: &Global,
) -> Result<View, Refusal> {
    let view = View::open(&global.context(), folders, engine)?;
    let messages = &global.messages;
    let name = view.engine().name();
    if view.is_chosen() {
        messages.note(&format!(
            "as {name} sees it, whose layout the paks have; --engine names another engine"
        ));
    }
    for (n, pak) in view.paks().enumerate() {
        let entries = text::count(pak.archive.len(), "entry", "entries");
        let path = text::path(pak.path());
        messages.detail(&format!("  loads {}: {path}, {entries}", n + 1));
    }
    messages.problems(view.problems());
    messages.flush();
    if view.paks().next().is_none() {
        messages.tell(&Error::from(ErrorKind::NoneLoaded { engine: name }));
    }
    Ok(view)
}
