//! The archives that paths mean, opened one after another.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::error::{Error, ErrorKind};
use crate::fs::System;
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::inputs::{self, Inputs, Search};
use crate::ops::open::open;

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
    let inputs = find(paths, search)?;
    let passed_over: Vec<Problem> = inputs.warnings().collect();
    let (mut paks, mut problems) = (0, inputs.problems);
    problems.extend(passed_over);
    let system = System::real();
    for input in &inputs.paks {
        if context.cancel.is_set() {
            break;
        }
        match open(&system, &input.path, context.open) {
            Ok(archive) => {
                paks += 1;
                if visit(&input.path, &archive).is_break() {
                    break;
                }
            }
            Err(error) => problems.push(Problem::error(error)),
        }
    }
    Ok(Visited { paks, problems })
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
