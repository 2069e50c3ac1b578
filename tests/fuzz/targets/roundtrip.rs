//! What is encoded decodes to what it was; the input is the content.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::roundtrip(data));
