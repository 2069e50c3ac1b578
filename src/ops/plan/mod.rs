//! What will be written, and where: all of it is decided before the first byte is written.
//!
//! | file      | job                                                                    |
//! |-----------|------------------------------------------------------------------------|
//! | `part`    | an entry that is to be written, and the name that it will have         |
//! | `layout`  | which parts go into which output                                       |
//! | `rules`   | the limits that outputs keep; `split` divides the entries by them      |
//! | `targets` | the paths of outputs, and what happens to files that exist there       |
//! | `series`  | the names of an output's parts: `pak1.pak`, `pak2.pak`                 |
//! | `number`  | names for the archives of a folder, so that engines load all in order  |
//! | `judge`   | warnings about outputs that engines will not load, or not as before    |
//!
//! For extracted files:
//!
//! | file      | job                                                                    |
//! |-----------|------------------------------------------------------------------------|
//! | `folders` | the directory of each archive's files                                  |
//! | `paths`   | the path of each entry's file                                          |
//! | `files`   | which files are written, and what happens to those that exist          |

pub(super) mod files;
pub(super) mod folders;
pub(super) mod judge;
pub(super) mod layout;
pub(super) mod number;
pub(super) mod part;
pub(super) mod paths;
pub(super) mod rules;
mod series;
mod split;
pub(super) mod targets;
