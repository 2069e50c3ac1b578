//! Reads and writes the archives of the Quake family and of Daikatana: tells the formats apart, and
//! decompresses and compresses Daikatana's streams.
//!
//! A pak is a header of 12 bytes, a directory of fixed records, and the files' bytes. Quake and
//! related games use records of 64 bytes. Daikatana uses the same magic with records of 72 bytes, and
//! compresses some files in its own scheme. No field in the file says which of the two it is. This crate
//! decides by the records, gives its reasons, and reads both.
//!
//! ```
//! use daisho::{Archive, Format};
//!
//! let archive = Archive::open("corpus/game/data/pak1.pak")?;
//! assert_eq!(archive.format(), Some(Format::Daikatana));
//! for entry in archive.entries() {
//!     println!("{:>8} {}", entry.size(), entry.name());
//! }
//! let entry = archive.by_name("skins/hero.tga")?;
//! let picture = entry.read()?; // decompressed
//! assert_eq!(picture.len(), 12_306);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to begin
//!
//! | to                                              | see                                          |
//! |-------------------------------------------------|----------------------------------------------|
//! | learn the formats, to write your own reader     | [`format`](mod@format) for the container, [`codec`] for the stream: tables, and a file byte by byte |
//! | read a file from an archive                     | [`Archive`], [`Entry`]                       |
//! | open an archive in an archive                   | [`Entry::source`]                            |
//! | decode a stream: a slice, in pieces, as a `Read` | [`codec::decode_into`], [`codec::Decoder`], [`codec::DecodeReader`] |
//! | encode a stream                                 | [`codec::encode()`], [`codec::BlockEncoder`] |
//! | write an archive                                | [`Writer`]                                   |
//! | tell the formats apart, and say why             | [`Archive::why`], [`format::Detection::of`]  |
//! | turn an untrusted name into a path              | [`archive::SafePath`]                        |
//! | convert, extract, create, verify many archives  | [`ops`], with the feature `ops`              |
//! | show progress                                   | [`ops::Observer`]                   |
//! | know which archives a game loads, and read its files | [`Game`], [`engine`]                         |
//! | get facts about a file, or the files that a map needs | [`media`]                             |
//! | decode a picture, and find its palette          | [`media::Picture::decode`], [`media::Palette::of_game`] |
//! | encode a picture                                | [`media::FileType::encode`]                  |
//! | handle errors                                   | [`Error`], [`ErrorKind`]                     |
//! | use the command                                 | [`guide`]                                    |
//!
//! # Programs
//!
//! Verify an archive:
//!
//! ```
//! fn main() -> Result<(), daisho::Error> {
//!     let archive = daisho::Archive::open("corpus/game/data/pak1.pak")?;
//!     for error in archive.verify() {
//!         println!("{error}"); // archive, entry, byte, and what is wrong
//!     }
//!     Ok(())
//! }
//! ```
//!
//! Make a PK3 of a pak's textures:
//!
//! ```
//! use daisho::{Archive, Format, Writer};
//!
//! fn main() -> Result<(), daisho::Error> {
//!     let pak = Archive::open("corpus/game/data/pak1.pak")?;
//!     let mut pk3 = Writer::in_memory(Format::Pk3)?;
//!     for entry in pak.entries().filter(|it| it.name().as_bytes().starts_with(b"textures/")) {
//!         pk3.add_entry(entry)?;
//!     }
//!     pk3.add("readme.txt", "the textures alone")?;
//!     let bytes = pk3.finish_bytes()?;
//! #   assert_eq!(Archive::from_bytes(bytes.clone())?.read("readme.txt")?, b"the textures alone");
//!     std::fs::write(std::env::temp_dir().join("textures.pk3"), bytes).map_err(daisho::Error::from_io)
//! }
//! ```
//!
//! Read the file that an engine would load, as an asset loader does:
//!
//! ```
//! use std::io;
//!
//! fn asset(game: &daisho::Game, path: &str) -> io::Result<Vec<u8>> {
//!     Ok(game.by_name(path)?.read()?)
//! }
//!
//! let game = daisho::Game::open(["corpus/game/data"])?;
//! assert_eq!(asset(&game, "maps/e1m1.bsp")?.len(), 31_956);
//! assert_eq!(asset(&game, "maps/e9m9.bsp").unwrap_err().kind(), io::ErrorKind::NotFound);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Find the largest picture of an archive:
//!
//! ```
//! use daisho::media::{Depth, Kind, facts};
//!
//! let archive = daisho::Archive::open("corpus/game/data/pak1.pak")?;
//! let mut largest = (0, String::new()); // in pixels
//! for entry in archive.entries().filter(|it| Kind::of(it.name()) == Kind::Picture) {
//!     let found = facts(entry.name(), &entry.source()?, Depth::Header)?;
//!     let area = found.number("width").unwrap_or(0) * found.number("height").unwrap_or(0);
//!     largest = largest.max((area, entry.name().to_string()));
//! }
//! assert_eq!(largest.0, 9_216);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Convert a picture into a texture of Quake:
//!
//! ```
//! use daisho::media::{DecodeOptions, EncodeOptions, FileType, Palette, Picture, TargetPalette};
//!
//! let archive = daisho::Archive::open("corpus/game/data/pak1.pak")?;
//! let content = archive.read("skins/hero.tga")?;
//! let picture = Picture::decode("hero.tga".into(), &content, &DecodeOptions::default())?;
//! let palette = TargetPalette::new(Palette::quake());
//! let options = EncodeOptions { palette: Some(&palette), ..EncodeOptions::default() };
//! let texture = FileType::Mip.encode("hero.mip".into(), &picture.frames[0].pixels, &options)?;
//! assert!(texture.bytes.starts_with(b"hero"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Make a WAD of PNGs, with the feature `png`:
//!
//! ```
//! # #[cfg(feature = "png")]
//! # {
//! use daisho::media::{EncodeOptions, FileType, Palette, TargetPalette, read_png};
//! use daisho::{Format, Writer};
//! # use daisho::media::{Data, Pixels, png};
//! # let pixels = Pixels { width: 16, height: 16, data: Data::Rgb(vec![60; 768]) };
//! # let files = [("brick", png(&pixels, &Palette::quake(), None)?)];
//!
//! let palette = TargetPalette::new(Palette::quake());
//! let mut wad = Writer::in_memory(Format::Wad2)?;
//! for (texture, file) in files {
//!     let name = format!("{texture}.mip");
//!     let (pixels, fields) = read_png(&file, 1 << 24)?; // at most 16 million pixels
//!     let options =
//!         EncodeOptions { palette: Some(&palette), fields: &fields, ..EncodeOptions::default() };
//!     let mip = FileType::Mip.encode(name.as_str().into(), &pixels, &options)?;
//!     wad.add(&name, mip.bytes)?;
//! }
//! assert!(wad.finish_bytes()?.starts_with(b"WAD2"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! Each of the eight layers is a folder. A layer uses only the layers before it, and `engine`, `media` and `fs`
//! do not use each other. A test checks this.
//!
//! | layer     | job                                                      | feature              |
//! |-----------|----------------------------------------------------------|----------------------|
//! | [`codec`] | bytes to bytes: knows no file, no archive, no name       | none; `core`, `alloc` |
//! | [`archive`] | what every archive is: names, entries, contents; no format | none               |
//! | [`format`](mod@format) | archives on disk: detection, reading, writing | none                 |
//! | [`engine`] | which archives each engine loads, and how it looks up names | none             |
//! | [`media`] | facts and pixels of the files in archives                | none                 |
//! | `fs`      | output files that appear complete or not at all          | `ops`                |
//! | [`ops`]   | operations on many archives; never prints                | `ops`                |
//! | the command | the only code that prints, but for the page's program   | `cli` (default)      |
//!
//! The features:
//!
//! | feature | what it adds                                | dependencies                               |
//! |---------|---------------------------------------------|--------------------------------------------|
//! | none    | `codec`, `archive`, `format`, `engine` and `media` | bstr, crc32fast, deflate64, flate2 over zlib-rs, thiserror; on x86-64 fearless_simd |
//! | `png`   | reading and writing PNGs in `media`         | png                                        |
//! | `ops`   | `png`, batches, threads, the only code that writes files | rayon, cap-std, sha2, walkdir, rustix |
//! | `cli`   | the command `daisho`; nothing for a library | clap, indicatif, serde_json and more       |
//! | `web`   | the program inside the web page, for WASI; nothing for a library | serde_json            |
//!
//! A library turns the default off, and adds `ops` if needed:
//!
//! ```toml
//! daisho = { version = "0.1", default-features = false, features = ["ops"] }
//! ```
//!
//! Four decisions have one place each. `archive::content` connects archives and codings, so no other module
//! of an archive knows how entries are compressed. The tables of `format` describe the records of each format.
//! `fs` creates, links, renames and removes files, with a few system calls that tests make fail one by one.
//! `ops/plan/policy.rs` decides what happens to a file that exists where an output goes.
//!
//! # Data's way through a conversion
//!
//! daisho reads the header and the directory, decides on the format, checks every record, and makes a plan.
//!
//! For a Quake pak, the directory has all sizes, so the offset of each payload in the output is known before
//! anything is decoded. Threads fill a temporary file in parallel: the kernel copies stored payloads, and
//! streams are decoded through a small buffer to their place. The directory comes next, then the header, and
//! then the file gets its name.
//!
//! For a Daikatana pak, sizes are known only after encoding. Entries are encoded in parallel, large ones in
//! blocks, and appended in order. An entry that does not shrink is stored.
//!
//! One thread and sixteen write the same bytes. Memory depends on the number of threads, not on the size of an
//! entry.
//!
//! # What holds everywhere
//!
//! - Input is not trusted. It cannot cause a panic, an allocation that a header only claims, or an access out of
//!   bounds. There is no unsafe code.
//! - A damaged entry costs that entry only. Errors say what failed, where (archive, entry, byte), what was
//!   expected and what was found: see [`Error`].
//! - Names are bytes. They are escaped before they reach a terminal, and become paths only through
//!   [`archive::SafePath`].
//! - A file appears under its final name complete or not at all. Only the verbs that edit, and `ops::undo`, change an
//!   archive.
//! - The same input gives the same bytes and the same report, on any number of threads.
//! - Order, names, duplicates and shared payloads survive a conversion; gaps and dead data do not.
//!
//! # Out of scope
//!
//! - Memory maps: if another program truncates a mapped file, the process is killed. Positional reads serve many
//!   threads as well.
//! - Unsafe code: the decoder is fast without it, as `benches` shows.
//! - Async: a [`codec::Decoder`] accepts bytes from any source, and an archive is a file.
//! - A configuration file: only arguments and a few variables (`DAISHO_JOBS`, `DAISHO_GAME`, `NO_COLOR`) control the command.
// Without the feature, links to `ops` lead to the table of features.
#![cfg_attr(not(feature = "ops"), doc = "")]
#![cfg_attr(not(feature = "ops"), doc = "[`ops`]: #layers")]
#![cfg_attr(not(feature = "ops"), doc = "[`ops::Observer`]: #layers")]
// Many items are used by the command alone.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unreachable_pub, unused_imports))]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod archive;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
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
#[cfg(all(unix, feature = "cli"))]
mod testing;

pub use archive::container::Archive;
pub use archive::entry::Entry;
pub use archive::error::{Error, ErrorKind};
pub use archive::format::Format;
pub use engine::Game;
pub use format::writer::Writer;

/// Runs the Rust examples in README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
