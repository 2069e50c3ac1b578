//! Writing archives: gather parts, plan, write.
//!
//! A verb that writes gathers parts (`part`), each an entry and the name that it will have, and
//! hands them to one pipeline. `create` is directory to archive, `convert` archive to archive, a merge
//! many to one, a split one to many. `extract`, which writes files, is beside it
//!
//! | file          | job                                                                        |
//! |---------------|----------------------------------------------------------------------------|
//! | `options`     | what a user says about the output                                           |
//! | `part`        | an entry that is to be written, and what is found in it                     |
//! | `rules`       | what outputs have to keep to; `partition` which entry goes into which one   |
//! | `series`      | the names of the outputs, where there are several |
//! | `numbering`   | the names of a folder's archives, so that engines load all of them in their order |
//! | `destination` | what is done about what stands where an output goes                         |
//! | `remarks`     | what engines will make of an output, said beforehand                        |
//! | `plan`        | which parts go into which output                                            |
//! | `job`         | from a plan to outputs: write, commit, report                               |
//! | `archive`     | one archive in a sink: filled in parallel (`fill`), or encoded in order (`encode`) |
//! | `spool`       | an archive without a name, on its way to standard output                    |
//! | `context`        | who writes, and how that can fail                                          |
//! | `sharing`     | which parts share a payload                                                 |

mod archive;
pub(super) mod destination;
mod encode;
mod failure;
mod fill;
pub(super) mod job;
pub(super) mod numbering;
mod options;
pub(super) mod part;
mod partition;
pub(super) mod plan;
mod remarks;
mod rules;
mod series;
mod sharing;
mod spool;

pub use destination::named_format;
pub use options::{Destination, WriteOptions};
pub use rules::{Rules, common_format};
pub use spool::Spool;

pub(super) use remarks::names_alike;
