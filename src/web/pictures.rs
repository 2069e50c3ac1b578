//! The pictures of many entries, small or as PNG files, and their palettes.

use std::cell::OnceCell;
use std::fs::File;
use std::io::Write as _;

use daisho::archive::{Case, RawName, SafePath, Which, quoted};
use daisho::media::drawing::drawing;
use daisho::media::{
    self, DecodeOptions, Depth, FileType, Frame, Kind, Palette, Picture, PictureFields,
};
use daisho::ops::finding::Finding;
use daisho::{Archive, Entry, Error, ErrorKind, Format, Writer};
use serde_json::json;

use crate::report::{Report, shown};

/// The longest side of a small picture.
const SIDE: usize = 192;

/// How many lines a small map has.
const LINES: usize = 700;

/// The largest file that becomes a small picture.
const SMALL_MAX: u64 = 16 << 20;

/// How many pixels a picture and its frames have at most.
const PIXELS_MAX: u64 = 16 << 20;

/// The largest file with a palette.
const PALETTE_MAX: u64 = 1 << 20;

/// The folder in which the page puts a palette that the user chose.
const CHOSEN: &str = ".palette/";

/// How pictures are decoded.
pub(crate) fn options(all_frames: bool) -> DecodeOptions {
    DecodeOptions {
        all_frames,
        mips: false,
        max_pixels: PIXELS_MAX,
    }
}

/// The palette that is chosen for a picture.
pub(crate) struct Chosen {
    pub(crate) palette: Palette,
    /// The name of its file. `None` if none was found.
    pub(crate) name: Option<String>,
    /// Whether it is grey because none was found.
    is_stand_in: bool,
}

/// An archive whose entries are shown, the file that gets the result, and other archives that may have palettes.
pub(crate) struct Request<'a> {
    pub(crate) out: &'a str,
    archive: Archive,
    beside: &'a [&'a str],
    /// The archives of `beside`, opened when a palette is not in the picture's own archive.
    opened: OnceCell<Vec<Archive>>,
}

impl<'a> Request<'a> {
    pub(crate) fn open(out: &'a str, path: &str, beside: &'a [&'a str]) -> Result<Self, Error> {
        Ok(Self {
            out,
            archive: Archive::open(path)?,
            beside,
            opened: OnceCell::new(),
        })
    }

    /// The entry of this number.
    pub(crate) fn entry(&self, index: &str) -> Result<Entry<'_>, Error> {
        let found = index.parse().ok();
        let found = found.and_then(|index| self.archive.entry(index));
        found.ok_or_else(|| Error::from_io(std::io::ErrorKind::NotFound.into()))
    }

    /// Creates the file for the result.
    pub(crate) fn create(&self) -> Result<File, Error> {
        File::create(self.out).map_err(Error::from_io)
    }

    /// The palette for a picture. Warns if no palette is found.
    pub(crate) fn palette(&self, report: &Report, entry: &Entry<'_>, picture: &Picture) -> Chosen {
        let mut chosen = Chosen {
            palette: Palette::grey(),
            name: None,
            is_stand_in: false,
        };
        if !picture.frames.iter().any(|it| it.pixels.wants_palette()) {
            return chosen;
        }
        let names = picture.file_type.palettes(entry.name());
        if let Some((palette, name)) = self.find_palette(&names) {
            chosen.palette = palette;
            chosen.name = Some(name);
            return chosen;
        }
        let names: Vec<String> = names.iter().map(|name| quoted(name).to_string()).collect();
        let names = names.join(" or ");
        let drawn = match picture.file_type.built_in_palette() {
            Some(palette) => {
                chosen.palette = palette;
                "gets Quake's, which is built in"
            }
            None => {
                chosen.is_stand_in = true;
                "is drawn in grey"
            }
        };
        let what = format!(
            "no palette was found, so the picture {drawn}; the game looks for it in {names}"
        );
        report.finding(&Finding::warning(what).in_entry(entry.index(), entry.name()));
        chosen
    }

    /// Finds a palette: the one that the user chose, then one in the picture's archive, then one in the others.
    fn find_palette(&self, names: &[Vec<u8>]) -> Option<(Palette, String)> {
        for path in self.beside {
            if let Some(name) = path.strip_prefix(CHOSEN) {
                let bytes = std::fs::read(path).ok()?;
                let palette = Palette::of_file(RawName::new(name.as_bytes()), &bytes).ok();
                return palette.map(|palette| (palette, name.to_owned()));
            }
        }
        let open = || {
            let archives = self.beside.iter().map(Archive::open);
            archives.filter_map(Result::ok).collect()
        };
        let find = |archive| names.iter().find_map(|name| read_palette(archive, name));
        find(&self.archive).or_else(|| self.opened.get_or_init(open).iter().find_map(find))
    }
}

fn read_palette(archive: &Archive, name: &[u8]) -> Option<(Palette, String)> {
    let entry = archive.find(name, Case::Ignored, Which::First)?;
    let bytes = (entry.size() <= PALETTE_MAX).then(|| entry.read().ok())??;
    let palette = Palette::of_file(entry.name(), &bytes).ok()?;
    Some((palette, shown(entry.name())))
}

/// The drawing of a map from above, if it has any lines.
pub(crate) fn map(file_type: Option<FileType>, bytes: &[u8], lines: usize) -> Option<String> {
    let is_map = file_type?.kind() == Kind::Map;
    let svg = drawing(&bytes, lines).ok();
    svg.filter(|svg| is_map && !svg.contains(" d=\"\""))
}

/// Writes a small picture of each of these entries, and reports where each begins. Entries without a picture are
/// skipped.
pub(crate) fn thumbs(report: &Report, request: &Request<'_>, indices: &str) -> Result<(), Error> {
    let mut file = request.create()?;
    let mut at = 0;
    for index in indices.split(',') {
        let entry = request.entry(index)?;
        let Some((look, content)) = thumb(report, request, &entry) else {
            continue;
        };
        file.write_all(&content).map_err(Error::from_io)?;
        let index = entry.index();
        report.say(&json!({ "index": index, "at": at, "length": content.len(), "look": look }));
        at += content.len();
    }
    Ok(())
}

fn thumb(
    report: &Report,
    request: &Request<'_>,
    entry: &Entry<'_>,
) -> Option<(serde_json::Value, Vec<u8>)> {
    let bytes = (entry.size() <= SMALL_MAX).then(|| entry.read().ok())??;
    let found = media::facts(entry.name(), &bytes, Depth::Header).ok()?;
    if let Some(svg) = map(found.file_type, &bytes, LINES) {
        let look = json!({ "shown": "map", "type": "image/svg+xml" });
        return Some((look, svg.into_bytes()));
    }
    match found.file_type {
        Some(FileType::Png) => {
            return Some((json!({ "shown": "picture", "type": "image/png" }), bytes));
        }
        Some(FileType::Jpeg) => {
            return Some((json!({ "shown": "picture", "type": "image/jpeg" }), bytes));
        }
        _ => {}
    }
    let picture = Picture::decode(entry.name(), &bytes, &options(false)).ok()?;
    let palette = request.palette(report, entry, &picture).palette;
    let Frame { pixels, .. } = picture.frames.first()?;
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let step = width.max(height).div_ceil(SIDE).max(1);
    let rgba = pixels.to_rgba(&palette);
    let mut small = Vec::new();
    for row in rgba.chunks(width.max(1) * 4).step_by(step) {
        for pixel in row.chunks(4).step_by(step) {
            small.extend_from_slice(pixel);
        }
    }
    let (width, height) = (width.div_ceil(step), height.div_ceil(step));
    Some((
        json!({ "shown": "pixels", "width": width, "height": height }),
        small,
    ))
}

/// Writes the first picture of an entry as a PNG file.
pub(crate) fn png(report: &Report, request: &Request<'_>, index: &str) -> Result<(), Error> {
    let png = encoded(report, request, &request.entry(index)?)?;
    std::fs::write(request.out, png).map_err(Error::from_io)
}

/// Writes a ZIP with the first picture of each of these entries as a PNG file.
pub(crate) fn pngs(report: &Report, request: &Request<'_>, indices: &str) -> Result<(), Error> {
    let mut writer = Writer::new(request.create()?, Format::Pk3)?;
    let indices: Vec<&str> = indices.split(',').collect();
    let mut left = 0_usize;
    for (done, index) in indices.iter().enumerate() {
        report.progress(done as u64, indices.len() as u64);
        let entry = request.entry(index)?;
        let made = match SafePath::try_from(entry.name()) {
            Ok(_) => encoded(report, request, &entry),
            Err(why) => Err(entry.locate(ErrorKind::Path(why).into())),
        };
        let name = [entry.name().as_bytes(), b".png"].concat();
        match made.and_then(|png| writer.add(name, &png)) {
            Ok(()) => left += 1,
            Err(error) => report.finding(&error.into()),
        }
    }
    let failed = indices.len() - left;
    if left == 0 {
        report.say(&json!({ "failed": failed, "left": left }));
        return Ok(());
    }
    writer.finish()?.flush().map_err(Error::from_io)?;
    report.say(&json!({ "out": request.out, "failed": failed, "left": left }));
    Ok(())
}

/// The first picture of an entry as a PNG file, as the command writes it.
fn encoded(report: &Report, request: &Request<'_>, entry: &Entry<'_>) -> Result<Vec<u8>, Error> {
    let bytes = entry.read()?;
    let refused = |why: String| {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidData, why);
        entry.locate(Error::from_io(error))
    };
    let picture = Picture::decode(entry.name(), &bytes, &options(false))
        .map_err(|error| refused(format!("the picture cannot be decoded: {error}")))?;
    let chosen = request.palette(report, entry, &picture);
    let Some(frame) = picture.frames.first() else {
        return Err(refused("there is no picture in this file".to_owned()));
    };
    let mut fields = PictureFields::of_file(picture.file_type, &bytes, frame);
    fields.is_stand_in = chosen.is_stand_in;
    media::png_with_fields(&frame.pixels, &chosen.palette, &fields).map_err(Error::from_io)
}
