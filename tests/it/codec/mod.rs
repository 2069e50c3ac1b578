//! The tests of `daisho::codec`.

mod build;
mod chunks;
mod damage;
mod dice;
mod encode;
mod fuzz_bodies;
pub(crate) mod oracle;
mod properties;
mod reader;
mod replay;
mod streams;
mod sweep;
mod tokens;
