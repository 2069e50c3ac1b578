//! Quake II's videos: CIN.
//!
//! | at  | what                                                                                 |
//! |-----|--------------------------------------------------------------------------------------|
//! | 0   | width, height, samples a second, bytes of a sample, channels: 32 bits each             |
//! | 20  | 256 x 256 counts of a byte, for Huffman's codes                                        |
//! | ... | frames, 14 a second: command (2 ends, 1 has a palette of 768 bytes behind it), length, as many bytes, and the sound of a fourteenth of a second |
//!
//! From id's Quake-2, `client/cl_cin.c`. There is no magic, so the numbers must be those of a video.

use std::io;

use super::source::{Source, long};

/// Where the frames begin.
const FRAMES: u64 = 20 + 65_536;

/// The longest frame that the game takes.
const FRAME_MAX: u32 = 0x20000;

/// How many frames are counted: as many as take 20 hours.
const COUNT_MAX: u32 = 1 << 20;

/// What a video's header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Video {
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Samples of its sound a second; 0 where it has none.
    pub rate: u32,
    /// How many bytes a sample has.
    pub sample_bytes: u32,
    /// How many channels its sound has.
    pub channels: u32,
}

impl Video {
    /// Frames a second, in every video.
    pub const FRAME_RATE: u32 = 14;

    /// The video with this header, if it can be one.
    pub(super) fn of(start: &[u8], size: u64) -> Option<Self> {
        let mut at = (0..).step_by(4);
        let mut next = || long(start, at.next()?);
        let video = Self {
            width: next()?,
            height: next()?,
            rate: next()?,
            sample_bytes: next()?,
            channels: next()?,
        };
        let is_one = (1..=4096).contains(&video.width)
            && (1..=4096).contains(&video.height)
            && video.rate <= 192_000
            && video.sample_bytes <= 2
            && video.channels <= 2
            && size >= FRAMES;
        is_one.then_some(video)
    }

    /// Counts its frames; none where they end otherwise than with the command for that or with the file, or
    /// are too many.
    pub(super) fn frames(&self, source: &mut (impl Source + ?Sized)) -> io::Result<Option<u32>> {
        let sample = u64::from(self.sample_bytes).saturating_mul(self.channels.into());
        let samples = |frames: u32| u64::from(frames).saturating_mul(self.rate.into()) / 14;
        let mut at = FRAMES;
        for number in 0..COUNT_MAX {
            let mut head = [0; 4];
            let read = source.read_at(at, &mut head)?;
            at = at.saturating_add(4);
            match long(&head, 0).filter(|_| read == 4) {
                Some(2) => return Ok(Some(number)),
                // Some end with the file.
                None => {
                    return Ok(
                        (read == 0 && at <= source.size().saturating_add(4)).then_some(number)
                    );
                }
                Some(1) => at = at.saturating_add(768),
                Some(_) => {}
            }
            let read = source.read_at(at, &mut head)?;
            let Some(len) = long(&head, 0).filter(|len| read == 4 && (1..=FRAME_MAX).contains(len))
            else {
                return Ok(None);
            };
            let sound = samples(number.saturating_add(1)).saturating_sub(samples(number));
            at = at.saturating_add(4).saturating_add(len.into());
            at = at.saturating_add(sound.saturating_mul(sample));
        }
        Ok(None)
    }
}
