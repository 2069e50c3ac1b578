//! What is in paks, remembered in a file of text, so that a later run can prove that nothing of it
//! was lost or changed.
//!
//! ```text
//! 352441c2 3 scripts/default.cfg
//! damaged 768 gfx/palette.lmp
//! ```
//!
//! A line for each entry, and nothing else: the CRC-32 in eight lower-case hexadecimal digits or the
//! SHA-256 in 64, the same kind in all lines, the size in decimal, and the name, escaped as [`escape`](crate::archive::escape) does it, with one space
//! between them. An entry that cannot be decoded has the word `damaged` in the place of its sum.
//! Lines are sorted by the bytes of the names; lines of one name stand in the directory's order.
//! Unless one file is named, a name is led by the pak's path, from the directory that was searched, and
//! a slash; where several paks would have the same, each is led by its path as the user has named it, and a
//! pak within an archive by the path of that and its name in there.
//!
//! It says nothing of layout, offsets, compression or order, so a pak, its conversion, and its
//! repacked files have the same one. There is no header, because lines are all that scripts expect:
//! two snapshots can be joined, sorted, and compared with what every system has.

mod compare;
mod leads;
mod lines;
mod read;
mod sum;
mod text;

#[cfg(feature = "ops")]
pub(crate) use compare::compare;
#[cfg(feature = "ops")]
pub(crate) use leads::Leads;

pub use compare::{SnapshotChange, SnapshotDifference};
pub use lines::{Line, Snapshot};
pub use sum::{Hash, Sum, Sums};
