//! Reads the pak archives of the Quake family and of Daikatana.

#![forbid(unsafe_code)]

extern crate alloc;

pub mod codec;
pub mod error;
#[cfg(feature = "ops")]
pub mod ops;
pub mod pak;

pub use error::{Error, ErrorKind};
