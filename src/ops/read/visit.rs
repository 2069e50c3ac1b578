//! The archives that paths mean, opened one after another.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::error::{Error, ErrorKind};
use crate::fs::System;
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::inputs::{self, Inputs, Search};
use crate::ops::open::{open, open_found};

/// How many archives could be read, and what could not be done.
#[derive(Debug)]
pub struct Visited {
    /// How many archives could be read.
    pub paks: usize,
    /// Archives that could not be read, what a search has passed over, and globs that matched
    /// nothing.
    pub problems: Vec<Problem>,
}

/// Opens one archive after another and lends it to `visit`, until that breaks off or a stop is asked
/// for. What cannot be opened becomes a problem.
pub(super) fn each(
    context: &Context<'_>,
    paths: &[PathBuf],
    search: Search,
    mut visit: impl FnMut(&Path, &Archive) -> ControlFlow<()>,
) -> Result<Visited, Refusal> {
    let (mut paks, mut unread) = (0, Vec::new());
    let system = System::real();
    let found = inputs::each(paths, search, None, &mut |input, file| {
        if context.cancel.is_set() {
            return ControlFlow::Break(());
        }
        let opened = match file {
            Some(file) => open_found(file, &input.path, context.open),
            None => open(&system, &input.path, context.open),
        };
        match opened {
            Ok(archive) => {
                paks += 1;
                visit(&input.path, &archive)?;
                ControlFlow::Continue(Some(archive))
            }
            Err(error) => {
                unread.push(Problem::unread(input.path, error));
                ControlFlow::Continue(None)
            }
        }
    })?;
    let passed_over: Vec<Problem> = found.warnings().collect();
    let mut problems = found.problems;
    if paks == 0 && unread.is_empty() && problems.is_empty() && !context.cancel.is_set() {
        problems.extend(nothing(paths));
    }
    problems.extend(passed_over);
    problems.extend(unread);
    Ok(Visited { paks, problems })
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
fn nothing(paths: &[PathBuf]) -> impl Iterator<Item = Problem> {
    let problem = |path: &PathBuf| {
        let error = Error::from(ErrorKind::NoPakFound).in_pak(path);
        Problem::unread(path, error)
    };
    paths.iter().map(problem)
}
