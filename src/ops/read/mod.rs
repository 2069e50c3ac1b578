//! What looks at archives and changes nothing.
//!
//! Archives are visited one after another: what was found in one is lent to a visitor, as plain
//! data, and dropped before the next is lent, so memory does not grow with the number of archives.
//!
//! | module       | job                                                              |
//! |--------------|------------------------------------------------------------------|
//! | [`list`]     | the entries of archives, with nothing decoded                    |
//! | [`info`]     | what archives are like as a whole, and the headers of their files |
//! | [`facts`]    | what single files are, in detail                                 |
//! | [`show`]     | entries as they are shown: pictures decoded, text, facts         |
//! | [`missing`]  | what maps ask for that a game does not serve                     |
//! | [`verify`]   | decodes everything                                               |
//! | [`snapshot`] | what `verify` compares with                                      |
//! | [`cat`]      | entries, decoded into one writer                                 |
//! | [`diff`]     | two archives, compared by name and content                       |
//! | [`dupes`]    | contents that lie more than once                                 |
//! | `entry_source` | an entry as a source for `media`                               |

pub mod cat;
pub mod diff;
pub mod dupes;
pub(in crate::ops) mod entry_source;
pub mod facts;
pub mod info;
pub mod list;
pub mod missing;
pub mod show;
pub mod snapshot;
pub mod verify;
