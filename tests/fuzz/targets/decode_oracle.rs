//! Every door of the decoder against the byte-by-byte oracle; the input is a stream.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::decode_oracle(data));
