//! Whole directories of records of one layout, so that where a field stands is a constant in the loops
//! over them. Read at run time, these places cost twice the instructions.

use core::marker::PhantomData;

use super::detect::{Extents, Tally, weigh};
use super::entries::FixedEntries;
use super::records::{Layout, Record};
use crate::archive::Format;

/// What can be done with directories of records of one length.
pub(super) trait Records: Sync {
    /// The record of this number, or `None` where the directory ends before it.
    fn nth<'a>(&self, directory: &'a [u8], index: usize) -> Option<Record<'a>>;

    #[cfg(feature = "ops")]
    /// What the record of this number has behind the name in its field, the NUL that ends it included.
    fn behind_name<'a>(&self, directory: &'a [u8], index: usize) -> Option<&'a [u8]>;

    /// Weighs every whole record.
    fn weigh(&self, directory: &[u8], extents: &Extents) -> Tally;

    /// The entries of every whole record.
    fn entries(&self, format: Format, directory: &[u8]) -> FixedEntries;

    /// Appends a record.
    fn write(&self, record: &Record<'_>, out: &mut Vec<u8>);
}

/// The records of a layout.
pub(super) struct Table<L>(PhantomData<L>);

impl<L: Layout> Table<L> {
    pub(super) const NEW: Self = {
        L::FIELDS.check();
        Self(PhantomData)
    };
}

impl<L: Layout> Records for Table<L> {
    fn nth<'a>(&self, directory: &'a [u8], index: usize) -> Option<Record<'a>> {
        let at = index.checked_mul(L::FIELDS.record_len)?;
        Record::read(&L::FIELDS, directory.get(at..)?)
    }

    #[cfg(feature = "ops")]
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
