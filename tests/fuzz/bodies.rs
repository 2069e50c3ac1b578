//! What the targets assert, which stands among the integration tests, so that the stable
//! toolchain replays it.

// The tests use more of these files than the targets do.
#![allow(dead_code)]

#[path = "../it/codec/dice.rs"]
mod dice;
#[path = "../it/codec/fuzz_bodies.rs"]
mod fuzz_bodies;
#[path = "../it/codec/oracle.rs"]
mod oracle;
#[path = "../it/codec/reader.rs"]
mod reader;

/// Every door of the decoder against the oracle, for every reading and for right and wrong sizes.
pub fn decode_oracle(data: &[u8]) {
    fuzz_bodies::decode_oracle(data);
}

/// Pieces of input and output of any length, readers and walkers included.
pub fn decode_chunks(data: &[u8]) {
    fuzz_bodies::decode_chunks(data);
}

/// Encoded and decoded again.
pub fn roundtrip(data: &[u8]) {
    fuzz_bodies::roundtrip(data);
}
