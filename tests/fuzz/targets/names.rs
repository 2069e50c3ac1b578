//! Any bytes as a name: shown, taken back, and as a path; the input is the name.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::names(data));
