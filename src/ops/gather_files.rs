//! Gathers the files that become entries, and the names that they get.
//!
//! | what was typed                                | the names                               |
//! |-----------------------------------------------|-----------------------------------------|
//! | files or directories below a root             | paths from the root                     |
//! | files or directories, and no root             | the paths as typed, as zip and tar do it |
//!
//! The files of a directory are sorted by the bytes of their names. Without a root, `.` is dropped from a path,
//! and everything up to the last `..` is stripped with a warning, as tar does. Of an absolute path only the last
//! part is kept: where a mod is on one disk does not matter in an archive, and takes too much of a name.
//!
//! A file or a directory that the user typed is always taken.
//!
//! A symbolic link that the user typed is followed, wherever it leads. What is left out of a directory is in
//! `source/directory.rs`.
//!
//! In a WAD, which has no folders, only a file's own name counts. Names keep their case. Names that are too long, or have
//! a control byte or a backslash, are refused. Names that only some systems refuse get a warning.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf, absolute};

use bstr::ByteSlice as _;

use crate::archive::error::ErrorKind;
use crate::archive::{Format, LooseFile, PathError, RawName, SafePath, quoted_name, quoted_path};
use crate::engine::findable;
use crate::format::{check_name, name_in};
use crate::media::{FileType, Kind};
use crate::ops::context::Refusal;
use crate::ops::finding::{Finding, Help, same_name};
use crate::ops::pictures::{Made, PictureOptions, PicturePlace};
use crate::ops::source::Selection;
use crate::ops::source::directory::{Met, below_root, entry_name, left_hidden, walk};
use crate::ops::source::named::or_missing;
use crate::ops::source::nested::{duplicate_of, is_named_as_nested};

/// How files become entries of an archive, in [`create`](super::create()) and [`edit`](super::edit()).
///
/// Without a root, names are the paths as given. But if `create` gets a single directory, names are relative to that
/// directory.
#[derive(Debug, Default)]
pub struct PackOptions {
    /// The directory that names are relative to.
    pub root: Option<PathBuf>,
    /// Whether hidden files, and backups such as `a.txt~`, of directories are taken, too.
    pub hidden: bool,
    /// Whether pictures of a game are made of `NAME.EXT.png`, which becomes `NAME.EXT`, and of pictures in `gfx/` and
    /// `textures/`. In a WAD pictures always become textures.
    pub png: bool,
    /// Where palettes for pictures are looked for.
    pub pictures: PictureOptions,
}

/// Which files are gathered, and the names that they get.
#[derive(Debug)]
pub(crate) struct Gathering<'o> {
    /// The directory that names are relative to.
    pub(crate) root: Option<&'o Path>,
    /// The name of the only file.
    pub(crate) named: Option<&'o [u8]>,
    pub(crate) selection: &'o Selection,
    /// The format of the archive.
    pub(crate) to: Format,
    /// Whether to take hidden files of a directory.
    pub(crate) hidden: bool,
    /// Whether the names in the archive will be in lower case.
    pub(crate) lowercase: bool,
    /// What pictures become. `None` if they are packed as they are.
    pub(crate) place: Option<PicturePlace>,
}

impl Gathering<'_> {
    /// Whether `a.mip.dup-3` becomes a second `a.mip`: in a WAD, if the user gives no name.
    pub(crate) fn takes_duplicates(&self) -> bool {
        self.named.is_none() && self.to.spec().has_lumps()
    }
}

/// The files of an archive.
#[derive(Debug, Default)]
pub(crate) struct GatheredFiles {
    /// In the archive's order.
    pub(crate) files: Vec<LooseFile>,
    /// The pictures among them that are to be encoded.
    pub(crate) made: Made,
    /// Why other pictures cannot be packed. They are not among the files.
    pub(crate) unmade: Vec<Finding>,
    /// Warnings.
    pub(crate) findings: Vec<Finding>,
}

/// Gathers the files for an archive.
pub(crate) fn gather(paths: &[PathBuf], how: &Gathering<'_>) -> Result<GatheredFiles, Refusal> {
    if let Some(root) = how.root {
        let error = match fs::metadata(root) {
            Ok(found) if found.is_dir() => None,
            Err(error) if error.kind() != io::ErrorKind::NotFound => Some(Finding::from_io(error)),
            _ => Some(outside_root("this is not a directory")),
        };
        if let Some(error) = error {
            return Err(error.at_path(root).into());
        }
    }
    let mut found = Gathered {
        how,
        files: Vec::new(),
        hidden: Vec::new(),
        made: Made::new(),
        unmade: Vec::new(),
        findings: Vec::new(),
        refused: Vec::new(),
    };
    for path in paths {
        if let Err(error) = found.path(path) {
            found.refused.push(error.at_path(path));
        }
    }
    if how.named.is_some() && found.files.len() > 1 {
        let count = found.files.len();
        let why = format!("--as gives a name to a single file, but there are {count} files");
        return Err(Finding::error(why)
            .advice("add one file at a time, or let the files keep their names")
            .into());
    }
    let are_packed = !matches!(how.place, Some(PicturePlace::Loose { .. }));
    if are_packed {
        found.same_names();
        found.second_pictures();
    }
    found.forget_packed();
    Refusal::if_any(found.refused)?;
    if let Some(mut warning) = left_hidden(&found.hidden) {
        // Loose pictures have no option for hidden files.
        if are_packed {
            let advice = warning.advice("name them one by one");
            warning = advice.help(Help::TakeHidden);
        }
        found.findings.push(warning);
    }
    let files = found.files.into_iter().map(|(file, _)| file);
    Ok(GatheredFiles {
        files: files.collect(),
        made: found.made,
        unmade: found.unmade,
        findings: found.findings,
    })
}

#[derive(Debug)]
struct Gathered<'o> {
    how: &'o Gathering<'o>,
    /// The files. A file that an extraction wrote as `NAME.dup-INDEX` has this index; all others have 0.
    files: Vec<(LooseFile, usize)>,
    /// The hidden files that are left out.
    hidden: Vec<PathBuf>,
    made: Made,
    unmade: Vec<Finding>,
    findings: Vec<Finding>,
    refused: Vec<Finding>,
}

impl Gathered<'_> {
    /// Adds a file, or the files below a directory.
    fn path(&mut self, path: &Path) -> Result<(), Finding> {
        let io = |error| or_missing(Finding::from_io(error).at_path(path), false);
        let data = std::fs::metadata(path).map_err(io)?;
        let name = match self.how.root {
            Some(root) => below(root, path).map_err(io)?.ok_or_else(|| outside(root))?,
            None => self.typed(path),
        };
        if data.is_dir() {
            self.search(path, &name);
        } else if data.is_file() {
            self.add(vec![(name, path.to_path_buf(), data.len())]);
        } else {
            return Err(ErrorKind::NotAFile.into());
        }
        Ok(())
    }

    /// The path as typed, without the parts that a name cannot begin with.
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
        // With a name of its own, or in a WAD, a file has no path in the archive.
        let has_path = self.how.named.is_none() && !self.how.to.spec().has_lumps();
        if has_path && !stripped.as_os_str().is_empty() {
            stripped.push("");
            let why = format!(
                "{} is left out of the names, because a name in an archive must not lead upwards",
                quoted_path(&stripped)
            );
            self.findings.push(Finding::warning(why).at_path(path));
        }
        kept
    }

    /// Adds the files below a directory, under names that begin with `typed`.
    fn search(&mut self, root: &Path, typed: &Path) {
        let begin = self.files.len();
        let mut found = Vec::new();
        for met in walk(root, self.how.hidden) {
            match met {
                Met::File { path, size } => {
                    found.push((typed.join(below_root(root, &path)), path, size));
                }
                Met::Hidden(path) => {
                    if self.is_picked(&typed.join(below_root(root, &path))) {
                        self.hidden.push(path);
                    }
                }
                Met::LeftOut(warning) => self.findings.push(warning),
                Met::Unreadable(error) => self.refused.push(error),
            }
        }
        self.add(found);
        if let Some(new) = self.files.get_mut(begin..) {
            new.sort_by(|(a, a_number), (b, b_number)| {
                a.name.cmp(&b.name).then(a_number.cmp(b_number))
            });
        }
    }

    fn is_picked(&self, relative: &Path) -> bool {
        // A name that is no name is not picked: its file is not missed.
        let name = plain_name(relative);
        name.is_ok_and(|name| self.how.selection.picks(RawName::new(&name)))
    }

    /// Adds those of these files whose names are selected and not refused.
    fn add(&mut self, found: Vec<(PathBuf, PathBuf, u64)>) {
        let mut named = Vec::new();
        for (relative, path, size) in found {
            let plain = match self.how.named {
                Some(folder) if folder.ends_with(b"/") => {
                    let own = relative.file_name().map_or(&*relative, Path::new);
                    plain_name(own).map(|own| [folder, own.as_slice()].concat())
                }
                Some(name) => Ok(name.to_vec()),
                None => plain_name(&relative),
            };
            match plain {
                Ok(name) => named.push((name, relative, path, size)),
                Err(error) => self.refused.push(error.at_path(&path)),
            }
        }
        for file in self.how.selection.of(named, |(name, ..)| vec![name.clone()]) {
            self.add_selected(file);
        }
    }

    /// Adds a file that has this name on the disk or from the user, unless its name is refused.
    fn add_selected(&mut self, (mut name, relative, path, size): (Vec<u8>, PathBuf, PathBuf, u64)) {
        let how = self.how;
        let mut number = 0;
        if how.takes_duplicates()
            && let Some((own, index)) = duplicate_of(&name)
        {
            number = index;
            name.truncate(own.len());
        }
        if how.named.is_some()
            && how.to.spec().has_lumps()
            && RawName::new(&name).extension().is_none()
            && let Some(extension) = relative.extension()
        {
            name.push(b'.');
            name.extend_from_slice(extension.as_encoded_bytes());
        }
        let mut made = None;
        if let Some(place) = how.place {
            // Of a PNG that is stored under another name, the name says what it becomes.
            let is_png = |name: &[u8]| name.to_ascii_lowercase().ends_with(b".png");
            let mut own = name.clone();
            if is_png(relative.as_os_str().as_encoded_bytes()) && !is_png(&name) {
                own.extend_from_slice(b".png");
            }
            match place.of(&own, how.named.is_none()) {
                Ok(None) => {}
                Ok(Some((new, as_what))) => (name, made) = (new, Some(as_what)),
                Err(error) => return self.unmade.push(error.at_path(&path)),
            }
        }
        let name = match checked(name, how.to) {
            Ok(name) => name,
            Err(error) if made.is_some() => return self.unmade.push(error.at_path(&path)),
            Err(mut error) => {
                if how.named.is_some() && error.help == Some(Help::LeaveOut) {
                    error = other_name(error);
                }
                return self.refused.push(error.at_path(&path));
            }
        };
        if made.is_none()
            && let Some(error) = other_picture(&name, &path)
        {
            return self.unmade.push(error.at_path(&path));
        }
        match odd_name(&name) {
            // The user has asked for the lump `/NAME` by `divd_NAME`.
            Some(_) if made.is_some() && name.starts_with(b"/") => {}
            Some(odd) if odd.is_error() => return self.refused.push(odd.at_path(&path)),
            odd => self.findings.extend(odd.map(|odd| odd.at_path(&path))),
        }
        if made.is_some_and(|made| made.is_shortened) {
            let extension = RawName::new(&name).extension().map_or(0, |it| it.len() + 1);
            let stem = quoted_name(name.get(..name.len() - extension).unwrap_or_default());
            let why = format!(
                "its name is shortened to {stem}, because a WAD has names of at most 15 bytes"
            );
            let warning = Finding::warning(why)
                .many("names are shortened, because a WAD has names of at most 15 bytes")
                .advice("use the short names in maps, as with qpakman");
            self.findings.push(warning.at_path(&path));
        }
        self.made.extend(made.map(|made| (path.clone(), made)));
        self.files.push((LooseFile { name, path, size }, number));
    }

    /// Forgets the hidden files of a directory that are packed, because the user has named them, too.
    fn forget_packed(&mut self) {
        if self.hidden.is_empty() {
            return;
        }
        let packed = self.files.iter().map(|(file, _)| absolute(&file.path).ok());
        let packed: HashSet<PathBuf> = packed.flatten().collect();
        (self.hidden).retain(|path| !absolute(path).is_ok_and(|path| packed.contains(&path)));
    }

    /// Refuses several files with the same name, and warns about names that differ only in case. Engines ignore case in
    /// a WAD.
    fn same_names(&mut self) {
        let ignores_case = self.how.lowercase || self.how.to.spec().has_lumps();
        let mut first: HashMap<Cow<'_, [u8]>, &LooseFile> = HashMap::new();
        for (file, number) in &self.files {
            if *number > 0 {
                continue;
            }
            let Some(other) = first.insert(findable(&file.name), file) else {
                continue;
            };
            let path = quoted_path(&other.path);
            if ignores_case || other.name == file.name {
                let why = format!("{path} would also have this name in the archive");
                self.refused.push(same_name(why).at_path(&file.path));
            } else {
                let why = format!("its name differs only in case from that of {path}");
                let many = "names differ only in case from those of other files, and engines may load either";
                self.findings.push(Finding::warning(why).many(many).at_path(&file.path));
            }
        }
    }

    /// Refuses the second picture of one name, which an extraction wrote as `NAME.png.dup-INDEX`: either could be the
    /// picture of NAME.
    fn second_pictures(&mut self) {
        if self.how.takes_duplicates() {
            return;
        }
        for (file, _) in &self.files {
            let name = file.path.file_name().unwrap_or_default().as_encoded_bytes();
            let Some((own, _)) = duplicate_of(name) else { continue };
            let first = own.to_os_str().map(|own| file.path.with_file_name(own));
            if first.is_ok_and(|first| self.made.contains_key(&first)) {
                let why = "this is a second picture of one name, and either could be meant by it";
                self.refused.push(Finding::error(why).help(Help::LeaveOut).at_path(&file.path));
            }
        }
    }
}

/// The error about a picture that would be stored under the name of another type of picture. No engine would read it.
fn other_picture(name: &[u8], path: &Path) -> Option<Finding> {
    let extension = RawName::new(name).extension()?;
    let is_picture = |it: &FileType| it.kind() == Kind::Picture;
    let named: Vec<FileType> = FileType::by_extension(extension).filter(is_picture).collect();
    let mut start = Vec::new();
    if !named.is_empty() {
        fs::File::open(path).ok()?.take(16).read_to_end(&mut start).ok()?;
    }
    let found = FileType::by_magic(&start).filter(is_picture)?;
    if named.is_empty() || named.contains(&found) {
        return None;
    }
    let why = format!(
        "{} would be {}, although its name says otherwise",
        quoted_name(name),
        found.described()
    );
    let mut error =
        Finding::error(why).many("pictures would be of another type than their names say");
    if found == FileType::Png {
        error = error.advice("rename x.tga to x.tga.png and give --png, which makes a TGA of it");
    }
    let is_png = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("png"));
    Some(error.help(if is_png { Help::MakePictures } else { Help::LeaveOut }))
}

/// The path from a directory to a file in it. `None` if the file is not in the directory.
fn below(root: &Path, path: &Path) -> io::Result<Option<PathBuf>> {
    // The paths are compared as typed first, before links are followed. So a link below the root keeps its own name.
    if let Ok(rest) = absolute(path)?.strip_prefix(absolute(root)?)
        && (rest.components()).all(|part| matches!(part, Component::Normal(_)))
    {
        return Ok(Some(rest.to_path_buf()));
    }
    let path = crate::fs::canonicalize(path)?;
    let rest = path.strip_prefix(crate::fs::canonicalize(root)?).ok();
    Ok(rest.map(Path::to_path_buf))
}

fn outside(root: &Path) -> Finding {
    let why = format!("this is outside {}, where names begin (--root)", quoted_path(root));
    outside_root(why)
}

/// Warnings about archives, which are probably packed by mistake, unless the user named them.
pub(crate) fn packed_too(paths: &[PathBuf], files: &[LooseFile]) -> Vec<Finding> {
    let named: HashSet<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let mut warnings = Vec::new();
    for file in files {
        if is_named_as_nested(RawName::new(&file.name)) && !named.contains(file.path.as_path()) {
            let warning = Finding::warning("an archive is packed like any other file")
                .many("archives are packed like other files");
            warnings.push(warning.help(Help::LeaveOutArchives).at_path(&file.path));
        }
    }
    warnings
}

/// A path as an entry's name.
fn plain_name(relative: &Path) -> Result<Vec<u8>, Finding> {
    if !cfg!(unix) && relative.to_str().is_none() {
        return Err(file_name(PathError::NotUtf8));
    }
    Ok(entry_name(relative))
}

/// The name that an entry has in an archive of this format, or an error if the format cannot hold this name.
fn checked(name: Vec<u8>, to: Format) -> Result<Vec<u8>, Finding> {
    check_chosen(&name)?;
    let own = name_in(to, &name);
    check_name(to, RawName::new(&own))?;
    Ok(own.into_owned())
}

/// Refuses a name that would come out of an archive changed.
pub(crate) fn check_chosen(name: &[u8]) -> Result<(), Finding> {
    if name.contains(&b'\\') {
        let why = "the name has a backslash in it, which is a separator in a pak";
        return Err(file_name(why));
    }
    if let Some(&byte) = name.iter().find(|byte| byte.is_ascii_control()) {
        return Err(file_name(PathError::Control(byte)));
    }
    Ok(())
}

/// What speaks against a new name of an entry: an error if no system could extract it, and a warning if some could not.
pub(crate) fn odd_name(name: &[u8]) -> Option<Finding> {
    let odd = SafePath::try_from(RawName::new(name)).err()?;
    let finding = file_name(odd);
    Some(if odd.is_everywhere() { finding } else { finding.as_warning() })
}

/// The error about a name that the user has chosen: it is not advised to leave out the file.
pub(crate) fn other_name(error: Finding) -> Finding {
    let error = Finding { help: None, ..error };
    error.advice("give another name")
}

/// The error about a name that some systems cannot extract.
fn file_name(why: impl core::fmt::Display) -> Finding {
    Finding::error(why.to_string()).advice("give it another name")
}

/// The error about a file or directory that is not below the root of the names.
fn outside_root(why: impl Into<String>) -> Finding {
    Finding::error(why)
        .many("files are outside the directory given with --root")
        .help(Help::GiveRoot)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(relative: &Path, to: Format) -> Result<Vec<u8>, Finding> {
        checked(plain_name(relative)?, to)
    }

    #[test]
    fn names_have_at_most_55_bytes_joined_by_slashes() {
        let name = |path: &str| name_of(Path::new(path), Format::Quake);
        assert_eq!(name("a").unwrap(), b"a");
        let joined: PathBuf = ["Maps", "e1m1.bsp"].iter().collect();
        assert_eq!(name_of(&joined, Format::Quake).unwrap(), b"Maps/e1m1.bsp");
        assert_eq!(name(&"x".repeat(55)).unwrap().len(), 55);
        let error = name(&"x".repeat(56)).unwrap_err();
        assert_eq!(error.many, Some("names are too long for the archive"));
        assert!(error.detail.contains("56"));
        let error = name("a\x1b").unwrap_err();
        assert_eq!(error.advice.as_deref(), Some("give it another name"));
        assert_eq!(*error.detail, PathError::Control(0x1b).to_string());
    }
}
