//! Opens the directories of a game on a disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::archive::{Entry, ReadAt, relative_path};
use crate::engine::{
    DiskFolder, Engine, Engines, FolderEntry, FolderEntryKind, Game, GameBuilder, GameFolder,
    GameNote, GameNoteKind, Loaded, NotLoaded, Reason, Skipped,
};
use crate::fs::{System, is_temporary};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{
    self, Finding, Help, Meaning, archive_notes, judged, listed_with_and, source_of_map,
};
use crate::ops::source::named::or_missing;
use crate::ops::source::{self, How, Search};

/// A game's directories, as one engine sees them.
#[derive(Debug)]
pub struct View {
    /// The directories, the base first.
    pub folders: Vec<PathBuf>,
    /// The game's files.
    pub game: Game,
    /// Whether the engine was chosen by the format of the paks, because the user named none.
    pub is_chosen: bool,
    /// Whether the directories hold no archives, so that the engine serves only loose files.
    pub is_plain: bool,
    /// The archives that the engine does not load, and things that it loads but daisho does not look at.
    pub findings: Vec<Finding>,
}

impl View {
    /// Opens every archive of `folders`, the base first, as `engine` would. With `loose`, loose files are listed,
    /// too. Without an engine, the format of most paks decides which engine it is.
    ///
    /// ```
    /// use daisho::ops::Context;
    /// use daisho::engine::Engine;
    /// use daisho::ops::game::View;
    ///
    /// let context = Context::new();
    /// let folders = ["corpus/game/data"];
    /// let view = View::open(&context, &folders, Some(Engine::Daikatana), false)?;
    /// let found = view.game.find(b"textures/e1/wall.wal"); // in two paks
    /// assert!(found[0].path.ends_with("pak1.pak")); // served
    /// assert!(found[1].path.ends_with("pak0.pak")); // shadowed
    /// # Ok::<(), daisho::ops::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If one of `folders` is not a directory, cannot be listed or has no files, or if archives are in them but none
    /// that the engine loads.
    pub fn open(
        context: &Context<'_>,
        folders: &[impl AsRef<Path>],
        engine: Option<Engine>,
        loose: bool,
    ) -> Result<Self, Refusal> {
        let folders: Vec<PathBuf> = folders.iter().map(|it| it.as_ref().to_path_buf()).collect();
        let mut refused = Vec::new();
        for path in &folders {
            let error = match fs::metadata(path) {
                Ok(found) if found.is_dir() => continue,
                Ok(_) => no_game("this is not a directory"),
                Err(error) => or_missing(Finding::from_io(error).at_path(path), false),
            };
            refused.push(error.at_path(path));
        }
        Refusal::if_any(refused)?;
        context.cancel.check()?;
        let mut builder = builder(context, &folders);
        builder.read_options(context.open).list_loose(loose);
        if let Some(engine) = engine {
            builder.engine(engine);
        }
        let game = builder.open().map_err(Finding::from)?;
        let is_plain = !has_archives(&game, &folders);
        if is_plain {
            check_plain(context, &game, &folders)?;
        }
        Ok(Self {
            findings: findings_of(&game),
            folders,
            game,
            is_chosen: engine.is_none(),
            is_plain,
        })
    }

    /// The engine. `None` if this is a list of archives.
    #[must_use]
    pub fn engine(&self) -> Option<Engine> {
        self.game.engine()
    }

    /// The engine's name, or "the game" for a list of archives.
    #[must_use]
    pub fn engine_word(&self) -> &'static str {
        self.engine().map_or("the game", Engine::as_str)
    }

    /// Opens archives, or maps as archives of their textures, that follow each other like the archives of a game: of
    /// each file, the last copy is served.
    ///
    /// # Errors
    ///
    /// If one of them cannot be read.
    pub fn of_archives(context: &Context<'_>, paths: &[impl AsRef<Path>]) -> Result<Self, Refusal> {
        let mut findings = Vec::new();
        let game = open_whole(context, paths, None, &mut findings)?;
        for archive in game.archives() {
            let notes = archive_notes(archive).into_iter();
            // The errors are among the findings already.
            findings.extend(notes.filter(|note| !note.is_error()));
        }
        Ok(Self {
            findings,
            folders: paths.iter().map(|it| it.as_ref().to_path_buf()).collect(),
            game,
            is_chosen: false,
            is_plain: false,
        })
    }

    /// As [`sources`] of its game.
    pub(crate) fn sources(&self, files: &[Entry<'_>]) -> Vec<PathBuf> {
        sources(&self.game, files)
    }
}

/// The paths of everything that these files are read from, and of every archive of the game, loaded or not: what must
/// not be overwritten.
pub(crate) fn sources(game: &Game, files: &[Entry<'_>]) -> Vec<PathBuf> {
    let loaded = game.loaded().map(Loaded::path);
    let skipped = game.skipped().iter().map(|skipped| &*skipped.path);
    let files = files.iter().filter(|file| file.is_file());
    let files = files.filter_map(Entry::path);
    let sources = loaded.chain(skipped).chain(files);
    sources.map(PathBuf::from).collect()
}

/// Opens a game that consists of directories and archives, the base first. Archives load after the directories. An
/// archive that cannot be read becomes a finding, unless the user named it: then it is an error.
pub(crate) fn open_whole(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    engine: Option<Engine>,
    findings: &mut Vec<Finding>,
) -> Result<Game, Refusal> {
    let paths = paths.iter().map(|path| path.as_ref().to_path_buf());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let (mut archives, mut refused) = (Vec::new(), Vec::new());
    for path in files {
        context.cancel.check()?;
        match source::open(&context.system, &path, context.open) {
            Ok(archive) => archives.push(archive),
            Err(error) => refused.push(no_part_of_a_game(path, error)),
        }
    }
    Refusal::if_any(refused)?;
    let mut builder = builder(context, &folders);
    builder.read_options(context.open).list_loose(true);
    match engine {
        Some(engine) => builder.engine(engine),
        None => builder.without_engine(),
    };
    for archive in archives {
        builder.archive(archive);
    }
    let game = builder.open().map_err(Finding::from)?;
    findings.extend(findings_of(&game));
    Ok(game)
}

/// The error about a file that is no archive, and perhaps a map or the source of one.
fn no_part_of_a_game(path: PathBuf, error: Finding) -> Finding {
    let has = |extension| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(extension));
    let error = match error.meaning {
        Meaning::Unread if has("bsp") => {
            Finding::error("a map is not a game").help(Help::MapOfGame).at_path(&path)
        }
        Meaning::Unread if has("map") => {
            source_of_map(path.as_os_str().as_encoded_bytes()).at_path(&path)
        }
        _ => or_missing(error, false),
    };
    Finding::unread(path, error)
}

/// A game of these directories.
fn builder(context: &Context<'_>, folders: &[PathBuf]) -> GameBuilder {
    let mut builder = GameBuilder::new();
    for path in folders {
        builder.folder_in(Arc::new(OpsFolder::new(&context.system, path)));
    }
    builder
}

/// Whether an archive in one of the folders can be opened. The engine's own pak does not count, because it lies
/// outside of them.
fn has_archives(game: &Game, folders: &[PathBuf]) -> bool {
    let loaded = game.loaded().map(Loaded::path);
    let skipped = game.skipped().iter().filter(|it| it.opened.is_ok());
    let mut opened = loaded.chain(skipped.map(|it| &*it.path));
    opened.any(|path| folders.iter().any(|folder| path.parent() == Some(folder)))
}

/// The error about a path that is not the directory of a game.
fn no_game(why: &str) -> Finding {
    Finding::error(why)
        .advice("give the directory that holds the game's paks, such as id1, baseq2 or data")
        .help(Help::NameEngine)
        .means(Meaning::Unread)
}

/// Refuses directories without an archive that the engine could load, unless they hold no archives at all: then they
/// are games of loose files.
fn check_plain(context: &Context<'_>, game: &Game, folders: &[PathBuf]) -> Result<(), Refusal> {
    let mut unopened = Vec::new();
    for skipped in game.skipped() {
        unopened.extend(skipped.opened.as_ref().err().map(Finding::from));
    }
    Refusal::if_any(unopened)?;
    for path in folders {
        let mut found = Search::new(context, &[path], How::default());
        match found.inputs.first() {
            Some(input) if input.as_directory().is_some() => {}
            Some(_) => return Err(Refusal(no_paks(folders))),
            None => return Err(Refusal(found.take_findings())),
        }
    }
    Ok(())
}

/// Refuses these directories if they hold no archive that can be opened, and an archive that cannot be opened, or
/// nothing.
pub(crate) fn check_readable(
    context: &Context<'_>,
    game: &Game,
    paths: &[impl AsRef<Path>],
) -> Result<(), Refusal> {
    let mut folders: Vec<PathBuf> = paths.iter().map(|it| it.as_ref().to_path_buf()).collect();
    folders.retain(|path| path.is_dir());
    if has_archives(game, &folders) {
        return Ok(());
    }
    check_plain(context, game, &folders)
}

/// The error for each directory if there is no archive that an engine loads.
pub(crate) fn no_paks(folders: &[PathBuf]) -> Vec<Finding> {
    let mut errors = Vec::new();
    for path in folders {
        errors.push(no_game("there is no pak in this game's directory").at_path(path));
    }
    errors
}

/// A directory of a game on a disk, of which a bounded number of files is open at once.
pub(super) struct OpsFolder {
    system: System,
    folder: DiskFolder,
}

impl OpsFolder {
    pub(super) fn new(system: &System, path: &Path) -> Self {
        Self { system: system.clone(), folder: DiskFolder::new(path) }
    }
}

impl GameFolder for OpsFolder {
    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn list(&self, folder: &[u8]) -> io::Result<Vec<FolderEntry>> {
        let mut entries = self.folder.list(folder)?;
        entries.retain(|entry| {
            !matches!(entry.kind, FolderEntryKind::File(_))
                || !is_temporary(relative_path(&entry.name).as_os_str())
        });
        Ok(entries)
    }

    fn size(&self, name: &[u8]) -> Option<u64> {
        self.folder.size(name)
    }

    fn open(&self, name: &[u8]) -> io::Result<Arc<dyn ReadAt>> {
        let path = self.folder.path_of(name);
        Ok(Arc::new(self.system.open_regular(&path)?))
    }

    fn parent(&self) -> Option<Arc<dyn GameFolder>> {
        let parent = self.folder.parent();
        Some(Arc::new(Self::new(&self.system, parent.path())))
    }
}

/// All findings except those about loose files. Without an engine, only archives that cannot be opened, or not all of
/// them.
fn findings_of(game: &Game) -> Vec<Finding> {
    let mut findings = Vec::new();
    for loaded in game.loaded() {
        findings.extend(finding::archive_errors(&loaded.archive));
    }
    let Some(engine) = game.engine() else {
        for skipped in game.skipped() {
            findings.extend(skipped.opened.as_ref().err().map(Finding::from));
        }
        return findings;
    };
    for loaded in game.loaded() {
        findings.extend(serves_wrong(loaded, engine));
    }
    let mut unsorted: Vec<&Path> = Vec::new();
    for note in game.notes() {
        if let GameNoteKind::Unsorted(archives) = &note.kind {
            unsorted.extend(archives.iter().map(PathBuf::as_path));
        }
    }
    for skipped in game.skipped().iter().filter(|it| !unsorted.contains(&&*it.path)) {
        let is_asked = !matches!(skipped.why, NotLoaded::Unasked(_));
        let error = skipped.opened.as_ref().err().filter(|_| is_asked);
        findings.extend(error.map(Finding::from));
        let is_bad = skipped.why.is_misread() || skipped.why.is_fatal();
        if error.is_none() || is_bad {
            findings.push(not_loaded(skipped, engine));
        }
    }
    let notes = game.notes().iter().filter(|note| !is_about_loose(note));
    findings.extend(notes.map(|note| of_note(note, engine)));
    findings
}

/// The findings about loose files. Without an engine, there are none.
pub(super) fn unlisted(game: &Game) -> Vec<Finding> {
    let Some(engine) = game.engine() else {
        return Vec::new();
    };
    let notes = game.notes().iter().filter(|note| is_about_loose(note));
    notes.map(|note| of_note(note, engine)).collect()
}

fn is_about_loose(note: &GameNote) -> bool {
    matches!(note.kind, GameNoteKind::Unfollowed | GameNoteKind::Unreadable(_))
}

fn of_note(note: &GameNote, engine: Engine) -> Finding {
    let engine = engine.as_str();
    let finding = match &note.kind {
        GameNoteKind::NeedsFirst => {
            let why = format!("{engine} does not start if the base directory has no pak0.pak");
            Finding::warning(why).advice("give the base directory first, and mods after it")
        }
        GameNoteKind::Unsorted(archives) => {
            let names = archives.iter().filter_map(|path| path.file_name());
            let archives = listed_with_and(&names.map(PathBuf::from).collect::<Vec<_>>());
            let why = format!(
                "the order in which the file system lists them decides which of {archives} wins in {engine}; daisho assumes the order of their names"
            );
            Finding::warning(why)
                .advice("give them names with numbers (pak0.pak, pak1.pak and so on), in lower case: the highest number wins")
        }
        GameNoteKind::Unseen => {
            let why =
                "the engine also loads this file, but daisho does not take it into account here";
            Finding::warning(why)
        }
        GameNoteKind::Unfollowed => {
            let why = "a symbolic link to a directory is not followed, so daisho does not see the files in it";
            Finding::warning(why)
        }
        GameNoteKind::Unreadable(error) => Finding::unread(&note.path, Finding::from(error)),
    };
    finding.at_path(&note.path)
}

/// A warning if the engine serves contents that differ from a ZIP's entries.
fn serves_wrong(loaded: &Loaded, engine: Engine) -> Option<Finding> {
    let wrong = loaded.why.iter().filter(|why| why.is_wrong_content());
    let why: Vec<String> = wrong.map(Reason::to_string).collect();
    if why.is_empty() {
        return None;
    }
    let (engine, why) = (engine.as_str(), why.join("; "));
    let why = format!("{engine} loads this archive, but serves wrong content from it: {why}");
    let warning = Finding::warning(why);
    Some(finding::in_archive(&loaded.archive, warning))
}

/// The finding for an archive that does not load: a warning, or an error if the engine does not even start.
fn not_loaded(skipped: &Skipped, engine: Engine) -> Finding {
    let engines = Engines::from(engine);
    let why = &skipped.why;
    let error = match why {
        NotLoaded::Unasked(_) | NotLoaded::Unreadable => {
            let load = engines.verb("loads", "load");
            Finding::error(format!("{engines} never {load} this archive: {why}"))
        }
        NotLoaded::Refused(_) => judged(engines, why.is_misread(), why),
    };
    let error = error.at_path(&skipped.path);
    if why.is_fatal() { error } else { error.as_warning() }
}
