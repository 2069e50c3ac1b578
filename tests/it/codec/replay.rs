//! The fuzz targets on the stable toolchain: their seeds, and everything they ever found.

use std::fs;
use std::path::Path;

use super::fuzz_bodies;
use crate::corpus;

/// Calls `target` with every file of the corpus, its beginnings included, and with every finding
/// in `tests/fuzz/found/NAME`.
fn replay(name: &str, target: fn(&[u8])) {
    for (_, bytes) in corpus::files("streams") {
        target(&bytes);
        for end in 0..bytes.len().min(80) {
            target(&bytes[..end]);
        }
    }
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/found");
    // No folder where nothing was found yet.
    for file in fs::read_dir(found.join(name)).into_iter().flatten() {
        target(&fs::read(file.unwrap().path()).unwrap());
    }
}

#[test]
fn decode_oracle() {
    replay("decode_oracle", fuzz_bodies::decode_oracle);
}

#[test]
fn decode_chunks() {
    replay("decode_chunks", fuzz_bodies::decode_chunks);
}

#[test]
fn roundtrip() {
    replay("roundtrip", fuzz_bodies::roundtrip);
}
