//! The limit that no honest pak meets: how much may come out of a pak, for each byte of it.
//!
//! No stream holds more than 65 times its length, so payloads that lie side by side never hold
//! more than 65 times the length of their pak. Where they lie over each other there is no such
//! bound: 10 MB of pak can name 22 TB of content. Overlap alone is no reason to refuse a pak,
//! because packers that deduplicate make it; what is judged is the sum, before anything is done.
//!
//! | operation         | the sum counts                                                         |
//! |-------------------|------------------------------------------------------------------------|
//! | extract           | every file that would be written: a shared payload once for each name  |
//! | convert           | every payload that would be written: a shared one once                 |
//! | verify, diff      | every payload that would be decoded: a shared one once                 |
//!
//! Entries that claim what cannot be are left out: nothing comes out of them.

use crate::codec::grammar::EXPANSION_MAX;
use crate::error::{Error, ErrorKind};

/// How many times a pak's length may come out of it, unless the user says otherwise: the most that
/// a payload can grow by being decompressed.
pub const EXPANSION_DEFAULT: u64 = EXPANSION_MAX;

/// Whether `bytes` may come out of a pak of length `len`.
pub(super) fn check(bytes: u64, len: u64, times: u64) -> Result<(), Error> {
    if bytes > len.saturating_mul(times) {
        return Err(ErrorKind::Expansion { bytes, len, times }.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_last_sum_that_passes() {
        assert!(check(650, 10, 65).is_ok());
        assert!(check(651, 10, 65).is_err());
        assert!(check(0, 10, 0).is_ok());
        assert!(check(u64::MAX, u64::MAX, u64::MAX).is_ok());
    }
}
