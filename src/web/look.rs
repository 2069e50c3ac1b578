//! One entry: its facts, and its picture, its map or its content.

use std::fs::File;
use std::io::Write as _;

use daisho::archive::{DecodedReader, Limit};
use daisho::media::{self, Depth, Fact, FileFacts, FileType, Frame, Kind, Palette, Picture};
use daisho::ops::finding::Finding;
use daisho::{Entry, Error, ErrorKind};
use serde_json::{Value, json};

use crate::pictures::{Chosen, Request, map, options};
use crate::report::{Report, shown};

/// The largest file that is shown. It is in memory as a whole.
const LOOK_MAX: u64 = 64 << 20;

/// The most lines in the drawing of a map.
const LINES: usize = 20_000;

/// Writes the content of an entry.
pub(crate) fn content(report: &Report, request: &Request<'_>, index: &str) -> Result<(), Error> {
    let entry = request.entry(index)?;
    let mut file = request.create()?;
    let mut done = 0;
    read(&entry, |piece| {
        done += piece.len() as u64;
        report.progress(done, entry.size());
        file.write_all(piece).map_err(Error::from_io)
    })?;
    report.say(&json!({ "out": request.out, "name": shown(entry.name()) }));
    Ok(())
}

/// Reads the content of an entry in pieces. Returns the reader, which has the warnings.
pub(crate) fn read<'a>(
    entry: &Entry<'a>,
    mut piece: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<DecodedReader<'a>, Error> {
    let mut reader = entry.reader()?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match reader.read_some(&mut buffer)? {
            0 => return Ok(reader),
            length => piece(buffer.get(..length).unwrap_or_default())?,
        }
    }
}

/// Reports the facts of an entry, and writes what the page shows: the pixels of a picture, four bytes each; the
/// drawing of a map; for other files the content.
pub(crate) fn look(report: &Report, request: &Request<'_>, index: &str) -> Result<(), Error> {
    let entry = request.entry(index)?;
    if entry.size() > LOOK_MAX {
        let kind = ErrorKind::OverLimit {
            what: Limit::Length("a file that is looked at"),
            value: entry.size(),
            limit: LOOK_MAX,
        };
        return Err(entry.locate(kind.into()));
    }
    let bytes = entry.read()?;
    let found = media::facts(entry.name(), &bytes, Depth::All).map_err(Error::from_io)?;
    report.say(&said(&entry, &found));
    let file_type = found.file_type;
    let mut file = request.create()?;
    if let Some(svg) = map(file_type, &bytes, LINES) {
        file.write_all(svg.as_bytes()).map_err(Error::from_io)?;
        report.say(&json!({ "out": request.out, "shown": "map" }));
        return Ok(());
    }
    if Picture::may_be_in(entry.name()) {
        match Picture::decode(entry.name(), &bytes, &options(true)) {
            Ok(picture) if !picture.frames.is_empty() => {
                let Chosen { palette, name, .. } = request.palette(report, &entry, &picture);
                if let Some(name) = name {
                    report.say(&json!({ "palette": name }));
                }
                return pictures(report, (request.out, &mut file), &picture.frames, &palette);
            }
            Ok(_) => {}
            Err(error) => {
                let what = format!("the picture cannot be decoded: {error}");
                report.finding(&Finding::warning(what).in_entry(entry.index(), entry.name()));
            }
        }
    }
    file.write_all(&bytes).map_err(Error::from_io)?;
    report.say(&json!({ "out": request.out, "shown": "content" }));
    Ok(())
}

/// The facts of an entry.
fn said(entry: &Entry<'_>, found: &FileFacts) -> Value {
    let lines = |fact: &Fact| json!([fact.label(), fact.lines(false)]);
    let file_type = found.file_type;
    json!({
        "name": shown(entry.name()),
        "kind": Kind::of(entry.name()).as_str(),
        "type": file_type.map(FileType::described),
        "summary": found.summary(),
        "facts": found.facts.iter().map(lines).collect::<Vec<_>>(),
        "remarks": found.notes,
        "size": entry.size(),
        "packed": entry.stored_len(),
        "offset": entry.offset(),
        "compressed": entry.is_compressed(),
    })
}

/// Writes the pixels of pictures, one picture after another.
fn pictures(
    report: &Report,
    (out, file): (&str, &mut File),
    frames: &[Frame],
    palette: &Palette,
) -> Result<(), Error> {
    let mut said = Vec::new();
    for Frame { label, pixels } in frames {
        file.write_all(&pixels.to_rgba(palette))
            .map_err(Error::from_io)?;
        said.push(json!([label, pixels.width, pixels.height]));
    }
    report.say(&json!({ "out": out, "shown": "picture", "frames": said }));
    Ok(())
}
