//! What a ZIP has that nothing depends on here, and that some engines do not take.

/// What a ZIP has that nothing depends on here, and that some engines do not take. Entries are named by
/// their numbers, in order. Of any other archive it is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quirks {
    /// Whether there is an end record of ZIP64.
    pub larger_end: bool,
    /// Whether the other end record says that it is needed.
    pub larger_end_needed: bool,
    /// Whether the file begins with anything but an entry.
    pub begins_otherwise: bool,
    /// Entries with numbers of ZIP64.
    pub larger: Vec<u32>,
    /// Entries whose names are said to be UTF-8.
    pub utf8: Vec<u32>,
    /// Deflated entries whose sizes stand behind them and not before.
    pub behind: Vec<u32>,
    /// Symbolic links, which are read as what they lead to.
    pub links: Vec<u32>,
}

impl Quirks {
    /// Keeps the number of an entry.
    pub(crate) fn mark(marked: &mut Vec<u32>, index: usize) {
        marked.extend(u32::try_from(index));
    }
}
