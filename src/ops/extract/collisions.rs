//! Where files of one archive would get into the way of another's.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::plan::PakPlan;
use crate::error::{Error, ErrorKind};
use crate::ops::plan::targets::OutputRoot;

/// An error for each place where two archives meet: two with one destination, or one whose destination
/// is in that of another and has a file where the other one has a file or a directory.
pub(super) fn find(root: &OutputRoot, plans: &[PakPlan<'_>]) -> Vec<Error> {
    let mut order: Vec<&PakPlan<'_>> = plans.iter().collect();
    // Parts are compared, and a path comes right before those that lie in it. The order of the
    // inputs stays between equals.
    order.sort_by(|a, b| a.base().cmp(b.base()));
    let error = |plan: &PakPlan<'_>, other: &PakPlan<'_>, path: &Path| {
        let other = other.task.path().to_path_buf();
        let place = root.root.path().join(plan.base().join(path));
        Error::from(ErrorKind::SameOutput { other }).in_pak(place)
    };
    let mut errors = Vec::new();
    for (number, outer) in order.iter().enumerate() {
        let behind = order.iter().skip(number + 1);
        let inside = behind.take_while(|inner| inner.base().starts_with(outer.base()));
        let mut paths = None;
        for inner in inside {
            let way = inner.base().strip_prefix(outer.base());
            let way = way.unwrap_or(Path::new(""));
            if way.as_os_str().is_empty() {
                errors.push(error(inner, outer, Path::new("")));
                continue;
            }
            let paths = paths.get_or_insert_with(|| Paths::new(outer));
            let meeting = inner.paths().find(|path| paths.meet(&way.join(path)));
            errors.extend(meeting.map(|path| error(inner, outer, path)));
        }
    }
    errors
}

/// What an archive makes below its destination.
struct Paths {
    files: HashSet<PathBuf>,
    directories: HashSet<PathBuf>,
}

impl Paths {
    fn new(plan: &PakPlan<'_>) -> Self {
        let (mut files, mut directories) = (HashSet::new(), HashSet::new());
        for path in plan.paths() {
            let above = path.ancestors().skip(1);
            directories.extend(above.map(Path::to_path_buf));
            files.insert(path.to_path_buf());
        }
        Self { files, directories }
    }

    /// Whether a file at `path` would be one of these, or in one of these, or where a directory is
    /// needed.
    fn meet(&self, path: &Path) -> bool {
        self.directories.contains(path) || path.ancestors().any(|path| self.files.contains(path))
    }
}
