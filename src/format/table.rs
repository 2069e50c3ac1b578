//! Directories of records of one layout, so that field offsets are constants in the loops over them.
//!
//! Reading the offsets at run time takes twice the instructions.

use core::marker::PhantomData;

use super::detect::{Extents, Tally, weigh};
use super::lump;
use super::records::{LumpFields, Record, RecordLayout};
use crate::archive::{Coding, EntryRecord, Flaw, Format};

/// Operations on directories with records of one length.
pub(super) trait Records: Sync {
    /// The record with this number, or `None` if the directory ends before it.
    fn nth<'a>(&self, directory: &'a [u8], index: usize) -> Option<Record<'a>>;

    /// The bytes after the name in its field, beginning with the NUL that ends it.
    fn behind_name<'a>(&self, directory: &'a [u8], index: usize) -> Option<&'a [u8]>;

    /// Counts and weighs every whole record.
    fn weigh(&self, directory: &[u8], extents: &Extents) -> Tally;

    /// The entries of every whole record.
    fn entries(&self, format: Format, directory: &[u8]) -> FixedEntries;

    /// Appends a record.
    fn write(&self, record: &Record<'_>, out: &mut Vec<u8>);
}

/// The records of a layout.
pub(super) struct RecordTable<L>(PhantomData<L>);

impl<L: RecordLayout> RecordTable<L> {
    pub(super) const NEW: Self = {
        L::FIELDS.check();
        Self(PhantomData)
    };
}

impl<L: RecordLayout> Records for RecordTable<L> {
    fn nth<'a>(&self, directory: &'a [u8], index: usize) -> Option<Record<'a>> {
        let at = index.checked_mul(L::FIELDS.record_len)?;
        Record::read(&L::FIELDS, directory.get(at..)?)
    }

    fn behind_name<'a>(&self, directory: &'a [u8], index: usize) -> Option<&'a [u8]> {
        let at = index.checked_mul(L::FIELDS.record_len)?;
        let field = L::FIELDS.name_field(directory.get(at..)?)?;
        let name = self.nth(directory, index)?.name;
        field.get(name.as_bytes().len()..)
    }

    fn weigh(&self, directory: &[u8], extents: &Extents) -> Tally {
        weigh::<L>(directory, extents)
    }

    fn entries(&self, format: Format, directory: &[u8]) -> FixedEntries {
        FixedEntries::read::<L>(format, directory)
    }

    fn write(&self, record: &Record<'_>, out: &mut Vec<u8>) {
        record.append(&L::FIELDS, out);
    }
}

/// The entries in a directory.
#[derive(Default)]
pub(super) struct FixedEntries {
    pub(super) records: Vec<EntryRecord>,
    /// The names of a WAD's entries. Its records do not contain them literally.
    pub(super) names: Vec<u8>,
    pub(super) flaws: Vec<(usize, Flaw)>,
    /// How many lumps state two different sizes, and the first of them.
    pub(super) two_sizes: Option<(usize, usize)>,
}

impl FixedEntries {
    /// Reads the whole records of a directory.
    fn read<L: RecordLayout>(format: Format, directory: &[u8]) -> Self {
        let fields = &L::FIELDS;
        let (name_at, name_len) = fields.name;
        let compressed = format.spec().coding.unwrap_or(Coding::Stored);
        let count = directory.len() / fields.record_len;
        let mut found = Self::default();
        found.records.reserve_exact(count);
        if fields.lump.is_some() {
            let longest = name_len + lump::LONGER;
            found.names.reserve(count.saturating_mul(longest));
        }
        let mut at = name_at;
        for bytes in directory.chunks_exact(fields.record_len) {
            let Some(record) = Record::read(fields, bytes) else {
                break;
            };
            let (name_at, name_len) = match record.lump {
                Some(lump) => found.add_lump(&record, lump, format),
                None => (at, record.name.as_bytes().len()),
            };
            found.records.push(EntryRecord {
                offset: record.offset.into(),
                size: record.size.into(),
                stored_len: record.stored_len().into(),
                name_at: u32::try_from(name_at).unwrap_or(u32::MAX),
                name_len: u16::try_from(name_len).unwrap_or(u16::MAX),
                coding: match record.is_compressed() {
                    true => compressed,
                    false => Coding::Stored,
                },
                crc32: None,
                lead: 0,
            });
            at += fields.record_len;
        }
        found.names.shrink_to_fit();
        found
    }

    /// Checks a lump, and adds the name of its entry. Returns where the name begins and its length.
    fn add_lump(
        &mut self,
        record: &Record<'_>,
        lump: LumpFields,
        format: Format,
    ) -> (usize, usize) {
        let index = self.records.len();
        if lump.method > 0 {
            self.flaws.push((index, Flaw::LumpMethod(lump.method)));
        } else if lump.full_size != record.size {
            let (count, _) = self.two_sizes.get_or_insert((0, index));
            *count += 1;
        }
        let start = self.names.len();
        lump::push_entry_name(&mut self.names, record.name.as_bytes(), lump.kind, format);
        (start, self.names.len() - start)
    }
}
