//! ZIP archives as games read them: PK3, PK4, PKZ and their kin.
//!
//! | part          | what it says                                                                |
//! |---------------|-----------------------------------------------------------------------------|
//! | local headers | before each payload: method, CRC-32, sizes and name, once more              |
//! | directory     | for each entry the same, and where its local header is; engines go by this  |
//! | end record    | how many entries there are, and where the directory is; the last 22 bytes, or a comment follows |
//!
//! All numbers are little-endian. Where one does not fit into 16 or 32 bits it is all ones, and stands
//! in a larger record (ZIP64), which is read here and never written.

mod end;
mod headers;
mod kinds;
mod links;
mod local;
mod read;
mod write;

pub(super) use headers::{END, END_LEN, LOCAL, LOCAL_LEN, RECORD_LEN, SPLIT};
pub(super) use read::Zip;
#[cfg(feature = "ops")]
pub(crate) use read::{another_kind, ends_in_a_zip};
