//! Decides what will be written, and where, before the first byte is written.
//!
//! | file      | job                                                                    |
//! |-----------|------------------------------------------------------------------------|
//! | `part`    | an entry to write, and the name that it will have                      |
//! | `layout`  | which parts go into which output                                       |
//! | `split`   | the limits that outputs keep, and how entries are divided among outputs  |
//! | `targets` | the paths of outputs, and what happens to files that exist there       |
//! | `number`  | the names of outputs, and of the parts of a split output               |
//! | `judge`   | warnings about outputs that engines will not load, or treat differently |
//! | `files`   | extracted files: which are written, and where                          |
//! | `paths`   | the directory of each extracted archive, and the path of each file      |

pub(super) mod files;
pub(super) mod judge;
pub(super) mod layout;
pub(super) mod number;
pub(super) mod part;
pub(super) mod paths;
pub(super) mod split;
pub(super) mod targets;
