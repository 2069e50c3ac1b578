//! ZIP archives as games read them: PK3, PK4, PKZ and their kin.
//!
//! | part          | content                                                                     |
//! |---------------|-----------------------------------------------------------------------------|
//! | local headers | before each payload: method, CRC-32, sizes and name                         |
//! | directory     | the same for each entry, and the offset of its local header; engines use this |
//! | end record    | the number of entries, and the offset of the directory; the last 22 bytes, unless a comment follows |
//!
//! All numbers are little-endian. A number that does not fit into 16 or 32 bits is replaced by all ones,
//! and is in a larger record (ZIP64), which is read here and never written.

mod end;
mod entries;
mod kinds;
mod links;
mod read;
mod salvage;
mod write;

use crate::archive::bytes::array_at;
pub(super) use read::Zip;
pub(crate) use read::{another_kind, ends_in_a_zip};

/// Signature of a local header, and so the beginning of most ZIPs.
pub(super) const LOCAL: [u8; 4] = *b"PK\x03\x04";
/// Signature of a record in the directory.
const RECORD: [u8; 4] = *b"PK\x01\x02";
/// Signature of the end record, and the beginning of an empty ZIP.
pub(super) const END: [u8; 4] = *b"PK\x05\x06";
/// Signature at the beginning of a ZIP that is split over files.
pub(super) const SPLIT: [u8; 4] = *b"PK\x07\x08";
/// Signatures of the ZIP64 end record and of its locator.
const END64: [u8; 4] = *b"PK\x06\x06";
const LOCATOR64: [u8; 4] = *b"PK\x06\x07";

/// The lengths of the headers and records, without names and comments.
pub(super) const LOCAL_LEN: usize = 30;
pub(super) const RECORD_LEN: usize = 46;
pub(super) const END_LEN: usize = 22;
const END64_LEN: usize = 56;
const LOCATOR64_LEN: usize = 20;

/// The supported methods.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Flags of an entry: encrypted; sizes and CRC-32 follow the payload; the name is UTF-8.
const ENCRYPTED: u16 = 1;
const DESCRIPTOR: u16 = 1 << 3;
const UTF8: u16 = 1 << 11;

/// The number of two bytes at `at`, or 0 beyond the end, which no caller reads.
fn two(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array_at(bytes, at))
}

/// The number of four bytes at `at`.
fn four(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

/// The number of eight bytes at `at`.
fn eight(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

/// The extra field with this number.
fn field(mut extra: &[u8], number: u16) -> Option<&[u8]> {
    while let Some((head, rest)) = extra.split_at_checked(4) {
        let (content, behind) = rest.split_at_checked(two(head, 2).into())?;
        if two(head, 0) == number {
            return Some(content);
        }
        extra = behind;
    }
    None
}
