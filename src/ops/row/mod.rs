//! The rows that operations report while they work.
//!
//! A row is plain data: it does not open or decode anything. Each row is serialized as one JSON object, with its
//! fields in the order of its struct. A field without a value is left out, or is null if readers always expect the
//! field.
//!
//! If a name or a path is not UTF-8, a second field has all of its bytes in hexadecimal: `name_hex` follows `name`.

mod entry;
mod info;
mod output;

pub use crate::archive::path::{escape_path, path_bytes};
pub use crate::ops::catalogue::{Change, ChangeRow};
pub(crate) use entry::TEXT;
pub use entry::{At, Check, CheckStatus, EntryFacts, EntryRow};
pub use info::{ArchiveInfo, ContentTypes, Contrary, EntryName, Unread};
/// The most inputs that are not many.
pub(crate) const MANY: usize = 20;

pub use output::{
    Created, Fate, HardToFind, OutputFile, OutputRow, OutputStatus, WriteTotals, WrittenType,
};
