//! A directory that output goes to.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cap_std::fs::Dir;

use super::calls::{Calls, Real, heal};
use super::draft::Draft;
use super::error::{CommitError, Doing};
use super::look::{Found, Kind};
use super::parents::{Recent, Way, split};
use super::system;
use super::temporary::Temporary;

/// When new files are brought to the disk. Those that replace an old one always are, at once: the
/// old one was on it.
///
/// Measured on one machine, microseconds a small file: 46 for a plain write, 54 with a temporary
/// and a rename, 113 with one sync at the end, 309 with one for each file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Sync {
    /// When the system sees fit.
    #[default]
    Off,
    /// Each of them, before it gets its name, and the name after it.
    Each,
    /// All at once, in [`Root::finish`]; each of them where the system has no call for that.
    AtEnd,
}

/// A directory that output goes to. It need not exist: the first file makes it, so that a plan can
/// ask without leaving a trace.
#[derive(Debug)]
pub(crate) struct Root {
    /// As the user named it; empty for the current directory.
    path: PathBuf,
    /// Whether it is made when it is missing.
    make: bool,
    sync: Sync,
    calls: Arc<dyn Calls>,
    /// Open since it was first found or made: what the path leads to later does not matter.
    handle: OnceLock<Arc<Dir>>,
    recent: Recent,
    /// What should have been removed and could not be.
    leftovers: Mutex<Vec<CommitError>>,
}

impl Root {
    /// The directory at a path, which is made with its parents when the first file needs it.
    pub(crate) fn new(path: impl Into<PathBuf>, sync: Sync) -> Self {
        let sync = match sync {
            Sync::AtEnd if !system::SYNCS_ALL => Sync::Each,
            sync => sync,
        };
        Self {
            path: path.into(),
            make: true,
            sync,
            calls: Arc::new(Real),
            handle: OnceLock::new(),
            recent: Recent::default(),
            leftovers: Mutex::default(),
        }
    }

    /// The directory of one file that the user named, which has to exist, and the file's name in
    /// it.
    pub(crate) fn of_file(file: &Path, sync: Sync) -> Result<(Self, PathBuf), CommitError> {
        // A path that ends in a separator means a directory, which `file_name` does not tell.
        let bytes = file.as_os_str().as_encoded_bytes();
        let named = bytes
            .last()
            .is_some_and(|&last| !std::path::is_separator(last.into()));
        let (Some(name), Some(parent), true) = (file.file_name(), file.parent(), named) else {
            let why =
                std::io::Error::new(ErrorKind::InvalidInput, "this is not the name of a file");
            return Err(CommitError::new(Doing::Naming, file, why));
        };
        let mut root = Self::new(parent, sync);
        root.make = false;
        Ok((root, name.into()))
    }

    /// The same with other system calls.
    pub(crate) fn with_calls(mut self, calls: Arc<dyn Calls>) -> Self {
        self.calls = calls;
        self
    }

    /// What stands at a path below the root, before anything is written.
    pub(crate) fn look(&self, relative: &Path) -> Result<Found, CommitError> {
        let (parent, name) = split(relative)?;
        let parent = match self.walk(parent, false)? {
            Way::Through(dir) => dir,
            Way::Missing => return Ok(Found::Nothing),
            Way::Blocked { at, kind } => return Ok(Found::Blocked { at, kind }),
        };
        let failed = |error| CommitError::new(Doing::Looking, self.full(relative), error);
        let seen = match heal(|| self.calls.look(&parent, name)) {
            Ok(seen) => seen,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) => return Err(failed(error)),
        };
        let id = match (seen.kind, seen.id) {
            // A link that leads nowhere, or where we may not look, leads to no source: those are
            // open.
            (Kind::Link, _) => heal(|| self.calls.identify(&self.full(relative))).ok(),
            (Kind::File, None) => {
                Some(heal(|| self.calls.identify(&self.full(relative))).map_err(failed)?)
            }
            (_, id) => id,
        };
        Ok(Found::Taken {
            kind: seen.kind,
            id,
        })
    }

    /// Begins a file at a path below the root, with the directories that it needs.
    pub(crate) fn draft(&self, relative: &Path) -> Result<Draft<'_>, CommitError> {
        let (parent, name) = split(relative)?;
        let parent = self.parent_for_writing(parent)?;
        let (temporary, file) = Temporary::create(self, parent, name, self.full(relative))?;
        Ok(Draft::new(file, temporary))
    }

    /// The last step, when every draft is done: brings to the disk what waits for that, and tells
    /// what failed there and which temporaries could not be removed. Nothing in the list, nothing
    /// to tell.
    #[must_use = "this is where a failed sync and what was left behind are told"]
    pub(crate) fn finish(self) -> Vec<CommitError> {
        let mut failed = self
            .leftovers
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let (Sync::AtEnd, Some(dir)) = (self.sync, self.handle.get())
            && let Err(error) = heal(|| self.calls.sync_all(dir))
        {
            failed.push(CommitError::new(Doing::Syncing, shown(&self.path), error));
        }
        failed
    }

    pub(super) fn calls(&self) -> &dyn Calls {
        &*self.calls
    }

    pub(super) const fn sync(&self) -> Sync {
        self.sync
    }

    pub(super) const fn recent(&self) -> &Recent {
        &self.recent
    }

    /// The path as the user would write it.
    pub(super) fn full(&self, relative: &Path) -> PathBuf {
        self.path.join(relative)
    }

    pub(super) fn left_over(&self, error: CommitError) {
        self.leftovers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(error);
    }

    /// The root itself, open; with `make` it is made if it is missing.
    pub(super) fn handle(&self, make: bool) -> Result<Option<Arc<Dir>>, CommitError> {
        if let Some(dir) = self.handle.get() {
            return Ok(Some(Arc::clone(dir)));
        }
        let path = shown(&self.path);
        let mut opened = heal(|| self.calls.open_root(path));
        if let Err(error) = &opened
            && error.kind() == ErrorKind::NotFound
        {
            if !make {
                return Ok(None);
            }
            if self.make {
                self.make_all(path)?;
                opened = heal(|| self.calls.open_root(path));
            }
        }
        let opened = opened.map_err(|error| CommitError::new(Doing::Opening, path, error))?;
        // Another thread may have been faster; all take the same handle.
        Ok(Some(Arc::clone(
            self.handle.get_or_init(|| Arc::new(opened)),
        )))
    }

    fn make_all(&self, path: &Path) -> Result<(), CommitError> {
        let make = || heal(|| self.calls.make_root(path));
        let failed = |error| CommitError::new(Doing::Making, path, error);
        let mut made = make();
        if let (Err(error), Some(parent)) = (&made, path.parent())
            && error.kind() == ErrorKind::NotFound
        {
            self.make_all(shown(parent))?;
            made = make();
        }
        match made {
            // What it is shows when it is opened.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
            made => made.map_err(failed)?,
        }
        if self.sync == Sync::Each {
            let parent = shown(path.parent().unwrap_or(path));
            heal(|| {
                let parent = self.calls.open_root(parent)?;
                self.calls.sync_dir(&parent)
            })
            .map_err(|error| CommitError::new(Doing::Syncing, parent, error))?;
        }
        Ok(())
    }
}

/// The current directory has an empty path here, and a dot where the system is asked.
fn shown(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::io;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::ops::commit::faults::{Call, Faulty};
    use crate::ops::commit::sink::Sink as _;
    use crate::ops::commit::{FileId, Over};

    fn put(root: &Root, name: &str, over: Over) -> Result<(), CommitError> {
        let draft = root.draft(Path::new(name))?;
        draft.write_at(name.as_bytes(), 0).unwrap();
        draft.commit(over)
    }

    /// What stands below a directory, by relative path, sorted.
    fn tree(dir: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(dir).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_dir() {
                let below = tree(&entry.path());
                found.extend(below.iter().map(|below| format!("{name}/{below}")));
                found.push(name + "/");
            } else {
                found.push(name);
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_plan_leaves_no_trace() {
        let dir = tempfile::tempdir().unwrap();
        let root = Root::new(dir.path().join("a/b"), Sync::Off);
        assert_eq!(root.look(Path::new("c/d")).unwrap(), Found::Nothing);
        assert!(root.finish().is_empty());
        assert!(tree(dir.path()).is_empty());
    }

    #[test]
    fn directories_are_made_for_the_first_file_that_needs_them() {
        let dir = tempfile::tempdir().unwrap();
        let root = Root::new(dir.path().join("a/b"), Sync::Off);
        put(&root, "c/d/e", Over::Nothing).unwrap();
        put(&root, "c/f", Over::Nothing).unwrap();
        let expected = ["a/", "a/b/", "a/b/c/", "a/b/c/d/", "a/b/c/d/e", "a/b/c/f"];
        assert_eq!(tree(dir.path()), expected);
    }

    #[test]
    fn no_path_leads_out_or_to_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("inner");
        let root = Root::new(&inner, Sync::Off);
        for path in [
            "/abs",
            "..",
            "../a",
            "a/../../b",
            "a/..",
            "./a",
            ".",
            "",
            "/",
        ] {
            for error in [
                root.draft(Path::new(path)).map(drop).unwrap_err(),
                root.look(Path::new(path)).map(drop).unwrap_err(),
            ] {
                assert_eq!(error.doing(), Doing::Naming, "{path:?}");
            }
        }
        assert!(tree(dir.path()).is_empty());
    }

    #[test]
    fn the_root_may_be_a_link_and_nothing_below_it_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("real/inside")).unwrap();
        fs::create_dir(at("outside")).unwrap();
        fs::write(at("outside/victim"), b"victim").unwrap();
        symlink("real", at("root")).unwrap();
        symlink(at("outside"), at("real/out")).unwrap();
        symlink("inside", at("real/in")).unwrap();
        symlink(at("outside/victim"), at("real/leaf")).unwrap();
        symlink(at("outside/made"), at("real/dangling")).unwrap();
        fs::write(at("real/file"), b"").unwrap();
        let before = tree(dir.path());

        let root = Root::new(at("root"), Sync::Off);
        for (path, blocker, kind) in [
            ("out/a", "out", Kind::Link),
            ("in/a", "in", Kind::Link),
            ("in/b/c", "in", Kind::Link),
            ("leaf/a", "leaf", Kind::Link),
            ("file/a", "file", Kind::File),
        ] {
            let found = root.look(Path::new(path)).unwrap();
            let at = PathBuf::from(blocker);
            assert_eq!(found, Found::Blocked { at, kind }, "{path}");
            let error = put(&root, path, Over::Old).unwrap_err();
            assert_eq!(error.doing(), Doing::Opening, "{path}");
            assert!(error.path().ends_with(blocker), "{path}: {error}");
            assert_eq!(error.cause().kind(), io::ErrorKind::NotADirectory);
        }
        // A link under the final name is a name that is taken, also one that leads nowhere.
        for path in ["leaf", "dangling"] {
            let error = put(&root, path, Over::Nothing).unwrap_err();
            assert_eq!(error.cause().kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!(tree(dir.path()), before);

        // To replace it is to replace the link.
        put(&root, "leaf", Over::Old).unwrap();
        assert_eq!(fs::read(at("real/leaf")).unwrap(), b"leaf");
        assert!(fs::symlink_metadata(at("real/leaf")).unwrap().is_file());
        assert_eq!(fs::read(at("outside/victim")).unwrap(), b"victim");
        assert!(root.finish().is_empty());
    }

    #[test]
    fn a_directory_swapped_for_a_link_meanwhile_leads_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("outside")).unwrap();
        let root = Root::new(at("out"), Sync::Off);
        put(&root, "maps/a", Over::Nothing).unwrap();
        let draft = root.draft(Path::new("maps/b")).unwrap();
        fs::rename(at("out/maps"), at("out/moved")).unwrap();
        symlink(at("outside"), at("out/maps")).unwrap();
        draft.commit(Over::Nothing).unwrap();
        put(&root, "maps/c", Over::Nothing).unwrap();
        assert_eq!(tree(&at("outside")), [""; 0]);
        assert_eq!(tree(&at("out/moved")), ["a", "b", "c"]);
    }

    #[test]
    fn a_source_is_found_by_any_of_its_names() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("source"), b"same").unwrap();
        fs::write(at("copy"), b"same").unwrap();
        fs::hard_link(at("source"), at("hard")).unwrap();
        symlink("hard", at("soft")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        let source = FileId::of(&fs::File::open(at("source")).unwrap()).unwrap();
        assert_eq!(FileId::at(&at("soft")).unwrap(), source);

        let root = Root::new(dir.path(), Sync::Off);
        for (name, kind, is_source) in [
            ("source", Kind::File, true),
            ("hard", Kind::File, true),
            ("soft", Kind::Link, true),
            ("copy", Kind::File, false),
            ("dangling", Kind::Link, false),
            ("folder", Kind::Directory, false),
        ] {
            let found = root.look(Path::new(name)).unwrap();
            assert!(
                matches!(found, Found::Taken { kind: k, .. } if k == kind),
                "{name}: {found:?}"
            );
            assert_eq!(found.is(source), is_source, "{name}");
        }
        assert!(!root.look(Path::new("other")).unwrap().is(source));
    }

    #[test]
    fn a_file_named_by_the_user_goes_to_a_directory_that_exists() {
        let dir = tempfile::tempdir().unwrap();
        let (root, name) = Root::of_file(&dir.path().join("out.pak"), Sync::Off).unwrap();
        put(&root, name.to_str().unwrap(), Over::Nothing).unwrap();
        assert_eq!(tree(dir.path()), ["out.pak"]);

        let (root, name) = Root::of_file(&dir.path().join("none/out.pak"), Sync::Off).unwrap();
        assert_eq!(root.look(&name).unwrap(), Found::Nothing);
        let error = root.draft(&name).map(drop).unwrap_err();
        assert_eq!(error.doing(), Doing::Opening);
        assert!(error.path().ends_with("none"));
        assert_eq!(tree(dir.path()), ["out.pak"]);

        let (root, name) = Root::of_file(Path::new("Cargo.toml"), Sync::Off).unwrap();
        assert!(matches!(root.look(&name).unwrap(), Found::Taken { .. }));
        for no_file in ["", ".", "..", "/", "a/", "a/.."] {
            assert!(
                Root::of_file(Path::new(no_file), Sync::Off).is_err(),
                "{no_file:?}"
            );
        }
    }

    #[test]
    fn few_directories_are_opened_for_many_files() {
        let dir = tempfile::tempdir().unwrap();
        let calls = Arc::new(Faulty::default());
        let root = Root::new(dir.path(), Sync::Off).with_calls(Arc::clone(&calls) as Arc<_>);
        for n in 0..100 {
            put(&root, &format!("folder/{}/{n}", n % 5), Over::Nothing).unwrap();
        }
        let opened = calls.log();
        let opened = opened.iter().filter(|&&call| call == Call::OpenDir);
        // Each of the six is missed, made and opened; the outer one is opened for each inner one.
        assert_eq!(opened.count(), 6 * 2 + 4);
        // More than are kept open: still right.
        for n in 0..100 {
            put(&root, &format!("folder/{}/{n}", n + 5), Over::Nothing).unwrap();
        }
        assert_eq!(tree(dir.path()).len(), 200 + 105 + 1);
    }

    #[test]
    fn threads_make_the_same_directories_without_getting_in_each_others_way() {
        let dir = tempfile::tempdir().unwrap();
        let root = Root::new(dir.path().join("new/root"), Sync::Off);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let root = &root;
                scope.spawn(move || {
                    for n in 0..50 {
                        put(root, &format!("{n}/{n}/{thread}"), Over::Nothing).unwrap();
                    }
                });
            }
        });
        assert_eq!(tree(&dir.path().join("new/root")).len(), 50 * (4 + 2));
        assert!(root.finish().is_empty());
    }
}
