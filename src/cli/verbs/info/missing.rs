//! `info --missing`: says what maps ask for that the game does not serve.

use std::io::{self, Write as _};
use std::path::PathBuf;

use daisho::archive::{escape, quoted};
use daisho::engine::Engine;
use daisho::media::asked::Asker;
use daisho::ops::context::Refusal;
use daisho::ops::read::missing::{MissingFile, MissingOfMap, MissingOptions, missing};
use daisho::ops::select::Selection;

use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind, Output};
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
    let report = missing(&global.context(), paths, &options)?;
    let count: usize = report.maps.iter().map(|map| map.missing.len()).sum();
    let exit = output::write(global, Kind::Text, |out| {
        for map in &report.maps {
            for file in &map.missing {
                show(out, map, file, as_json)?;
            }
        }
        Ok(if count > 0 {
            Exit::NotAllWell
        } else {
            Exit::Done
        })
    });
    global.messages.problems(&report.problems);
    for map in &report.maps {
        let (path, name) = (text::path(&map.path), escape(&map.name));
        let (asked, of) = (map.asked, map.missing.len());
        let line = format!(
            "  {path}: {name}, {}: asks for {asked}, {of} missing",
            map.file_type
        );
        global.messages.detail(&line);
    }
    let asked: usize = report.maps.iter().map(|map| map.asked).sum();
    global.messages.note(&format!(
        "{} {} {}, {count} missing",
        text::count(report.maps.len(), "map", "maps"),
        if report.maps.len() == 1 {
            "asks for"
        } else {
            "ask for"
        },
        text::count(asked, "file", "files"),
    ));
    Ok(exit)
}

fn show(out: &mut Output, map: &MissingOfMap, file: &MissingFile, as_json: bool) -> io::Result<()> {
    if as_json {
        return show_json(out, map, file);
    }
    let by = match &file.asker {
        Asker::Texture { record } => format!("texture {record}"),
        Asker::Entity { number, class, key } => {
            format!("entity {number} {}, key {}", quoted(class), quoted(key))
        }
    };
    let (map, name) = (escape(&map.name), escape(&file.name));
    writeln!(out, "{map}: {} {name} ({by})", file.what)
}

fn show_json(out: &mut Output, map: &MissingOfMap, file: &MissingFile) -> io::Result<()> {
    json::row(out, |row| {
        row.text("map", &map.name)?;
        row.path("path", &map.path)?;
        row.field("kind", file.what)?;
        row.text("missing", &file.name)?;
        let instead = file.instead.iter().map(|name| escape(name).to_string());
        row.field("instead", instead.collect::<Vec<_>>())?;
        match &file.asker {
            Asker::Texture { record } => row.field("texture", record),
            Asker::Entity { number, class, key } => {
                row.field("entity", number)?;
                row.text("class", class)?;
                row.text("key", key)
            }
        }
    })
}
