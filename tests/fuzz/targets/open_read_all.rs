//! Opens any bytes as a pak and reads everything; the input is a file.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::open_read_all(data));
