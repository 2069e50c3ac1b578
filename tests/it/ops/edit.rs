//! An edit of several changes makes the archive that its changes make one after another.

use std::fs;
use std::path::Path;

use daisho::ops::{AddOptions, Edit, EditOptions, PackOptions, edit};
use proptest::prelude::*;
use proptest::sample::select;

use super::context;
use crate::archive::build::Pak;
use crate::cli::Dir;

const NAMES: [&str; 6] = ["a", "b", "c", "d/a", "d/b", "e/d/a"];

/// A change, by a number of its kind and two names.
type Change = (usize, &'static str, &'static str);

/// The file `file` as `name`, or, if that is a folder, in it.
fn added(file: &Path, name: &str, replace: bool) -> Edit {
    let pack = PackOptions { png: true, ..PackOptions::default() };
    let name = Some(name.as_bytes().to_vec());
    let adding = AddOptions { name, replace, pack, ..AddOptions::default() };
    Edit::Add(vec![file.into()], Box::new(adding))
}

fn change(files: &Path, (kind, name, other): Change) -> Edit {
    match kind {
        0 => Edit::Remove(vec![name.into()]),
        1 => Edit::Rename(name.into(), other.into()),
        2 => Edit::Rename("d".into(), other.into()),
        3 => added(&files.join(other.replace('/', "_")), name, false),
        _ => added(&files.join(other.replace('/', "_")), name, true),
    }
}

/// The changes one after another, up to the first that is refused.
fn one_by_one(path: &Path, changes: impl IntoIterator<Item = Edit>) -> Result<Vec<u8>, String> {
    for change in changes {
        if let Err(refusal) = edit(&context(1), path, &[change], EditOptions::default()) {
            return Err(refusal.0[0].detail.to_string());
        }
    }
    Ok(fs::read(path).unwrap())
}

/// All changes at once, which leave the archive as it was.
fn at_once(path: &Path, changes: Vec<Edit>) -> Result<Vec<u8>, String> {
    let (before, to) = (fs::read(path).unwrap(), path.with_extension("new"));
    let options = || EditOptions { to: Some(to.clone()), ..EditOptions::default() };
    let planned = edit(&context(1), path, &changes, EditOptions { dry_run: true, ..options() });
    assert!(!to.exists());
    let edited = edit(&context(2), path, &changes, options());
    assert_eq!(planned.is_ok(), edited.is_ok());
    assert!(fs::read(path).unwrap() == before);
    match edited {
        Ok(row) => {
            assert_eq!(row.output.target, to);
            Ok(fs::read(to).unwrap())
        }
        Err(refusal) => Err(refusal.0[0].detail.to_string()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn several_changes_at_once_are_the_same_as_one_by_one(
        changes in prop::collection::vec((0..5_usize, select(&NAMES[..]), select(&NAMES[..])), 1..6),
        entries in prop::collection::vec(select(&NAMES[..]), 2..8),
        compressed: bool,
    ) {
        let dir = tempfile::tempdir().unwrap();
        for name in NAMES {
            fs::write(dir.path().join(name.replace('/', "_")), format!("new {name}")).unwrap();
        }
        let pak = Pak::named(&entries, "of the pak, of the pak, of the pak");
        let bytes = if compressed { pak.daikatana() } else { pak.quake() };
        let path = dir.path().join("p.pak");
        fs::write(&path, bytes).unwrap();
        let all = || changes.iter().map(|it| change(dir.path(), *it));
        let expected_after = at_once(&path, all().collect());
        prop_assert_eq!(expected_after, one_by_one(&path, all()));
    }
}

/// A picture takes from the one that it replaces what a PNG does not hold, also if that was renamed a change before.
/// The palette is the one that a change before has put there.
#[test]
fn pictures_are_made_for_the_archive_as_the_changes_before_leave_it() {
    let dir = Dir::new();
    let wall = "textures/e1/wall.wal";
    dir.copy("game/data/pak0.pak", "p.pak");
    let png = dir.ok(format!("cat p.pak {wall} --png")).stdout().to_vec();
    dir.file("wall.png", png);
    let mut palette = dir.cat("p.pak", "pics/colormap.lmp");
    palette.reverse();
    dir.file("colormap.lmp", palette);
    let changes = || {
        [
            Edit::Rename(wall.into(), "textures/e2/new.wal".into()),
            added(&dir.path("colormap.lmp"), "pics/colormap.lmp", true),
            added(&dir.path("wall.png"), "textures/e2/new.wal", true),
        ]
    };
    let path = dir.path("p.pak");
    let expected = at_once(&path, changes().into()).unwrap();
    assert!(expected == one_by_one(&path, changes()).unwrap());
}
