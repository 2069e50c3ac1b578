//! Finds and opens the archives that the user named.
//!
//! | file        | job                                                                          |
//! |-------------|------------------------------------------------------------------------------|
//! | `search`    | from paths to archives: directories, archives within archives                |
//! | `directory` | a directory whose files are entries                                           |
//! | `look`      | what a search sees at one path                                               |
//! | `recognize` | whether a file is an archive, by its beginning and its end                   |
//! | `inputs`    | all archives of a run                                                        |
//! | `passed_over` | why something is not taken for an archive                                  |
//! | `nested`    | archives within archives                                                     |
//! | `open`      | an archive to read, and how it is opened                                     |
//! | `named`     | finds the entry that a name means, and suggests names for a wrong one         |
//!
//! A file that the user named must be an archive; where entries are shown, any other file is an entry of its own. A directory is searched for archives, and is one itself if it has none. `-`
//! is standard input. Inputs have the order of the arguments. Archives in a directory are sorted by name, so that a run does not
//! depend on the order in which a disk lists files.

pub(in crate::ops) mod directory;
mod inputs;
mod look;
pub(in crate::ops) mod named;
pub(in crate::ops) mod nested;
mod open;
pub(in crate::ops) mod passed_over;
pub(in crate::ops) mod recognize;
mod search;

use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use self::named::{beside, leads_into_file};
use self::recognize::{is_archive_file, is_input_file};
use super::context::{Context, Refusal};
use super::finding::{no_such_file, no_such_file_or_entry};
use super::selection::is_glob;
use crate::archive::Archive;
use crate::fs::is_standard_input;

pub(in crate::ops) use self::inputs::{Inputs, one, one_or_loose_file};
pub use self::named::Wanted;
pub use self::nested::DEPTH_MAX;
pub use self::open::Input;
pub(in crate::ops) use self::open::{Waiting, check_one, file, open};
pub use self::recognize::{is_loose_file, is_named_as_archive};
pub(in crate::ops) use self::search::Found;
pub use super::selection::Selection;

/// Runs `work` on each archive, on all threads, and passes the results to `deliver` in order, until `deliver` ends it. At
/// most `window` results wait for one before them.
pub(in crate::ops) fn for_each<A: Send, R: Send>(
    context: &Context<'_>,
    archives: impl IntoIterator<Item = A>,
    window: usize,
    work: impl Fn(A) -> R + Sync,
    deliver: impl FnMut(R) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let archives = archives.into_iter();
    let archives = archives.inspect(|_| context.observer.archives(1));
    let work = |archive| {
        let result = work(archive);
        context.observer.archive_done();
        result
    };
    context.pool.in_order(archives, window, work, deliver)
}

/// Refuses paths that do not exist, before anything is written. The user may have meant another file, or an entry if
/// the operation takes the names of `entries` after an archive.
pub(in crate::ops) fn check_missing(
    paths: &[impl AsRef<Path>],
    entries: bool,
) -> Result<(), Refusal> {
    let mut missing = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if is_standard_input(path) || nested::split(path).is_some() {
            continue;
        }
        let Err(error) = fs::metadata(path) else {
            continue;
        };
        // Windows says that a path into a file is not found.
        let is_into_file = leads_into_file(path);
        if error.kind() != io::ErrorKind::NotFound && !is_into_file {
            continue;
        }
        let near = beside(path);
        missing.push(if entries && (paths.len() > 1 || is_into_file) {
            no_such_file_or_entry(path, near.as_deref())
        } else {
            no_such_file(path, near.as_deref())
        });
    }
    Refusal::if_any(missing)
}

/// Divides arguments into paths of archives and names of entries. Names come after the first archive, and
/// [`Selection::with_names`] selects the entries.
///
/// | an argument after the first archive, in this order                      | what it is |
/// |--------------------------------------------------------------------------|------------|
/// | begins with `./`                                                         | a path     |
/// | a file of this path begins like an archive, or would be named like one   | a path     |
/// | the first archive has an entry or a folder of this name                  | a name     |
/// | a glob                                                                   | a name     |
/// | a directory of this path, or a file, which is reported as no archive     | a path     |
/// | anything else                                                            | a name     |
///
/// If the first archive is a directory, its files count as its entries for this, and nothing in it is opened. The entries
/// of standard input are not known.
#[must_use]
pub fn arguments(context: &Context<'_>, words: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let Some((first, others)) = words.split_first() else {
        return (Vec::new(), Vec::new());
    };
    let mut names_in_first = NamesIn::NotOpened;
    let (mut paths, mut names) = (vec![first.clone()], Vec::new());
    for word in others {
        if is_path(context, word, first, &mut names_in_first) {
            paths.push(word.clone());
        } else {
            names.push(word.clone());
        }
    }
    (paths, names)
}

/// Whether an argument after the first archive is a path.
fn is_path(context: &Context<'_>, word: &Path, first: &Path, names_in: &mut NamesIn) -> bool {
    let bytes = word.as_os_str().as_encoded_bytes();
    // After an archive, a map is a file like any other.
    let is_archive = if is_archive_file(first).unwrap_or(true) {
        is_archive_file(word)
    } else {
        is_input_file(context, word)
    };
    if bytes.starts_with(b"./") || is_archive.unwrap_or(false) {
        return true;
    }
    let has_glob = is_glob(bytes);
    if is_named_as_archive(word) && !has_glob && !is_directory(word) {
        // An entry can have the name of an archive that does not exist, or is damaged.
        return !names_in.opened(context, first).has(word);
    }
    if names_in.opened(context, first).has(word) || has_glob {
        return false;
    }
    !matches!(names_in, NamesIn::Unknown) && word.exists()
}

fn is_directory(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_dir())
}

/// The first archive of several arguments, when it is first asked about a name.
enum NamesIn {
    NotOpened,
    Archive(Box<Archive>),
    /// A directory, whatever is in it.
    Directory(PathBuf),
    /// Standard input, whose entries are not known yet.
    Unknown,
    Unreadable,
}

impl NamesIn {
    /// Opens the archive, unless it is open.
    fn opened(&mut self, context: &Context<'_>, first: &Path) -> &Self {
        if !matches!(self, Self::NotOpened) {
            return self;
        }
        *self = if is_standard_input(first) {
            Self::Unknown
        } else if is_directory(first) {
            Self::Directory(first.to_path_buf())
        } else {
            match open(&context.system, first, context.open) {
                Ok(archive) => Self::Archive(Box::new(archive)),
                Err(_) => Self::Unreadable,
            }
        };
        self
    }

    /// Whether it has an entry or a folder of this name.
    fn has(&self, name: &Path) -> bool {
        match self {
            Self::Archive(archive) => {
                let bytes = name.as_os_str().as_encoded_bytes();
                let selection = Selection::all().with_names([bytes]);
                !selection.entries(archive).is_empty()
            }
            // A name that leads out of the directory is none of its files'.
            Self::Directory(directory) => {
                let mut parts = name.components();
                parts.all(|part| matches!(part, Component::Normal(_)))
                    && directory.join(name).exists()
            }
            Self::NotOpened | Self::Unknown | Self::Unreadable => false,
        }
    }
}
