//! Sounds: Ogg, with channels and rate of Vorbis, and channels of Opus.
//!
//! The last page holds the number of its last sample.

use std::io;

use super::facts::{Depth, FactList};
use super::file::{File, Mismatch};
use super::wav::milliseconds;
use crate::archive::bytes::Cursor;

/// The longest page.
const PAGE_MAX: usize = 65_307;

pub(super) fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
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
        facts.milliseconds("seconds", milliseconds(samples(file)?, rate));
    }
    Ok(())
}

/// The number of samples.
fn samples(file: &File<'_>) -> io::Result<Option<u64>> {
    let begin = file.len.saturating_sub(PAGE_MAX as u64);
    let end = file.read_up_to(begin, PAGE_MAX)?;
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
