//! The trail of a change in place: what it takes to go back to the archive as it was before.
//!
//! Such a change leaves everything in the file where it is. Behind the file's end come new payloads, a
//! new directory, and right behind that a trail of 64 bytes; when these are on the disk, the header's
//! last eight bytes are changed, which say where the directory is. Engines follow the header, and never
//! look behind the directory. Numbers are little-endian.
//!
//! | bytes | what                                                        |
//! |-------|-------------------------------------------------------------|
//! | 0-15  | `daisho undo 0001`                                          |
//! | 16-27 | the header before the change                                |
//! | 28-39 | the header after it                                         |
//! | 40-47 | the file's length before it                                 |
//! | 48-55 | where the trail begins                                      |
//! | 56-59 | the CRC-32 of the directory before it                       |
//! | 60-63 | the CRC-32 of the 60 bytes before                           |
//!
//! A trail counts where all of that is so and the file's header is the one after the change. At the very
//! end of a file it also tells of a change that was interrupted: where the header is still, or again,
//! the one before, the change is not in force; and where each byte of the header is one of the two
//! headers' and the whole is neither, the write of the header was torn, which disks rule out for eight
//! bytes of one sector, and which is seen and mended all the same.

use std::io;

use super::records::{HEADER_LEN, Header};
use crate::archive::ReadAt;

#[cfg(feature = "ops")]
use crate::archive::Format;

/// How long a trail is.
pub(crate) const TRAIL_LEN: u64 = LEN as u64;
const LEN: usize = 64;
const MAGIC: [u8; 16] = *b"daisho undo 0001";
/// How much of it the last CRC-32 is of.
const SUMMED: usize = LEN - 4;

/// Which of the header's bytes a change in place changes, from here to its end.
#[cfg(feature = "ops")]
pub(crate) const CHANGED_AT: usize = super::records::MAGIC_LEN;

/// How many former states are listed.
#[cfg(feature = "ops")]
const HISTORY_MOST: usize = 4096;

/// How much of a directory is summed up at once.
#[cfg(feature = "ops")]
const BUFFER: usize = 64 << 10;

/// The header, as it stands in a file.
pub(crate) type HeaderBytes = [u8; HEADER_LEN];

/// A trail that is sound in itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trail {
    /// The header before the change.
    pub(crate) before: HeaderBytes,
    /// The header after it.
    pub(crate) after: HeaderBytes,
    /// The file's length before it.
    pub(crate) len_before: u64,
    /// Where the trail begins, which is where the new directory ends.
    pub(crate) at: u64,
    /// What the directory before it sums up to.
    pub(crate) directory_sum: u32,
}

/// What a trail says of the archive that it is in.
#[cfg(feature = "ops")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// The change is in force.
    InForce,
    /// The change was interrupted before its header was written, or after it was taken back.
    NotInForce,
    /// The header is neither the one before nor the one after, but of bytes of both.
    Torn,
}

/// The states that an archive can go back to.
#[cfg(feature = "ops")]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    /// What it was before each change in place, the latest first: the last 4,096 at most.
    pub former: Vec<Former>,
    /// How many bytes behind its end an interrupted change has left.
    pub interrupted: Option<u64>,
}

/// What an archive was before a change in place.
#[cfg(feature = "ops")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Former {
    /// How many entries it had.
    pub entries: u64,
    /// How long it was.
    pub bytes: u64,
}

impl Trail {
    /// The trail as it stands in a file.
    #[cfg(feature = "ops")]
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LEN);
        bytes.extend(MAGIC);
        bytes.extend(self.before);
        bytes.extend(self.after);
        bytes.extend(self.len_before.to_le_bytes());
        bytes.extend(self.at.to_le_bytes());
        bytes.extend(self.directory_sum.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The trail that these bytes are at this place, if all in it agrees.
    fn parse(bytes: &[u8; LEN], place: u64) -> Option<Self> {
        let (summed, sum) = bytes.split_at_checked(SUMMED)?;
        let rest = summed.strip_prefix(&MAGIC)?;
        let (before, rest) = rest.split_first_chunk()?;
        let (after, rest) = rest.split_first_chunk()?;
        let (len_before, rest) = rest.split_first_chunk()?;
        let (at, rest) = rest.split_first_chunk()?;
        let trail = Self {
            before: *before,
            after: *after,
            len_before: u64::from_le_bytes(*len_before),
            at: u64::from_le_bytes(*at),
            directory_sum: u32::from_le_bytes(*rest.first_chunk()?),
        };
        let (old, new) = (Header::parse(before)?, Header::parse(after)?);
        let behind = u64::from(new.directory_offset) >= trail.len_before;
        let agrees = *sum == crc32fast::hash(summed).to_le_bytes()
            && trail.at == place
            && end_of(new) == place
            && behind
            && trail.len_before >= HEADER_LEN as u64
            && old.magic == new.magic;
        agrees.then_some(trail)
    }

    /// The trail at a place, if there is one.
    fn read(source: &dyn ReadAt, at: u64) -> io::Result<Option<Self>> {
        let mut bytes = [0; LEN];
        let read = source.read_full_at(&mut bytes, at)?;
        Ok((read == LEN).then(|| Self::parse(&bytes, at)).flatten())
    }

    /// The trail that a file of this length ends in.
    fn last(source: &dyn ReadAt, len: u64) -> io::Result<Option<Self>> {
        match len.checked_sub(TRAIL_LEN) {
            Some(at) => Self::read(source, at),
            None => Ok(None),
        }
    }

    /// Where it ends, and with it what the change has written.
    #[cfg(feature = "ops")]
    pub(crate) const fn end(&self) -> u64 {
        self.at.saturating_add(TRAIL_LEN)
    }

    /// Whether a header is neither the one before nor the one after, but of bytes of both.
    fn is_torn(&self, header: &HeaderBytes) -> bool {
        let both = self.before.iter().zip(&self.after);
        let mut bytes = header.iter().zip(both);
        let mixed = bytes.all(|(byte, (before, after))| byte == before || byte == after);
        mixed && *header != self.before && *header != self.after
    }

    /// Whether the directory that it leads back to is still what it was.
    #[cfg(feature = "ops")]
    pub(crate) fn leads_back(&self, source: &dyn ReadAt) -> io::Result<bool> {
        Ok(directory_sum(source, &self.before, self.len_before)? == self.directory_sum)
    }
}

/// Where the directory ends that a header leads to.
fn end_of(header: Header) -> u64 {
    u64::from(header.directory_offset).saturating_add(header.directory_len)
}

/// Whether a file of this length has a header of which only a part was written.
pub(super) fn is_torn(source: &dyn ReadAt, start: &[u8], len: u64) -> io::Result<bool> {
    let Some(header) = start.first_chunk() else {
        return Ok(false);
    };
    let last = Trail::last(source, len)?;
    Ok(last.is_some_and(|trail| trail.is_torn(header)))
}

/// What the directory sums up to that a header leads to, as far as a file of this length holds it.
#[cfg(feature = "ops")]
pub(crate) fn directory_sum(
    source: &dyn ReadAt,
    header: &HeaderBytes,
    len: u64,
) -> io::Result<u32> {
    let mut hasher = crc32fast::Hasher::new();
    let Some(header) = Header::parse(header) else {
        return Ok(hasher.finalize());
    };
    let (mut at, end) = (u64::from(header.directory_offset), end_of(header).min(len));
    let mut buffer = vec![0; BUFFER];
    while at < end {
        let part = usize::try_from(end - at).unwrap_or(BUFFER).min(BUFFER);
        let part = buffer.get_mut(..part).unwrap_or_default();
        let read = source.read_full_at(part, at)?;
        hasher.update(part.get(..read).unwrap_or_default());
        if read < part.len() {
            break;
        }
        at += read as u64;
    }
    Ok(hasher.finalize())
}

/// The trail of the change that would be taken back next, and what it says.
///
/// A change that was interrupted comes before one that is in force: so an interrupted undo that is
/// begun again ends as what it was.
#[cfg(feature = "ops")]
pub(crate) fn latest(source: &dyn ReadAt) -> io::Result<Option<(Trail, State)>> {
    let mut header = HeaderBytes::default();
    if source.read_full_at(&mut header, 0)? < HEADER_LEN {
        return Ok(None);
    }
    let last = Trail::last(source, source.size()?)?;
    if let Some(trail) = last.filter(|trail| trail.is_torn(&header)) {
        return Ok(Some((trail, State::Torn)));
    }
    if let Some(trail) = last.filter(|trail| trail.before == header) {
        return Ok(Some((trail, State::NotInForce)));
    }
    let trail = in_force(source, &header)?;
    Ok(trail.map(|trail| (trail, State::InForce)))
}

/// The trail of the change that this header is of.
#[cfg(feature = "ops")]
fn in_force(source: &dyn ReadAt, header: &HeaderBytes) -> io::Result<Option<Trail>> {
    let Some(parsed) = Header::parse(header) else {
        return Ok(None);
    };
    let trail = Trail::read(source, end_of(parsed))?;
    Ok(trail.filter(|trail| trail.after == *header))
}

/// All states that an archive of this format can go back to. Each lies before the one that comes after
/// it, so that there is an end.
#[cfg(feature = "ops")]
pub(crate) fn history(source: &dyn ReadAt, format: Format) -> io::Result<History> {
    let mut history = History::default();
    let mut header = HeaderBytes::default();
    if format == Format::Pk3 || source.read_full_at(&mut header, 0)? < HEADER_LEN {
        return Ok(history);
    }
    if let Some((trail, State::NotInForce)) = latest(source)? {
        history.interrupted = Some(trail.end() - trail.len_before);
    }
    let mut len = source.size()?;
    while history.former.len() < HISTORY_MOST
        && let Some(trail) = in_force(source, &header)?
        && trail.end() <= len
    {
        let before = Header::parse(&trail.before);
        let records = before.map_or(0, |it| it.directory_len / format.record_len() as u64);
        history.former.push(Former {
            entries: records,
            bytes: trail.len_before,
        });
        (header, len) = (trail.before, trail.len_before);
    }
    Ok(history)
}

#[cfg(test)]
#[cfg(feature = "ops")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header(offset: u32, len: u64) -> HeaderBytes {
        Header {
            magic: *b"PACK",
            directory_offset: offset,
            directory_len: len,
        }
        .to_bytes()
    }

    /// A file of 100 bytes that has grown by a payload of 8 and a directory of 64, with its trail.
    fn changed() -> (Vec<u8>, Trail) {
        let mut bytes = vec![7; 172];
        let trail = Trail {
            before: header(36, 64),
            after: header(108, 64),
            len_before: 100,
            at: 172,
            directory_sum: crc32fast::hash(&[7; 64]),
        };
        bytes[..12].copy_from_slice(&trail.after);
        bytes.extend(trail.to_bytes());
        (bytes, trail)
    }

    #[test]
    fn a_trail_is_found_behind_the_directory_and_leads_back() {
        let (mut bytes, trail) = changed();
        assert_eq!(latest(&bytes).unwrap(), Some((trail, State::InForce)));
        assert!(trail.leads_back(&bytes).unwrap());
        let former = vec![Former {
            entries: 1,
            bytes: 100,
        }];
        let told = |bytes: &Vec<u8>| history(bytes, Format::Quake).unwrap();
        assert_eq!(told(&bytes).former, former);
        // What somebody has added behind the end changes nothing.
        bytes.extend(b"more");
        assert_eq!(latest(&bytes).unwrap(), Some((trail, State::InForce)));
        assert_eq!(told(&bytes).former, former);
        bytes[40] ^= 1;
        assert!(!trail.leads_back(&bytes).unwrap());
    }

    #[test]
    fn a_trail_whose_header_is_the_one_before_is_not_in_force() {
        let (mut bytes, trail) = changed();
        bytes[..12].copy_from_slice(&trail.before);
        assert_eq!(latest(&bytes).unwrap(), Some((trail, State::NotInForce)));
        let history = history(&bytes, Format::Quake).unwrap();
        assert_eq!((history.former.len(), history.interrupted), (0, Some(136)));
        // Not at the end of the file it says nothing.
        bytes.push(0);
        assert_eq!(latest(&bytes).unwrap(), None);
    }

    #[test]
    fn every_mix_of_both_headers_is_torn_and_any_other_byte_is_somebody_elses() {
        let (mut bytes, trail) = changed();
        let len = bytes.len() as u64;
        for mask in 0..256_u32 {
            let both = trail.before.iter().zip(trail.after);
            let mixed = both.enumerate().map(|(at, (before, after))| {
                let is_new = at >= 4 && mask >> (at - 4) & 1 == 1;
                if is_new { after } else { *before }
            });
            bytes.splice(..12, mixed.collect::<Vec<_>>());
            let is_one = bytes[..12] == trail.before || bytes[..12] == trail.after;
            assert_eq!(is_torn(&bytes, &bytes, len).unwrap(), !is_one, "{mask}");
            assert_eq!(latest(&bytes).unwrap().unwrap().0, trail, "{mask}");
        }
        bytes[5] = 99;
        assert!(!is_torn(&bytes, &bytes, len).unwrap());
        assert_eq!(latest(&bytes).unwrap(), None);
    }

    #[test]
    fn no_byte_of_a_trail_can_be_another() {
        let (bytes, trail) = changed();
        for at in 172..bytes.len() {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                assert_eq!(latest(&bytes).unwrap(), None, "byte {at}, bit {bit}");
            }
        }
        for len in 12..bytes.len() {
            assert_eq!(latest(&bytes[..len].to_vec()).unwrap(), None);
        }
        // Where it lies and what it says of the lengths must agree, sums aside.
        for other in [
            Trail { at: 171, ..trail },
            Trail {
                len_before: 109,
                ..trail
            },
            Trail {
                len_before: 11,
                ..trail
            },
            Trail {
                before: [0; 12],
                ..trail
            },
            Trail {
                before: *b"SPAK\x24\0\0\0\x40\0\0\0",
                ..trail
            },
        ] {
            let bytes = [&bytes[..172], &other.to_bytes()].concat();
            assert_eq!(latest(&bytes).unwrap(), None, "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_a_file_holds_nothing_panics_and_no_history_is_longer_than_the_file(
            offsets in proptest::collection::vec((any::<u32>(), 0..300_u64), 1..4),
            filler in proptest::collection::vec(any::<u8>(), 12..400),
            at in proptest::collection::vec(0..400_usize, 4),
        ) {
            let mut bytes = filler;
            let trail = |(offset, len): &(u32, u64), place: u64| Trail {
                before: header(offset % 400, *len),
                after: header(u32::try_from(place.saturating_sub(*len)).unwrap(), place.min(*len)),
                len_before: u64::from(offset % 300),
                at: place,
                directory_sum: 0,
            };
            for (claims, place) in offsets.iter().zip(at) {
                let trail = trail(claims, place as u64);
                bytes.resize(bytes.len().max(place + LEN), 0);
                bytes[place..place + LEN].copy_from_slice(&trail.to_bytes());
                bytes[..12].copy_from_slice(&trail.after);
            }
            let found = latest(&bytes).unwrap();
            if let Some((trail, _)) = found {
                prop_assert!(trail.len_before < trail.at && trail.end() <= bytes.len() as u64);
                trail.leads_back(&bytes).unwrap();
            }
            let history = history(&bytes, Format::Quake).unwrap();
            prop_assert!(history.former.is_sorted_by(|a, b| a.bytes > b.bytes));
        }
    }
}
