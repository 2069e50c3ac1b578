//! What every archive is: entries with names and contents, read from somewhere. No format.
//!
//! An [`Archive`] has entries; an [`Entry`] has a name, a size, a
//! coding, and a content that can be read. A directory on disk is an archive, too. What archives look
//! like in a file, and how one is opened or written, is in [`format`](mod@crate::format).
//!
//! | file        | job                                                                     |
//! |-------------|-------------------------------------------------------------------------|
//! | `format`    | the formats and their names                                             |
//! | `source`    | what bytes are read from: positional reads from any number of threads   |
//! | `name`      | an entry's name: bytes, shown escaped; `unescape` reads that back       |
//! | `path`      | a name as a path that is safe to make on any system                     |
//! | `shown`     | how a path is shown                                                     |
//! | `container` | an open archive: its entries, and what was found out when it was opened |
//! | `builder`   | an archive of a format that is none of ours                            |
//! | `record`    | what is kept of each entry; `note` says what is unusual in an archive   |
//! | `flaw`      | what is wrong with an entry; `quirks` is what engines mind and nobody else |
//! | `entry`     | one entry, how it is found, and whether what is said of it can be true   |
//! | `stored`    | a payload as it lies in its archive                                     |
//! | `content`   | the only folder that joins archives and codings: payloads, decoded and encoded |
//! | `reserved`  | how the control byte `0xFE` is read in an archive's streams             |
//! | `lookup`    | entries by name                                                         |
//! | `checksum`  | size and CRC-32 of what is read                                         |
//! | `account`   | where every byte of an archive belongs                                  |
//! | `sink`      | what an archive is written into from many threads                       |
//! | `snapshot`  | contents remembered as lines of text, and what differs from them later  |
//!
//! # One file from an archive
//!
//! ```
//! use daisho::Archive;
//!
//! let archive = Archive::open("corpus/game/data/pak1.pak")?;
//! let entry = archive.get("maps/e1m2.bsp").ok_or("no such file")?;
//!
//! // At once,
//! let level = entry.read()?;
//! assert_eq!(level.len(), 25_192);
//! // or as a `Read`, in constant memory,
//! let mut file = Vec::new();
//! std::io::copy(&mut entry.reader()?, &mut file)?;
//! assert_eq!(file, level);
//! // or its payload as it lies in the archive.
//! let mut stream = Vec::new();
//! std::io::copy(&mut entry.stored()?, &mut stream)?;
//! assert_eq!(stream.len(), 13_739);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # When something is wrong
//!
//! An [`Error`](crate::Error) has a kind with the numbers that disagree, and a place. A damaged entry
//! costs that entry: the others are read as if it were not there.
//!
//! ```
//! use daisho::codec::DecodeErrorKind;
//! use daisho::{Archive, ErrorKind};
//!
//! let archive = Archive::open("corpus/paks/broken/size-one-too-large.pak")?;
//! let mut bad = Vec::new();
//! for entry in &archive {
//!     match entry.read() {
//!         Ok(_) => {}
//!         Err(error) => match error.kind() {
//!             ErrorKind::Damaged(damage) => bad.push((entry.index(), damage.kind(), error.offset())),
//!             ErrorKind::OutsideFile { .. } | ErrorKind::ImpossibleSize { .. } => {} // never was whole
//!             _ => return Err(error),
//!         },
//!     }
//! }
//! // Entry 3 ends at byte 74 of the pak, one byte too soon.
//! assert_eq!(bad, [(3, DecodeErrorKind::TooShort { size: 501 }, Some(74))]);
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! # What can be relied on
//!
//! - Whatever the bytes are, nothing panics, and nothing is allocated because a number claims it.
//! - A name becomes a path through [`SafePath`] only, which refuses what would lead out of a folder
//!   or what no file may be called; and it is shown [escaped](escape).
//! - An archive is read through `&self`, at any place, from any number of threads.

// Nothing that a stranger's bytes could make panic, and no exception without its reason.
#![deny(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason
)]

mod account;
mod builder;
pub(crate) mod bytes;
mod checksum;
pub(crate) mod container;
mod content;
pub(crate) mod entry;
pub mod error;
mod flaw;
pub(crate) mod format;
mod lookup;
mod name;
mod note;
mod path;
mod quirks;
mod record;
mod reserved;
mod shown;
#[cfg(any(test, feature = "ops"))]
pub(crate) mod sink;
pub mod snapshot;
mod source;
mod stored;
mod unescape;

pub use account::{Account, Shared};
pub use builder::ArchiveBuilder;
pub use checksum::{Check, Checked};
pub use container::{ReadOptions, Structure};
pub use content::{DecodedReader, Verified};
pub use entry::Entries;
pub use flaw::{DeflateDamage, Field, Flaw};
pub use lookup::{Case, Which};
pub use name::{RawName, escape, quoted};
pub use note::Note;
pub use path::{PathError, SafePath};
pub use quirks::Quirks;
pub use record::{Coding, Extent};
pub use reserved::{ReservedReading, ReservedVote};
pub use shown::{EscapedPath, escape_path, path_bytes, quoted_path};
pub use source::ReadAt;
pub use stored::StoredReader;
pub use unescape::unescape;

pub(crate) use container::{Archive, Contents, RawDirectory, Reasons};
pub(crate) use content::BlockCoder;
pub(crate) use entry::Entry;
pub(crate) use format::{Format, could_hold};
pub(crate) use record::Record;
#[cfg(feature = "ops")]
pub(crate) use sink::{Sink, copy_through_memory};
#[cfg(feature = "ops")]
pub(crate) use source::Files;
pub(crate) use source::{Seeking, Store};
