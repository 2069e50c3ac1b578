//! Changes in place against a model: whatever is done, each undo gives back the very bytes.

use std::fs;
use std::path::Path;

use daisho::archive::ReadOptions;
use daisho::ops::edit::{EditOptions, add, remove, rename_entries};
use daisho::ops::undo::undo;
use daisho::{Archive, Format};
use proptest::prelude::*;

use super::{context, into_file};

/// What is done to an archive. Numbers choose among what is there.
#[derive(Debug, Clone)]
enum Deed {
    /// Adds or replaces a file of this number, of so many bytes.
    Add(usize, usize),
    Remove(usize),
    Rename(usize, usize),
    Undo,
    /// Somebody writes behind the end, as a run that is killed does.
    Litter(usize),
    /// Written anew, without a way back.
    AddAnew(usize),
}

/// What an archive holds, in its order.
type Contents = Vec<(String, Vec<u8>)>;

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (0..8_usize, 0..3000_usize).prop_map(|(n, len)| Deed::Add(n, len)),
        1 => (0..8_usize).prop_map(Deed::Remove),
        1 => (0..8_usize, 0..8_usize).prop_map(|(n, to)| Deed::Rename(n, to)),
        3 => Just(Deed::Undo),
        1 => (1..200_usize).prop_map(Deed::Litter),
        1 => (0..8_usize).prop_map(Deed::AddAnew),
    ]
}

fn name(number: usize) -> String {
    let extension = if number.is_multiple_of(2) {
        "lmp"
    } else {
        "pal"
    };
    format!("file{number}.{extension}")
}

fn options(archive: &Path, append: bool) -> EditOptions {
    EditOptions {
        write: into_file(archive, Format::Quake),
        backup: false,
        append,
    }
}

fn contents(archive: &Path, format: Format) -> Contents {
    let bytes = fs::read(archive).unwrap();
    let archive = Archive::with_options(bytes, ReadOptions::from(format)).unwrap();
    let entry = |entry: daisho::Entry<'_>| (entry.name().to_string(), entry.read().unwrap());
    archive.entries().map(entry).collect()
}

/// An archive, what it holds, and every state that it can go back to.
struct Model {
    dir: tempfile::TempDir,
    holds: Contents,
    former: Vec<(Vec<u8>, Contents)>,
}

impl Model {
    fn new(format: Format) -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let mut model = Self {
            dir: dir.unwrap(),
            holds: Vec::new(),
            former: Vec::new(),
        };
        let mut writer = daisho::Writer::in_memory(format).unwrap();
        for number in 0..3 {
            let content = vec![number as u8; 40 * number];
            writer.add(name(number), &content).unwrap();
            model.holds.push((name(number), content));
        }
        fs::write(model.path(), writer.finish().unwrap().into_inner()).unwrap();
        model
    }

    fn path(&self) -> std::path::PathBuf {
        self.dir.path().join("a.pak")
    }

    /// Does a deed to the archive and to the model.
    fn act(&mut self, deed: &Deed) {
        let path = self.path();
        let before = (fs::read(&path).unwrap(), self.holds.clone());
        let chosen = |n: &usize| name(*n);
        let has = |name: &str| self.holds.iter().any(|(it, _)| it == name);
        let done = match deed {
            Deed::Add(number, len) => self.add(*number, vec![*len as u8; *len], true),
            Deed::AddAnew(number) => {
                assert!(self.add(*number, b"anew".to_vec(), false));
                self.former.clear();
                return;
            }
            Deed::Remove(number) => {
                let name = chosen(number);
                let is = has(&name) && self.holds.len() > 1;
                let names = [name.clone().into_bytes()];
                let done = remove(&context(1), &path, &names, options(&path, true));
                self.holds.retain(|(it, _)| !is || *it != name);
                assert_eq!(done.is_ok(), is);
                is
            }
            Deed::Rename(from, to) => {
                let (from, to) = (chosen(from), chosen(to));
                let is = has(&from) && (from == to || !has(&to));
                let names = (from.as_bytes(), to.as_bytes());
                let done = rename_entries(&context(1), &path, names, false, options(&path, true));
                assert_eq!(done.is_ok(), is, "{done:?}");
                let renamed = self.holds.iter_mut().filter(|(it, _)| is && *it == from);
                renamed.for_each(|(it, _)| it.clone_from(&to));
                is
            }
            Deed::Litter(len) => {
                // Before the next change, so that undoing that gives it back.
                let littered = [before.0, vec![b'x'; *len]].concat();
                fs::write(&path, littered).unwrap();
                return;
            }
            Deed::Undo => {
                let undone = undo(&context(1), &path, false);
                assert_eq!(undone.is_ok(), !self.former.is_empty(), "{undone:?}");
                if let Some((bytes, holds)) = self.former.pop() {
                    assert_eq!(undone.unwrap().left, self.former.len());
                    assert!(fs::read(&path).unwrap() == bytes);
                    self.holds = holds;
                }
                return;
            }
        };
        if done {
            assert!(fs::read(&path).unwrap()[12..].starts_with(&before.0[12..]));
            self.former.push(before);
        }
    }

    fn add(&mut self, number: usize, content: Vec<u8>, append: bool) -> bool {
        let (path, name) = (self.path(), name(number));
        let file = self.dir.path().join("file");
        fs::write(&file, &content).unwrap();
        let options = options(&path, append);
        let added = add(
            &context(2),
            &path,
            &[file],
            Some(name.as_bytes()),
            options,
            true,
        );
        assert!(
            added
                .unwrap()
                .written
                .problems
                .iter()
                .all(|it| !it.is_error())
        );
        match self.holds.iter_mut().find(|(it, _)| *it == name) {
            Some((_, old)) => *old = content,
            None => self.holds.push((name, content)),
        }
        true
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn each_undo_gives_back_the_very_bytes(
        format in proptest::sample::select(vec![
            Format::Quake, Format::Daikatana, Format::Sin, Format::Hrot, Format::Wad2, Format::Wad3,
        ]),
        deeds in proptest::collection::vec(deed(), 1..16),
    ) {
        let mut model = Model::new(format);
        for deed in &deeds {
            model.act(deed);
            prop_assert_eq!(&contents(&model.path(), format), &model.holds);
        }
        // All the way back.
        while !model.former.is_empty() {
            model.act(&Deed::Undo);
        }
        prop_assert_eq!(&contents(&model.path(), format), &model.holds);
    }
}
