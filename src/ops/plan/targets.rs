//! Decides what happens to a file that exists where an output goes.
//!
//! Convert, create, extract, the edits and gallery ask this file. Three small files have rules of their own:
//! `edit/old.rs` for `NAME~`, `snapshot/baseline.rs` for snapshots, and `gallery/tile.rs` for the files of a page. The
//! format that an output's extension asks for is decided here, too.
//!
//! | what exists under an output's name         | refuse | replace       | keep    |
//! |--------------------------------------------|--------|---------------|---------|
//! | nothing                                    | new    | new           | new     |
//! | an input, by any name                      | no     | no            | no      |
//! | a file, or a link                          | no     | replaced      | kept    |
//! | a directory, a pipe, a device              | no     | no            | no      |
//! | a link to a pipe or a device               | no     | no            | no      |
//!
//! The last row is for `-o /dev/stdout`, which is such a link. A user who names it means its target, which can only
//! be written in order. And if the super-user names it, the link itself must not be replaced.
//!
//! An input that is split has several outputs. `keep` keeps them if all of them exist, and is refused if
//! only some do.
//!
//! Two outputs with the same name are refused. Names that differ only in case are the same on Windows and macOS,
//! but different on other systems, where game directories with both `pak0.pak` and `PAK0.PAK` exist. If a file
//! system there still treats them as the same, the second output finds the first one when it is committed. It is
//! then handled by this table, like any file that has appeared meanwhile.

use crate::ops::finding::{
    Finding, Help, Meaning, OTHER_OUTPUT, blocked, exists, internal, listed, same_output,
    some_parts_exist,
};
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};

use super::number::{NameWanted, name_all, part_taken};
use crate::archive::{Format, ReadAt as _, quoted_path};
use crate::engine::Engines;
use crate::format::wad_of_map;
use crate::fs::{Draft, FileId, FileKind, Occupant, Over, Root, Source, System};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::source::recognize;
use crate::ops::write::{Destination, WriteOptions};

/// A directory that output goes to, and what may be replaced there.
pub(in crate::ops) struct OutputRoot {
    pub(in crate::ops) root: Root,
    /// The files that must not be touched, and the first path to each.
    pub(in crate::ops) sources: HashMap<FileId, PathBuf>,
    pub(in crate::ops) existing: Existing,
    /// Whether the only output goes to standard output. Then it has no name, and no file can exist there.
    to_spool: bool,
    /// The only output's path below the root, and as the user has typed it.
    typed: Option<(PathBuf, PathBuf)>,
    /// The archive that the only output replaces, if there is one.
    replaced: Option<Replaced>,
}

/// An archive that is replaced by an edited one.
pub(in crate::ops) struct Replaced {
    /// Its path, with links followed.
    pub(in crate::ops) path: PathBuf,
    pub(in crate::ops) source: Source,
    /// The name that it gets if it is kept.
    pub(in crate::ops) backup: Option<PathBuf>,
}

/// What is done about an existing file at an output's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ops) enum Existed {
    /// No file exists there.
    Nothing,
    /// It is replaced.
    Replaced,
    /// It is kept.
    Kept,
}

impl Existed {
    /// What the output may replace when it gets its name.
    pub(in crate::ops) const fn over(self) -> Over {
        match self {
            Self::Replaced => Over::Old,
            Self::Nothing | Self::Kept => Over::Nothing,
        }
    }
}

/// Where an output goes, and what exists there.
#[derive(Debug, Clone)]
pub(in crate::ops) struct Target {
    /// Below the root.
    pub(in crate::ops) relative: PathBuf,
    pub(in crate::ops) existed: Existed,
}

/// Where all outputs of one input go.
#[derive(Debug, Default)]
pub(in crate::ops) struct Targets {
    /// The first of them, as the user would write it.
    pub(in crate::ops) shown: PathBuf,
    /// In their order. Empty if they are kept.
    pub(in crate::ops) all: Vec<Target>,
    /// Whether all of them exist and are kept.
    pub(in crate::ops) kept: bool,
}

impl OutputRoot {
    /// Creates the root with the files that must not be touched, under any of their names.
    ///
    /// # Errors
    /// If files may be replaced, but one of these files cannot be identified.
    pub(in crate::ops) fn new<'a>(
        root: Root,
        existing: Existing,
        system: &System,
        paths: impl DoubleEndedIterator<Item = &'a Path>,
    ) -> Result<Self, Finding> {
        let mut sources = HashMap::new();
        for path in paths.rev() {
            match system.identify(path) {
                Ok(id) => {
                    sources.insert(id, path.to_path_buf());
                }
                Err(error) if existing == Existing::Replace && error.kind() != NotFound => {
                    return Err(Finding::from_io(error).at_path(path));
                }
                // A missing file cannot be replaced.
                Err(_) => {}
            }
        }
        Ok(Self {
            root,
            sources,
            existing,
            to_spool: false,
            typed: None,
            replaced: None,
        })
    }

    /// The path of an output, as the user would write it.
    pub(in crate::ops) fn shown(&self, relative: &Path) -> PathBuf {
        match &self.typed {
            Some((only, typed)) if only == relative => typed.clone(),
            _ => self.root.path().join(relative),
        }
    }

    /// Whether the output is byte for byte the archive that it would replace.
    pub(in crate::ops) fn is_unchanged(
        &self,
        draft: &Draft<'_>,
        relative: &Path,
    ) -> Result<bool, Finding> {
        let Some(replaced) = &self.replaced else {
            return Ok(false);
        };
        let same = draft.equals(&replaced.source);
        same.map_err(|error| Finding::from_io(error).at_path(self.shown(relative)))
    }

    /// Checks that the archive to be replaced is still the one that was read.
    fn check_replaced(replaced: &Replaced, shown: &Path) -> Result<(), Finding> {
        let place = |error| Finding::from_io(error).at_path(shown);
        // A closed source opens its file again, and fails if another run has replaced it.
        replaced.source.close().map_err(place)?;
        replaced.source.size().map_err(place)?;
        // Not every system replaces an open file.
        replaced.source.close().map_err(place)
    }

    /// Decides what happens to a file at an output's path. Called for the plan, and again if a file has
    /// appeared since.
    pub(in crate::ops) fn decide_at(&self, relative: &Path) -> Result<Existed, Finding> {
        if self.to_spool {
            return Ok(Existed::Nothing);
        }
        let found = self.root.look(relative)?;
        self.decide(relative, found)
            .map_err(|error| error.at_path(self.shown(relative)))
    }

    /// What is done about what was found at an output's path.
    pub(in crate::ops) fn decide(
        &self,
        relative: &Path,
        found: Occupant,
    ) -> Result<Existed, Finding> {
        let (kind, id) = match found {
            Occupant::Nothing => return Ok(Existed::Nothing),
            Occupant::Blocked { at, kind } => {
                let what = kind.words();
                let why = format!("there is {what} where a directory is needed");
                let error = Finding::error(why).advice("choose another directory for the output");
                return Err(error.at_path(self.root.path().join(at)));
            }
            Occupant::Taken { kind, id, .. } => (kind, id),
        };
        if let Some(input) = id.and_then(|id| self.sources.get(&id)) {
            let why = format!(
                "this is an input, {}, and inputs are never overwritten",
                quoted_path(input)
            );
            return Err(Finding::error(why)
                .many("outputs are also inputs, which are never overwritten")
                .advice(OTHER_OUTPUT)
                .help(Help::Edit)
                .means(Meaning::OutputIsInput));
        }
        match (kind, self.existing) {
            (FileKind::Directory | FileKind::Other, _) => Err(blocked(kind.words())),
            (FileKind::Link, _) if leads_to_a_device(&self.root.path().join(relative)) => {
                Err(blocked(FileKind::Other.words()))
            }
            (_, Existing::Refuse) => Err(exists()),
            (_, Existing::Replace) => Ok(Existed::Replaced),
            (_, Existing::Keep) => Ok(Existed::Kept),
        }
    }

    /// Gives a complete file its name, and returns what existed there. A file that has appeared since the plan is
    /// handled as if it had existed before.
    pub(in crate::ops) fn commit(
        &self,
        draft: Draft<'_>,
        relative: &Path,
    ) -> Result<Existed, Finding> {
        let mut backup = None;
        if let Some(replaced) = &self.replaced {
            Self::check_replaced(replaced, &self.shown(relative))?;
            backup = replaced.backup.as_ref();
        }
        let left = match backup {
            Some(backup) => draft.place_and_keep(relative, backup)?,
            None => draft.place()?,
        };
        let Some(draft) = left else {
            return Ok(Existed::Nothing);
        };
        let existed = self.decide_at(relative)?;
        match existed {
            Existed::Kept => {}
            Existed::Replaced => draft.replace()?,
            // It has gone again.
            Existed::Nothing => {
                if draft.place()?.is_some() {
                    return Err(exists().at_path(self.shown(relative)));
                }
            }
        }
        Ok(existed)
    }

    /// Decides where the outputs of all inputs go, and what happens to files that exist there.
    ///
    /// # Errors
    /// Every reason to refuse one of them.
    pub(in crate::ops) fn place(
        &self,
        wanted: &[NameWanted<'_>],
        options: &WriteOptions,
    ) -> Result<Vec<Targets>, Refusal> {
        // An edited archive keeps its name, and standard output has none.
        let is_named = self.replaced.is_none() && !self.to_spool;
        let engines = Some(options.rules.engines).filter(|_| is_named);
        let mut refused = Vec::new();
        let all = self.place_each(wanted, engines.unwrap_or_default(), &mut refused)?;
        let is_input = |error: &Finding| error.meaning == Meaning::OutputIsInput;
        if let Some(output) = options.destination.file()
            && self.replaced.is_none()
            && !refused.iter().any(is_input)
        {
            check_format(output, options.to)?;
        }
        Refusal::if_any(refused)?;
        Ok(all)
    }

    /// Names the outputs, and looks for files that exist under their names.
    fn place_each(
        &self,
        wanted: &[NameWanted<'_>],
        engines: Engines,
        refused: &mut Vec<Finding>,
    ) -> Result<Vec<Targets>, Refusal> {
        let all_names = name_all(wanted, self.root.path(), engines).map_err(Refusal)?;
        let mut claimed = Claimed::default();
        // Requested names come before names that a split adds.
        for (wanted, names) in wanted.iter().zip(&all_names) {
            if let Some(relative) = names.first()
                && let Err(error) = claimed.claim(relative, wanted.input)
            {
                refused.push(error.at_path(self.shown(relative)));
            }
        }
        let mut all = Vec::new();
        for (wanted, names) in wanted.iter().zip(all_names) {
            for relative in names.iter().skip(1) {
                if let Err(error) = claimed.claim(relative, wanted.input) {
                    refused.push(part_taken(error).at_path(self.shown(relative)));
                }
            }
            all.push(self.targets(wanted, names, refused));
        }
        Ok(all)
    }

    /// The outputs of one input, which have these names.
    fn targets(
        &self,
        wanted: &NameWanted<'_>,
        names: Vec<PathBuf>,
        refused: &mut Vec<Finding>,
    ) -> Targets {
        let parts = names.len();
        let (mut all, mut kept) = (Vec::new(), Vec::new());
        for relative in names {
            match self.decide_at(&relative) {
                Ok(Existed::Kept) => kept.push(self.shown(&relative)),
                Ok(existed) => all.push(Target { relative, existed }),
                Err(error) => refused.push(error),
            }
        }
        let is_kept = !kept.is_empty();
        if is_kept && kept.len() < parts {
            let first = kept.remove(0);
            let count = kept.len() + 1;
            let exist = if count == 1 { "exists" } else { "exist" };
            let others = if kept.is_empty() {
                String::new()
            } else {
                format!(": this and {}", listed(&kept))
            };
            let why = format!("only {count} of the {parts} parts {exist}{others}");
            refused.push(some_parts_exist(why).at_path(first));
        }
        let first = all.first().map_or(&wanted.relative, |it| &it.relative);
        Targets {
            shown: self.shown(first),
            all,
            kept: is_kept,
        }
    }

    /// Findings about files that could not be cleaned up. Call this at the end.
    pub(in crate::ops) fn finish(self) -> impl Iterator<Item = Finding> {
        let left = self.root.finish().into_iter();
        left.map(Finding::from)
    }
}

/// Decides where the only input goes, which needs this many outputs. None of the `sources` is replaced. With
/// `replaced`, the output takes the place of that archive.
///
/// # Errors
/// Every reason to refuse it.
pub(in crate::ops) fn place_one(
    context: &Context<'_>,
    options: &WriteOptions,
    sources: &[PathBuf],
    outputs: usize,
    replaced: Option<Replaced>,
) -> Result<(OutputRoot, Targets), Refusal> {
    let output = options.destination.file().unwrap_or(Path::new(""));
    let path = replaced.as_ref().map_or(output, |it| &it.path);
    let (mut root, relative) = root_of_one(context, path, options.existing, sources)?;
    root.typed = Some((relative.clone(), output.to_path_buf()));
    root.replaced = replaced;
    root.to_spool = options.destination.is_spool();
    let wanted = NameWanted {
        input: output,
        relative,
        outputs,
    };
    let mut placed = root.place(&[wanted], options)?;
    let targets = placed
        .pop()
        .ok_or_else(|| internal("the output has no place"))?;
    Ok((root, targets))
}

/// The directory of a single output, and the output's path below it.
fn root_of_one(
    context: &Context<'_>,
    output: &Path,
    existing: Existing,
    sources: &[PathBuf],
) -> Result<(OutputRoot, PathBuf), Finding> {
    let (root, relative) = context.system.root_of_file(output)?;
    let sources = sources.iter().map(PathBuf::as_path);
    let root = OutputRoot::new(root, existing, &context.system, sources)?;
    Ok((root, relative))
}

/// Decides where files that are no archives go: each of the `wanted` below a directory, or the only one to a file or a
/// spool.
///
/// # Errors
/// Every reason to refuse one of them.
pub(in crate::ops) fn place_files(
    context: &Context<'_>,
    destination: &Destination,
    existing: Existing,
    sources: &[PathBuf],
    mut wanted: Vec<NameWanted<'_>>,
) -> Result<(OutputRoot, Vec<Targets>), Refusal> {
    let root = match destination {
        Destination::Directory(directory) => {
            let root = context.system.root(directory);
            let sources = sources.iter().map(PathBuf::as_path);
            OutputRoot::new(root, existing, &context.system, sources)?
        }
        Destination::File(_) | Destination::Spool(_) => {
            let output = destination.file().unwrap_or(Path::new(""));
            let (mut root, relative) = root_of_one(context, output, existing, sources)?;
            for only in &mut wanted {
                only.relative.clone_from(&relative);
            }
            root.typed = Some((relative, output.to_path_buf()));
            root.to_spool = destination.is_spool();
            root
        }
    };
    let mut refused = Vec::new();
    let targets = root.place_each(&wanted, Engines::default(), &mut refused)?;
    Refusal::if_any(refused)?;
    Ok((root, targets))
}

/// Extensions of formats that daisho does not write: Anachronox's, a map's, and those of other kinds of archives.
const OTHER_FORMATS: &[&str] = &[
    "7z", "apk", "bsp", "dat", "dz", "gcf", "gma", "gob", "grp", "gz", "rar", "rez", "rff", "tar",
    "tgz", "vpk", "xz", "zst",
];

/// Refuses an output name whose extension belongs to another format than the one written. For a single output.
fn check_format(path: &Path, to: Format) -> Result<(), Finding> {
    let extension = path.extension().and_then(|it| it.to_str());
    let extension = extension.unwrap_or_default();
    if says_another(extension, to) {
        let why = format!(
            "the name ends in \".{extension}\", but the output would be {} archive",
            to.with_article()
        );
        return Err(Finding::error(why)
            .advice("give the output the extension of that format")
            .help(Help::OutputDecides)
            .at_path(path));
    }
    Ok(())
}

/// The format that the extension of an output asks for. A WAD keeps the format of the input, because the extension
/// does not tell WAD2 from WAD3. Of a map it gets the format that has such textures.
#[must_use]
pub fn named_format(output: &Path, input: Option<&Path>) -> Option<Format> {
    let extension = output.extension()?.to_str()?;
    let plainest = Format::of_extension(extension).next()?;
    let begins = input.and_then(|input| recognize::magic(input).ok()?);
    let of_map = begins.and_then(wad_of_map);
    let is_same = |it: &Format| of_map == Some(*it) || Some(it.spec().magic) == begins;
    let same = Format::of_extension(extension).find(is_same);
    Some(same.filter(|it| it.spec().has_lumps()).unwrap_or(plainest))
}

/// Whether an extension belongs to another format.
fn says_another(extension: &str, to: Format) -> bool {
    let mut own = Format::of_extension(extension).peekable();
    match own.peek() {
        Some(_) => !own.any(|it| it == to),
        None => OTHER_FORMATS
            .iter()
            .any(|it| it.eq_ignore_ascii_case(extension)),
    }
}

/// The path with the extension of the format, if the path has no extension or that of another format.
pub(in crate::ops) fn named_as(relative: &Path, to: Format) -> PathBuf {
    let extension = relative.extension();
    let says_another = |it: &OsStr| says_another(it.to_str().unwrap_or_default(), to);
    if extension.is_none_or(says_another) {
        relative.with_extension(to.spec().extension())
    } else {
        relative.to_path_buf()
    }
}

/// Like [`named_as()`], but with another extension of the format if the engines load archives only under that one.
pub(in crate::ops) fn named_for(relative: &Path, to: Format, engines: Engines) -> PathBuf {
    let named = named_as(relative, to);
    let is_loaded = |path: &Path| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        engines.iter().all(|engine| engine.asks_for(name).is_ok())
    };
    if is_loaded(&named) {
        return named;
    }
    for zips in engines.iter().filter_map(|it| it.profile().zips_in(to)) {
        for extension in zips.extensions {
            let other = named.with_extension(extension);
            if is_loaded(&other) {
                return other;
            }
        }
    }
    named
}

/// Whether a link leads to a pipe, a socket or a device, or to a file that a process has open. The latter is so for
/// `/dev/stdout` if standard output goes to a file: the link goes through a link that the system makes.
fn leads_to_a_device(link: &Path) -> bool {
    let into_proc = std::fs::read_link(link).is_ok_and(|to| to.starts_with("/proc"));
    let other = |found: std::fs::Metadata| !found.is_file() && !found.is_dir();
    into_proc || std::fs::metadata(link).is_ok_and(other)
}

/// The names that outputs have, each with its input. None of them is a directory that another one needs.
///
/// In the order of paths, a directory comes directly before everything in it. So a name need only be compared with the
/// two names that are next to it, and the directories above it are not kept.
#[derive(Debug, Default)]
pub(super) struct Claimed<'a>(BTreeMap<PathBuf, &'a Path>);

impl<'a> Claimed<'a> {
    /// Claims a name for the output of `input`. Refuses it if another output has the name, or needs it as a
    /// directory.
    pub(super) fn claim(&mut self, relative: &Path, input: &'a Path) -> Result<(), Finding> {
        let key = key(relative);
        let before = self.0.range::<PathBuf, _>(..=&key).next_back();
        let after = self.0.range::<PathBuf, _>(&key..).next();
        let same_or_above = before.filter(|(other, _)| key.starts_with(other));
        let below = after.filter(|(other, _)| other.starts_with(&key));
        if let Some((_, other)) = same_or_above.or(below) {
            return Err(same_output(other));
        }
        self.0.insert(key, input);
        Ok(())
    }
}

/// A key that is equal for names that are the same on this system.
fn key(path: &Path) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) {
        path.to_string_lossy().to_lowercase().into()
    } else {
        path.to_path_buf()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All names over a few letters and up to three folders, in all orders of two and in some of many, against a
    /// comparison with each name before.
    #[test]
    fn a_name_is_claimed_unless_one_before_is_the_same_above_or_below() {
        let parts = ["a", "a-b", "a.b", "b"];
        let mut names: Vec<PathBuf> = parts.iter().map(PathBuf::from).collect();
        for at in 0..20 {
            let longer: Vec<PathBuf> = parts.iter().map(|part| names[at].join(part)).collect();
            names.extend(longer);
        }
        for step in 1..names.len() {
            let (mut claimed, mut naive) = (Claimed::default(), Vec::<&PathBuf>::new());
            for at in 0..names.len() {
                let name = &names[at * step % names.len()];
                let taken = naive
                    .iter()
                    .any(|other| other.starts_with(name) || name.starts_with(other));
                let result = claimed.claim(name, Path::new("input.pak"));
                assert_eq!(result.is_err(), taken, "{name:?} after {naive:?}");
                if !taken {
                    naive.push(name);
                }
            }
        }
    }
}
