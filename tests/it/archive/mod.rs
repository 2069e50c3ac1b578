//! The container's tests.

// Generated numbers are cut to size on purpose, and figures are printed if a test is asked for them.
#![allow(clippy::cast_possible_truncation, clippy::print_stdout)]

mod account;
pub(crate) mod build;
mod characters;
mod chosen;
pub(crate) mod corpus;
mod decoded;
mod detection;
#[cfg(feature = "ops")]
mod encoded;
mod fields;
mod fuzz_bodies;
mod fuzz_fields;
mod fuzz_media;
mod fuzz_names;
mod fuzz_pictures;
mod fuzz_write;
mod fuzz_zips;
mod generate;
mod library;
#[cfg(feature = "cli")]
mod magic;
pub(crate) mod maps;
mod naive;
mod odd;
mod reading;
mod replay;
mod snapshots;
pub(crate) mod wads;
mod writing;
pub(crate) mod zips;
