//! Gathering the files that are to become an archive: which ones are meant, and their names in it.
//!
//! | what was typed             | the names in the pak                                            |
//! |----------------------------|-----------------------------------------------------------------|
//! | one directory              | the paths of its regular files from it on, sorted by their bytes |
//! | one file, or several paths | what was typed, as zip and tar keep it; below a directory, with its files sorted |
//!
//! `.` is dropped from what was typed. What leads upwards is stripped with all that stands before
//! it, as tar does, and told: no name in a pak leads there. Of an absolute path the last part is
//! taken, because where a mod lies on one disk is nobody's business in a pak, and too long.
//!
//! A link that was named is what it leads to. Below a directory none is followed unless that is asked for:
//! it can lead anywhere, and round; each is told as left out, as is whatever else is no regular file.
//!
//! Names are taken as they are, upper case included. One of more than 55 bytes is refused, and one
//! with a control byte or a backslash, which would not come out of the pak as it went in. What
//! only some systems refuse is told as a warning.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use crate::archive::error::ErrorKind;
use crate::archive::{Format, PathError, RawName, SafePath, quoted_path};
use crate::format::{check_name, name_in};
use crate::fs::{LooseFile, is_temporary};
use crate::ops::context::Refusal;
use crate::ops::finding::{Finding, Notice, left_out};
use crate::ops::source::named::or_missing;
use crate::ops::write::WriteOptions;

/// The files for an archive that is to be written so, in its order, and what was odd on the way. One file
/// can be `named`.
pub(super) fn gather(
    paths: &[PathBuf],
    options: &WriteOptions,
    named: Option<&[u8]>,
) -> Result<(Vec<LooseFile>, Vec<Finding>), Refusal> {
    let mut found = Gathered {
        options,
        named,
        files: Vec::new(),
        findings: Vec::new(),
        refused: Vec::new(),
    };
    let alone = matches!(paths, [_]) && !options.search.listed;
    for path in paths {
        let io = |error| or_missing(Finding::from_io(error).in_pak(path));
        match std::fs::metadata(path) {
            Ok(data) if data.is_dir() && alone => found.search(path, Path::new("")),
            Ok(data) if data.is_dir() => {
                let typed = found.typed(path);
                found.search(path, &typed);
            }
            Ok(data) if data.is_file() => {
                let typed = found.typed(path);
                found.add(&typed, path.clone(), data.len());
            }
            Ok(_) => found
                .refused
                .push(Finding::from(ErrorKind::NotAFile).in_pak(path)),
            Err(error) => found.refused.push(io(error)),
        }
    }
    if named.is_some() && found.files.len() > 1 {
        let count = found.files.len();
        let why = format!("a name can be given to one file, and these are {count}");
        return Err(Finding::error(Notice::OneFileForName, why).into());
    }
    found.same_names();
    if found.refused.is_empty() {
        Ok((found.files, found.findings))
    } else {
        Err(Refusal(found.refused))
    }
}

#[derive(Debug)]
struct Gathered<'o> {
    options: &'o WriteOptions,
    /// What the file is to be called.
    named: Option<&'o [u8]>,
    files: Vec<LooseFile>,
    findings: Vec<Finding>,
    refused: Vec<Finding>,
}

impl Gathered<'_> {
    /// The path as it was typed, as far as names in a pak can begin so.
    fn typed(&mut self, path: &Path) -> PathBuf {
        if path.has_root() {
            return path.file_name().unwrap_or_default().into();
        }
        let (mut kept, mut stripped) = (PathBuf::new(), PathBuf::new());
        for part in path.components() {
            match part {
                Component::Normal(part) => kept.push(part),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    stripped.push(core::mem::take(&mut kept));
                    stripped.push(part);
                }
            }
        }
        if !stripped.as_os_str().is_empty() {
            stripped.push("");
            let why = format!(
                "names begin after {}: no name in a pak leads upwards",
                quoted_path(&stripped)
            );
            self.findings
                .push(Finding::warning(Notice::Stripped, why).in_pak(path));
        }
        kept
    }

    /// Adds the files below a directory, under names that begin with `typed`.
    fn search(&mut self, root: &Path, typed: &Path) {
        let begin = self.files.len();
        // Sorted here for the order of messages; the files are once more, by their whole names.
        let walk = WalkDir::new(root);
        for entry in walk.min_depth(1).sort_by_file_name() {
            let looked = entry.and_then(|entry| Ok((entry.metadata()?, entry)));
            let (data, entry) = match looked {
                Ok(looked) => looked,
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_path_buf();
                    let error = error
                        .into_io_error()
                        .unwrap_or_else(|| std::io::ErrorKind::Other.into());
                    self.refused.push(Finding::from_io(error).in_pak(path));
                    continue;
                }
            };
            let kind = data.file_type();
            if kind.is_file() && is_temporary(entry.file_name()) {
                let why = "a run that was killed has left it";
                self.leave_out(entry.path(), "a temporary", why);
            } else if kind.is_file() {
                let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
                let name = typed.join(relative);
                self.add(&name, entry.path().to_path_buf(), data.len());
            } else if !kind.is_dir() {
                let what = if std::fs::read_link(entry.path()).is_ok() {
                    "a symbolic link"
                } else {
                    "a pipe, socket or device"
                };
                self.leave_out(entry.path(), what, "only regular files are taken");
            }
        }
        if let Some(new) = self.files.get_mut(begin..) {
            new.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }

    fn leave_out(&mut self, path: &Path, what: &'static str, why: &'static str) {
        self.findings.push(left_out(what, why).in_pak(path));
    }

    fn add(&mut self, relative: &Path, path: PathBuf, len: u64) {
        let plain = match self.named {
            Some(name) => Ok(name.to_vec()),
            None => plain_name(relative),
        };
        let name = plain.and_then(|name| {
            let picked = self.options.selection.picks(RawName::new(&name));
            picked.then(|| checked(name, self.options.to)).transpose()
        });
        match name {
            Err(error) => self.refused.push(error.in_pak(&path)),
            Ok(None) => {}
            Ok(Some(name)) => {
                if let Err(odd) = SafePath::try_from(RawName::new(&name)) {
                    let warning = Finding::warning(Notice::FileName, odd.to_string());
                    self.findings.push(warning.in_pak(&path));
                }
                let size = len;
                self.files.push(LooseFile { name, path, size });
            }
        }
    }

    /// An entry's name is told to be another's by the first file that has it.
    fn same_names(&mut self) {
        let mut first: HashMap<&[u8], &Path> = HashMap::new();
        for file in &self.files {
            match first.get(file.name.as_slice()) {
                None => {
                    first.insert(&file.name, &file.path);
                }
                Some(other) => {
                    let why = format!(
                        "{} would also have this name in the pak",
                        quoted_path(other)
                    );
                    let error = Finding::error(Notice::SameName, why);
                    self.refused.push(error.in_pak(&file.path));
                }
            }
        }
    }
}

/// A path as an entry's name.
fn plain_name(relative: &Path) -> Result<Vec<u8>, Finding> {
    let mut name = Vec::new();
    for part in relative {
        if !name.is_empty() {
            name.push(b'/');
        }
        if !cfg!(unix) && part.to_str().is_none() {
            return Err(file_name(PathError::NotUtf8));
        }
        name.extend_from_slice(part.as_encoded_bytes());
    }
    Ok(name)
}

/// The name that an entry of this one has in an archive of this format, if that takes it.
fn checked(name: Vec<u8>, to: Format) -> Result<Vec<u8>, Finding> {
    check_chosen(&name)?;
    check_name(to, RawName::new(&name))?;
    Ok(name_in(to, &name).into_owned())
}

/// Refuses a name that would not come out of an archive as it went in.
pub(super) fn check_chosen(name: &[u8]) -> Result<(), Finding> {
    if name.contains(&b'\\') {
        let why = "the name has a backslash in it, which is a separator in a pak";
        return Err(Finding::error(Notice::FileName, why));
    }
    if let Some(&byte) = name.iter().find(|byte| byte.is_ascii_control()) {
        return Err(file_name(PathError::Control(byte)));
    }
    Ok(())
}

/// A name that not every system can extract again.
fn file_name(why: PathError) -> Finding {
    Finding::error(Notice::FileName, why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(relative: &Path, to: Format) -> Result<Vec<u8>, Finding> {
        checked(plain_name(relative)?, to)
    }

    #[test]
    fn a_name_of_55_bytes_is_the_longest_and_parts_are_joined_by_a_slash() {
        let name = |path: &str| name_of(Path::new(path), Format::Quake);
        assert_eq!(name("a").unwrap(), b"a");
        let joined: PathBuf = ["Maps", "e1m1.bsp"].iter().collect();
        assert_eq!(name_of(&joined, Format::Quake).unwrap(), b"Maps/e1m1.bsp");
        assert_eq!(name(&"x".repeat(55)).unwrap().len(), 55);
        let error = name(&"x".repeat(56)).unwrap_err();
        assert_eq!(error.notice, Notice::NameTooLong);
        assert!(error.detail.contains("56"));
        let error = name("a\x1b").unwrap_err();
        assert_eq!(error.notice, Notice::FileName);
        assert_eq!(error.detail, PathError::Control(0x1b).to_string());
    }
}
