//! From the records of a directory to an archive's entries, in one pass.

use super::lump;
use super::records::{Layout, Lump, Record};
use crate::archive::{Coding, Flaw, Format, Record as Entry};

/// What the records of a directory say.
#[derive(Default)]
pub(super) struct FixedEntries {
    pub(super) records: Vec<Entry>,
    /// The names of a WAD's entries, which its records do not have as they are.
    pub(super) names: Vec<u8>,
    pub(super) flaws: Vec<(usize, Flaw)>,
    /// How many lumps state two sizes, and the first of them.
    pub(super) two_sizes: Option<(usize, usize)>,
}

impl FixedEntries {
    /// Reads the whole records of a directory.
    pub(super) fn read<L: Layout>(format: Format, directory: &[u8]) -> Self {
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
            found.records.push(Entry {
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

    /// Judges a lump, and adds the name of its entry. Returns where that begins and how long it is.
    fn add_lump(&mut self, record: &Record<'_>, lump: Lump, format: Format) -> (usize, usize) {
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
