//! Folders with paks and files in them, and what an engine makes of them.

use std::fs;
use std::path::{Path, PathBuf};

use daisho::engine::{Engine, FileCopy};
use daisho::ops::game::View;
use daisho::ops::source::Selection;
use daisho::{Entry, Format};
use tempfile::TempDir;

use super::super::context;
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// Folders with paks and files in them, as an engine sees them.
pub(in crate::ops) struct Game {
    pub(super) engine: Engine,
    dir: TempDir,
}

/// The layout of an engine's paks.
pub(super) fn layout(engine: Engine) -> Format {
    match engine {
        Engine::Daikatana => Format::Daikatana,
        _ => Format::Quake,
    }
}

/// A pak in an engine's layout.
pub(super) fn finish(engine: Engine, pak: Pak) -> Vec<u8> {
    match layout(engine) {
        Format::Daikatana => pak.daikatana(),
        _ => pak.quake(),
    }
}

impl Game {
    pub(in crate::ops) fn new(engine: Engine) -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self { engine, dir }
    }

    pub(in crate::ops) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(in crate::ops) fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A pak of these names, each with its place for a content.
    pub(in crate::ops) fn pak(&self, path: &str, names: &[&str]) {
        let pak = (0..)
            .zip(names)
            .fold(Pak::new(), |pak, (n, name)| pak.stored(name, format!("{path}#{n}").as_bytes()));
        self.file(path, finish(self.engine, pak));
    }

    /// A ZIP of these names, each with its place for a content.
    pub(super) fn zip(&self, path: &str, names: &[&str]) {
        let zip = (0..).zip(names).fold(Zip::new(), |zip, (n, name)| {
            zip.deflated(name, format!("{path}#{n}").as_bytes())
        });
        self.file(path, zip.bytes());
    }

    pub(in crate::ops) fn view(&self, folders: &[&str]) -> View {
        self.open(folders, false)
    }

    pub(in crate::ops) fn open(&self, folders: &[&str], loose: bool) -> View {
        let folders: Vec<PathBuf> = folders.iter().map(|folder| self.path(folder)).collect();
        // An empty pak says nothing of its layout.
        let context = context(1).reading(Some(layout(self.engine)).into());
        View::open(&context, &folders, Some(self.engine), loose).unwrap()
    }

    pub(super) fn shown(&self, copy: &FileCopy<'_>) -> String {
        self.place(&copy.path, copy.entry().as_ref())
    }

    /// Of what is listed as served, in the same words.
    fn winner(&self, entry: &Entry<'_>) -> String {
        let path = entry.path().unwrap();
        self.place(path, Some(entry).filter(|entry| !entry.is_file()))
    }

    fn place(&self, path: &Path, entry: Option<&Entry<'_>>) -> String {
        let path = path.strip_prefix(self.dir.path()).unwrap();
        let path = path.to_str().unwrap().replace('\\', "/");
        match entry {
            Some(entry) => format!("{path}#{}", entry.index()),
            None => path,
        }
    }

    /// Every copy that would be served under a name, the one that is served first.
    pub(in crate::ops) fn found(&self, folders: &[&str], name: &str) -> String {
        let view = self.view(folders);
        let found = view.game.find(name.as_bytes());
        let shown: Vec<String> = found.iter().map(|copy| self.shown(copy)).collect();
        shown.join(" ")
    }

    /// What is listed as served.
    pub(super) fn listed(&self, folders: &[&str], loose: bool) -> String {
        let view = self.open(folders, loose);
        let winners = view.winners(&Selection::all(), false);
        let shown: Vec<String> = winners.served.iter().map(|it| self.winner(it)).collect();
        shown.join(" ")
    }

    /// The paks that load, in order.
    pub(super) fn loaded(&self) -> String {
        let view = self.view(&["g"]);
        let names: Vec<&str> = view.game.loaded().map(|pak| name(pak.path())).collect();
        names.join(" ")
    }
}

pub(super) fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// What is reported of a game, one line each.
pub(super) fn reported(view: &View) -> String {
    let reported = view.findings.iter();
    let reported = reported.map(|finding| {
        let path = finding.place.path.as_deref().map_or("", name);
        format!("{path}: {finding}")
    });
    reported.collect::<Vec<_>>().join("\n")
}
