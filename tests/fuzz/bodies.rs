//! The assertions of the fuzz targets. They are in the integration tests, so that the stable toolchain runs them, too.

// The tests use more of these files than the targets do.
#![allow(dead_code)]

use libfuzzer_sys::fuzzer_mutate;

#[path = "../it/choices.rs"]
mod choices;

#[path = "../it/codec"]
mod codec {
    pub(crate) mod dice;
    pub(crate) mod fuzz_bodies;
    pub(crate) mod fuzz_tokens;
    pub(crate) mod greedy;
    pub(crate) mod oracle;
    mod reader;
}

#[path = "../it/archive"]
mod archive {
    pub(crate) mod build;
    mod chosen;
    pub(crate) mod fields;
    pub(crate) mod fuzz_bodies;
    pub(crate) mod fuzz_fields;
    pub(crate) mod fuzz_media;
    pub(crate) mod fuzz_names;
    pub(crate) mod fuzz_pictures;
    pub(crate) mod fuzz_write;
    pub(crate) mod fuzz_zips;
    mod naive;
}

#[path = "../it/ops"]
mod ops {
    pub(crate) mod fuzz_snapshot;
}

/// Every door of the decoder against the oracle, for every reading and for right and wrong sizes.
pub fn decode_oracle(data: &[u8]) {
    codec::fuzz_bodies::decode_oracle(data);
}

/// Pieces of input and output of any length, readers and walkers included.
pub fn decode_chunks(data: &[u8]) {
    codec::fuzz_bodies::decode_chunks(data);
}

/// A stream of tokens through every door, what it decodes to encoded again, and decoded.
pub fn token_streams(data: &[u8]) {
    codec::fuzz_tokens::token_streams(data);
}

/// Encoded and decoded again.
pub fn roundtrip(data: &[u8]) {
    codec::fuzz_bodies::roundtrip(data);
}

/// Opens any bytes as a pak, in every layout, and reads everything.
pub fn open_read_all(data: &[u8]) {
    archive::fuzz_bodies::open_read_all(data);
}

/// Any bytes for a directory.
pub fn detect(data: &[u8]) {
    archive::fuzz_bodies::detection(data);
}

/// Any entries, written in both layouts and both ways, and read back.
pub fn write_read(data: &[u8]) {
    archive::fuzz_write::write_read(data);
}

/// Any pak, read in every way as a naive reader reads it, and converted there and back.
pub fn pak_fields(data: &[u8]) {
    archive::fuzz_fields::pak_fields(data);
}

/// Any ZIP, read as a naive reader reads it, and written.
pub fn zip_fields(data: &[u8]) {
    archive::fuzz_zips::zip_fields(data);
}

/// Any bytes as a name.
pub fn names(data: &[u8]) {
    archive::fuzz_names::names(data);
}

/// Any bytes as a snapshot's file, and lines that were chosen.
pub fn snapshot(data: &[u8]) {
    ops::fuzz_snapshot::snapshot(data);
}

/// Changes one number of one record of a pak or a ZIP; every fourth time anything anywhere, as the fuzzer likes
/// it. Returns the new length.
pub fn mutate_fields(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut dice = codec::dice::Dice::new(seed.into());
    let size = size.min(data.len());
    if dice.below(4) > 0 && archive::fields::change_field(&mut data[..size], &mut dice) {
        return size;
    }
    fuzzer_mutate(data, size, max_size)
}

/// Any bytes as a file of any type, and as a map.
pub fn media(data: &[u8]) {
    archive::fuzz_media::media(data);
}

/// Any bytes as a picture of every format.
pub fn pictures(data: &[u8]) {
    archive::fuzz_pictures::pictures(data);
}
