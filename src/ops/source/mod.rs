//! From what a user typed to opened archives.
//!
//! | file        | job                                                          |
//! |-------------|--------------------------------------------------------------|
//! | `search`    | from paths to archives: directories, archives within archives |
//! | `passed_over` | why something is not taken for an archive                     |
//! | `recognize` | whether a file is an archive, by its beginning and its end    |
//! | `nested`    | archives within archives                                      |
//! | `input`     | an archive to read, and all that was found                    |
//! | `open`      | opens the archive at a path                                   |
//! | `arguments` | which arguments are paths, and which are names of entries     |
//! | `named`     | which entry a name means, and what a wrong name is like       |
//! | `select`    | from globs to entries                                         |
//!
//! A file that was named is an input whatever it holds: if it is no archive, that is an error. A directory is
//! searched; if it holds no archive, that is an error, too. `-` is standard input. Inputs come in the order of the arguments, and in a directory in the
//! order of their names, so that a run does not depend on how a disk lists its files.

mod arguments;
mod input;
pub(in crate::ops) mod named;
pub(in crate::ops) mod nested;
mod open;
pub(in crate::ops) mod passed_over;
pub(in crate::ops) mod recognize;
mod search;
mod select;

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use self::named::beside;
use super::context::{Context, Refusal};
use super::finding::{Finding, Notice, no_such_file};
use super::row::Delivery;
use crate::archive::Archive;
use crate::fs::is_standard_input;

pub use self::arguments::arguments;
pub use self::input::{Input, Inputs};
pub use self::named::Wanted;
pub use self::nested::DEPTH_MAX;
pub(in crate::ops) use self::open::{check_one, file, one, open};
pub use self::select::Selection;

/// Finds all archives that `paths` mean; they are `listed` if they come from a list. Then even a single path
/// is one of several, and each keeps its own folders below an output directory, so that lists that share a
/// collection give the same outputs as one list.
///
/// A search does not enter the directory `skip`: that of the output, so that a second run does not read what
/// the first one has written. A path that cannot be read becomes a finding, and the search goes on.
pub(in crate::ops) fn all(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    listed: bool,
    skip: Option<&Path>,
) -> Inputs {
    let mut archives = Vec::new();
    let mut found = search::run(context, paths, listed, skip, &mut |mut input| {
        input.close();
        archives.push(input);
        ControlFlow::Continue(None)
    });
    found.archives = archives;
    found
}

/// Opens one archive after another and lends it to `visit`, until a stop is asked for. Reports what cannot be
/// opened, and what a search has passed over.
pub(in crate::ops) fn each(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    out: &mut Delivery<'_>,
    visit: &mut dyn FnMut(&Input, &Archive, &mut Delivery<'_>),
) {
    let mut unread = Vec::new();
    let found = search::run(context, paths, false, None, &mut |input| {
        if context.cancel.is_set() {
            return ControlFlow::Break(());
        }
        match input.open(context) {
            Ok(archive) => {
                out.summary.archives += 1;
                visit(&input, &archive, out);
                ControlFlow::Continue(Some(archive))
            }
            Err(error) => {
                unread.push(Finding::unread(input.path, error));
                ControlFlow::Continue(None)
            }
        }
    });
    let passed_over: Vec<Finding> = found.warnings().collect();
    out.findings(found.findings);
    out.findings(passed_over);
    out.findings(unread);
}

/// Refuses paths that lead nowhere, before anything is written: the user may have meant another file, or an
/// entry if `entries` can be named behind an archive.
pub(in crate::ops) fn check_missing(
    paths: &[impl AsRef<Path>],
    entries: bool,
) -> Result<(), Refusal> {
    let mut missing = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let looked = fs::metadata(path);
        if is_standard_input(path)
            || !looked.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
            // Windows says so of a path that leads into a file, too.
            || nested::split(path).is_some()
        {
            continue;
        }
        let notice = match entries && paths.len() > 1 {
            true => Notice::NoSuchFileOrEntry,
            false => Notice::NoSuchFile,
        };
        missing.push(no_such_file(notice, path, beside(path).as_deref()));
    }
    Refusal::if_any(missing)
}
