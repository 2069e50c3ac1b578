//! What is too much: the format's own numbers, and what a caller sets below them.

use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Format, RawName};
use crate::format::records::NUMBER_MAX;
use crate::format::spec::Spec;

/// The most that a pak may have. The default is what the format can say: every offset, size and
/// the file's length up to 2^32 - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Entries.
    pub max_entries: u64,
    /// Bytes of the whole file.
    pub max_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self::MOST
    }
}

impl Limits {
    /// What the format can say.
    pub const MOST: Self = Self {
        max_entries: u64::MAX,
        max_bytes: NUMBER_MAX,
    };

    /// What keeps to both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            max_entries: self.max_entries.min(other.max_entries),
            max_bytes: self.max_bytes.min(other.max_bytes),
        }
    }

    /// Whether an archive of this many entries, of this length, is within them.
    pub(super) fn check(self, spec: &Spec, entries: u64, file: u64) -> Result<(), Error> {
        let max_entries = self.max_entries.min(spec.entries_max);
        within("the number of entries", entries, max_entries)?;
        let max_bytes = self.max_bytes.min(spec.number_max);
        within("the pak's length", file, max_bytes)
    }
}

/// A number that is not above `most`, which the format can say, or an error.
pub(super) fn number(what: &'static str, value: u64, most: u64) -> Result<u32, Error> {
    within(what, value, most)?;
    Ok(u32::try_from(value).unwrap_or(u32::MAX))
}

/// Whether an entry of an archive that is written can have this name.
pub(crate) fn check_name(format: Format, name: RawName<'_>) -> Result<(), Error> {
    let Some(writer) = format.spec().writer else {
        return Err(ErrorKind::NoFile { format }.into());
    };
    if name.as_bytes().contains(&0) {
        return Err(ErrorKind::NameHasNul.into());
    }
    Ok(writer.check_name(format, name)?)
}

fn within(what: &'static str, value: u64, limit: u64) -> Result<(), Error> {
    if value > limit {
        return Err(ErrorKind::OverLimit { what, value, limit }.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_the_last_that_passes() {
        let limits = Limits {
            max_entries: 3,
            max_bytes: 1000,
        };
        assert!(limits.check(Format::Quake.spec(), 3, 1000).is_ok());
        assert!(limits.check(Format::Quake.spec(), 3, 1001).is_err());
        assert!(limits.check(Format::Quake.spec(), 4, 12).is_err());
        let format = Limits::default();
        assert!(
            format
                .check(Format::Daikatana.spec(), 1, NUMBER_MAX)
                .is_ok()
        );
        assert!(
            format
                .check(Format::Daikatana.spec(), 1, NUMBER_MAX + 1)
                .is_err()
        );
        assert!(
            format
                .check(Format::Pk3.spec(), 65_534, NUMBER_MAX - 1)
                .is_ok()
        );
        assert!(format.check(Format::Pk3.spec(), 65_535, 22).is_err());
        assert!(format.check(Format::Pk3.spec(), 1, NUMBER_MAX).is_err());
        assert!(
            format
                .check(Format::Quake.spec(), u64::MAX, u64::MAX)
                .is_err()
        );
        assert_eq!(number("x", NUMBER_MAX, NUMBER_MAX).unwrap(), u32::MAX);
        assert!(number("x", NUMBER_MAX, NUMBER_MAX - 1).is_err());
    }

    #[test]
    fn two_limits_together_are_the_smaller_of_each_kind() {
        let of = |max_entries, max_bytes| Limits {
            max_entries,
            max_bytes,
        };
        assert_eq!(of(3, 1000).and(of(5, 10)), of(3, 10));
        assert_eq!(of(5, 10).and(of(3, 1000)), of(3, 10));
    }

    #[test]
    fn the_longest_name_has_55_bytes_in_a_pak_and_119_in_sins_archives() {
        for (format, longest) in [
            (Format::Quake, 55),
            (Format::Daikatana, 55),
            (Format::Sin, 119),
            (Format::Hrot, 119),
        ] {
            let check = |name: &[u8]| check_name(format, RawName::new(name));
            assert!(check(&vec![b'x'; longest]).is_ok());
            assert!(check(&vec![b'x'; longest + 1]).is_err());
            assert!(check(b"a\0b").is_err());
            assert!(check(b"").is_ok());
        }
    }
}
