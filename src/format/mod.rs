//! Archives on disk: headers and records, detection, opening, and writing.
//!
//! This page is enough to read paks in any language: the container, a pak byte by byte, how to
//! tell its two formats apart, ZIPs for games, texture archives, and properties of real files. Compressed
//! payloads are described in [`codec`](crate::codec). What all archives have in common is in
//! [`archive`](crate::archive), with reading and errors.
//!
//! # The container
//!
//! All numbers have 32 bits and are little-endian.
//!
//! | part      | bytes     | content                                                             |
//! |-----------|-----------|---------------------------------------------------------------------|
//! | header    | 12        | at 0 the magic, at 4 the offset of the directory, at 8 its length in bytes |
//! | payloads  | any       | wherever the directory says                                         |
//! | directory | n records | wherever the header says: usually last, sometimes right after the header, sometimes with bytes after it |
//!
//! The formats differ in the magic and in the fields of a record:
//!
//! | field of a record                              | Quake   | Daikatana | SiN     | HROT    | Anachronox |
//! |------------------------------------------------|---------|-----------|---------|---------|------------|
//! | magic                                          | `PACK`  | `PACK`    | `SPAK`  | `HROT`  | `ADAT`     |
//! | length of a record                             | 64      | 72        | 128     | 128     | 144        |
//! | the name, up to its first NUL; ignore the bytes after it | 0..56 | 0..56 | 0..120 | 0..120 | 0..128 |
//! | offset of the payload in the file              | 56      | 56        | 120     | 120     | 128        |
//! | `size`: length of the decompressed file        | 60      | 60        | 124     | 124     | 132        |
//! | `packed_size`: length of the stream, end marker included | | 64    |         |         | 136        |
//! | the flag: 0 for a stored file, anything else for a compressed one | | 68 | |            |            |
//!
//! - Anachronox's header has four more bytes, a version, which is 9. Its streams are zlib's; a stored
//!   file has the `packed_size` 0. At 140 is a checksum of an unknown kind, so its archives
//!   are read but not written.
//! - Quake II, Half-Life and Hexen II use Quake's records, too.
//! - The payload of a stored file has `size` bytes. Its `packed_size` means nothing: Daikatana's
//!   own packer repeats `size` there, other tools write 0.
//! - Files are compressed or stored one by one, side by side. The game opens `.tga`, `.bmp`, `.wal`,
//!   `.pcx` and `.bsp` through its decompressor, and crashes at any other type that is compressed
//!   ([`Format::coding_for`](crate::Format::coding_for)).
//! - A file of size 0 has no payload, and its offset means nothing.
//! - Names are bytes in no defined encoding. Their parts are separated by `/`, sometimes by `\`.
//!
//! # A pak byte by byte
//!
//! A pak of Daikatana with one compressed file:
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
//! | `0x08` | `48 00 00 00` | and is `0x48` = 72 bytes long. That is no multiple of 64: one record of 72 |
//! | `0x0c` | `7f 7f 7f ff` | the payload: three runs of 65 zeros, and the [end](crate::codec)     |
//! | `0x10` | `73 6b` ...   | the record: its name, and NULs up to 56 bytes                        |
//! | `0x48` | `0c 00 00 00` | its payload begins at byte `0x0c`                                    |
//! | `0x4c` | `c3 00 00 00` | 195 bytes of picture                                                 |
//! | `0x50` | `04 00 00 00` | from a stream of 4 bytes                                             |
//! | `0x54` | `01 00 00 00` | because it is compressed                                             |
//!
//! A Quake pak of the same file contains the 195 bytes themselves, and its record ends before `0x50`. This
//! writes the pak, and reads it again:
//!
//! ```
//! use daisho::{Archive, Format, Writer};
//!
//! let mut writer = Writer::in_memory(Format::Daikatana)?;
//! writer.add("skins/black.tga", &[0; 195])?;
//! let pak = writer.finish_bytes()?;
//!
//! assert_eq!(pak.len(), 0x58);
//! assert_eq!(pak[..0x10], *b"PACK\x10\0\0\0\x48\0\0\0\x7F\x7F\x7F\xFF");
//! assert_eq!(pak[0x10..0x20], *b"skins/black.tga\0");
//! assert_eq!(pak[0x20..0x48], [0; 40]);
//! assert_eq!(pak[0x48..], *b"\x0C\0\0\0\xC3\0\0\0\x04\0\0\0\x01\0\0\0");
//!
//! let archive = Archive::from_bytes(pak)?;
//! assert_eq!(archive.format(), Some(Format::Daikatana));
//! for entry in archive.entries() {
//!     let line = format!("{} {}", entry.name(), entry.size());
//!     assert_eq!(line, "skins/black.tga 195");
//! }
//! let entry = archive.get("skins/black.tga").unwrap();
//! assert_eq!(entry.read()?, [0; 195]);
//!
//! // Every byte belongs to a part.
//! let account = archive.account()?;
//! assert_eq!((account.header, account.payload, account.directory), (12, 4, 72));
//! assert_eq!(account.sum(), 0x58);
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! # Which format it is
//!
//! The magic tells, except for Quake's and Daikatana's paks, which have the same. Their directory's length
//! tells if it is a multiple of 64 or 72 but not of both. But 576 is a multiple of both, so **one Daikatana
//! pak in eight** (whenever 8 divides the number of entries) and one Quake pak in nine fits either format.
//! Then the records tell: with the wrong format, names come from the middle of numbers from the second
//! record on. [`Detection::of`] weighs this for each record, works on damaged paks, and gives its
//! reasons:
//!
//! ```
//! use daisho::{Archive, Format};
//!
//! // 8 entries, so 576 bytes of directory.
//! let archive = Archive::open("corpus/paks/sound/both-divide-daikatana-8.pak")?;
//! assert_eq!(archive.format(), Some(Format::Daikatana));
//! let why = archive.why();
//! assert_eq!(why[0], "the directory's 576 bytes divide by 64 and by 72");
//! assert!(why[1].starts_with("as 64-byte records, "));
//! assert!(why[2].starts_with("as 72-byte records, all 8 names are valid names"));
//! assert_eq!(why[3], "so its records say daikatana");
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! Use [`Archive::from_source_with`](crate::Archive::from_source_with) to override the result. The part of these
//! rules that fits into patterns for `file` is in `corpus/daisho.magic`.
//!
//! # PK3 and other ZIPs
//!
//! Later engines read ZIP archives with many extensions. Each entry has two headers, one before its payload
//! and one in the directory at the end; engines use the latter. Engines differ in everything beyond that,
//! so daisho writes only what all of them load: methods 0 (stored) and 8 (deflated), flags 0, both headers
//! the same, sizes before the payload, no ZIP64, no folders, at most 65,534 entries, and a local header at
//! the beginning of the file.
//!
//! ```
//! use daisho::{Archive, Format, Writer};
//!
//! let mut writer = Writer::in_memory(Format::Pk3)?;
//! writer.add("maps/a.bsp", &[7; 5000])?;
//! let zip = writer.finish_bytes()?;
//! assert!(zip.starts_with(b"PK\x03\x04") && zip.len() < 500);
//!
//! let archive = Archive::from_bytes(zip)?;
//! let entry = archive.get("maps/a.bsp").unwrap();
//! assert_eq!(entry.read()?, [7; 5000]);
//! // The directory states the CRC-32, and it was checked.
//! assert_eq!(entry.stated_crc32(), Some(entry.verify()?.crc32));
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! Many more ZIPs can be read: see `corpus/zips`. An entry that cannot be read because of its headers has a
//! [`Flaw`](crate::archive::Flaw); all others can be read.
//!
//! Programs, books and office files are ZIPs, too. They are read like any other.
//!
//! # Texture archives
//!
//! WAD2 of Quake and WAD3 of Half-Life have the container above with two differences. After the magic comes
//! first the number of records and then the offset of the directory. And a record has more fields, because
//! its file, called a lump, has a type:
//!
//! | bytes of a record | content                                                             |
//! |-------------------|---------------------------------------------------------------------|
//! | 0..4              | offset of the payload                                               |
//! | 4..8, 8..12       | its length, in the file and decompressed                            |
//! | 12                | the type: 64 `@` a palette, 66 `B` a picture; a texture is 68 `D` in WAD2 and 67 `C` in WAD3; 70 `F` is a font in WAD3 |
//! | 13                | how it is compressed: always 0                                      |
//! | 16..32            | the name, up to its first NUL, without an extension: engines look for it in lower case |
//!
//! Here the type becomes the extension of the file's name, so such an archive can be converted to any other
//! format and back:
//!
//! ```
//! use daisho::{Archive, Format, Writer};
//!
//! let wad = Archive::open("corpus/wads/sound/names.wad")?;
//! let names: Vec<String> = wad.entries().map(|entry| entry.name().to_string()).collect();
//! assert_eq!(names[..3], ["brick1.mip", "num_0.lmp", "#lava1.mip"]); // The last one is *lava1.
//! assert!(wad.directory()[2 * 32 + 16..].starts_with(b"*lava1\0"));
//!
//! // A file that no WAD can contain is refused by its name.
//! let mut writer = Writer::in_memory(Format::Wad2)?;
//! assert!(writer.add("readme.txt", b"by hand").is_err());
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! Archives of other programs that people mistake for these are recognised:
//! [`ErrorKind::OtherFile`](crate::ErrorKind::OtherFile).
//!
//! # What real paks are like
//!
//! A reader that refuses any of these refuses paks that games load. Each has its file in `corpus/`.
//!
//! | property                                                  | meaning                           |
//! |-----------------------------------------------------------|-----------------------------------|
//! | bytes after a name's NUL (12 of 39 paks examined)         | leaked memory: never compared, shown or copied |
//! | a name of 56 bytes without a NUL                          | readable; id's engines read on into the offset, so daisho writes at most 55 |
//! | gaps of 1 to 4 bytes; one of 187,748                      | alignment; dead data              |
//! | bytes after the directory                                 | nothing                           |
//! | entries of size 0, at any offset                          | empty files                       |
//! | entries that share one extent                             | a packer that deduplicates        |
//! | several entries of one name (Hexen II's pak0 has three)   | engines serve the first, or the last: [`Which`](crate::archive::Which) |
//! | names in upper case, with `\`, not in UTF-8               | as the packer got them            |
//! | payloads and records in different orders                  | nothing                           |
//! | streams without an end marker, or with bytes after it     | a warning                         |
//! | streams with the byte `0xFE`                              | [two readings](crate::codec#the-reserved-byte), one of which is right |
//! | a directory of length 0                                   | an empty pak: two engines refuse it, three stop looking for other paks, so daisho never writes one |
//!
//! [`Archive::notes`](crate::Archive::notes), [`Archive::account`](crate::Archive::account) and
//! [`Entry::verify`](crate::Entry::verify) report them. None is an error.
//!
//! # A pak that every reader accepts
//!
//! These are the narrowest limits of all known readers. [`Writer`](crate::Writer) takes care of all of them
//! except the spelling of names; its size limits are [`Limits`], by default those of the format. Other
//! packers should follow all of them:
//!
//! - at least one entry; payloads from byte 12 on without gaps, in the order of the records; then
//!   the directory, and nothing after it;
//! - names of at most 55 bytes, the rest of the field all NUL, in lower case and with `/` if the
//!   engine is not known, since some find no others;
//! - for Daikatana, `packed_size` equal to `size` and the flag 0 for a stored file, the flag exactly 1
//!   for a compressed one (some readers accept no other value), nothing compressed but the five types,
//!   and a file stored if its stream would not be smaller;
//! - streams without overlapping copies and without `0xFE`, and with `0xFF` as their last byte;
//! - offsets and sizes below 2^31 if the engine uses signed numbers, as most do, and no more
//!   entries than it accepts.
//!
//! # Converting an archive
//!
//! [`Writer`](crate::Writer) writes into a file, memory, or anything else that implements `Write` and
//! `Seek`. This converts a Daikatana pak to a Quake pak in memory:
//!
//! ```
//! use daisho::{Archive, Format, Writer};
//!
//! let from = Archive::open("corpus/game/data/pak1.pak")?;
//! let mut writer = Writer::in_memory(Format::Quake)?;
//! writer.allow_duplicates(); // as in Hexen II's pak0
//! for entry in from.entries() {
//!     writer.add_entry(entry)?;
//! }
//! let quake = Archive::from_bytes(writer.finish_bytes()?)?;
//!
//! assert_eq!((from.format(), quake.format()), (Some(Format::Daikatana), Some(Format::Quake)));
//! for (old, new) in from.entries().zip(quake.entries()) {
//!     assert_eq!(old.name(), new.name());
//!     assert_eq!(old.verify()?.crc32, new.verify()?.crc32);
//! }
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! `ops::convert` (feature `ops`) converts files on all threads and renames each output when it is
//! complete.

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

mod container;
mod detect;
mod directory;
mod fixed;
mod lump;
pub(crate) mod map;
mod miptex;
mod open;
mod other_files;
mod records;
mod spec;
pub(crate) mod writer;
mod zip;

pub use detect::{Detection, Reading};
pub use directory::Limits;
pub(crate) use lump::{lump_name_in, name_in, texture_name};
pub(crate) use miptex::Miptex;
pub(crate) use other_files::{Lookalike, is_program, known_as, other_archive};
pub use records::{Header, Record};
pub use spec::Spec;
pub(crate) use zip::ends_in_a_zip;

pub(crate) use directory::{Directory, Payload, check_name};
pub(crate) use records::{HEADER_LEN, NUMBER_MAX};
