//! Decides what will be written, and where, before the first byte is written.
//!
//! | file      | job                                                                    |
//! |-----------|------------------------------------------------------------------------|
//! | `part`    | an entry to write, and the name that it will have                      |
//! | `layout`  | which parts go into which output                                       |
//! | `split`   | the limits that outputs keep                                           |
//! | `partition` | divides entries among outputs that keep the limits                   |
//! | `targets` | the paths of outputs, and what happens to files that exist there       |
//! | `number`  | the names of outputs                                                   |
//! | `series`  | the names of the parts of a split output                               |
//! | `judge`   | warnings about outputs that engines will not load, or treat differently |
//! | `files`   | extracted files: which are written, and where                          |
//! | `folders` | the directory of each extracted archive                                |
//! | `paths`   | the path of each extracted file                                        |

pub(super) mod files;
pub(super) mod folders;
pub(super) mod judge;
pub(super) mod layout;
pub(super) mod number;
pub(super) mod part;
mod partition;
pub(super) mod paths;
mod series;
pub(super) mod split;
pub(super) mod targets;
