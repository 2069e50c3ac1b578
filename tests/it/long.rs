//! How far sweeps go: a part by default, so that `cargo test` is quick, and all of it with `CI_LONG=1`.

/// Whether sweeps go all the way.
pub(crate) fn whole() -> bool {
    std::env::var_os("CI_LONG").is_some_and(|value| value == "1")
}

/// Steps of `short` through a range; of 1 where sweeps go all the way.
pub(crate) fn step(short: usize) -> usize {
    if whole() { 1 } else { short }
}

/// How many cases proptest makes up.
pub(crate) fn cases(short: u32, long: u32) -> u32 {
    if whole() { long } else { short }
}
