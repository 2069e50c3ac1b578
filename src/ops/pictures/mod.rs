//! Decodes the pictures in an archive, with the palette that the game would use, and makes pictures of games.
//!
//! | file       | job                                                    |
//! |------------|--------------------------------------------------------|
//! | `palettes` | which palette a picture is drawn with                  |
//! | `sheet`    | frames beside each other, and a picture made smaller   |
//! | `place`    | what a picture becomes that is packed                  |
//! | `make`     | encodes such pictures                                  |
//!
//! A picture takes the memory of its file, its pixels and its PNG while it is decoded. All three are bounded by
//! [`DecodeOptions::max_pixels`] before anything is read, and `Memory` bounds what all threads take together.

mod make;
mod palettes;
mod place;
mod sheet;

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::archive::error::{ErrorKind, Limit};
use crate::archive::{Archive, Entry, RawName};
use crate::fs::lock;
use crate::media::{
    DecodeOptions, FileType, Frame, Palette, Picture, PictureError, PictureFields, Pixels, png,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::Finding;
use crate::ops::pictures::palettes::Palettes;
use crate::ops::pictures::sheet::{sheet, sheet_area};

pub(crate) use make::{Made, MadeFiles, MakePictures};
pub use palettes::PictureOptions;
pub(crate) use place::{PicturePlace, left_as_pngs};
pub use sheet::smaller;

/// The limit on pixels for the first attempt to decode a picture. Most pictures have fewer, and 32 threads can
/// decode such pictures at the same time.
const FEW: u64 = 1 << 20;

/// A decoded picture, and the palette that it is drawn with.
#[derive(Debug)]
pub struct ColouredPicture {
    /// The picture, or its first frame. The other frames follow if all frames were asked for.
    pub frames: Vec<Frame>,
    /// The palette for frames that do not have their own.
    pub palette: Arc<Palette>,
    /// The name of the file with this palette. `None` if all frames have their own, or if no file was found.
    pub palette_name: Option<Arc<[u8]>>,
    /// A warning if no palette was found, so that it is drawn in Quake's colours or in grey.
    pub remark: Option<Finding>,
    /// What its file holds beside the pixels.
    pub fields: PictureFields,
}

/// Decodes pictures.
///
/// ```
/// use daisho::Archive;
/// use daisho::ops::Context;
/// use daisho::ops::pictures::{PictureOptions, Pictures};
///
/// let archive = Archive::open("corpus/game/data/pak1.pak")?;
/// let entry = archive.get("pics/load0.pcx").unwrap();
/// let options = PictureOptions::default();
/// let pictures = Pictures::open(&Context::new(), &options, Vec::new(), &mut Vec::new())?;
/// let png = pictures.decode(&entry)?.png()?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pictures {
    options: DecodeOptions,
    palettes: Palettes,
    memory: Memory,
}

impl Pictures {
    /// Opens the game and the palette that the options name. Those of the archives `beside` that are in the same
    /// directory as a picture's archive are searched for a palette, too.
    ///
    /// # Errors
    /// If one of them cannot be read. Warnings about the game are added to `findings`.
    pub fn open(
        context: &Context<'_>,
        options: &PictureOptions,
        beside: Vec<Arc<Archive>>,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, Refusal> {
        Ok(Self {
            options: options.decode,
            palettes: Palettes::open(context, options, beside, findings)?,
            memory: Memory::default(),
        })
    }

    /// The bytes of a picture, if there are not more than a picture within the limits can have.
    pub(crate) fn read(&self, entry: &Entry<'_>) -> Result<Vec<u8>, Finding> {
        // Four bytes a pixel, and as much again for smaller sizes, headers, and what packs badly.
        let most = self.options.max_pixels.saturating_mul(8).max(1 << 20);
        if entry.size() <= most {
            return Ok(entry.read()?);
        }
        let kind = ErrorKind::OverLimit {
            what: Limit::Length("a picture"),
            value: entry.size(),
            limit: most,
        };
        Err(Finding::from(kind).of_entry(entry))
    }

    /// Decodes a picture.
    ///
    /// # Errors
    /// If the entry is damaged, is not a picture, or has more pixels than the options allow.
    pub fn decode(&self, entry: &Entry<'_>) -> Result<ColouredPicture, Finding> {
        self.decode_up_to(entry, self.options.max_pixels)?
            .map_err(|error| Finding::from(error).of_entry(entry))
    }

    /// Decodes a picture when its share of the memory for all threads is free. Keep the share until the picture and
    /// its PNG are dropped, and do not take another share before. Values are dropped last to first, so the share
    /// comes first.
    pub(crate) fn decode_within_memory(
        &self,
        entry: &Entry<'_>,
    ) -> Result<(Share<'_>, ColouredPicture), Finding> {
        let most = self.options.max_pixels;
        let mut pixels = FEW.min(most);
        loop {
            // A pixel is decoded and compressed, and in a sheet of frames once more.
            let bytes = pixels.saturating_mul(if self.options.all_frames { 12 } else { 8 });
            let share = self.share(entry.size().saturating_add(bytes));
            match self.decode_up_to(entry, pixels)? {
                Ok(picture) => return Ok((share, picture)),
                // How many pixels it has is known only now: again, with a share that is large enough.
                Err(PictureError::TooManyPixels { found, .. }) if pixels < most => {
                    pixels = found.max(pixels.saturating_mul(4)).min(most);
                }
                Err(error) => return Err(Finding::from(error).of_entry(entry)),
            }
        }
    }

    /// The game's palette for a file that is made: the one that the user gave, one in these archives or in the game,
    /// or Quake's. `None` if the file holds its own, or none is found.
    pub(crate) fn target<'a>(
        &self,
        archives: impl Iterator<Item = &'a Archive>,
        file_type: FileType,
        name: RawName<'_>,
    ) -> Result<Option<Arc<Palette>>, Finding> {
        self.palettes.target(archives, file_type, name)
    }

    /// Waits until so many bytes of the memory for all threads are free.
    pub(crate) fn share(&self, bytes: u64) -> Share<'_> {
        self.memory.take(bytes)
    }

    /// Decodes a picture of at most so many pixels. The outer error is about reading, the inner about the picture.
    fn decode_up_to(
        &self,
        entry: &Entry<'_>,
        max_pixels: u64,
    ) -> Result<Result<ColouredPicture, PictureError>, Finding> {
        let whole = self.read(entry)?;
        let options = DecodeOptions { max_pixels, ..self.options };
        let picture = match Picture::decode(entry.name(), &whole, &options) {
            Ok(picture) => picture,
            Err(error) => return Ok(Err(error)),
        };
        if sheet_area(&picture.frames) > max_pixels {
            return Ok(Err(PictureError::TooManyPixels {
                found: sheet_area(&picture.frames),
                most: max_pixels,
            }));
        }
        let chosen = self.palettes.of(entry, &picture)?;
        let mut fields = PictureFields::default();
        if let [frame] = &picture.frames[..] {
            fields = PictureFields::of_file(picture.file_type, &whole, frame);
            fields.is_stand_in = chosen.is_stand_in;
        }
        Ok(Ok(ColouredPicture {
            frames: picture.frames,
            palette: chosen.palette,
            palette_name: chosen.name,
            remark: chosen.remark,
            fields,
        }))
    }
}

impl ColouredPicture {
    /// The picture, or all of its frames side by side. `None` if it has no frames.
    #[must_use]
    pub fn whole(&self) -> Option<std::borrow::Cow<'_, Pixels>> {
        match self.frames.as_slice() {
            [] => None,
            [only] => Some(std::borrow::Cow::Borrowed(&only.pixels)),
            frames => Some(std::borrow::Cow::Owned(sheet(frames, &self.palette))),
        }
    }

    /// All of it as a PNG file. From one frame, the same file of the game can be made again.
    ///
    /// # Errors
    /// If it has no pixels.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        if let [frame] = &self.frames[..] {
            return png(&frame.pixels, &self.palette, Some(&self.fields));
        }
        let whole = self.whole().ok_or(io::ErrorKind::InvalidData)?;
        png(&whole, &self.palette, None)
    }
}

/// The picture in a file, or its largest size, and what the file holds beside its pixels.
pub(crate) fn full_size(name: RawName<'_>, file: &[u8]) -> Option<(Frame, PictureFields)> {
    let picture = Picture::decode(name, file, &DecodeOptions::default()).ok()?;
    let frame = picture.frames.into_iter().next()?;
    let fields = PictureFields::of_file(picture.file_type, file, &frame);
    Some((frame, fields))
}

/// The most bytes that all pictures being decoded at the same time may use together. A picture that needs more is
/// decoded alone.
const ALL: u64 = 256 << 20;

/// The part of the budget that nobody has taken.
#[derive(Debug)]
pub(super) struct Memory {
    free: Mutex<u64>,
    freed: Condvar,
}

impl Default for Memory {
    fn default() -> Self {
        Self { free: Mutex::new(ALL), freed: Condvar::new() }
    }
}

impl Memory {
    /// Waits until so many bytes are free, or all of them. A thread must not take two shares at once, or wait for
    /// another thread while it has a share. So every wait ends.
    pub(super) fn take(&self, bytes: u64) -> Share<'_> {
        let bytes = bytes.min(ALL);
        let mut free = lock(&self.free);
        while *free < bytes {
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= bytes;
        Share { memory: self, bytes }
    }
}

/// A part of the budget, until it is dropped.
#[derive(Debug)]
pub(crate) struct Share<'m> {
    memory: &'m Memory,
    bytes: u64,
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        *lock(&self.memory.free) += self.bytes;
        self.memory.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn shares_never_exceed_the_budget_and_all_are_served() {
        let memory = Memory::default();
        let taken = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let (memory, taken) = (&memory, &taken);
                scope.spawn(move || {
                    for round in 0..200 {
                        let bytes = (thread * 7919 + round * 104_729) % (ALL + ALL / 4);
                        let share = memory.take(bytes);
                        let now = taken.fetch_add(share.bytes, Ordering::SeqCst) + share.bytes;
                        assert!(now <= ALL, "{now}");
                        taken.fetch_sub(share.bytes, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(*memory.free.lock().unwrap(), ALL);
    }
}
