//! The lines of a snapshot: how they are written and read.
//!
//! Reading is strict. A file that is not a snapshot must not be compared with, let alone be replaced because a
//! user named the wrong file. Both kinds of line ends are accepted, and lines in any order, because other tools
//! may have edited the file.

use core::fmt;
use std::collections::HashSet;
use std::io::{self, BufRead, Read as _};

use crate::archive::{escape, unescape};
use crate::ops::catalogue::sum::{Hash, Sum};

/// The lines of a snapshot.
#[derive(Debug, Default)]
pub struct Snapshot {
    pub(super) lines: Vec<Line>,
}

/// One line. `Display` formats it as in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What is known of the content.
    pub state: State,
    /// The decompressed size of the entry, or the length of an unreadable archive's file.
    pub size: u64,
    /// The name; it begins with the archive's prefix if there are several archives. An unreadable archive's
    /// name is its prefix.
    pub name: Vec<u8>,
}

/// What is known of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The checksum of an entry's content.
    Sum(Sum),
    /// The entry cannot be decoded, because it is damaged.
    Damaged,
    /// The entry cannot be decoded, because daisho does not support its compression or encryption.
    Unsupported,
    /// The archive cannot be read, or its directory is cut.
    Unreadable,
}

impl Line {
    /// The checksum, if it is known.
    #[must_use]
    pub const fn sum(&self) -> Option<Sum> {
        match self.state {
            State::Sum(sum) => Some(sum),
            State::Damaged | State::Unsupported | State::Unreadable => None,
        }
    }

    /// Whether it is the line of an unreadable archive.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.state == State::Unreadable
    }
}

/// Sorts the lines by name. Lines with the same name keep their order.
impl FromIterator<Line> for Snapshot {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Self {
        let mut lines: Vec<Line> = lines.into_iter().collect();
        lines.sort_by(|a, b| a.name.cmp(&b.name));
        Self { lines }
    }
}

impl Snapshot {
    /// The lines, in order.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The kind of its checksums, if it has any.
    #[must_use]
    pub fn hash(&self) -> Option<Hash> {
        let mut sums = self.lines.iter().filter_map(Line::sum);
        sums.next().map(|sum| sum.hash())
    }

    /// Whether it has an equal line.
    pub(crate) fn has(&self, line: &Line) -> bool {
        let from = self.lines.partition_point(|it| it.name < line.name);
        let of_name = self.lines.iter().skip(from).take_while(|it| it.name == line.name);
        of_name.into_iter().any(|it| it == line)
    }

    /// The prefixes of unreadable archives.
    pub(crate) fn unreadable(&self) -> HashSet<&[u8]> {
        let lines = self.lines.iter().filter(|line| line.is_unreadable());
        lines.map(|line| line.name.as_slice()).collect()
    }

    /// The prefixes of unreadable archives without a line of an entry.
    pub(crate) fn never_readable(&self) -> HashSet<&[u8]> {
        let mut prefixes = HashSet::new();
        for (at, line) in self.lines.iter().enumerate() {
            let next = self.lines.get(at + 1);
            let has_entries = next.is_some_and(|next| next.name.starts_with(&line.name));
            if line.is_unreadable() && !has_entries {
                prefixes.insert(line.name.as_slice());
            }
        }
        prefixes
    }
}

/// The longest line: more than the longest name (65,535 bytes, all escaped) after the longest path.
const LINE_MAX: u64 = 1 << 20;

/// The word instead of the checksum of a damaged entry.
const DAMAGED: &str = "damaged";
/// The word instead of the checksum of an entry whose compression or encryption daisho does not support.
const UNSUPPORTED: &str = "unsupported";
/// The word instead of the checksum for an archive that cannot be read.
const UNREADABLE: &str = "unreadable";

/// The problem of a line that does not begin with a checksum.
const NO_SUM: &str = "expected it to begin with eight lower-case hexadecimal digits (CRC-32), 64 of them \
                      (SHA-256), \"damaged\", \"unsupported\" or \"unreadable\"";

/// Why a snapshot cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// Reading the file failed.
    #[error(transparent)]
    Io(io::Error),
    /// A line is invalid.
    #[error("line {line} of this snapshot cannot be read: {why}")]
    BadLine {
        /// Its number, counted from 1.
        line: u64,
        /// What is wrong with it.
        why: &'static str,
    },
}

impl Snapshot {
    /// Reads a snapshot: lines in any order, with either kind of line ends.
    ///
    /// ```
    /// use daisho::ops::catalogue::Snapshot;
    ///
    /// let snapshot = Snapshot::read(&b"352441c2 3 b.cfg\ndamaged 768 a.lmp\n"[..])?;
    /// let lines: Vec<String> = snapshot.lines().iter().map(|line| line.to_string()).collect();
    /// assert_eq!(lines, ["damaged 768 a.lmp", "352441c2 3 b.cfg"]);
    /// # Ok::<(), daisho::ops::catalogue::SnapshotError>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails or a line is invalid.
    pub fn read(mut input: impl BufRead) -> Result<Self, SnapshotError> {
        let mut lines = Vec::new();
        let (mut line, mut hash) = (Vec::new(), None);
        for number in 1.. {
            line.clear();
            let read = input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line);
            let read = read.map_err(SnapshotError::Io)?;
            if read == 0 {
                break;
            }
            let bad = |why| SnapshotError::BadLine { line: number, why };
            let inside = line.strip_suffix(b"\n").unwrap_or(&line);
            if inside.len() == line.len() && read as u64 == LINE_MAX {
                return Err(bad("it is too long"));
            }
            let inside = inside.strip_suffix(b"\r").unwrap_or(inside);
            let line = parse(inside).map_err(bad)?;
            let of_line = line.sum().map(|sum| sum.hash());
            if hash.is_some() && of_line.is_some() && hash != of_line {
                return Err(bad("its checksum is of another kind than those before it"));
            }
            hash = hash.or(of_line);
            lines.push(line);
        }
        Ok(lines.into_iter().collect())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.state {
            State::Sum(sum) => sum.fmt(f)?,
            State::Damaged => f.write_str(DAMAGED)?,
            State::Unsupported => f.write_str(UNSUPPORTED)?,
            State::Unreadable => f.write_str(UNREADABLE)?,
        }
        write!(f, " {} {}", self.size, escape(&self.name))
    }
}

/// Parses a line without its line end. Returns what is wrong with it if it is invalid.
fn parse(line: &[u8]) -> Result<Line, &'static str> {
    let line = core::str::from_utf8(line).map_err(|_| "it is not UTF-8")?;
    let mut fields = line.splitn(3, ' ');
    let (Some(sum), Some(size), Some(name)) = (fields.next(), fields.next(), fields.next()) else {
        return Err("expected a checksum, a size and a name, with a space between them");
    };
    let state = match sum {
        DAMAGED => State::Damaged,
        UNSUPPORTED => State::Unsupported,
        UNREADABLE => State::Unreadable,
        digits => State::Sum(Sum::parse(digits).ok_or(NO_SUM)?),
    };
    let plain = size.bytes().all(|digit| digit.is_ascii_digit());
    let size: Option<u64> = plain.then(|| size.parse().ok()).flatten();
    let size = size.ok_or("expected a size below 2^64 behind the checksum")?;
    let name = unescape(name).ok_or("there is a backslash in the name that begins no escape")?;
    Ok(Line { state, size, name })
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A snapshot of names with their checksums.
    pub(in crate::ops::catalogue) fn snapshot(lines: &[(&str, u32)]) -> Snapshot {
        let line = |(name, crc32): &(&str, u32)| Line {
            state: State::Sum(Sum::Crc32(*crc32)),
            size: 1,
            name: name.as_bytes().to_vec(),
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn a_line_that_is_none_says_what_is_wrong() {
        for (line, why) in [
            (&b""[..], "expected a checksum, a size and a name"),
            (b"00000000", "expected a checksum, a size and a name"),
            (b"00000000 1", "expected a checksum, a size and a name"),
            (b"0000000 1 a", "eight lower-case"),
            (b"0000000A 1 a", "eight lower-case"),
            (b"+0000000 1 a", "eight lower-case"),
            (b"Damaged 1 a", "eight lower-case"),
            (b"00000000 +1 a", "a size"),
            (b"00000000 18446744073709551616 a", "a size"),
            (b"00000000  1 a", "a size"),
            (b"00000000 1 a\\b", "backslash"),
            (b"00000000 1 a\xff", "UTF-8"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(why), "{line:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn a_line_comes_back(sum: Result<u32, Option<[u8; 32]>>, is_damaged: bool, size: u64, name: Vec<u8>) {
            let state = match sum {
                Ok(crc32) => State::Sum(Sum::Crc32(crc32)),
                Err(Some(sha256)) => State::Sum(Sum::Sha256(sha256)),
                Err(None) if is_damaged => State::Damaged,
                Err(None) => State::Unreadable,
            };
            let line = Line { state, size, name };
            let text = line.to_string();
            prop_assert!(!text.contains('\n'));
            prop_assert_eq!(parse(text.as_bytes()).unwrap(), line);
        }

        #[test]
        fn any_bytes_are_a_line_or_are_none(line: Vec<u8>) {
            let _ = parse(&line);
        }
    }

    fn read_bytes(bytes: &[u8]) -> Result<Vec<String>, String> {
        let snapshot = Snapshot::read(bytes).map_err(|error| error.to_string())?;
        Ok(snapshot.lines().iter().map(|line| line.to_string()).collect())
    }

    #[test]
    fn lines_are_sorted_and_either_line_end_does() {
        let lines = read_bytes(b"00000002 1 b\r\n00000001 1 a\ndamaged 1 a").unwrap();
        assert_eq!(lines, ["00000001 1 a", "damaged 1 a", "00000002 1 b"]);
        assert!(read_bytes(b"").unwrap().is_empty());
    }

    #[test]
    fn the_line_that_is_none_is_told_by_its_number() {
        let error = read_bytes(b"00000001 1 a\n\n00000002 1 b\n").unwrap_err();
        assert!(error.starts_with("line 2 of this snapshot"), "{error}");
        let error = read_bytes(&[b'x'; 2_000_000]).unwrap_err();
        assert_eq!(error, "line 1 of this snapshot cannot be read: it is too long");
    }
}
