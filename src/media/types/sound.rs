//! Sounds: RIFF/WAVE with its facts; MPEG audio of layer III and Ogg are only recognised.
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

pub(super) const WAV: TypeRow =
    TypeRow { kind: Kind::Sound, magic: Magic::Always(b"RIFF"), look: wav, ..FILE };

pub(super) const MP3: TypeRow =
    TypeRow { kind: Kind::Sound, magic: Magic::Often(b"ID3"), look: mp3, ..FILE };

pub(super) const OGG: TypeRow =
    TypeRow { kind: Kind::Sound, magic: Magic::Always(b"OggS"), ..FILE };

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
        let rate = self.rate.unwrap_or(0);
        let milliseconds = samples.and_then(|it| it.saturating_mul(1000).checked_div(rate.into()));
        facts.milliseconds("seconds", milliseconds);
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

/// Accepts MPEG audio, layer III: a frame, or an `ID3` tag before the first frame.
fn mp3(file: &File<'_>, _: &mut FactList) -> Result<(), Mismatch> {
    let frame = file.start.at(0).u32_be("a frame").unwrap_or(0);
    let (version, layer) = (frame >> 19 & 3, frame >> 17 & 3);
    let (bitrate, rate) = (frame >> 12 & 15, frame >> 10 & 3);
    let is_frame = frame >> 21 == 0x7FF && version != 1 && layer == 1 && bitrate != 15 && rate != 3;
    check(is_frame || file.start.all().starts_with(b"ID3"))
}
