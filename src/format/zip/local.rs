//! The local header of an entry, compared with what the directory says of it.
//!
//! What the directory says counts, as in every engine. The local headers are read all the same, for
//! where payloads begin, and because engines differ where the two disagree: what they must agree in to
//! be read is a [`Flaw`] of the entry, which costs that entry; the rest is a note.

use super::headers::{
    CRC_AT, DESCRIPTOR, ENCRYPTED, FLAGS_AT, LOCAL, LOCAL_LEN, LOWER, METHOD_AT, PACKED_AT,
    SIZE_AT, UTF8, four, larger, two,
};
use crate::archive::error::Error;
use crate::archive::{Coding, Field, Flaw, ReadAt, Record};

/// How much is read where a local header is: those of small files lie close together.
const WINDOW: usize = 4 << 10;

/// What a record says that is compared with the local header and not kept.
pub(super) struct Stated {
    pub(super) method: u16,
    pub(super) flags: u16,
    /// Where the name begins, with what is no part of it.
    pub(super) name_at: u32,
}

/// What a local header says else than the directory.
pub(super) struct Compared {
    /// What keeps the entry from being read.
    pub(super) flaw: Option<Flaw>,
    /// Whether all that costs nothing is the same.
    pub(super) same: bool,
    /// Whether the sizes stand behind the payload alone.
    pub(super) behind: bool,
}

/// A local header.
struct Local {
    method: u16,
    flags: u16,
    crc32: u32,
    packed: u64,
    size: u64,
    /// How long it is.
    len: u32,
    /// Whether it has the name that the directory has.
    same_name: bool,
}

impl Local {
    /// The local header at this place, or why there is none.
    fn read(window: &mut Window<'_>, at: u64, name: &[u8]) -> Result<Result<Self, Flaw>, Error> {
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
            same_name: false,
        };
        let behind = at + LOCAL_LEN as u64;
        local.same_name = window.get(behind, name_len.into())? == name;
        if [size, packed].contains(&u32::MAX) {
            let extra = window.get(behind + u64::from(name_len), extra_len.into())?;
            [local.size, local.packed, _] = larger([size, packed, 0], extra);
        }
        Ok(Ok(local))
    }
}

/// Compares an entry with its local header, and moves it to its payload.
pub(super) fn compare(
    window: &mut Window<'_>,
    record: &mut Record,
    stated: &Stated,
    name: &[u8],
) -> Result<Compared, Error> {
    let local = match Local::read(window, record.offset, name)? {
        Ok(local) => local,
        Err(flaw) => {
            return Ok(Compared {
                flaw: Some(flaw),
                same: true,
                behind: false,
            });
        }
    };
    record.lead = local.len;
    record.offset = record.offset.saturating_add(local.len.into());
    let encrypted = |flags: u16| u64::from(flags & ENCRYPTED);
    let crc32 = record.crc32.unwrap_or_default();
    let mut flaw = first_difference(&[
        (Field::Method, stated.method.into(), local.method.into()),
        (
            Field::Encryption,
            encrypted(stated.flags),
            encrypted(local.flags),
        ),
    ]);
    let numbers = first_difference(&[
        (Field::Crc32, crc32.into(), local.crc32.into()),
        (Field::PackedSize, record.stored_len, local.packed),
        (Field::Size, record.size, local.size),
    ]);
    let mut same = local.same_name && (stated.flags ^ local.flags) & (DESCRIPTOR | UTF8) == 0;
    let is_behind = local.flags & DESCRIPTOR > 0;
    if is_behind {
        // The numbers stand behind the payload, and here is nothing, or the same.
        same &= numbers.is_none() || (local.crc32, local.packed, local.size) == (0, 0, 0);
    } else {
        flaw = flaw.or(numbers);
    }
    if record.coding == Coding::Stored && record.stored_len != record.size {
        let (size, packed) = (record.size, record.stored_len);
        flaw = flaw.or(Some(Flaw::StoredLength { size, packed }));
    }
    let behind = is_behind && local.packed == 0 && record.stored_len > 0;
    Ok(Compared { flaw, same, behind })
}

/// The first field of which the directory and the local header say different things.
fn first_difference(fields: &[(Field, u64, u64)]) -> Option<Flaw> {
    for &(field, directory, header) in fields {
        if directory != header {
            return Some(Flaw::Disagree {
                field,
                directory,
                header,
            });
        }
    }
    None
}

/// The part of a file that was read last.
pub(super) struct Window<'s> {
    source: &'s dyn ReadAt,
    /// How long the file is.
    file: u64,
    bytes: Vec<u8>,
    start: u64,
}

impl<'s> Window<'s> {
    pub(super) fn new(source: &'s dyn ReadAt, file: u64) -> Self {
        Self {
            source,
            file,
            bytes: Vec::new(),
            start: 0,
        }
    }

    /// So many bytes from a place of the file on, or as many as there are.
    fn get(&mut self, at: u64, len: usize) -> Result<&[u8], Error> {
        if at >= self.file {
            return Ok(&[]);
        }
        let end = self.start + self.bytes.len() as u64;
        if at < self.start || at.saturating_add(len as u64) > end {
            self.bytes.resize(len.max(WINDOW), 0);
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
