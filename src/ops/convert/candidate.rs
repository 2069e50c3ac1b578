//! An input of a conversion, and how many outputs it needs.

use std::path::Path;

use crate::archive::Archive;
use crate::error::Error;
use crate::ops::context::Context;
use crate::ops::context::{Problem, Refusal};
use crate::ops::inputs::Input;
use crate::ops::open;
use crate::ops::plan::layout::Plan;
use crate::ops::plan::part::Part;
use crate::ops::recognize;
use crate::ops::write::{Destination, WriteOptions};

/// An input.
pub(super) struct Candidate {
    pub(super) input: Input,
    /// Whether it begins as an archive does. If not, it will not be written, and nothing can speak
    /// against its output.
    pub(super) is_archive: bool,
    /// Where it was opened to count its outputs.
    pub(super) opened: Option<Archive>,
    /// How many outputs it needs: none where no entry of it is picked.
    pub(super) outputs: usize,
}

impl Candidate {
    pub(super) fn new(input: Input) -> Self {
        let is_archive = input.searched || recognize::is_pak(&input.path).unwrap_or(false);
        Self {
            input,
            is_archive,
            opened: None,
            outputs: 1,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.input.path
    }
}

/// Where the directory is cut short, entries are missing that the output would lack.
pub(super) fn is_whole(archive: &Archive) -> bool {
    !open::notes(archive).iter().any(Problem::is_error)
}

/// Finds out how many outputs each input needs, where limits can ask for more than one. What keeps
/// an input from being written at all is reported when it is its turn.
pub(super) fn count(
    context: &Context<'_>,
    options: &WriteOptions,
    candidates: &mut [Candidate],
) -> Result<(), Refusal> {
    if !options.rules.limit() {
        return Ok(());
    }
    let is_to_many = matches!(options.destination, Destination::Directory(_));
    let count = |(): &mut (), candidate: &&mut Candidate| {
        let path = candidate.path();
        if context.cancel.is_set() || !candidate.is_archive {
            return Ok((1, None));
        }
        let Ok(archive) = open::open(&context.system, path, context.open) else {
            return Ok((1, None));
        };
        let picked = options.selection.entries(&archive);
        let parts = Part::all(picked, options.to, options.lowercase);
        let plan = Plan::of(&parts, is_whole(&archive), archive.file_len(), options);
        let plan = plan.map_err(|error| error.in_pak(path))?;
        let is_picked = !is_to_many || !parts.is_empty() || archive.is_empty();
        let outputs = if is_picked { plan.count() } else { 0 };
        Ok((outputs, Some(archive)))
    };
    let mut refused: Vec<Error> = Vec::new();
    let all: Vec<&mut Candidate> = candidates.iter_mut().collect();
    let counted = context.pool.map(&all, || (), count);
    for (candidate, counted) in all.into_iter().zip(counted) {
        match counted {
            Ok((outputs, opened)) => (candidate.outputs, candidate.opened) = (outputs, opened),
            Err(error) => refused.push(error),
        }
    }
    if refused.is_empty() {
        Ok(())
    } else {
        Err(Refusal(refused))
    }
}
