//! What a file is and what a map asks for; the input is a choice of the file's extension, and the file.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::media(data));
