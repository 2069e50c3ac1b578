//! Writing an archive: its directory as it grows, and a serial writer on top of that.
//!
//! Payloads lie without gaps in the order of the entries, from behind the header on; the directory
//! last, the padding of its names zeroed; and the header last of all, so that what was not finished is
//! no archive. What the format or an engine cannot take is refused: see [`Limits`]. A directory of no
//! entry is never written, because two engines refuse such a pak and three others stop looking for
//! further paks at it.

mod directory;
mod limits;
pub(crate) mod writer;

#[cfg(any(test, feature = "ops"))]
pub(crate) use directory::Directory;
pub use limits::Limits;
#[cfg(feature = "ops")]
pub(crate) use limits::check_name;
