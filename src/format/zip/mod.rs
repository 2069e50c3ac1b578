//! ZIP archives as games read them: PK3, PK4, PKZ and their kin.
//!
//! | part          | content                                                                     |
//! |---------------|-----------------------------------------------------------------------------|
//! | local headers | before each payload: method, CRC-32, sizes and name                         |
//! | directory     | for each entry the same fields, and the offset of its local header; engines use this |
//! | end record    | the number of entries, and the offset of the directory; the last 22 bytes, unless a comment follows |
//!
//! All numbers are little-endian. A number that does not fit into 16 or 32 bits is replaced by all ones,
//! and is in a larger record (ZIP64), which is read here and never written.

mod end;
mod headers;
mod links;
mod read;
mod salvage;
mod write;

pub(super) use headers::{END, END_LEN, LOCAL, LOCAL_LEN, RECORD_LEN, SPLIT};
pub(super) use links::follow_links;
pub(crate) use read::ends_in_a_zip;
pub(super) use read::read;
pub(super) use write::{check_name, end_record, local_header, record};
