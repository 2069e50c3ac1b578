//! What is in paks, remembered in a file of text, so that a later run can prove that nothing of it
//! was lost or changed.
//!
//! ```text
//! 352441c2 3 scripts/default.cfg
//! damaged 768 gfx/palette.lmp
//! ```
//!
//! A line for each entry, and nothing else: the CRC-32 in eight lower-case hexadecimal digits, the
//! size in decimal, and the name, escaped as [`escape`](crate::pak::escape) does it, with one space
//! between them. An entry that cannot be decoded has the word `damaged` in the place of its CRC-32.
//! Lines are sorted by the bytes of the names; lines of one name stand in the directory's order.
//! Unless one file is named, a name is led by the pak's path, from the directory that was searched,
//! and a slash.
//!
//! It says nothing of layout, offsets, compression or order, so a pak, its conversion, and its
//! repacked files have the same one. There is no header, because lines are all that scripts expect:
//! two snapshots can be joined, sorted, and compared with what every system has.

mod file;
mod remember;
mod text;

use core::cmp::Ordering;

pub use remember::{SnapshotOptions, SnapshotReport};

use file::{load, save};
pub(super) use remember::Memory;

/// A snapshot in memory: the names lie in one buffer, which saves an allocation for each.
#[derive(Debug, Default)]
pub struct Snapshot {
    names: Vec<u8>,
    lines: Vec<Stored>,
}

/// A line whose name lies in the buffer.
#[derive(Debug, Clone, Copy)]
struct Stored {
    start: usize,
    len: usize,
    size: u32,
    crc32: Option<u32>,
}

/// One line. It shows itself as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The CRC-32, or `None` for an entry that is damaged.
    pub crc32: Option<u32>,
    /// The size, decompressed.
    pub size: u32,
    /// The name, led by the pak's path where there are several.
    pub name: &'a [u8],
}

/// A line that only one of two snapshots has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Whether the newer one has it.
    pub added: bool,
    crc32: Option<u32>,
    size: u32,
    name: Vec<u8>,
}

impl Difference {
    /// The line.
    #[must_use]
    pub fn line(&self) -> Line<'_> {
        Line {
            crc32: self.crc32,
            size: self.size,
            name: &self.name,
        }
    }
}

impl Snapshot {
    /// Adds a line whose name is `lead` and `name` together.
    pub(super) fn push(&mut self, lead: &[u8], line: Line<'_>) {
        let start = self.names.len();
        self.names.extend_from_slice(lead);
        self.names.extend_from_slice(line.name);
        self.lines.push(Stored {
            start,
            len: lead.len() + line.name.len(),
            size: line.size,
            crc32: line.crc32,
        });
    }

    /// Brings the lines in their order. Those of one name stay as they were added.
    pub(super) fn sort(&mut self) {
        let Self { names, lines } = self;
        lines.sort_by(|a, b| name(names, a).cmp(name(names, b)));
    }

    /// The lines, in order.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'_>> {
        self.lines.iter().map(|stored| self.line(stored))
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is no line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// What `new` lacks of this one and has besides, by name, where `about` picks the name.
    pub(super) fn compare(&self, new: &Self, about: impl Fn(&[u8]) -> bool) -> Vec<Difference> {
        let mut differences = Vec::new();
        let (mut before, mut after) = (self.groups().peekable(), new.groups().peekable());
        loop {
            let order = match (before.peek(), after.peek()) {
                (None, None) => return differences,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(before), Some(after)) => self.name_of(before).cmp(new.name_of(after)),
            };
            let old = before.next_if(|_| order.is_le()).unwrap_or_default();
            let new_lines = after.next_if(|_| order.is_ge()).unwrap_or_default();
            let common = common(old, new_lines);
            let tell = |of: &Self, lines: &[Stored], added| {
                let rest = lines.get(common.0..lines.len() - common.1);
                let lines = rest.unwrap_or_default().iter();
                let told = lines.map(|stored| of.line(stored));
                told.filter(|line| about(line.name))
                    .map(|line| Difference {
                        added,
                        crc32: line.crc32,
                        size: line.size,
                        name: line.name.to_vec(),
                    })
                    .collect::<Vec<_>>()
            };
            differences.extend(tell(self, old, false));
            differences.extend(tell(new, new_lines, true));
        }
    }

    /// The lines of one name, name by name.
    fn groups(&self) -> impl Iterator<Item = &[Stored]> {
        let same = |a: &Stored, b: &Stored| name(&self.names, a) == name(&self.names, b);
        self.lines.chunk_by(same)
    }

    fn name_of(&self, group: &[Stored]) -> &[u8] {
        group
            .first()
            .map_or(&[], |stored| name(&self.names, stored))
    }

    fn line(&self, stored: &Stored) -> Line<'_> {
        Line {
            crc32: stored.crc32,
            size: stored.size,
            name: name(&self.names, stored),
        }
    }
}

fn name<'a>(names: &'a [u8], stored: &Stored) -> &'a [u8] {
    let end = stored.start + stored.len;
    names.get(stored.start..end).unwrap_or_default()
}

/// How many lines of one name are the same at the start, and at the end of what is left.
fn common(old: &[Stored], new: &[Stored]) -> (usize, usize) {
    let same = |(a, b): &(&Stored, &Stored)| (a.crc32, a.size) == (b.crc32, b.size);
    let start = old.iter().zip(new).take_while(same).count();
    let rest = |lines: &[Stored]| lines.len() - start;
    let ends = old.iter().rev().zip(new.iter().rev());
    let end = ends.take(rest(old).min(rest(new))).take_while(same).count();
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(lines: &[(&str, u32)]) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for (name, crc32) in lines {
            let line = Line {
                crc32: Some(*crc32),
                size: 1,
                name: name.as_bytes(),
            };
            snapshot.push(b"", line);
        }
        snapshot.sort();
        snapshot
    }

    fn compare(old: &[(&str, u32)], new: &[(&str, u32)]) -> Vec<String> {
        let told = snapshot(old).compare(&snapshot(new), |name| name != b"ignored");
        let told = told.iter().map(|difference| {
            let sign = if difference.added { '+' } else { '-' };
            let line = difference.line();
            let name = String::from_utf8_lossy(line.name);
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
}
