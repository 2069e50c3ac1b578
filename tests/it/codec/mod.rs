//! The tests of `daisho::codec`.

pub(crate) mod build;
mod chunks;
mod damage;
pub(crate) mod dice;
mod encode;
mod fuzz_bodies;
pub(crate) mod fuzz_tokens;
pub(crate) mod oracle;
mod properties;
mod reader;
mod replay;
mod streams;
mod sweep;
mod tokens;
