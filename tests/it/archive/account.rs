//! The account adds up for any pak, and a byte-by-byte count agrees.

use daisho::{Archive, Format};
use proptest::prelude::*;

use super::build::{Entry, Pak};

/// Counts each byte of the file on its own.
fn naive(archive: &Archive) -> (u64, u64, u64) {
    let len = archive.file_len() as usize;
    let mut claims = vec![std::collections::BTreeSet::new(); len];
    for entry in archive.entries() {
        let Some(extent) = entry.extent().ok().flatten() else {
            continue;
        };
        for byte in extent.offset..extent.end().min(len as u64) {
            // Two that only the file's end makes alike are two.
            claims[byte as usize].insert((extent.offset, extent.end()));
        }
    }
    let directory = archive.structure().directory;
    let directory = directory.offset as usize..directory.end() as usize;
    let free = |at: &usize| *at >= 12 && !directory.contains(at);
    let payload = (0..len).filter(free).filter(|at| !claims[*at].is_empty()).count();
    let unclaimed = (0..len).filter(free).filter(|at| claims[*at].is_empty()).count();
    let overlapping = claims.iter().filter(|claims| claims.len() > 1).count();
    (payload as u64, unclaimed as u64, overlapping as u64)
}

proptest! {
    #[test]
    fn every_byte_is_counted_once(
        extents in prop::collection::vec((0_u32..600, 0_u32..80), 1..12),
        body in 0_usize..400,
        behind in 0_usize..100,
    ) {
        let mut pak = Pak::new();
        pak.payload(&vec![0; body]);
        for (offset, size) in extents {
            pak = pak.entry(Entry { name: b"a.wav".to_vec(), offset, size, packed: None });
        }
        let mut bytes = pak.quake();
        bytes.resize(bytes.len() + behind, 0);
        let archive = Archive::from_source_with(bytes, Some(Format::Quake)).unwrap();
        let account = archive.account().unwrap();
        prop_assert_eq!(account.sum(), archive.file_len());
        let (payload, unclaimed, overlapping) = naive(&archive);
        prop_assert_eq!(account.payload, payload);
        prop_assert_eq!(account.gap_bytes() + account.trailing, unclaimed);
        prop_assert_eq!(account.overlapping, overlapping);
    }
}
