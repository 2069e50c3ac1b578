//! Which layout an archive has: for each layout of its magic the directory is read as if it were that one, each
//! record says how much it looks like a record, and the better reading wins.
//!
//! Quake's and Daikatana's paks have one magic, and the header does not say which one follows. The
//! directory's length decides only where it divides by one record length and not by the other;
//! 576 is a multiple of both 64 and 72, so one Daikatana pak in eight and one Quake pak in nine
//! divides by both. What decides then is that under the wrong record length the second record on
//! reads its name out of the middle of numbers, its numbers out of the middle of names.
//!
//! | evidence, record by record                                   | weight                      |
//! |--------------------------------------------------------------|-----------------------------|
//! | the name: with an extension, plain, doubtful, none at all    | 500, 250, 0, -700           |
//! | the extent: follows the last one, in the file, out of place  | 500, 300, -300              |
//! | a size of 0: the offset is in the file, is anywhere          | 150, 0                      |
//! | the stream is too short for its size                         | -300                        |
//! | the flag is neither 0 nor 1; is above 255                    | -100, -300                  |
//! | `packed_size` fits: not above `size`, or 0 for a stored file that is not empty | 100       |
//!
//! A doubtful name (one to three letters, or foreign ones without an extension) counts for nothing
//! rather than against its reading: directories full of them exist, and under the wrong record
//! length leaked text reads as better names than they are.
//!
//! Names weigh most, because they survive what happens to paks: of a file that was cut short
//! behind a leading directory every extent is gone, and every name is still a name. A reading's
//! score is the mean over its records, so that a tenth of them may be garbage.
//!
//! A reading in which more than half of the payloads lie outside the file is out of the contest where
//! another one has none outside: short names with old names behind their NULs can read better than
//! they are, and places in the file cannot.
//!
//! Then the verdict. Where the length divides by one record length only, that layout is it, unless
//! its records speak clearly against it and another layout's for that one. Where it divides by
//! several or by none (a directory that was cut keeps the length that the header claims), the
//! better score wins by a clear margin, or nothing does. As a last resort the ends of the
//! compressed payloads are looked at: a stream normally ends in the byte 0xFF.
//!
//! All of it is a pure function: [`detect()`].

mod evidence;
mod reasons;

pub(super) use evidence::{Extents, Names, is_telling, weigh};
pub use evidence::{Peek, Tally};

use super::records::Header;
use crate::archive::Format;

/// How much better than another a reading's score must be to win by it alone. Over 100,000
/// generated sound paks the right reading was ahead by at least 820,
/// and of 400,000 odd ones 1 in 1,000 stayed undecided and none was wrong.
const CLEAR: i32 = 150;

/// How much better another reading must be to win against the one whose record length divides.
const OVERWHELMING: i32 = 600;

/// How many records it must have for that. Under any record length the first record has its name
/// right, so where the second of two Quake records is noise, one Daikatana record looks better.
const OVERWHELMING_RECORDS: usize = 4;

/// What a score must reach to win by the records at all. Noise scores about -1,000 under any
/// record length; true records with doubtful names and nothing behind them -300.
const NOT_NOISE: i32 = -500;

/// What a score is below only where names and payloads are out of place alike. Names that are none,
/// of files that lie where they should or are empty, are odd and may be meant.
const NOISE: i32 = -700;

/// How many payloads' ends are looked at, at most.
const PEEKS: usize = 64;

/// The verdict, and what it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    format: Option<Format>,
    basis: Basis,
    /// One for each layout of the file's magic.
    readings: Vec<Reading>,
    claimed: u64,
    held: u64,
}

/// What a verdict stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// The caller said so.
    Forced,
    /// There is no record to judge by: an empty pak, taken for the plainest layout.
    Nothing,
    /// The directory's length divides by one record length only.
    Length,
    /// The records, the directory's length leaving it open.
    Records,
    /// The records, against the directory's length.
    RecordsAgainstLength,
}

/// The directory, read as if it were of one layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Which one.
    pub format: Format,
    /// Whether the length that the header claims is a multiple of the record length.
    pub divides: bool,
    /// The mean over the records, -1,600 to 1,100, and what the ends of the payloads say where
    /// they were looked at, 300 at most either way; `None` where there is no whole record.
    pub score: Option<i32>,
    /// What was counted.
    pub tally: Tally,
}

/// Judges which layout the directory has.
///
/// `directory` is what the file really holds of it, which may be less than `header` claims. `peek`
/// is asked for the last bytes of some compressed payloads, and only where nothing else decides.
///
/// ```
/// use daisho::Format;
/// use daisho::archive::RawName;
/// use daisho::format::{Header, Record, detect};
///
/// let mut directory = Vec::new();
/// for (i, name) in ["progs.dat", "gfx/palette.lmp"].into_iter().enumerate() {
///     let record = Record { name: RawName::from(name), offset: 12 + 100 * i as u32, size: 100, packed: None, lump: None };
///     record.write(Format::Quake, &mut directory);
/// }
/// let header = Header { magic: *b"PACK", directory_offset: 212, directory_len: 128 };
/// let detection = detect(&directory, header, 340, None);
/// assert_eq!(detection.format(), Some(Format::Quake));
/// assert_eq!(detection.reasons()[0], "the directory's 128 bytes divide by 64 and not by 72");
/// ```
#[must_use]
pub fn detect(
    directory: &[u8],
    header: Header,
    file_len: u64,
    peek: Option<Peek<'_>>,
) -> Detection {
    let extents = Extents::new(header, file_len);
    let mut detection = Detection {
        format: None,
        basis: Basis::Nothing,
        readings: Format::of_magic(header.magic)
            .map(|format| Reading::of(format, directory, header, &extents))
            .collect(),
        claimed: header.directory_len,
        held: directory.len() as u64,
    };
    (detection.format, detection.basis) = detection.judge();
    if detection.format.is_none()
        && let Some(peek) = peek
    {
        for reading in &mut detection.readings {
            reading.look_at_ends(directory, peek);
        }
        (detection.format, detection.basis) = detection.judge();
    }
    detection
}

impl Detection {
    /// The layout, or `None` where the evidence does not tell.
    #[must_use]
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// What the verdict stands on.
    #[must_use]
    pub const fn basis(&self) -> Basis {
        self.basis
    }

    /// The directory in the reading of every layout that has the file's magic, in the order of
    /// [`Format::ALL`].
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Whether hardly anything in the directory looks like a record of its layout, or of any other:
    /// its length alone has decided, or the caller.
    #[must_use]
    pub fn looks_like_noise(&self) -> bool {
        let mut scores = self.readings.iter().filter_map(|reading| reading.score);
        scores.next().is_some_and(|score| score < NOISE) && scores.all(|score| score < NOISE)
    }

    /// The same evidence, and the caller's verdict.
    #[must_use]
    pub fn force(mut self, format: Format) -> Self {
        self.format = Some(format);
        self.basis = Basis::Forced;
        self
    }

    /// How far ahead of all others the best reading is, where more than one has a score.
    #[must_use]
    pub fn margin(&self) -> Option<i32> {
        let (best, second) = Self::best_two(self.readings.iter())?;
        Some(best.score? - second?.score?)
    }

    /// Of these readings the one with the best score, and the next one.
    fn best_two<'a>(
        readings: impl Iterator<Item = &'a Reading>,
    ) -> Option<(&'a Reading, Option<&'a Reading>)> {
        let mut scored: Vec<&Reading> = readings.filter(|r| r.score.is_some()).collect();
        // A stable sort: of equal scores the plainer layout comes first.
        scored.sort_by_key(|reading| core::cmp::Reverse(reading.score));
        Some((scored.first()?, scored.get(1).copied()))
    }

    /// Whether a reading is out of the contest, because its payloads are mostly outside the file and
    /// none of another's is.
    fn is_out(&self, reading: &Reading) -> bool {
        let none_outside = |it: &Reading| it.score.is_some() && it.tally.outside == 0;
        reading.tally.is_mostly_outside() && self.readings.iter().any(none_outside)
    }

    fn judge(&self) -> (Option<Format>, Basis) {
        if self.claimed == 0 {
            let plainest = self.readings.first().map(|reading| reading.format);
            return (plainest, Basis::Nothing);
        }
        let mut dividing = self.readings.iter().filter(|reading| reading.divides);
        let contenders = || self.readings.iter().filter(|it| !self.is_out(it));
        let alone = contenders().count() < self.readings.len();
        let best = Self::best_two(contenders());
        if let (Some(only), None) = (dividing.next(), dividing.next()) {
            if let (Some(own), Some((best, _))) = (only.score, best)
                && best.tally.records >= OVERWHELMING_RECORDS
                && best.score.is_some_and(|score| score - own >= OVERWHELMING)
            {
                return (Some(best.format), Basis::RecordsAgainstLength);
            }
            return (Some(only.format), Basis::Length);
        }
        match best {
            Some((best, _)) if best.score < Some(NOT_NOISE) => (None, Basis::Records),
            Some((best, None)) if best.score >= Some(CLEAR) || alone => {
                (Some(best.format), Basis::Records)
            }
            Some((best, Some(second))) if best.score >= second.score.map(|score| score + CLEAR) => {
                (Some(best.format), Basis::Records)
            }
            _ => (None, Basis::Records),
        }
    }
}

impl Reading {
    fn of(format: Format, directory: &[u8], header: Header, extents: &Extents) -> Self {
        let spec = format.spec();
        let tally = spec
            .records
            .map(|records| records.weigh(directory, extents));
        let tally = tally.unwrap_or_default();
        Self {
            format,
            divides: header.directory_len.is_multiple_of(spec.record_len as u64),
            score: tally.mean(),
            tally,
        }
    }

    /// Adds what the last bytes of the compressed payloads say.
    fn look_at_ends(&mut self, directory: &[u8], peek: Peek<'_>) {
        let Some(change) = evidence::ends(self.format, directory, PEEKS, peek) else {
            return;
        };
        self.score = self.score.map(|score| score + change);
    }
}

#[cfg(test)]
mod tests;
