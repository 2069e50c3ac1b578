//! The headers of a ZIP that every engine loads.
//!
//! Some engine refuses each of these: ZIP64, sizes after the payload, any flag, bytes before the first
//! header, two headers that disagree, folders, more than 65,534 entries. So none of them is written:
//! methods are 0 and 8, flags 0, and both headers agree. The time is always the earliest possible one, so
//! that the same input gives the same bytes.

use super::headers::{DEFLATED, END, FIXED_LEN, LOCAL, LOCAL_LEN, RECORD, RECORD_LEN, STORED};
use crate::archive::error::ErrorKind;
use crate::archive::{Coding, Format, RawName};
use crate::format::container::Placed;

/// Version 2.0, as deflate needs, made on MS-DOS, which has no permissions.
const VERSION: u16 = 20;
/// Midnight on 1 January 1980.
const TIME: u16 = 0;
const DATE: u16 = 0x21;

/// Whether an entry can have this name. An empty name, or one that ends in a slash, would be a folder, and programs drop it.
pub(crate) fn check_name(format: Format, name: RawName<'_>) -> Result<(), ErrorKind> {
    let (name, most) = (name.as_bytes(), format.spec().name_max);
    if matches!(name, [] | [.., b'/' | b'\\']) {
        return Err(ErrorKind::NameOfFolder);
    }
    if name.starts_with(b"./") {
        return Err(ErrorKind::NameFromHere);
    }
    if name.len() > most {
        let len = name.len();
        return Err(ErrorKind::NameTooLong { len, most, format });
    }
    Ok(())
}

/// The local header of an entry.
pub(crate) fn local_header(entry: &Placed<'_>) -> Vec<u8> {
    let mut out = Vec::with_capacity(LOCAL_LEN + entry.name.len());
    out.extend(LOCAL);
    common(entry, &mut out);
    // No extra field.
    out.extend([0; 2]);
    out.extend(&*entry.name);
    out
}

/// Appends an entry's record.
pub(crate) fn record(entry: &Placed<'_>, out: &mut Vec<u8>) {
    let lead = FIXED_LEN + u32::from(entry.name_len);
    out.reserve(RECORD_LEN + entry.name.len());
    out.extend(RECORD);
    out.extend(VERSION.to_le_bytes());
    common(entry, out);
    // No extra field, no comment, the first file, no attributes.
    out.extend([0; 12]);
    out.extend(entry.offset.saturating_sub(lead).to_le_bytes());
    out.extend(&*entry.name);
}

/// The end record, and its offset.
pub(crate) fn end_record(entries: usize, (offset, len): (u32, u32)) -> (Vec<u8>, u64) {
    let entries = u16::try_from(entries).unwrap_or(u16::MAX);
    let mut record = END.to_vec();
    record.extend([0; 4]);
    record.extend(entries.to_le_bytes());
    record.extend(entries.to_le_bytes());
    record.extend(len.to_le_bytes());
    record.extend(offset.to_le_bytes());
    // No comment.
    record.extend([0; 2]);
    (record, u64::from(offset) + u64::from(len))
}

/// The fields that both headers of an entry share: from the version to the length of the name.
fn common(entry: &Placed<'_>, out: &mut Vec<u8>) {
    let method = if entry.coding == Coding::Stored {
        STORED
    } else {
        // The directory refuses other codings.
        DEFLATED
    };
    for number in [VERSION, 0, method, TIME, DATE] {
        out.extend(number.to_le_bytes());
    }
    for number in [entry.crc32, entry.stored_len, entry.size] {
        out.extend(number.to_le_bytes());
    }
    out.extend(entry.name_len.to_le_bytes());
}
