//! Reads the pak archives of the Quake family and of Daikatana, tells the two layouts apart,
//! decompresses Daikatana's streams, and writes plain Quake paks, and Daikatana ones.
//!
//! A pak is a header of 12 bytes, a directory of fixed records, and the files' bytes. Quake and
//! its relatives use records of 64 bytes; Daikatana took the same magic, made the record 72 bytes
//! long, and compresses some files in a scheme of its own. Nothing in the file says which of the
//! two it is. This crate finds out from the evidence, says why, and reads both.
//!
//! ```
//! use daisho::pak::{Archive, Case, Layout, Which};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/game/data/pak1.pak");
//! let archive = Archive::open(path)?;
//! assert_eq!(archive.layout(), Layout::Daikatana);
//! for entry in archive.entries() {
//!     println!("{:>8} {}", entry.size(), entry.name());
//! }
//! let first = archive.entry(0).ok_or("an empty pak")?;
//! let bytes = first.read()?;
//! assert_eq!(bytes.len(), first.size() as usize);
//! # Ok(())
//! # }
//! ```
//!
//! # Layers
//!
//! Four folders, one order. A layer names only those before it; a test reads the sources and
//! holds them to it.
//!
//! | layer     | job                                                      | feature              |
//! |-----------|----------------------------------------------------------|----------------------|
//! | [`codec`] | bytes to bytes: knows no file, no archive, no name       | none; `core`, `alloc` |
//! | [`pak`]   | one archive: layout, names, payloads, reading, writing   | none                 |
//! | `ops`     | what people do with archives, many at a time; never prints | `ops`              |
//! | the command | the only code that prints                              | `cli` (default)      |
//!
//! A library user turns the default features off and gets `codec` and `pak` with three small
//! dependencies:
//!
//! ```toml
//! daisho = { version = "0.1", default-features = false }
//! ```
//!
//! # Data's way through a conversion
//!
//! Open, read the header and the directory, judge the layout, check what every record claims,
//! plan. For Quake output all sizes are in the directory, so where every byte of the new pak will
//! lie is known before one is decoded: a temporary file is filled from many threads at once, then
//! its directory is written, its header last, and only then does it get its name. For Daikatana
//! output sizes are known only after encoding, so entries are coded in parallel and laid down in
//! order. Either way one thread and sixteen give the same bytes, and memory depends on the number
//! of threads, not on the size of an entry.
//!
//! # What holds everywhere
//!
//! - Input is not trusted. Nothing panics on it, nothing is allocated because a number claims it,
//!   nothing is read or written out of place. There is no unsafe code.
//! - One bad entry costs that entry. Errors say what failed, where (pak, entry, byte), what was
//!   expected and found, and what to do: see [`Error`].
//! - Names are bytes. Nothing of a pak reaches a terminal unescaped, and no name becomes a path
//!   but through [`pak::SafePath`].
//! - A file appears under its final name whole or not at all, and sources are never touched.
//!
//! # What is deliberately absent
//!
//! No memory maps: a file cut short under a map kills the process, and positional reads serve
//! many threads as well. No conversion of what is inside the files, no editing in place. No
//! configuration file: what a command does depends on its arguments alone.

#![forbid(unsafe_code)]

extern crate alloc;

pub mod codec;
pub mod error;
#[cfg(feature = "ops")]
pub mod ops;
pub mod pak;

pub use error::{Error, ErrorKind};

/// README's blocks of Rust, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
