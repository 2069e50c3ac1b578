//! Compares two snapshots: entries that are missing, new, changed or renamed.

use std::collections::{BTreeMap, HashSet};

use crate::archive::{Format, RawName};
use crate::ops::catalogue::change::Change;
use crate::ops::catalogue::pairs::{by_content, by_name};
use crate::ops::catalogue::sum::Sum;
use crate::ops::catalogue::text::{Line, Snapshot};
use crate::ops::context::Context;
use crate::ops::selection::Selection;

/// A difference from a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotDifference {
    /// What happened to it.
    pub change: Change,
    /// The path of its archive: its prefix without the slash. Empty if the snapshot is of one archive.
    pub archive: Vec<u8>,
    /// The line in the snapshot.
    pub before: Option<Line>,
    /// The new line.
    pub after: Option<Line>,
    /// How many entries are missing or new together, because their whole archive is. Then it has no lines.
    pub whole: usize,
}

impl SnapshotDifference {
    /// The name in its archive; the new one if it was renamed.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        let line = self.after.as_ref().or(self.before.as_ref());
        self.within(line)
    }

    /// The previous name if it was renamed; without the prefix if the archive is the same.
    #[must_use]
    pub fn former_name(&self) -> Option<&[u8]> {
        let is_renamed = self.change == Change::Renamed;
        is_renamed.then(|| self.within(self.before.as_ref()))
    }

    fn within<'l>(&self, line: Option<&'l Line>) -> &'l [u8] {
        let name = line.map_or(&[][..], |line| &line.name);
        let inside = name.strip_prefix(self.archive.as_slice());
        let inside = inside.filter(|_| !self.archive.is_empty());
        inside.and_then(|inside| inside.strip_prefix(b"/")).unwrap_or(name)
    }
}

impl Snapshot {
    /// The differences in `new`, by name, if both snapshots are of one archive.
    ///
    /// ```
    /// use daisho::ops::catalogue::Snapshot;
    ///
    /// let old = Snapshot::read(&b"352441c2 3 b.cfg\n"[..])?;
    /// let new = Snapshot::read(&b"352441c2 3 c.cfg\n"[..])?;
    /// let differences = old.compare(&new);
    /// assert_eq!(differences[0].change.since_snapshot(), "renamed");
    /// assert_eq!(differences[0].former_name(), Some(&b"b.cfg"[..]));
    /// # Ok::<(), daisho::ops::catalogue::SnapshotError>(())
    /// ```
    #[must_use]
    pub fn compare(&self, new: &Self) -> Vec<SnapshotDifference> {
        compare(self, new, &Scope::default())
    }
}

/// The lines that a comparison is about.
#[derive(Debug, Default)]
pub(crate) struct Scope<'a> {
    /// Those of the archives that exist now.
    pub(crate) prefixes: Prefixes,
    /// The selected entries in archives that are not left out. `None` if all lines count.
    pub(crate) selected: Option<(&'a Context<'a>, &'a Selection)>,
}

impl Scope<'_> {
    /// Whether a line counts.
    pub(crate) fn has(&self, line: &Line) -> bool {
        let Some((context, selection)) = self.selected else {
            return true;
        };
        let name = RawName::new(self.prefixes.within(&line.name));
        let is_selected = line.is_unreadable() || selection.picks(name);
        is_selected && !is_left_out(context, &line.name)
    }
}

/// Whether a name begins with the path of an archive that is left out.
fn is_left_out(context: &Context<'_>, name: &[u8]) -> bool {
    folders(name).any(|(folder, _)| {
        let path = folder.strip_suffix(b"/").unwrap_or(folder);
        context.leaves_out(path)
    })
}

/// The differences between `old` and `new`, by archive and by name.
///
/// Entries of an archive that is unreadable now are not missing, and entries of one that was never readable
/// before are not new. An archive that is missing or new as a whole is one difference.
pub(crate) fn compare(
    old: &Snapshot,
    new: &Snapshot,
    scope: &Scope<'_>,
) -> Vec<SnapshotDifference> {
    let prefixes = &scope.prefixes;
    let now_unreadable = new.unreadable();
    let never_readable = old.never_readable();
    let mut pairs = by_name(old.lines(), new.lines(), |line| &line.name);
    pairs.retain(|(before, after)| match (before, after) {
        (Some(before), Some(after)) => (before.state, before.size) != (after.state, after.size),
        _ => true,
    });
    for (before, after) in &mut pairs {
        before.take_if(|line| !scope.has(line));
        after.take_if(|line| !scope.has(line));
        match (*before, *after) {
            (Some(line), None) if now_unreadable.contains(prefixes.of(&line.name)) => {
                *before = None;
            }
            (None, Some(line))
                if !line.is_unreadable() && never_readable.contains(prefixes.of(&line.name)) =>
            {
                *after = None;
            }
            _ => {}
        }
    }
    let known: HashSet<&[u8]> = old.lines().iter().map(|line| prefixes.of(&line.name)).collect();
    let mut wholes = BTreeMap::new();
    pairs.retain(|(before, after)| {
        let (line, is_new) = match (before, after) {
            (Some(line), None) => (line, false),
            (None, Some(line)) if !line.is_unreadable() => (line, true),
            _ => return before.is_some() || after.is_some(),
        };
        let archive = prefixes.of(&line.name);
        let is_known = if is_new { known.contains(archive) } else { prefixes.has(archive) };
        if is_known || archive.is_empty() {
            return true;
        }
        *wholes.entry((archive, is_new)).or_default() += 1;
        false
    });
    by_content(&mut pairs, |line| content(line));
    let mut differences = Vec::new();
    for (before, after) in pairs {
        differences.push(difference(before, after, prefixes));
    }
    for ((archive, is_new), whole) in wholes {
        let change = if is_new { Change::Added } else { Change::Removed };
        let archive = prefixes.archive(archive).to_vec();
        let (before, after) = (None, None);
        differences.push(SnapshotDifference { change, archive, before, after, whole });
    }
    differences.sort_by(|a, b| (&a.archive, a.name()).cmp(&(&b.archive, b.name())));
    differences
}

/// The key by which renamed contents are found. Empty contents have none, because all of them are the same.
fn content(line: &Line) -> Option<(Sum, u64)> {
    line.sum().zip((line.size > 0).then_some(line.size))
}

fn difference(
    before: Option<&Line>,
    after: Option<&Line>,
    prefixes: &Prefixes,
) -> SnapshotDifference {
    let change = match (before, after) {
        (None, Some(after)) if after.is_unreadable() => Change::Unreadable,
        // If the archive does not exist any more, its line is missing.
        (Some(before), None)
            if before.is_unreadable() && (before.name.is_empty() || prefixes.has(&before.name)) =>
        {
            Change::Readable
        }
        (Some(before), Some(after)) if before.name != after.name => Change::Renamed,
        (Some(_), Some(_)) => Change::Changed,
        (Some(_), None) => Change::Removed,
        _ => Change::Added,
    };
    let name = after.or(before).map(|line| &line.name);
    SnapshotDifference {
        change,
        archive: prefixes.archive(name.map_or(&[], Vec::as_slice)).to_vec(),
        before: before.cloned(),
        after: after.cloned(),
        whole: 0,
    }
}

/// The prefixes of the archives that were read. If there are none, names have no prefix.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    sorted: Vec<Vec<u8>>,
}

impl FromIterator<Vec<u8>> for Prefixes {
    fn from_iter<I: IntoIterator<Item = Vec<u8>>>(prefixes: I) -> Self {
        let prefixes = prefixes.into_iter();
        let mut sorted: Vec<Vec<u8>> = prefixes.filter(|it| !it.is_empty()).collect();
        sorted.sort_unstable();
        Self { sorted }
    }
}

impl Prefixes {
    /// Divides a name into the prefix of its archive and the name there. The prefix is the longest of those of the
    /// archives that were read. If that archive is gone, it is everything up to the first part with an archive's
    /// extension.
    fn divide<'n>(&self, name: &'n [u8]) -> (&'n [u8], &'n [u8]) {
        if self.sorted.is_empty() {
            return (&[], name);
        }
        let that_was_read = folders(name).rev().find(|(prefix, _)| self.has(prefix));
        let divided =
            that_was_read.or_else(|| folders(name).find(|(prefix, _)| is_archive(prefix)));
        divided.unwrap_or((&[], name))
    }

    /// The path of a name's archive: its prefix without the slash.
    pub(crate) fn archive<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        let prefix = self.of(name);
        prefix.strip_suffix(b"/").unwrap_or(prefix)
    }

    /// The prefix of a name.
    pub(crate) fn of<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        self.divide(name).0
    }

    /// Whether an archive with this prefix was read.
    pub(crate) fn has(&self, prefix: &[u8]) -> bool {
        let found = self.sorted.binary_search_by(|it| it.as_slice().cmp(prefix));
        found.is_ok()
    }

    /// The name in its archive.
    pub(crate) fn within<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        self.divide(name).1
    }
}

/// The folders of a name, the outermost first: each with its slash, and the rest of the name.
fn folders(name: &[u8]) -> impl DoubleEndedIterator<Item = (&[u8], &[u8])> {
    let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes.filter_map(|(at, _)| name.split_at_checked(at + 1))
}

/// Whether a folder's name has an archive's extension.
fn is_archive(folder: &[u8]) -> bool {
    let path = folder.strip_suffix(b"/").unwrap_or(folder);
    RawName::new(path).extension().is_some_and(Format::is_extension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::catalogue::text::tests::snapshot;

    fn compared(old: &[(&str, u32)], new: &[(&str, u32)], prefixes: &[&str]) -> Vec<String> {
        let prefixes: Prefixes = prefixes.iter().map(|prefix| prefix.as_bytes().to_vec()).collect();
        let scope = Scope { prefixes, selected: None };
        let all = compare(&snapshot(old), &snapshot(new), &scope);
        let words = |it: &SnapshotDifference| {
            let name = String::from_utf8_lossy(it.name()).into_owned();
            let former = it.former_name().map(String::from_utf8_lossy);
            let former = former.map_or(String::new(), |former| format!(" from {former}"));
            let archive = String::from_utf8_lossy(&it.archive).into_owned();
            format!("{archive}: {} {name}{former}", it.change.since_snapshot())
        };
        all.iter().map(words).collect()
    }

    #[test]
    fn one_content_under_another_name_is_renamed_once() {
        let old = [("a", 1), ("b", 2), ("c", 2)];
        assert_eq!(
            compared(&old, &[("a", 1), ("d", 2), ("e", 2), ("f", 2)], &[]),
            [": renamed d from b", ": renamed e from c", ": new f"]
        );
        assert_eq!(compared(&old, &[("a", 3), ("b", 2)], &[]), [": changed a", ": missing c"]);
    }

    #[test]
    fn differences_are_grouped_by_archive() {
        let old = [("a.pak/x", 1), ("b/c.bin/x", 2), ("d/gone.pk3/m/x", 3), ("e/x", 4)];
        let new = [("a.pak/x", 9), ("b/c.bin/y", 2), ("a.pak/z", 4)];
        assert_eq!(
            compared(&old, &new, &["a.pak/", "b/c.bin/"]),
            [
                "a.pak: changed x",
                "a.pak: renamed z from e/x",
                "b/c.bin: renamed y from x",
                "d/gone.pk3: missing ",
            ]
        );
    }

    #[test]
    fn snapshot_names_begin_with_the_longest_path() {
        let prefixes = ["mod/", "mod/pak0.pak/", "a.pak/"];
        let prefixes: Prefixes =
            prefixes.map(|prefix| prefix.as_bytes().to_vec()).into_iter().collect();
        for (name, archive, within) in [
            ("mod/x", "mod", "x"),
            ("mod/pak0.pak/x", "mod/pak0.pak", "x"),
            ("mod/pak0.pak", "mod", "pak0.pak"),
            ("a.pak/b.pak/x", "a.pak", "b.pak/x"),
            ("d/gone.pk3/m/b.pak/x", "d/gone.pk3", "m/b.pak/x"),
            ("maps/x", "", "maps/x"),
            ("gone.pk3", "", "gone.pk3"),
        ] {
            let name = name.as_bytes();
            assert_eq!(prefixes.archive(name), archive.as_bytes());
            assert_eq!(prefixes.within(name), within.as_bytes());
            assert_eq!(Prefixes::default().within(name), name);
        }
    }
}
