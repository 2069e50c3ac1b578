//! The signatures, lengths and field offsets of a ZIP's headers.

/// Signature of a local header, and so the beginning of most ZIPs.
pub(crate) const LOCAL: [u8; 4] = *b"PK\x03\x04";
/// Signature of a record in the directory.
pub(super) const RECORD: [u8; 4] = *b"PK\x01\x02";
/// Signature of the end record, and the beginning of an empty ZIP.
pub(crate) const END: [u8; 4] = *b"PK\x05\x06";
/// Signature at the beginning of a ZIP that is split over files.
pub(crate) const SPLIT: [u8; 4] = *b"PK\x07\x08";
/// Signatures of the ZIP64 end record and of its locator.
pub(super) const END64: [u8; 4] = *b"PK\x06\x06";
pub(super) const LOCATOR64: [u8; 4] = *b"PK\x06\x07";

/// The lengths of these, without names and comments.
pub(crate) const LOCAL_LEN: usize = 30;
pub(crate) const RECORD_LEN: usize = 46;
pub(crate) const END_LEN: usize = 22;
pub(super) const END64_LEN: usize = 56;
pub(super) const LOCATOR64_LEN: usize = 20;

/// Offsets of an entry's fields in a record of the directory. In a local header they are two bytes lower.
pub(super) const FLAGS_AT: usize = 8;
pub(super) const METHOD_AT: usize = 10;
pub(super) const CRC_AT: usize = 16;
pub(super) const PACKED_AT: usize = 20;
pub(super) const SIZE_AT: usize = 24;
/// How many bytes lower.
pub(super) const LOWER: usize = 2;

/// The supported methods.
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;

/// Flags of an entry: encrypted; sizes and CRC-32 follow the payload; the name is UTF-8.
pub(super) const ENCRYPTED: u16 = 1;
pub(super) const DESCRIPTOR: u16 = 1 << 3;
pub(super) const UTF8: u16 = 1 << 11;

/// The number of two bytes at `at`, or 0 beyond the end, which no caller reads.
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

/// Replaces numbers of all ones by those in the ZIP64 extra field.
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

/// The length of the prefix of a name that some programs write relative to the current folder.
pub(super) fn current_folder(name: &[u8]) -> u16 {
    match name.starts_with(b"./") && name.len() > 2 {
        true => 2,
        false => 0,
    }
}

/// The extra field with this number.
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
