//! Snapshots as files, which `verify` compares with and writes, and the SHA-256 of contents.
//!
//! The lines of a snapshot are described in [`ops::snapshot`](crate::ops::snapshot).

mod baseline;
mod file;
mod input_prefixes;

use sha2::{Digest as _, Sha256};

use crate::archive::{Archive, Entry};
use crate::ops::context::Context;
use crate::ops::finding::Finding;
use crate::ops::stream::Payloads;

pub(super) use baseline::Baseline;

pub use baseline::SnapshotOptions;

/// Reads entries of an archive, on all threads, and gives `take` each in the directory's order with the SHA-256 of
/// its content. Returns the damage of the others.
pub(super) fn sha256_of_each<'a>(
    context: &Context<'_>,
    archive: &'a Archive,
    entries: Vec<Entry<'a>>,
    mut take: impl FnMut(Entry<'a>, [u8; 32]),
) -> Result<Vec<Finding>, Finding> {
    context.cancel.check()?;
    let payloads = Payloads::of(archive, entries);
    payloads.announce(context, None)?;
    let sums = payloads.map(context, |payload| {
        let mut sha256 = Sha256::new();
        let read = payload.read(&mut |piece| sha256.update(piece));
        (<[u8; 32]>::from(sha256.finalize()), read.err())
    });
    let mut damage = Vec::new();
    payloads.for_each(sums, |entry, sha256, error| match error {
        Some(error) => damage.push(error),
        None => take(entry, *sha256),
    });
    Ok(damage)
}
