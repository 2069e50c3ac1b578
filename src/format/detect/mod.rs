//! Detects the layout of an archive: reads its directory in each possible layout, and scores the records.
//!
//! Quake's and Daikatana's paks have the same magic, and the header does not say which layout follows. The
//! directory's length decides only if it is a multiple of one record length and not of the other. 576 is a
//! multiple of both 64 and 72, so one Daikatana pak in eight and one Quake pak in nine fits both. Then the
//! records decide: with the wrong record length, all names from the second record on come from the middle
//! of numbers, and all numbers from the middle of names.
//!
//! | evidence, record by record                                   | weight                      |
//! |--------------------------------------------------------------|-----------------------------|
//! | the name: with an extension, plain, doubtful, none at all    | 500, 250, 0, -700           |
//! | the extent: follows the previous one, in the file, out of place | 500, 300, -300           |
//! | a size of 0: the offset is in the file, is outside           | 150, 0                      |
//! | the stream is too short for its size                         | -300                        |
//! | the flag is neither 0 nor 1; is above 255                    | -100, -300                  |
//! | `packed_size` fits: not above `size`, or 0 for a stored file that is not empty | 100       |
//!
//! A doubtful name (one to three letters, or foreign ones without an extension) adds nothing, but does not
//! count against its reading either: directories full of them exist, and with the wrong record length
//! leaked text looks like better names.
//!
//! Names have the most weight, because they survive damage. If a file with a leading directory is cut off,
//! every extent is wrong, but every name is still a name. A reading's score is the mean over its records,
//! so a tenth of them may be garbage.
//!
//! A reading with more than half of its payloads outside of the file is excluded if another one has none
//! outside: short names with old names after their NULs can score too well, and extents cannot.
//!
//! Then the verdict. If the length is a multiple of only one record length, that layout wins, unless its
//! records score very badly and those of another layout score well. If the length fits several or none (a
//! directory that was cut keeps its claimed length), the better score wins by a clear margin, or nothing
//! does. As a last resort the last bytes of the compressed payloads are read: a stream normally ends in
//! 0xFF.
//!
//! All of it is a pure function: [`Detection::of`].

mod evidence;
mod reasons;

pub(super) use evidence::{Extents, NameCheck, Tally, is_telling, weigh};

use super::records::Header;
use crate::archive::Format;

/// How much better than another a reading's score must be to win by it alone. Over 100,000 generated sound
/// paks the right reading was ahead by at least 820. Of 400,000 odd ones, 1 in 1,000 stayed undecided and
/// none was wrong.
const CLEAR: i32 = 150;

/// How much better another reading must be to win against the one whose record length fits.
const OVERWHELMING: i32 = 600;

/// How many records it must have to win that way. The first record has the right name in every layout, so
/// if the second of two Quake records is noise, one Daikatana record looks better.
const OVERWHELMING_RECORDS: usize = 4;

/// The least score for a verdict by records. Noise scores about -1,000 with any record length; real records
/// with doubtful names and no other evidence score -300.
const NOT_NOISE: i32 = -500;

/// A score below this means that both names and payloads are wrong. Bad names alone, with payloads in the
/// file or empty, may be intended.
const NOISE: i32 = -700;

/// How many payloads' last bytes are read at most.
const PEEKS: usize = 64;

/// The verdict and its basis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    format: Option<Format>,
    pub(super) basis: Basis,
    /// One reading for each layout with the file's magic.
    readings: Vec<Reading>,
    claimed: u64,
    held: u64,
}

/// What decided a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Basis {
    /// The caller.
    Forced,
    /// Nothing: an empty pak has no records, and is taken for the plainest layout.
    Nothing,
    /// The directory's length, which fits only one record length.
    Length,
    /// The records; the directory's length fits several layouts or none.
    Records,
    /// The records, against the directory's length.
    RecordsAgainstLength,
}

/// The directory, read in one layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The layout.
    pub format: Format,
    /// Whether the length that the header claims is a multiple of the record length.
    pub divides: bool,
    /// The mean over the records, -1,600 to 1,100, plus at most 300 either way for the ends of payloads if
    /// they were read. `None` if there is no whole record.
    pub score: Option<i32>,
    /// The counts.
    pub(super) tally: Tally,
}

impl Detection {
    /// Decides which layout the directory has.
    ///
    /// `directory` is the part of it that is in the file, which may be less than `header` claims. `peek`
    /// returns the byte at an offset of the file, or `None` outside of it. It is called for the last bytes of some
    /// compressed payloads, and only if nothing else decides.
    ///
    /// ```
    /// use daisho::Format;
    /// use daisho::archive::RawName;
    /// use daisho::format::{Detection, Header, Record};
    ///
    /// let mut directory = Vec::new();
    /// for (i, name) in ["progs.dat", "gfx/palette.lmp"].into_iter().enumerate() {
    ///     let record = Record { name: RawName::from(name), offset: 12 + 100 * i as u32, size: 100, ..Record::default() };
    ///     record.write(Format::Quake, &mut directory);
    /// }
    /// let header = Header { magic: *b"PACK", directory_offset: 212, directory_len: 128 };
    /// let detection = Detection::of(&directory, header, 340, None);
    /// assert_eq!(detection.format(), Some(Format::Quake));
    /// assert_eq!(detection.reasons()[0], "the directory's 128 bytes divide by 64 and not by 72");
    /// ```
    #[must_use]
    pub fn of(
        directory: &[u8],
        header: Header,
        file_len: u64,
        peek: Option<&mut dyn FnMut(u64) -> Option<u8>>,
    ) -> Self {
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

    /// The layout, or `None` if the evidence is not clear.
    #[must_use]
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// The readings in all layouts that have the file's magic, in the order of [`Format::ALL`].
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Whether hardly any record looks like one in any layout. Then the length alone or the caller has
    /// decided.
    #[must_use]
    pub fn looks_like_noise(&self) -> bool {
        let mut scores = self.readings.iter().filter_map(|reading| reading.score);
        scores.next().is_some_and(|score| score < NOISE) && scores.all(|score| score < NOISE)
    }

    /// Keeps the evidence and replaces the verdict by the caller's.
    #[must_use]
    pub fn force(mut self, format: Format) -> Self {
        self.format = Some(format);
        self.basis = Basis::Forced;
        self
    }

    /// The reading with the best score, and the next one.
    fn best_two<'a>(
        readings: impl Iterator<Item = &'a Reading>,
    ) -> Option<(&'a Reading, Option<&'a Reading>)> {
        let mut scored: Vec<&Reading> = readings.filter(|r| r.score.is_some()).collect();
        // The sort is stable: with equal scores the plainer layout comes first.
        scored.sort_by_key(|reading| core::cmp::Reverse(reading.score));
        Some((scored.first()?, scored.get(1).copied()))
    }

    /// Whether a reading is excluded: most of its payloads are outside of the file, and all of another's
    /// are inside.
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
        let tally = match spec.fields() {
            Some(fields) => weigh(fields, spec.coding, directory, extents),
            None => Tally::default(),
        };
        Self {
            format,
            divides: header.directory_len.is_multiple_of(spec.record_len as u64),
            score: tally.mean(),
            tally,
        }
    }

    /// The number of whole records.
    #[must_use]
    pub const fn records(&self) -> usize {
        self.tally.records
    }

    /// Adds the evidence from the last bytes of the compressed payloads.
    fn look_at_ends(&mut self, directory: &[u8], peek: &mut dyn FnMut(u64) -> Option<u8>) {
        let Some(change) = evidence::ends(self.format, directory, PEEKS, peek) else {
            return;
        };
        self.score = self.score.map(|score| score + change);
    }
}

#[cfg(test)]
mod tests;
