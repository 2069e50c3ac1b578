//! Paks whose files would meet: two with one destination, or one whose destination lies in that of
//! another and has a file where the other one has one, or a directory.

use std::collections::HashSet;
use std::path::Path;

use super::plan::PakPlan;
use crate::error::{Error, ErrorKind};
use crate::ops::commit::Root;

/// An error for each place where two paks meet. With `shared` they may have one destination, as
/// long as their files do not meet.
pub(super) fn meetings(root: &Root, plans: &[PakPlan], shared: bool) -> Vec<Error> {
    let mut order: Vec<&PakPlan> = plans.iter().collect();
    // Parts are compared, and a path comes right before those that lie in it. The order of the
    // inputs stays between equals.
    order.sort_by(|a, b| a.base.cmp(&b.base));
    let error = |plan: &PakPlan, other: &PakPlan, path: &Path| {
        let kind = ErrorKind::SameOutput {
            other: other.path.clone(),
        };
        let place = root.path().join(plan.base.join(path));
        Error::from(kind).in_pak(place)
    };
    let mut errors = Vec::new();
    for (number, outer) in order.iter().enumerate() {
        let inside = order
            .iter()
            .skip(number + 1)
            .take_while(|inner| inner.base.starts_with(&outer.base));
        let mut paths = None;
        for inner in inside {
            let way = inner
                .base
                .strip_prefix(&outer.base)
                .unwrap_or(Path::new(""));
            if way.as_os_str().is_empty() && !shared {
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

/// What a pak makes below its destination.
struct Paths<'a> {
    files: HashSet<&'a Path>,
    directories: HashSet<&'a Path>,
}

impl<'a> Paths<'a> {
    fn new(plan: &'a PakPlan) -> Self {
        let above = |path: &'a Path| path.ancestors().skip(1);
        Self {
            files: plan.paths().collect(),
            directories: plan.paths().flat_map(above).collect(),
        }
    }

    /// Whether a file at `path` would be one of these, or in one of these, or where a directory is
    /// needed.
    fn meet(&self, path: &Path) -> bool {
        self.directories.contains(path) || path.ancestors().any(|path| self.files.contains(path))
    }
}
