//! Reads the contents of archives, decoded or as stored, for every verb that reads all of them.
//!
//! Verbs that read only a header or a picture do not use this module.
//!
//! | file      | what it reads                              |
//! |-----------|--------------------------------------------|
//! | `content` | one content, for a function or into a sink |
//! | `batch`   | neighbours with one read or one copy       |
//! | `line`    | contents in order, encoded on all threads  |
//!
//! If an entry is damaged, `content` and `batch` return a [`Failure::Entry`], and `line` an `Encoded::Failed`. The other
//! entries are still read.

mod batch;
mod content;
mod line;

pub(crate) use batch::{Batch, Buffers, Follows, LARGE, batches, largest_first};
pub(crate) use content::{Failure, PIECE, copy, copy_stored, odd_stream, write_content};
pub(crate) use line::{Block, Encoded, Encoding, give_back, line};
