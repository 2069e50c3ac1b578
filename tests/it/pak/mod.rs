//! The container's tests.

// Generated numbers are cut to size on purpose, and figures are printed for whoever asks.
#![allow(clippy::cast_possible_truncation, clippy::print_stdout)]

mod account;
pub(crate) mod build;
mod choices;
mod corpus;
mod detection;
mod fuzz_bodies;
mod fuzz_write;
mod generate;
mod odd;
mod reading;
mod replay;
mod robust;
mod snapshots;
mod writing;
