//! The pictures of many entries, small or as PNG files.

use std::cell::OnceCell;
use std::fs::File;
use std::io::{self, Write as _};

use daisho::archive::SafePath;
use daisho::media::drawing::drawing;
use daisho::media::{self, DecodeOptions, Depth, FileType, Kind};
use daisho::ops::finding::Finding;
use daisho::ops::pictures::{ColouredPicture, PictureOptions, Pictures, smaller};
use daisho::ops::{Context, Refusal};
use daisho::{Archive, Entry, ErrorKind, Format, Writer};
use serde_json::{Value, json};

use crate::report::Report;

/// The longest side of a small picture.
const SIDE: u32 = 192;

/// How many lines a small map has.
const LINES: usize = 700;

/// The largest file that becomes a small picture.
const SMALL_MAX: u64 = 16 << 20;

/// How many pixels a picture and its frames have at most.
const PIXELS_MAX: u64 = 16 << 20;

/// The folder in which the page puts a palette that the user chose.
const CHOSEN: &str = ".palette/";

/// An archive whose entries are shown, and the file that gets the result.
pub(crate) struct Request<'a> {
    out: &'a str,
    archive: Archive,
    /// Decodes pictures with the palette that the user chose, and with those in the archive.
    own: Pictures,
    options: PictureOptions,
    /// Also with the palettes in other archives. Opened when a palette is not in the picture's own archive.
    all: OnceCell<Option<Pictures>>,
}

impl<'a> Request<'a> {
    /// Opens an archive. The files `beside` are a palette or other archives, the most important first.
    pub(crate) fn open(
        out: &'a str,
        path: &str,
        beside: &[&str],
        all_frames: bool,
    ) -> Result<Self, Refusal> {
        let (chosen, others): (Vec<&str>, Vec<&str>) =
            beside.iter().copied().partition(|path| path.starts_with(CHOSEN));
        let mut decode = DecodeOptions::default();
        (decode.all_frames, decode.max_pixels) = (all_frames, PIXELS_MAX);
        let mut options = PictureOptions {
            decode,
            palette: chosen.first().map(Into::into),
            is_default_game: true,
            ..PictureOptions::default()
        };
        let archive = Archive::open(path).map_err(Finding::from)?;
        let own = Pictures::open(&Context::new(), &options, Vec::new(), &mut Vec::new())?;
        // Of several archives, a game takes a file from the last one.
        options.game = others.iter().rev().map(Into::into).collect();
        Ok(Self { out, archive, own, options, all: OnceCell::new() })
    }

    /// The entry of this number.
    pub(crate) fn entry(&self, index: &str) -> Result<Entry<'_>, Finding> {
        let entry = self.archive.entry(number(index)?);
        entry.ok_or_else(|| Finding::from_io(io::ErrorKind::NotFound.into()))
    }

    /// Creates the file for the result.
    pub(crate) fn create(&self) -> Result<File, Finding> {
        File::create(self.out).map_err(Finding::from_io)
    }

    /// Decodes a picture, with the palette of another archive if its own has none.
    pub(crate) fn decode(&self, entry: &Entry<'_>) -> Result<ColouredPicture, Finding> {
        let picture = self.own.decode(entry)?;
        if picture.remark.is_none() || self.options.game.is_empty() {
            return Ok(picture);
        }
        let open =
            || Pictures::open(&Context::new(), &self.options, Vec::new(), &mut Vec::new()).ok();
        match self.all.get_or_init(open) {
            Some(all) => all.decode(entry).map(|other| match other.remark {
                None => other,
                Some(_) => picture,
            }),
            None => Ok(picture),
        }
    }
}

/// The number of an entry.
pub(crate) fn number(index: &str) -> Result<usize, Finding> {
    (index.parse())
        .map_err(|_| Finding::error("an entry is asked for by something else than its number"))
}

/// The drawing of a map from above, if it has any lines.
pub(crate) fn map(file_type: Option<FileType>, bytes: &[u8], lines: usize) -> Option<String> {
    let is_map = file_type?.kind() == Kind::Map;
    let svg = drawing(&bytes, lines).ok()?;
    svg.filter(|svg| is_map && !svg.contains(" d=\"\""))
}

/// Writes a small picture of each of these entries, and reports where each begins. Entries without a picture are
/// skipped.
pub(crate) fn thumbs(report: &Report, request: &Request<'_>, indices: &str) -> Result<(), Refusal> {
    let mut file = request.create()?;
    let mut at = 0;
    for index in indices.split(',') {
        let entry = request.entry(index)?;
        let Some((look, content)) = thumb(request, &entry) else {
            continue;
        };
        file.write_all(&content).map_err(Finding::from_io)?;
        let index = entry.index();
        report.say(&json!({ "index": index, "at": at, "length": content.len(), "look": look }));
        at += content.len();
    }
    Ok(())
}

/// How a small picture of an entry is shown, and its bytes.
fn thumb(request: &Request<'_>, entry: &Entry<'_>) -> Option<(Value, Vec<u8>)> {
    let bytes = (entry.size() <= SMALL_MAX).then(|| entry.read().ok())??;
    let found = media::facts(entry.name(), &bytes, Depth::Header).ok()?;
    if let Some(svg) = map(found.file_type, &bytes, LINES) {
        let look = json!({ "shown": "map", "type": "image/svg+xml" });
        return Some((look, svg.into_bytes()));
    }
    let media_type = match found.file_type {
        Some(FileType::Png) => "image/png",
        Some(FileType::Jpeg) => "image/jpeg",
        _ => {
            let picture = request.decode(entry).ok()?;
            let small = smaller(&*picture.whole()?, &picture.palette, SIDE);
            let look = json!({ "shown": "pixels", "width": small.width, "height": small.height });
            return Some((look, small.to_rgba(&picture.palette)));
        }
    };
    Some((json!({ "shown": "picture", "type": media_type }), bytes))
}

/// Writes a picture as a PNG file.
pub(crate) fn png(report: &Report, request: &Request<'_>, index: &str) -> Result<(), Refusal> {
    let png = encoded(report, request, &request.entry(index)?)?;
    request.create()?.write_all(&png).map_err(Finding::from_io)?;
    Ok(())
}

/// Writes a ZIP with each of these pictures as a PNG file. PNGs and JPEGs are copied, under their own names.
pub(crate) fn pngs(report: &Report, request: &Request<'_>, indices: &str) -> Result<(), Refusal> {
    let mut writer = Writer::new(request.create()?, Format::Pk3).map_err(Finding::from)?;
    let indices: Vec<&str> = indices.split(',').collect();
    let mut left = 0_usize;
    for (done, index) in indices.iter().enumerate() {
        report.progress(done as u64, indices.len() as u64);
        let entry = request.entry(index)?;
        let made = match SafePath::try_from(entry.name()) {
            Ok(_) => web_picture(report, request, &entry),
            Err(why) => Err(entry.locate(ErrorKind::Path(why).into()).into()),
        };
        match made.and_then(|(name, bytes)| Ok(writer.add(name, &bytes)?)) {
            Ok(()) => left += 1,
            Err(error) => report.finding(&error),
        }
    }
    let mut file = writer.finish().map_err(Finding::from)?;
    file.flush().map_err(Finding::from_io)?;
    report.say(&json!({ "failed": indices.len() - left, "left": left }));
    Ok(())
}

/// The name and the bytes of a picture that any program shows: a PNG or JPEG as it is, or a PNG file of it.
fn web_picture(
    report: &Report,
    request: &Request<'_>,
    entry: &Entry<'_>,
) -> Result<(Vec<u8>, Vec<u8>), Finding> {
    let name = entry.name().as_bytes();
    let start = entry.start(8)?;
    if let Some(FileType::Png | FileType::Jpeg) = FileType::by_magic(&start) {
        return Ok((name.to_vec(), entry.read()?));
    }
    Ok(([name, b".png"].concat(), encoded(report, request, entry)?))
}

/// A picture as a PNG file, as the command writes it.
fn encoded(report: &Report, request: &Request<'_>, entry: &Entry<'_>) -> Result<Vec<u8>, Finding> {
    let picture = request.decode(entry)?;
    if let Some(remark) = &picture.remark {
        report.finding(remark);
    }
    picture.png().map_err(|error| Finding::from_io(error).of_entry(entry))
}
