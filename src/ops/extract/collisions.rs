//! Where files of one archive would get into the way of another's.

use std::borrow::Cow;
use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::destination::Folder;
use super::names::{Aside, Rules};
use super::plan::{PakPlan, Task};
use crate::archive::Entry;
use crate::error::{Error, ErrorKind};
use crate::ops::write::destination::OutputRoot;

/// Finds what has to be put aside where all tasks go into one directory: names can be two to an
/// engine, as `a\b` and `a/b` are, and one path. The one that is spelled as the path gets it, or
/// else the first. A file of one archive where another has a directory is refused.
pub(super) fn share(tasks: &mut [Task<'_>], rules: Rules) {
    /// The path that a name says, and whether it is spelled as the name is.
    fn own<'a>(entry: &Entry<'a>, rules: Rules) -> Option<(Cow<'a, [u8]>, bool)> {
        let path = rules.path(entry.name()).ok()?;
        let spelled = path.eq_ignore_ascii_case(entry.name().as_bytes());
        Some((path, spelled))
    }
    let mut owners: HashMap<Cow<'_, [u8]>, (usize, bool)> = HashMap::new();
    for (number, task) in tasks.iter().enumerate() {
        for (path, spelled) in task.entries.iter().filter_map(|it| own(it, rules)) {
            let owner = owners.entry(path).or_insert((number, spelled));
            if !owner.1 && spelled {
                *owner = (number, true);
            }
        }
    }
    for (number, task) in tasks.iter_mut().enumerate() {
        let rows = task.entries.iter().enumerate();
        let elsewhere = rows.filter(|(_, entry)| {
            let owner = own(entry, rules).and_then(|(path, _)| owners.get(&path));
            owner.is_some_and(|(owner, _)| *owner != number)
        });
        task.aside = elsewhere.map(|(row, _)| (row, Aside::AnotherPak)).collect();
    }
}

/// Gives tasks that all go into one directory another one for what has no room there: where paths are one
/// but for case, the first archive's file gets it, and those of another one go into `folders`, one for each
/// task. So nothing depends on whether the file system tells case apart.
pub(super) fn put_apart(tasks: &mut Vec<Task<'_>>, folders: Vec<Folder>, rules: Rules) {
    let key = |entry: &Entry<'_>| {
        let path = rules.path(entry.name()).ok()?;
        Some(folded(Path::new(&*String::from_utf8_lossy(&path))))
    };
    let mut owners: HashMap<PathBuf, usize> = HashMap::new();
    for (number, task) in tasks.iter().enumerate() {
        for key in task.entries.iter().filter_map(key) {
            owners.entry(key).or_insert(number);
        }
    }
    let all = std::mem::take(tasks).into_iter().zip(folders);
    for (number, (mut task, folder)) in all.enumerate() {
        let is_own = |entry: &Entry<'_>| {
            let owner = key(entry).and_then(|key| owners.get(&key).copied());
            owner.is_none_or(|owner| owner == number)
        };
        let (own, apart): (Vec<_>, Vec<_>) = task.entries.drain(..).partition(is_own);
        let rest = Task {
            folder,
            aside: Vec::new(),
            left_out: 0,
            again: !own.is_empty(),
            entries: apart,
            ..task
        };
        if !own.is_empty() || rest.entries.is_empty() {
            task.entries = own;
            tasks.push(task);
        }
        tasks.extend(Some(rest).filter(|rest| !rest.entries.is_empty()));
    }
}

/// An error for each place where files of two archives would be one, whether case counts or not, or one be
/// where the other needs a directory.
pub(super) fn find_flat(root: &OutputRoot, plans: &[PakPlan<'_>]) -> Vec<Error> {
    let (mut files, mut directories) = (HashMap::new(), HashMap::new());
    let mut errors = Vec::new();
    let mut refuse = |plan: usize, other: usize, path: &Path| {
        let Some(other) = plans.get(other).filter(|_| plan != other) else {
            return;
        };
        let other = other.task.path().to_path_buf();
        let error = Error::from(ErrorKind::SameOutput { other });
        errors.push(error.in_pak(root.root.path().join(path)));
    };
    for (number, plan) in plans.iter().enumerate() {
        for path in plan.possible_paths() {
            let key = folded(&path);
            for above in key.ancestors().skip(1) {
                directories.entry(above.to_path_buf()).or_insert(number);
            }
            match files.entry(key) {
                Slot::Vacant(slot) => drop(slot.insert((number, path))),
                Slot::Occupied(slot) => refuse(number, slot.get().0, &path),
            }
        }
    }
    let mut meeting: Vec<_> = files.into_iter().collect();
    meeting.sort_unstable();
    for (key, (number, path)) in meeting {
        if let Some(other) = directories.get(&key) {
            refuse(number, *other, &path);
        }
    }
    errors
}

/// What a path becomes where case does not count.
fn folded(path: &Path) -> PathBuf {
    path.to_string_lossy().to_lowercase().into()
}

/// An error for each place where two archives meet: two with one destination, or one whose destination
/// lies in that of another and has a file where the other one has one, or a directory. With `shared`
/// they may have one destination, as long as their files do not meet.
pub(super) fn find(root: &OutputRoot, plans: &[PakPlan<'_>], shared: bool) -> Vec<Error> {
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
            files.insert(path);
        }
        Self { files, directories }
    }

    /// Whether a file at `path` would be one of these, or in one of these, or where a directory is
    /// needed.
    fn meet(&self, path: &Path) -> bool {
        self.directories.contains(path) || path.ancestors().any(|path| self.files.contains(path))
    }
}
