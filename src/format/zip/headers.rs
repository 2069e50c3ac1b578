//! What the headers of a ZIP begin with, how long they are, and where their numbers stand.

/// What a local header begins with, and so most ZIPs.
pub(crate) const LOCAL: [u8; 4] = *b"PK\x03\x04";
/// What a record of the directory begins with.
pub(super) const RECORD: [u8; 4] = *b"PK\x01\x02";
/// What the end record begins with, and an empty ZIP.
pub(crate) const END: [u8; 4] = *b"PK\x05\x06";
/// What a ZIP that is split over files begins with.
pub(crate) const SPLIT: [u8; 4] = *b"PK\x07\x08";
/// What the larger end record begins with, and what says where it is.
pub(super) const END64: [u8; 4] = *b"PK\x06\x06";
pub(super) const LOCATOR64: [u8; 4] = *b"PK\x06\x07";

/// The lengths of these without names and comments.
pub(crate) const LOCAL_LEN: usize = 30;
pub(crate) const RECORD_LEN: usize = 46;
pub(crate) const END_LEN: usize = 22;
pub(super) const END64_LEN: usize = 56;
pub(super) const LOCATOR64_LEN: usize = 20;

/// Where an entry's numbers stand in a record of the directory. In a local header they stand two bytes
/// lower.
pub(super) const FLAGS_AT: usize = 8;
pub(super) const METHOD_AT: usize = 10;
pub(super) const CRC_AT: usize = 16;
pub(super) const PACKED_AT: usize = 20;
pub(super) const SIZE_AT: usize = 24;
/// How much lower that is.
pub(super) const LOWER: usize = 2;

/// The methods that are read.
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;

/// Flags of an entry: a password is needed; sizes and CRC-32 stand behind the payload; the name is UTF-8.
pub(super) const ENCRYPTED: u16 = 1;
pub(super) const DESCRIPTOR: u16 = 1 << 3;
pub(super) const UTF8: u16 = 1 << 11;

/// The number of two bytes at `at`; 0 where the bytes end before it, which callers see to.
pub(super) fn two(bytes: &[u8], at: usize) -> u16 {
    let chunk = bytes.get(at..).and_then(|rest| rest.first_chunk());
    chunk.map_or(0, |chunk| u16::from_le_bytes(*chunk))
}

/// The number of four bytes at `at`.
pub(super) fn four(bytes: &[u8], at: usize) -> u32 {
    let chunk = bytes.get(at..).and_then(|rest| rest.first_chunk());
    chunk.map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

/// The number of eight bytes at `at`.
pub(super) fn eight(bytes: &[u8], at: usize) -> u64 {
    let chunk = bytes.get(at..).and_then(|rest| rest.first_chunk());
    chunk.map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

/// Numbers that stand in the extra field where they are too large for their place.
pub(super) fn larger(small: [u32; 3], extra: &[u8]) -> [u64; 3] {
    let mut large = field(extra, 1).unwrap_or_default();
    small.map(|number| match large.split_first_chunk() {
        Some((first, rest)) if number == u32::MAX => {
            large = rest;
            u64::from_le_bytes(*first)
        }
        _ => number.into(),
    })
}

/// What the extra field says under a number.
pub(super) fn field(mut extra: &[u8], number: u16) -> Option<&[u8]> {
    while let Some((head, rest)) = extra.split_at_checked(4) {
        let (content, behind) = rest.split_at_checked(two(head, 2).into())?;
        if two(head, 0) == number {
            return Some(content);
        }
        extra = behind;
    }
    None
}
