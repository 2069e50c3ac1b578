//! Which layout a directory has; the input is a header and a directory, and then what a packer
//! chooses.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::detect(data));
