//! `which`

use std::io::{self, Write as _};

use daisho::error::{Error, ErrorKind};
use daisho::ops::game::Served;
use daisho::pak::escape;
use serde::Serialize;

use super::view;
use crate::cli::args::WhichArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind, Output};
use crate::cli::text;

/// See [`WhichArgs`].
pub(crate) fn run(args: &WhichArgs, global: &Global) -> Exit {
    let Some((folders, name)) = args.split() else {
        // Parsing has refused it.
        return Exit::Refused;
    };
    let view = match view::open(&folders, &args.engine, global) {
        Ok(view) => view,
        Err(exit) => return exit,
    };
    let name = name.as_encoded_bytes();
    let found = view.find(name);
    if found.is_empty() {
        global.messages.tell(&view.not_served(name));
        return Exit::NotAllWell;
    }
    if view.is_undefined(&found) {
        let engine = view.engine().name();
        let error = Error::from(ErrorKind::Undefined { engine, count: 1 });
        global.messages.tell(Message::from(&error).into_warning());
    }
    output::write(global, Kind::Text, |out| {
        for (place, served) in found.iter().enumerate() {
            show(out, served, place == 0, args.json)?;
        }
        Ok(Exit::Done)
    })
}

#[derive(Serialize)]
struct Row {
    served: bool,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    name: json::Name,
    size: u64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Place {
    Entry {
        #[serde(flatten)]
        pak: json::Pak,
        index: usize,
    },
    Loose(json::File),
}

fn show(out: &mut Output, served: &Served<'_>, first: bool, as_json: bool) -> io::Result<()> {
    let entry = served.entry();
    if as_json {
        let path = served.path();
        let place = match entry {
            Some(entry) => Place::Entry {
                pak: json::Pak::new(path),
                index: entry.index(),
            },
            None => Place::Loose(json::File::new(path)),
        };
        let row = Row {
            served: first,
            place,
            name: json::Name::new(served.name().as_bytes()),
            size: served.size(),
        };
        return json::row(out, &row);
    }
    let word = if first { "served" } else { "shadowed" };
    let path = text::path(served.path());
    match entry {
        Some(entry) => {
            let name = escape(entry.name().as_bytes());
            writeln!(out, "{word:<8}  {path}: entry {} \"{name}\"", entry.index())
        }
        None => writeln!(out, "{word:<8}  {path}"),
    }
}
