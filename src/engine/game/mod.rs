//! A game's files, as its engine sees them: which archives it loads, in which order, and which copy of a
//! file it serves.
//!
//! A game is a base directory and mods after it. A later directory goes before an earlier one, and a later
//! archive of a directory before an earlier one. The engine's [`Profile`](super::Profile) decides which archives load, and
//! whether loose files go before the archives of their directory. Without an engine, all archives load by
//! name, names are compared without case, and the last copy is served.
//!
//! | file     | job                                                         |
//! |----------|-------------------------------------------------------------|
//! | `files`  | a game's files, opened                                       |
//! | `folder` | a directory of a game, wherever it is, and its loose files   |
//! | `load`   | opens directories: which archives load, and in which order   |
//! | `loaded` | an archive that loads, or one that does not, and why         |
//! | `note`   | what else there is to know of a game                         |
//! | `served` | every copy of a name, and all files that are served          |
//!
//! **File names** are compared as on a file system with case, wherever this runs: a loose file is found only
//! under exactly the name that is asked for.
//!
//! **Not taken into account**: WADs, which some engines load as archives, lists that set another order, what
//! an engine loads from a home directory or a command line, and a pak that is part of the engine.

mod files;
mod folder;
mod load;
mod loaded;
mod note;
mod served;

pub use self::files::Game;
pub use self::folder::{FolderEntry, FolderEntryKind, GameFolder};
pub use self::load::GameOptions;
pub use self::loaded::{Loaded, NotLoaded, Skipped};
pub use self::note::{GameNote, GameNoteKind};
pub use self::served::{FileCopy, ServedFile};
