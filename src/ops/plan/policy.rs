//! Guards the places of outputs: decides what happens to a file that exists there, and gives outputs their names.
//!
//! This is the only table of what is decided:
//!
//! | what exists under an output's name         | refuse | replace       | keep    |
//! |--------------------------------------------|--------|---------------|---------|
//! | nothing                                    | new    | new           | new     |
//! | an input, by any name                      | no     | no            | no      |
//! | a file, or a link                          | no     | replaced      | kept    |
//! | a directory, a pipe, a device              | no     | no            | no      |
//! | a link to a pipe or a device               | no     | no            | no      |
//! | a file where the path needs a directory    | no     | no            | no      |
//!
//! The last row but one is for `-o /dev/stdout`, which is such a link. A user who names it means its target, which can
//! only be written in order. And if the super-user names it, the link itself must not be replaced.
//!
//! The table applies when outputs are planned, and once more to a file that has appeared since. Two small files have
//! rules of their own: `edit/old.rs` for `NAME~`, and `catalogue/snapshot.rs` for snapshots.
//!
//! Two outputs with the same name are refused. Names that differ only in case are the same on Windows and macOS,
//! but different on other systems, where game directories with both `pak0.pak` and `PAK0.PAK` exist. If a file
//! system there still treats them as the same, the second output finds the first one when it gets its name. It is
//! then handled by the table, like any file that has appeared.
//!
//! Outputs are written under temporary names, and those of a group get their names when all of them are complete.
//!
//! The files of a group get their names one after another, the last one first. The first file has the name that the user
//! asked for, so as long as it is missing, the user sees that the group is incomplete. If a file cannot get its name, the
//! files after it already have theirs, and the error says how many.
//!
//! A run that is killed between two names leaves only the last files, or new files after old ones if it replaces files.
//! Another run with `-f` writes all of them again.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};

use crate::archive::quoted_path;
use crate::fs::{
    Complete, Draft, FileId, FileKind, NameOutcome, Occupant, Over, Root, Scratch, Source, System,
    WriteAt,
};
use crate::ops::context::Existing;
use crate::ops::finding::{Finding, Help, Meaning, OTHER_OUTPUT, blocked, exists, same_output};
use crate::ops::plan::options::{Destination, Spool};
use crate::ops::row::Fate;

/// Why nothing is decided about an output's path.
#[derive(Debug)]
pub(crate) enum Undecided {
    /// Nothing may be written there, unless the user says something else.
    Refused(Finding),
    /// The system does not say what exists there. That matters to this output alone.
    Unseen(Finding),
}

impl From<Undecided> for Finding {
    fn from(undecided: Undecided) -> Self {
        match undecided {
            Undecided::Refused(error) | Undecided::Unseen(error) => error,
        }
    }
}

/// Guards the files that exist where outputs go.
pub(crate) struct Guard {
    pub(super) root: Root,
    /// The files that are never replaced, and the first path to each.
    inputs: HashMap<FileId, PathBuf>,
    existing: Existing,
    pub(super) target: Target,
}

/// What outputs are written to.
pub(super) enum Target {
    /// Any number of files below the root.
    Directory,
    /// One file.
    File(OnlyFile),
    /// One file, which takes the place of an archive.
    Edited(OnlyFile, Edited),
    /// A file without a name, on its way to standard output.
    Spool(Spool),
}

/// The path of the only output.
pub(super) struct OnlyFile {
    /// Below the root.
    relative: PathBuf,
    /// As the user typed it.
    typed: PathBuf,
}

/// An archive that is replaced by an edited one.
#[derive(Clone)]
pub(crate) struct Edited {
    /// Its path, with links followed.
    pub(crate) path: PathBuf,
    pub(crate) source: Source,
    /// The name that it gets if it is kept.
    pub(crate) backup: Option<PathBuf>,
}

impl Guard {
    /// Guards the files at a destination. None of the `inputs` is replaced, under any of its names.
    ///
    /// # Errors
    /// If the destination cannot be the name of a file, or if files may be replaced but an input cannot be identified.
    pub(crate) fn new(
        system: &System,
        destination: &Destination,
        existing: Existing,
        inputs: &[PathBuf],
    ) -> Result<Self, Finding> {
        let (root, target) = match destination {
            Destination::Directory(directory) => (system.root(directory), Target::Directory),
            Destination::File(file) => {
                let (root, relative) = system.root_of_file(file)?;
                let typed = file.clone();
                (root, Target::File(OnlyFile { relative, typed }))
            }
            Destination::Spool(spool) => (system.root(""), Target::Spool(spool.clone())),
        };
        let inputs = identified(system, inputs, existing)?;
        Ok(Self { root, inputs, existing, target })
    }

    /// Guards the place of an archive that the user calls `typed`, and that is edited.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn of_edited(
        system: &System,
        typed: &Path,
        edited: Edited,
        inputs: &[PathBuf],
    ) -> Result<Self, Finding> {
        let (root, relative) = system.root_of_file(&edited.path)?;
        let typed = typed.to_path_buf();
        let existing = Existing::Replace;
        Ok(Self {
            root,
            inputs: identified(system, inputs, existing)?,
            existing,
            target: Target::Edited(OnlyFile { relative, typed }, edited),
        })
    }

    /// The path of an output below the root: its own path below a directory, or else that of the only output.
    pub(crate) fn relative(&self, own: PathBuf) -> PathBuf {
        match &self.target {
            Target::Directory => own,
            Target::File(file) | Target::Edited(file, _) => file.relative.clone(),
            Target::Spool(_) => "-".into(),
        }
    }

    /// The path of an output, as the user would write it.
    pub(crate) fn shown(&self, relative: &Path) -> PathBuf {
        match &self.target {
            Target::File(file) | Target::Edited(file, _) if file.relative == relative => {
                file.typed.clone()
            }
            _ => self.root.path.join(relative),
        }
    }

    /// Decides what happens at an output's path.
    ///
    /// # Errors
    /// If nothing may be written there, or if the place cannot be examined.
    pub(crate) fn decide(&self, relative: &Path) -> Result<Fate, Undecided> {
        if matches!(self.target, Target::Spool(_)) {
            return Ok(Fate::New);
        }
        let found = match self.root.look(relative) {
            Ok(found) => found,
            Err(error) => {
                let error = Finding::from(error);
                // No file can be written below a root that cannot be examined.
                let is_root = error.place.path.as_deref() == Some(&*self.root.path);
                return Err(if is_root {
                    Undecided::Refused(error)
                } else {
                    Undecided::Unseen(error)
                });
            }
        };
        let decided = self.decide_about(relative, found);
        decided.map_err(|error| Undecided::Refused(error.at_path(self.shown(relative))))
    }

    /// Decides about what was found at an output's path.
    fn decide_about(&self, relative: &Path, found: Occupant) -> Result<Fate, Finding> {
        let (kind, id) = match found {
            Occupant::Nothing => return Ok(Fate::New),
            Occupant::Blocked { at, kind } => {
                let what = kind.words();
                let why = format!("there is {what} where a directory is needed");
                let error = Finding::error(why).advice("choose another directory for the output");
                return Err(error.at_path(self.root.path.join(at)));
            }
            Occupant::Taken { kind, id } => (kind, id),
        };
        if let Some(input) = id.and_then(|id| self.inputs.get(&id)) {
            return Err(is_input(input));
        }
        let is_link = kind == FileKind::Link;
        if is_link && leads_to_a_device(&self.root.path.join(relative)) {
            return Err(blocked(FileKind::Other.words()));
        }
        match (kind, self.existing) {
            (FileKind::Directory | FileKind::Other, _) => Err(blocked(kind.words())),
            (_, Existing::Refuse) => Err(exists()),
            (_, Existing::Replace) => Ok(Fate::Replace),
            (_, Existing::Keep) => Ok(Fate::Keep),
        }
    }

    /// Findings about files that could not be cleaned up. Call this at the end.
    pub(crate) fn finish(self) -> impl Iterator<Item = Finding> {
        self.root.finish().into_iter().map(Finding::from)
    }
}

/// The identities of files that must not be touched, with the first path to each.
fn identified(
    system: &System,
    paths: &[PathBuf],
    existing: Existing,
) -> Result<HashMap<FileId, PathBuf>, Finding> {
    let mut inputs = HashMap::new();
    for path in paths.iter().rev() {
        match system.identify(path) {
            Ok(id) => {
                inputs.insert(id, path.clone());
            }
            Err(error) if existing == Existing::Replace && error.kind() != NotFound => {
                return Err(Finding::from_io(error).at_path(path));
            }
            // A missing file cannot be replaced.
            Err(_) => {}
        }
    }
    Ok(inputs)
}

/// The error that an output is also an input.
fn is_input(input: &Path) -> Finding {
    let why = format!("this is an input, {}, and inputs are never overwritten", quoted_path(input));
    Finding::error(why)
        .many("outputs are also inputs, which are never overwritten")
        .advice(OTHER_OUTPUT)
        .help(Help::Edit)
        .means(Meaning::OutputIsInput)
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

/// A file that will be written, or kept.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    /// Its path below the root.
    pub(crate) relative: PathBuf,
    pub(crate) fate: Fate,
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) enum OpenOutput<'g> {
    /// It has a temporary name, or none.
    File(Draft<'g>),
    /// It has no name, and is on its way to standard output.
    Spool(&'g Spool, Scratch),
}

/// A file that is complete except for its name.
#[derive(Debug)]
pub(crate) struct Finished<'g> {
    /// What was planned.
    fate: Fate,
    waiting: ClosedOutput<'g>,
}

/// Where a complete file waits for its name.
#[derive(Debug)]
enum ClosedOutput<'g> {
    File(Complete<'g>),
    Spool(&'g Spool, Scratch),
}

/// Files that get their names together: all of them, or none.
pub(crate) struct Group<'g> {
    guard: &'g Guard,
    /// What the files are called in an error.
    noun: &'static str,
    files: Vec<Finished<'g>>,
    /// Whether the only file would be byte for byte the archive that it replaces.
    is_unchanged: bool,
}

impl Guard {
    /// Begins to write the file at a path below the root.
    pub(crate) fn begin(&self, relative: &Path) -> Result<OpenOutput<'_>, Finding> {
        Ok(match &self.target {
            Target::Spool(spool) => {
                let scratch = self.root.system.scratch().map_err(Finding::from_io)?;
                OpenOutput::Spool(spool, scratch)
            }
            _ => OpenOutput::File(self.root.draft(relative)?),
        })
    }

    /// Gives a complete file its name, and returns what happened at its path. A file that has appeared there since the
    /// plan is handled as if it had existed before.
    pub(crate) fn commit(&self, file: Finished<'_>) -> Result<Fate, Finding> {
        let planned = file.fate;
        let file = match file.waiting {
            ClosedOutput::File(file) => file,
            ClosedOutput::Spool(spool, scratch) => {
                spool.keep(scratch);
                return Ok(planned);
            }
        };
        let placed = match &self.target {
            Target::Edited(_, edited) => {
                let shown = self.shown(file.relative());
                let locked = edited.source.lock();
                let _lock = locked.map_err(|error| Finding::from_io(error).at_path(shown))?;
                match &edited.backup {
                    Some(backup) => file.place_and_keep(backup)?,
                    None => file.place()?,
                }
            }
            _ => file.place()?,
        };
        let NameOutcome::Taken(file) = placed else {
            return Ok(planned);
        };
        let fate = self.decide(file.relative())?;
        match fate {
            Fate::Keep => {}
            Fate::Replace => file.replace()?,
            // It has gone again.
            Fate::New => {
                if let NameOutcome::Taken(file) = file.place()? {
                    return Err(exists().at_path(self.shown(file.relative())));
                }
            }
        }
        Ok(fate)
    }
}

impl<'g> OpenOutput<'g> {
    /// What the content is written to.
    pub(crate) const fn sink(&self) -> &dyn WriteAt {
        match self {
            Self::File(draft) => draft,
            Self::Spool(_, scratch) => scratch,
        }
    }

    /// Closes a file that is complete. `fate` is what was decided about its path.
    pub(crate) fn finish(self, fate: Fate) -> Result<Finished<'g>, Finding> {
        let waiting = match self {
            Self::File(draft) => {
                let over = if fate == Fate::Replace { Over::Old } else { Over::Nothing };
                ClosedOutput::File(draft.close(over)?)
            }
            Self::Spool(spool, scratch) => ClosedOutput::Spool(spool, scratch),
        };
        Ok(Finished { fate, waiting })
    }
}

impl Finished<'_> {
    /// The path of the file below the root. A file on its way to standard output has none.
    fn relative(&self) -> &Path {
        match &self.waiting {
            ClosedOutput::File(file) => file.relative(),
            ClosedOutput::Spool(..) => Path::new(""),
        }
    }
}

impl<'g> Group<'g> {
    pub(crate) const fn new(guard: &'g Guard, noun: &'static str) -> Self {
        Self { guard, noun, files: Vec::new(), is_unchanged: false }
    }

    /// Adds a file that is complete. `fate` is what was decided about its path.
    pub(crate) fn add(&mut self, output: OpenOutput<'g>, fate: Fate) -> Result<(), Finding> {
        if let (Target::Edited(_, edited), OpenOutput::File(draft)) = (&self.guard.target, &output)
        {
            let shown = self.guard.shown(draft.relative());
            let same = draft.equals(&edited.source);
            self.is_unchanged = same.map_err(|error| Finding::from_io(error).at_path(shown))?;
        }
        if !self.is_unchanged {
            self.files.push(output.finish(fate)?);
        }
        Ok(())
    }

    /// Adds files that are complete.
    pub(crate) fn extend(&mut self, files: Vec<Finished<'g>>) {
        self.files.extend(files);
    }

    /// Gives all files their names. Returns what happened at the path of the only file, or of the first.
    pub(crate) fn commit(self) -> Result<Fate, Finding> {
        let count = self.files.len();
        let mut fate = if self.is_unchanged { Fate::Keep } else { Fate::New };
        for (done, file) in self.files.into_iter().rev().enumerate() {
            let shown = (count > 1).then(|| self.guard.shown(file.relative()));
            let mut named = self.guard.commit(file);
            if let (Ok(Fate::Keep), Some(shown)) = (&named, shown) {
                // The file has appeared meanwhile. One of several cannot be kept on its own.
                named = Err(exists().at_path(shown));
            }
            fate = match named {
                Err(error) if done > 0 => {
                    let why = format!(
                        "{error}; {done} of the {count} {} have been written, from the last one on",
                        self.noun
                    );
                    return Err(Finding::error(why).advice("remove them").help(Help::OverwriteAll));
                }
                named => named?,
            };
        }
        Ok(fate)
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::fs;
    #[cfg(unix)]
    use std::os::unix::fs::symlink;

    use super::*;

    /// All names over a few letters and up to three folders, in all orders of two and in some of many, against a
    /// comparison with each name before.
    #[test]
    fn a_name_is_claimed_unless_it_conflicts() {
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
                let taken =
                    naive.iter().any(|other| other.starts_with(name) || name.starts_with(other));
                let result = claimed.claim(name, Path::new("input.pak"));
                assert_eq!(result.is_err(), taken, "{name:?} after {naive:?}");
                if !taken {
                    naive.push(name);
                }
            }
        }
    }

    /// Makes something at a path.
    #[cfg(unix)]
    type Make = fn(&Path);

    /// What is decided, or a part of the reason for a refusal.
    #[cfg(unix)]
    type Cell = Result<Fate, &'static str>;

    #[cfg(unix)]
    type Row = (&'static str, Make, [Cell; 3]);

    /// The table at the top of this file, cell by cell: what exists, and what is decided for each option.
    #[cfg(unix)]
    const TABLE: &[Row] = &[
        ("nothing", |_| {}, [Ok(Fate::New); 3]),
        ("an input", |at| fs::hard_link(beside(at), at).unwrap(), [Err("input"); 3]),
        ("a link to an input", |at| symlink(beside(at), at).unwrap(), [Err("input"); 3]),
        ("a file", |at| fs::write(at, "theirs").unwrap(), FILE),
        ("a broken link", |at| symlink("nowhere", at).unwrap(), FILE),
        ("a link to a directory", |at| symlink(".", at).unwrap(), FILE),
        ("a directory", |at| fs::create_dir(at).unwrap(), [Err("a directory"); 3]),
        ("a pipe", |at| pipe(at), [Err("a pipe"); 3]),
        ("a link to a device", |at| symlink("/dev/null", at).unwrap(), [Err("a pipe"); 3]),
        (
            "a file for a directory",
            |at| fs::write(folder(at), "theirs").unwrap(),
            [Err("where a directory is needed"); 3],
        ),
        (
            "a link for a directory",
            |at| symlink(".", folder(at)).unwrap(),
            [Err("where a directory is needed"); 3],
        ),
    ];

    /// What is decided about an existing file.
    #[cfg(unix)]
    const FILE: [Cell; 3] = [Err("already exists"), Ok(Fate::Replace), Ok(Fate::Keep)];

    #[cfg(unix)]
    fn folder(at: &Path) -> &Path {
        fs::remove_dir(at.parent().unwrap()).unwrap();
        at.parent().unwrap()
    }

    #[cfg(unix)]
    fn beside(at: &Path) -> PathBuf {
        at.parent().unwrap().with_file_name("input.pak")
    }

    #[cfg(unix)]
    fn pipe(at: &Path) {
        rustix::fs::mkfifoat(rustix::fs::CWD, at, rustix::fs::Mode::RUSR).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn each_cell_of_the_table_is_decided_as_it_says() {
        let options = [Existing::Refuse, Existing::Replace, Existing::Keep];
        for (what, make, expected) in TABLE {
            for (existing, expected) in options.into_iter().zip(expected) {
                let dir = tempfile::tempdir().unwrap();
                let input = dir.path().join("input.pak");
                fs::write(&input, "input").unwrap();
                fs::create_dir(dir.path().join("folder")).unwrap();
                make(&dir.path().join("folder/output"));
                let to = Destination::Directory(dir.path().into());
                let guard = Guard::new(&System::real(), &to, existing, &[input]).unwrap();
                let decided = guard.decide(Path::new("folder/output"));
                match (expected, &decided) {
                    (Ok(fate), Ok(decided)) => assert_eq!(fate, decided, "{what}, {existing:?}"),
                    (Err(why), Err(Undecided::Refused(error))) => {
                        assert!(error.detail.contains(why), "{what}, {existing:?}: {error}");
                    }
                    _ => panic!("{what}, {existing:?}: {decided:?}"),
                }
            }
        }
    }
}
