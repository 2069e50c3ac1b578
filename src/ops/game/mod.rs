//! A game's folders, as an engine sees them: which archives it loads, in which order, and which copy
//! of a file it serves. An archive is a pak, a ZIP, or a directory that the engine takes for one.
//!
//! The base folder comes first, mods behind it; what a later folder has goes before what an earlier
//! one has, a later archive of a folder before an earlier one, and loose files before or behind the
//! archives of their own folder: that, and everything else, is as the engine's
//! [profile](crate::engine::Profile) says.
//!
//! | file        | job                                                         |
//! |-------------|-------------------------------------------------------------|
//! | `view`      | the folders of a game, as one engine sees them              |
//! | `folder`    | one folder: its archives, opened, and those that are loaded |
//! | `pak`       | an archive that is loaded, or one that is not, and why      |
//! | `loose`     | a folder's loose files, as an archive                       |
//! | `find`      | every copy of one name                                      |
//! | `winners`   | what is served of all names, and what a merge takes of it   |
//! | `whole`     | directories and archives, with an engine or without          |
//! | `candidate` | a copy that could be served, and whether it is              |
//!
//! **File names** are seen as on a file system that tells cases apart, wherever this runs: an
//! engine that asks for `pak0.pak` never loads `PAK0.PAK`, and a loose file is found only under
//! exactly the name that is asked for. A link is what it leads to.
//!
//! **An engine's own pak** is seen where it lies beside the base directory.
//!
//! **What is not seen**: WADs, which some engines load as archives, lists that set another order, what is loaded from a home directory or named on a command line, a pak
//! that is part of the engine.

mod candidate;
mod find;
mod folder;
mod loose;
mod pak;
mod view;
mod whole;
mod winners;

pub use find::FileCopy;
pub use folder::Folder;
pub use pak::{LoadedPak, Never, Why};
pub use view::View;
pub(super) use whole::Game;
pub use winners::Winners;
