//! A game's files, opened.

use std::sync::Arc;

use super::loaded::{Loaded, Skipped};
use super::note::GameNote;
use crate::archive::Archive;
use crate::engine::Engine;
use crate::engine::profile::Profile;

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
    pub(super) engine: Option<Engine>,
    pub(super) profile: Profile,
    /// Archives and directories of loose files, in load order.
    pub(super) loaded: Vec<Loaded>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) notes: Vec<GameNote>,
    /// Every copy of every file, sorted.
    pub(super) index: Vec<Indexed>,
}

/// A copy of a file, by its name as names are compared.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Indexed {
    /// The copy's own name if no request finds it.
    pub(super) key: Box<[u8]>,
    pub(super) is_found: bool,
    /// Its number in the order in which copies are searched.
    pub(super) rank: usize,
    /// The number of its archive in load order.
    pub(super) loaded: usize,
    /// Its number in the archive.
    pub(super) entry: usize,
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

    /// What else there is to know.
    #[must_use]
    pub fn notes(&self) -> &[GameNote] {
        &self.notes
    }

    /// Everything that files are served from: the archives that load, and directories of loose files.
    pub fn archives(&self) -> impl Iterator<Item = &Arc<Archive>> {
        self.loaded.iter().map(|loaded| &loaded.archive)
    }
}
