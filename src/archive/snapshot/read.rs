//! A snapshot read from its text.
//!
//! Reading is strict: a file that is no snapshot must not be compared with, and above all not be
//! replaced, because somebody has named the wrong one. Line ends of either kind are taken, and
//! lines in any order, since other tools may have been there.

use std::io::{BufRead, Read as _};

use super::lines::Snapshot;
use super::text;
use crate::archive::error::{Error, ErrorKind};

/// The longest line that is read: above what the longest name makes, of 65,535 bytes, each of them escaped,
/// behind the longest path.
const LINE_MAX: u64 = 1 << 20;

impl Snapshot {
    /// Reads a snapshot: lines in any order, with line ends of either kind.
    ///
    /// ```
    /// use daisho::archive::snapshot::Snapshot;
    ///
    /// let snapshot = Snapshot::read(&b"352441c2 3 b.cfg\ndamaged 768 a.lmp\n"[..])?;
    /// let lines: Vec<String> = snapshot.lines().iter().map(|line| line.to_string()).collect();
    /// assert_eq!(lines, ["damaged 768 a.lmp", "352441c2 3 b.cfg"]);
    /// # Ok::<(), daisho::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read, or a line of it is none.
    pub fn read(mut input: impl BufRead) -> Result<Self, Error> {
        let mut lines = Vec::new();
        let (mut line, mut hash) = (Vec::new(), None);
        for number in 1.. {
            line.clear();
            let read = input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line);
            let read = read.map_err(|error| Error::from(ErrorKind::Io(error)))?;
            if read == 0 {
                break;
            }
            let bad = |why| Error::from(ErrorKind::BadSnapshot { line: number, why });
            let inside = line.strip_suffix(b"\n").unwrap_or(&line);
            if inside.len() == line.len() && read as u64 == LINE_MAX {
                return Err(bad("it is too long"));
            }
            let inside = inside.strip_suffix(b"\r").unwrap_or(inside);
            let line = text::parse(inside).map_err(bad)?;
            let of_line = line.sum.map(|sum| sum.hash());
            if hash.is_some() && of_line.is_some() && hash != of_line {
                return Err(bad("its checksum is of another kind than those before it"));
            }
            hash = hash.or(of_line);
            lines.push(line);
        }
        Ok(lines.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<Vec<String>, String> {
        let snapshot = Snapshot::read(bytes).map_err(|error| error.to_string())?;
        Ok(snapshot
            .lines()
            .iter()
            .map(|line| line.to_string())
            .collect())
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
        assert_eq!(
            error,
            "line 1 of this snapshot cannot be read: it is too long"
        );
    }
}
