//! What archives look like on disk: their headers and records, telling the formats apart, opening, and
//! writing.
//!
//! This page is meant to be enough to read paks in any language: the container, a pak byte by byte,
//! how its two formats are told apart, ZIPs for games, texture archives, and what real files are like. What a compressed payload
//! holds stands in [`codec`](crate::codec); what every archive is, whatever its format, in
//! [`archive`](crate::archive), with reading a file and what is wrong with one.
//!
//! # The container
//!
//! All numbers have 32 bits, the lowest byte first.
//!
//! | part      | bytes     | content                                                             |
//! |-----------|-----------|---------------------------------------------------------------------|
//! | header    | 12        | at 0 the magic, at 4 where the directory begins, at 8 how long it is, in bytes |
//! | payloads  | any       | wherever the directory says                                         |
//! | directory | n records | wherever the header says: mostly last, sometimes right behind the header, sometimes with bytes behind it |
//!
//! The formats differ in the magic and in the fields of a record:
//!
//! | field of a record                              | Quake   | Daikatana | SiN     | HROT    | Anachronox |
//! |------------------------------------------------|---------|-----------|---------|---------|------------|
//! | the magic of its archives                      | `PACK`  | `PACK`    | `SPAK`  | `HROT`  | `ADAT`     |
//! | how long a record is                           | 64      | 72        | 128     | 128     | 144        |
//! | the name, up to its first NUL; what follows is no part of it | 0..56 | 0..56 | 0..120 | 0..120 | 0..128 |
//! | where the payload begins, from the start of the file | 56 | 56       | 120     | 120     | 128        |
//! | `size`: how long the file is, decompressed     | 60      | 60        | 124     | 124     | 132        |
//! | `packed_size`: how long its stream is, the end marker included | | 64 | |               | 136        |
//! | the flag: 0 for a stored file, anything else for a compressed one | | 68 | |            |            |
//!
//! - Anachronox's header has four bytes more, a version, which is 9. Its streams are zlib's; a stored
//!   file has the `packed_size` 0. A checksum of a kind that is not known stands at 140, so its archives
//!   are read and not written.
//! - Quake's records are those of Quake II, Half-Life and Hexen II, too.
//! - The payload of a stored file has `size` bytes. Its `packed_size` means nothing: Daikatana's
//!   own packer repeats `size` there, other tools write 0.
//! - Files are compressed or stored one by one, side by side. The game opens `.tga`, `.bmp`, `.wal`,
//!   `.pcx` and `.bsp` through its decompressor, and dies at any other type that is compressed
//!   ([`coding_for`]).
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
//! use daisho::{Archive, Format, Writer};
//!
//! let mut writer = Writer::in_memory(Format::Daikatana)?;
//! writer.add("skins/black.tga", &[0; 195])?;
//! let pak = writer.finish()?.into_inner();
//!
//! assert_eq!(pak.len(), 0x58);
//! assert_eq!(pak[..0x10], *b"PACK\x10\0\0\0\x48\0\0\0\x7F\x7F\x7F\xFF");
//! assert_eq!(pak[0x10..0x20], *b"skins/black.tga\0");
//! assert_eq!(pak[0x20..0x48], [0; 40]);
//! assert_eq!(pak[0x48..], *b"\x0C\0\0\0\xC3\0\0\0\x04\0\0\0\x01\0\0\0");
//!
//! let archive = Archive::from_bytes(pak)?;
//! assert_eq!(archive.format(), Format::Daikatana);
//! for entry in &archive {
//!     let line = format!("{} {}", entry.name(), entry.size());
//!     assert_eq!(line, "skins/black.tga 195");
//! }
//! let entry = archive.get("skins/black.tga").unwrap();
//! assert_eq!(entry.read()?, [0; 195]);
//!
//! // Every byte has its place.
//! let account = archive.account();
//! assert_eq!((account.header, account.payload, account.directory), (12, 4, 72));
//! assert_eq!(account.sum(), 0x58);
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! # Which format it is
//!
//! The magic says it, but for Quake's and Daikatana's: nothing in the file tells these
//! two apart. The directory's length does where 64 or 72 divides it, and not
//! both; but 576 is a multiple of both, so **one Daikatana pak in eight** (whenever 8 divides the
//! number of entries) and one Quake pak in nine fit either format. What tells then is that the wrong
//! one reads names out of the middle of numbers from the second record on. [`detect`](fn@detect)
//! weighs that record by record, holds on damaged paks, and gives its reasons:
//!
//! ```
//! use daisho::{Archive, Format};
//!
//! // 8 entries, so 576 bytes of directory.
//! let archive = Archive::open("corpus/paks/sound/both-divide-daikatana-8.pak")?;
//! assert_eq!(archive.format(), Format::Daikatana);
//! let why = archive.why();
//! assert_eq!(why[0], "the directory's 576 bytes divide by 64 and by 72");
//! assert!(why[1].starts_with("as 64-byte records, "));
//! assert!(why[2].starts_with("as 72-byte records, all 8 names are names"));
//! assert_eq!(why[3], "so its records say daikatana");
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! Use [`Archive::with_options`](crate::Archive::with_options) to override what is found out. What a few
//! lines can tell of it stands in `corpus/daisho.magic`, as patterns for `file`.
//!
//! # PK3 and its kin
//!
//! The engines that came after read ZIP archives, under many extensions. Each entry has two headers, one
//! before its payload and one in the directory, which is at the end; engines go by the latter. What they
//! make of everything beyond that differs, so what is written here is what all of them load: methods 0
//! (stored) and 8 (deflated), flags 0, both headers the same, sizes before the payload, no ZIP64, no
//! folders, at most 65,534 entries, and a local header as the first bytes.
//!
//! ```
//! use daisho::{Archive, Format, Writer};
//!
//! let mut writer = Writer::in_memory(Format::Pk3)?;
//! writer.add("maps/a.bsp", &[7; 5000])?;
//! let zip = writer.finish()?.into_inner();
//! assert!(zip.starts_with(b"PK\x03\x04") && zip.len() < 500);
//!
//! let archive = Archive::from_bytes(zip)?;
//! let entry = archive.get("maps/a.bsp").unwrap();
//! assert_eq!(entry.read()?, [7; 5000]);
//! // What it sums up to is stated, and was checked.
//! assert_eq!(entry.stated_crc32(), Some(entry.verify()?.checked.crc32));
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! What is read is much more: see `corpus/zips`. An entry that cannot be read for what its headers say
//! has a [`Flaw`](crate::archive::Flaw), and costs nothing but itself.
//!
//! Programs, books and office files are ZIPs, too. Those are read like any other, and a
//! [`Note`](crate::archive::Note) says what the names in them tell.
//!
//! # Texture archives
//!
//! WAD2, of Quake, and WAD3, of Half-Life, have the container above with two differences: behind the
//! magic comes first the number of records and then where the directory begins, and a record says more
//! than where its file, which is called a lump, lies:
//!
//! | bytes of a record | content                                                             |
//! |-------------------|---------------------------------------------------------------------|
//! | 0..4              | where the payload begins                                            |
//! | 4..8, 8..12       | how long it is, in the file and decompressed                        |
//! | 12                | the type: 64 `@` a palette, 66 `B` a picture; a texture is 68 `D` in WAD2 and 67 `C` in WAD3; 70 `F` is a font in WAD3 |
//! | 13                | how it is compressed: always 0                                      |
//! | 16..32            | the name, up to its first NUL, without an extension: engines look for it in lower case |
//!
//! Here the type is the extension of the file's name, so that such an archive can become any other and
//! come back:
//!
//! ```
//! use daisho::{Archive, Format, Writer};
//!
//! let wad = Archive::open("corpus/wads/sound/names.wad")?;
//! let names: Vec<String> = wad.entries().map(|entry| entry.name().to_string()).collect();
//! assert_eq!(names[..3], ["brick1.mip", "num_0.lmp", "#lava1.mip"]); // The last one is *lava1.
//! assert!(wad.directory()[2 * 32 + 16..].starts_with(b"*lava1\0"));
//!
//! // What a WAD does not hold is refused by its name.
//! let mut writer = Writer::in_memory(Format::Wad2)?;
//! assert!(writer.add("readme.txt", b"by hand").is_err());
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! Files of other kinds that people take for these are named: [`known_as`].
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
//! | several entries of one name (Hexen II's pak0 has three)   | engines serve the first, or the last: [`Which`](crate::archive::Which) |
//! | names in upper case, with `\`, in no UTF-8                | what the packer was given         |
//! | another order of payloads than of records                 | nothing                           |
//! | streams without an end marker, or with bytes behind it     | a warning                         |
//! | streams with the byte `0xFE`                              | [two readings](crate::codec#the-reserved-byte), one of which comes out |
//! | a directory of length 0                                   | an empty pak: two engines refuse it, three stop looking for further ones, so none is written |
//!
//! [`Archive::notes`](crate::Archive::notes), [`Archive::account`](crate::Archive::account) and
//! [`Entry::verify`](crate::Entry::verify) report them; none is an error.
//!
//! # A pak that every reader takes
//!
//! The narrowest of what is known of readers. [`Writer`](crate::Writer) sees to all of it but the
//! spelling of names, and takes for limits what [`Limits`] says, by default what the format can.
//! Whoever writes paks elsewhere does well to keep to all of it:
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
//! # Another archive from it
//!
//! [`Writer`](crate::Writer) writes into a file, memory, or anything that can be written and sought in.
//! A Quake pak out of a Daikatana one, in memory:
//!
//! ```
//! use daisho::{Archive, Format, Writer};
//!
//! let from = Archive::open("corpus/game/data/pak1.pak")?;
//! let mut writer = Writer::in_memory(Format::Quake)?;
//! for entry in &from {
//!     writer.add_entry(&entry)?;
//! }
//! let quake = Archive::from_bytes(writer.finish()?.into_inner())?;
//!
//! assert_eq!((from.format(), quake.format()), (Format::Daikatana, Format::Quake));
//! for (old, new) in from.entries().zip(&quake) {
//!     assert_eq!(old.name(), new.name());
//!     assert_eq!(old.verify()?.checked, new.verify()?.checked); // size and CRC-32
//! }
//! # Ok::<(), daisho::Error>(())
//! ```
//!
//! Into a file, on all threads, and under its name when it is whole: that is `ops::convert`, with
//! the feature `ops`.

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

mod container;
mod detect;
mod entries;
mod fixed;
mod lump;
mod open;
mod records;
mod relatives;
mod spec;
mod table;
pub(crate) mod write;
mod zip;

pub use detect::{Basis, Detection, Peek, Reading, Tally, detect};
#[cfg(feature = "ops")]
pub(crate) use lump::{TEXTURE_HEADER, has_palette, name_in};
pub use records::{HEADER_LEN, Header, Lump, Packed, Record};
pub use relatives::{Alike, known_as};
pub use spec::{Spec, coding_for};
pub use write::Limits;
#[cfg(feature = "ops")]
pub(crate) use zip::{another_kind, ends_in_a_zip};

pub(crate) use records::NUMBER_MAX;
#[cfg(any(test, feature = "ops"))]
pub(crate) use write::Directory;
#[cfg(feature = "ops")]
pub(crate) use write::check_name;
