//! A reader of any bytes as a pak, straight from the table of the format and the oracle of the
//! streams, with nothing of the code under test.

use daisho::Format;
use daisho::codec::{End, Reserved};

use crate::codec::oracle::verdict;

/// A record's fields, and the entry's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) offset: u32,
    pub(crate) size: u32,
    pub(crate) stored_len: u32,
    pub(crate) compressed: bool,
    /// Whether the record's numbers are possible.
    pub(crate) claims: bool,
    pub(crate) content: Content,
}

/// What an entry decodes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Sound(Vec<u8>),
    /// Not at all; this much of it comes out before the damage.
    Damaged(Vec<u8>),
}

/// All entries, or `None` where there is no magic or no whole record of a directory that should
/// have one.
pub(crate) fn read(bytes: &[u8], layout: Format) -> Option<Vec<Entry>> {
    let len = if layout == Format::Quake { 64 } else { 72 };
    if bytes.len() < 12 || &bytes[..4] != b"PACK" {
        return None;
    }
    let (start, claimed) = (number(bytes, 4) as usize, number(bytes, 8) as usize);
    let behind = bytes.get(start..).unwrap_or_default();
    let directory = &behind[..claimed.min(behind.len())];
    if claimed > 0 && directory.len() < len {
        return None;
    }
    let records = || directory.chunks_exact(len);
    let vote = Vote::of(bytes, records().map(|record| entry(bytes, record, Vote::default())));
    Some(records().map(|record| entry(bytes, record, vote)).collect())
}

/// How many streams with the byte 0xFE are sound only if it is skipped, and only as a copy.
#[derive(Debug, Clone, Copy, Default)]
struct Vote {
    skip: usize,
    copy: usize,
}

impl Vote {
    /// Every stream has one vote, however many entries name it, as far as all streams together are
    /// not more than four times as long as the file.
    fn of(bytes: &[u8], entries: impl Iterator<Item = Entry>) -> Self {
        let mut vote = Self::default();
        let mut streams: Vec<(u32, u32, u32)> = Vec::new();
        let mut left = 4 * bytes.len();
        for entry in entries.filter(|it| it.compressed && it.claims && it.size > 0) {
            let stream = (entry.offset, entry.stored_len, entry.size);
            let len = entry.stored_len as usize;
            if streams.contains(&stream) {
                continue;
            }
            streams.push(stream);
            if len > left {
                continue;
            }
            left -= len;
            let payload = &bytes[entry.offset as usize..][..len];
            let ends = |reading| verdict(payload, Some(entry.size.into()), reading).result;
            if ends(Reserved::Stop).is_ok_and(|reported| reported.end == End::Reserved) {
                match (ends(Reserved::Skip).is_ok(), ends(Reserved::Copy).is_ok()) {
                    (true, false) => vote.skip += 1,
                    (false, true) => vote.copy += 1,
                    _ => {}
                }
            }
        }
        vote
    }
}

fn entry(bytes: &[u8], record: &[u8], vote: Vote) -> Entry {
    let name = record[..56].split(|byte| *byte == 0).next().unwrap();
    let (offset, size) = (number(record, 56), number(record, 60));
    let compressed = record.len() == 72 && number(record, 68) != 0;
    let stored_len = if compressed { number(record, 64) } else { size };
    let (from, to) = (u64::from(offset), u64::from(offset) + u64::from(stored_len));
    let inside = to <= bytes.len() as u64;
    let possible = !compressed || u64::from(size) <= 65 * u64::from(stored_len);
    let claims = size == 0 || inside && possible;
    let content = if size == 0 {
        Content::Sound(Vec::new())
    } else if !claims {
        Content::Damaged(Vec::new())
    } else {
        let payload = &bytes[from as usize..to as usize];
        if compressed {
            decoded(payload, size.into(), vote)
        } else {
            Content::Sound(payload.to_vec())
        }
    };
    Entry { name: name.to_vec(), offset, size, stored_len, compressed, claims, content }
}

/// One reading for the whole pak where its streams agree on one, or else what is sound, and what
/// most streams say where both are.
fn decoded(stream: &[u8], size: u64, vote: Vote) -> Content {
    let readings = match (vote.skip, vote.copy) {
        (1.., 0) => &[Reserved::Skip][..],
        (0, 1..) => &[Reserved::Copy],
        (skip, copy) if copy > skip => &[Reserved::Copy, Reserved::Skip],
        _ => &[Reserved::Skip, Reserved::Copy],
    };
    for reading in readings {
        let reported = verdict(stream, Some(size), *reading);
        if reported.result.is_ok() {
            return Content::Sound(reported.output);
        }
    }
    let met = match readings {
        [only] => *only,
        _ => Reserved::Stop,
    };
    Content::Damaged(verdict(stream, Some(size), met).output)
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}
