//! The contents of archives: read, compared, and recorded in snapshots.
//!
//! | file       | job                                                                 |
//! |------------|---------------------------------------------------------------------|
//! | `read`     | reads and hashes contents, for every verb that does                 |
//! | `sum`      | checksums of contents                                               |
//! | `text`     | the lines of a snapshot                                             |
//! | `pairs`    | pairs the items of two collections by name and by content           |
//! | `change`   | what can become of an entry or an archive                           |
//! | `compare`  | what differs between two snapshots                                  |
//! | `snapshot` | the snapshots of a run of `verify`: reads, compares and writes them |
//!
//! # Snapshots
//!
//! Snapshots are text files that record the contents of archives, to prove later that nothing was lost or changed.
//!
//! ```text
//! 352441c2 3 scripts/default.cfg
//! damaged 768 gfx/palette.lmp
//! unreadable 4096 mods/broken.pak/
//! ```
//!
//! Each entry has one line: its checksum, its size in decimal, and its name, separated by spaces. The name is
//! [escaped](crate::archive::escape). The checksum is the CRC-32 in 8 lower-case hexadecimal digits, or the
//! SHA-256 in 64; all lines of a snapshot use the same kind. Lines are sorted by the bytes of the names; lines
//! with the same name are in the directory's order.
//!
//! - An entry that cannot be decoded has the word `damaged` instead of a checksum, or `unsupported` if daisho does not
//!   support its compression or encryption.
//! - An archive that cannot be read, or whose directory is cut, has a line with the word `unreadable`, the
//!   length of its file, its path and a slash, or no path if the snapshot is of one archive. Known lines of its
//!   entries stay.
//! - If there are several archives, each name begins with a prefix: the archive's path from the searched
//!   directory, and a slash. If two archives have the same such path, the prefix is the path that the user
//!   gave; for an archive inside of another, that one's path and the name in it.
//!
//! A snapshot does not record layout, offsets, compression or order. So a pak, its conversion and its repacked
//! files have the same snapshot. There is no header, so the usual tools can join, sort and compare snapshots.

mod change;
mod compare;
mod pairs;
mod read;
mod snapshot;
mod sum;
mod text;

pub use change::{Change, ChangeCounts, ChangeRow};
pub use compare::SnapshotRow;
pub(crate) use pairs::{Pair, by_content, by_name, longest_rise};
pub(crate) use read::{Content, Contents};
pub(crate) use snapshot::{Baseline, name_prefixes};
pub use snapshot::{Recorded, SnapshotOptions, SnapshotTotals};
pub use sum::{Hash, Sum, Summer, Sums};
pub use text::{Line, Snapshot, SnapshotError, State};
