//! Reads and writes the archives of the Quake family and of Daikatana: tells the formats apart, and
//! decompresses and compresses Daikatana's streams.
//!
//! A pak is a header of 12 bytes, a directory of fixed records, and the files' bytes. Quake and
//! its relatives use records of 64 bytes; Daikatana took the same magic, made the record 72 bytes
//! long, and compresses some files in a scheme of its own. Nothing in the file says which of the
//! two it is. This crate finds out from the evidence, says why, and reads both.
//!
//! ```
//! use daisho::{Archive, Format};
//!
//! let archive = Archive::open("corpus/game/data/pak1.pak")?;
//! assert_eq!(archive.format(), Format::Daikatana);
//! for entry in &archive {
//!     println!("{:>8} {}", entry.size(), entry.name());
//! }
//! let entry = archive.get("skins/hero.tga").ok_or("no such file")?;
//! let picture = entry.read()?; // decompressed
//! assert_eq!(picture.len(), 12_306);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to begin
//!
//! | to                                              | see                                          |
//! |-------------------------------------------------|----------------------------------------------|
//! | know the formats, to write a reader of one's own | [`format`](mod@format) for the container, [`codec`] for the stream: tables, and a file byte by byte |
//! | read a file from an archive                     | [`Archive`], [`Entry`]                       |
//! | decode a stream: a slice, in pieces, as a `Read` | [`codec::decode_into`], [`codec::Decoder`], [`codec::DecodeReader`] |
//! | encode one                                      | [`codec::encode()`], [`codec::BlockEncoder`] |
//! | write an archive                                | [`Writer`]                                   |
//! | tell the formats apart, and say why             | [`Archive::why`], [`format::detect`]         |
//! | make a path of a name that a stranger wrote     | [`archive::SafePath`]                        |
//! | convert, extract, create, verify, many at a time | [`ops`], with the feature of that name      |
//! | show progress                                   | [`ops::context::Observer`]                   |
//! | know which archives an engine loads, and what it serves | [`engine`], [`ops::game`]                |
//! | know what a file is, from its header, and what a map asks for | [`media`]                          |
//! | decode a picture, and find its palette          | [`media::decode`], [`media::colours`]        |
//! | handle errors                                   | [`Error`], [`ErrorKind`]                     |
//! | use the command                                 | [`guide`]                                    |
//!
//! # Layers
//!
//! Eight layers, a folder each. A layer names only those before it, and `engine`, `media` and `fs` do not
//! name each other; a test reads the sources and checks that.
//!
//! | layer     | job                                                      | feature              |
//! |-----------|----------------------------------------------------------|----------------------|
//! | [`codec`] | bytes to bytes: knows no file, no archive, no name       | none; `core`, `alloc` |
//! | [`archive`] | what every archive is: names, entries, contents; no format | none               |
//! | [`format`](mod@format) | what archives look like on disk: telling, opening, writing | none    |
//! | [`engine`] | the engines, what each loads, and what it makes of a name | none               |
//! | [`media`] | what the files are: facts from their headers, pixels     | none                 |
//! | `fs`      | the file system: outputs that appear whole or not at all | `ops`             |
//! | [`ops`]   | what people do with archives, many at a time; never prints | `ops`              |
//! | the command | the only code that prints                              | `cli` (default)      |
//!
//! What each feature brings:
//!
//! | feature | what it adds                                | what it brings                             |
//! |---------|---------------------------------------------|--------------------------------------------|
//! | none    | `codec`, `archive`, `format`, `engine` and `media` | bstr, crc32fast, flate2 over zlib-rs, thiserror; on x86-64 fearless_simd |
//! | `ops`   | batches, threads, the only code that writes files | rayon, cap-std, globset, png, sha2, walkdir, rustix |
//! | `cli`   | the command `daisho`; nothing for a library | clap, indicatif, serde_json and more       |
//! | `web`   | the program inside the web page; nothing for a library | serde_json, sha2                |
//!
//! A library user turns the default off, and asks for `ops` where it is wanted:
//!
//! ```toml
//! daisho = { version = "0.1", default-features = false, features = ["ops"] }
//! ```
//!
//! Three joints hold the layers together, and each is one file. Archives and codings meet in
//! `archive::content`; so nothing else of an archive knows how its files are compressed. What a record
//! of a format looks like is known by `format::records` alone, as rows of one table. And all that
//! makes, links, renames or removes a file is `fs`, on a few system calls that tests make fail one by
//! one.
//!
//! # Data's way through a conversion
//!
//! Open, read the header and the directory, judge the format, check what every record claims,
//! plan. For Quake output all sizes are in the directory, so where every byte of the new archive will
//! lie is known before one is decoded: a temporary file is filled from many threads at once
//! (stored payloads are copied by the kernel where it can, neighbours in one go; streams are
//! decoded through a small buffer straight to their place), then its directory is written, its
//! header last, and only then does it get its name. For Daikatana output sizes are known only after
//! encoding, so entries are coded in parallel, in blocks, and laid down in order; one that does not
//! become smaller is taken back and stored. Either way one thread and sixteen give the same bytes,
//! and memory depends on the number of threads, not on the size of an entry.
//!
//! # What holds everywhere
//!
//! - Input is not trusted. Nothing panics on it, nothing is allocated because a number claims it,
//!   nothing is read or written out of place. There is no unsafe code.
//! - One bad entry costs that entry. Errors say what failed, where (archive, entry, byte), what was
//!   expected and what was found: see [`Error`].
//! - Names are bytes. Nothing of an archive reaches a terminal unescaped, and no name becomes a path
//!   but through [`archive::SafePath`].
//! - A file appears under its final name whole or not at all, and only `ops::edit` and `ops::undo` change
//!   an archive.
//! - The same input gives the same bytes and the same report, on any number of threads.
//! - Order, names, duplicates and shared payloads survive a conversion; gaps and dead data do not.
//!
//! # What is deliberately absent
//!
//! - Memory maps: a file cut short under a map kills the process, and positional reads serve many
//!   threads as well.
//! - Unsafe code: the decoder is quick by the shape of its loop. `benches` compares.
//! - Async: a [`codec::Decoder`] takes bytes from wherever they come, and an archive is a file.
//! - A configuration file: what a command does depends on its arguments, and on a few variables
//!   (`DAISHO_JOBS`, `NO_COLOR`).
// Without the feature there is no page to lead to but this one's table of features.
#![cfg_attr(not(feature = "ops"), doc = "")]
#![cfg_attr(not(feature = "ops"), doc = "[`ops`]: #layers")]
#![cfg_attr(not(feature = "ops"), doc = "[`ops::context::Observer`]: #layers")]
#![cfg_attr(not(feature = "ops"), doc = "[`ops::game`]: #layers")]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod archive;
pub mod codec;
pub mod engine;
pub mod format;
#[cfg(feature = "ops")]
mod fs;
pub mod guide;
pub mod media;
#[cfg(feature = "ops")]
pub mod ops;
#[cfg(test)]
#[cfg(all(unix, feature = "ops"))]
mod testing;

pub use archive::container::Archive;
pub use archive::entry::Entry;
pub use archive::error::{Error, ErrorKind};
pub use archive::format::Format;
pub use format::write::writer::Writer;

/// README's blocks of Rust, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
