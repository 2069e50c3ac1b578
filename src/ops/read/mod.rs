//! Operations that read archives and change nothing.
//!
//! They hand on the rows of each archive as soon as it and those before it are read, so memory does not grow with the
//! number of archives. `diff` and `dupes` compare archives, and keep what they know of all entries.
//!
//! | module       | job                                                              |
//! |--------------|------------------------------------------------------------------|
//! | `list`       | the entries of archives, with nothing decoded                    |
//! | `info`       | facts about archives as a whole, and the headers of their files  |
//! | `facts`      | facts about single files, in detail                              |
//! | `show`       | entries for display: decoded pictures, text, facts               |
//! | `missing`    | files that maps ask for but the game does not serve              |
//! | `needs`      | the files that serve what a map asks for, and what these need    |
//! | `verify`     | decodes everything                                               |
//! | `cat`        | entries, decoded into one writer                                 |
//! | `diff`       | two archives, compared by name and content                       |
//! | `dupes`      | contents that are stored more than once                          |
//! | `identity`   | one digest of the contents of an archive, whatever its format     |

pub(in crate::ops) mod cat;
pub(in crate::ops) mod diff;
pub(in crate::ops) mod dupes;
pub(in crate::ops) mod facts;
pub(in crate::ops) mod identity;
pub(in crate::ops) mod info;
pub(in crate::ops) mod list;
pub(in crate::ops) mod missing;
pub(in crate::ops) mod needs;
pub(in crate::ops) mod show;
pub(in crate::ops) mod verify;
