//! One archive: header, records, layout, names, payloads.

pub mod account;
pub mod archive;
pub mod check;
pub mod detect;
pub mod entry;
pub mod kind;
pub mod layout;
pub mod lookup;
pub mod name;
pub mod path;
pub mod payload;
pub mod relative;
pub mod source;
pub mod write;

pub use account::{Account, Shared};
pub use archive::{Archive, Oddity};
pub use check::{Check, Checked};
pub use detect::{Basis, Detection, Reading, detect};
pub use entry::{Entry, Extent, Verified};
pub use kind::{Kind, may_be_compressed};
pub use layout::{Header, Layout, Packed, Record};
pub use lookup::{Case, Which};
pub use name::{RawName, escape};
pub use path::{PathError, SafePath};
pub use payload::{DecodedReader, StoredReader};
pub use source::ReadAt;
pub use write::{
    Coding, Limits, MemorySink, Origin, Plan, Planned, Planner, Shares, Sink, Slot, Writer,
    coding_for,
};
