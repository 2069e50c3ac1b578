//! The archives that paths mean, opened a few at a time, and lent in their order.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::error::{Error, ErrorKind};
use crate::fs::System;
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::inputs::{self, Inputs, Search};
use crate::ops::open::open;
use crate::ops::pool::Pool;

/// How many archives could be read, and what could not be done.
#[derive(Debug)]
pub struct Visited {
    /// How many archives could be read.
    pub paks: usize,
    /// Archives that could not be read, what a search has passed over, and globs that matched
    /// nothing.
    pub problems: Vec<Problem>,
}

/// How many archives are open at once, for each thread.
const OPEN: usize = 4;

/// An archive that a path means.
pub(super) struct Opened<'a> {
    pub(super) path: &'a Path,
    pub(super) archive: Archive,
}

/// Opens archives on all threads, a few at a time, and lends them to `visit` in their order, until that breaks off
/// and says at which of them, or a stop is asked for. What cannot be opened becomes a problem.
pub(super) fn each(
    context: &Context<'_>,
    pool: &Pool,
    paths: &[PathBuf],
    search: Search,
    mut visit: impl FnMut(&[Opened<'_>]) -> ControlFlow<usize>,
) -> Result<Visited, Refusal> {
    let inputs = find(paths, search)?;
    let passed_over: Vec<Problem> = inputs.warnings().collect();
    let (mut paks, mut problems) = (0, inputs.problems);
    problems.extend(passed_over);
    let system = System::real();
    let mut rest = inputs.paks.as_slice();
    // One first: who waits for it waits for no other.
    let mut count = 1;
    while !rest.is_empty() && !context.cancel.is_set() {
        let now;
        (now, rest) = rest.split_at(count.min(rest.len()));
        let results = pool.map(
            now,
            || (),
            |(), input| open(&system, &input.path, context.open),
        );
        let (mut opened, mut failed) = (Vec::new(), Vec::new());
        for (input, result) in now.iter().zip(results) {
            let path = &*input.path;
            match result {
                Ok(archive) => opened.push(Opened { path, archive }),
                Err(error) => failed.push((opened.len(), error)),
            }
        }
        let stop = match visit(&opened) {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(last) => Some(last),
        };
        let before_stop = |(before, _): &(usize, Error)| stop.is_none_or(|last| *before <= last);
        let failed = failed.into_iter().filter(before_stop);
        problems.extend(failed.map(|(_, error)| Problem::error(error)));
        paks += stop.map_or(opened.len(), |last| last + 1);
        if stop.is_some() {
            break;
        }
        count = (count * 2).min(OPEN * pool.threads());
    }
    Ok(Visited { paks, problems })
}

/// Lends one thing after another, and says at which one that broke off.
pub(super) fn in_turn<T>(
    all: &[T],
    mut visit: impl FnMut(&T) -> ControlFlow<()>,
) -> ControlFlow<usize> {
    match all.iter().position(|it| visit(it).is_break()) {
        Some(last) => ControlFlow::Break(last),
        None => ControlFlow::Continue(()),
    }
}

/// Finds the archives, as [`inputs::find`] does. A search that finds none at all is a problem, too.
pub(super) fn find(paths: &[PathBuf], search: Search) -> Result<Inputs, Refusal> {
    let mut inputs = inputs::find(paths, search, None)?;
    if inputs.paks.is_empty() && inputs.problems.is_empty() {
        let nothing = paths
            .iter()
            .map(|path| Problem::error(Error::from(ErrorKind::NoPakFound).in_pak(path)));
        inputs.problems.extend(nothing);
    }
    Ok(inputs)
}
