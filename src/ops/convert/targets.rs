//! Which output for which input, and everything that speaks against it, before anything is
//! written.
//!
//! | what stands under an output's name         | refuse | replace       | keep    |
//! |--------------------------------------------|--------|---------------|---------|
//! | nothing                                    | new    | new           | new     |
//! | an input, by any name                      | no     | no            | no      |
//! | a file, or a link                          | no     | replaced      | kept    |
//! | a directory, a pipe, a device              | no     | no            | no      |
//! | a link to a pipe or a device               | no     | no            | no      |
//!
//! The last row is for `-o /dev/stdout`, which is such a link. Whoever names it means what it leads
//! to, which cannot be written out of order; and the super-user must not lose it.
//!
//! Two outputs on one name are refused. Names that differ in case only are one name on Windows
//! and macOS, and two names elsewhere, where game directories with `pak0.pak` beside `PAK0.PAK`
//! exist. On a file system that takes them for one all the same, the second finds the first's
//! output when it is committed, and is treated as any file that appears meanwhile: by this table.

use std::collections::HashMap;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};

use super::{Candidate, ConvertOptions, Destination};
use crate::error::{Error, ErrorKind};
use crate::fs::{FileId, Found, Kind, Root, Sync, System};
use crate::ops::context::{Existing, Refusal};
use crate::ops::split::{Output, Rules, Series, Stale};
use crate::pak::Layout;

/// Where the outputs of one input go.
#[derive(Debug)]
pub(super) struct Target {
    /// The first of them, as the user would write it.
    pub(super) shown: PathBuf,
    /// All of them; none where the input is no pak, or the only one is kept.
    pub(super) outputs: Vec<Output>,
    /// What stands behind them.
    pub(super) stale: Stale,
    /// Whether there is one, which exists and is kept.
    pub(super) kept: bool,
}

/// What is done about an existing file at an output's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ops) enum Way {
    /// There is none.
    New,
    /// It is replaced.
    Replaces,
    /// It is kept.
    Kept,
}

/// Where every output goes.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) root: Root,
    /// For each candidate.
    pub(super) targets: Vec<Target>,
    /// The files that must not be touched.
    pub(super) sources: HashMap<FileId, PathBuf>,
}

/// Where every output goes, or all that speaks against it. Each candidate needs so many outputs.
pub(super) fn plan(
    system: &System,
    candidates: &[Candidate],
    counts: &[usize],
    options: &ConvertOptions,
) -> Result<Planned, Refusal> {
    let sync = Sync::each(options.sync);
    let (root, relatives) = match &options.destination {
        Destination::File(path) => {
            let (root, name) = system.root_of_file(path, sync).map_err(Error::from)?;
            check_format(path, options.to)?;
            check_parent(path)?;
            (root, vec![name; candidates.len()])
        }
        Destination::Directory(path) => {
            let relatives = candidates
                .iter()
                .map(|it| named_as(&it.input.relative, options.to));
            (system.root(path, sync), relatives.collect())
        }
    };
    let paths = candidates.iter().map(|candidate| &candidate.input.path);
    let sources = sources(system, paths, options.existing)?;
    let mut refused = Vec::new();
    let mut taken = Taken::default();
    let shown = |relative: &PathBuf| match &options.destination {
        Destination::File(path) => path.clone(),
        Destination::Directory(path) => path.join(relative),
    };
    let paks = || {
        let all = candidates.iter().zip(&relatives);
        all.map(|(candidate, relative)| {
            candidate
                .is_pak
                .then_some((&candidate.input.path, relative))
        })
    };
    // The names that are asked for come before those that a split adds.
    for (input, relative) in paks().flatten() {
        if let Err(kind) = taken.claim(relative, input) {
            refused.push(Error::from(kind).in_pak(shown(relative)));
        }
    }
    let mut targets = Vec::new();
    let meeting = Meeting {
        root: &root,
        rules: &options.rules,
        sources: &sources,
        existing: options.existing,
    };
    for ((pak, relative), count) in paks().zip(&relatives).zip(counts) {
        let shown = shown(relative);
        let mut target = Target {
            shown: shown.clone(),
            outputs: Vec::new(),
            stale: Stale::default(),
            kept: false,
        };
        if let Some((input, _)) = pak {
            let mut claim = |relative: &Path| taken.claim(relative, input);
            match meeting.outputs((relative, &shown), *count, &mut claim) {
                Ok(Some(outputs)) => target.outputs = outputs,
                Ok(None) => target.kept = true,
                Err(errors) => refused.extend(errors),
            }
        }
        targets.push(target);
    }
    if !refused.is_empty() {
        return Err(Refusal(refused));
    }
    // Now all names are taken: what stands under one will not be what it is.
    for ((pak, relative), target) in paks().zip(&relatives).zip(&mut targets) {
        if let Some((input, _)) = pak {
            let first = (&**relative, &*target.shown);
            let anothers = |path: &Path| taken.is_anothers(path, input);
            target.stale = meeting.stale(first, &target.outputs, anothers);
        }
    }
    Ok(Planned {
        root,
        targets,
        sources,
    })
}

/// What outputs meet.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Meeting<'a> {
    pub(in crate::ops) root: &'a Root,
    pub(in crate::ops) rules: &'a Rules,
    /// The files that must not be touched.
    pub(in crate::ops) sources: &'a HashMap<FileId, PathBuf>,
    pub(in crate::ops) existing: Existing,
}

impl Meeting<'_> {
    /// So many outputs, the first of which goes to this path below the root, and as the user would
    /// write it; nothing where there is one, and it is kept: whether parts may be kept shows only
    /// when they are compared. `claim` takes the names of the others.
    pub(in crate::ops) fn outputs(
        &self,
        first: (&Path, &Path),
        count: usize,
        claim: &mut dyn FnMut(&Path) -> Result<(), ErrorKind>,
    ) -> Result<Option<Vec<Output>>, Vec<Error>> {
        let names = self
            .names(first, count)
            .map_err(|kind| vec![Error::from(kind).in_pak(first.1)])?;
        let (mut outputs, mut refused) = (Vec::new(), Vec::new());
        for (part, (relative, shown)) in names.into_iter().enumerate() {
            let claimed = if part == 0 { Ok(()) } else { claim(&relative) };
            let met = claimed
                .map_err(Error::from)
                .and_then(|()| self.meet(&relative));
            let way = match met {
                Ok(Way::Kept) if count == 1 => return Ok(None),
                Ok(way) => way,
                Err(error) if count == 1 => {
                    refused.push(error.in_pak(&shown));
                    continue;
                }
                Err(error) => {
                    let (part, parts, why) = (part + 1, count, Box::new(error));
                    let kind = ErrorKind::InTheWayOfPart { part, parts, why };
                    refused.push(Error::from(kind).in_pak(&shown));
                    continue;
                }
            };
            outputs.push(Output {
                relative,
                shown,
                way,
            });
        }
        if refused.is_empty() {
            Ok(Some(outputs))
        } else {
            Err(refused)
        }
    }

    /// What is done about what stands at an output's path.
    pub(in crate::ops) fn meet(&self, relative: &Path) -> Result<Way, Error> {
        meet(self.root, relative, self.sources, self.existing)
    }

    /// What may be left behind these outputs by an earlier run: nothing where there is one output
    /// and no limit, or nothing before it. Others that are written by this run, too, are none.
    pub(in crate::ops) fn stale(
        &self,
        first: (&Path, &Path),
        outputs: &[Output],
        anothers: impl Fn(&Path) -> bool,
    ) -> Stale {
        let replaces = |output: &Output| output.way == Way::Replaces;
        let possible = match outputs {
            [] => false,
            [output] => self.rules.limit() && replaces(output),
            _ => true,
        };
        if !possible {
            return Stale::default();
        }
        let is_source = |id: Option<FileId>| id.is_some_and(|id| self.sources.contains_key(&id));
        let spared = |path: &Path, id| is_source(id) || anothers(path);
        Stale::find(self.root, self.rules, first, spared)
    }

    /// The names of so many parts.
    fn names(
        &self,
        (relative, shown): (&Path, &Path),
        parts: usize,
    ) -> Result<Vec<(PathBuf, PathBuf)>, ErrorKind> {
        if parts == 1 {
            return Ok(vec![(relative.to_path_buf(), shown.to_path_buf())]);
        }
        let (Some(relative), Some(shown)) = (Series::of(relative), Series::of(shown)) else {
            return Err(ErrorKind::NoNumber { parts });
        };
        if let Some(engine) = self.rules.engine {
            shown.check(engine, parts)?;
        }
        let names = relative.names(parts)?.into_iter();
        Ok(names.zip(shown.names(parts)?).collect())
    }
}

/// Extensions of formats that are not written: ZIP archives for games, Anachronox's, and what else
/// holds a game's files.
const OTHER_FORMATS: &[&str] = &[
    "apk", "dat", "dpk", "dz", "gcf", "gma", "grp", "iwd", "kpf", "obb", "pk2", "pk3", "pk4",
    "pkx", "pkz", "rez", "rff", "vpk", "wad", "zip",
];

/// Refuses a name of a single output that says another format than what is written.
pub(in crate::ops) fn check_format(path: &Path, to: Layout) -> Result<(), Error> {
    let extension = path
        .extension()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    if says_another(extension, to) {
        let extension = extension.to_owned();
        return Err(Error::from(ErrorKind::OtherFormat { extension, to }).in_pak(path));
    }
    Ok(())
}

/// Whether an extension says another format.
fn says_another(extension: &str, to: Layout) -> bool {
    let mut own = Layout::of_extension(extension).peekable();
    match own.peek() {
        Some(_) => !own.any(|it| it == to),
        None => OTHER_FORMATS
            .iter()
            .any(|it| it.eq_ignore_ascii_case(extension)),
    }
}

/// The path with the extension of the layout, where it has one that says another format.
fn named_as(relative: &Path, to: Layout) -> PathBuf {
    let extension = relative.extension().and_then(|it| it.to_str());
    if says_another(extension.unwrap_or_default(), to) {
        relative.with_extension(to.extension())
    } else {
        relative.to_path_buf()
    }
}

/// A single output's directory is not made: a path that leads nowhere is more likely mistyped.
pub(in crate::ops) fn check_parent(path: &Path) -> Result<(), Error> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => return Ok(()),
    };
    match std::fs::metadata(parent) {
        Err(error) if error.kind() == NotFound => {
            Err(Error::from(ErrorKind::NoParent).in_pak(path))
        }
        // Anything else is told by whoever writes.
        _ => Ok(()),
    }
}

/// The files that must not be touched, whatever they are called: the first path to each.
///
/// # Errors
///
/// If something may be replaced, and one of these cannot be told from it.
pub(in crate::ops) fn sources<'a>(
    system: &System,
    paths: impl DoubleEndedIterator<Item = &'a PathBuf>,
    existing: Existing,
) -> Result<HashMap<FileId, PathBuf>, Error> {
    let mut sources = HashMap::new();
    for path in paths.rev() {
        match system.identify(path) {
            Ok(id) => {
                sources.insert(id, path.clone());
            }
            Err(error) if existing == Existing::Replace && error.kind() != NotFound => {
                return Err(Error::from_io(error).in_pak(path));
            }
            // What is not there cannot be replaced, nor where nothing is.
            Err(_) => {}
        }
    }
    Ok(sources)
}

/// What is done about what stands at an output's path. Asked when all is planned, and once more
/// where something has appeared since then.
pub(in crate::ops) fn meet(
    root: &Root,
    relative: &Path,
    sources: &HashMap<FileId, PathBuf>,
    existing: Existing,
) -> Result<Way, Error> {
    let blocked = |kind| {
        let what = match kind {
            Kind::Directory => "a directory",
            Kind::File => "a file that is no directory",
            Kind::Link => "a symbolic link",
            Kind::Other => "a pipe, socket or device",
        };
        Err(ErrorKind::Blocked { what }.into())
    };
    match root.look(relative)? {
        Found::Nothing => Ok(Way::New),
        Found::Blocked { kind, .. } => blocked(kind),
        Found::Taken { kind, id, .. } => {
            if let Some(input) = id.and_then(|id| sources.get(&id)) {
                let input = input.clone();
                return Err(ErrorKind::OutputIsInput { input }.into());
            }
            match (kind, existing) {
                (Kind::Directory | Kind::Other, _) => blocked(kind),
                (Kind::Link, _) if leads_to_a_device(&root.path().join(relative)) => {
                    blocked(Kind::Other)
                }
                (_, Existing::Refuse) => Err(ErrorKind::Exists.into()),
                (_, Existing::Replace) => Ok(Way::Replaces),
                (_, Existing::Keep) => Ok(Way::Kept),
            }
        }
    }
}

/// Whether a link leads to a pipe, a socket or a device, or to whatever a process has open: where
/// standard output goes to a file, `/dev/stdout` leads to that through the system's own link.
fn leads_to_a_device(link: &Path) -> bool {
    let into_proc = std::fs::read_link(link).is_ok_and(|to| to.starts_with("/proc"));
    let other = |found: std::fs::Metadata| !found.is_file() && !found.is_dir();
    into_proc || std::fs::metadata(link).is_ok_and(other)
}

/// The names that outputs have, and the directories they need.
#[derive(Debug, Default)]
struct Taken {
    files: HashMap<PathBuf, PathBuf>,
    directories: HashMap<PathBuf, PathBuf>,
}

impl Taken {
    /// Whether a name is that of an output of another input.
    fn is_anothers(&self, relative: &Path, input: &Path) -> bool {
        let other = self.files.get(&key(relative));
        other.is_some_and(|other| other != input)
    }

    /// Takes a name for the output of `input`, unless another has it or needs it otherwise.
    fn claim(&mut self, relative: &Path, input: &Path) -> Result<(), ErrorKind> {
        let key = key(relative);
        let above = || {
            key.ancestors()
                .skip(1)
                .filter(|dir| !dir.as_os_str().is_empty())
        };
        let other = self
            .files
            .get(&key)
            .or_else(|| self.directories.get(&key))
            .or_else(|| above().find_map(|dir| self.files.get(dir)));
        if let Some(other) = other {
            let other = other.clone();
            return Err(ErrorKind::SameOutput { other });
        }
        for dir in above() {
            self.directories
                .entry(dir.to_path_buf())
                .or_insert_with(|| input.to_path_buf());
        }
        self.files.insert(key.clone(), input.to_path_buf());
        Ok(())
    }
}

/// Equal for names that are one name here.
fn key(path: &Path) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) {
        path.to_string_lossy().to_lowercase().into()
    } else {
        path.to_path_buf()
    }
}
