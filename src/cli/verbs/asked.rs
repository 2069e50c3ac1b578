//! Helpers of the verbs: which entries are selected, and what a refusal or an empty run means.

use std::ops::ControlFlow;

use daisho::ops::context::{Problem, Refusal};
use daisho::ops::select::Selection;

use crate::cli::args::GlobArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::signals;

/// The entries that the globs select.
pub(super) fn selection(args: &GlobArgs, global: &Global) -> Result<Selection, Exit> {
    let selection = Selection::new(&args.include, &args.exclude);
    accepted(selection.map_err(Refusal::from), global)
}

/// What an operation returned, or the exit status of its refusal, which is reported.
pub(super) fn accepted<T>(result: Result<T, Refusal>, global: &Global) -> Result<T, Exit> {
    result.map_err(|refusal| global.messages.refusal(&refusal))
}

/// Reports problems, and returns the exit status of a run that could read `paks` paks: if there was
/// none, no input is a pak, unless the run was interrupted before it could find out.
pub(super) fn judge(paks: usize, problems: &[Problem], global: &Global) -> Exit {
    global.messages.problems(problems);
    if paks == 0 && signals::caught().is_none() {
        Exit::Refused
    } else {
        Exit::Done
    }
}

/// Tells an operation to go on, or to stop because nobody reads its output any more.
pub(super) const fn go_on(goes_on: bool) -> ControlFlow<()> {
    if goes_on {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}
