//! Reads the pak archives of the Quake family and of Daikatana.

#![forbid(unsafe_code)]

extern crate alloc;

pub mod codec;
#[cfg(feature = "ops")]
pub mod ops;
