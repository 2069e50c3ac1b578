//! A snapshot in memory: its lines, and what differs between two of them.

use core::cmp::Ordering;

use super::sum::{Hash, Sum};

/// A line before and after, where it is not the same; one of them can be missing.
pub(super) type Pair = (Option<Line>, Option<Line>);

/// The lines of a snapshot.
#[derive(Debug, Default)]
pub struct Snapshot {
    lines: Vec<Line>,
}

/// One line. It shows itself as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What the content sums up to, or `None` for an entry that is damaged.
    pub sum: Option<Sum>,
    /// The size, decompressed.
    pub size: u64,
    /// The name, led by the archive's path where there are several.
    pub name: Vec<u8>,
}

/// Brings the lines in their order. Those of one name stay as they came.
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

    /// What its lines were summed up by, if one of them says so.
    #[must_use]
    pub fn hash(&self) -> Option<Hash> {
        let mut sums = self.lines.iter().filter_map(|line| line.sum);
        sums.next().map(|sum| sum.hash())
    }

    /// Whether a line's name begins with `lead`.
    #[cfg(any(test, feature = "ops"))]
    pub(crate) fn has_lead(&self, lead: &[u8]) -> bool {
        let from = self
            .lines
            .partition_point(|line| line.name.as_slice() < lead);
        let line = self.lines.get(from);
        line.is_some_and(|line| line.name.starts_with(lead))
    }

    /// What `new` lacks of this one, has besides, or has otherwise, by name, where `about` picks the name.
    pub(super) fn differences(&self, new: &Self, about: impl Fn(&[u8]) -> bool) -> Vec<Pair> {
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
                let told = rest.iter().filter(|line| about(&line.name)).cloned();
                told.collect::<Vec<_>>().into_iter()
            };
            let (mut old, mut new) = (rest(old), rest(new));
            loop {
                match (old.next(), new.next()) {
                    (None, None) => break,
                    // A copy between two that differ.
                    (Some(old), Some(new)) if old == new => {}
                    pair => differences.push(pair),
                }
            }
        }
    }

    /// The lines of one name, name by name.
    fn groups(&self) -> impl Iterator<Item = &[Line]> {
        self.lines.chunk_by(|a, b| a.name == b.name)
    }
}

/// The name of lines that have the same one.
fn name(group: &[Line]) -> &[u8] {
    group.first().map_or(&[], |line| &line.name)
}

/// How many lines of one name are the same at the start, and at the end of what is left.
fn common(old: &[Line], new: &[Line]) -> (usize, usize) {
    let same = |(a, b): &(&Line, &Line)| (a.sum, a.size) == (b.sum, b.size);
    let start = old.iter().zip(new).take_while(same).count();
    let rest = |lines: &[Line]| lines.len() - start;
    let ends = old.iter().rev().zip(new.iter().rev());
    let end = ends.take(rest(old).min(rest(new))).take_while(same).count();
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(lines: &[(&str, u32)]) -> Snapshot {
        let line = |(name, crc32): &(&str, u32)| Line {
            sum: Some(Sum::Crc32(*crc32)),
            size: 1,
            name: name.as_bytes().to_vec(),
        };
        lines.iter().map(line).collect()
    }

    fn compare(old: &[(&str, u32)], new: &[(&str, u32)]) -> Vec<String> {
        let told = snapshot(old).differences(&snapshot(new), |name| name != b"ignored");
        let words = |sign: &str, line: Option<Line>| {
            let line = line?;
            let name = String::from_utf8_lossy(&line.name);
            Some(format!("{sign}{name} {}", line.sum?))
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
    fn a_lead_is_found_wherever_its_lines_stand() {
        let snapshot = snapshot(&[("a.pak/x", 1), ("b.pak/x", 2), ("b.pak/y", 3)]);
        for (lead, has) in [
            ("a.pak/", true),
            ("b.pak/", true),
            ("a", true),
            ("aa", false),
            ("c", false),
        ] {
            assert_eq!(snapshot.has_lead(lead.as_bytes()), has, "{lead}");
        }
    }
}
