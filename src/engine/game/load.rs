//! Opens the directories of a game: which archives the engine asks for, in which order, and which it skips.

use core::fmt;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::folder::{
    DiskFolder, FilesIn, FolderEntry, GameFolder, GameNote, GameNoteKind, is_folder_name, path_of,
};
use super::loaded::{Loaded, NotLoaded, Skipped};
use super::served::Game;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Archive, Format, ReadOptions};
use crate::engine::load_order::may_load;
use crate::engine::profile::{Effect, EngineProfile, LooseRule, OwnPak, Paks};
use crate::engine::table::ANY_ENGINE;
use crate::engine::{Engine, Facts, Unasked, Verdict, is_pak_name, load_order};

/// The first pak.
const FIRST: &[u8] = b"pak0.pak";

/// Opens a [`Game`] whose folders, engine or options are not the usual ones.
///
/// ```
/// use daisho::engine::{Engine, GameBuilder};
///
/// let mut builder = GameBuilder::new();
/// builder.folder("corpus/game/data").engine(Engine::Daikatana);
/// let game = builder.open()?;
/// assert_eq!(game.loaded().count(), 2);
/// # Ok::<(), daisho::Error>(())
/// ```
#[derive(Default)]
pub struct GameBuilder {
    folders: Vec<Arc<dyn GameFolder>>,
    archives: Vec<Archive>,
    engine: EngineChoice,
    read: ReadOptions,
    leaves_out_loose: bool,
}

#[derive(Debug, Clone, Copy, Default)]
enum EngineChoice {
    /// The layout of the paks decides.
    #[default]
    Guess,
    Given(Engine),
    None,
}

impl GameBuilder {
    /// A game without folders.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn of_folders(folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        let mut builder = Self::new();
        for folder in folders {
            builder.folder(folder);
        }
        builder
    }

    /// Adds a folder on disk. The first is the base of the game; files in later ones replace files in earlier ones.
    pub fn folder(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.folder_in(Arc::new(DiskFolder::new(path)))
    }

    /// Adds a folder that may be in memory, or in a browser.
    pub fn folder_in(&mut self, folder: Arc<dyn GameFolder>) -> &mut Self {
        self.folders.push(folder);
        self
    }

    /// Adds an archive, which loads after the folders and whatever its name is.
    pub fn archive(&mut self, archive: Archive) -> &mut Self {
        self.archives.push(archive);
        self
    }

    /// Loads the game as this engine does.
    pub fn engine(&mut self, engine: Engine) -> &mut Self {
        self.engine = EngineChoice::Given(engine);
        self
    }

    /// Loads all archives by name, compares names without case, and serves the last copy.
    pub fn without_engine(&mut self) -> &mut Self {
        self.engine = EngineChoice::None;
        self
    }

    /// Reads paks with these options.
    pub fn read_options(&mut self, options: impl Into<ReadOptions>) -> &mut Self {
        self.read = options.into();
        self
    }

    /// Whether loose files are listed, and so among [`Game::files`]. [`Game::get`] finds them without that, too, and
    /// the game opens sooner: 10,000 of them take about 40 ms.
    pub fn list_loose(&mut self, lists_loose: bool) -> &mut Self {
        self.leaves_out_loose = !lists_loose;
        self
    }

    /// Opens every archive that the engine loads. An archive that cannot be opened is [skipped](Game::skipped).
    ///
    /// # Errors
    ///
    /// If one of the folders cannot be listed.
    pub fn open(&mut self) -> Result<Game, Error> {
        let mut opened = OpenedPaks::new();
        let engine = match self.engine {
            EngineChoice::Guess => {
                opened = open_paks(&self.folders, self.read);
                Some(guess_engine(&opened).unwrap_or(Engine::Quake))
            }
            EngineChoice::Given(engine) => Some(engine),
            EngineChoice::None => None,
        };
        let mut game = Game {
            engine,
            profile: engine.map_or(&ANY_ENGINE, Engine::profile),
            loaded: Vec::new(),
            skipped: Vec::new(),
            notes: Vec::new(),
            index: Vec::new(),
        };
        for (number, folder) in self.folders.iter().enumerate() {
            let loading = Loading {
                game: &mut game,
                folder,
                read: self.read,
                opened: &mut opened,
                lists_loose: !self.leaves_out_loose || engine.is_none(),
                loaded: Vec::new(),
            };
            let loaded = loading.load(number == 0);
            let loaded = loaded.map_err(|error| Error::from_io(error).at_path(folder.path()))?;
            game.loaded.extend(loaded.into_iter().map(|it| Loaded { folder: number, ..it }));
        }
        for (number, archive) in (self.folders.len()..).zip(self.archives.drain(..)) {
            let loaded = Loaded::new(archive, Vec::new(), None);
            game.loaded.push(Loaded { folder: number, ..loaded });
        }
        game.index = game.all_copies();
        Ok(game)
    }
}

impl Game {
    /// Opens every archive of these folders that the game's engine loads. The first folder is the base; files in
    /// later ones replace files in earlier ones. The layout of the paks decides whether the engine is Daikatana or
    /// Quake.
    ///
    /// # Errors
    ///
    /// If one of the folders cannot be listed.
    pub fn open(folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Result<Self, Error> {
        GameBuilder::of_folders(folders).open()
    }

    /// Opens every archive of these folders that this engine loads.
    ///
    /// ```
    /// use daisho::Game;
    /// use daisho::engine::Engine;
    ///
    /// let game = Game::open_with(["corpus/game/data"], Engine::Daikatana)?;
    /// assert!(game.get("textures/e1/wall.wal").is_some());
    /// # Ok::<(), daisho::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_with(
        folders: impl IntoIterator<Item = impl Into<PathBuf>>,
        engine: Engine,
    ) -> Result<Self, Error> {
        GameBuilder::of_folders(folders).engine(engine).open()
    }
}

/// Paks that were opened to guess the engine, by their paths.
type OpenedPaks = HashMap<PathBuf, Archive>;

/// Opens the paks in these directories.
fn open_paks(folders: &[Arc<dyn GameFolder>], read: ReadOptions) -> OpenedPaks {
    let mut opened = OpenedPaks::new();
    for folder in folders {
        for entry in folder.list(b"").unwrap_or_default() {
            if entry.is_file()
                && is_pak_name(&entry.name)
                && let Ok(archive) = open_archive(&**folder, &entry.name, read)
            {
                opened.insert(path_of(&**folder, &entry.name), archive);
            }
        }
    }
    opened
}

/// The engine for paks by their layout: Daikatana if most have its layout, otherwise Quake. `None` if there are none.
fn guess_engine(paks: &OpenedPaks) -> Option<Engine> {
    let is_daikatana = |pak: &&Archive| pak.format() == Some(Format::Daikatana);
    match paks.values().filter(is_daikatana).count() {
        _ if paks.is_empty() => None,
        daikatana if daikatana * 2 > paks.len() => Some(Engine::Daikatana),
        _ => Some(Engine::Quake),
    }
}

impl fmt::Debug for GameBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folders: Vec<&Path> = self.folders.iter().map(|it| it.path()).collect();
        f.debug_struct("GameBuilder")
            .field("folders", &folders)
            .field("archives", &self.archives)
            .field("engine", &self.engine)
            .finish_non_exhaustive()
    }
}

/// One directory of a game that is being loaded.
struct Loading<'l> {
    game: &'l mut Game,
    folder: &'l Arc<dyn GameFolder>,
    read: ReadOptions,
    opened: &'l mut OpenedPaks,
    lists_loose: bool,
    /// What is loaded from it, in order.
    loaded: Vec<Loaded>,
}

/// Files, and directories that are named like archives, by their names. Where the file system ignores case,
/// the names are in lower case.
type Listed = BTreeMap<Vec<u8>, FolderEntry>;

/// Archives that the engine may ask for, by name: each open, or why it does not load.
type Candidates<'n> = BTreeMap<&'n [u8], Result<Loaded, Skipped>>;

/// What happens if the engine asks for an archive. `has_own_pak` if its own pak, which is part of it, follows the
/// first one.
fn effect_of(
    name: &[u8],
    candidate: Option<&Result<Loaded, Skipped>>,
    has_own_pak: bool,
) -> Effect {
    match candidate {
        Some(Ok(_)) => Effect::Loads,
        Some(Err(skipped)) => match skipped.why.effect() {
            // The engine's own pak is loaded, so the numbers go on.
            Effect::CountsAsMissing if has_own_pak && name == FIRST => Effect::Refused,
            effect => effect,
        },
        None => Effect::Refused,
    }
}

impl Loading<'_> {
    /// Loads the directory. `is_base` if it is the first of the game.
    fn load(mut self, is_base: bool) -> io::Result<Vec<Loaded>> {
        let listed = self.list()?;
        let mut candidates = self.open_candidates(&listed);
        let has_own_pak = is_base && self.game.profile.own == OwnPak::Within;
        let names: BTreeSet<&[u8]> = listed.keys().map(Vec::as_slice).collect();
        let order = load_order(&names, self.game.profile.order, |name| {
            effect_of(name, candidates.get(name), has_own_pak)
        });
        for name in &order.asked {
            if let Some(candidate) = candidates.remove(name) {
                self.ask(candidate);
            }
        }
        self.note_unsorted(&order.unsorted, &listed);
        self.skip_unasked(order.unasked, candidates);
        self.note_ignored(&listed);
        if is_base {
            self.look_at_base(&listed);
        }
        let files = self.files_in(Vec::new());
        let archive = if self.lists_loose {
            files.walk(self.game.profile, &mut self.game.notes)
        } else {
            files.archive_of(Vec::new())
        }?;
        let loose = Loaded::new(archive, Vec::new(), Some(files));
        match self.game.profile.loose {
            LooseRule::Loses => self.loaded.insert(0, loose),
            LooseRule::Wins => self.loaded.push(loose),
        }
        Ok(self.loaded)
    }

    /// Opens everything that is named like an archive.
    fn open_candidates<'n>(&mut self, listed: &'n Listed) -> Candidates<'n> {
        let mut candidates = Candidates::new();
        for (name, entry) in listed {
            if may_load(name, self.game.profile.order) {
                candidates.insert(name, self.open(name, entry));
            }
        }
        candidates
    }

    /// Skips the archives that the engine does not ask for.
    fn skip_unasked(&mut self, unasked: Vec<(&[u8], Unasked)>, mut candidates: Candidates<'_>) {
        for (name, why) in unasked {
            let (path, opened) = match candidates.remove(name) {
                Some(Ok(loaded)) => (loaded.path().to_path_buf(), Ok(loaded.archive)),
                Some(Err(skipped)) => (skipped.path, skipped.opened),
                None => continue,
            };
            let why = NotLoaded::Unasked(why);
            self.game.skipped.push(Skipped { path, why, opened });
        }
    }

    /// Notes files that the engine loads or obeys, and daisho ignores.
    fn note_ignored(&mut self, listed: &Listed) {
        let profile = self.game.profile;
        for (name, entry) in listed {
            if profile.is_order_list(name) || profile.is_other_archive(name) {
                let path = path_of(&**self.folder, &entry.name);
                self.note(path, GameNoteKind::Unseen);
            }
        }
    }

    /// Lists files, and directories that are named like archives.
    fn list(&self) -> io::Result<Listed> {
        let mut listed = Listed::new();
        for entry in self.folder.list(b"")? {
            let profile = self.game.profile;
            // If a directory counts as missing, it is not an archive to the engine.
            let minds = |paks: &Paks| paks.broken.is_directory != Effect::CountsAsMissing;
            let is_odd = !entry.is_file()
                && profile.paks.as_ref().is_some_and(minds)
                && may_load(&entry.name, profile.order);
            if entry.is_file() != is_folder_name(&entry.name) || is_odd {
                listed.insert(entry.name.clone(), entry);
            }
        }
        if !self.ignores_case(&listed) {
            return Ok(listed);
        }
        let lower = |(name, entry): (Vec<u8>, FolderEntry)| (name.to_ascii_lowercase(), entry);
        Ok(listed.into_iter().map(lower).collect())
    }

    /// Whether the file system ignores case, as on Windows. This is tried only if it matters: if the name of an
    /// archive has an upper-case letter.
    fn ignores_case(&self, listed: &Listed) -> bool {
        listed.keys().any(|name| {
            let lower = name.to_ascii_lowercase();
            may_load(&lower, self.game.profile.order)
                && !listed.contains_key(&lower)
                && self.folder.size(&lower).is_some()
        })
    }

    /// Opens a file or directory that is named like an archive, and judges it.
    fn open(&mut self, name: &[u8], entry: &FolderEntry) -> Result<Loaded, Skipped> {
        if !entry.is_file() && is_folder_name(name) {
            let files = self.files_in([&entry.name, &b"/"[..]].concat());
            return match files.walk(self.game.profile, &mut self.game.notes) {
                Ok(archive) => Ok(Loaded::new(archive, Vec::new(), Some(files))),
                Err(error) => Err(Skipped {
                    path: path_of(&**self.folder, &entry.name),
                    why: NotLoaded::unopened(name, &error, self.game.profile),
                    opened: Err(error),
                }),
            };
        }
        let path = path_of(&**self.folder, &entry.name);
        let opened = if entry.is_file() {
            // A format that the user chose applies only to paks.
            let mut options = self.read;
            options.format = options.format.filter(|_| is_pak_name(name));
            let opened = self.opened.remove(&path).map(Ok);
            opened.unwrap_or_else(|| open_archive(&**self.folder, &entry.name, options))
        } else {
            Err(Error::from(ErrorKind::NotAFile).at_path(&path))
        };
        self.judge(name, path, opened)
    }

    /// The verdict of the engine on an archive.
    fn judge(
        &self,
        name: &[u8],
        path: PathBuf,
        opened: Result<Archive, Error>,
    ) -> Result<Loaded, Skipped> {
        let judged = opened.and_then(|archive| {
            let verdict = match self.game.engine {
                Some(engine) => Facts::of(&archive)?.judge(engine),
                None => Verdict::loaded(),
            };
            Ok((archive, verdict))
        });
        let (archive, verdict) = match judged {
            Ok(judged) => judged,
            Err(error) => {
                let why = NotLoaded::unopened(name, &error, self.game.profile);
                let opened = Err(error);
                return Err(Skipped { path, why, opened });
            }
        };
        if verdict.loads() {
            return Ok(Loaded::new(archive, verdict.why, None));
        }
        let why = NotLoaded::Refused(verdict);
        let opened = Ok(Arc::new(archive));
        Err(Skipped { path, why, opened })
    }

    /// The files of a folder in this directory, whose name ends in a slash, or of the directory itself.
    fn files_in(&self, within: Vec<u8>) -> FilesIn {
        FilesIn { folder: Arc::clone(self.folder), within }
    }

    fn note(&mut self, path: PathBuf, kind: GameNoteKind) {
        self.game.notes.push(GameNote { path, kind });
    }

    /// Adds an archive that the engine asks for, or the reason why it does not load.
    fn ask(&mut self, candidate: Result<Loaded, Skipped>) {
        match candidate {
            Ok(loaded) => self.loaded.push(loaded),
            Err(mut skipped) => {
                // There is no header before it that the engine could use instead.
                let is_short = skipped.opened.is_err() && skipped.why.is_misread();
                if is_short && self.loaded.is_empty() {
                    skipped.why = NotLoaded::not_a_pak(Effect::NoStart);
                }
                self.game.skipped.push(skipped);
            }
        }
    }

    /// Notes archives whose order only the file system defines, if that matters: if two of them have a file of one name,
    /// or one of them does not load.
    fn note_unsorted(&mut self, groups: &[Vec<&[u8]>], listed: &Listed) {
        for group in groups {
            let entries = group.iter().filter_map(|name| listed.get(*name));
            let archives: Vec<PathBuf> =
                entries.map(|entry| path_of(&**self.folder, &entry.name)).collect();
            let mut loaded: Vec<&Loaded> = self.loaded.iter().collect();
            loaded.retain(|it| archives.iter().any(|path| path == it.path()));
            if loaded.len() < archives.len() || share_a_name(&loaded, self.game.profile) {
                self.note(self.folder.path().to_path_buf(), GameNoteKind::Unsorted(archives));
            }
        }
    }

    /// Checks for `pak0.pak` in the base directory, and loads the engine's own pak.
    fn look_at_base(&mut self, listed: &Listed) {
        let first = listed.get(FIRST);
        if self.game.profile.needs_pak0 && first.is_none() {
            let path = self.folder.path().to_path_buf();
            self.note(path, GameNoteKind::NeedsFirst);
        }
        let (OwnPak::Beside(name), Some(parent)) = (self.game.profile.own, self.folder.parent())
        else {
            return;
        };
        if parent.size(name.as_bytes()).is_none() {
            return;
        }
        // The engine loads it after the first pak.
        let first = first.map(|entry| path_of(&**self.folder, &entry.name));
        let has_first =
            first.is_some() && first.as_deref() == self.loaded.first().map(Loaded::path);
        let options = self.game.profile.layout().into();
        let opened = open_archive(&*parent, name.as_bytes(), options);
        match self.judge(FIRST, parent.path().join(name), opened) {
            Ok(loaded) => self.loaded.insert(usize::from(has_first), loaded),
            skipped @ Err(_) => self.ask(skipped),
        }
    }
}

fn open_archive(
    folder: &dyn GameFolder,
    name: &[u8],
    options: ReadOptions,
) -> Result<Archive, Error> {
    let path = path_of(folder, name);
    let opened = folder.open(name).map_err(Error::from_io);
    let archive =
        opened.and_then(|file| Archive::read_source(Box::new(file), options, Some(&path)));
    archive.map_err(|error| error.at_path(path))
}

/// Whether a name is in more than one of these archives.
fn share_a_name(archives: &[&Loaded], profile: &EngineProfile) -> bool {
    let mut first: HashMap<Cow<'_, [u8]>, usize> = HashMap::new();
    for (number, loaded) in archives.iter().enumerate() {
        let names = profile.rules_in(loaded.archive.format()).names;
        for entry in loaded.archive.entries() {
            if let Some(key) = names.of_entry(entry.name().as_bytes())
                && *first.entry(key).or_insert(number) != number
            {
                return true;
            }
        }
    }
    false
}
