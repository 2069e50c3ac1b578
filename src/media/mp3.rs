//! Sounds: MPEG audio, layer III. A file begins with a frame, or with an `ID3` tag before the first frame.
//!
//! The length is certain only if the first frame has a count of frames (`Xing`, `Info`).

use super::facts::{Depth, FactList};
use super::file::{File, Mismatch, check};
use super::wav::milliseconds;
use crate::archive::bytes::Cursor;

/// Rates of MPEG 1. Those of MPEG 2 are half of them, those of MPEG 2.5 a quarter.
const RATES: [u32; 3] = [44_100, 48_000, 32_000];

pub(super) fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let is_tagged = file.start.all().starts_with(b"ID3");
    check(is_tagged || FrameHeader::read(file.start).is_some())?;
    if file.depth < Depth::Header {
        return Ok(());
    }
    let begin = if is_tagged { tag_len(file.start) } else { 0 };
    let bytes = file.read_up_to(begin, 64)?;
    let bytes = Cursor::new(&bytes);
    let Some(frame) = FrameHeader::read(bytes) else {
        return Ok(());
    };
    facts.number("rate", Some(frame.rate));
    facts.number("channels", Some(frame.channels));
    // Frames of MPEG 1 have 1,152 samples, later ones half of that.
    let samples_each = if frame.is_first_version { 1152 } else { 576 };
    let samples = frame.count(bytes);
    let samples = samples.map(|frames| u64::from(frames).saturating_mul(samples_each));
    facts.milliseconds("seconds", milliseconds(samples, Some(frame.rate)));
    Ok(())
}

/// The length of an ID3 tag: its header, a size of four times seven bits, and an optional footer.
fn tag_len(start: Cursor<'_>) -> u64 {
    let Ok(&[flags, ref sizes @ ..]) = start.at(5).take("the tag", 5) else {
        return 0;
    };
    let len = sizes
        .iter()
        .fold(0, |len: u64, byte| len << 7 | u64::from(byte & 0x7F));
    let foot = if flags & 0x10 != 0 { 10 } else { 0 };
    len.saturating_add(10).saturating_add(foot)
}

/// The header of a frame.
struct FrameHeader {
    is_first_version: bool,
    rate: u32,
    channels: u32,
}

impl FrameHeader {
    fn read(mut bytes: Cursor<'_>) -> Option<Self> {
        let head = bytes.u32_be("a frame").ok()?;
        let (version, layer) = (head >> 19 & 3, head >> 17 & 3);
        let (bitrate, rate) = (head >> 12 & 15, head >> 10 & 3);
        if head >> 21 != 0x7FF || layer != 1 || bitrate == 15 {
            return None;
        }
        let rate = RATES.get(rate as usize)?;
        let rate = match version {
            3 => *rate,
            2 => rate / 2,
            0 => rate / 4,
            _ => return None,
        };
        Some(Self {
            is_first_version: version == 3,
            rate,
            channels: if head >> 6 & 3 == 3 { 1 } else { 2 },
        })
    }

    /// The number of frames, if the first frame has it.
    fn count(&self, bytes: Cursor<'_>) -> Option<u32> {
        let at = match (self.is_first_version, self.channels) {
            (true, 1) => 4 + 17,
            (true, _) => 4 + 32,
            (false, 1) => 4 + 9,
            (false, _) => 4 + 17,
        };
        let mut info = bytes.at(at);
        let name = info.take("the count of frames", 4).ok()?;
        let flags = info.u32_be("the count of frames").ok()?;
        let count = info.u32_be("the count of frames").ok()?;
        ((name == b"Xing" || name == b"Info") && flags & 1 == 1).then_some(count)
    }
}
