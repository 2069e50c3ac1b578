//! One archive: header, records, layout, names, payloads.

pub mod detect;
pub mod kind;
pub mod layout;
pub mod name;
pub mod path;
pub mod relative;
pub mod source;

pub use detect::{Basis, Detection, Reading, detect};
pub use kind::{Kind, may_be_compressed};
pub use layout::{Header, Layout, Packed, Record};
pub use name::{RawName, escape};
pub use path::{PathError, SafePath};
pub use source::ReadAt;
