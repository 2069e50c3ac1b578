//! Pictures of every format; the input is a file, which is tried under every extension.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::pictures(data));
