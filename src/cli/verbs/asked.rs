//! What the verbs that look have in common: which entries are asked for, and whether there was
//! anything to look at.

use daisho::ops::context::{Problem, Refusal};
use daisho::ops::select::Selection;

use crate::cli::args::GlobArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::signals;
pub(super) use crate::cli::text::count;

/// The entries that the globs mean.
pub(super) fn selection(args: &GlobArgs, global: &Global) -> Result<Selection, Exit> {
    Selection::new(&args.include, &args.exclude)
        .map_err(|error| global.messages.refusal(&Refusal::from(error)))
}

/// Tells what went wrong, and what that makes of a run in which so many paks could be read: where
/// none could, no input is a pak, unless there was no time to find out.
pub(super) fn judge(paks: usize, problems: &[Problem], global: &Global) -> Exit {
    global.messages.problems(problems);
    if paks == 0 && signals::caught().is_none() {
        Exit::Refused
    } else {
        Exit::Done
    }
}
