//! What the verbs have in common that see a game's directories as an engine does.

use std::path::PathBuf;

use daisho::error::{Error, ErrorKind};
use daisho::ops::game::{View, Winners};
use daisho::pak::escape;

use super::asked::count;
use crate::cli::args::EngineArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::text;

/// Opens the directories, and tells which engine sees them, which paks it never loads, and with
/// `-v` in which order it loads the others.
pub(super) fn open(
    folders: &[PathBuf],
    engine: &EngineArgs,
    global: &Global,
) -> Result<View, Exit> {
    let view = View::open(&global.context(), folders, engine.engine)
        .map_err(|refusal| global.messages.refusal(&refusal))?;
    let messages = &global.messages;
    let name = view.engine().name();
    if view.is_chosen() {
        messages.note(&format!(
            "as {name} sees it, whose layout the paks have; --engine names another engine"
        ));
    }
    for (n, pak) in view.paks().enumerate() {
        let entries = count(pak.archive.len() as u64, "entry", "entries");
        let path = text::path(&pak.path);
        messages.detail(&format!("  loads {}: {path}, {entries}", n + 1));
    }
    messages.problems(view.problems());
    if view.paks().next().is_none() {
        messages.tell(&Error::from(ErrorKind::NoneLoaded { engine: name }));
    }
    Ok(view)
}

/// Warns of names of which it is not defined what is served, once; `-v` names them.
pub(super) fn tell_undefined(view: &View, winners: &Winners<'_>, global: &Global) {
    let count = winners.undefined.len();
    if count == 0 {
        return;
    }
    let engine = view.engine().name();
    let error = Error::from(ErrorKind::Undefined { engine, count });
    global.messages.tell(Message::from(&error).into_warning());
    let doubtful = winners.undefined.iter();
    for served in doubtful.filter_map(|place| winners.served.get(*place)) {
        let (path, name) = (text::path(served.path()), escape(served.name().as_bytes()));
        let detail = match served.entry() {
            Some(entry) => format!("  {path}: entry {} \"{name}\"", entry.index()),
            None => continue,
        };
        global.messages.detail(&detail);
    }
}
