//! How a pak's streams use the reserved control byte `0xFE`: skipped, as in the game, or as a copy.
//!
//! The game skips the byte. One third-party packer writes it for a copy of 64 bytes. A packer writes a
//! whole pak, so the whole pak votes. Every stream that has the byte at the beginning of a token is walked
//! under both readings, and is sound in one of them, in both, or in neither:
//!
//! | streams that are sound in one reading only | how streams with the byte are read            |
//! |--------------------------------------------|-----------------------------------------------|
//! | all in the same reading                    | that reading, for all                         |
//! | some in one, some in the other             | each by its own result; if it is sound in both, as most are |
//! | none                                       | skipped, as the game does, if that is sound   |
//!
//! The vote is taken at the first such byte, and only once for an open pak.

use core::fmt;

use super::format::Reserved;

/// How the reserved bytes of a pak are read: as chosen, or by the vote of its streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReservedReading {
    /// As chosen in the [options](super::ReadOptions).
    Chosen(Reserved),
    /// By vote.
    Voted(ReservedVote),
}

/// How many streams with the byte are sound in which reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReservedVote {
    /// Sound only if the byte is skipped.
    pub skip_only: u64,
    /// Sound only if the byte is a copy of 64 bytes.
    pub copy_only: u64,
    /// Sound in both readings.
    pub either: u64,
    /// Damaged in both readings.
    pub neither: u64,
}

impl ReservedReading {
    /// The reading, for streams that are sound in both.
    #[must_use]
    pub const fn reading(self) -> Reserved {
        match self {
            Self::Chosen(reading) => reading,
            Self::Voted(vote) if vote.copy_only > vote.skip_only => Reserved::Copy,
            Self::Voted(_) => Reserved::Skip,
        }
    }

    /// The reading of all streams, if all streams that are sound in only one reading agree.
    pub(super) const fn unanimous(self) -> Option<Reserved> {
        match self {
            Self::Chosen(_) => None,
            Self::Voted(vote) => vote.unanimous(),
        }
    }
}

impl ReservedVote {
    /// The reading of all streams, if all streams that are sound in only one reading agree.
    const fn unanimous(self) -> Option<Reserved> {
        match (self.skip_only, self.copy_only) {
            (1.., 0) => Some(Reserved::Skip),
            (0, 1..) => Some(Reserved::Copy),
            _ => None,
        }
    }

    /// How many streams contain the byte.
    #[must_use]
    pub const fn streams(self) -> u64 {
        self.skip_only + self.copy_only + self.either + self.neither
    }
}

impl fmt::Display for ReservedReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reading = match self.reading() {
            Reserved::Copy => "read as a copy of 64 bytes",
            _ => "skipped as in the game",
        };
        let vote = match self {
            Self::Chosen(_) => {
                return write!(f, "the control byte 0xFE is {reading}, as you chose");
            }
            Self::Voted(vote) => vote,
        };
        let count = vote.streams();
        let contain = match count {
            1 => "stream contains",
            _ => "streams contain",
        };
        write!(f, "{count} {contain} the control byte 0xFE")?;
        if vote.skip_only > 0 && vote.copy_only > 0 {
            write!(f, "; each is read in the way that makes it sound")?;
            if vote.either > 0 {
                write!(f, ", or with the byte {reading} if both ways do")?;
            }
        } else {
            write!(f, ", which is {reading}")?;
        }
        let are = |count: u64| if count == 1 { "is" } else { "are" };
        let mut separator = ": ";
        let sound = [
            (vote.copy_only, "only as copies"),
            (vote.skip_only, "only if it is skipped"),
            (vote.either, "either way"),
        ];
        for (count, how) in sound.into_iter().filter(|(count, _)| *count > 0) {
            match separator {
                ": " => write!(f, ": {count} {} sound {how}", are(count))?,
                _ => write!(f, ", {count} {how}")?,
            }
            separator = ", ";
        }
        match vote.neither {
            0 => Ok(()),
            count => write!(f, "{separator}{count} {} damaged either way", are(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn vote(skip_only: u64, copy_only: u64, either: u64, neither: u64) -> ReservedReading {
        ReservedReading::Voted(ReservedVote { skip_only, copy_only, either, neither })
    }

    #[test]
    fn a_pak_has_one_reading_only_if_streams_agree() {
        let copies = vote(0, 820, 11, 1);
        assert_eq!(copies.unanimous(), Some(Reserved::Copy));
        assert_eq!(copies.reading(), Reserved::Copy);
        let skips = vote(3, 0, 11, 0);
        assert_eq!(skips.unanimous(), Some(Reserved::Skip));
        assert_eq!(skips.reading(), Reserved::Skip);
        for (undecided, reading) in [
            (vote(0, 0, 5, 2), Reserved::Skip),
            (vote(2, 2, 5, 0), Reserved::Skip),
            (vote(2, 3, 5, 0), Reserved::Copy),
            (vote(3, 2, 5, 0), Reserved::Skip),
        ] {
            assert_eq!(undecided.unanimous(), None, "{undecided:?}");
            assert_eq!(undecided.reading(), reading, "{undecided:?}");
        }
    }

    #[test]
    fn a_vote_names_the_reading_and_its_streams() {
        let of = |vote: ReservedReading| vote.to_string();
        assert_eq!(
            of(vote(0, 820, 11, 0)),
            "831 streams contain the control byte 0xFE, which is read as a copy of 64 bytes: \
             820 are sound only as copies, 11 either way"
        );
        assert_eq!(
            of(vote(0, 0, 1, 0)),
            "1 stream contains the control byte 0xFE, which is skipped as in the game: \
             1 is sound either way"
        );
        assert_eq!(
            of(vote(2, 3, 1, 1)),
            "7 streams contain the control byte 0xFE; each is read in the way that makes it sound, \
             or with the byte read as a copy of 64 bytes if both ways do: 3 are sound only as copies, \
             2 only if it is skipped, 1 either way, 1 is damaged either way"
        );
        assert_eq!(
            of(ReservedReading::Chosen(Reserved::Copy)),
            "the control byte 0xFE is read as a copy of 64 bytes, as you chose"
        );
    }
}
