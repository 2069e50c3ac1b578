//! A limit that no honest archive reaches: how much an archive may expand to, for each of its bytes.
//!
//! A Daikatana stream never decodes to more than 65 times its length, and a deflated stream never to more than
//! 1,032 times; one of Deflate64 can decode to 29,128 times its length. So payloads that do not overlap never expand
//! to more than that many times the length of their archive. Overlapping payloads have no such bound: a pak of 10 MB can claim 22 TB of content. Overlap alone is
//! not a reason to refuse an archive, because packers that deduplicate produce it. So the sum of all sizes is
//! checked before anything is done.
//!
//! | operation         | the sum counts                                                         |
//! |-------------------|------------------------------------------------------------------------|
//! | extract           | every file that would be written: a shared payload once for each name  |
//! | convert           | every payload that would be written: a shared one once                 |
//! | verify, diff      | every payload that would be decoded: a shared one once                 |
//! | cat, gallery      | every entry that would be shown: a shared payload once for each name   |
//!
//! Entries with impossible sizes do not count, because they are never decoded.
//!
//! For an archive inside another one, the length of the file that the user named counts. Otherwise each level would
//! multiply what a few bytes can expand to.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::{Archive, Coding, Entry, ReadAt as _};
use crate::fs::{System, is_standard_input};
use crate::ops::finding::{self, Finding, Help, Meaning, too_large};
use crate::ops::source::nested;

/// How much archives may expand to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExpansionLimit {
    /// The length of the archives, or of the file that contains them.
    len: u64,
    /// How many times this length they can expand to if no payloads overlap.
    most: u64,
    /// Whether `len` is the length of a file that contains them.
    within: bool,
    /// What payloads of Deflate64 can expand to.
    deflate64: u64,
}

impl ExpansionLimit {
    /// The limit of one archive.
    pub(crate) fn of(archive: &Archive) -> Self {
        Self::together(&[archive], archive.file_len())
    }

    /// The limit for several archives with this total length.
    pub(crate) fn together(archives: &[&Archive], len: u64) -> Self {
        let mut limit = Self { len, most: 0, within: false, deflate64: 0 };
        for archive in archives {
            let payloads = archive.entries().filter(|entry| entry.coding() == Coding::Deflate64);
            let packed = payloads.map(|entry| entry.stored_len()).fold(0, u64::saturating_add);
            let most = Coding::Deflate64.most(packed.min(archive.file_len()));
            limit.deflate64 = limit.deflate64.saturating_add(most);
            let coding = archive.format().and_then(|format| format.spec().coding);
            limit.most = limit.most.max(coding.unwrap_or(Coding::Daikatana).most(1));
            let within = archive.path().and_then(nested::split);
            if let Some(len) = within.and_then(|within| file_len(&within.file)) {
                limit.len = len.min(limit.len);
                limit.most = Coding::Deflate.most(1);
                limit.within = true;
            }
        }
        limit
    }

    /// Refuses more than `times` the length. The default is the most that is possible if no payloads overlap.
    pub(crate) fn check(self, bytes: u64, times: Option<u64>) -> Result<(), Finding> {
        let Self { len, most, within, deflate64 } = self;
        let by_default = if times.is_none() { deflate64 } else { 0 };
        let times = times.unwrap_or(most);
        if bytes <= len.saturating_mul(times).saturating_add(by_default) {
            return Ok(());
        }
        let error = too_large(bytes, len, times, within);
        if times < most || within {
            return Err(error);
        }
        let why = format!("{}: payloads must overlap", error.detail);
        Err(Finding::error(why)
            .advice("few sound archives do this: get another copy")
            .help(Help::Raise(finding::UserLimit::Expansion))
            .means(Meaning::Expansion))
    }
}

/// How much the archives of each file expand to, added up.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    by_file: HashMap<PathBuf, u64>,
}

impl Expanded {
    /// Adds an archive that would take so many bytes. Refuses it if that is too much.
    pub(crate) fn add(
        &mut self,
        archive: &Archive,
        bytes: u64,
        max_expansion: Option<u64>,
    ) -> Result<(), Finding> {
        let path = archive.path().unwrap_or(Path::new(""));
        let mut before = 0;
        let mut file = path.to_path_buf();
        if let Some(within) = nested::split(path) {
            file = within.file;
            before = self.by_file.get(&file).copied().unwrap_or_default();
        }
        let all = bytes.saturating_add(before);
        let checked = ExpansionLimit::of(archive).check(all, max_expansion);
        checked.map_err(|error| error.at_path(path))?;
        self.by_file.insert(file, all);
        Ok(())
    }
}

/// The size of the content to decode, or 0 if the entry's claims cannot be true.
pub(crate) fn sound_size(entry: &Entry<'_>) -> u64 {
    match entry.check_claims() {
        Ok(()) => entry.size(),
        Err(_) => 0,
    }
}

/// The length of a file that contains archives.
fn file_len(file: &Path) -> Option<u64> {
    if is_standard_input(file) {
        return System::real().standard_input(|| false).ok()?.size().ok();
    }
    Some(fs::metadata(file).ok()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_last_sum_that_passes() {
        let limit = |most| ExpansionLimit { len: 10, most, within: false, deflate64: 0 };
        assert!(limit(65).check(650, Some(65)).is_ok());
        assert!(limit(65).check(651, Some(65)).is_err());
        assert!(limit(65).check(651, None).is_err());
        assert!(limit(66).check(651, None).is_ok());
        assert!(limit(66).check(651, Some(65)).is_err());
        assert!(limit(65).check(0, Some(0)).is_ok());
        let limit = ExpansionLimit { len: u64::MAX, ..limit(65) };
        assert!(limit.check(u64::MAX, Some(u64::MAX)).is_ok());
    }
}
