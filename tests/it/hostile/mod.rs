//! Paks from strangers who mean harm, and systems that fail: the command, through the real binary,
//! held to what it promises.
//!
//! A short selection runs with every `cargo test`. The long ones are ignored by default and run by
//! `cargo test --release --test it hostile -- --ignored`.

#[cfg(unix)]
mod attacks;
#[cfg(target_os = "linux")]
mod devices;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(target_os = "linux")]
mod kills;
mod limits;
#[cfg(target_os = "linux")]
mod pictures;
#[cfg(target_os = "linux")]
mod rlimits;
#[cfg(target_os = "linux")]
mod stage;
#[cfg(target_os = "linux")]
mod strace;
#[cfg(unix)]
mod terminal;
#[cfg(target_os = "linux")]
mod traced;
