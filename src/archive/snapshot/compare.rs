//! What has become of the lines of a snapshot: missing, new, changed, or of another name.

use std::collections::{HashMap, VecDeque};

use super::leads::Leads;
use super::lines::{Line, Snapshot};
use super::sum::Sum;

/// What differs from a snapshot, of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotDifference {
    /// What has become of it.
    pub change: SnapshotChange,
    /// The path of its archive, as it leads names, without the slash at its end; empty where one file is
    /// named.
    pub archive: Vec<u8>,
    /// The line of the snapshot.
    pub before: Option<Line>,
    /// The line that it would be now.
    pub after: Option<Line>,
}

/// What has become of an entry since the snapshot was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SnapshotChange {
    /// It is not there.
    Missing,
    /// Its content is another one.
    Changed,
    /// Its content has another name, in the same archive or in another one.
    Renamed,
    /// It was not there.
    New,
}

impl SnapshotChange {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 4] = [Self::Missing, Self::Changed, Self::Renamed, Self::New];

    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::New => "new",
        }
    }
}

impl SnapshotDifference {
    /// The name in its archive, or what it is now, if that is another one.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        let line = self.after.as_ref().or(self.before.as_ref());
        self.within(line)
    }

    /// The name that it had, where it was renamed: in the same archive without what leads it.
    #[must_use]
    pub fn former_name(&self) -> Option<&[u8]> {
        let is_renamed = self.change == SnapshotChange::Renamed;
        is_renamed.then(|| self.within(self.before.as_ref()))
    }

    fn within<'l>(&self, line: Option<&'l Line>) -> &'l [u8] {
        let name = line.map_or(&[][..], |line| &line.name);
        let inside = name.strip_prefix(self.archive.as_slice());
        let inside = inside.filter(|_| !self.archive.is_empty());
        inside
            .and_then(|inside| inside.strip_prefix(b"/"))
            .unwrap_or(name)
    }
}

impl Snapshot {
    /// What differs in `new`, by name, where both are of one archive.
    ///
    /// ```
    /// use daisho::archive::snapshot::Snapshot;
    ///
    /// let old = Snapshot::read(&b"352441c2 3 b.cfg\n"[..])?;
    /// let new = Snapshot::read(&b"352441c2 3 c.cfg\n"[..])?;
    /// let differences = old.compare(&new);
    /// assert_eq!(differences[0].change.as_str(), "renamed");
    /// assert_eq!(differences[0].former_name(), Some(&b"b.cfg"[..]));
    /// # Ok::<(), daisho::Error>(())
    /// ```
    #[must_use]
    pub fn compare(&self, new: &Self) -> Vec<SnapshotDifference> {
        compare(self, new, &Leads::default(), |_| true)
    }
}

/// What `new` lacks of `old`, has besides, or has otherwise, where `about` picks the name: archive by
/// archive, and by name. `leads` are those of the archives that were read.
pub(crate) fn compare(
    old: &Snapshot,
    new: &Snapshot,
    leads: &Leads,
    about: impl Fn(&[u8]) -> bool,
) -> Vec<SnapshotDifference> {
    let mut lacks: HashMap<(Sum, u64), VecDeque<usize>> = HashMap::new();
    let mut pairs = old.differences(new, about);
    for (place, (before, after)) in pairs.iter().enumerate() {
        if let (Some(line), None) = (before, after)
            && let Some(key) = content(line)
        {
            lacks.entry(key).or_default().push_back(place);
        }
    }
    for place in 0..pairs.len() {
        let Some((None, Some(line))) = pairs.get(place) else {
            continue;
        };
        let former = content(line).and_then(|key| lacks.get_mut(&key)?.pop_front());
        let former = former.and_then(|former| pairs.get_mut(former)?.0.take());
        if let Some((before, _)) = pairs.get_mut(place) {
            *before = former;
        }
    }
    let pairs = pairs
        .into_iter()
        .filter(|(a, b)| a.is_some() || b.is_some());
    let mut differences: Vec<SnapshotDifference> =
        pairs.map(|pair| difference(pair, leads)).collect();
    differences.sort_by(|a, b| (&a.archive, a.name()).cmp(&(&b.archive, b.name())));
    differences
}

/// What two lines have in common that are of one content. Of no bytes there is only one.
fn content(line: &Line) -> Option<(Sum, u64)> {
    line.sum.zip((line.size > 0).then_some(line.size))
}

fn difference((before, after): (Option<Line>, Option<Line>), leads: &Leads) -> SnapshotDifference {
    let change = match (&before, &after) {
        (Some(before), Some(after)) if before.name != after.name => SnapshotChange::Renamed,
        (Some(_), Some(_)) => SnapshotChange::Changed,
        (Some(_), None) => SnapshotChange::Missing,
        _ => SnapshotChange::New,
    };
    let name = after.as_ref().or(before.as_ref()).map(|line| &line.name);
    SnapshotDifference {
        change,
        archive: leads.archive(name.map_or(&[], Vec::as_slice)).to_vec(),
        before,
        after,
    }
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

    fn compared(old: &[(&str, u32)], new: &[(&str, u32)], leads: &[&str]) -> Vec<String> {
        let leads: Leads = leads.iter().map(|lead| lead.as_bytes().to_vec()).collect();
        let all = compare(&snapshot(old), &snapshot(new), &leads, |_| true);
        let words = |it: &SnapshotDifference| {
            let name = String::from_utf8_lossy(it.name()).into_owned();
            let former = it.former_name().map(String::from_utf8_lossy);
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
        assert_eq!(
            compared(&old, &[("a", 3), ("b", 2)], &[]),
            [": changed a", ": missing c"]
        );
    }

    #[test]
    fn differences_come_archive_by_archive_and_what_has_gone_is_known_by_its_name() {
        let old = [
            ("a.pak/x", 1),
            ("b/c.bin/x", 2),
            ("d/gone.pk3/m/x", 3),
            ("e/x", 4),
        ];
        let new = [("a.pak/x", 9), ("b/c.bin/y", 2), ("a.pak/z", 4)];
        assert_eq!(
            compared(&old, &new, &["a.pak/", "b/c.bin/"]),
            [
                "a.pak: changed x",
                "a.pak: renamed z from e/x",
                "b/c.bin: renamed y from x",
                "d/gone.pk3: missing m/x",
            ]
        );
    }
}
