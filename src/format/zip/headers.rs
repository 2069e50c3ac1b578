//! The headers of a ZIP, and the entries that they describe.
//!
//! The directory counts, as in every engine. Local headers are read because they give the payloads'
//! offsets, and because engines differ if the two disagree. A disagreement that prevents reading is a
//! [`Flaw`] of that entry alone; others are notes.

use crate::archive::bytes::{u16_at, u32_at};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{ArchiveContents, Coding, EntryRecord, Flaw, Quirks, ReadAt, read_at};

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

/// The lengths of the headers and records, without names and comments.
pub(crate) const LOCAL_LEN: usize = FIXED_LEN as usize;
/// The same number as the fields of a header have it.
pub(super) const FIXED_LEN: u32 = 30;
pub(crate) const RECORD_LEN: usize = 46;
pub(crate) const END_LEN: usize = 22;
pub(super) const END64_LEN: usize = 56;
pub(super) const LOCATOR64_LEN: usize = 20;

/// The supported methods.
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;
pub(super) const DEFLATED64: u16 = 9;

/// The method of an entry, unless it has a flaw.
const fn method_of(coding: Coding) -> u16 {
    match coding {
        Coding::Deflate => DEFLATED,
        Coding::Deflate64 => DEFLATED64,
        _ => STORED,
    }
}

/// The coding of a supported method.
const fn coding_of(method: u16) -> Option<Coding> {
    match method {
        STORED => Some(Coding::Stored),
        DEFLATED => Some(Coding::Deflate),
        DEFLATED64 => Some(Coding::Deflate64),
        _ => None,
    }
}

/// Flags of an entry: encrypted; sizes and CRC-32 follow the payload; the name is UTF-8.
pub(super) const ENCRYPTED: u16 = 1;
pub(super) const DESCRIPTOR: u16 = 1 << 3;
pub(super) const UTF8: u16 = 1 << 11;

/// The extra field with this number.
pub(super) fn field(mut extra: &[u8], number: u16) -> Option<&[u8]> {
    while let Some((head, rest)) = extra.split_at_checked(4) {
        let (content, behind) = rest.split_at_checked(u16_at(head, 2).into())?;
        if u16_at(head, 0) == number {
            return Some(content);
        }
        extra = behind;
    }
    None
}

/// The fields that the directory and the local header both have.
pub(super) struct EntryHeader {
    pub(super) method: u16,
    pub(super) flags: u16,
    pub(super) crc32: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
}

impl EntryHeader {
    /// Reads the fields, the first of which is at `at`.
    pub(super) fn read(bytes: &[u8], at: usize) -> Self {
        Self {
            flags: u16_at(bytes, at),
            method: u16_at(bytes, at + 2),
            crc32: u32_at(bytes, at + 8),
            packed: u32_at(bytes, at + 12).into(),
            size: u32_at(bytes, at + 16).into(),
        }
    }

    /// The fields that an entry has from the directory.
    pub(super) fn of(record: &EntryRecord) -> Self {
        Self {
            flags: record.flags,
            method: method_of(record.coding),
            crc32: record.crc32.unwrap_or_default(),
            packed: record.stored_len,
            size: record.size,
        }
    }

    /// Why an entry with this header cannot be read, if that is certain without its payload.
    pub(super) fn flaw(&self) -> Option<Flaw> {
        if self.flags & ENCRYPTED > 0 {
            return Some(Flaw::Encrypted);
        }
        match coding_of(self.method) {
            Some(_) => None,
            None => Some(Flaw::Method(self.method)),
        }
    }

    /// Why an entry with this record in the directory cannot be read, according to its local header. Its
    /// checksum and sizes do not matter: the payload is checked against those in the directory.
    pub(super) fn contradiction(&self, local: &Self) -> Option<Flaw> {
        let encryption = [self.flags & ENCRYPTED, local.flags & ENCRYPTED];
        for (field, [directory, header]) in
            [("the method", [self.method, local.method]), ("the flag of encryption", encryption)]
        {
            if directory != header {
                return Some(Flaw::Disagree { field, directory, header });
            }
        }
        None
    }

    /// The flaw of a stored entry with two sizes.
    pub(super) fn stored_length(&self) -> Option<Flaw> {
        let (size, packed) = (self.size, self.packed);
        let is_wrong = self.method == STORED && size != packed;
        is_wrong.then_some(Flaw::StoredLength { size, packed })
    }

    /// Whether a local header agrees with this record in everything that does not prevent reading.
    pub(super) fn resembles(&self, local: &Self) -> bool {
        // If the numbers follow the payload, some programs leave all of them open in the header, and others only
        // those that they do not know yet.
        let may_be_open = local.flags & DESCRIPTOR > 0;
        let is_open_size = |size: u64| may_be_open && (size == 0 || size == u64::from(u32::MAX));
        (self.flags ^ local.flags) & (DESCRIPTOR | UTF8) == 0
            && (local.crc32 == self.crc32 || may_be_open && local.crc32 == 0)
            && (local.packed == self.packed || is_open_size(local.packed))
            && (local.size == self.size || is_open_size(local.size))
    }
}

/// Replaces numbers of all ones by the numbers in the ZIP64 extra field.
pub(super) fn larger(small: [u64; 3], extra: &[u8]) -> [u64; 3] {
    let mut large = field(extra, 1).unwrap_or_default();
    small.map(|number| match large.split_first_chunk() {
        Some((first, rest)) if number == u64::from(u32::MAX) => {
            large = rest;
            u64::from_le_bytes(*first)
        }
        _ => number,
    })
}

/// A local header.
pub(super) struct LocalHeader {
    pub(super) fields: EntryHeader,
    /// Its length.
    pub(super) len: u32,
    pub(super) name_len: u16,
}

impl LocalHeader {
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
        let (name_len, extra_len) = (u16_at(fixed, 26), u16_at(fixed, 28));
        let mut fields = EntryHeader::read(fixed, 6);
        let sizes = [fields.size, fields.packed, 0];
        if sizes.contains(&u32::MAX.into()) {
            let extra_at = at + LOCAL_LEN as u64 + u64::from(name_len);
            let extra = window.get(extra_at, extra_len.into())?;
            [fields.size, fields.packed, _] = larger(sizes, extra);
        }
        Ok(Ok(Self { fields, len: 30 + u32::from(name_len) + u32::from(extra_len), name_len }))
    }

    /// Whether the sizes are only after the payload.
    pub(super) const fn sizes_follow(&self) -> bool {
        self.fields.flags & DESCRIPTOR > 0 && self.fields.packed == 0
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

/// Adds an entry with a local header at `offset`. Returns whether its name began with `./`, which is not part of the
/// entry's name.
pub(super) fn add_entry(
    contents: &mut ArchiveContents,
    name: &[u8],
    header: &EntryHeader,
    offset: u64,
    flaw: Option<Flaw>,
) -> Result<bool, ErrorKind> {
    if header.flags & UTF8 > 0 {
        Quirks::mark(&mut contents.quirks.utf8, contents.records.len());
    }
    let record = EntryRecord {
        offset,
        size: header.size,
        stored_len: header.packed,
        // An entry that cannot be read has a flaw.
        coding: coding_of(header.method).unwrap_or(Coding::Deflate),
        crc32: Some(header.crc32),
        flags: header.flags,
        ..EntryRecord::default()
    };
    contents.add(name, record, flaw)?;
    // Some programs write names relative to the current folder.
    let from_here = name.starts_with(b"./") && name.len() > 2;
    if from_here && let Some(record) = contents.records.last_mut() {
        record.name_at = record.name_at.saturating_add(2);
        record.name_len -= 2;
    }
    Ok(from_here)
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
        Self { source, file, piece, bytes: Vec::new(), start: 0 }
    }

    /// As many of `N` bytes as there are at an offset that may be far away, without moving the window.
    pub(super) fn peek<const N: usize>(&self, at: u64) -> Result<([u8; N], usize), Error> {
        let mut bytes = [0; N];
        if at >= self.file {
            return Ok((bytes, 0));
        }
        let read = read_at(self.source, &mut bytes, at)?;
        Ok((bytes, read))
    }

    /// Reads `len` bytes at an offset, for the parts of them that are needed next.
    pub(super) fn load(&mut self, at: u64, len: usize) -> Result<(), Error> {
        self.bytes.resize(len, 0);
        self.start = at;
        let read = read_at(self.source, &mut self.bytes, at)?;
        self.bytes.truncate(read);
        Ok(())
    }

    /// Up to `len` bytes from an offset of the file.
    pub(super) fn get(&mut self, at: u64, len: usize) -> Result<&[u8], Error> {
        if at >= self.file {
            return Ok(&[]);
        }
        let end = self.start + self.bytes.len() as u64;
        let needed = at.saturating_add(len as u64).min(self.file);
        if at < self.start || needed > end {
            self.load(at, len.max(self.piece))?;
        }
        let from = usize::try_from(at.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let rest = self.bytes.get(from..).unwrap_or_default();
        Ok(rest.get(..len).unwrap_or(rest))
    }
}
