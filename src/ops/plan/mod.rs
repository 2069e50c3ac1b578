//! Decides what will be written, and where, before the first byte is written.
//!
//! | file      | job                                                                    |
//! |-----------|------------------------------------------------------------------------|
//! | `part`    | an entry to write, and the name that it will have                      |
//! | `layout`  | which parts go into which output                                       |
//! | `split`   | the limits that outputs keep, and how entries are divided among outputs  |
//! | `options` | the options of all operations that write archives                      |
//! | `policy`  | what happens to files that exist where outputs go; outputs get their names |
//! | `targets` | the names and paths of outputs, and of the parts of a split output      |
//! | `judge`   | warnings about outputs that engines will not load, or treat differently |
//! | `files`   | extracted files: which are written, and where                          |
//! | `paths`   | the path of each extracted file                                        |

pub(super) mod files;
pub(super) mod judge;
pub(super) mod layout;
pub(super) mod options;
pub(super) mod part;
pub(super) mod paths;
pub(crate) mod policy;
pub(super) mod split;
pub(super) mod targets;
