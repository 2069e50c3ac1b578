//! Sounds: RIFF/WAVE.
//!
//! `RIFF`, a size, `WAVE`, then chunks: name, size, content. `fmt ` has a coding of 16 bits, channels of
//! 16, the rate of 32, six other bytes, and the bits per sample.
//!
//! The chunks are read as id's `GetWavinfo` in `snd_mem.c` reads them. `data` gives the length. The sixth
//! number of the first cue point in `cue ` is the sample where the loop begins. If a `LIST` with `mark` at
//! byte 28 follows, its byte 24 holds the number of samples in the loop. The game rejects a file whose loop
//! is longer than its data.

use std::io;

use super::facts::{Depth, FactList};
use super::file::{File, Mismatch, START, check};
use crate::archive::bytes::{Cursor, Short};

/// The most chunks that are read.
const CHUNKS_MAX: usize = 1000;

pub(super) fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(file.start.at(8).take("the kind of RIFF", 4)? == b"WAVE")?;
    let format = WavFormat::find(file.start);
    facts.number("coding", format.coding.filter(|coding| *coding != 1));
    facts.number("rate", format.rate);
    facts.number("bits", format.bits);
    facts.number("channels", format.channels);
    if file.depth >= Depth::Header {
        Chunks::read(file)?.add(facts, &format, file.len);
    }
    Ok(())
}

/// The content of the chunk `fmt `, if it is complete.
#[derive(Default)]
struct WavFormat {
    /// The coding of samples; 1 is plain.
    coding: Option<u16>,
    channels: Option<u16>,
    rate: Option<u32>,
    bits: Option<u16>,
}

impl WavFormat {
    fn find(start: Cursor<'_>) -> Self {
        let mut chunk = start.at(12);
        while let (Ok(name), Ok(len)) = (chunk.take("a chunk", 4), chunk.size("a chunk")) {
            if name == b"fmt " {
                let coding = chunk.u16("the coding").ok();
                let channels = chunk.u16("the channels").ok();
                let rate = chunk.u32("the rate").ok();
                chunk.skip(6);
                return Self {
                    coding,
                    channels,
                    rate,
                    bits: chunk.u16("the bits of a sample").ok(),
                };
            }
            // Chunks begin at even offsets.
            chunk.skip(len);
            chunk.skip(len % 2);
        }
        Self::default()
    }
}

/// The chunks that determine the length of the sound.
#[derive(Default)]
struct Chunks {
    /// The offset of the samples, and their claimed length in bytes.
    data: Option<(u64, u32)>,
    loop_start: Option<u32>,
    loop_length: Option<u32>,
}

impl Chunks {
    fn read(file: &File<'_>) -> io::Result<Self> {
        let mut chunks = Self::default();
        let mut at: u64 = 12;
        for _ in 0..CHUNKS_MAX {
            // The part after the samples is not read if only the beginning is needed.
            if file.depth < Depth::All && at >= START as u64 {
                break;
            }
            let head = file.read_up_to(at, 36)?;
            let Ok(len) = chunks.add_chunk(Cursor::new(&head), at) else {
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
    fn add_chunk(&mut self, head: Cursor<'_>, at: u64) -> Result<u32, Short> {
        let name = head.at(0).take("the name of a chunk", 4)?;
        let len = head.at(4).u32("the length of a chunk")?;
        match name {
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

    fn add(&self, facts: &mut FactList, format: &WavFormat, file_len: u64) {
        let samples = self.samples(format);
        facts.number("samples", samples);
        facts.milliseconds("seconds", milliseconds(samples, format.rate));
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
    fn samples(&self, format: &WavFormat) -> Option<u64> {
        let (_, len) = self.data?;
        let sample = u64::from(format.bits? / 8).saturating_mul(format.channels?.into());
        if format.coding != Some(1) {
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
pub(super) fn milliseconds(samples: Option<u64>, rate: Option<u32>) -> Option<u64> {
    samples?.saturating_mul(1000).checked_div(rate?.into())
}
