//! `info --missing`: says what maps ask for that the game does not serve.

use std::io::{self, Write as _};
use std::path::PathBuf;

use daisho::archive::{escape, quoted};
use daisho::engine::Engine;
use daisho::media::asked::Asker;
use daisho::ops::context::Refusal;
use daisho::ops::read::missing::{MissingOptions, missing};
use daisho::ops::row::Row;
use daisho::ops::source::Selection;

use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;

pub(super) fn run(
    paths: &[PathBuf],
    maps: &[String],
    engine: Option<Engine>,
    as_json: bool,
    global: &Global,
) -> Result<Exit, Refusal> {
    let options = MissingOptions {
        maps: Selection::new(maps, &[])?,
        engine,
    };
    let (exit, summary) = report(
        global,
        Style::new(as_json, Work::Looks),
        |out, row| show(out, &row, global),
        |rows| missing(&global.context(), paths, &options, rows),
    );
    let Some(summary) = summary else {
        return Ok(exit);
    };
    global.messages.note(&format!(
        "{} {} {}, {} missing",
        text::count(summary.entries, "map", "maps"),
        if summary.entries == 1 {
            "asks for"
        } else {
            "ask for"
        },
        text::count(summary.done, "file", "files"),
        summary.failed,
    ));
    Ok(match summary.failed {
        0 => exit,
        _ => exit.and(Exit::NotAllWell),
    })
}

fn show(out: &mut Output, row: &Row, global: &Global) -> io::Result<()> {
    match row {
        Row::Missing(file) => {
            let by = match &file.asker {
                Asker::Texture { record } => format!("texture {record}"),
                Asker::Entity { number, class, key } => {
                    format!("entity {number} {}, key {}", quoted(class), quoted(key))
                }
            };
            let (map, name) = (escape(&file.map), escape(&file.missing));
            writeln!(out, "{map}: {} {name} ({by})", file.kind)
        }
        Row::Map(map) => {
            let (path, name) = (text::path(&map.path), escape(&map.name));
            let (file_type, asked, missing) = (map.file_type, map.asked, map.missing);
            global.messages.detail(&format!(
                "  {path}: {name}, {file_type}: asks for {asked}, {missing} missing"
            ));
            Ok(())
        }
        _ => Ok(()),
    }
}
