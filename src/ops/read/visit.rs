//! The archives that paths mean, opened one after another.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, no_archive_found};
use crate::ops::inputs::{self, Inputs, Search};
use crate::ops::open::{open, open_found};
use crate::ops::row::Delivery;

/// Opens one archive after another and lends it to `visit`, until a stop is asked for. What cannot be
/// opened is reported, and what a search has passed over.
pub(super) fn each(
    context: &Context<'_>,
    paths: &[PathBuf],
    search: Search,
    out: &mut Delivery<'_>,
    visit: &mut dyn FnMut(&Path, &Archive, &mut Delivery<'_>),
) -> Result<(), Refusal> {
    let mut unread = Vec::new();
    let found = inputs::each(paths, search, None, &mut |input, file| {
        if context.cancel.is_set() {
            return ControlFlow::Break(());
        }
        let opened = match file {
            Some(file) => open_found(file, &input.path, context.open),
            None => open(&context.system, &input.path, context.open),
        };
        match opened {
            Ok(archive) => {
                out.summary.archives += 1;
                visit(&input.path, &archive, out);
                ControlFlow::Continue(Some(archive))
            }
            Err(error) => {
                unread.push(Finding::unread(input.path, error));
                ControlFlow::Continue(None)
            }
        }
    })?;
    let passed_over: Vec<Finding> = found.warnings().collect();
    let is_nothing = out.summary.archives == 0 && unread.is_empty() && found.problems.is_empty();
    out.findings(found.problems);
    if is_nothing && !context.cancel.is_set() {
        out.findings(nothing(paths));
    }
    out.findings(passed_over);
    out.findings(unread);
    Ok(())
}

/// Finds the archives, as [`inputs::find`] does. A search that finds none at all is a problem, too.
pub(super) fn find(paths: &[PathBuf], search: Search) -> Result<Inputs, Refusal> {
    let mut inputs = inputs::find(paths, search, None)?;
    if inputs.paks.is_empty() && inputs.problems.is_empty() {
        inputs.problems.extend(nothing(paths));
    }
    Ok(inputs)
}

/// That there is no archive in any of these.
fn nothing(paths: &[PathBuf]) -> impl Iterator<Item = Finding> {
    let problem = |path: &PathBuf| {
        let error = no_archive_found().in_pak(path);
        Finding::unread(path, error)
    };
    paths.iter().map(problem)
}
