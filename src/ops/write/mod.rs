//! Writing archives: a plan becomes files.
//!
//! A verb that writes archives gathers parts, each an entry and the name that it will have, and plans
//! (`plan`) which of them go into which output. `create` is directory to archive,
//! `convert` archive to archive, a merge many to one, a split one to many.
//!
//! | file          | job                                                                        |
//! |---------------|----------------------------------------------------------------------------|
//! | `options`     | what a user says about the output                                          |
//! | `job`         | from a plan to outputs: write, commit, report                              |
//! | `archive`     | one archive in a sink: filled in parallel (`fill`), or encoded in order (`encode`) |

pub(super) mod archive;
mod encode;
mod fill;
pub(super) mod job;
pub(super) mod options;

pub use super::plan::split::{Rules, common_format};
pub use super::plan::targets::named_format;
pub use options::{Destination, Spool, WriteOptions};
