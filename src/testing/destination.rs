//! Output directories that another user has prepared, or changes during the run.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use super::faulty::Faulty;
use crate::fs::{
    Call, CommitError, FileAction, FileKind, Occupant, Over, Root, System, WriteAt as _,
};

fn put(root: &Root, name: &str, over: Over) -> Result<(), CommitError> {
    let draft = root.draft(Path::new(name))?;
    draft.write_at(name.as_bytes(), 0).unwrap();
    draft.commit(over)
}

/// The files and links below a directory, by relative path, sorted.
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
    let root = System::real().root(dir.path().join("a/b"));
    assert_eq!(root.look(Path::new("c/d")).unwrap(), Occupant::Nothing);
    assert!(root.finish().is_empty());
    assert!(tree(dir.path()).is_empty());
}

#[test]
fn directories_are_made_for_their_first_file() {
    let dir = tempfile::tempdir().unwrap();
    let root = System::real().root(dir.path().join("a/b"));
    put(&root, "c/d/e", Over::Nothing).unwrap();
    put(&root, "c/f", Over::Nothing).unwrap();
    let expected = ["a/", "a/b/", "a/b/c/", "a/b/c/d/", "a/b/c/d/e", "a/b/c/f"];
    assert_eq!(tree(dir.path()), expected);
}

#[test]
fn no_path_leads_out_or_to_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("inner");
    let root = System::real().root(&inner);
    for path in ["/abs", "..", "../a", "a/../../b", "a/..", "./a", ".", "", "/"] {
        for error in [
            root.draft(Path::new(path)).map(drop).unwrap_err(),
            root.look(Path::new(path)).map(drop).unwrap_err(),
        ] {
            assert_eq!(error.step(), FileAction::NAMING, "{path:?}");
        }
    }
    assert!(tree(dir.path()).is_empty());
}

#[test]
fn only_the_root_may_be_a_link() {
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

    let root = System::real().root(at("root"));
    for (path, blocker, kind) in [
        ("out/a", "out", FileKind::Link),
        ("in/a", "in", FileKind::Link),
        ("in/b/c", "in", FileKind::Link),
        ("leaf/a", "leaf", FileKind::Link),
        ("file/a", "file", FileKind::File),
    ] {
        let found = root.look(Path::new(path)).unwrap();
        let at = PathBuf::from(blocker);
        assert_eq!(found, Occupant::Blocked { at, kind }, "{path}");
        let error = put(&root, path, Over::Old).unwrap_err();
        assert_eq!(error.step(), FileAction::OPENING, "{path}");
        assert!(error.path().ends_with(blocker), "{path}: {error}");
        assert_eq!(error.cause().kind(), io::ErrorKind::NotADirectory);
    }
    // A link under the final name exists, even if its target does not.
    for path in ["leaf", "dangling"] {
        let error = put(&root, path, Over::Nothing).unwrap_err();
        assert_eq!(error.cause().kind(), io::ErrorKind::AlreadyExists);
    }
    assert_eq!(tree(dir.path()), before);

    // Overwriting replaces the link itself.
    put(&root, "leaf", Over::Old).unwrap();
    assert_eq!(fs::read(at("real/leaf")).unwrap(), b"leaf");
    assert!(fs::symlink_metadata(at("real/leaf")).unwrap().is_file());
    assert_eq!(fs::read(at("outside/victim")).unwrap(), b"victim");
    assert!(root.finish().is_empty());
}

#[test]
fn a_directory_swapped_for_a_link_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("outside")).unwrap();
    let root = System::real().root(at("out"));
    put(&root, "maps/a", Over::Nothing).unwrap();
    let draft = root.draft(Path::new("maps/b")).unwrap();
    fs::rename(at("out/maps"), at("out/moved")).unwrap();
    symlink(at("outside"), at("out/maps")).unwrap();
    draft.commit(Over::Nothing).unwrap();
    put(&root, "maps/c", Over::Nothing).unwrap();
    assert_eq!(tree(&at("outside")), [""; 0]);
    assert_eq!(tree(&at("out/moved")), ["a", "b", "c"]);
}

/// A user who may write into the directory can replace a temporary file by a link.
#[test]
fn a_temporary_swapped_for_a_link_is_not_followed() {
    for (over, before) in [(Over::Nothing, Call::Link), (Over::Old, Call::Rename)] {
        let dir = tempfile::tempdir().unwrap();
        let (out, victim) = (dir.path().join("out"), dir.path().join("victim"));
        fs::create_dir(&out).unwrap();
        fs::write(&victim, b"victim").unwrap();
        let (there, target) = (out.clone(), victim.clone());
        let calls = Faulty::lacking(&[Call::CreateUnnamed]).meddled(before, move || {
            let temporary = fs::read_dir(there).unwrap().next().unwrap().unwrap().path();
            fs::remove_file(&temporary).unwrap();
            symlink(target, temporary).unwrap();
        });
        let root = System::new(Arc::new(calls)).root(&out);
        let _ = put(&root, "file", over);
        assert_eq!(fs::read(&victim).unwrap(), b"victim");
        assert!(fs::symlink_metadata(&victim).unwrap().is_file());
    }
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
    let source = System::real().identify(&at("source")).unwrap();
    assert_eq!(System::real().identify(&at("soft")).unwrap(), source);

    let root = System::real().root(dir.path());
    for (name, kind, is_source) in [
        ("source", FileKind::File, true),
        ("hard", FileKind::File, true),
        ("soft", FileKind::Link, true),
        ("copy", FileKind::File, false),
        ("dangling", FileKind::Link, false),
        ("folder", FileKind::Directory, false),
    ] {
        let found = root.look(Path::new(name)).unwrap();
        assert!(matches!(found, Occupant::Taken { kind: k, .. } if k == kind), "{name}: {found:?}");
        assert_eq!(found.is(source), is_source, "{name}");
    }
    assert!(!root.look(Path::new("other")).unwrap().is(source));
}

#[test]
fn a_named_output_gets_its_directory_made() {
    let dir = tempfile::tempdir().unwrap();
    let (root, name) = System::real().root_of_file(&dir.path().join("out.pak")).unwrap();
    put(&root, name.to_str().unwrap(), Over::Nothing).unwrap();
    assert_eq!(tree(dir.path()), ["out.pak"]);

    let (root, name) = System::real().root_of_file(&dir.path().join("none/out.pak")).unwrap();
    assert_eq!(root.look(&name).unwrap(), Occupant::Nothing);
    assert_eq!(tree(dir.path()), ["out.pak"]);
    drop(root.draft(&name).unwrap());
    assert!(root.finish().is_empty());
    assert_eq!(tree(dir.path()), ["out.pak"]);
    let (root, name) = System::real().root_of_file(&dir.path().join("none/out.pak")).unwrap();
    put(&root, name.to_str().unwrap(), Over::Nothing).unwrap();
    assert!(root.finish().is_empty());
    assert_eq!(tree(dir.path()), ["none/", "none/out.pak", "out.pak"]);

    let (root, name) = System::real().root_of_file(Path::new("Cargo.toml")).unwrap();
    assert!(matches!(root.look(&name).unwrap(), Occupant::Taken { .. }));
    for no_file in ["", ".", "..", "/", "a/", "a/.."] {
        assert!(System::real().root_of_file(Path::new(no_file)).is_err(), "{no_file:?}");
    }
}

#[test]
fn few_directories_are_opened_for_many_files() {
    let dir = tempfile::tempdir().unwrap();
    let calls = Arc::new(Faulty::default());
    let root = System::new(Arc::clone(&calls) as Arc<_>).root(dir.path());
    for n in 0..100 {
        put(&root, &format!("folder/{}/{n}", n % 5), Over::Nothing).unwrap();
    }
    let opened = calls.log();
    let opened = opened.iter().filter(|&&call| call == Call::OpenDir);
    // Each of the six is looked up, created and opened; the outer one is opened for each inner one.
    assert_eq!(opened.count(), 6 * 2 + 4);
    // More directories than the run keeps open.
    for n in 0..100 {
        put(&root, &format!("folder/{}/{n}", n + 5), Over::Nothing).unwrap();
    }
    assert_eq!(tree(dir.path()).len(), 200 + 105 + 1);
}

#[test]
fn threads_make_shared_directories_safely() {
    let dir = tempfile::tempdir().unwrap();
    let root = System::real().root(dir.path().join("new/root"));
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
