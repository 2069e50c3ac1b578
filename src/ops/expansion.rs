//! The limit that no honest archive meets: how much may come out of one, for each byte of it.
//!
//! No stream of Daikatana's holds more than 65 times its length, and no deflated one more than 1,032
//! times, so payloads that lie side by side never hold more than that many times the length of their
//! archive. Where they lie over each other there is no such bound: 10 MB of pak can name 22 TB of
//! content. Overlap alone is no reason to refuse an archive, because packers that deduplicate make it;
//! what is judged is the sum, before anything is done.
//!
//! | operation         | the sum counts                                                         |
//! |-------------------|------------------------------------------------------------------------|
//! | extract           | every file that would be written: a shared payload once for each name  |
//! | convert           | every payload that would be written: a shared one once                 |
//! | verify, diff      | every payload that would be decoded: a shared one once                 |
//!
//! Entries that claim what cannot be are left out: nothing comes out of them.

use crate::archive::{Archive, Coding};
use crate::error::{Error, ErrorKind};

/// How many times an archive's length can come out of it where no payloads overlap.
pub(super) fn most(archive: &Archive) -> u64 {
    let coding = archive.format().compresses();
    coding.unwrap_or(Coding::Daikatana).most(1)
}

/// Whether `bytes` may come out of archives of length `len`: `times` that length, or as much as is
/// possible where no payloads overlap.
pub(super) fn check(bytes: u64, len: u64, times: Option<u64>, most: u64) -> Result<(), Error> {
    let times = times.unwrap_or(most);
    if bytes > len.saturating_mul(times) {
        let overlap = times >= most;
        return Err(ErrorKind::Expansion {
            bytes,
            len,
            times,
            overlap,
        }
        .into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_last_sum_that_passes() {
        assert!(check(650, 10, Some(65), 65).is_ok());
        assert!(check(651, 10, Some(65), 65).is_err());
        assert!(check(651, 10, None, 65).is_err());
        assert!(check(651, 10, None, 66).is_ok());
        assert!(check(651, 10, Some(65), 66).is_err());
        assert!(check(0, 10, Some(0), 65).is_ok());
        assert!(check(u64::MAX, u64::MAX, Some(u64::MAX), 65).is_ok());
    }
}
