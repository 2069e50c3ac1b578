//! A snapshot in memory: its lines, and what differs between two of them.

use core::cmp::Ordering;

/// The lines of a snapshot.
#[derive(Debug, Default)]
pub struct Snapshot {
    lines: Vec<Line>,
}

/// One line. It shows itself as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The CRC-32, or `None` for an entry that is damaged.
    pub crc32: Option<u32>,
    /// The size, decompressed.
    pub size: u64,
    /// The name, led by the archive's path where there are several.
    pub name: Vec<u8>,
}

/// A line that only one of two snapshots has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDifference {
    /// Whether the newer one has it.
    pub added: bool,
    /// The line.
    pub line: Line,
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

    /// Whether a line's name begins with `lead`.
    pub(super) fn has_lead(&self, lead: &[u8]) -> bool {
        let from = self
            .lines
            .partition_point(|line| line.name.as_slice() < lead);
        let line = self.lines.get(from);
        line.is_some_and(|line| line.name.starts_with(lead))
    }

    /// What `new` lacks of this one and has besides, by name, where `about` picks the name.
    pub(super) fn compare(&self, new: &Self, about: impl Fn(&[u8]) -> bool) -> Vec<LineDifference> {
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
            for (lines, added) in [(old, false), (new, true)] {
                let rest = lines.get(start..lines.len() - end).unwrap_or_default();
                let told = rest.iter().filter(|line| about(&line.name)).cloned();
                differences.extend(told.map(|line| LineDifference { added, line }));
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
    let same = |(a, b): &(&Line, &Line)| (a.crc32, a.size) == (b.crc32, b.size);
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
            crc32: Some(*crc32),
            size: 1,
            name: name.as_bytes().to_vec(),
        };
        lines.iter().map(line).collect()
    }

    fn compare(old: &[(&str, u32)], new: &[(&str, u32)]) -> Vec<String> {
        let told = snapshot(old).compare(&snapshot(new), |name| name != b"ignored");
        let told = told.iter().map(|difference| {
            let sign = if difference.added { '+' } else { '-' };
            let line = &difference.line;
            let name = String::from_utf8_lossy(&line.name);
            format!("{sign}{name} {}", line.crc32.unwrap_or_default())
        });
        told.collect()
    }

    #[test]
    fn the_order_in_which_entries_come_makes_no_difference() {
        assert!(compare(&[("a", 1), ("b", 2)], &[("b", 2), ("a", 1)]).is_empty());
    }

    #[test]
    fn what_is_lost_new_or_changed_is_told_by_name() {
        let old = [("a", 1), ("b", 2), ("d", 4), ("ignored", 1)];
        let new = [("a", 1), ("b", 3), ("c", 4), ("ignored", 2)];
        assert_eq!(compare(&old, &new), ["-b 2", "+b 3", "+c 4", "-d 4"]);
    }

    #[test]
    fn the_order_of_duplicates_matters() {
        assert_eq!(
            compare(&[("a", 1), ("a", 2)], &[("a", 2), ("a", 1)]),
            ["-a 1", "-a 2", "+a 2", "+a 1"]
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
