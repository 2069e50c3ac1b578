//! The folders of a game, as one engine sees them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::folder::{Folder, Listed};
use super::pak::LoadedPak;
use crate::archive::{Archive, Format};
use crate::engine::Engine;
use crate::fs::System;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, Notice};

/// A game's folders, as one engine sees them.
#[derive(Debug)]
pub struct View {
    engine: Engine,
    chosen: bool,
    folders: Vec<Folder>,
    findings: Vec<Finding>,
}

impl View {
    /// Opens every archive of `folders`, the base first, as `engine` would. Without an engine it is
    /// the one whose layout most of the paks have: Daikatana or Quake.
    ///
    /// ```
    /// use daisho::ops::context::Context;
    /// use daisho::engine::Engine;
    /// use daisho::ops::game::View;
    ///
    /// let context = Context::new();
    /// let view = View::open(&context, &["corpus/game/data".into()], Some(Engine::Daikatana))?;
    /// let found = view.find(b"textures/e1/wall.wal"); // in two paks
    /// assert!(found[0].path.ends_with("pak1.pak")); // served
    /// assert!(found[1].path.ends_with("pak0.pak")); // shadowed
    /// # Ok::<(), daisho::ops::context::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If one of `folders` is no directory or cannot be listed, or there is no pak in any of them, nor any
    /// other archive that the engine loads.
    pub fn open(
        context: &Context<'_>,
        folders: &[PathBuf],
        engine: Option<Engine>,
    ) -> Result<Self, Refusal> {
        let listed = list(context, folders, engine)?;
        let formats: Vec<Format> = listed.iter().flat_map(Listed::formats).collect();
        if formats.is_empty() {
            let mut why: Vec<Finding> = listed.into_iter().flat_map(Listed::errors).collect();
            if why.is_empty() {
                let nothing = |path: &PathBuf| {
                    let why = "there is no pak in this game's directory";
                    Finding::error(Notice::NoGame, why).in_pak(path)
                };
                why.extend(folders.iter().map(nothing));
            }
            return Err(Refusal(why));
        }
        let seen_by = engine.unwrap_or_else(|| engine_for_most(&formats));
        let mut view = Self::load(&context.system, listed, seen_by);
        view.chosen = engine.is_none();
        Ok(view)
    }

    /// As [`open`](Self::open), also for folders without any archive: their loose files are served.
    pub(in crate::ops) fn open_with_loose(
        context: &Context<'_>,
        folders: &[PathBuf],
        engine: Engine,
    ) -> Result<Self, Refusal> {
        let listed = list(context, folders, Some(engine))?;
        Ok(Self::load(&context.system, listed, engine))
    }

    fn load(system: &System, listed: Vec<Listed>, engine: Engine) -> Self {
        let mut findings = Vec::new();
        let mut folders = Vec::new();
        for (at, listed) in listed.into_iter().enumerate() {
            folders.push(Folder::load(system, listed, engine, at == 0, &mut findings));
        }
        Self {
            engine,
            chosen: false,
            folders,
            findings,
        }
    }

    /// The engine.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        self.engine
    }

    /// Whether the engine was chosen by the paks' layout, because none was named.
    #[must_use]
    pub const fn is_chosen(&self) -> bool {
        self.chosen
    }

    /// The folders, the base first.
    #[must_use]
    pub fn folders(&self) -> &[Folder] {
        &self.folders
    }

    /// The paks in the order in which they load.
    pub fn paks(&self) -> impl DoubleEndedIterator<Item = &LoadedPak> {
        self.folders.iter().flat_map(Folder::paks)
    }

    /// Where every pak in the folders is, loaded or not.
    pub(in crate::ops) fn all_paks(&self) -> impl Iterator<Item = &Path> {
        let never = self.folders.iter().flat_map(Folder::never_loaded);
        let never = never.map(|never| &*never.path);
        self.paks().map(LoadedPak::path).chain(never)
    }

    /// One of the archives that are served from, to be kept beyond the view.
    pub(in crate::ops) fn shared(&self, archive: &Archive) -> Option<&Arc<Archive>> {
        let mut archives = self.folders.iter().flat_map(Folder::archives);
        archives.find(|it| core::ptr::eq(&***it, archive))
    }

    /// The same as [`findings`](Self::findings), to be kept beyond the view, which has none then.
    pub(in crate::ops) fn take_problems(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.findings)
    }

    /// The paks that are never loaded, and what is loaded and not seen here.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// Lists the folders, and opens their archives.
fn list(
    context: &Context<'_>,
    folders: &[PathBuf],
    engine: Option<Engine>,
) -> Result<Vec<Listed>, Refusal> {
    let (mut listed, mut refused) = (Vec::new(), Vec::new());
    for path in folders {
        context.cancel.check()?;
        match Listed::of(&context.system, path, engine, context.open) {
            Ok(folder) => listed.push(folder),
            Err(error) => refused.push(error.in_pak(path)),
        }
    }
    match refused.is_empty() {
        true => Ok(listed),
        false => Err(Refusal(refused)),
    }
}

/// The engine for paks of these formats: Daikatana where most are its own.
fn engine_for_most(formats: &[Format]) -> Engine {
    let daikatana = formats
        .iter()
        .filter(|format| **format == Format::Daikatana)
        .count();
    if daikatana * 2 > formats.len() {
        Engine::Daikatana
    } else {
        Engine::Quake
    }
}
