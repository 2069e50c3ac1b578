//! One archive: its header and records, its layout, the names and payloads in it, and writing
//! another one.
//!
//! # The container
//!
//! | part      | bytes             | content                                                     |
//! |-----------|-------------------|-------------------------------------------------------------|
//! | header    | 12                | `PACK`, where the directory begins, its length in bytes     |
//! | payloads  | any               | wherever the directory says                                 |
//! | directory | n records         | wherever the header says: mostly last, sometimes first      |
//!
//! A record is 64 bytes long in Quake's layout and its relatives', 72 in Daikatana's, where it
//! also says whether the payload is a compressed stream. Nothing in the file says which of the
//! two it is. [`layout`] has the fields, [`detect`](mod@detect) the way to tell them apart.
//!
//! # A pak byte by byte
//!
//! One of Daikatana's, 88 bytes long, with one file in it, compressed:
//!
//! ```
//! use daisho::pak::{Archive, Case, Layout, Which};
//!
//! let mut pak = Vec::new();
//! pak.extend(b"PACK"); //                    0: a pak,
//! pak.extend(16_u32.to_le_bytes()); //       4: its directory at byte 16,
//! pak.extend(72_u32.to_le_bytes()); //       8: 72 bytes long
//! pak.extend([0x7F, 0x7F, 0x7F, 0xFF]); //  12: three runs of 65 zeros, and the end
//! pak.extend(b"skins/black.tga"); //        16: the name,
//! pak.extend([0; 56 - 15]); //              31: filled up to 56 bytes,
//! pak.extend(12_u32.to_le_bytes()); //      72: its payload at byte 12,
//! pak.extend(195_u32.to_le_bytes()); //     76: 195 bytes of picture,
//! pak.extend(4_u32.to_le_bytes()); //       80: from a stream of 4,
//! pak.extend(1_u32.to_le_bytes()); //       84: for it is compressed
//!
//! let archive = Archive::new(pak)?;
//! assert_eq!(archive.layout(), Layout::Daikatana);
//! assert_eq!(archive.detection().reasons()[0], "the directory's 72 bytes divide by 72 and not by 64");
//!
//! for entry in archive.entries() {
//!     let line = format!("{} {} {}", entry.name(), entry.size(), entry.kind());
//!     assert_eq!(line, "skins/black.tga 195 picture");
//! }
//! let entry = archive.find("SKINS/BLACK.TGA", Case::Ignored, Which::First).unwrap();
//! assert_eq!(entry.read()?, [0; 195]);
//!
//! // Every byte has its place.
//! let account = archive.account();
//! assert_eq!((account.header, account.payload, account.directory), (12, 4, 72));
//! assert_eq!(account.sum(), 88);
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! [`Plan`] and [`Writer`] show how one is written.
//!
//! # What can be relied on
//!
//! - Whatever the bytes are, nothing panics, and nothing is allocated because a number claims it.
//! - Real oddities are no errors: garbage behind a name's NUL, gaps, bytes behind the end,
//!   duplicates, shared extents, entries of size 0 with any offset, a stored entry's
//!   `packed_size`. [`Archive::oddities`] and [`Archive::account`] tell of them.
//! - A damaged entry costs that entry: the others are read as if it were not there.
//! - An [`Archive`] is read through `&self`, at any place, from any number of threads.
//!
//! This layer reads files and never writes or prints: what it writes goes into a [`Sink`].

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

pub mod account;
pub mod archive;
pub mod check;
pub mod detect;
pub mod entry;
pub mod kind;
pub mod layout;
pub mod lookup;
pub mod name;
pub mod path;
pub mod payload;
pub mod relative;
pub mod source;
pub mod unescape;
pub mod write;

pub use account::{Account, Shared};
pub use archive::{Archive, Oddity};
pub use check::{Check, Checked};
pub use detect::{Basis, Detection, Reading, detect};
pub use entry::{Entry, Extent, Verified};
pub use kind::{Kind, may_be_compressed};
pub use layout::{Header, Layout, Packed, Record};
pub use lookup::{Case, Which};
pub use name::{RawName, escape, quoted};
pub use path::{PathError, SafePath};
pub use payload::{DecodedReader, StoredReader};
pub use source::ReadAt;
pub use unescape::unescape;
pub use write::{
    Coding, Limits, MemorySink, Origin, Plan, Planned, Planner, Shares, Sink, Slot, Writer,
    coding_for,
};
