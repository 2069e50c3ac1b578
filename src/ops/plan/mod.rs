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

pub(in crate::ops) mod judge;
pub(in crate::ops) mod layout;
pub(in crate::ops) mod number;
pub(in crate::ops) mod part;
pub(in crate::ops) mod rules;
mod series;
mod split;
pub(in crate::ops) mod targets;
