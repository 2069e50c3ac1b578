//! One entry: what it is, and what can be seen or heard of it.

use std::fs::File;
use std::io::Write as _;

use daisho::archive::error::{Error, ErrorKind};
use daisho::archive::{Case, Which, quoted};
use daisho::media::colours::wanted;
use daisho::media::drawing::{LINES_MAX, drawing};
use daisho::media::{
    self, DecodeOptions, Depth, Family, FileType, Found, Frame, Kind, Palette, Picture,
};
use daisho::{Archive, Entry};
use serde_json::{Value, json};

use crate::facts;
use crate::report::{Report, locate, shown};

/// How long a file is at most that is looked at. It is in memory as a whole.
const LOOK_MAX: u64 = 64 << 20;

/// How many pixels a picture and its frames have at most.
const PIXELS_MAX: u64 = 16 << 20;

/// How long a file with a palette is at most.
const PALETTE_MAX: u64 = 1 << 20;

/// An output that cannot be written.
pub(crate) fn output(error: std::io::Error) -> Error {
    Error::from_io(error)
}

/// The entry of this number.
fn entry<'a>(archive: &'a Archive, index: &str) -> Result<Entry<'a>, Error> {
    let found = index.parse().ok().and_then(|index| archive.entry(index));
    found.ok_or_else(|| Error::from_io(std::io::ErrorKind::NotFound.into()))
}

/// Writes the content of an entry.
pub(crate) fn content(
    report: &mut Report,
    out: &str,
    path: &str,
    index: &str,
) -> Result<(), Error> {
    let archive = Archive::open(path)?;
    let entry = entry(&archive, index)?;
    let mut reader = entry.reader()?;
    let mut file = File::create(out).map_err(output)?;
    let (mut buffer, mut done) = (vec![0; 1 << 16], 0);
    loop {
        let read = reader.read_some(&mut buffer)?;
        if read == 0 {
            break;
        }
        file.write_all(buffer.get(..read).unwrap_or_default())
            .map_err(output)?;
        done += read as u64;
        report.progress(done, entry.size());
    }
    report.say(&json!({ "out": out, "name": shown(entry.name()) }));
    Ok(())
}

/// Says what an entry is, and writes what can be seen of it: the pixels of a picture, four bytes each; the
/// drawing of a map; else the content.
pub(crate) fn look(
    report: &mut Report,
    (out, path, index): (&str, &str, &str),
    beside: &[&str],
) -> Result<(), Error> {
    let archive = Archive::open(path)?;
    let entry = entry(&archive, index)?;
    if entry.size() > LOOK_MAX {
        let kind = ErrorKind::OverLimit {
            what: "the length of a file that is looked at",
            value: entry.size(),
            limit: LOOK_MAX,
        };
        return Err(locate(&entry, kind));
    }
    let bytes = entry.read()?;
    let found = media::facts(entry.name(), &bytes, Depth::All).map_err(Error::from_io)?;
    report.say(&said(&entry, &found));
    let file_type = found.file_type;
    let mut file = File::create(out).map_err(output)?;
    if let Some(svg) = map(file_type, &bytes) {
        file.write_all(svg.as_bytes()).map_err(output)?;
        report.say(&json!({ "out": out, "shown": "map" }));
        return Ok(());
    }
    if media::may_be_picture(entry.name()) {
        let options = DecodeOptions {
            all_frames: true,
            mips: false,
            max_pixels: PIXELS_MAX,
        };
        match media::decode(entry.name(), &bytes, &options) {
            Ok(picture) if !picture.frames.is_empty() => {
                let palette = palette(report, &entry, &picture, beside);
                return pictures(report, (out, &mut file), &picture.frames, &palette);
            }
            Ok(_) => {}
            Err(error) => {
                report.warning(&entry, format!("the picture cannot be decoded: {error}"));
            }
        }
    }
    file.write_all(&bytes).map_err(output)?;
    report.say(&json!({ "out": out, "shown": "content" }));
    Ok(())
}

/// What is known of an entry.
fn said(entry: &Entry<'_>, found: &Found) -> Value {
    let lines = |fact| json!([facts::label(fact), facts::lines(fact, false)]);
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

/// A map, drawn from above, if there is anything to draw.
fn map(file_type: Option<FileType>, bytes: &[u8]) -> Option<String> {
    let is_map = file_type?.family() == Family::Map;
    let svg = drawing(&bytes, LINES_MAX).ok();
    svg.filter(|svg| is_map && !svg.contains(" d=\"\""))
}

/// Writes pictures one behind another.
fn pictures(
    report: &mut Report,
    (out, file): (&str, &mut File),
    frames: &[Frame],
    palette: &Palette,
) -> Result<(), Error> {
    let mut said = Vec::new();
    for Frame { label, pixels } in frames {
        file.write_all(&pixels.to_rgba(palette)).map_err(output)?;
        said.push(json!([label, pixels.width, pixels.height]));
    }
    report.say(&json!({ "out": out, "shown": "picture", "frames": said }));
    Ok(())
}

/// The palette that the game would take: from the picture's archive, or from those beside it.
fn palette(report: &mut Report, entry: &Entry<'_>, picture: &Picture, beside: &[&str]) -> Palette {
    if !picture.frames.iter().any(|it| it.pixels.wants_palette()) {
        return Palette::grey();
    }
    let names = wanted(picture.file_type, entry.name());
    let find = |archive: &Archive| names.iter().find_map(|name| read_palette(archive, name));
    let found = find(entry.archive()).or_else(|| {
        let mut others = beside.iter().filter_map(|path| Archive::open(path).ok());
        others.find_map(|archive| find(&archive))
    });
    match found {
        Some((palette, name)) => {
            report.say(&json!({ "palette": name }));
            palette
        }
        None => {
            let names: Vec<String> = names.iter().map(|name| quoted(name).to_string()).collect();
            let names = names.join(" or ");
            report.warning(
                entry,
                format!(
                    "no palette was found, so it is drawn in grey; the game looks for it in {names}"
                ),
            );
            Palette::grey()
        }
    }
}

fn read_palette(archive: &Archive, name: &[u8]) -> Option<(Palette, String)> {
    let entry = archive.find(name, Case::Ignored, Which::First)?;
    let bytes = (entry.size() <= PALETTE_MAX).then(|| entry.read().ok())??;
    let palette = Palette::of_file(entry.name(), &bytes).ok()?;
    Some((palette, shown(entry.name())))
}
