//! The headers of a ZIP that every engine loads.
//!
//! Engines refuse, one thing or the other: ZIP64, sizes behind the payload, any flag, bytes before the
//! first header, two headers that disagree, folders, more than 65,534 entries. So there is none of it:
//! methods 0 and 8, flags 0, and both headers say the same. The time is always the first that can be
//! said, so that the same input gives the same bytes.

use super::headers::{DEFLATED, END, END_LEN, LOCAL, LOCAL_LEN, RECORD, RECORD_LEN, STORED};
use crate::archive::Coding;

/// Version 2.0, as deflate needs, made on MS-DOS: nothing is said of permissions.
const VERSION: u16 = 20;
/// Midnight, the 1st of January 1980.
const TIME: u16 = 0;
const DATE: u16 = 0x21;

/// What both headers of an entry say of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) coding: Coding,
    pub(crate) crc32: u32,
    pub(crate) size: u32,
    pub(crate) packed: u32,
}

impl Entry<'_> {
    /// What the headers have in common: from the version that is needed to the length of the name.
    fn common(&self, out: &mut Vec<u8>) {
        let method = match self.coding {
            Coding::Stored => STORED,
            _ => DEFLATED,
        };
        for number in [VERSION, 0, method, TIME, DATE] {
            out.extend(number.to_le_bytes());
        }
        for number in [self.crc32, self.packed, self.size] {
            out.extend(number.to_le_bytes());
        }
        let name = u16::try_from(self.name.len()).unwrap_or(u16::MAX);
        out.extend(name.to_le_bytes());
    }

    /// Its local header, which its payload follows.
    pub(crate) fn local(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(LOCAL_LEN + self.name.len());
        out.extend(LOCAL);
        self.common(&mut out);
        out.extend([0; 2]);
        out.extend(self.name);
        out
    }

    /// Appends its record of the directory; the local header is at `offset`.
    pub(crate) fn record(&self, offset: u32, out: &mut Vec<u8>) {
        out.reserve(RECORD_LEN + self.name.len());
        out.extend(RECORD);
        out.extend(VERSION.to_le_bytes());
        self.common(out);
        // No extra field, no comment, the first file, no attributes.
        out.extend([0; 12]);
        out.extend(offset.to_le_bytes());
        out.extend(self.name);
    }
}

/// The end record.
pub(crate) fn end(entries: u16, directory: u32, len: u32) -> [u8; END_LEN] {
    let mut out = [0; END_LEN];
    let parts: [&[u8]; 6] = [
        &END,
        &[0; 4],
        &entries.to_le_bytes(),
        &entries.to_le_bytes(),
        &len.to_le_bytes(),
        &directory.to_le_bytes(),
    ];
    for (to, from) in out.iter_mut().zip(parts.into_iter().flatten()) {
        *to = *from;
    }
    out
}
