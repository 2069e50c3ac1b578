//! A game in directories on a disk: reports what [`Game`](crate::Game) finds, and selects the files for verbs.
//!
//! | file       | job                                                                |
//! |------------|--------------------------------------------------------------------|
//! | `view`     | opens the directories of a game on a disk                          |
//! | `winners`  | the files that are served, and the files that a merge takes        |

mod view;
mod winners;

pub use view::View;
pub(crate) use view::{check_readable, no_paks, open_whole, sources};
pub use winners::Winners;
