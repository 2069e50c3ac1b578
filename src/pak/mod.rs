//! One archive: its header and records, its layout, the names and payloads in it, and writing
//! another one.
//!
//! This page is meant to be enough to read paks in any language: the container, a pak byte by byte,
//! how its two layouts are told apart, and what real files are like. What a compressed payload
//! holds stands in [`codec`](crate::codec).
//!
//! # The container
//!
//! All numbers have 32 bits, the lowest byte first.
//!
//! | part      | bytes     | content                                                             |
//! |-----------|-----------|---------------------------------------------------------------------|
//! | header    | 12        | at 0 `PACK`, at 4 where the directory begins, at 8 how long it is, in bytes |
//! | payloads  | any       | wherever the directory says                                         |
//! | directory | n records | wherever the header says: mostly last, sometimes right behind the header, sometimes with bytes behind it |
//!
//! A record is 64 bytes long in Quake, Quake II, Half-Life and Hexen II, and 72 in Daikatana:
//!
//! | at | bytes | Quake | Daikatana | what                                                         |
//! |----|-------|-------|-----------|--------------------------------------------------------------|
//! | 0  | 56    | yes   | yes       | the name, up to its first NUL; what follows is no part of it  |
//! | 56 | 4     | yes   | yes       | where the payload begins, from the start of the file         |
//! | 60 | 4     | yes   | yes       | `size`: how long the file is, decompressed                   |
//! | 64 | 4     |       | yes       | `packed_size`: how long its stream is, the end marker included |
//! | 68 | 4     |       | yes       | the flag: 0 for a stored file, anything else for a compressed one |
//!
//! - The payload of a stored file has `size` bytes. Its `packed_size` means nothing: Daikatana's
//!   own packer repeats `size` there, other tools write 0.
//! - Files are compressed or stored one by one, side by side. The game opens `.tga`, `.bmp`, `.wal`,
//!   `.pcx` and `.bsp` through its decompressor, and dies at any other type that is compressed
//!   ([`may_be_compressed`]).
//! - A file of size 0 has no payload, and its offset means nothing.
//! - Names are bytes in no stated encoding, parts divided by `/`, sometimes by `\`.
//!
//! # A pak byte by byte
//!
//! One of Daikatana's, with one file in it, compressed:
//!
//! ```text
//! 00000000  50 41 43 4b 10 00 00 00  48 00 00 00 7f 7f 7f ff  |PACK....H.......|
//! 00000010  73 6b 69 6e 73 2f 62 6c  61 63 6b 2e 74 67 61 00  |skins/black.tga.|
//! 00000020  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
//! 00000030  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
//! 00000040  00 00 00 00 00 00 00 00  0c 00 00 00 c3 00 00 00  |................|
//! 00000050  04 00 00 00 01 00 00 00                           |........|
//! ```
//!
//! | at     | bytes         | meaning                                                              |
//! |--------|---------------|----------------------------------------------------------------------|
//! | `0x00` | `50 41 43 4b` | `PACK`                                                               |
//! | `0x04` | `10 00 00 00` | the directory begins at byte `0x10`                                  |
//! | `0x08` | `48 00 00 00` | and is `0x48` = 72 bytes long, which 64 does not divide: one record of 72 |
//! | `0x0c` | `7f 7f 7f ff` | the payload: three runs of 65 zeros, and the [end](crate::codec)     |
//! | `0x10` | `73 6b` ...   | the record: its name, and NULs up to 56 bytes                        |
//! | `0x48` | `0c 00 00 00` | its payload begins at byte `0x0c`                                    |
//! | `0x4c` | `c3 00 00 00` | 195 bytes of picture                                                 |
//! | `0x50` | `04 00 00 00` | come from a stream of 4                                              |
//! | `0x54` | `01 00 00 00` | for it is compressed                                                 |
//!
//! A Quake pak of the same file holds the 195 bytes themselves, and its record ends before `0x50`.
//! Written, and read again:
//!
//! ```
//! use daisho::pak::{Archive, Case, Coding, Layout, Limits, MemorySink, RawName, Which, Writer};
//!
//! let mut writer = Writer::new(MemorySink::new(), Layout::Daikatana, Limits::default());
//! writer.begin(RawName::from("skins/black.tga"))?;
//! writer.append(&[0x7F, 0x7F, 0x7F, 0xFF])?; // a stream that was made before
//! writer.end(195, Coding::Compressed)?;
//! let (sink, _) = writer.finish()?;
//! let pak = sink.into_bytes();
//!
//! assert_eq!(pak.len(), 0x58);
//! assert_eq!(pak[..0x10], *b"PACK\x10\0\0\0\x48\0\0\0\x7F\x7F\x7F\xFF");
//! assert_eq!(pak[0x10..0x20], *b"skins/black.tga\0");
//! assert_eq!(pak[0x20..0x48], [0; 40]);
//! assert_eq!(pak[0x48..], *b"\x0C\0\0\0\xC3\0\0\0\x04\0\0\0\x01\0\0\0");
//!
//! let archive = Archive::new(pak)?;
//! assert_eq!(archive.layout(), Layout::Daikatana);
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
//! assert_eq!(account.sum(), 0x58);
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! # Which layout it is
//!
//! Nothing in the file says it. The directory's length does where 64 or 72 divides it, and not
//! both; but 576 is a multiple of both, so **one Daikatana pak in eight** (whenever 8 divides the
//! number of entries) and one Quake pak in nine fit either layout. What tells then is that the wrong
//! one reads names out of the middle of numbers from the second record on. [`detect`](mod@detect)
//! weighs that record by record, holds on damaged paks, and gives its reasons:
//!
//! ```
//! use daisho::pak::{Archive, Layout};
//!
//! // 8 entries, so 576 bytes of directory.
//! let archive = Archive::open("corpus/paks/sound/both-divide-daikatana-8.pak")?;
//! assert_eq!(archive.layout(), Layout::Daikatana);
//! let reasons = archive.detection().reasons();
//! assert_eq!(reasons[0], "the directory's 576 bytes divide by 64 and by 72");
//! assert!(reasons[1].starts_with("as 64-byte records, "));
//! assert!(reasons[2].starts_with("as 72-byte records, all 8 names are names"));
//! assert_eq!(reasons[3], "so its records say daikatana");
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! Use [`Archive::with_options`] to override what is found out.
//!
//! # Relatives
//!
//! SiN's archives (`.sin`) and HROT's (`.pak`) are built alike, begin with `SPAK` and `HROT`, and have
//! records of 128 bytes: a name of 120, then offset and size; every file is stored. Other relatives
//! are named and not read: Anachronox (`ADAT`), and PK3 and PK4 files, which are ZIP archives
//! ([`known_as`](relative::known_as)).
//!
//! # What real paks are like
//!
//! A reader that refuses any of this refuses paks that games load. Each has its file in `corpus/`.
//!
//! | what is found                                             | what it means                     |
//! |-----------------------------------------------------------|-----------------------------------|
//! | bytes behind a name's NUL (12 of 39 paks looked at)        | leaked memory: never compared, shown or copied |
//! | a name of 56 bytes without a NUL                          | readable; id's engines run on into the offset, so it is never written: 55 is the longest |
//! | gaps of 1 to 4 bytes; one of 187,748                      | alignment; dead data              |
//! | bytes behind the directory                                | nothing                           |
//! | entries of size 0, at any offset                          | empty files                       |
//! | entries that share one extent                             | a packer that deduplicates        |
//! | several entries of one name (Hexen II's pak0 has three)   | engines serve the first, or the last: [`Which`] |
//! | names in upper case, with `\`, in no UTF-8                | what the packer was given         |
//! | another order of payloads than of records                 | nothing                           |
//! | streams without an end marker, or with bytes behind it     | a warning                         |
//! | streams with the byte `0xFE`                              | [two readings](crate::codec#the-reserved-byte), one of which comes out |
//! | a directory of length 0                                   | an empty pak: two engines refuse it, three stop looking for further ones, so none is written |
//!
//! [`Archive::oddities`], [`Archive::account`] and [`Entry::verify`] tell of them; none is an error.
//!
//! # A pak that every reader takes
//!
//! The narrowest of what is known of readers. [`Writer`] and [`Planner`] see to names, order and the
//! directory by themselves, leave the case of names, and take for limits what [`Limits`] says, by
//! default what the format can; what [`coding_for`] and the encoder make keeps to the rules on
//! streams. Whoever writes paks elsewhere does well to keep to all of it:
//!
//! - one entry at least; payloads from byte 12 on without gaps, in the order of the records; then
//!   the directory, and nothing behind it;
//! - names of 55 bytes at most, the rest of the field all NUL, in lower case and with `/` where the
//!   engine is not known, since some find no other;
//! - for Daikatana, `packed_size` equal to `size` and the flag 0 for a stored file, the flag exactly 1
//!   for a compressed one (some readers take no other value), nothing compressed but the five types,
//!   and a file whose stream would not be smaller stored;
//! - streams without overlapping copies and without `0xFE`, and with `0xFF` as their last byte;
//! - offsets and sizes below 2^31 where the engine's numbers have a sign, which most have, and no more
//!   entries than it takes.
//!
//! # One file from a pak
//!
//! ```
//! use daisho::pak::{Archive, Case, Which};
//!
//! let archive = Archive::open("corpus/game/data/pak1.pak")?;
//! let entry = archive.find("maps/e1m2.bsp", Case::Ignored, Which::First);
//! let entry = entry.ok_or("the pak has no such file")?;
//!
//! // At once,
//! let level = entry.read()?;
//! assert_eq!(level.len(), 46_648);
//! // or as a `Read`, in constant memory,
//! let mut file = Vec::new();
//! std::io::copy(&mut entry.decoded()?, &mut file)?;
//! assert_eq!(file, level);
//! // or its payload as it lies in the pak.
//! let mut stream = Vec::new();
//! std::io::copy(&mut entry.stored()?, &mut stream)?;
//! assert_eq!(stream.len(), 17_914);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A pak can be read from anything that is [`ReadAt`]: a file, bytes in memory, a part of something
//! larger. All goes through `&self`, so any number of threads can share it.
//!
//! # Another pak from it
//!
//! [`Planner`] is for sizes that are known, payloads in any order and from any thread; [`Writer`] for
//! an encoder that finds them out. Neither opens files: what they write goes into a [`Sink`]. A
//! Quake pak out of a Daikatana one, in memory:
//!
//! ```
//! use daisho::pak::{Archive, Layout, Limits, MemorySink, Writer, coding_for};
//!
//! let from = Archive::open("corpus/game/data/pak1.pak")?;
//! let to = Layout::Quake;
//! let mut writer = Writer::new(MemorySink::new(), to, Limits::default());
//! for entry in from.entries() {
//!     writer.add_entry(0, &entry, coding_for(entry.name(), to))?;
//! }
//! let (sink, _) = writer.finish()?;
//!
//! let quake = Archive::new(sink.into_bytes())?;
//! assert_eq!((from.layout(), quake.layout()), (Layout::Daikatana, Layout::Quake));
//! for (old, new) in from.entries().zip(quake.entries()) {
//!     assert_eq!(old.name(), new.name());
//!     assert_eq!(old.verify()?.checked, new.verify()?.checked); // size and CRC-32
//! }
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! Into a file, on all threads, and under its name when it is whole: that is `ops::convert`, with
//! the feature `ops`.
//!
//! # When something is wrong
//!
//! An [`Error`](crate::Error) has a kind with the numbers that disagree, a place, and mostly a word
//! on what to do. A damaged entry costs that entry: the others are read as if it were not there.
//!
//! ```
//! use daisho::pak::Archive;
//! use daisho::codec::DecodeErrorKind;
//! use daisho::ErrorKind;
//!
//! let archive = Archive::open("corpus/paks/broken/size-one-too-large.pak")?;
//! let mut bad = Vec::new();
//! for entry in archive.entries() {
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
//! - What games load is read: see the table of real paks.
//! - A name becomes a path through [`SafePath`] only, which refuses what would lead out of a folder
//!   or what no file may be called; and it is shown [escaped](escape).
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
pub mod reserved;
pub mod source;
pub mod unescape;
pub mod write;

pub use account::{Account, Shared};
pub use archive::{Archive, Oddity, ReadOptions};
pub use check::{Check, Checked};
pub use detect::{Basis, Detection, Reading, detect};
pub use entry::{Entry, Extent, Verified};
pub use kind::{Kind, may_be_compressed};
pub use layout::{Header, Layout, Packed, Record};
pub use lookup::{Case, Which};
pub use name::{RawName, escape, quoted};
pub use path::{PathError, SafePath};
pub use payload::{DecodedReader, StoredReader};
pub use reserved::{ReservedReading, ReservedVote};
pub use source::ReadAt;
pub use unescape::unescape;
pub use write::{
    Coding, Limits, MemorySink, Origin, Plan, Planned, Planner, Shares, Sink, Slot, Writer,
    coding_for,
};
