//! Paks whose files would meet: two with one destination, or one whose destination lies in that of
//! another and has a file where the other one has one, or a directory.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;

use super::plan::PakPlan;
use crate::error::{Error, ErrorKind};
use crate::fs::Root;

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
            errors.extend(meeting.map(|path| error(inner, outer, &path)));
        }
    }
    errors
}

/// What a pak makes below its destination: a hash of each path, because a hostile pak has
/// millions of them.
struct Paths<'a> {
    plan: &'a PakPlan,
    random: RandomState,
    files: HashSet<u64>,
    directories: HashSet<u64>,
}

impl<'a> Paths<'a> {
    fn new(plan: &'a PakPlan) -> Self {
        let random = RandomState::new();
        let (mut files, mut directories) = (HashSet::new(), HashSet::new());
        for path in plan.paths() {
            files.insert(random.hash_one(path.as_path()));
            let above = path.ancestors().skip(1);
            directories.extend(above.map(|path| random.hash_one(path)));
        }
        Self {
            plan,
            random,
            files,
            directories,
        }
    }

    /// Whether a file at `path` would be one of these, or in one of these, or where a directory is
    /// needed.
    fn meet(&self, path: &Path) -> bool {
        let hash = |path: &Path| self.random.hash_one(path);
        let may_meet = self.directories.contains(&hash(path))
            || path
                .ancestors()
                .any(|path| self.files.contains(&hash(path)));
        // Two hashes can agree by chance.
        may_meet
            && self
                .plan
                .paths()
                .any(|own| own.starts_with(path) || path.starts_with(&own))
    }
}
