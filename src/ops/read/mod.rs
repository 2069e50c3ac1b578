//! Operations that read archives and change nothing.
//!
//! They hand on the rows of each archive as soon as it and those before it are read, so memory does not grow with the
//! number of archives.
//!
//! | module       | job                                                              |
//! |--------------|------------------------------------------------------------------|
//! | `list`       | the entries of archives, with nothing decoded                    |
//! | `info`       | facts about archives as a whole, and about single files          |
//! | `needs`      | the files that serve what a map asks for, and what these need    |
//! | `verify`     | decodes everything                                               |
//! | `cat`        | entries, decoded into one writer                                 |

pub(crate) mod cat;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod needs;
pub(crate) mod verify;
