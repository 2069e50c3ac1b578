//! A game's files as its engine sees them: which archives it loads, and which copy of a file it serves.
//!
//! A game is a base directory, then directories of mods. Files of a later directory replace files of earlier ones, and
//! so do files of a later archive in one directory. The engine's [`EngineProfile`](super::EngineProfile) decides which archives load, and
//! whether loose files replace files in the archives of their directory. Without an engine, all archives load by
//! name, names are compared without case, and the last copy is served.
//!
//! | file     | job                                                         |
//! |----------|-------------------------------------------------------------|
//! | `folder` | a directory of a game, on a disk or elsewhere, its loose files, and remarks about it |
//! | `load`   | opens directories: which archives load, and in which order   |
//! | `loaded` | an archive that loads, or one that does not, and why         |
//! | `served` | a game: every copy of a name, and all files that are served  |
//!
//! **File names** are compared as on a file system with case, wherever this runs: a loose file is found only
//! under exactly the name that is asked for.
//!
//! **Ignored**: WADs, which some engines load as archives; lists that set another order; files from a home directory or
//! a command line; and a pak that is part of the engine.

mod folder;
mod load;
mod loaded;
mod served;

pub use self::folder::{
    DiskFolder, FolderEntry, FolderEntryKind, GameFolder, GameNote, GameNoteKind,
};
pub use self::load::GameBuilder;
pub use self::loaded::{Loaded, NotLoaded, Skipped};
pub use self::served::{FileCopy, Game, ServedFile};
