//! The facts of a sound: how it sounds, how long it is, and where it loops.
//!
//! **WAV.** Read as id's `snd_mem.c`, `GetWavinfo`, does: `data` says how long it is, the sample where it
//! loops is the sixth number of the first cue point in `cue `, and a `LIST` behind that with `mark` at byte
//! 28 says in byte 24 how many samples from there on are in the loop. A file whose loop is longer than its
//! data is refused by the game.
//!
//! **MP3.** The length is certain where the first frame counts all of them (`Xing`, `Info`).
//!
//! **Ogg.** The last page says which sample it ends with.

use std::io;

use super::fact::{Collected, Depth};
use crate::media::FileType;
use crate::media::sound::{self, Sound};
use crate::media::source::{START, Source, big_long, byte, long};

/// How many chunks of a WAV are gone through.
const CHUNKS_MAX: usize = 1000;

/// The longest page of an Ogg.
const PAGE_MAX: u64 = 65_307;

pub(super) fn add(
    all: &mut Collected,
    sound: &Sound,
    source: &mut (impl Source + ?Sized),
    depth: Depth,
) -> io::Result<()> {
    match sound.file_type {
        FileType::Mp3 => return mp3(all, sound, source),
        FileType::Ogg => {
            add_header(all, sound);
            if depth == Depth::All {
                all.milliseconds("seconds", ogg_length(sound, source)?);
            }
        }
        _ => {
            add_header(all, sound);
            let chunks = Chunks::read(source, depth)?;
            chunks.add(all, sound, source.size());
        }
    }
    Ok(())
}

fn add_header(all: &mut Collected, sound: &Sound) {
    if let Some(coding) = sound.coding.filter(|coding| *coding != 1) {
        all.number("coding", Some(coding));
    }
    all.number("rate", sound.rate);
    all.number("bits", sound.bits);
    all.number("channels", sound.channels);
}

/// What of a WAV's chunks says how long it is.
#[derive(Default)]
struct Chunks {
    /// Where the samples begin, and how many bytes they are said to have.
    data: Option<(u64, u32)>,
    loop_start: Option<u32>,
    loop_length: Option<u32>,
}

impl Chunks {
    fn read(source: &mut (impl Source + ?Sized), depth: Depth) -> io::Result<Self> {
        let mut chunks = Self::default();
        let mut at: u64 = 12;
        for _ in 0..CHUNKS_MAX {
            // What lies behind the samples is not read where only the beginning is wanted.
            if depth == Depth::Header && at >= START as u64 {
                break;
            }
            let mut head = [0; 36];
            let read = source.read_at(at, &mut head)?;
            let head = head.get(..read).unwrap_or_default();
            let (Some(name), Some(len)) = (head.get(..4), long(head, 4)) else {
                break;
            };
            let is_mark = head.get(28..32) == Some(b"mark");
            match name {
                b"data" if chunks.data.is_none() => {
                    chunks.data = Some((at.saturating_add(8), len));
                }
                b"cue " if chunks.loop_start.is_none() => chunks.loop_start = long(head, 32),
                b"LIST" if chunks.loop_start.is_some() && is_mark => {
                    chunks.loop_length = chunks.loop_length.or(long(head, 24));
                }
                _ => {}
            }
            // Chunks begin at even places.
            let len = u64::from(len);
            at = at
                .saturating_add(8)
                .saturating_add(len)
                .saturating_add(len % 2);
        }
        Ok(chunks)
    }

    fn add(&self, all: &mut Collected, sound: &Sound, size: u64) {
        let bytes = sound.bits.zip(sound.channels);
        let bytes =
            bytes.map(|(bits, channels)| u64::from(bits / 8).saturating_mul(channels.into()));
        let samples = self
            .data
            .and_then(|(_, len)| u64::from(len).checked_div(bytes?));
        // A length in bytes says nothing of one in time where samples are coded otherwise.
        let is_plain = sound.coding == Some(1);
        let samples = samples.filter(|_| is_plain);
        let rate = sound.rate.filter(|rate| *rate > 0).map(u64::from);
        let length = |samples: u64| samples.saturating_mul(1000).checked_div(rate?);
        all.number("samples", samples);
        all.milliseconds("seconds", samples.and_then(length));
        all.number("loop_start", self.loop_start);
        all.number("loop_length", self.loop_length);
        if let Some((begin, len)) = self.data {
            let end = begin.saturating_add(len.into());
            if end > size {
                all.note(format!(
                    "its samples should lie at bytes {begin} to {end}, and it has {size}"
                ));
            }
        }
        let loop_end = self
            .loop_start
            .map(|start| u64::from(start).saturating_add(self.loop_length.unwrap_or(0).into()));
        if let Some((end, samples)) = loop_end.zip(samples)
            && end > samples
        {
            all.note(format!(
                "its loop ends at sample {end}, and it has {samples}: Quake refuses such a sound"
            ));
        }
    }
}

/// Reads the first frame of an MP3, behind what ID3 puts before it.
fn mp3(all: &mut Collected, sound: &Sound, source: &mut (impl Source + ?Sized)) -> io::Result<()> {
    let mut head = [0; 10];
    let read = source.read_at(0, &mut head)?;
    let tag = head.starts_with(b"ID3") && read == head.len();
    let at = if tag { tag_len(&head) } else { 0 };
    let mut frame = [0; 64];
    let read = source.read_at(at, &mut frame)?;
    let frame = frame.get(..read).unwrap_or_default();
    // With a tag nothing was known before.
    let found = sound::mp3(frame);
    add_header(all, found.as_ref().unwrap_or(sound));
    if let Some(found) = found {
        let frames = frame_count(frame, &found);
        // Frames of MPEG 1 have 1,152 samples, those of the later ones half of that.
        let samples = if is_first_version(frame) { 1152 } else { 576 };
        let rate = found.rate.filter(|rate| *rate > 0).map(u64::from);
        let length = frames.and_then(|frames| {
            let samples = u64::from(frames).saturating_mul(samples);
            samples.saturating_mul(1000).checked_div(rate?)
        });
        all.milliseconds("seconds", length);
    }
    Ok(())
}

/// How long ID3's tag is: four times seven bits, its head, and perhaps its foot.
fn tag_len(head: &[u8; 10]) -> u64 {
    let [.., flags, a, b, c, d] = *head;
    let bytes = [a, b, c, d].into_iter();
    let len = bytes.fold(0, |len: u64, byte| len << 7 | u64::from(byte & 0x7F));
    let foot = if flags & 0x10 != 0 { 10 } else { 0 };
    len.saturating_add(10).saturating_add(foot)
}

fn is_first_version(frame: &[u8]) -> bool {
    byte(frame, 1).is_some_and(|byte| byte >> 3 & 3 == 3)
}

/// How many frames the first one says that there are.
fn frame_count(frame: &[u8], sound: &Sound) -> Option<u32> {
    let at: usize = match (is_first_version(frame), sound.channels) {
        (true, Some(1)) => 4 + 17,
        (true, _) => 4 + 32,
        (false, Some(1)) => 4 + 9,
        (false, _) => 4 + 17,
    };
    let info = frame.get(at..)?;
    let is_info = info.starts_with(b"Xing") || info.starts_with(b"Info");
    let flags = big_long(info, 4).filter(|_| is_info)?;
    big_long(info, 8).filter(|_| flags & 1 == 1)
}

/// How many thousandths of a second an Ogg takes whose rate is known.
fn ogg_length(sound: &Sound, source: &mut (impl Source + ?Sized)) -> io::Result<Option<u64>> {
    let begin = source.size().saturating_sub(PAGE_MAX);
    let mut end = vec![0; usize::try_from(source.size().saturating_sub(begin)).unwrap_or(0)];
    let mut serial = [0; 18];
    source.read_at(0, &mut serial)?;
    let read = source.read_at(begin, &mut end)?;
    end.truncate(read);
    let mut places = (0..end.len()).rev();
    let page = places.find_map(|at| end.get(at..).filter(|page| page.starts_with(b"OggS")));
    Ok(page.and_then(|page| {
        // Another stream's page has another clock.
        let is_same = long(page, 14)? == long(&serial, 14)?;
        let low = u64::from(long(page, 6)?);
        let high = u64::from(long(page, 10)?);
        let rate = u64::from(sound.rate.filter(|rate| *rate > 0)?);
        let samples = high << 32 | low;
        let is_number = samples < u64::MAX / 1000;
        let length = samples.saturating_mul(1000).checked_div(rate)?;
        (is_same && is_number).then_some(length)
    }))
}
