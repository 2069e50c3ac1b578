//! The integration tests: one binary, so that it links once; its modules mirror `src/`.

// A test's helpers may fail by panicking, too; the lint's own exemption reaches only `#[test]`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// Generated numbers are cut to size on purpose.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]

mod archive;
mod choices;
#[cfg(feature = "cli")]
mod cli;
mod codec;
mod corpus;
#[cfg(feature = "cli")]
mod hostile;
mod layers;
mod long;
#[cfg(feature = "ops")]
mod ops;
mod picture;
#[cfg(feature = "cli")]
mod readme;
mod size;
mod skips;
mod source;
