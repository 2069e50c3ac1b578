//! What is written is read back; the input is what the entries of a pak are like.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::write_read(data));
