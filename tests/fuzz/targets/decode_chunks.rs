//! Cuts of either side do not matter; the input is a stream, and its CRC-32 seeds the cuts.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::decode_chunks(data));
