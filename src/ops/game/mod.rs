//! A game's folders, as an engine sees them: which paks it loads, in which order, and which copy
//! of a file it serves.
//!
//! The base folder comes first, mods behind it; what a later folder has goes before what an earlier
//! one has, a later pak of a folder before an earlier one, and loose files before or behind the
//! paks of their own folder: that, and everything else, is as the engine's
//! [profile](crate::engine::Profile) says.
//!
//! | file      | job                                                       |
//! |-----------|-----------------------------------------------------------|
//! | `order`   | which paks of a folder are asked for, and in which order  |
//! | `unasked` | why the others are not                                    |
//! | `folder`  | one folder: its paks opened and judged, its loose files   |
//! | `find`    | which copy of a name is served                            |
//! | `winners` | what is served of all names, and what a merge takes of it |
//!
//! **File names** are seen as on a file system that tells cases apart, wherever this runs: an
//! engine that asks for `pak0.pak` never loads `PAK0.PAK`, and a loose file is found only under
//! exactly the name that is asked for. A link is what it leads to.
//!
//! **An engine's own pak** is seen where it lies beside the base directory.
//!
//! **What is not seen**: other archives than paks (a pk3, which some engines load between), lists
//! that set another order, what is loaded from a home directory or named on a command line, a pak
//! that is part of the engine.

mod find;
mod folder;
mod order;
mod unasked;
mod winners;

use std::path::{Path, PathBuf};

use super::context::{Context, Problem, Refusal};
use crate::engine::Engine;
use crate::error::{Error, ErrorKind};
use crate::pak::Layout;

pub use find::{LooseFile, Served};
use folder::Listed;
pub use folder::{Folder, LoadedPak, Never, Why};
pub(super) use order::{Place, place};
pub use unasked::Unasked;
pub use winners::Winners;

/// A game's folders, as one engine sees them.
#[derive(Debug)]
pub struct View {
    engine: Engine,
    chosen: bool,
    folders: Vec<Folder>,
    problems: Vec<Problem>,
}

impl View {
    /// Opens every pak of `folders`, the base first, as `engine` would. Without an engine it is
    /// the one whose layout most of the paks have: Daikatana or Quake.
    ///
    /// ```
    /// use daisho::ops::context::{Cancel, Context, Unobserved};
    /// use daisho::engine::Engine;
    /// use daisho::ops::game::View;
    ///
    /// let cancel = Cancel::new();
    /// let context = Context::new(&Unobserved, &cancel);
    /// let view = View::open(&context, &["corpus/game/data".into()], Some(Engine::Daikatana))?;
    /// let found = view.find(b"textures/e1/wall.wal"); // in two paks
    /// assert!(found[0].path().ends_with("pak1.pak")); // served
    /// assert!(found[1].path().ends_with("pak0.pak")); // shadowed
    /// # Ok::<(), daisho::ops::context::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If one of `folders` is no directory or cannot be listed, or there is no pak in any of them.
    pub fn open(
        context: &Context<'_>,
        folders: &[PathBuf],
        engine: Option<Engine>,
    ) -> Result<Self, Refusal> {
        let mut refused = Vec::new();
        let mut listed = Vec::new();
        for path in folders {
            context.cancel.check()?;
            match folder::list(path, context.open) {
                Ok(listing) => listed.push(listing),
                Err(error) => refused.push(error.in_pak(path)),
            }
        }
        if !refused.is_empty() {
            return Err(Refusal(refused));
        }
        let layouts: Vec<Layout> = listed.iter().flat_map(Listed::layouts).collect();
        if layouts.is_empty() {
            let mut why: Vec<Error> = listed.into_iter().flat_map(Listed::errors).collect();
            if why.is_empty() {
                let nothing = |path: &PathBuf| Error::from(ErrorKind::NoPakInGame).in_pak(path);
                why.extend(folders.iter().map(nothing));
            }
            return Err(Refusal(why));
        }
        let seen = engine.unwrap_or_else(|| of_most(&layouts));
        let mut problems = Vec::new();
        let folders = (0..)
            .zip(listed)
            .map(|(at, listing)| Folder::new(listing, seen, at == 0, &mut problems))
            .collect();
        Ok(Self {
            engine: seen,
            chosen: engine.is_none(),
            folders,
            problems,
        })
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
        self.folders.iter().flat_map(|folder| folder.paks())
    }

    /// Every pak in the folders, loaded or not.
    pub(super) fn all_paks(&self) -> impl Iterator<Item = &Path> {
        let paks = self.paks().map(|pak| &*pak.path);
        let folders = self.folders.iter();
        let never = folders.flat_map(|folder| folder.never_loaded());
        paks.chain(never.map(|never| &*never.path))
    }

    /// The paks that are never loaded, and what is loaded and not seen here.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// The engine for these layouts, by their number.
fn of_most(layouts: &[Layout]) -> Engine {
    let daikatana = layouts
        .iter()
        .filter(|layout| **layout == Layout::Daikatana)
        .count();
    if daikatana * 2 > layouts.len() {
        Engine::Daikatana
    } else {
        Engine::Quake
    }
}
