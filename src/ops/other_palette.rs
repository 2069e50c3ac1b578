//! Textures that go from a WAD, or a map, of Quake into a WAD of Half-Life, or back, get a palette of the other kind.
//!
//! Quake's textures have the game's palette. Half-Life's have their own, which follows the pixels. The new textures
//! are in a temporary file, and the archive is read as if they followed it.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use crate::archive::{Archive, Entry, Extent, Format, ReadAt};
use crate::fs::Scratch;
use crate::media::{Data, EncodeOptions, FileType, Palette, TargetPalette};
use crate::ops::context::{Context, Refusal};
use crate::ops::expansion::ExpansionLimit;
use crate::ops::finding::Finding;
use crate::ops::pictures::{MadeFiles, PictureOptions, Pictures};
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
        // One of them for each payload.
        let (mut distinct, mut seen) = (others.clone(), HashSet::new());
        distinct.retain(|entry| seen.insert(entry.place()));
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
        let made = MadeFiles::new(context)?;
        let begin = source.size().map_err(Finding::from_io)?;
        let places = context.pool.map(&distinct, |entry| -> Result<_, Finding> {
            context.cancel.check()?;
            let Some(texture) = self.make(entry, target.as_ref()) else { return Ok(None) };
            let place = made.append(&texture)?;
            let offset = begin.saturating_add(place.offset);
            Ok(Some((entry.place(), Extent { offset, ..place })))
        });
        // The places of new textures, by those of the old ones.
        let mut moved = HashMap::new();
        for place in places {
            moved.extend(place?);
        }
        let followed = Followed { source, begin, scratch: made.scratch };
        let others: Vec<_> = others.iter().map(|entry| (entry.index(), entry.place())).collect();
        let mut mapped =
            Archive::read_source(Box::new(followed), archive.options(), archive.path())?;
        let mut count = 0;
        for (index, place) in others {
            if let Some(new) = moved.get(&place) {
                mapped.move_payload(index, *new);
                count += 1;
            }
        }
        Ok((Arc::new(mapped), self.remark(count)))
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

/// A file, and what follows it in a temporary file.
struct Followed {
    source: Arc<dyn ReadAt>,
    /// The length of the file.
    begin: u64,
    scratch: Scratch,
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
        Ok(self.begin.saturating_add(self.scratch.size()?))
    }
}
