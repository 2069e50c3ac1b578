//! A game's files as its engine sees them: which archives it loads, and which copy of a file it serves.
//!
//! A game is a base directory, then directories of mods. Files of a later directory replace files of earlier ones, and
//! so do files of a later archive in one directory. The engine's [`Profile`](super::Profile) decides which archives load, and
//! whether loose files replace files in the archives of their directory. Without an engine, all archives load by
//! name, names are compared without case, and the last copy is served.
//!
//! | file     | job                                                         |
//! |----------|-------------------------------------------------------------|
//! | `folder` | a directory of a game, on a disk or elsewhere, and its loose files |
//! | `load`   | opens directories: which archives load, and in which order   |
//! | `loaded` | an archive that loads, or one that does not, and why         |
//! | `served` | every copy of a name, and all files that are served          |
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

use std::path::PathBuf;
use std::sync::Arc;

pub use self::folder::{FolderEntry, FolderEntryKind, GameFolder};
pub use self::load::GameOptions;
pub use self::loaded::{Loaded, NotLoaded, Skipped};
pub use self::served::{FileCopy, ServedFile};

use super::Engine;
use super::profile::Profile;
use crate::archive::Archive;
use crate::archive::error::Error;

/// A game's files: which archives load, and which copy of a name is served.
///
/// Directories come from wherever a program has its files. This one has them in memory, as a web page has,
/// and serves them as the assets of a game:
///
/// ```
/// use daisho::Game;
/// use daisho::archive::ReadAt;
/// use daisho::engine::{Engine, FolderEntry, FolderEntryKind, GameFolder, GameOptions};
/// use std::collections::BTreeMap;
/// use std::io;
/// use std::path::Path;
/// use std::sync::Arc;
///
/// /// The files of a directory by their names.
/// struct Memory(BTreeMap<String, Vec<u8>>);
///
/// impl GameFolder for Memory {
///     fn path(&self) -> &Path {
///         Path::new("data")
///     }
///
///     fn list(&self, folder: &[u8]) -> io::Result<Vec<FolderEntry>> {
///         let mut entries = Vec::new();
///         for (path, content) in &self.0 {
///             let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
///             if parent.as_bytes() == folder {
///                 let (name, kind) = (name.into(), FolderEntryKind::File(content.len() as u64));
///                 entries.push(FolderEntry { name, kind });
///             } // folders in it would be `FolderEntryKind::Folder`
///         }
///         Ok(entries)
///     }
///
///     fn size(&self, name: &[u8]) -> Option<u64> {
///         let content = self.0.get(std::str::from_utf8(name).ok()?)?;
///         Some(content.len() as u64)
///     }
///
///     fn open(&self, name: &[u8]) -> io::Result<Arc<dyn ReadAt>> {
///         let content = std::str::from_utf8(name).ok().and_then(|name| self.0.get(name));
///         let content = content.ok_or(io::ErrorKind::NotFound)?;
///         Ok(Arc::new(content.clone()))
///     }
/// }
///
/// let mut files = BTreeMap::new();
/// # let pak0 = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/game/data/pak0.pak"));
/// # let pak1 = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/game/data/pak1.pak"));
/// files.insert("pak0.pak".to_owned(), pak0.to_vec());
/// files.insert("pak1.pak".to_owned(), pak1.to_vec());
/// files.insert("maps/e1m1.ent".to_owned(), b"{ }".to_vec());
/// let folders: [Arc<dyn GameFolder>; 1] = [Arc::new(Memory(files))];
/// let game = Game::open(&folders, Vec::new(), Some(Engine::Daikatana), GameOptions::default())?;
///
/// let copies = game.find(b"textures/e1/wall.wal");
/// assert_eq!(copies[0].path, Path::new("data/pak1.pak")); // served
/// assert_eq!(copies[1].path, Path::new("data/pak0.pak")); // shadowed
/// assert_eq!(game.find(b"maps/e1m1.ent")[0].read()?, b"{ }");
/// # Ok::<(), daisho::Error>(())
/// ```
#[derive(Debug)]
pub struct Game {
    engine: Option<Engine>,
    profile: Profile,
    /// Archives and directories of loose files, in load order.
    loaded: Vec<Loaded>,
    skipped: Vec<Skipped>,
    notes: Vec<GameNote>,
    /// Every copy of every file, sorted.
    index: Vec<Indexed>,
}

/// A copy of a file, by its name as names are compared.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Indexed {
    /// The copy's own name if no request finds it.
    key: Box<[u8]>,
    is_found: bool,
    /// Its number in the order in which copies are searched.
    rank: usize,
    /// The number of its archive in load order.
    loaded: usize,
    /// Its number in the archive.
    entry: usize,
}

impl Game {
    /// The engine.
    #[must_use]
    pub const fn engine(&self) -> Option<Engine> {
        self.engine
    }

    /// The archives that load, in load order.
    pub fn loaded(&self) -> impl DoubleEndedIterator<Item = &Loaded> {
        self.loaded.iter().filter(|loaded| !loaded.is_loose())
    }

    /// The archives that do not load, and why.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Remarks about the game.
    #[must_use]
    pub fn notes(&self) -> &[GameNote] {
        &self.notes
    }

    /// Everything that files are served from: the archives that load, and directories of loose files.
    pub fn archives(&self) -> impl Iterator<Item = &Arc<Archive>> {
        self.loaded.iter().map(|loaded| &loaded.archive)
    }
}

/// A remark about a game: a behaviour of its engine, or a file that daisho ignores.
#[derive(Debug)]
pub struct GameNote {
    /// The file or directory that it is about.
    pub path: PathBuf,
    /// The remark.
    pub kind: GameNoteKind,
}

/// A remark about a file or directory of a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum GameNoteKind {
    /// The engine does not start, because the base directory has no `pak0.pak`.
    NeedsFirst,
    /// The engine loads archives of this directory in the order in which the file system lists them.
    Unsorted {
        /// The archives.
        archives: Arc<[PathBuf]>,
        /// How many names are in more than one of them.
        names: usize,
    },
    /// The engine also loads or obeys this file, but daisho ignores it.
    Unseen,
    /// A link to a folder. daisho does not follow it, so files in it are not listed.
    Unfollowed,
    /// The folder cannot be listed.
    Unreadable(Error),
}
