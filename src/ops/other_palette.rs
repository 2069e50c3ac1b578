//! Textures that go from a WAD, or a map, of Quake into a WAD of Half-Life, or back, get a palette of the other kind.
//!
//! Quake's textures have the game's palette. Half-Life's have their own, which follows the pixels. The new textures
//! are in a temporary file, and the archive is read as if they followed it.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use crate::archive::{Archive, Entry, Extent, Format, ReadAt};
use crate::fs::{Scratch, WriteAt as _};
use crate::media::{Data, EncodeOptions, FileType, Palette, TargetPalette};
use crate::ops::context::{Context, Refusal};
use crate::ops::expansion::ExpansionLimit;
use crate::ops::finding::Finding;
use crate::ops::pictures::{PictureOptions, Pictures};
use crate::ops::plan::part::has_own_palette;
use crate::ops::write::WriteOptions;

/// Gives textures the palette that a WAD of this format has.
pub(crate) struct PaletteMapper {
    to: Format,
    pictures: Pictures,
}

impl PaletteMapper {
    /// The mapper for an output. `None` if the output is no WAD.
    pub(crate) fn new(
        context: &Context<'_>,
        to: Format,
        options: &PictureOptions,
        findings: &mut Vec<Finding>,
    ) -> Result<Option<Self>, Refusal> {
        if !to.spec().has_lumps() {
            return Ok(None);
        }
        let pictures = Pictures::open(context, options, Vec::new(), findings)?;
        Ok(Some(Self { to, pictures }))
    }

    /// The archive with textures for the output, and the remark that some of them are other textures now. A texture
    /// that cannot be decoded stays as it is.
    pub(crate) fn map(
        &self,
        context: &Context<'_>,
        options: &WriteOptions,
        archive: Arc<Archive>,
    ) -> Result<(Arc<Archive>, Option<Finding>), Finding> {
        let wants_own = self.to == Format::Wad3;
        let is_wad = archive.format().is_none_or(|it| it.spec().has_lumps());
        let Some(source) = archive.shared_source().filter(|_| is_wad) else {
            return Ok((archive, None));
        };
        let is_other = |it: &Entry<'_>| has_own_palette(it).is_some_and(|own| own != wants_own);
        let mut others = options.selection.entries(&archive);
        others.retain(is_other);
        let distinct = distinct(&others);
        let Some(first) = distinct.first() else {
            return Ok((archive, None));
        };
        let bytes = distinct.iter().fold(0, |sum: u64, it| sum.saturating_add(it.size()));
        ExpansionLimit::of(&archive).check(bytes, options.max_expansion)?;
        let mut target = None;
        if !wants_own {
            let own = std::iter::once(&*archive);
            let palette = self.pictures.target(own, FileType::Mip, first.name())?;
            target = palette.map(|palette| TargetPalette::new((*palette).clone()));
        }
        let (followed, places) = self.make_all(context, source, &distinct, target.as_ref())?;
        let mut moved = Vec::new();
        for entry in &others {
            if let Some(place) = places.get(&entry.place()) {
                moved.push((entry.index(), *place));
            }
        }
        let count = moved.len();
        let path = archive.path();
        let mut mapped = Archive::read_source(Box::new(followed), archive.options(), path)?;
        for (index, place) in moved {
            mapped.move_payload(index, place);
        }
        Ok((Arc::new(mapped), self.remark(count)))
    }

    /// Makes new textures of these, and appends them to the source. Also returns their places, by those of the old
    /// ones.
    fn make_all(
        &self,
        context: &Context<'_>,
        source: Arc<dyn ReadAt>,
        textures: &[Entry<'_>],
        target: Option<&TargetPalette>,
    ) -> Result<(Followed, TexturePlaces), Finding> {
        let mut followed = Followed {
            begin: source.size().map_err(Finding::from_io)?,
            source,
            scratch: context.system.scratch().map_err(Finding::from_io)?,
            len: 0,
        };
        let mut places = TexturePlaces::new();
        let mut left = textures;
        while !left.is_empty() {
            let (batch, rest) = left.split_at(batch_len(left));
            let made = context.pool.map(batch, |entry| self.make(entry, target));
            context.cancel.check()?;
            for (entry, made) in batch.iter().zip(made) {
                if let Some(texture) = made {
                    places.insert(entry.place(), followed.append(&texture)?);
                }
            }
            left = rest;
        }
        Ok((followed, places))
    }

    /// The new texture. `None` if the old one cannot be decoded.
    fn make(&self, entry: &Entry<'_>, target: Option<&TargetPalette>) -> Option<Vec<u8>> {
        let (_share, picture) = self.pictures.decode_within_memory(entry).ok()?;
        let mut pixels = picture.frames.into_iter().next()?.pixels;
        pixels.complete(&picture.palette);
        if target.is_none() {
            pixels.data = with_clear_colour(pixels.data);
        }
        let options = EncodeOptions { palette: target, fullbright: false, fields: &picture.fields };
        let encoded = FileType::Mip.encode(entry.name(), &pixels, &options);
        Some(encoded.ok()?.bytes)
    }

    fn remark(&self, count: usize) -> Option<Finding> {
        let what = match (self.to, count) {
            (_, 0) => return None,
            (Format::Wad3, 1) => "1 texture gets a palette of its own: Quake's".to_owned(),
            (Format::Wad3, _) => format!("{count} textures get palettes of their own: Quake's"),
            (_, 1) => "1 texture gets the nearest colours of Quake's palette".to_owned(),
            (_, _) => format!("{count} textures get the nearest colours of Quake's palette"),
        };
        Some(Finding::warning(what).advice("look at them in a viewer, because colours may differ"))
    }
}

/// The pixels with blue as the last colour, if it is transparent. Half-Life's tools expect that.
fn with_clear_colour(data: Data) -> Data {
    match data {
        Data::Indexed { indices, palette: Some(palette), transparent: Some(255) } => {
            let first = palette.colours().iter().take(255).copied();
            Data::Indexed {
                indices,
                palette: Some(Palette::of_colours(first.chain([[0, 0, 255]]))),
                transparent: Some(255),
            }
        }
        other => other,
    }
}

/// The places of new textures, by those of the old ones.
type TexturePlaces = HashMap<Option<Extent>, Extent>;

/// The most bytes of textures that are made before they are written. Large batches keep all threads busy.
const BATCH_MAX: u64 = 32 << 20;

/// How many of these textures, which are not empty, are made before they are written.
fn batch_len(textures: &[Entry<'_>]) -> usize {
    let mut bytes: u64 = 0;
    for (count, entry) in textures.iter().enumerate() {
        bytes = bytes.saturating_add(entry.size());
        if bytes > BATCH_MAX {
            return count.max(1);
        }
    }
    textures.len()
}

/// One of these entries for each payload.
fn distinct<'a>(entries: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let mut seen = HashSet::new();
    let mut distinct = entries.to_vec();
    distinct.retain(|entry| seen.insert(entry.place()));
    distinct
}

/// A file, and what follows it in a temporary file.
struct Followed {
    source: Arc<dyn ReadAt>,
    /// The length of the file.
    begin: u64,
    scratch: Scratch,
    len: u64,
}

impl Followed {
    /// Adds a texture, and returns its place.
    fn append(&mut self, texture: &[u8]) -> Result<Extent, Finding> {
        let written = self.scratch.write_at(texture, self.len);
        written.map_err(Finding::from_io)?;
        let place =
            Extent { offset: self.begin.saturating_add(self.len), len: texture.len() as u64 };
        self.len = self.len.saturating_add(place.len);
        Ok(place)
    }
}

impl ReadAt for Followed {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if let Some(offset) = offset.checked_sub(self.begin) {
            return self.scratch.read_at(buffer, offset);
        }
        let left = usize::try_from(self.begin - offset).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let buffer = buffer.get_mut(..most).unwrap_or_default();
        self.source.read_at(buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.begin.saturating_add(self.len))
    }
}
