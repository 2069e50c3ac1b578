//! Searches paths for archives.
//!
//! In a directory, archives are recognised by their first bytes, and ZIPs also by their names. If a search finds an archive, it
//! also takes the archives in it, one level deep. An archive that the user named is one input, whatever it holds. A
//! search passes over:
//!
//! | what                                                            | reported            |
//! |-----------------------------------------------------------------|---------------------|
//! | a file that is no archive and not named like one                | no: a game's directory holds mostly other files |
//! | a ZIP that is not named like an archive                         | no: many programs and documents are ZIPs |
//! | a text that is called `.sin`                                    | no: gettext's scripts |
//! | a temporary file, or a previous version (`NAME~`)               | no                  |
//! | a file that is named like an archive and is none                | a warning           |
//! | a link to a directory                                           | a warning           |
//! | a Git packfile, a `PackDir`, a text that begins as a pak does   | a warning           |
//!
//! What `--exclude-archive` matches is not opened. A path that the user has named is always opened: engines load
//! even Android's apps, which are ZIPs.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use walkdir::{DirEntry, WalkDir};

use super::named::or_missing;
use super::nested;
use super::open::{Input, InputBytes, Inputs, open, receive};
use super::recognize::{Recognized, is_named_as_archive, look};
use crate::archive::{Archive, ReadOptions};
use crate::fs::{Source, is_standard_input, is_temporary};
use crate::ops::context::Context;
use crate::ops::finding::{Finding, Notice, no_archive_found};

/// The most archives within others that a search takes. No collection has more, but a small file can hold very many.
const WITHIN_MAX: usize = 10_000;

/// Takes an input as soon as it is found, and says whether the search goes on. Returns the archive if it was opened,
/// because the search looks for archives in it next.
pub(super) type Take<'a> = dyn FnMut(Input) -> ControlFlow<(), Option<Archive>> + 'a;

/// Hands every archive that `paths` lead to to `take`. Returns what was passed over, and what could not be read.
pub(super) fn run(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    listed: bool,
    skip: Option<&Path>,
    take: &mut Take<'_>,
) -> Inputs {
    let mut finder = Finder {
        context,
        listed,
        skip: skip.and_then(|path| fs::canonicalize(path).ok()),
        take,
        found: Inputs::default(),
        taken: 0,
        within: 0,
        has_left_out: false,
    };
    for path in paths {
        if finder.path(path.as_ref()).is_break() {
            break;
        }
    }
    finder.found
}

/// The state of a search.
struct Finder<'a> {
    context: &'a Context<'a>,
    /// Whether the paths come from a list.
    listed: bool,
    /// The directory that is not searched.
    skip: Option<PathBuf>,
    take: &'a mut Take<'a>,
    /// Findings, and what was passed over. The archives went to `take`.
    found: Inputs,
    /// How many inputs were found.
    taken: usize,
    /// How many archives within others were found.
    within: usize,
    /// Whether `--exclude-archive` has left out something.
    has_left_out: bool,
}

impl Finder<'_> {
    /// Takes the archive at a path, or searches the directory.
    fn path(&mut self, path: &Path) -> ControlFlow<()> {
        if is_standard_input(path) {
            if let Err(error) = receive(self.context, path) {
                let error = Finding::unread(path, error.at_path(path));
                self.found.findings.push(error);
                return ControlFlow::Continue(());
            }
            return self.named(path, "stdin".into());
        }
        let relative = if self.listed {
            folders_of(path)
        } else {
            path.file_name().unwrap_or(OsStr::new("pak")).into()
        };
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => self.directory(path),
            Ok(_) => self.named(path, relative),
            Err(_) if nested::split(path).is_some() => self.named(path, relative),
            Err(error) => {
                let error = or_missing(Finding::from_io(error).at_path(path));
                self.found.findings.push(Finding::unread(path, error));
                ControlFlow::Continue(())
            }
        }
    }

    /// Adds an archive that was named.
    fn named(&mut self, path: &Path, relative: PathBuf) -> ControlFlow<()> {
        self.add(Input {
            path: path.to_path_buf(),
            relative,
            found: false,
            bytes: InputBytes::Path,
        })?;
        ControlFlow::Continue(())
    }

    fn add(&mut self, input: Input) -> ControlFlow<(), Option<Archive>> {
        self.taken += 1;
        (self.take)(input)
    }

    /// Adds an archive that was found, and the archives within it.
    fn add_with_nested(&mut self, input: Input) -> ControlFlow<()> {
        let opened = self.add(input.clone())?;
        // The options are for the archives within. The outer one is read with the defaults.
        let default = ReadOptions::default();
        let outer = match opened.filter(|_| self.context.open == default) {
            Some(archive) => archive,
            None => match open(&self.context.system, &input.path, default) {
                Ok(archive) => archive,
                Err(_) => return ControlFlow::Continue(()),
            },
        };
        let outer = Arc::new(outer);
        let folder = input.relative.with_extension("");
        for nested in nested::search(&outer, &input.path) {
            self.within += 1;
            if self.within > WITHIN_MAX {
                self.too_many(nested.path);
                break;
            }
            let (relative, why) = match nested.relative {
                Ok(relative) => (folder.join(relative), None),
                Err(why) => (folder.clone(), Some(why)),
            };
            let input = Input {
                path: nested.path,
                relative,
                found: true,
                bytes: InputBytes::Entry(Arc::clone(&outer), nested.index),
            };
            if self.leaves_out(&input.relative) {
                continue;
            }
            match why {
                Some(why) => self.found.passed_over.push((input, why)),
                None => {
                    self.add(input)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports the first archive that is left out because there are too many.
    fn too_many(&mut self, path: PathBuf) {
        if self.within == WITHIN_MAX + 1 {
            let why = format!(
                "this archive and those after it are not opened: {WITHIN_MAX} archives within others were found before"
            );
            let error = Finding::error(Notice::NestedLimit, why).at_path(&path);
            self.found.findings.push(Finding::unread(path, error));
        }
    }

    /// Searches a directory, and reports if it holds no archive.
    fn directory(&mut self, root: &Path) -> ControlFlow<()> {
        let before = (self.taken, self.found.findings.len());
        let skip = self.skip.clone();
        let is_skipped = |entry: &DirEntry| {
            let Some(skip) = &skip else { return false };
            entry.depth() > 0
                && entry.file_type().is_dir()
                // The system call is only made for a directory with the right name.
                && skip.file_name() == Some(entry.file_name())
                && fs::canonicalize(entry.path()).is_ok_and(|path| path == *skip)
        };
        let walk = WalkDir::new(root).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(|entry| !is_skipped(entry)) {
            match entry {
                Ok(entry) => self.look_at(root, entry)?,
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_path_buf();
                    let other = || io::ErrorKind::Other.into();
                    self.unreadable(&path, error.into_io_error().unwrap_or_else(other));
                }
            }
        }
        if before == (self.taken, self.found.findings.len()) {
            let error = if self.has_left_out {
                all_left_out()
            } else {
                no_archive_found()
            };
            let error = Finding::unread(root, error.at_path(root));
            self.found.findings.push(error);
        }
        ControlFlow::Continue(())
    }

    /// Looks at something in a directory.
    fn look_at(&mut self, root: &Path, entry: DirEntry) -> ControlFlow<()> {
        let is_file = entry.file_type().is_file();
        if is_file && (is_temporary(entry.file_name()) || is_previous_version(entry.path())) {
            return ControlFlow::Continue(());
        }
        if self.leaves_out(entry.path().strip_prefix(root).unwrap_or(entry.path())) {
            self.has_left_out = true;
            return ControlFlow::Continue(());
        }
        let is_link = entry.path_is_symlink() && entry.depth() > 0;
        match look(&self.context.system, entry.path(), is_link, is_file) {
            Ok(Recognized::Archive(file)) => {
                let input = self.found_below(root, entry.into_path(), Some(file));
                return self.add_with_nested(input);
            }
            Ok(Recognized::PassedOver(why)) => {
                let input = self.found_below(root, entry.into_path(), None);
                self.found.passed_over.push((input, why));
            }
            Ok(Recognized::Other) => {}
            // Opening it will fail, too, and report why. In a snapshot it is an unreadable archive.
            Err(_) if is_file && is_named_as_archive(entry.path()) => {
                let input = self.found_below(root, entry.into_path(), None);
                self.add(input)?;
            }
            Err(error) => self.unreadable(entry.path(), error),
        }
        ControlFlow::Continue(())
    }

    /// Whether `--exclude-archive` leaves out this path, which is relative to the searched directory.
    fn leaves_out(&self, relative: &Path) -> bool {
        self.context
            .leaves_out(relative.as_os_str().as_encoded_bytes())
    }

    fn found_below(&self, root: &Path, path: PathBuf, file: Option<Source>) -> Input {
        let relative = path.strip_prefix(root).unwrap_or(&path);
        Input {
            relative: if self.listed {
                folders_of(root).join(relative)
            } else {
                relative.to_path_buf()
            },
            path,
            found: true,
            bytes: file.map_or(InputBytes::Path, InputBytes::File),
        }
    }

    fn unreadable(&mut self, path: &Path, error: io::Error) {
        let error = Finding::from_io(error).at_path(path);
        self.found.findings.push(Finding::unread(path, error));
    }
}

/// The path below an output directory for a path from a list: without the root, and without everything up to the last
/// `..`.
fn folders_of(path: &Path) -> PathBuf {
    let mut folders = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => folders.push(part),
            Component::ParentDir => folders = PathBuf::new(),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    folders
}

/// The error if `--exclude-archive` leaves out everything in a directory.
fn all_left_out() -> Finding {
    let why = "--exclude-archive leaves out everything in this directory";
    Finding::error(Notice::NoMatch, why)
}

/// Whether this file is the previous version of an archive beside it, kept by an edit.
fn is_previous_version(path: &Path) -> bool {
    // The rest of the name need not be UTF-8.
    let Some(extension) = path.extension().and_then(OsStr::to_str) else {
        let name = path.file_name().and_then(OsStr::to_str);
        let archive = name.and_then(|name| name.strip_suffix('~'));
        return archive.is_some_and(|archive| path.with_file_name(archive).is_file());
    };
    let archive = extension.strip_suffix('~');
    archive.is_some_and(|extension| path.with_extension(extension).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Format;
    use crate::ops::source::all;

    fn find(paths: &[PathBuf], skip: Option<&Path>) -> Inputs {
        all(&Context::new(), paths, false, skip)
    }

    fn tree() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in [
            ("b/pak1.pak", "PACK\0and more"),
            ("b/pak0.pak", "PACK"),
            ("a/data.bin", "PACKED"),
            ("a/readme.txt", "no pak"),
            ("a/short", "PA"),
            ("b/.daisho-0123abcd.tmp", "PACK"),
            ("out/pak0.pak", "PACK"),
            ("z/out/pak0.pak", "PACK"),
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        dir
    }

    #[test]
    fn a_directory_yields_its_paks_by_magic_and_in_name_order_without_the_output() {
        let dir = tree();
        let skip = dir.path().join("out");
        let inputs = find(&[dir.path().into()], Some(&skip));
        let found: Vec<_> = inputs
            .archives
            .iter()
            .map(|i| i.relative.as_path())
            .collect();
        assert_eq!(
            found,
            ["a/data.bin", "b/pak0.pak", "b/pak1.pak", "z/out/pak0.pak"].map(Path::new)
        );
        assert!(inputs.archives.iter().all(|i| i.found));
        assert!(inputs.findings.is_empty());
    }

    /// A small file can hold very many, or name one under very many names.
    #[test]
    fn archives_within_another_are_found_up_to_a_number_and_the_first_beyond_it_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, path) = (dir.path().to_path_buf(), dir.path().join("many.pak"));
        let mut inner = crate::Writer::in_memory(Format::Quake).unwrap();
        inner.add("a.cfg", b"a").unwrap();
        let inner = inner.finish().unwrap().into_inner();
        for (count, found, findings) in
            [(WITHIN_MAX, WITHIN_MAX, 0), (WITHIN_MAX + 2, WITHIN_MAX, 1)]
        {
            let mut writer = crate::Writer::in_memory(Format::Quake).unwrap();
            for number in 0..count {
                writer.add(format!("{number:05}.pak"), &inner).unwrap();
            }
            fs::write(&path, writer.finish().unwrap().into_inner()).unwrap();
            let inputs = find(std::slice::from_ref(&folder), None);
            assert_eq!(
                (inputs.archives.len(), inputs.findings.len()),
                (1 + found, findings)
            );
            for finding in inputs.findings {
                let place = finding.place.path.unwrap();
                assert!(
                    place.ends_with("many.pak//10000.pak"),
                    "{}",
                    place.display()
                );
            }
        }
    }

    #[test]
    fn a_file_is_meant_whatever_it_holds() {
        let dir = tree();
        let path = dir.path().join("a/readme.txt");
        let inputs = find(std::slice::from_ref(&path), None);
        assert_eq!(inputs.archives.len(), 1);
        assert_eq!(inputs.archives[0].path, path);
        assert_eq!(inputs.archives[0].relative, Path::new("readme.txt"));
        assert!(!inputs.archives[0].found);
    }

    #[test]
    fn what_does_not_exist_is_a_problem_and_the_rest_goes_on() {
        let dir = tree();
        let paths = [
            dir.path().join("nowhere.pak"),
            dir.path().join("b/pak0.pak"),
        ];
        let inputs = find(&paths, None);
        assert_eq!(inputs.archives.len(), 1);
        assert_eq!(inputs.findings.len(), 1);
    }

    #[test]
    fn what_a_killed_run_has_left_is_no_input_unless_it_is_named() {
        let dir = tree();
        let left = dir.path().join("b/.daisho-0123abcd.tmp");
        fs::write(&left, "PACK, and then it was killed").unwrap();
        let found = |path: &Path| find(&[path.into()], None).archives;
        let paks = found(&dir.path().join("b"));
        let paks: Vec<_> = paks.iter().filter_map(|i| i.relative.to_str()).collect();
        assert_eq!(paks, ["pak0.pak", "pak1.pak"]);
        assert_eq!(found(&left).len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_are_followed_and_links_that_lead_nowhere_or_round_are_not() {
        let dir = tree();
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
        };
        link("../b/pak0.pak", "a/link.pak");
        link("nowhere", "a/dangling.pak");
        link("..", "a/round");
        let inputs = find(&[dir.path().join("a")], None);
        let found: Vec<_> = inputs
            .archives
            .iter()
            .map(|i| i.relative.to_str().unwrap())
            .collect();
        assert_eq!(found, ["data.bin", "link.pak"]);
        assert!(inputs.findings.is_empty());
    }
}
