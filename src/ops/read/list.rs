//! What is in archives: their directories, entry by entry, with nothing decoded; and where it is asked for,
//! what the files' headers say.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::facts::{Headers, headers_on};
use super::visit::{self, Visited};
use crate::archive::{Archive, Entry};
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::inputs::Search;
use crate::ops::open;
use crate::ops::pool::Pool;
use crate::ops::select::Selection;

/// What to list.
#[derive(Debug)]
pub struct ListOptions {
    /// Where archives are looked for besides those that are named.
    pub search: Search,
    /// Which entries.
    pub selection: Selection,
    /// Whether to look at the headers of the files.
    pub headers: bool,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self {
            search: Search::default(),
            selection: Selection::all(),
            headers: false,
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
    /// For each of them what its header says; none where that is not asked for.
    pub headers: Headers,
    /// What is unusual in the archive as a whole, every entry whose claims cannot be true, and every header
    /// that cannot be read.
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
///     headers: false,
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
    let pool = options.headers.then(|| Pool::new(context.jobs));
    let mut went_on = true;
    let mut visited = visit::each(context, paths, options.search, |path, archive| {
        let flow = visit(&Listing::new(
            path,
            archive,
            &options.selection,
            pool.as_ref(),
        ));
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
    fn new(
        path: &'a Path,
        archive: &'a Archive,
        selection: &Selection,
        pool: Option<&Pool>,
    ) -> Self {
        let entries = selection.entries(archive);
        let mut problems = open::notes(archive);
        let impossible = entries
            .iter()
            .filter_map(|entry| entry.check_claims().err());
        problems.extend(impossible.map(Problem::error));
        let mut headers = Headers::new();
        if let Some(pool) = pool {
            let unreadable;
            (headers, unreadable) = headers_on(pool, &entries);
            problems.extend(unreadable);
        }
        Self {
            path,
            archive,
            entries,
            headers,
            problems,
        }
    }
}
