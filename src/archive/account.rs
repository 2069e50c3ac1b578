//! Assigns every byte of an archive to a part: header, directory, payloads, gaps, and trailing bytes.
//!
//! Every byte is counted once, so the five parts add up to the file's length exactly, for any archive:
//! `header + directory + payload + gaps + trailing = file`. Bytes with several owners are reported
//! separately: extents that entries share, extents that overlap partly, and payloads over the header or the
//! directory.
//!
//! The cost is that of sorting the extents.

use super::container::{Archive, Extent};
use super::error::Error;
use super::source::ArchiveSource;

/// The parts of an archive file, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// The file's length.
    pub file: u64,
    /// Bytes of the header.
    pub header: u64,
    /// Bytes of the directory that are in the file, without bytes of the header.
    pub directory: u64,
    /// Bytes of payloads, without bytes of the header and the directory. In a ZIP this includes local
    /// headers.
    pub payload: u64,
    /// Bytes that belong to nothing, before the end of the last part.
    pub gaps: Vec<Extent>,
    /// Bytes after the last part.
    pub trailing: u64,

    /// Extents that more than one entry has, and how many entries have each, sorted by offset.
    pub shared: Vec<(Extent, usize)>,
    /// Bytes in at least two extents that are not the same.
    pub overlapping: u64,
    /// Numbers of entries whose payload overlaps the header or the directory.
    pub over_structure: Vec<usize>,
}

impl Account {
    /// Bytes in gaps.
    #[must_use]
    pub fn gap_bytes(&self) -> u64 {
        self.gaps.iter().map(|gap| gap.len).sum()
    }

    /// How many more bytes would be needed if no extent were shared.
    #[must_use]
    pub fn saved_by_sharing(&self) -> u64 {
        let mut saved = 0_u64;
        for (extent, entries) in &self.shared {
            let others = (*entries as u64).saturating_sub(1);
            saved = saved.saturating_add(extent.len.saturating_mul(others));
        }
        saved
    }

    /// The sum of all parts, which is the file's length.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.header + self.directory + self.payload + self.gap_bytes() + self.trailing
    }
}

impl Archive {
    /// Assigns every byte of the archive to a part.
    ///
    /// # Errors
    /// If the local headers of a ZIP cannot be read.
    pub fn account(&self) -> Result<Account, Error> {
        // Each entry is a file of its own.
        if matches!(self.store, ArchiveSource::Each(_)) {
            return Ok(Account {
                file: self.file_len(),
                payload: self.file_len(),
                ..Account::default()
            });
        }
        self.check_headers()?;
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
        Ok(account)
    }
}

impl Account {
    /// Examines single entries. Returns the extents that begin in the file, sorted.
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

    /// The part of an extent that is in the file.
    fn inside(&self, extent: Extent) -> Extent {
        Extent { len: extent.end().min(self.file).saturating_sub(extent.offset), ..extent }
    }

    /// Counts shared and overlapping bytes of sorted extents. They keep their full lengths here, so that
    /// the end of the file does not make two of them equal.
    fn judge_extents(&mut self, extents: &[Extent]) {
        // The end of all extents so far, and the end of the bytes that at least two of them cover.
        let (mut once, mut twice) = (0, 0);
        for same in extents.chunk_by(|a, b| a == b) {
            let Some(&extent) = same.first() else {
                continue;
            };
            if same.len() > 1 {
                self.shared.push((extent, same.len()));
            }
            let extent = self.inside(extent);
            let doubled = extent.end().min(once);
            self.overlapping += doubled.saturating_sub(extent.offset.max(twice));
            twice = twice.max(doubled);
            once = once.max(extent.end());
        }
    }

    /// Counts payloads, gaps and trailing bytes.
    fn fill(&mut self, mut extents: Vec<Extent>, header: Extent, directory: Extent) {
        extents.push(header);
        extents.extend((directory.len > 0).then_some(directory));
        extents.sort_unstable();
        let (mut end, mut covered) = (0, 0);
        for extent in extents {
            let extent = self.inside(extent);
            if extent.offset > end {
                self.gaps.push(Extent { offset: end, len: extent.offset - end });
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

    /// The account of a pak of 200 bytes plus header, with its directory at 100 and these entries.
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
            Record { name, offset, size, ..Record::default() }.write(Format::Quake, &mut bytes);
        }
        bytes.resize(1000, 0);
        let account = Archive::from_source_with(bytes, Format::Quake).unwrap().account().unwrap();
        assert_eq!(account.sum(), 1000);
        account
    }

    const fn extent(offset: u64, len: u64) -> Extent {
        Extent { offset, len }
    }

    #[test]
    fn gaps_lie_between_things_and_the_rest_is_trailing() {
        let account = account(&[(12, 8), (24, 10)]);
        assert_eq!((account.header, account.directory, account.payload), (12, 128, 18));
        assert_eq!(account.gaps, [extent(20, 4), extent(34, 66)]);
        assert_eq!(account.trailing, 1000 - 228);
    }

    #[test]
    fn shared_extents_count_once_and_do_not_overlap() {
        let account = account(&[(12, 8), (12, 8), (12, 8)]);
        assert_eq!((account.payload, account.overlapping), (8, 0));
        assert_eq!(account.shared, [(extent(12, 8), 3)]);
        assert_eq!(account.saved_by_sharing(), 16);
    }

    #[test]
    fn extents_that_overlap_count_each_byte_once() {
        // 12..20, 14..24, 16..18: two extents at 14..20, three at 16..18.
        let account = account(&[(12, 8), (14, 10), (16, 2)]);
        assert_eq!((account.payload, account.overlapping), (12, 6));
        assert!(account.shared.is_empty());
    }

    #[test]
    fn payloads_over_the_structure_are_counted_once() {
        let account = account(&[(0, 16), (90, 20), (400, 1)]);
        assert_eq!(account.over_structure, [0, 1]);
        assert_eq!(account.payload, 4 + 10 + 1);
    }

    #[test]
    fn extents_cut_alike_by_the_end_overlap() {
        let account = account(&[(990, 20), (990, 30), (990, 20)]);
        assert_eq!(account.shared, [(extent(990, 20), 2)]);
        assert_eq!((account.payload, account.overlapping), (10, 10));
    }

    #[test]
    fn bytes_outside_the_file_do_not_count() {
        let account = account(&[(990, 20), (u32::MAX, u32::MAX), (5, 0)]);
        assert_eq!((account.payload, account.trailing), (10, 0));
    }
}
