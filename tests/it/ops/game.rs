//! A game's folders as each engine sees them: what holds for all of them, and plain searches by the
//! rules that were seen. What was seen of each is in `engines`.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use daisho::Entry;
use daisho::archive::ReadAt;
use daisho::engine::{
    Engine, FileCopy, FolderEntry, FolderEntryKind, GameBuilder, GameFolder, ServedFile,
};
use daisho::ops::game::View;
use daisho::ops::source::Selection;
use tempfile::TempDir;

use super::engines::observed::{Duplicates, rules};
use super::engines::pak_engines;
use super::{Random, context};
use crate::archive::build::Pak;

/// All engines but Daikatana, and Daikatana, whose paks have another layout.
const QUAKES: [Engine; 10] = [
    Engine::Quake,
    Engine::QuakeSpasm,
    Engine::Ironwail,
    Engine::VkQuake,
    Engine::Qss,
    Engine::DarkPlaces,
    Engine::Fteqw,
    Engine::Quake2,
    Engine::Yquake2,
    Engine::Q2pro,
];

fn layout_of(engine: Engine) -> fn(Pak) -> Vec<u8> {
    match engine {
        Engine::Daikatana => Pak::daikatana,
        _ => Pak::quake,
    }
}

/// Folders with paks and files in them.
struct Game(TempDir);

impl Game {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A pak of these names, in `engine`'s layout.
    fn pak(&self, engine: Engine, path: &str, names: &[&str]) {
        let pak = names.iter().fold(Pak::new(), |pak, name| {
            pak.stored(name, format!("{path} {name}").as_bytes())
        });
        self.file(path, layout_of(engine)(pak));
    }

    fn view(&self, engine: Engine, folders: &[&str]) -> View {
        let folders: Vec<PathBuf> = folders.iter().map(|f| self.0.path().join(f)).collect();
        View::open(&context(1), &folders, Some(engine), true).unwrap()
    }

    /// `PATH#INDEX`, or `PATH` for a loose file.
    fn shown(&self, copy: &FileCopy<'_>) -> String {
        self.place(&copy.path, copy.entry().as_ref())
    }

    /// Of what is listed as served, in the same words.
    fn winner(&self, entry: &Entry<'_>) -> String {
        let path = entry.path().unwrap();
        self.place(path, Some(entry).filter(|entry| !entry.is_file()))
    }

    fn place(&self, path: &Path, entry: Option<&Entry<'_>>) -> String {
        let path = path.strip_prefix(self.0.path()).unwrap();
        let path = path.to_str().unwrap().replace('\\', "/");
        match entry {
            Some(entry) => format!("{path}#{}", entry.index()),
            None => path,
        }
    }

    /// Every copy of `name`, in the order in which they are served.
    fn found(&self, engine: Engine, folders: &[&str], name: &str) -> Vec<String> {
        let view = self.view(engine, folders);
        let found = view.game.find(name.as_bytes());
        found.iter().map(|copy| self.shown(copy)).collect()
    }

    /// The paks that load, in order, and what is said of the others: `NAME: REASON`, with `!` in
    /// front where the engine does not start.
    fn loaded(&self, engine: Engine) -> (Vec<String>, Vec<String>) {
        let view = self.view(engine, &["g"]);
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let loaded = view.game.loaded().map(|pak| name(pak.path())).collect();
        let never = view.game.skipped().iter().map(|never| {
            let fatal = if never.why.is_fatal() { "!" } else { "" };
            format!("{fatal}{}: {}", name(&never.path), never.why)
        });
        (loaded, never.collect())
    }
}

#[test]
fn later_paks_win_and_mods_beat_the_base() {
    for engine in pak_engines() {
        let game = Game::new();
        for path in ["base/pak0.pak", "base/pak1.pak", "mod/pak0.pak"] {
            game.pak(engine, path, &["other", "a"]);
        }
        assert_eq!(
            game.found(engine, &["base", "mod"], "a"),
            ["mod/pak0.pak#1", "base/pak1.pak#1", "base/pak0.pak#1"],
            "{engine}"
        );
        assert_eq!(
            game.found(engine, &["mod", "base"], "a"),
            ["base/pak1.pak#1", "base/pak0.pak#1", "mod/pak0.pak#1"],
            "{engine}"
        );
    }
}

/// A duplicate that is shadowed by another pak leaves nothing undefined.
#[test]
fn what_is_not_served_can_stay_undefined() {
    let game = Game::new();
    game.pak(Engine::Yquake2, "g/pak0.pak", &["a", "a"]);
    game.pak(Engine::Yquake2, "g/pak1.pak", &["a"]);
    let view = game.view(Engine::Yquake2, &["g"]);
    assert!(!view.game.is_doubtful(&view.game.find(b"a")));
    let winners = view.winners(&Selection::all(), false);
    assert_eq!((winners.served.len(), winners.undefined.len()), (1, 0));
}

/// The file system tells cases apart; where it does not, there is nothing to see.
#[cfg(target_os = "linux")]
#[test]
fn a_loose_file_is_found_under_exactly_its_name() {
    for engine in pak_engines() {
        let game = Game::new();
        game.pak(engine, "g/pak0.pak", &["x"]);
        game.file("g/Maps/A.bsp", "loose");
        assert_eq!(game.found(engine, &["g"], "maps/a.bsp"), [""; 0]);
        assert_eq!(game.found(engine, &["g"], "Maps/A.bsp"), ["g/Maps/A.bsp"]);
        assert_eq!(game.found(engine, &["g"], "../g/Maps/A.bsp"), [""; 0]);
    }
}

#[test]
fn a_pak_of_the_other_layout_is_never_loaded() {
    let game = Game::new();
    game.pak(Engine::Quake, "g/pak0.pak", &["a"]);
    game.pak(Engine::Daikatana, "g/pak1.pak", &["a"]);
    game.pak(Engine::Quake, "g/pak2.pak", &["a"]);
    for engine in QUAKES {
        let (loaded, never) = game.loaded(engine);
        assert_eq!(loaded, ["pak0.pak", "pak2.pak"], "{engine}");
        let layout = "pak1.pak: it is a daikatana archive, not a quake archive";
        // Its one record of 72 bytes is one of 64 and a rest.
        let rest = match engine {
            Engine::DarkPlaces | Engine::Q2pro => {
                "; its directory ends in 8 bytes that are not a whole record"
            }
            _ => "",
        };
        assert_eq!(never, [format!("{layout}{rest}")], "{engine}");
    }
    assert_eq!(game.loaded(Engine::Daikatana).0, ["pak1.pak"]);
}

#[test]
fn unreadable_archives_are_errors_beside_others() {
    let game = Game::new();
    game.pak(Engine::Qss, "g/pak0.pak", &["a"]);
    game.file("g/pak1.pak", "no pak at all");
    game.file("g/pak2.pk3", "PK\x03\x04");
    game.file("g/pak.lst", "pak0.pak");
    let reported = |engine| {
        let view = game.view(engine, &["g"]);
        let findings = view.findings.iter();
        let shown = findings.map(|finding| {
            let name = finding.place.path.as_deref().unwrap().file_name().unwrap();
            format!("{:?} {}", finding.severity, name.to_str().unwrap())
        });
        shown.collect::<Vec<String>>().join(", ")
    };
    // What it is, and that the engine does not start with it.
    assert_eq!(reported(Engine::Quake), "Error pak1.pak, Error pak1.pak");
    assert_eq!(
        reported(Engine::Qss),
        "Error pak1.pak, Error pak1.pak, Error pak2.pk3, Warning pak.lst"
    );
    assert_eq!(reported(Engine::Q2pro), "Error pak1.pak");
}

/// Games at random, against a plain search by the rules that were seen.
#[test]
fn every_name_is_served_as_a_plain_search_has_it() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..70 {
        let engine = QUAKES[round % QUAKES.len()];
        let rules = rules(engine);
        let game = Game::new();
        // Everything in the order in which it is searched: a copy's name, and how it is shown.
        let mut search: Vec<(String, String, bool)> = Vec::new();
        for folder in ["base", "mod"] {
            let mut paks = Vec::new();
            for pak in 0..1 + random.below(3) {
                let names: Vec<String> = (0..random.below(6) + 1)
                    .map(|_| ["a", "b", "A", "c/d", "C/d"][random.below(5)].to_owned())
                    .collect();
                let path = format!("{folder}/pak{pak}.pak");
                let all: Vec<&str> = names.iter().map(String::as_str).collect();
                game.pak(engine, &path, &all);
                let mut entries: Vec<(String, String, bool)> = names
                    .into_iter()
                    .enumerate()
                    .map(|(n, name)| (name, format!("{path}#{n}"), false))
                    .collect();
                if rules.duplicates == Duplicates::Last {
                    entries.reverse();
                }
                paks.splice(0..0, entries);
            }
            let mut loose = Vec::new();
            for name in ["a", "c/d", "e"] {
                if random.below(2) == 0 {
                    game.file(&format!("{folder}/{name}"), "loose");
                    loose.push((name.to_owned(), format!("{folder}/{name}"), true));
                }
            }
            let both = if rules.loose_wins {
                [loose, paks]
            } else {
                [paks, loose]
            };
            search.splice(0..0, both.concat());
        }
        let same = |asked: &str, name: &str, loose: bool| {
            asked == name || !rules.case_matters && !loose && asked.eq_ignore_ascii_case(name)
        };
        let view = game.view(engine, &["base", "mod"]);
        let mut winners: Vec<String> = Vec::new();
        // A loose file is the file system's to find, and Windows' finds it in any case.
        let is_asked = |name: &&str| !cfg!(windows) || !name.contains(char::is_uppercase);
        let names = ["a", "b", "A", "B", "c/d", "C/d", "e"];
        for asked in names.into_iter().filter(is_asked) {
            let expected: Vec<&String> = search
                .iter()
                .filter(|(name, _, loose)| same(asked, name, *loose))
                .map(|(_, shown, _)| shown)
                .collect();
            let found = view.game.find(asked.as_bytes());
            let found: Vec<String> = found.iter().map(|it| game.shown(it)).collect();
            assert_eq!(
                found.iter().collect::<Vec<_>>(),
                expected,
                "{engine} {asked}"
            );
        }
        // A copy is listed that is served under its own name.
        for (name, shown, _) in &search {
            let first = search
                .iter()
                .find(|(n, _, loose)| same(name, n, *loose))
                .unwrap();
            if first.1 == *shown {
                winners.push(shown.clone());
            }
        }
        let listed = view.winners(&Selection::all(), false);
        let mut listed: Vec<String> = listed.served.iter().map(|it| game.winner(it)).collect();
        listed.sort();
        winners.sort();
        assert_eq!(listed, winners, "{engine}");
    }
}

/// A directory in memory, on a file system that may ignore case.
struct Memory {
    path: PathBuf,
    files: BTreeMap<Vec<u8>, Vec<u8>>,
    ignores_case: bool,
}

impl Memory {
    /// All files below a directory on the disk.
    fn of(path: &Path) -> Self {
        let mut files = BTreeMap::new();
        for entry in walkdir::WalkDir::new(path) {
            let entry = entry.unwrap();
            if entry.file_type().is_file() {
                let name = entry.path().strip_prefix(path).unwrap();
                let name = name.to_str().unwrap().replace('\\', "/");
                files.insert(name.into_bytes(), fs::read(entry.path()).unwrap());
            }
        }
        Self {
            path: path.to_path_buf(),
            files,
            ignores_case: false,
        }
    }

    fn content(&self, name: &[u8]) -> Option<&Vec<u8>> {
        let is_it = |other: &[u8]| {
            if self.ignores_case {
                other.eq_ignore_ascii_case(name)
            } else {
                other == name
            }
        };
        let mut files = self.files.iter();
        files.find_map(|(other, content)| is_it(other).then_some(content))
    }
}

impl GameFolder for Memory {
    fn path(&self) -> &Path {
        &self.path
    }

    fn list(&self, folder: &[u8]) -> io::Result<Vec<FolderEntry>> {
        let mut entries = BTreeMap::new();
        let folder = match folder {
            b"" => Vec::new(),
            folder => [folder, b"/"].concat(),
        };
        for (name, content) in &self.files {
            let Some(rest) = name.strip_prefix(&*folder) else {
                continue;
            };
            match rest.iter().position(|byte| *byte == b'/') {
                Some(end) => entries.insert(rest[..end].to_vec(), FolderEntryKind::Folder),
                None => {
                    let kind = FolderEntryKind::File(content.len() as u64);
                    entries.insert(rest.to_vec(), kind)
                }
            };
        }
        let entries = entries.into_iter();
        Ok(entries
            .map(|(name, kind)| FolderEntry { name, kind })
            .collect())
    }

    fn size(&self, name: &[u8]) -> Option<u64> {
        Some(self.content(name)?.len() as u64)
    }

    fn open(&self, name: &[u8]) -> io::Result<Arc<dyn ReadAt>> {
        let content = self.content(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(content.clone()))
    }
}

/// What is served of a game in one directory: where each file is, and its content.
fn contents(game: &daisho::Game) -> Vec<(PathBuf, Vec<u8>, Vec<u8>)> {
    let read = |file: &ServedFile<'_>| {
        let path = file.entry.path().unwrap().to_path_buf();
        (path, file.name().to_vec(), file.entry.read().unwrap())
    };
    game.files().iter().map(read).collect()
}

#[test]
fn a_game_in_memory_is_the_same_as_on_a_disk() {
    for engine in QUAKES {
        let game = Game::new();
        game.pak(engine, "g/pak0.pak", &["a", "b", "dir/c"]);
        game.pak(engine, "g/pak1.pak", &["b"]);
        game.pak(engine, "g/x.pk3dir/pak0.pak", &["b"]);
        game.file("g/x.pk3dir/dir/c", "in a directory");
        game.file("g/dir/c", "loose");
        game.file("g/d", "loose");
        let memory: Arc<dyn GameFolder> = Arc::new(Memory::of(&game.0.path().join("g")));
        let mut builder = GameBuilder::new();
        builder.folder_in(memory).engine(engine).list_loose(true);
        let in_memory = builder.open().unwrap();
        let on_disk = game.view(engine, &["g"]).game;
        assert_eq!(contents(&in_memory), contents(&on_disk), "{engine}");
        for name in [&b"a"[..], b"b", b"dir/c", b"d", b"e", b"../g/d"] {
            let found = |game: &daisho::Game| -> Vec<(PathBuf, Vec<u8>)> {
                let copies = game.find(name).into_iter();
                copies
                    .map(|it| (it.path.clone(), it.read().unwrap()))
                    .collect()
            };
            let streamed = in_memory.get(name).map(|copy| {
                let mut content = Vec::new();
                copy.reader().unwrap().read_to_end(&mut content).unwrap();
                (copy.path.clone(), content)
            });
            assert_eq!(streamed.as_ref(), found(&in_memory).first(), "{engine}");
            assert_eq!(found(&in_memory), found(&on_disk), "{engine}");
        }
    }
}

#[test]
fn case_blind_file_systems_find_archives_in_any_case() {
    for (ignores_case, loaded) in [(false, 0), (true, 1)] {
        let game = Game::new();
        game.pak(Engine::Quake, "PAK0.PAK", &["a"]);
        let mut memory = Memory::of(game.0.path());
        memory.ignores_case = ignores_case;
        let mut builder = GameBuilder::new();
        builder.folder_in(Arc::new(memory)).engine(Engine::Quake);
        let game = builder.open().unwrap();
        assert_eq!(game.find(b"a").len(), loaded);
        assert_eq!(game.skipped().len(), 1 - loaded);
    }
}

/// Without an engine all archives load by name, whatever they are called, and case does not matter.
#[test]
fn without_an_engine_the_last_copy_is_served() {
    let game = Game::new();
    game.pak(Engine::Quake, "g/mod.pak", &["A", "b", "B"]);
    game.pak(Engine::Daikatana, "g/zoo.pak", &["a"]);
    game.file("g/c", "loose");
    game.file("g/broken.pak", "no pak");
    let memory: Arc<dyn GameFolder> = Arc::new(Memory::of(&game.0.path().join("g")));
    let game = GameBuilder::new().folder_in(memory).without_engine().open();
    let game = game.unwrap();
    let place = |name: &[u8]| {
        let copies = game.find(name);
        let copy = &copies[0];
        let file = copy.path.file_name().unwrap().to_str().unwrap();
        format!("{file} {}", copy.name.escape_ascii())
    };
    let served = [place(b"a"), place(b"b"), place(b"C")];
    assert_eq!(served, ["zoo.pak a", "mod.pak B", "c c"]);
    let files: Vec<&[u8]> = game.files().iter().map(ServedFile::name).collect();
    assert_eq!(files, [&b"B"[..], b"a", b"c"]);
    assert!(game.skipped()[0].opened.is_err());
}
