//! Streams of tokens through every door of the decoder, and back; the input is choices.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::token_streams(data));
