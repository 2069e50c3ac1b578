//! Writes archives as they were planned.
//!
//! An operation that writes archives makes a list of parts. A part is an entry and its new name. `plan` decides which
//! part goes into which output.
//!
//! | file      | job                                                                               |
//! |-----------|-----------------------------------------------------------------------------------|
//! | `job`     | writes the outputs of a plan, gives them their names, and reports                 |
//! | `archive` | writes one archive: in parallel, or encoded in order (`encode`)                   |

pub(super) mod archive;
mod encode;
pub(super) mod job;

pub use super::plan::options::{Destination, Spool, WriteOptions};
pub use super::plan::split::{Rules, common_format};
pub use super::plan::targets::named_format;
