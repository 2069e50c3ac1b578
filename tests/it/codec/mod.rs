//! The tests of `daisho::codec`.

mod chunks;
mod damage;
pub(crate) mod dice;
mod encode;
mod errors;
mod example;
mod fuzz_bodies;
pub(crate) mod fuzz_tokens;
pub(crate) mod greedy;
pub(crate) mod oracle;
mod reader;
mod replay;
pub(crate) mod streams;
mod sweep;
pub(crate) mod tokens;
