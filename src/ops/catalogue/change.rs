//! What can become of an entry or an archive.

/// What became of an entry or an archive, between an archive and another one, or since a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// It did not exist before.
    Added,
    /// It does not exist any more.
    Removed,
    /// The content differs.
    Changed,
    /// The content is the same, but the name differs.
    Renamed,
    /// The content is the same, but its place in the order differs. A snapshot records no order.
    Moved,
    /// The archive cannot be read any more, at least not completely. Only snapshots record this.
    Unreadable,
    /// The archive can be read again. Only snapshots record this.
    Readable,
}

impl Change {
    /// The changes between two archives, in the order in which they are counted.
    pub const OF_ARCHIVES: [Self; 5] = [
        Self::Added,
        Self::Removed,
        Self::Changed,
        Self::Renamed,
        Self::Moved,
    ];

    /// The changes since a snapshot, in the order in which they are counted.
    pub const SINCE_SNAPSHOT: [Self; 6] = [
        Self::Removed,
        Self::Changed,
        Self::Renamed,
        Self::Added,
        Self::Unreadable,
        Self::Readable,
    ];

    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
            Self::Unreadable => "unreadable",
            Self::Readable => "readable",
        }
    }

    /// A stable word for it, since a snapshot. What was added is new, and what was removed is missing.
    #[must_use]
    pub const fn since_snapshot(self) -> &'static str {
        match self {
            Self::Added => "new",
            Self::Removed => "missing",
            _ => self.as_str(),
        }
    }
}

/// How many changes there are of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChangeCounts([usize; 7]);

impl ChangeCounts {
    /// Counts a change.
    pub fn add(&mut self, change: Change) {
        if let Some(count) = self.0.get_mut(change as usize) {
            *count += 1;
        }
    }

    /// How many changes there are of this kind.
    #[must_use]
    pub fn of(&self, change: Change) -> usize {
        self.0.get(change as usize).copied().unwrap_or_default()
    }
}
