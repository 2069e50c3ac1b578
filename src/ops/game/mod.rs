//! A game in directories on a disk: what [`Game`](crate::Game) knows of it, as findings, and what verbs take from it.
//!
//! | file       | job                                                                |
//! |------------|--------------------------------------------------------------------|
//! | `disk`     | a directory of a game on a disk                                    |
//! | `view`     | opens the directories of a game                                     |
//! | `findings` | what there is to say of a game                                     |
//! | `which`    | every copy of a name                                               |
//! | `winners`  | what is served of all names, and what a merge takes of it          |

mod disk;
mod findings;
mod view;
mod which;
mod winners;

pub use view::View;
pub(super) use view::open_whole;
pub use winners::Winners;
