//! Writing an archive: its directory as it grows, and a serial writer on top of that.
//!
//! Payloads are written without gaps in the order of the entries, right after the header. Then comes the
//! directory, with names padded by zeros. The header is written last, so that an incomplete file is not an
//! archive. Entries that the format or an engine cannot take are refused: see [`Limits`]. A directory
//! without entries is never written, because two engines refuse such a pak and three others stop looking
//! for further paks at it.

mod directory;
pub(crate) mod writer;

pub use directory::Limits;
pub(crate) use directory::{Directory, check_name};
