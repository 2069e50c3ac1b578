//! Daikatana's compressed stream: bytes to bytes, no file, no archive, no name.

pub mod grammar;

pub use grammar::could_hold;
