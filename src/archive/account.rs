//! Where every byte of a pak belongs: header, directory, payloads, gaps, and what follows the end.
//!
//! Every byte is counted once, so the five parts add up to the file's length exactly, for any pak:
//! `header + directory + payload + gaps + trailing = file`. What several claim at once is reported
//! besides: extents that entries share, extents that overlap without being the same, payloads over
//! the header or the directory, and bytes claimed outside of the file.
//!
//! The cost is that of sorting the extents.

use super::container::Archive;
use super::record::Extent;

/// Where every byte of a pak belongs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// The file's length.
    pub file: u64,
    /// Bytes of the header.
    pub header: u64,
    /// Bytes of the directory, as far as the file holds it and not counting what lies over the
    /// header.
    pub directory: u64,
    /// Bytes of at least one payload, in a ZIP with the local header before it, not counting what lies
    /// over header or directory.
    pub payload: u64,
    /// Bytes that nothing claims, with something behind them.
    pub gaps: Vec<Extent>,
    /// Bytes behind the last thing.
    pub trailing: u64,

    /// Extents that more than one entry has, by their place.
    pub shared: Vec<Shared>,
    /// Bytes that lie in at least two extents that are not the same.
    pub overlapping: u64,
    /// Entries whose payload lies over the header or the directory, by their number.
    pub over_structure: Vec<usize>,
    /// Entries whose payload reaches outside the file, by their number.
    pub outside: Vec<usize>,
    /// The bytes of them that do, each entry's counted.
    pub outside_bytes: u64,
}

/// An extent that more than one entry has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shared {
    /// Where it is.
    pub extent: Extent,
    /// How many entries have it.
    pub entries: usize,
}

impl Account {
    /// Bytes in gaps.
    #[must_use]
    pub fn gap_bytes(&self) -> u64 {
        self.gaps.iter().map(|gap| gap.len).sum()
    }

    /// Bytes that would be needed besides if no extent were shared.
    #[must_use]
    pub fn saved_by_sharing(&self) -> u64 {
        let others = |shared: &Shared| (shared.entries as u64).saturating_sub(1);
        let saved = |shared: &Shared| shared.extent.len.saturating_mul(others(shared));
        let saved = self.shared.iter().map(saved);
        saved.fold(0, u64::saturating_add)
    }

    /// The sum of all parts, which is the file's length.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.header + self.directory + self.payload + self.gap_bytes() + self.trailing
    }
}

impl Archive {
    /// Where every byte of the pak belongs.
    #[must_use]
    pub fn account(&self) -> Account {
        let (header, directory) = (self.structure().header, self.structure().directory);
        let mut account = Account {
            file: self.file_len(),
            header: header.len,
            directory: directory.len - common(directory, header),
            ..Account::default()
        };
        let extents = account.judge_entries(self, header, directory);
        account.judge_extents(&extents);
        account.fill(extents, header, directory);
        account
    }
}

impl Account {
    /// What is said of single entries; returns the extents that begin in the file, sorted.
    fn judge_entries(
        &mut self,
        archive: &Archive,
        header: Extent,
        directory: Extent,
    ) -> Vec<Extent> {
        let mut extents = Vec::with_capacity(archive.len());
        for entry in archive.entries() {
            let Some(extent) = entry.footprint() else {
                continue;
            };
            let inside = self.inside(extent);
            if inside.len < extent.len {
                self.outside.push(entry.index());
                let outside = extent.len - inside.len;
                self.outside_bytes = self.outside_bytes.saturating_add(outside);
            }
            if common(inside, header) + common(inside, directory) > 0 {
                self.over_structure.push(entry.index());
            }
            if inside.len > 0 {
                extents.push(extent);
            }
        }
        extents.sort_unstable();
        extents
    }

    /// The part of an extent that the file holds.
    fn inside(&self, extent: Extent) -> Extent {
        Extent {
            len: extent.end().min(self.file).saturating_sub(extent.offset),
            ..extent
        }
    }

    /// What sorted extents have in common. Where the file ends before them does not make two of
    /// them the same.
    fn judge_extents(&mut self, extents: &[Extent]) {
        // Up to where one extent reaches, and up to where a second one does.
        let (mut once, mut twice) = (0, 0);
        for same in extents.chunk_by(|a, b| a == b) {
            let Some(&extent) = same.first() else {
                continue;
            };
            if same.len() > 1 {
                self.shared.push(Shared {
                    extent,
                    entries: same.len(),
                });
            }
            let extent = self.inside(extent);
            let doubled = extent.end().min(once);
            self.overlapping += doubled.saturating_sub(extent.offset.max(twice));
            twice = twice.max(doubled);
            once = once.max(extent.end());
        }
    }

    /// Payloads, gaps and the end.
    fn fill(&mut self, mut extents: Vec<Extent>, header: Extent, directory: Extent) {
        extents.push(header);
        extents.extend((directory.len > 0).then_some(directory));
        extents.sort_unstable();
        let (mut end, mut covered) = (0, 0);
        for extent in extents {
            let extent = self.inside(extent);
            if extent.offset > end {
                self.gaps.push(Extent {
                    offset: end,
                    len: extent.offset - end,
                });
            }
            covered += extent.end().saturating_sub(extent.offset.max(end));
            end = end.max(extent.end());
        }
        self.payload = covered - self.header - self.directory;
        self.trailing = self.file - end;
    }
}

/// How many bytes two extents have in common.
fn common(a: Extent, b: Extent) -> u64 {
    a.end().min(b.end()).saturating_sub(a.offset.max(b.offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Format;
    use crate::format::{Header, Record};

    /// A pak of 200 bytes behind its header, its directory at 100, with entries at these places.
    fn account(extents: &[(u32, u32)]) -> Account {
        let mut bytes = Header {
            magic: *b"PACK",
            directory_offset: 100,
            directory_len: 64 * extents.len() as u64,
        }
        .to_bytes()
        .to_vec();
        bytes.resize(100, 0);
        for (offset, size) in extents {
            let name = "name.wav".into();
            let (offset, size) = (*offset, *size);
            Record {
                name,
                offset,
                size,
                packed: None,
                lump: None,
            }
            .write(Format::Quake, &mut bytes);
        }
        bytes.resize(1000, 0);
        let account = Archive::with_options(bytes, Format::Quake)
            .unwrap()
            .account();
        assert_eq!(account.sum(), 1000);
        account
    }

    const fn extent(offset: u64, len: u64) -> Extent {
        Extent { offset, len }
    }

    #[test]
    fn gaps_lie_between_things_and_the_rest_is_trailing() {
        let account = account(&[(12, 8), (24, 10)]);
        assert_eq!(
            (account.header, account.directory, account.payload),
            (12, 128, 18)
        );
        assert_eq!(account.gaps, [extent(20, 4), extent(34, 66)]);
        assert_eq!(account.trailing, 1000 - 228);
    }

    #[test]
    fn an_extent_that_is_shared_counts_once_and_does_not_overlap() {
        let account = account(&[(12, 8), (12, 8), (12, 8)]);
        assert_eq!((account.payload, account.overlapping), (8, 0));
        assert_eq!(
            account.shared,
            [Shared {
                extent: extent(12, 8),
                entries: 3
            }]
        );
        assert_eq!(account.saved_by_sharing(), 16);
    }

    #[test]
    fn extents_that_overlap_count_each_byte_once() {
        // 12..20, 14..24, 16..18: two at 14..20, three at 16..18.
        let account = account(&[(12, 8), (14, 10), (16, 2)]);
        assert_eq!((account.payload, account.overlapping), (12, 6));
        assert!(account.shared.is_empty());
    }

    #[test]
    fn payloads_over_the_structure_are_named_and_not_counted_twice() {
        let account = account(&[(0, 16), (90, 20), (400, 1)]);
        assert_eq!(account.over_structure, [0, 1]);
        assert_eq!(account.payload, 4 + 10 + 1);
    }

    #[test]
    fn extents_that_only_the_files_end_makes_alike_overlap_and_are_not_shared() {
        let account = account(&[(990, 20), (990, 30), (990, 20)]);
        assert_eq!(
            account.shared,
            [Shared {
                extent: extent(990, 20),
                entries: 2
            }]
        );
        assert_eq!((account.payload, account.overlapping), (10, 10));
    }

    #[test]
    fn bytes_outside_the_file_are_counted_apart() {
        let account = account(&[(990, 20), (u32::MAX, u32::MAX), (5, 0)]);
        assert_eq!(account.outside, [0, 1]);
        assert_eq!(account.outside_bytes, 10 + u64::from(u32::MAX));
        assert_eq!((account.payload, account.trailing), (10, 0));
    }
}
