//! Reads the contents of archives, decoded or as stored, for every verb that reads all of them.
//!
//! Verbs that read only a header or a picture do not use this module.
//!
//! | file       | what it reads                                                      |
//! |------------|--------------------------------------------------------------------|
//! | `content`  | one content, for a function or into a sink                         |
//! | `batch`    | small neighbours with one read                                     |
//! | `payloads` | the contents of one archive, on all threads, a shared payload once |
//! | `line`     | contents in order, encoded on all threads                          |
//!
//! If an entry is damaged, `content` and `batch` return a [`Failure::Entry`], `line` an `Encoded::Failed`, and
//! `payloads` a finding. The other entries are still read.

mod batch;
mod content;
mod line;
mod payloads;

pub(super) use batch::{Batch, Buffers, LARGE, batches, largest_first};
pub(super) use content::{Failure, PIECE, copy, copy_stored, odd_stream, write_content};
pub(super) use line::{Block, Encoded, Encoding, give_back, line};
pub(super) use payloads::{Payload, Payloads};
