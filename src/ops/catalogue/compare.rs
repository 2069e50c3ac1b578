//! Compares two snapshots: entries that are missing, new, changed or renamed.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::archive::{Format, RawName};
use crate::ops::catalogue::change::Change;
use crate::ops::catalogue::pairs::{by_content, by_name};
use crate::ops::catalogue::sum::Sum;
use crate::ops::catalogue::text::{Line, Snapshot};
use crate::ops::context::Context;
use crate::ops::json;
use crate::ops::selection::Selection;

/// A difference from a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SnapshotRow {
    /// The snapshot.
    #[serde(flatten, serialize_with = "json::snapshot")]
    pub snapshot: Arc<Path>,
    /// The path of its archive: its prefix without the slash. Empty if the snapshot is of one archive.
    #[serde(flatten, serialize_with = "json::archive")]
    pub archive: Vec<u8>,
    /// The name in its archive; the new one if it was renamed.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Vec<u8>,
    /// What happened to it.
    pub change: Change,
    /// The previous name if it was renamed; without the prefix if the archive is the same.
    #[serde(flatten, serialize_with = "json::from")]
    pub from: Option<Vec<u8>>,
    /// The line in the snapshot.
    #[serde(skip)]
    pub before: Option<Line>,
    /// The new line.
    #[serde(skip)]
    pub after: Option<Line>,
    /// How many entries are missing or new together, because their whole archive is. Then it has no lines.
    #[serde(skip)]
    pub whole: usize,
}

/// The differences between `old`, which is the snapshot at a path, and `new`, by archive and by name.
///
/// Entries of an archive that is unreadable now are not missing, and entries of one that was never readable
/// before are not new. An archive that is missing or new as a whole is one difference.
pub(crate) fn compare(
    snapshot: &Arc<Path>,
    old: &Snapshot,
    new: &Snapshot,
    scope: &Scope<'_>,
) -> Vec<SnapshotRow> {
    let now_unreadable = new.unreadable();
    let never_readable = old.never_readable();
    let mut pairs = by_name(old.lines(), new.lines(), |line| &line.name);
    for (before, after) in &mut pairs {
        // Most lines are the same, and need not be looked at any further.
        if let (Some(old), Some(new)) = (*before, *after)
            && (old.state, old.size) == (new.state, new.size)
        {
            (*before, *after) = (None, None);
        }
        before.take_if(|line| !scope.has(line));
        after.take_if(|line| !scope.has(line));
        match (*before, *after) {
            (Some(line), None) if now_unreadable.contains(scope.prefix(&line.name)) => {
                *before = None;
            }
            (None, Some(line))
                if !line.is_unreadable() && never_readable.contains(scope.prefix(&line.name)) =>
            {
                *after = None;
            }
            _ => {}
        }
    }
    let known: HashSet<&[u8]> = old.lines().iter().map(|line| scope.prefix(&line.name)).collect();
    let mut wholes = BTreeMap::new();
    pairs.retain(|(before, after)| {
        let (line, is_new) = match (before, after) {
            (Some(line), None) => (line, false),
            (None, Some(line)) if !line.is_unreadable() => (line, true),
            _ => return before.is_some() || after.is_some(),
        };
        let prefix = scope.prefix(&line.name);
        let is_known = if is_new { known.contains(prefix) } else { scope.was_read(prefix) };
        if is_known || prefix.is_empty() {
            return true;
        }
        *wholes.entry((prefix, is_new)).or_default() += 1;
        false
    });
    by_content(&mut pairs, |line| content(line));
    let row = |change, prefix: &[u8]| SnapshotRow {
        snapshot: Arc::clone(snapshot),
        archive: prefix.strip_suffix(b"/").unwrap_or(prefix).to_vec(),
        name: Vec::new(),
        change,
        from: None,
        before: None,
        after: None,
        whole: 0,
    };
    let mut rows = Vec::new();
    for (before, after) in pairs {
        let change = change(before, after, scope);
        let name = after.or(before).map_or(&[][..], |line| &line.name);
        let prefix = scope.prefix(name);
        let within = |name: &[u8]| name.strip_prefix(prefix).unwrap_or(name).to_vec();
        rows.push(SnapshotRow {
            name: within(name),
            from: before.filter(|_| change == Change::Renamed).map(|line| within(&line.name)),
            before: before.cloned(),
            after: after.cloned(),
            ..row(change, prefix)
        });
    }
    for ((prefix, is_new), whole) in wholes {
        let change = if is_new { Change::New } else { Change::Missing };
        rows.push(SnapshotRow { whole, ..row(change, prefix) });
    }
    rows.sort_by(|a, b| (&a.archive, &a.name).cmp(&(&b.archive, &b.name)));
    rows
}

/// The key by which renamed contents are found. Empty contents have none, because all of them are the same.
fn content(line: &Line) -> Option<(Sum, u64)> {
    line.sum().zip((line.size > 0).then_some(line.size))
}

fn change(before: Option<&Line>, after: Option<&Line>, scope: &Scope<'_>) -> Change {
    match (before, after) {
        (None, Some(after)) if after.is_unreadable() => Change::Unreadable,
        // If the archive does not exist any more, its line is missing.
        (Some(before), None)
            if before.is_unreadable()
                && (before.name.is_empty() || scope.was_read(&before.name)) =>
        {
            Change::Readable
        }
        (Some(before), Some(after)) if before.name != after.name => Change::Renamed,
        (Some(_), Some(_)) => Change::Changed,
        (Some(_), None) => Change::Missing,
        _ => Change::New,
    }
}

/// The lines that a comparison is about: those of the selected entries in archives that are not left out.
pub(crate) struct Scope<'a> {
    context: &'a Context<'a>,
    selection: &'a Selection,
    /// The prefixes of the archives that were read. If there are none, names have no prefix. They are sorted, because to
    /// hash each folder of a long name would take a time that grows with the square of its length.
    read: BTreeSet<&'a [u8]>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(
        context: &'a Context<'a>,
        selection: &'a Selection,
        prefixes: &'a [Vec<u8>],
    ) -> Self {
        let read = prefixes.iter().map(Vec::as_slice).filter(|prefix| !prefix.is_empty());
        Self { context, selection, read: read.collect() }
    }

    /// Whether a line counts.
    pub(crate) fn has(&self, line: &Line) -> bool {
        let name = RawName::new(line.name.get(self.prefix(&line.name).len()..).unwrap_or_default());
        let mut folders = folders(&line.name);
        (line.is_unreadable() || self.selection.picks(name))
            && !folders.any(|folder| self.context.leaves_out(path(folder)))
    }

    /// The prefix of a name: the longest of those of the archives that were read. If that archive is gone, it is
    /// everything up to the first part with an archive's extension.
    pub(crate) fn prefix<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        if self.read.is_empty() {
            return &[];
        }
        let is_archive = |folder: &&[u8]| {
            RawName::new(path(folder)).extension().is_some_and(Format::is_extension)
        };
        let that_was_read = folders(name).rev().find(|folder| self.was_read(folder));
        that_was_read.or_else(|| folders(name).find(is_archive)).unwrap_or_default()
    }

    /// Whether an archive with this prefix was read.
    fn was_read(&self, prefix: &[u8]) -> bool {
        self.read.contains(prefix)
    }
}

/// The folders of a name, the outermost first, each with its slash.
fn folders(name: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes.filter_map(|(at, _)| name.get(..=at))
}

/// The path of a folder, which has no slash at its end.
fn path(folder: &[u8]) -> &[u8] {
    folder.strip_suffix(b"/").unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::catalogue::text::tests::snapshot;

    fn compared(old: &[(&str, u32)], new: &[(&str, u32)], prefixes: &[&str]) -> Vec<String> {
        let prefixes: Vec<_> = prefixes.iter().map(|prefix| prefix.as_bytes().to_vec()).collect();
        let (context, selection) = (Context::new(), Selection::all());
        let scope = Scope::new(&context, &selection, &prefixes);
        let all = compare(&Path::new("s").into(), &snapshot(old), &snapshot(new), &scope);
        let words = |it: &SnapshotRow| {
            let name = String::from_utf8_lossy(&it.name).into_owned();
            let former = it.from.as_deref().map(String::from_utf8_lossy);
            let former = former.map_or(String::new(), |former| format!(" from {former}"));
            let archive = String::from_utf8_lossy(&it.archive).into_owned();
            format!("{archive}: {} {name}{former}", it.change.as_str())
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
        let prefixes = prefixes.map(|prefix| prefix.as_bytes().to_vec());
        let (context, selection) = (Context::new(), Selection::all());
        let scope = Scope::new(&context, &selection, &prefixes);
        for (name, prefix) in [
            ("mod/x", "mod/"),
            ("mod/pak0.pak/x", "mod/pak0.pak/"),
            ("mod/pak0.pak", "mod/"),
            ("a.pak/b.pak/x", "a.pak/"),
            ("d/gone.pk3/m/b.pak/x", "d/gone.pk3/"),
            ("maps/x", ""),
            ("gone.pk3", ""),
        ] {
            assert_eq!(scope.prefix(name.as_bytes()), prefix.as_bytes());
            assert_eq!(Scope::new(&context, &selection, &[]).prefix(name.as_bytes()), b"");
        }
    }
}
