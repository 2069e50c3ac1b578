//! Textures that go from a WAD, or a map, of Quake into a WAD of Half-Life, or back, get a palette of the other kind.
//!
//! Quake's textures have the game's palette. Half-Life's have their own, which follows the pixels. The new textures
//! are in a temporary file, and the archive is read as if they followed it.

use std::io;
use std::sync::Arc;

use super::context::{Context, Refusal};
use super::pictures::Pictures;
use super::plan::part::has_own_palette;
use super::write::WriteOptions;
use crate::archive::{Archive, Entry, Extent, Format, ReadAt};
use crate::fs::{Scratch, Sink as _};
use crate::media::{Data, EncodeOptions, FileType, TargetPalette};
use crate::ops::finding::{Finding, Notice};

/// Gives textures the palette that a WAD of this format has.
pub(super) struct PaletteMapper {
    to: Format,
    pictures: Pictures,
}

impl PaletteMapper {
    /// The mapper for an output. `None` if the output is no WAD.
    pub(super) fn new(
        context: &Context<'_>,
        options: &WriteOptions,
        findings: &mut Vec<Finding>,
    ) -> Result<Option<Self>, Refusal> {
        if !options.to.spec().has_lumps() {
            return Ok(None);
        }
        let pictures = Pictures::open(context, &options.pictures, Vec::new(), findings)?;
        Ok(Some(Self {
            to: options.to,
            pictures,
        }))
    }

    /// The archive with textures for the output, and the remark that some of them are other textures now. A texture
    /// that cannot be decoded stays as it is.
    pub(super) fn map(
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
        let Some(first) = others.first() else {
            return Ok((archive, None));
        };
        let mut target = None;
        if !wants_own {
            let own = std::iter::once(&*archive);
            let palette = self.pictures.target(own, FileType::Mip, first.name());
            target = palette.map(|palette| TargetPalette::new((*palette).clone()));
        }
        let made = context
            .pool
            .map(&others, |entry| self.make(entry, target.as_ref()));
        let scratch = context.system.scratch().map_err(Finding::from_io)?;
        let begin = source.size().map_err(Finding::from_io)?;
        let (mut len, mut moved) = (0, Vec::new());
        for (entry, made) in others.iter().zip(made) {
            context.cancel.check()?;
            let Some(texture) = made else { continue };
            scratch.write_at(&texture, len).map_err(Finding::from_io)?;
            let place = Extent {
                offset: begin.saturating_add(len),
                len: texture.len() as u64,
            };
            moved.push((entry.index(), place));
            len = len.saturating_add(place.len);
        }
        let followed = Followed {
            source,
            begin,
            scratch,
            len,
        };
        let count = moved.len();
        let path = archive.path();
        let mut mapped = Archive::read(Box::new(followed), archive.options(), path)?;
        for (index, place) in moved {
            mapped.move_payload(index, place);
        }
        Ok((Arc::new(mapped), self.remark(count)))
    }

    /// The new texture. `None` if the old one cannot be decoded.
    fn make(&self, entry: &Entry<'_>, target: Option<&TargetPalette>) -> Option<Vec<u8>> {
        let (_share, picture) = self.pictures.decode_within_memory(entry).ok()?;
        let mut pixels = picture.frames.into_iter().next()?.pixels;
        if let Data::Indexed {
            palette: palette @ None,
            ..
        } = &mut pixels.data
        {
            *palette = Some((*picture.palette).clone());
        }
        let options = EncodeOptions {
            palette: target,
            fullbright: false,
            fields: &picture.fields,
        };
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
        Some(Finding::warning(Notice::OtherPalette, what))
    }
}

/// A file, and what follows it in a temporary file.
struct Followed {
    source: Arc<dyn ReadAt>,
    /// The length of the file.
    begin: u64,
    scratch: Scratch,
    len: u64,
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
