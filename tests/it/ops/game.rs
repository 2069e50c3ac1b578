//! Games in folders on a disk and in memory, as any engine sees them. What was seen of each engine is in `engines`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use daisho::archive::ReadAt;
use daisho::engine::{
    Engine, FolderEntry, FolderEntryKind, GameBuilder, GameFolder, GameNoteKind, ServedFile,
};
use daisho::ops::source::Selection;

use super::engines::game::Game;
use super::engines::pak_engines;
use crate::archive::build::Pak;

#[test]
fn later_paks_win_and_mods_beat_the_base() {
    for engine in pak_engines() {
        let game = Game::new(engine);
        for path in ["base/pak0.pak", "base/pak1.pak", "mod/pak0.pak"] {
            game.pak(path, &["other", "a"]);
        }
        let found = |folders: [&str; 2]| game.found(&folders, "a");
        let mod_first = "mod/pak0.pak#1 base/pak1.pak#1 base/pak0.pak#1";
        assert_eq!(found(["base", "mod"]), mod_first, "{engine}");
        let base_first = "base/pak1.pak#1 base/pak0.pak#1 mod/pak0.pak#1";
        assert_eq!(found(["mod", "base"]), base_first, "{engine}");
    }
}

/// A duplicate that is shadowed by another pak leaves nothing undefined.
#[test]
fn shadowed_duplicates_are_not_undefined() {
    let game = Game::new(Engine::Yquake2);
    game.pak("g/pak0.pak", &["a", "a"]);
    game.pak("g/pak1.pak", &["a"]);
    let view = game.view(&["g"]);
    assert!(!view.game.is_doubtful(&view.game.find(b"a")));
    let winners = view.winners(&Selection::all(), false);
    assert_eq!((winners.served.len(), winners.findings.len()), (1, 0));
}

#[test]
fn unreadable_archives_are_errors_beside_others() {
    let reported = |engine| {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["a"]);
        game.file("g/pak1.pak", "no pak at all");
        game.file("g/pak2.pk3", "PK\x03\x04");
        game.file("g/pak.lst", "pak0.pak");
        let view = game.view(&["g"]);
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
        Self { path: path.to_path_buf(), files, ignores_case: false }
    }

    fn content(&self, name: &[u8]) -> Option<&Vec<u8>> {
        let is_it = |other: &[u8]| {
            if self.ignores_case { other.eq_ignore_ascii_case(name) } else { other == name }
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
        if folder == b"shut" {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
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
        Ok(entries.map(|(name, kind)| FolderEntry { name, kind }).collect())
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
    for engine in pak_engines() {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["a", "b", "dir/c"]);
        game.pak("g/pak1.pak", &["b"]);
        game.pak("g/x.pk3dir/pak0.pak", &["b"]);
        game.file("g/x.pk3dir/dir/c", "in a directory");
        game.file("g/dir/c", "loose");
        game.file("g/d", "loose");
        let memory: Arc<dyn GameFolder> = Arc::new(Memory::of(&game.path("g")));
        let mut builder = GameBuilder::new();
        builder.folder_in(memory).engine(engine).list_loose(true);
        let in_memory = builder.open().unwrap();
        let on_disk = game.open(&["g"], true).game;
        assert_eq!(contents(&in_memory), contents(&on_disk), "{engine}");
        for name in [&b"a"[..], b"b", b"dir/c", b"d", b"e", b"../g/d"] {
            let found = |game: &daisho::Game| -> Vec<(PathBuf, Vec<u8>)> {
                let copies = game.find(name).into_iter();
                copies.map(|it| (it.path.clone(), it.read().unwrap())).collect()
            };
            let served = in_memory.get(name).map(|it| (it.path.clone(), it.read().unwrap()));
            assert_eq!(served.as_ref(), found(&in_memory).first(), "{engine}");
            assert_eq!(found(&in_memory), found(&on_disk), "{engine}");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_listed_is_noted() {
    let game = Game::new(Engine::Quake);
    game.pak("pak0.pak", &["a"]);
    game.file("shut/b", "loose");
    let memory: Arc<dyn GameFolder> = Arc::new(Memory::of(&game.path("")));
    let mut builder = GameBuilder::new();
    builder.folder_in(memory).engine(Engine::Quake);
    let game = builder.list_loose(true).open().unwrap();
    let [note] = game.notes() else {
        panic!("{:?}", game.notes());
    };
    assert!(note.path.ends_with("shut"));
    assert!(matches!(note.kind, GameNoteKind::Unreadable(_)), "{note:?}");
    assert_eq!(game.files().len(), 1);
}

#[test]
fn case_blind_file_systems_find_archives_in_any_case() {
    for (ignores_case, loaded) in [(false, 0), (true, 1)] {
        let game = Game::new(Engine::Quake);
        game.pak("PAK0.PAK", &["a"]);
        let mut memory = Memory::of(&game.path(""));
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
    let game = Game::new(Engine::Quake);
    game.pak("g/mod.pak", &["A", "b", "B"]);
    game.file("g/zoo.pak", Pak::new().stored("a", b"a").daikatana());
    game.file("g/c", "loose");
    game.file("g/broken.pak", "no pak");
    let memory: Arc<dyn GameFolder> = Arc::new(Memory::of(&game.path("g")));
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

#[test]
fn a_folder_holds_what_is_served_from_it() {
    let game = Game::new(Engine::Quake);
    game.pak("g/pak0.pak", &["maps/a.bsp", "maps/in/b.bsp", "mapsource/c.map", "d"]);
    game.file("g/maps/loose.ent", "loose");
    game.file("g/maps/a.bsp", "the pak wins, or loses");
    let served = |engine, folder: &str| {
        let mut builder = GameBuilder::new();
        builder.folder(game.path("g"));
        match engine {
            Some(engine) => builder.engine(engine),
            None => builder.without_engine(),
        };
        let opened = builder.open().unwrap();
        let mut names: Vec<String> = Vec::new();
        for file in opened.folder(folder) {
            names.push(file.entry.name().to_string());
        }
        names.sort();
        names.join(" ")
    };
    for engine in [Some(Engine::Quake), Some(Engine::DarkPlaces), None] {
        let maps = "maps/a.bsp maps/in/b.bsp maps/loose.ent";
        assert_eq!(served(engine, "maps"), maps, "{engine:?}");
        assert_eq!(served(engine, "maps/"), maps, "{engine:?}");
        assert_eq!(served(engine, "maps/in"), "maps/in/b.bsp", "{engine:?}");
        assert_eq!(served(engine, "map"), "", "{engine:?}");
        assert_eq!(served(engine, ""), format!("d {maps} mapsource/c.map"), "{engine:?}");
    }
    assert_eq!(served(Some(Engine::DarkPlaces), "MAPS/IN"), "maps/in/b.bsp");
    assert_eq!(served(Some(Engine::Quake), "MAPS"), "");
}
