//! Sounds: RIFF/WAVE, MPEG audio of layer III, and Ogg.
//!
//! **WAV**: `RIFF`, a size, `WAVE`, then chunks: name, size, content. `fmt ` has a coding of 16 bits, channels of
//! 16, the rate of 32, six other bytes, and the bits per sample.
//!
//! The chunks are read as id's `GetWavinfo` in `snd_mem.c` reads them. `data` gives the length. The sixth
//! number of the first cue point in `cue ` is the sample where the loop begins. If a `LIST` with `mark` at
//! byte 28 follows, its byte 24 holds the number of samples in the loop. The game rejects a file whose loop
//! is longer than its data.

use std::io;

use super::row::{FILE, Kind, Magic, TypeRow};
use crate::archive::bytes::{Cursor, Short};
use crate::media::file::{Depth, FactList, File, Mismatch, START, check};

pub(super) const WAV: TypeRow = TypeRow {
    kind: Kind::Sound,
    word: "wav",
    name: "WAV",
    described: "a RIFF file, as sounds are",
    extensions: &["wav"],
    magic: Magic::Always(b"RIFF"),
    look: wav,
    ..FILE
};

pub(super) const MP3: TypeRow = TypeRow {
    kind: Kind::Sound,
    word: "mp3",
    name: "MP3",
    described: "an MP3 sound",
    extensions: &["mp3"],
    magic: Magic::Often(b"ID3"),
    look: mp3,
    ..FILE
};

pub(super) const OGG: TypeRow = TypeRow {
    kind: Kind::Sound,
    word: "ogg",
    name: "Ogg",
    described: "an Ogg sound",
    extensions: &["ogg", "opus"],
    magic: Magic::Always(b"OggS"),
    look: ogg,
    ..FILE
};

/// The most chunks of a WAV that are read.
const CHUNKS_MAX: usize = 1000;

fn wav(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(file.start.at(8).take("the kind of RIFF", 4)? == b"WAVE")?;
    if file.depth < Depth::Header {
        return Ok(());
    }
    let chunks = WavChunks::read(file)?;
    facts.number("coding", chunks.coding.filter(|coding| *coding != 1));
    facts.number("rate", chunks.rate);
    facts.number("bits", chunks.bits);
    facts.number("channels", chunks.channels);
    chunks.add_length(facts, file.len);
    Ok(())
}

/// The chunks `fmt `, `data`, `cue ` and `LIST`, as far as they are in the file.
#[derive(Default)]
struct WavChunks {
    /// The coding of samples; 1 is plain.
    coding: Option<u16>,
    channels: Option<u16>,
    rate: Option<u32>,
    bits: Option<u16>,
    /// The offset of the samples, and their claimed length in bytes.
    data: Option<(u64, u32)>,
    loop_start: Option<u32>,
    loop_length: Option<u32>,
}

impl WavChunks {
    fn read(file: &File<'_>) -> io::Result<Self> {
        let mut chunks = Self::default();
        let mut at: u64 = 12;
        for _ in 0..CHUNKS_MAX {
            // The part after the samples is not read if only the beginning is needed.
            if file.depth < Depth::All && at >= START as u64 {
                break;
            }
            let head = file.read_up_to(at, 36)?;
            let Ok(len) = chunks.add(Cursor::new(&head), at) else {
                break;
            };
            // Chunks begin at even offsets.
            let len = u64::from(len);
            let end = at.saturating_add(8).saturating_add(len);
            at = end.saturating_add(len % 2);
        }
        Ok(chunks)
    }

    /// Reads the chunk with this header, and returns its length.
    fn add(&mut self, head: Cursor<'_>, at: u64) -> Result<u32, Short> {
        let name = head.at(0).take("the name of a chunk", 4)?;
        let len = head.at(4).u32("the length of a chunk")?;
        match name {
            b"fmt " if self.coding.is_none() => {
                self.coding = head.at(8).u16("the coding").ok();
                self.channels = head.at(10).u16("the channels").ok();
                self.rate = head.at(12).u32("the rate").ok();
                self.bits = head.at(22).u16("the bits of a sample").ok();
            }
            b"data" if self.data.is_none() => self.data = Some((at.saturating_add(8), len)),
            b"cue " if self.loop_start.is_none() => {
                self.loop_start = head.at(32).u32("the first sample of the loop").ok();
            }
            b"LIST" if self.loop_start.is_some() && self.loop_length.is_none() => {
                self.loop_length = mark_length(head);
            }
            _ => {}
        }
        Ok(len)
    }

    fn add_length(&self, facts: &mut FactList, file_len: u64) {
        let samples = self.samples();
        facts.number("samples", samples);
        facts.milliseconds("seconds", milliseconds(samples, self.rate));
        facts.number("loop_start", self.loop_start);
        facts.number("loop_length", self.loop_length);
        if let Some((begin, len)) = self.data {
            let end = begin.saturating_add(len.into());
            if end > file_len {
                facts.note(format!(
                    "its samples should lie at bytes {begin} to {end}, and it has {file_len}"
                ));
            }
        }
        if let (Some(start), Some(samples)) = (self.loop_start, samples) {
            let end = u64::from(start).saturating_add(self.loop_length.unwrap_or(0).into());
            if end > samples {
                facts.note(format!(
                    "its loop ends at sample {end}, and it has {samples}: Quake refuses such a sound"
                ));
            }
        }
    }

    /// The number of samples. Unknown if they are not plain.
    fn samples(&self) -> Option<u64> {
        let (_, len) = self.data?;
        let sample = u64::from(self.bits? / 8).saturating_mul(self.channels?.into());
        if self.coding != Some(1) {
            return None;
        }
        u64::from(len).checked_div(sample)
    }
}

/// The number of samples in the loop, from a list of marks.
fn mark_length(head: Cursor<'_>) -> Option<u32> {
    let is_mark = head.at(28).take("the kind of a mark", 4) == Ok(b"mark");
    let length = head.at(24).u32("the length of the loop").ok()?;
    is_mark.then_some(length)
}

/// The duration of `samples` at a rate.
fn milliseconds(samples: Option<u64>, rate: Option<u32>) -> Option<u64> {
    samples?.saturating_mul(1000).checked_div(rate?.into())
}

/// The rates of MPEG 1. The rates of MPEG 2 are half as high, and those of MPEG 2.5 a quarter.
const RATES: [u32; 3] = [44_100, 48_000, 32_000];

/// Accepts MPEG audio, layer III: a frame, or an `ID3` tag before the first frame.
///
/// The length is certain only if the first frame has a count of frames (`Xing`, `Info`).
fn mp3(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
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
    let len = sizes.iter().fold(0, |len: u64, byte| len << 7 | u64::from(byte & 0x7F));
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

/// The longest page of an Ogg file.
const OGG_PAGE_MAX: usize = 65_307;

/// Adds the channels and the rate of Vorbis, or the channels of Opus. The last page states the number of its last
/// sample, which gives the duration.
fn ogg(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    // The header of the first page has 27 bytes and a table of segments.
    let segments = file.start.at(26).u8("the number of segments").unwrap_or(0);
    let mut packet = file.start.at(27);
    packet.skip(segments.into());
    let packet = Cursor::new(packet.rest());
    let (mut channels, mut rate) = (None, None);
    if packet.all().starts_with(b"\x01vorbis") {
        channels = packet.at(11).u8("the channels").ok();
        rate = packet.at(12).u32("the rate").ok();
    } else if packet.all().starts_with(b"OpusHead") {
        channels = packet.at(9).u8("the channels").ok();
    }
    facts.number("rate", rate);
    facts.number("channels", channels);
    if file.depth == Depth::All {
        facts.milliseconds("seconds", milliseconds(last_sample(file)?, rate));
    }
    Ok(())
}

/// The number of samples, from the last page.
fn last_sample(file: &File<'_>) -> io::Result<Option<u64>> {
    let begin = file.len.saturating_sub(OGG_PAGE_MAX as u64);
    let end = file.read_up_to(begin, OGG_PAGE_MAX)?;
    let mut places = (0..end.len()).rev();
    let page = places.find_map(|at| end.get(at..).filter(|page| page.starts_with(b"OggS")));
    let page = Cursor::new(page.unwrap_or_default());
    let (Ok(samples), Ok(serial)) = (page.at(6).u64("the samples"), page.at(14).u32("the stream"))
    else {
        return Ok(None);
    };
    // A page of another stream counts differently.
    let is_same = file.start.at(14).u32("the stream") == Ok(serial);
    Ok((is_same && samples < u64::MAX / 1000).then_some(samples))
}
