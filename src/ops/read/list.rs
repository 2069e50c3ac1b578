//! What is in archives: their directories, entry by entry, with nothing decoded.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::visit::{self, Visited};
use crate::archive::{Archive, Entry};
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::inputs::Search;
use crate::ops::open;
use crate::ops::select::Selection;

/// What to list.
#[derive(Debug)]
pub struct ListOptions {
    /// Where archives are looked for besides those that are named.
    pub search: Search,
    /// Which entries.
    pub selection: Selection,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self {
            search: Search::default(),
            selection: Selection::all(),
        }
    }
}

/// One archive, open, with the entries that were selected.
#[derive(Debug)]
pub struct Listing<'a> {
    /// Where it is, as the user would write it.
    pub path: &'a Path,
    /// The archive.
    pub archive: &'a Archive,
    /// The entries that were selected, in the directory's order.
    pub entries: Vec<Entry<'a>>,
    /// What is unusual in the archive as a whole, and every entry whose claims cannot be true.
    pub problems: Vec<Problem>,
}

/// Lends `visit` one archive after another, until it breaks off.
///
/// ```
/// use daisho::ops::context::{Cancel, Context, Unobserved};
/// use daisho::ops::inputs::Search;
/// use daisho::ops::read::list::{ListOptions, list};
/// use daisho::ops::select::Selection;
/// use std::ops::ControlFlow;
///
/// let options = ListOptions {
///     search: Search::RECURSIVE,
///     selection: Selection::new(&["maps/*.bsp"], &["e1m2*"])?,
/// };
/// let mut levels = Vec::new();
/// let cancel = Cancel::new();
/// list(&Context::new(&Unobserved, &cancel), &["corpus/game/data".into()], &options, |pak| {
///     levels.extend(pak.entries.iter().map(|entry| entry.name().to_string()));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(levels, ["maps/e1m1.bsp"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A directory without `recursive`.
pub fn list(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &ListOptions,
    mut visit: impl FnMut(&Listing<'_>) -> ControlFlow<()>,
) -> Result<Visited, Refusal> {
    let mut went_on = true;
    let mut visited = visit::each(context, paths, options.search, |path, archive| {
        let flow = visit(&Listing::new(path, archive, &options.selection));
        went_on = flow.is_continue();
        flow
    })?;
    // What was not looked at might have matched.
    if went_on && visited.paks > 0 && !context.cancel.is_set() {
        let unmatched = options.selection.unmatched();
        visited.problems.extend(unmatched.map(Problem::error));
    }
    Ok(visited)
}

impl<'a> Listing<'a> {
    fn new(path: &'a Path, archive: &'a Archive, selection: &Selection) -> Self {
        let entries = selection.entries(archive);
        let mut problems = open::notes(archive);
        let impossible = entries
            .iter()
            .filter_map(|entry| entry.check_claims().err());
        problems.extend(impossible.map(Problem::error));
        Self {
            path,
            archive,
            entries,
            problems,
        }
    }
}
