//! A ZIP, in which single fields are changed, against a naive reader of the same bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::zip_fields(data));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    daisho_fuzz::mutate_fields(data, size, max_size, seed)
});
