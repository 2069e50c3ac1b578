//! What a search does not take as an archive, although the user may expect it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::ops::finding::Finding;

/// Why a search does not take something.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PassedOver {
    /// A file of another program, which is named like an archive or begins like one.
    OtherFile(&'static str),
    /// A pipe, a socket or a device that is named like an archive.
    NotAFile,
    /// A link to a directory.
    LinkedDirectory,
}

/// The warnings about what a search has passed over. All files of other programs are one warning with their kinds.
pub(crate) fn warnings(passed_over: &[(PathBuf, PassedOver)]) -> Vec<Finding> {
    let mut warnings = Vec::new();
    let mut others: Vec<(&Path, &str)> = Vec::new();
    for (path, why) in passed_over {
        let warning = match why {
            PassedOver::OtherFile(what) => {
                others.push((path, what));
                continue;
            }
            PassedOver::NotAFile => {
                Finding::warning("this is named like an archive but is not a regular file")
                    .many("paths are named like archives but are not regular files")
            }
            PassedOver::LinkedDirectory => {
                Finding::warning("this is a link to a directory, and is not searched")
                    .many("links to directories are not searched")
                    .advice("give the directory that it points to")
            }
        };
        warnings.push(warning.at_path(path));
    }
    warnings.extend(other_files(&others));
    warnings
}

/// The warning about files of other programs.
fn other_files(files: &[(&Path, &str)]) -> Option<Finding> {
    let (first, what) = files.first()?;
    if files.len() == 1 {
        return Some(Finding::warning(format!("this is {what}, not an archive")).at_path(first));
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, what) in files {
        *kinds.entry(what).or_default() += 1;
    }
    let mut words = Vec::new();
    for (what, count) in kinds {
        words.push(if count == 1 { what.to_owned() } else { format!("{what} ({count} times)") });
    }
    let count = files.len();
    let why = format!("{count} files are not archives that daisho reads: {}", words.join(", "));
    Some(Finding::warning(why).at_path(first))
}
