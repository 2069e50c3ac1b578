//! Arguments that choose archives and entries: paths, lists of paths, names, numbers and globs.
//!
//! `--files-from` reads a list of paths from a file or from standard input:
//!
//! | in the list               | what it means                                                |
//! |---------------------------|--------------------------------------------------------------|
//! | a line                    | a path, from the current directory, whatever it begins with  |
//! | a line that ends in CR LF | the same: the CR is not part of the path                     |
//! | an empty line             | nothing                                                      |
//! | a NUL byte                | the end of a path. Line ends are then part of the paths      |
//! | no path at all            | an error: an empty list is probably a mistake                |

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;
use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;

use crate::archive::RawName;
use crate::cli::args::{is_standard, number};
use crate::cli::ui::Ui;
use crate::cli::{complete, exit};
use crate::ops::Refusal;
use crate::ops::finding::Finding;
use crate::ops::source::directory::parent_of;
use crate::ops::source::{Selection, Wanted, arguments};

/// The longest path that is read: many times longer than any system can open.
const PATH_MAX: usize = 64 * 1024;

/// The archives that a verb reads.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Archives, and directories of archives or files; '-' is standard input
    ///
    /// Archives are recognised by content. A path can also lead to an archive inside another one:
    /// mod.zip//id1/pak0.pak
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    #[arg(value_hint = ValueHint::AnyPath, add = ArgValueCompleter::new(complete::paths_and_names))]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) list: PathListArgs,
}

impl InputArgs {
    /// Whether there are several archives, or may be.
    pub(crate) fn is_several(&self) -> bool {
        self.list.is_given() || self.paths.len() > 1 || self.paths.iter().any(|it| it.is_dir())
    }

    /// The only argument that is a path.
    pub(crate) fn only(&self) -> Option<PathBuf> {
        match self.paths.as_slice() {
            [only] if !self.list.is_given() => Some(only.clone()),
            _ => None,
        }
    }

    /// Adds the paths of the list. Removes the names of entries from the paths, and returns the selection that these
    /// names and the globs make. With `only_paths`, or with a list, all arguments are paths.
    pub(crate) fn selection(
        &mut self,
        globs: &GlobArgs,
        only_paths: bool,
        ui: &Ui,
    ) -> Result<Selection, Refusal> {
        let only_paths = only_paths || self.list.is_given();
        self.read_list(only_paths)?;
        let selection = globs.selection()?;
        if only_paths {
            return Ok(selection);
        }
        let (paths, names) = arguments(&ui.context(), &self.paths);
        self.paths = paths;
        let names = names.iter().map(|name| name.as_os_str().as_encoded_bytes());
        Ok(selection.with_names(names))
    }

    /// Adds the paths of the list that was given. On Windows it also expands patterns in the first path, or in all with
    /// `only_paths`. Later patterns may be about entries, so only `convert` expands them, too.
    pub(crate) fn read_list(&mut self, only_paths: bool) -> Result<(), Finding> {
        let expanded = if only_paths { self.paths.len() } else { 1 };
        let others = self.paths.split_off(expanded.min(self.paths.len()));
        expand_on_windows(&mut self.paths);
        self.paths.extend(others);
        self.list.add_to(&mut self.paths)?;
        let read = self.paths.iter().chain(&self.list.files_from);
        if read.filter(|path| is_standard(path)).count() < 2 {
            return Ok(());
        }
        Err(Finding::error("standard input cannot be read twice")
            .advice("name it once: as an archive, or as the list of --files-from"))
    }
}

/// A list with more paths.
#[derive(Debug, Args)]
pub(crate) struct PathListArgs {
    /// Also read paths from FILE, one per line; '-' is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    files_from: Option<PathBuf>,
}

impl PathListArgs {
    /// Whether there is a list.
    pub(crate) const fn is_given(&self) -> bool {
        self.files_from.is_some()
    }

    /// Adds the paths of the list. On Windows it also expands patterns in the other paths.
    pub(crate) fn read_into(&self, paths: &mut Vec<PathBuf>) -> Result<(), Finding> {
        expand_on_windows(paths);
        self.add_to(paths)
    }

    fn add_to(&self, paths: &mut Vec<PathBuf>) -> Result<(), Finding> {
        if let Some(file) = &self.files_from {
            let list = read_list(file)?;
            paths.extend(self::paths(&list).map_err(|error| error.at_path(file))?);
        }
        Ok(())
    }
}

/// Replaces patterns by the paths that they match. Other systems have shells that do that.
pub(crate) fn expand_on_windows(paths: &mut Vec<PathBuf>) {
    if cfg!(windows) {
        *paths = paths.iter().flat_map(|path| expanded(path)).collect();
    }
}

/// The paths that a pattern such as `mods\*.pak` matches, in the order of their names. The path itself if its last part
/// has no wildcard, if it exists, or if nothing matches: then it is reported as a path that does not exist.
fn expanded(path: &Path) -> Vec<PathBuf> {
    let itself = vec![path.to_path_buf()];
    let pattern = path.file_name().and_then(OsStr::to_str).filter(|it| it.contains(['*', '?']));
    let Some(pattern) = pattern.filter(|_| fs::symlink_metadata(path).is_err()) else {
        return itself;
    };
    let (Ok(found), Ok(selection)) =
        (fs::read_dir(parent_of(path)), Selection::new(&[pattern], &[]))
    else {
        return itself;
    };
    let mut names: Vec<OsString> = found.flatten().map(|entry| entry.file_name()).collect();
    names.retain(|name| selection.picks(RawName::new(name.as_encoded_bytes())));
    names.sort();
    let paths: Vec<PathBuf> = names.iter().map(|name| path.with_file_name(name)).collect();
    if paths.is_empty() { itself } else { paths }
}

/// Globs that select entries.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct GlobArgs {
    /// Only entries that match GLOB
    ///
    /// A pattern without '/' matches a file, or a folder with everything in it, at any depth; one with '/' begins at
    /// the root. Case is ignored.
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Skip matching entries; or --exclude-from FILE
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Skip entries that match the patterns in FILE, one per line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide = true)]
    pub(crate) exclude_from: Option<PathBuf>,
}

impl GlobArgs {
    /// The entries that the globs select.
    pub(crate) fn selection(&self) -> Result<Selection, Finding> {
        let selection = Selection::new(&self.include, &self.exclude)?;
        match &self.exclude_from {
            Some(file) => {
                let list = read_list(file)?;
                selection.excluding_list(&list).map_err(|error| error.at_path(file))
            }
            None => Ok(selection),
        }
    }
}

/// An archive, and entries of it.
#[derive(Debug, Args)]
pub(crate) struct EntryArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    pub(crate) archive: PathBuf,
    /// Names of entries or folders, or patterns
    #[arg(
        value_name = "NAME",
        add = ArgValueCompleter::new(complete::names),
        required_unless_present = "index",
        conflicts_with = "index"
    )]
    pub(crate) names: Vec<OsString>,
    /// Numbers of entries, counted from 0
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    index: Vec<usize>,
}

impl EntryArgs {
    /// The entries that are named or numbered.
    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        Wanted::list(&self.names, &self.index)
    }
}

/// The most bytes of a list that are read.
const LIST_MAX: u64 = 64 << 20;

/// Reads the list at `path`, or on standard input if that is `-`.
fn read_list(path: &Path) -> Result<Vec<u8>, Finding> {
    let mut list = Vec::new();
    // A read from a pipe waits, and is continued after a signal.
    let at_once = exit::AtOnce::begin();
    let read = if is_standard(path) {
        io::stdin().lock().take(LIST_MAX + 1).read_to_end(&mut list)
    } else if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Err(Finding::from(crate::ErrorKind::NotAFile).at_path(path));
    } else {
        File::open(path).and_then(|file| file.take(LIST_MAX + 1).read_to_end(&mut list))
    };
    drop(at_once);
    let why = match read {
        Ok(len) if len as u64 > LIST_MAX => "it is longer than 64 MiB".to_owned(),
        Ok(_) => return Ok(list.strip_prefix(b"\xEF\xBB\xBF").map(<[u8]>::to_vec).unwrap_or(list)),
        Err(error) => crate::ErrorKind::Io(error).to_string(),
    };
    Err(Finding::error(format!("cannot read this list: {why}")).at_path(path))
}

/// The paths of a list. If the list has a NUL byte, each path ends in a NUL byte, otherwise in a line end.
fn paths(list: &[u8]) -> Result<Vec<PathBuf>, Finding> {
    let end = if list.contains(&0) { 0 } else { b'\n' };
    let mut paths = Vec::new();
    for (number, item) in (1..).zip(list.split(|byte| *byte == end)) {
        let path = match end {
            0 => item,
            _ => item.strip_suffix(b"\r").unwrap_or(item),
        };
        if path.len() > PATH_MAX {
            return Err(bad_path(number, "is too long"));
        }
        if path.is_empty() {
            continue;
        }
        match path.to_path() {
            Ok(path) => paths.push(path.to_path_buf()),
            Err(_) => return Err(bad_path(number, "is not UTF-8")),
        }
    }
    if paths.is_empty() {
        let error = Finding::error("this list of paths is empty");
        return Err(error.advice("give it a line for each path, as find and ls print them"));
    }
    Ok(paths)
}

fn bad_path(number: usize, why: &str) -> Finding {
    Finding::error(format!("path {number} of this list {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8]) -> Option<Vec<String>> {
        let paths = paths(bytes).ok()?.into_iter();
        Some(paths.map(|it| it.to_str().unwrap().to_owned()).collect())
    }

    #[test]
    fn path_lists_take_either_line_end_and_no_empty_line() {
        let read = read_bytes(b"a b\r\n\n  c\n\r\n#d\n-e").unwrap();
        assert_eq!(read, ["a b", "  c", "#d", "-e"]);
        assert_eq!(read_bytes(b""), None);
    }

    #[test]
    fn with_nul_bytes_a_path_can_hold_line_ends() {
        assert_eq!(read_bytes(b"a\nb\0\0c\r\0d").unwrap(), ["a\nb", "c\r", "d"]);
    }

    #[test]
    fn patterns_in_the_last_part_of_a_path_are_expanded() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["pak1.pak", "b.txt", "PAK0.PAK", "mods/c.pak", "mods/[x].pak", "pak10.pak"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (pattern, expected) in [
            ("*.pak", vec!["PAK0.PAK", "pak1.pak", "pak10.pak"]),
            ("pak?.pak", vec!["PAK0.PAK", "pak1.pak"]),
            ("m*", vec!["mods"]),
            ("mods/*", vec!["mods/[x].pak", "mods/c.pak"]),
            ("mods/../*.txt", vec!["mods/../b.txt"]),
            // No wildcards, nothing that matches, no such directory, a wildcard before the last part.
            ("pak1.pak", vec!["pak1.pak"]),
            ("[p]ak1.pak", vec!["[p]ak1.pak"]),
            ("*.wad", vec!["*.wad"]),
            ("nowhere/*.pak", vec!["nowhere/*.pak"]),
            ("m*/c.pak", vec!["m*/c.pak"]),
            ("pak1.pak//*.bsp", vec!["pak1.pak//*.bsp"]),
            ("{*.pak", vec!["{*.pak"]),
            ("..", vec![".."]),
        ] {
            let expected: Vec<PathBuf> = expected.iter().map(|it| dir.path().join(it)).collect();
            assert_eq!(expanded(&dir.path().join(pattern)), expected, "{pattern}");
        }
    }

    /// On other systems than Windows a file can have such a name.
    #[cfg(unix)]
    #[test]
    fn a_file_that_is_named_like_a_pattern_is_meant() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("*.pak");
        fs::write(&path, "").unwrap();
        fs::write(dir.path().join("a.pak"), "").unwrap();
        assert_eq!(expanded(&path), [path]);
    }

    #[test]
    fn a_path_of_any_length_is_read_up_to_a_bound() {
        let long = "x".repeat(64 * 1024);
        assert_eq!(read_bytes(long.as_bytes()).unwrap(), [long.as_str()]);
        assert_eq!(read_bytes(format!("{long}x").as_bytes()), None);
    }
}
