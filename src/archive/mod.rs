//! What all archives have in common: entries with names and contents, and a source. No formats.
//!
//! An [`Archive`] has entries; an [`Entry`] has a name, a size, a coding, and a content that can be read.
//! [`format`](mod@crate::format) describes archive files, and opens and writes them. A game and `ops` also make
//! archives of directories on disk, whose entries are the files.
//!
//! # One file from an archive
//!
//! ```
//! use daisho::Archive;
//!
//! let archive = Archive::open("corpus/game/data/pak1.pak")?;
//! let entry = archive.by_name("maps/e1m2.bsp")?;
//!
//! // All of it at once,
//! let level = entry.read()?;
//! assert_eq!(level.len(), 25_192);
//! // or as a `Read`, in constant memory,
//! let mut file = Vec::new();
//! std::io::copy(&mut entry.reader()?, &mut file)?;
//! assert_eq!(file, level);
//! // or its undecoded payload.
//! let mut stream = Vec::new();
//! std::io::copy(&mut entry.payload()?, &mut stream)?;
//! assert_eq!(stream.len(), 13_739);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! An [`Error`](crate::Error) has a kind with the numbers that disagree, and a place. A damaged entry does
//! not affect the others.
//!
//! ```
//! use daisho::codec::DecodeErrorKind;
//! use daisho::{Archive, ErrorKind};
//!
//! let archive = Archive::open("corpus/paks/broken/size-one-too-large.pak")?;
//! let mut bad = Vec::new();
//! for entry in archive.entries() {
//!     match entry.read() {
//!         Ok(_) => {}
//!         Err(error) => match error.kind() {
//!             ErrorKind::Damaged(damage) => bad.push((entry.index(), damage.kind(), error.offset())),
//!             ErrorKind::OutsideFile { .. } | ErrorKind::ImpossibleSize { .. } => {} // incomplete
//!             _ => return Err(error),
//!         },
//!     }
//! }
//! // Entry 3 ends at byte 74 of the pak, one byte too soon.
//! assert_eq!(bad, [(3, DecodeErrorKind::TooShort { size: 501 }, Some(74))]);
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! # Guarantees
//!
//! - No input causes a panic, and no claimed size causes an allocation.
//! - Only [`SafePath`] turns a name into a path. It refuses names that lead out of a folder, and names that
//!   no file may have. Names are displayed [escaped](escape).
//! - An archive is read through `&self`, at any offset, from any number of threads.

// Nothing that input could make panic, and no exception without its reason.
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

// | file        | job                                                                     |
// |-------------|-------------------------------------------------------------------------|
// | `format`    | the formats and their names                                             |
// | `source`    | positional reads from any number of threads                             |
// | `name`      | an entry's name: bytes, escaped for display, and back                   |
// | `path`      | a name as a path that is safe to create, and paths as text              |
// | `container` | an open archive: what is kept of its entries, and the results of opening it |
// | `builder`   | an archive of a format that daisho does not know                        |
// | `note`      | everything unusual in an archive                                        |
// | `flaw`      | problems of an entry                                                    |
// | `entry`     | one entry, how to find it, and whether its claims are possible          |
// | `payload`   | an undecoded payload                                                    |
// | `content`   | decodes and encodes payloads; the only folder that uses codings         |
// | `reserved`  | how the control byte `0xFE` is read in an archive's streams             |
// | `lookup`    | finds entries by name                                                   |
// | `account`   | assigns every byte of an archive to a part                              |
// | `error`     | what failed, and where                                                  |
// | `bytes`     | checked reads of numbers from bytes that may end too soon               |

mod account;
mod builder;
pub(crate) mod bytes;
pub(crate) mod container;
mod content;
pub(crate) mod entry;
pub(crate) mod error;
mod flaw;
pub(crate) mod format;
mod lookup;
mod name;
mod note;
pub(crate) mod path;
mod payload;
mod reserved;
mod source;

pub use account::Account;
pub use builder::ArchiveBuilder;
pub use container::{Coding, Extent, ReadOptions, Structure};
pub use content::{DecodedReader, Verified};
pub use error::{Limit, Place};
pub use flaw::{DeflateDamage, Flaw};
pub use lookup::{Case, Which};
pub use name::{Escaped, RawName, escape, quoted, unescape};
pub(crate) use name::{is_extension_of, or_list, quoted_name, shortened};
pub use note::Note;
pub use path::{PathError, SafePath};
pub use payload::PayloadReader;
pub use reserved::{ReservedReading, ReservedVote};
pub use source::ReadAt;

pub(crate) use container::{Archive, ArchiveContents, EntryRecord, LocalFacts, RawDirectory};
pub(crate) use content::{BlockCoder, Measuring};
pub(crate) use entry::Entry;
pub(crate) use format::Format;
pub(crate) use note::Quirks;
pub(crate) use path::{escape_path, path_bytes, quoted_path, relative_path};
pub(crate) use payload::StoredContent;
pub(crate) use source::{ArchiveSource, LooseFile, open_regular, read_at, read_more};
