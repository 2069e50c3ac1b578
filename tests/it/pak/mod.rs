//! The container's tests.

// Generated numbers are cut to size on purpose, and figures are printed for whoever asks.
#![allow(clippy::cast_possible_truncation, clippy::print_stdout)]

mod account;
mod build;
mod corpus;
mod detection;
mod generate;
mod reading;
mod robust;
mod snapshots;
mod writing;
