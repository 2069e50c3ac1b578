//! What a snapshot's file says; the input is the file, and then choices.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::snapshot(data));
