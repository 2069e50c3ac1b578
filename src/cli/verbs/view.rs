//! A game's directories as an engine sees them, for the verbs with this option.

use std::path::{Path, PathBuf};

use daisho::archive::escape;
use daisho::engine::Engine;
use daisho::ops::context::Refusal;
use daisho::ops::finding::{Finding, Notice};
use daisho::ops::game::{View, Winners};

use crate::cli::global::Global;
use crate::cli::text;

/// Opens the directories. Reports which engine's rules apply and which paks this engine never loads, and with `-v`
/// the load order of the others.
pub(super) fn open(
    folders: &[PathBuf],
    engine: Option<Engine>,
    loose: bool,
    global: &Global,
) -> Result<View, Refusal> {
    let view = View::open(&global.context(), folders, engine, loose)?;
    let messages = &global.messages;
    let name = view.engine.name();
    if view.is_chosen {
        messages.note(&format!(
            "as {name} sees it, because the paks have {name}'s layout; choose another engine with --engine"
        ));
    }
    for (n, pak) in view.game.loaded().enumerate() {
        let entries = text::count(pak.archive.len(), "entry", "entries");
        let path = text::path(pak.path());
        messages.detail(&format!("  loads {}: {path}, {entries}", n + 1));
    }
    messages.findings(&view.findings);
    messages.flush();
    if view.game.loaded().next().is_none() {
        let why = format!("{name} loads none of the paks");
        messages.tell(&Finding::error(Notice::NoneLoaded, why));
    }
    Ok(view)
}

/// Warns once if the engine may serve any of several entries with the same name. `-v` lists these names.
pub(super) fn tell_undefined(view: &View, winners: &Winners<'_>, global: &Global) {
    let Some(doubt) = winners.doubt(view.engine) else {
        return;
    };
    global.messages.finding(&doubt);
    global.messages.flush();
    for entry in &winners.undefined {
        let path = text::path(entry.path().unwrap_or(Path::new("")));
        let (index, name) = (entry.index(), escape(entry.name().as_bytes()));
        let detail = format!("  {path}: entry {index} \"{name}\"");
        global.messages.detail(&detail);
    }
}
