//! What is in paks: their directories, entry by entry, with nothing decoded.
//!
//! A pak is lent to a visitor while it is open, and its rows are made as they are asked for, so
//! that memory does not grow with the number of paks, and by four bytes with each entry that globs
//! have picked.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::context::{Context, Problem, Refusal};
use super::open;
use super::select::{Picked, Selection};
use crate::error::Error;
use crate::pak::{Archive, Entry};

/// What to list.
#[derive(Debug)]
pub struct ListOptions {
    /// Whether directories are searched for paks.
    pub recursive: bool,
    /// Which entries.
    pub selection: Selection,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self {
            recursive: false,
            selection: Selection::all(),
        }
    }
}

/// One pak, open, with the entries that were picked.
#[derive(Debug)]
pub struct Listing<'a> {
    path: &'a Path,
    archive: &'a Archive,
    picked: Picked,
}

/// One entry.
#[derive(Debug)]
pub struct Listed<'a> {
    /// The entry.
    pub entry: Entry<'a, File>,
    /// Why what it claims cannot be true, where that is so.
    pub problem: Option<Error>,
}

/// What was listed, and what could not be.
#[derive(Debug)]
pub struct ListReport {
    /// How many paks could be read.
    pub paks: usize,
    /// Paks that could not be read, and globs that picked nothing.
    pub problems: Vec<Problem>,
}

/// Lends `visit` one pak after another, until it breaks off.
///
/// ```
/// use daisho::ops::context::{Cancel, Context, Unobserved};
/// use daisho::ops::list::{ListOptions, list};
/// use daisho::ops::select::Selection;
/// use std::ops::ControlFlow;
///
/// let options = ListOptions {
///     recursive: true,
///     selection: Selection::new(&["maps/*.bsp"], &["e1m2*"])?,
/// };
/// let mut levels = Vec::new();
/// let cancel = Cancel::new();
/// list(&Context::new(&Unobserved, &cancel), &["corpus/game/data".into()], &options, |pak| {
///     levels.extend(pak.entries().map(|entry| entry.name().to_string()));
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
) -> Result<ListReport, Refusal> {
    let inputs = open::find(paths, options.recursive)?;
    let warnings = inputs.warnings().collect::<Vec<_>>();
    let mut problems = inputs.problems;
    problems.extend(warnings);
    let mut whole = true;
    let paks = open::each(context, &inputs.paks, &mut problems, |input, archive| {
        let went_on = visit(&Listing {
            path: &input.path,
            archive,
            picked: open::picked(archive, &options.selection),
        });
        whole &= went_on.is_continue();
        went_on
    });
    // What was broken off might have matched later.
    if whole && paks > 0 && !context.cancel.is_set() {
        problems.extend(options.selection.unmatched().map(Problem::error));
    }
    Ok(ListReport { paks, problems })
}

impl<'a> Listing<'a> {
    /// Where the pak is, as the user would write it.
    #[must_use]
    pub const fn path(&self) -> &'a Path {
        self.path
    }

    /// The pak.
    #[must_use]
    pub const fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// The entries that were picked, in the directory's order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'a, File>> + use<'_, 'a> {
        let archive = self.archive;
        let picked = self.picked.numbers();
        picked.filter_map(move |index| archive.entry(index as usize))
    }

    /// The same, judged.
    pub fn rows(&self) -> impl Iterator<Item = Listed<'a>> + use<'_, 'a> {
        let path = self.path;
        self.entries().map(move |entry| Listed {
            entry,
            problem: entry.check_claims().err().map(|error| error.in_pak(path)),
        })
    }

    /// What is unusual in the pak as a whole.
    #[must_use]
    pub fn oddities(&self) -> Vec<Problem> {
        open::oddities(self.archive, self.path)
    }
}
