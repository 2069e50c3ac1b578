//! Compares the local header of an entry with its record in the directory.
//!
//! The directory counts, as in every engine. Local headers are read because they give the payloads'
//! offsets, and because engines differ if the two disagree. A disagreement that prevents reading is a
//! [`Flaw`] of that entry alone; others are notes.

use super::headers::{
    CRC_AT, DESCRIPTOR, ENCRYPTED, FLAGS_AT, LOCAL, LOCAL_LEN, LOWER, METHOD_AT, PACKED_AT,
    SIZE_AT, UTF8, four, larger, two,
};
use crate::archive::error::Error;
use crate::archive::{Coding, EntryRecord, Flaw, ReadAt};

/// How much is read at a local header: those of small files are close together.
pub(super) const NEAR: usize = 4 << 10;

/// Names of fields, for messages.
const CRC32: &str = "the CRC-32";
const ENCRYPTION: &str = "the flag of encryption";

/// Fields of a record that are compared with the local header and not kept.
pub(super) struct Stated {
    pub(super) method: u16,
    pub(super) flags: u16,
    /// The offset of the name, including an ignored prefix.
    pub(super) name_at: u32,
}

/// The differences of a local header from the directory.
pub(super) struct HeaderDifferences {
    /// Why the entry cannot be read.
    pub(super) flaw: Option<Flaw>,
    /// Whether all harmless fields agree.
    pub(super) same: bool,
    /// Whether the sizes are only after the payload.
    pub(super) behind: bool,
}

/// A local header.
pub(super) struct Local {
    pub(super) method: u16,
    pub(super) flags: u16,
    pub(super) crc32: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
    /// Its length.
    pub(super) len: u32,
    pub(super) name_len: u16,
}

impl Local {
    /// Reads the local header at this offset, or the reason why that fails.
    pub(super) fn read(window: &mut FileWindow<'_>, at: u64) -> Result<Result<Self, Flaw>, Error> {
        let file = window.file;
        let fixed = window.get(at, LOCAL_LEN)?;
        if fixed.is_empty() {
            return Ok(Err(Flaw::Outside { at, file }));
        }
        if fixed.len() < LOCAL_LEN || !fixed.starts_with(&LOCAL) {
            let mut found = [0; 4];
            for (to, from) in found.iter_mut().zip(fixed) {
                *to = *from;
            }
            return Ok(Err(Flaw::NoHeader(found)));
        }
        let (name_len, extra_len) = (two(fixed, 26), two(fixed, 28));
        let [size, packed] = [SIZE_AT, PACKED_AT].map(|at| four(fixed, at - LOWER));
        let mut local = Self {
            method: two(fixed, METHOD_AT - LOWER),
            flags: two(fixed, FLAGS_AT - LOWER),
            crc32: four(fixed, CRC_AT - LOWER),
            packed: packed.into(),
            size: size.into(),
            len: 30 + u32::from(name_len) + u32::from(extra_len),
            name_len,
        };
        if [size, packed].contains(&u32::MAX) {
            let extra_at = at + LOCAL_LEN as u64 + u64::from(name_len);
            let extra = window.get(extra_at, extra_len.into())?;
            [local.size, local.packed, _] = larger([size, packed, 0], extra);
        }
        Ok(Ok(local))
    }

    /// The name in the local header at this offset.
    pub(super) fn name<'w>(
        &self,
        window: &'w mut FileWindow<'_>,
        at: u64,
    ) -> Result<&'w [u8], Error> {
        window.get(at + LOCAL_LEN as u64, self.name_len.into())
    }
}

/// Compares an entry with its local header, and sets its offset to the payload's.
pub(super) fn compare(
    window: &mut FileWindow<'_>,
    record: &mut EntryRecord,
    stated: &Stated,
    name: &[u8],
) -> Result<HeaderDifferences, Error> {
    let local = match Local::read(window, record.offset)? {
        Ok(local) => local,
        Err(flaw) => {
            return Ok(HeaderDifferences {
                flaw: Some(flaw),
                same: true,
                behind: false,
            });
        }
    };
    let same_name = local.name(window, record.offset)? == name;
    record.lead = local.len;
    record.offset = record.offset.saturating_add(local.len.into());
    let encrypted = |flags: u16| u64::from(flags & ENCRYPTED);
    let crc32 = record.crc32.unwrap_or_default();
    let mut flaw = first_difference(&[
        ("the method", stated.method.into(), local.method.into()),
        (ENCRYPTION, encrypted(stated.flags), encrypted(local.flags)),
    ]);
    let numbers = first_difference(&[
        (CRC32, crc32.into(), local.crc32.into()),
        ("the packed size", record.stored_len, local.packed),
        ("the size", record.size, local.size),
    ]);
    let mut same = same_name && (stated.flags ^ local.flags) & (DESCRIPTOR | UTF8) == 0;
    let is_behind = local.flags & DESCRIPTOR > 0;
    if is_behind {
        // If the numbers follow the payload, these are 0 or the same.
        same &= numbers.is_none() || (local.crc32, local.packed, local.size) == (0, 0, 0);
    } else {
        flaw = flaw.or(numbers);
    }
    if record.coding == Coding::Stored && record.stored_len != record.size {
        let (size, packed) = (record.size, record.stored_len);
        flaw = flaw.or(Some(Flaw::StoredLength { size, packed }));
    }
    let behind = is_behind && local.packed == 0 && record.stored_len > 0;
    Ok(HeaderDifferences { flaw, same, behind })
}

/// The first field in which the directory and the local header disagree.
fn first_difference(fields: &[(&'static str, u64, u64)]) -> Option<Flaw> {
    for &(field, directory, header) in fields {
        if directory != header {
            let value = |number: u64| match field {
                CRC32 => format!("{number:08x}").into(),
                _ => number.to_string().into(),
            };
            return Some(Flaw::Disagree {
                field,
                directory: value(directory),
                header: value(header),
            });
        }
    }
    None
}

/// The part of a file that was read last.
pub(super) struct FileWindow<'s> {
    source: &'s dyn ReadAt,
    /// The length of the file.
    pub(super) file: u64,
    /// How much is read at once.
    piece: usize,
    bytes: Vec<u8>,
    start: u64,
}

impl<'s> FileWindow<'s> {
    pub(super) fn new(source: &'s dyn ReadAt, file: u64, piece: usize) -> Self {
        Self {
            source,
            file,
            piece,
            bytes: Vec::new(),
            start: 0,
        }
    }

    /// As many of `N` bytes as there are at an offset that may be far away, without moving the window.
    pub(super) fn peek<const N: usize>(&self, at: u64) -> Result<([u8; N], usize), Error> {
        let mut bytes = [0; N];
        if at >= self.file {
            return Ok((bytes, 0));
        }
        let read = self.source.read_full_at(&mut bytes, at);
        Ok((bytes, read.map_err(|error| Error::from_io(error).at(at))?))
    }

    /// Up to `len` bytes from an offset of the file.
    pub(super) fn get(&mut self, at: u64, len: usize) -> Result<&[u8], Error> {
        if at >= self.file {
            return Ok(&[]);
        }
        let end = self.start + self.bytes.len() as u64;
        let needed = at.saturating_add(len as u64).min(self.file);
        if at < self.start || needed > end {
            self.bytes.resize(len.max(self.piece), 0);
            self.start = at;
            let read = self.source.read_full_at(&mut self.bytes, at);
            self.bytes
                .truncate(read.map_err(|error| Error::from_io(error).at(at))?);
        }
        let from = usize::try_from(at.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let rest = self.bytes.get(from..).unwrap_or_default();
        Ok(rest.get(..len).unwrap_or(rest))
    }
}
