//! A game: all copies of one name, and all files that are served.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::folder::{FilesIn, GameNote};
use super::loaded::{Loaded, Skipped};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Archive, Entry, RawName};
use crate::engine::profile::EntsFrom;
use crate::engine::{Duplicates, Engine, EngineProfile, passed_over};

/// A game's files: which archives load, and which copy of a name is served.
///
/// ```
/// use daisho::Game;
///
/// let game = Game::open(["corpus/game/data"])?;
/// let wall = game.by_name("textures/e1/wall.wal")?;
/// assert!(wall.path.ends_with("pak1.pak")); // the copy that the engine serves
/// let content = wall.read()?;
/// assert_eq!(content.len() as u64, wall.size);
/// assert!(game.get("textures/e1/curtain.wal").is_none()); // perhaps a mod has it
/// # Ok::<(), daisho::Error>(())
/// ```
///
/// Any number of threads can read from a game at once:
///
/// ```
/// # let game = daisho::Game::open(["corpus/game/data"])?;
/// let names = ["maps/e1m1.bsp", "textures/e1/wall.wal", "skins/hero.tga", "no/such.file"];
/// let sizes = std::thread::scope(|threads| {
///     let load = |name| game.get(name).map(|file| file.read().map(|content| content.len()));
///     let loading = names.map(|name| threads.spawn(move || load(name)));
///     loading.map(|thread| thread.join().unwrap())
/// });
/// assert!(matches!(sizes[0], Some(Ok(31_956))));
/// assert!(sizes[3].is_none());
/// # Ok::<(), daisho::Error>(())
/// ```
///
/// Folders come from wherever a program has its files. This one has them in memory, as a web page has, and serves them
/// as the assets of a game:
///
/// ```
/// use daisho::archive::ReadAt;
/// use daisho::engine::{Engine, FolderEntry, FolderEntryKind, GameBuilder, GameFolder};
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
/// let mut builder = GameBuilder::new();
/// builder.folder_in(Arc::new(Memory(files))).engine(Engine::Daikatana);
/// let game = builder.open()?;
///
/// let copies = game.find("textures/e1/wall.wal");
/// assert_eq!(copies[0].path, Path::new("data/pak1.pak")); // served
/// assert_eq!(copies[1].path, Path::new("data/pak0.pak")); // shadowed
/// assert_eq!(copies.len(), 2);
/// assert_eq!(game.by_name("maps/e1m1.ent")?.read()?, b"{ }");
/// # Ok::<(), daisho::Error>(())
/// ```
#[derive(Debug)]
pub struct Game {
    pub(super) engine: Option<Engine>,
    pub(super) profile: &'static EngineProfile,
    /// Archives and directories of loose files, in load order.
    pub(super) loaded: Vec<Loaded>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) notes: Vec<GameNote>,
    /// Every copy of every file, sorted.
    pub(super) index: Vec<IndexedCopy>,
}

/// A copy of a file, by its name as names are compared.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct IndexedCopy {
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

/// A copy of a file: an entry of an archive, or a loose file.
#[derive(Debug, Clone)]
pub struct FileCopy<'g> {
    /// The archive, or the file, as the user would write it.
    pub path: PathBuf,
    /// The name that it has there.
    pub name: Vec<u8>,
    /// Its size, decompressed.
    pub size: u64,
    place: CopyPlace<'g>,
    loaded: &'g Loaded,
}

#[derive(Debug, Clone, Copy)]
enum CopyPlace<'g> {
    Entry(Entry<'g>),
    File(&'g FilesIn),
}

/// A file that is served under its own name, or that no request finds.
#[derive(Debug, Clone)]
pub struct ServedFile<'g> {
    /// The entry of an archive, or of a directory of loose files.
    pub entry: Entry<'g>,
    /// Its name as names are compared; its own name if no request finds it.
    pub key: &'g [u8],
    /// Whether a request for its name finds it.
    pub is_found: bool,
    /// Whether the engine might serve another entry of the same archive instead.
    pub is_doubtful: bool,
    /// Its number in the order in which copies are searched.
    pub rank: usize,
    /// The number of its archive in load order.
    loaded: usize,
}

/// A name that was asked for.
struct NameRequest<'r, 'g> {
    /// The name of a loose file that is served.
    path: Cow<'r, [u8]>,
    /// The copies with an equal name.
    same: &'g [IndexedCopy],
}

impl Game {
    /// The file from which the engine reads the entities of a map in place of those that the map has.
    pub(crate) fn ents(&self, map: RawName<'_>, own: &[u8]) -> Option<FileCopy<'_>> {
        let ents = self.profile.ents?;
        let name = map.as_bytes();
        let stem = map.extension().and_then(|it| name.strip_suffix(it)?.strip_suffix(b"."));
        let stem = stem.unwrap_or(name);
        // Without the NUL at the end.
        let crc = own.split_last().map_or(0, |(_, text)| crc16(text));
        let beside = |end: &str, from| Some((self.get([stem, end.as_bytes()].concat())?, from));
        let found = ents.by_checksum.and_then(|from| beside(&format!("@{crc:04x}.ent"), from));
        let (found, from) = found.or_else(|| beside(".ent", ents.plain))?;
        let first = match from {
            EntsFrom::Any => 0,
            EntsFrom::MapsOrLater => self.get(map.as_bytes()).map_or(0, |map| map.folder()),
            EntsFrom::Last => self.loaded.last().map_or(0, |last| last.folder),
        };
        (found.folder() >= first).then_some(found)
    }

    /// The copy of a file that the engine serves.
    #[must_use]
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<FileCopy<'_>> {
        let request = self.request(name.as_ref())?;
        let mut loaded = self.loaded.iter().enumerate().rev();
        loaded.find_map(|(number, loaded)| self.copies_in(number, loaded, &request).next())
    }

    /// Like [`get`](Self::get), for callers to whom a missing file is an error.
    ///
    /// # Errors
    /// If the engine serves no file of this name.
    pub fn by_name(&self, name: impl AsRef<[u8]>) -> Result<FileCopy<'_>, Error> {
        let name = name.as_ref();
        self.get(name).ok_or_else(|| ErrorKind::NoEntryNamed(name.into()).into())
    }

    /// Every copy of a file. The first one is served. If it did not exist, the second one would be served, and so on.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Vec<FileCopy<'_>> {
        let mut copies = Vec::new();
        if let Some(request) = self.request(name.as_ref()) {
            for (number, loaded) in self.loaded.iter().enumerate().rev() {
                copies.extend(self.copies_in(number, loaded, &request));
            }
        }
        copies
    }

    /// `None` if the engine refuses to look for a file of this name.
    fn request<'r>(&self, name: &'r [u8]) -> Option<NameRequest<'r, '_>> {
        let names = self.profile.request_names();
        let (path, key) = (names.clean_request(name)?, names.of_request(name)?);
        let start = self.index.partition_point(|copy| *copy.key < *key);
        let from = self.index.get(start..).unwrap_or_default();
        let count = from.partition_point(|copy| *copy.key == *key);
        let same = from.get(..count).unwrap_or_default();
        Some(NameRequest { path, same })
    }

    /// The copies in the archive with this number, or in this folder.
    fn copies_in<'g>(
        &'g self,
        number: usize,
        loaded: &'g Loaded,
        request: &NameRequest<'_, 'g>,
    ) -> impl Iterator<Item = FileCopy<'g>> + use<'g> {
        // Files are found under exactly their names. Without an engine, they are like entries.
        let files = loaded.files.as_ref().filter(|_| self.engine.is_some());
        let file = files.and_then(|files| FileCopy::of_file(loaded, files, &request.path));
        let same = request.same.iter().filter(move |_| files.is_none());
        let same = same.filter(move |copy| copy.is_found && copy.loaded == number);
        let entries = same.filter_map(|copy| loaded.archive.entry(copy.entry));
        let entries = entries.map(|entry| FileCopy::of_entry(loaded, entry));
        file.into_iter().chain(entries)
    }

    /// Every file that is served under its own name, and one of each name that no request finds, in load
    /// order. Loose files are among them unless the game does not [list](super::GameBuilder::list_loose) them.
    #[must_use]
    pub fn files(&self) -> Vec<ServedFile<'_>> {
        let mut files = Vec::new();
        let is_alike =
            |a: &IndexedCopy, b: &IndexedCopy| (&a.key, a.is_found) == (&b.key, b.is_found);
        for alike in self.index.chunk_by(is_alike) {
            match alike {
                [first, ..] if !first.is_found || self.engine.is_none() => {
                    files.extend(self.file(first));
                }
                _ => self.serve(alike, &mut files),
            }
        }
        files.sort_unstable_by_key(ServedFile::place);
        files
    }

    /// The files that are served from this folder and from folders in it, in load order.
    ///
    /// ```
    /// let game = daisho::Game::open(["corpus/game/data"])?;
    /// let textures = game.folder("textures/e1");
    /// assert_eq!(textures.len(), 5);
    /// assert_eq!(textures[0].name(), b"textures/e1/floor.wal");
    /// # Ok::<(), daisho::Error>(())
    /// ```
    #[must_use]
    pub fn folder(&self, name: impl AsRef<[u8]>) -> Vec<ServedFile<'_>> {
        let mut folder = name.as_ref().to_vec();
        if !folder.is_empty() && !folder.ends_with(b"/") {
            folder.push(b'/');
        }
        let Some(folder) = self.profile.request_names().of_request(&folder) else {
            return Vec::new();
        };
        let mut files = self.files();
        files.retain(|file| file.is_found && file.key.starts_with(&folder));
        files
    }

    /// Whether the engine may serve the second copy as well as the first, because both are in one archive.
    #[must_use]
    pub fn is_doubtful(&self, found: &[FileCopy<'_>]) -> bool {
        let [first, second, ..] = found else {
            return false;
        };
        let format = first.loaded.archive.format();
        core::ptr::eq(first.loaded, second.loaded)
            && self.profile.rules_in(format).duplicates == Duplicates::NotDefined
    }

    /// Adds the copies that are served under their own names. All of them have the same key.
    ///
    /// An entry answers to every spelling of its name, a loose file only to its own.
    fn serve<'g>(&'g self, alike: &'g [IndexedCopy], files: &mut Vec<ServedFile<'g>>) {
        let mut loose = HashSet::new();
        for (number, copy) in alike.iter().enumerate() {
            let Some(mut file) = self.file(copy) else {
                continue;
            };
            let asked = self.profile.request_names().clean_request(file.name());
            if file.entry.is_file() {
                if asked.is_some_and(|asked| *asked == *file.name()) && loose.insert(file.name()) {
                    files.push(file);
                }
                continue;
            }
            if !asked.is_some_and(|asked| loose.contains(&*asked)) {
                // Entries of one archive follow each other in the search.
                let next = alike.get(number + 1);
                let duplicates = self.profile.rules_in(file.entry.archive().format()).duplicates;
                file.is_doubtful = duplicates == Duplicates::NotDefined
                    && next.is_some_and(|next| next.loaded == copy.loaded);
                files.push(file);
            }
            return;
        }
    }

    fn file<'g>(&'g self, copy: &'g IndexedCopy) -> Option<ServedFile<'g>> {
        Some(ServedFile {
            entry: self.loaded.get(copy.loaded)?.archive.entry(copy.entry)?,
            key: &copy.key,
            is_found: copy.is_found,
            is_doubtful: false,
            rank: copy.rank,
            loaded: copy.loaded,
        })
    }

    /// Every copy that the engine does not pass over, sorted by name, and then in the order in which copies are
    /// searched.
    pub(super) fn all_copies(&self) -> Vec<IndexedCopy> {
        let mut copies = Vec::new();
        for (number, loaded) in self.loaded.iter().enumerate().rev() {
            let archive = &*loaded.archive;
            let names = self.profile.rules_in(archive.format()).names;
            let skipped = self.engine.map(|engine| passed_over(archive, engine));
            let skipped = skipped.unwrap_or_default();
            let mut entries: Vec<Entry<'_>> = archive.entries().collect();
            let duplicates = self.profile.rules_in(archive.format()).duplicates;
            if duplicates == Duplicates::Last && !loaded.is_loose() {
                entries.reverse();
            }
            for entry in entries {
                if skipped.binary_search(&entry.index()).is_ok() {
                    continue;
                }
                let name = entry.name().as_bytes();
                let key =
                    if entry.is_file() { names.of_request(name) } else { names.of_entry(name) };
                copies.push(IndexedCopy {
                    is_found: key.is_some(),
                    key: key.unwrap_or(name.into()).into(),
                    rank: copies.len(),
                    loaded: number,
                    entry: entry.index(),
                });
            }
        }
        copies.sort_unstable();
        copies
    }
}

impl<'g> FileCopy<'g> {
    fn of_entry(loaded: &'g Loaded, entry: Entry<'g>) -> Self {
        Self {
            path: entry.path().map_or_else(PathBuf::new, Into::into),
            name: entry.name().as_bytes().to_vec(),
            size: entry.size(),
            place: CopyPlace::Entry(entry),
            loaded,
        }
    }

    fn of_file(loaded: &'g Loaded, files: &'g FilesIn, name: &[u8]) -> Option<Self> {
        let (path, size) = files.find(name)?;
        Some(Self { path, name: name.to_vec(), size, place: CopyPlace::File(files), loaded })
    }

    /// The number of its directory in the game.
    pub(crate) const fn folder(&self) -> usize {
        self.loaded.folder
    }

    /// The entry, unless it is a file that was found by its name.
    #[must_use]
    pub fn entry(&self) -> Option<Entry<'g>> {
        match self.place {
            CopyPlace::Entry(entry) => Some(entry),
            CopyPlace::File(_) => None,
        }
    }

    /// Its content, decompressed and checked.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        match self.place {
            CopyPlace::Entry(entry) => entry.read(),
            CopyPlace::File(files) => {
                let archive = files.archive_of(vec![(self.name.clone(), self.size)])?;
                let file = archive.entries().next();
                file.map_or_else(|| Ok(Vec::new()), |file| file.read())
            }
        }
    }
}

/// The CRC-16 with the polynomial 0x1021, started at 0xFFFF and not reflected, as Quake computes it.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xFFFF, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}

impl<'g> ServedFile<'g> {
    /// The name that it has.
    #[must_use]
    pub fn name(&self) -> &'g [u8] {
        self.entry.name().as_bytes()
    }

    /// Its place in load order, and in its archive.
    pub(crate) fn place(&self) -> (usize, usize) {
        (self.loaded, self.entry.index())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_the_one_of_the_catalogues() {
        assert_eq!(super::crc16(b"123456789"), 0x29B1);
        assert_eq!(super::crc16(b""), 0xFFFF);
    }
}
