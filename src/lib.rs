//! Reads the pak archives of the Quake family and of Daikatana.

#![forbid(unsafe_code)]

extern crate alloc;

pub mod codec;
pub mod error;
pub mod pak;

pub use error::{Error, ErrorKind};
#[cfg(feature = "ops")]
pub mod ops;
