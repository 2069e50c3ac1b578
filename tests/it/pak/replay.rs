//! The container's fuzz targets on the stable toolchain: their seeds, and everything they ever
//! found.

use super::{fuzz_bodies, fuzz_write};
use crate::corpus;

/// Calls `target` with every pak of the corpus, cut at some places, too, and with every finding in
/// `tests/fuzz/found/NAME`.
fn replay(name: &str, target: fn(&[u8])) {
    for path in corpus::paks(&corpus::path(""), &corpus::path("streams")) {
        let bytes = std::fs::read(path).unwrap();
        target(&bytes);
        // Small ones show what there is to show.
        for parts in (1..8).take_while(|_| bytes.len() < 4096) {
            target(&bytes[..bytes.len() * parts / 8]);
        }
    }
    for bytes in corpus::found(name) {
        target(&bytes);
    }
}

#[test]
fn open_read_all() {
    replay("open_read_all", fuzz_bodies::open_read_all);
}

#[test]
fn detect() {
    replay("detect", fuzz_bodies::detection);
}

#[test]
fn write_read() {
    replay("write_read", fuzz_write::write_read);
}
