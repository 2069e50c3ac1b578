//! One entry: its facts, and its picture, its map or its content.

use std::fs::File;
use std::io::Write as _;

use daisho::archive::{Limit, escape};
use daisho::media::{self, Depth, Fact, FileFacts, FileType, Frame, Picture};
use daisho::ops::finding::Finding;
use daisho::ops::pictures::ColouredPicture;
use daisho::ops::source::Wanted;
use daisho::ops::{Context, Refusal, cat};
use daisho::{Entry, ErrorKind};
use serde_json::json;

use crate::pictures::{Request, map, number};
use crate::report::Report;

/// The largest file that is shown. It is in memory as a whole.
const LOOK_MAX: u64 = 64 << 20;

/// The most lines in the drawing of a map.
const LINES: usize = 20_000;

/// Writes the content of an entry.
pub(crate) fn content(
    report: &Report,
    (out, path): (&str, &str),
    index: &str,
) -> Result<(), Refusal> {
    let context = Context::new().observed_by(report);
    let wanted = [Wanted::Index(number(index)?)];
    let mut file = File::create(out).map_err(Finding::from_io)?;
    let written = cat(&context, path, &wanted, None, &mut file)?;
    if let Some(error) = written.output {
        return Err(Finding::from_io(error).into());
    }
    let is_of_entry = |it: &Finding| it.is_error() && it.place.entry().is_some();
    if written.findings.iter().any(is_of_entry) {
        return Err(Refusal(written.findings));
    }
    report.findings(&written.findings);
    Ok(())
}

/// Reports the facts of an entry, and writes what the page shows: the pixels of pictures, four bytes each; the drawing
/// of a map; for other files the content.
pub(crate) fn look(report: &Report, request: &Request<'_>, index: &str) -> Result<(), Refusal> {
    let entry = request.entry(index)?;
    if entry.size() > LOOK_MAX {
        let kind = ErrorKind::OverLimit {
            what: Limit::Length("a file that is looked at"),
            value: entry.size(),
            limit: LOOK_MAX,
        };
        return Err(Finding::from(entry.locate(kind.into())).into());
    }
    let bytes = entry.read().map_err(Finding::from)?;
    let found = media::facts(entry.name(), &bytes, Depth::All).map_err(Finding::from_io)?;
    report_facts(report, &entry, &found);
    let mut file = request.create()?;
    if let Some(svg) = map(found.file_type, &bytes, LINES) {
        report.say(&json!({ "shown": "map" }));
        return write(&mut file, svg.as_bytes());
    }
    if Picture::may_be_in(entry.name()) {
        match request.decode(&entry) {
            Ok(picture) if picture.frames.is_empty() => {} // a sprite without frames
            Ok(picture) => return pictures(report, &mut file, &picture),
            Err(error) => report.finding(&error),
        }
    }
    report.say(&json!({ "shown": "content" }));
    write(&mut file, &bytes)
}

/// The facts of an entry.
fn report_facts(report: &Report, entry: &Entry<'_>, found: &FileFacts) {
    let lines = |fact: &Fact| json!([fact.label(), fact.lines(false)]);
    report.say(&json!({
        "type": found.file_type.map(FileType::described),
        "facts": found.facts.iter().map(lines).collect::<Vec<_>>(),
        "remarks": found.notes,
        "packed": entry.is_compressed().then(|| entry.stored_len()),
    }));
}

/// Writes the pixels of a picture's frames, one after another.
fn pictures(report: &Report, file: &mut File, picture: &ColouredPicture) -> Result<(), Refusal> {
    if let Some(remark) = &picture.remark {
        report.finding(remark);
    }
    let mut frames = Vec::new();
    for Frame { label, pixels } in &picture.frames {
        write(file, &pixels.to_rgba(&picture.palette))?;
        frames.push(json!([label, pixels.width, pixels.height]));
    }
    let palette = picture.palette_name.as_deref();
    let palette = palette.map(|name| escape(name).to_string());
    report.say(&json!({ "shown": "picture", "frames": frames, "palette": palette }));
    Ok(())
}

fn write(file: &mut File, bytes: &[u8]) -> Result<(), Refusal> {
    Ok(file.write_all(bytes).map_err(Finding::from_io)?)
}
