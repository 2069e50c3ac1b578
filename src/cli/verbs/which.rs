//! `which`

use std::io::{self, Write as _};

use daisho::archive::escape;
use daisho::error::{Error, ErrorKind};
use daisho::ops::view::FileCopy;
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
pub(crate) fn run(args: &WhichArgs, global: &Global) -> Result<Exit, Exit> {
    // Parsing has refused it where they cannot be split.
    let (folders, name) = args.split().ok_or(Exit::Refused)?;
    let view = view::open(&folders, &args.engine, global)?;
    let name = name.as_encoded_bytes();
    let found = view.find(name);
    if found.is_empty() {
        global.messages.tell(&view.not_served(name));
        return Ok(Exit::NotAllWell);
    }
    if view.is_undefined(&found) {
        let engine = view.engine().name();
        let error = Error::from(ErrorKind::Undefined { engine, count: 1 });
        global.messages.tell(Message::from(&error).into_warning());
    }
    Ok(output::write(global, Kind::Text, |out| {
        for (number, copy) in found.iter().enumerate() {
            show(out, copy, number == 0, args.json)?;
        }
        Ok(Exit::Done)
    }))
}

#[derive(Serialize)]
struct Row {
    served: bool,
    /// A pak, or a loose file.
    #[serde(flatten)]
    path: json::Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(flatten)]
    name: json::Text,
    size: u64,
}

fn show(out: &mut Output, copy: &FileCopy<'_>, first: bool, as_json: bool) -> io::Result<()> {
    let (path, entry) = (&copy.path, copy.entry);
    if as_json {
        let row = Row {
            served: first,
            path: match entry {
                Some(_) => json::Text::pak(path),
                None => json::Text::file(path),
            },
            index: entry.map(|entry| entry.index()),
            name: json::Text::name(&copy.name),
            size: copy.size,
        };
        return json::row(out, &row);
    }
    let word = if first { "served" } else { "shadowed" };
    let path = text::path(path);
    match copy.entry {
        Some(entry) => {
            let (index, name) = (entry.index(), escape(&copy.name));
            writeln!(out, "{word:<8}  {path}: entry {index} \"{name}\"")
        }
        None => writeln!(out, "{word:<8}  {path}"),
    }
}
