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

impl Compared {
    fn flawed(flaw: Flaw) -> Self {
        Self {
            flaw: Some(flaw),
            same: true,
            behind: false,
        }
    }
}

/// Compares an entry with its local header, and moves it to its payload.
pub(super) fn compare(
    window: &mut Window<'_>,
    record: &mut Record,
    stated: &Stated,
    name: &[u8],
) -> Result<Compared, Error> {
    let at = record.offset;
    let file = window.file;
    let local = window.get(at, LOCAL_LEN)?;
    if local.is_empty() {
        return Ok(Compared::flawed(Flaw::Outside { at, file }));
    }
    if local.len() < LOCAL_LEN || !local.starts_with(&LOCAL) {
        let mut found = [0; 4];
        local
            .iter()
            .zip(&mut found)
            .for_each(|(from, to)| *to = *from);
        return Ok(Compared::flawed(Flaw::NoHeader(found)));
    }
    let lead = LOCAL_LEN + usize::from(two(local, 26)) + usize::from(two(local, 28));
    let (name_len, extra) = (usize::from(two(local, 26)), usize::from(two(local, 28)));
    let method = two(local, METHOD_AT - LOWER);
    let flags = two(local, FLAGS_AT - LOWER);
    let crc32 = four(local, CRC_AT - LOWER);
    let small = [SIZE_AT, PACKED_AT].map(|at| four(local, at - LOWER));
    record.lead = u32::try_from(lead).unwrap_or_default();
    record.offset = at.saturating_add(lead as u64);
    let mut same = window.get(at + LOCAL_LEN as u64, name_len)? == name;
    let [size, packed] = match small.contains(&u32::MAX) {
        true => {
            let extra = window.get(at + (LOCAL_LEN + name_len) as u64, extra)?;
            let [size, packed] = small;
            let [size, packed, _] = larger([size, packed, 0], extra);
            [size, packed]
        }
        false => small.map(u64::from),
    };
    let disagree = |field, directory: u64, header: u64| {
        (directory != header).then_some(Flaw::Disagree {
            field,
            directory,
            header,
        })
    };
    let mut flaw = disagree(Field::Method, stated.method.into(), method.into());
    let own = stated.flags;
    flaw = flaw.or_else(|| {
        let encrypted = |flags: u16| u64::from(flags & ENCRYPTED);
        disagree(Field::Encryption, encrypted(own), encrypted(flags))
    });
    let expected = record.crc32.unwrap_or_default();
    let numbers = disagree(Field::Crc32, expected.into(), crc32.into())
        .or_else(|| disagree(Field::PackedSize, record.stored_len, packed))
        .or_else(|| disagree(Field::Size, record.size, size));
    let behind = flags & DESCRIPTOR > 0 && packed == 0 && record.stored_len > 0;
    if flags & DESCRIPTOR == 0 {
        flaw = flaw.or(numbers);
    } else {
        // They stand behind the payload, and here is nothing, or the same.
        same &= numbers.is_none() || (crc32, packed, size) == (0, 0, 0);
    }
    same &= (own ^ flags) & (DESCRIPTOR | UTF8) == 0;
    if record.coding == Coding::Stored && record.stored_len != record.size {
        let (size, packed) = (record.size, record.stored_len);
        flaw = flaw.or(Some(Flaw::StoredLength { size, packed }));
    }
    Ok(Compared { flaw, same, behind })
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
