//! A pak put together field by field, read in every way and converted there and back; the input is
//! instructions, which are changed as such.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| daisho_fuzz::pak_fields(data));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    daisho_fuzz::mutate_fields(data, size, max_size, seed)
});
