//! A snapshot in memory: its lines, and the differences between two snapshots.

use core::cmp::Ordering;
use std::collections::HashSet;

use super::sum::{Hash, Sum};

/// A line before and after a change. One of them may be missing.
pub(super) type Pair = (Option<Line>, Option<Line>);

/// The lines of a snapshot.
#[derive(Debug, Default)]
pub struct Snapshot {
    lines: Vec<Line>,
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
    /// The entry cannot be decoded.
    Damaged,
    /// The archive cannot be read, or its directory is cut.
    Unreadable,
}

impl Line {
    /// The checksum, if it is known.
    #[must_use]
    pub const fn sum(&self) -> Option<Sum> {
        match self.state {
            State::Sum(sum) => Some(sum),
            State::Damaged | State::Unreadable => None,
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

/// The lines, in order.
impl IntoIterator for Snapshot {
    type Item = Line;
    type IntoIter = std::vec::IntoIter<Line>;

    fn into_iter(self) -> Self::IntoIter {
        self.lines.into_iter()
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

    /// Whether a name begins with `prefix`.
    pub(crate) fn has_prefix(&self, prefix: &[u8]) -> bool {
        let from = self
            .lines
            .partition_point(|line| line.name.as_slice() < prefix);
        let line = self.lines.get(from);
        line.is_some_and(|line| line.name.starts_with(prefix))
    }

    /// The prefixes of unreadable archives.
    pub(crate) fn unreadable(&self) -> HashSet<&[u8]> {
        let lines = self.lines.iter().filter(|line| line.is_unreadable());
        lines.map(|line| line.name.as_slice()).collect()
    }

    /// The prefixes of unreadable archives without a line of an entry.
    pub(super) fn never_readable(&self) -> HashSet<&[u8]> {
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

    /// The lines that differ in `new`, by name. Only lines that `about` accepts count.
    pub(super) fn differences(&self, new: &Self, about: impl Fn(&Line) -> bool) -> Vec<Pair> {
        let mut differences = Vec::new();
        let (mut before, mut after) = (self.groups().peekable(), new.groups().peekable());
        loop {
            let order = match (before.peek(), after.peek()) {
                (None, None) => return differences,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(before), Some(after)) => name(before).cmp(name(after)),
            };
            let old = before.next_if(|_| order.is_le()).unwrap_or_default();
            let new = after.next_if(|_| order.is_ge()).unwrap_or_default();
            let (start, end) = common(old, new);
            let rest = |lines: &'_ [Line]| {
                let rest = lines.get(start..lines.len() - end).unwrap_or_default();
                let wanted = rest.iter().filter(|line| about(line)).cloned();
                wanted.collect::<Vec<_>>().into_iter()
            };
            let (mut old, mut new) = (rest(old), rest(new));
            loop {
                match (old.next(), new.next()) {
                    (None, None) => break,
                    // The same line between two that differ.
                    (Some(old), Some(new)) if old == new => {}
                    pair => differences.push(pair),
                }
            }
        }
    }

    /// The lines of each name.
    fn groups(&self) -> impl Iterator<Item = &[Line]> {
        self.lines.chunk_by(|a, b| a.name == b.name)
    }
}

/// The common name of these lines.
fn name(group: &[Line]) -> &[u8] {
    group.first().map_or(&[], |line| &line.name)
}

/// How many lines of one name are the same at the beginning, and at the end of the rest.
fn common(old: &[Line], new: &[Line]) -> (usize, usize) {
    let same = |(a, b): &(&Line, &Line)| (a.state, a.size) == (b.state, b.size);
    let start = old.iter().zip(new).take_while(same).count();
    let rest = |lines: &[Line]| lines.len() - start;
    let ends = old.iter().rev().zip(new.iter().rev());
    let end = ends.take(rest(old).min(rest(new))).take_while(same).count();
    (start, end)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A snapshot of names with their checksums.
    pub(in crate::ops::snapshot) fn snapshot(lines: &[(&str, u32)]) -> Snapshot {
        let line = |(name, crc32): &(&str, u32)| Line {
            state: State::Sum(Sum::Crc32(*crc32)),
            size: 1,
            name: name.as_bytes().to_vec(),
        };
        lines.iter().map(line).collect()
    }

    fn compare(old: &[(&str, u32)], new: &[(&str, u32)]) -> Vec<String> {
        let told = snapshot(old).differences(&snapshot(new), |line| line.name != b"ignored");
        let words = |sign: &str, line: Option<Line>| {
            let line = line?;
            let name = String::from_utf8_lossy(&line.name);
            Some(format!("{sign}{name} {}", line.sum()?))
        };
        let told = told.into_iter().map(|(before, after)| {
            let words = [words("-", before), words("+", after)];
            words.into_iter().flatten().collect::<Vec<_>>().join(" ")
        });
        told.map(|words| words.replace(" 0000000", " ")).collect()
    }

    #[test]
    fn the_order_in_which_entries_come_makes_no_difference() {
        assert!(compare(&[("a", 1), ("b", 2)], &[("b", 2), ("a", 1)]).is_empty());
    }

    #[test]
    fn what_is_lost_new_or_changed_is_told_by_name() {
        let old = [("a", 1), ("b", 2), ("d", 4), ("ignored", 1)];
        let new = [("a", 1), ("b", 3), ("c", 4), ("ignored", 2)];
        assert_eq!(compare(&old, &new), ["-b 2 +b 3", "+c 4", "-d 4"]);
    }

    #[test]
    fn the_order_of_duplicates_matters() {
        assert_eq!(
            compare(&[("a", 1), ("a", 2)], &[("a", 2), ("a", 1)]),
            ["-a 1 +a 2", "-a 2 +a 1"]
        );
        let old = [("a", 1), ("a", 2), ("a", 3)];
        assert_eq!(compare(&old, &[("a", 1), ("a", 3)]), ["-a 2"]);
        assert_eq!(compare(&[("a", 1)], &[("a", 1), ("a", 1)]), ["+a 1"]);
    }

    #[test]
    fn a_prefix_is_found_anywhere() {
        let snapshot = snapshot(&[("a.pak/x", 1), ("b.pak/x", 2), ("b.pak/y", 3)]);
        for (prefix, has) in [
            ("a.pak/", true),
            ("b.pak/", true),
            ("a", true),
            ("aa", false),
            ("c", false),
        ] {
            assert_eq!(snapshot.has_prefix(prefix.as_bytes()), has, "{prefix}");
        }
    }
}
