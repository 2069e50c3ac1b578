//! What an operation tells the user: an error or a warning, as plain data.
//!
//! A [`Finding`] has its own sentence, a sentence for many of its kind, and advice: in plain words, and as a kind of
//! [`Help`], which `src/cli/advice.rs` turns into options. The command groups findings by their sentence for many.
//! How to provoke each finding is in `tests/ERRORS.md`.
//!
//! The way of a damaged entry to the screen: reading returns an error with a place (`archive::error`), which
//! `stream` turns into a finding. `plan/part.rs` adds it to the row of its output ([`OutputRow`]), and
//! marks entries that share the payload. `cli/render` takes the findings out of each row for `cli/messages`,
//! which groups and prints them.
//!
//! [`OutputRow`]: crate::ops::row::OutputRow

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::error::{Error, ErrorKind, Place};
use crate::archive::{Archive, Entry, Note, RawName, ReservedReading, quoted_name, quoted_path};
use crate::engine::Engines;
use crate::fs::CommitError;

pub use super::help::{Help, UserLimit};

/// An error or a warning of an operation.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Whether something could not be done, or the finding is only a warning.
    pub severity: Severity,
    /// The archive or file, the entry and the byte, as far as they are known.
    pub place: Place,
    /// The sentence for this one: what failed, without the place.
    pub detail: Box<str>,
    /// The sentence for many findings of this kind, without their number. Without it, only findings with the same
    /// [`detail`](Self::detail) are of one kind.
    pub many: Option<&'static str>,
    /// What to do about it, in words.
    pub advice: Option<Box<str>>,
    /// What a program can do about it.
    pub help: Option<Help>,
    /// What it means for a program.
    pub meaning: Meaning,
    /// If a whole input could not be read: the path of that input, as the user would write it.
    pub unread: Option<Box<PathBuf>>,
}

/// Whether something could not be done, or the finding is only a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Odd but harmless: the result is complete.
    Warning,
    /// Something could not be done.
    Error,
}

/// What a finding means for a program that does not read its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Meaning {
    /// None of the others.
    Other,
    /// The user stopped the operation.
    Stopped,
    /// An input cannot be read, unless the finding is about an entry in it.
    Unread,
    /// A path does not exist, so that the input cannot be read.
    NoSuchFile,
    /// A ZIP has no directory, so that the input cannot be read. Its files may be found without it.
    NoZipDirectory,
    /// Entries of an input are missing.
    Cut,
    /// daisho does not support what it found in an entry, which is not damaged.
    Unsupported,
    /// An archive would unpack to more than is allowed.
    Expansion,
    /// The output is an input.
    OutputIsInput,
    /// An engine that the user asked about does not load an archive.
    NotLoaded,
    /// A detail that a finding about the whole archive sums up.
    Detail,
}

/// Advice about an output that cannot be where it should be.
pub(super) const OTHER_OUTPUT: &str = "choose another name or another directory for the output";

/// Advice about damage that other entries do not share.
pub(super) const OTHER_PAK: &str =
    "get another copy of the pak; its other entries are not affected";

impl Finding {
    /// Something that could not be done.
    #[must_use]
    pub fn error(detail: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            place: Place::default(),
            detail: detail.into().into_boxed_str(),
            many: None,
            advice: None,
            help: None,
            meaning: Meaning::Other,
            unread: None,
        }
    }

    /// Something odd.
    #[must_use]
    pub fn warning(detail: impl Into<String>) -> Self {
        Self::error(detail).as_warning()
    }

    /// Adds the sentence for many findings of this kind.
    pub(super) fn many(mut self, many: &'static str) -> Self {
        self.many = Some(many);
        self
    }

    /// Adds what to do about it, in words.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<Box<str>>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds what a program can do about it.
    pub(super) fn help(mut self, help: Help) -> Self {
        self.help = Some(help);
        self
    }

    /// Adds what it means for a program.
    pub(super) fn means(mut self, meaning: Meaning) -> Self {
        self.meaning = meaning;
        self
    }

    /// The same finding, but as a warning.
    #[must_use]
    pub fn as_warning(self) -> Self {
        Self {
            severity: Severity::Warning,
            ..self
        }
    }

    /// An input that could not be read.
    #[must_use]
    pub fn unread(path: impl Into<PathBuf>, error: impl Into<Self>) -> Self {
        Self {
            unread: Some(Box::new(path.into())),
            ..error.into()
        }
    }

    /// Whether something could not be done.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The input that this error is about as a whole, and how much of it could be read: `unread`, or `cut` if its
    /// directory is cut off. Each such input becomes an object of JSON, in every verb.
    #[must_use]
    pub fn input(&self) -> Option<(&Path, &'static str)> {
        if !self.is_error() || self.is_stop() {
            return None;
        }
        if let Some(path) = &self.unread {
            return Some((path, "unread"));
        }
        let path = self.place.path.as_deref()?;
        match self.meaning {
            _ if self.place.entry.is_some() => None,
            Meaning::Cut => Some((path, "cut")),
            Meaning::Unread | Meaning::NoSuchFile | Meaning::NoZipDirectory => {
                Some((path, "unread"))
            }
            _ => None,
        }
    }

    /// Whether one message can be about both findings: they have the same advice, and the same sentence for many, or
    /// the same sentence of their own if they have none for many.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.many, &self.advice, self.help) == (other.many, &other.advice, other.help)
            && (self.many.is_some() || self.detail == other.detail)
    }

    /// Whether the user stopped the operation.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        self.meaning == Meaning::Stopped
    }

    /// Adds the archive or file to the finding, unless it already has one.
    #[must_use]
    pub fn at_path(mut self, path: impl AsRef<Path>) -> Self {
        self.place.set_path(path.as_ref());
        self
    }

    /// Adds the entry to the finding, unless it already has one.
    #[must_use]
    pub fn in_entry(mut self, index: usize, name: RawName<'_>) -> Self {
        self.place.set_entry(index, name);
        self
    }

    /// Adds the byte offset in the archive to the finding, unless it already has one.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.place.set_offset(offset);
        self
    }

    /// The finding with this entry as its place.
    pub(super) fn of_entry(mut self, entry: &Entry<'_>) -> Self {
        entry.locate_at(&mut self.place);
        self
    }

    /// The finding that a path does not exist.
    pub(super) fn no_such_file(self) -> Self {
        self.advice("give the path of a file or directory that exists")
            .means(Meaning::NoSuchFile)
    }

    /// What a system error means that a reader or a sink met.
    pub(super) fn from_io(error: io::Error) -> Self {
        match CommitError::from_io(error) {
            Ok(error) => error.into(),
            Err(error) => Error::from_io(error).into(),
        }
    }
}

/// The place, and what failed, in one line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_unknown() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.detail)
    }
}

impl core::error::Error for Finding {}

/// One output was given, but there is not exactly one input.
pub(super) fn one_output(of: &str, found: usize) -> Finding {
    let why = format!("only one {of} can be written to one output, but there are {found}");
    Finding::error(why).help(Help::IntoDirectory)
}

/// A search found no archive.
pub(super) fn no_archive_found() -> Finding {
    Finding::error("this directory holds no archive")
        .help(Help::NewArchive)
        .means(Meaning::Unread)
}

/// A directory that is to be an archive has no files.
pub(super) fn no_files_found() -> Finding {
    let why = "this directory holds no archive and no files";
    Finding::error(why)
        .help(Help::NewArchive)
        .means(Meaning::Unread)
}

/// A path does not exist.
pub(super) fn no_such_file(path: &Path, near: Option<&Path>) -> Finding {
    nothing_at(path, near).no_such_file()
}

/// A path does not exist, and is perhaps the name of an entry.
pub(super) fn no_such_file_or_entry(path: &Path, near: Option<&Path>) -> Finding {
    nothing_at(path, near)
        .help(Help::NamesAfterArchive)
        .means(Meaning::NoSuchFile)
}

fn nothing_at(path: &Path, near: Option<&Path>) -> Finding {
    let perhaps = perhaps(near.map(quoted_path));
    Finding::error(format!("no such file or directory{perhaps}")).at_path(path)
}

/// Two files would get one name in the archive.
pub(super) fn same_name(why: impl Into<String>) -> Finding {
    Finding::error(why)
        .many("files would have the same names as others in the archive")
        .advice("rename one of them, or leave it out")
}

/// Two entries have names that are the same in lower case.
pub(super) fn alike(why: impl Into<String>) -> Finding {
    Finding::warning(why)
        .many("entries have names that other entries also have")
        .advice("rename one of them if you want both")
}

/// Only some of the files that belong together exist.
pub(super) fn some_parts_exist(why: impl Into<String>) -> Finding {
    Finding::error(why)
        .advice("remove the parts that exist")
        .help(Help::OverwriteAll)
}

/// There is no entry to write.
pub(super) fn nothing_to_write(why: impl Into<String>) -> Finding {
    Finding::error(why).advice(
        "some engines refuse a pak without entries, and others look for no more paks after it",
    )
}

/// The game has none of the maps that were asked for.
pub(super) fn no_maps(why: &str) -> Finding {
    Finding::error(why).advice(
        "a map is a file such as maps/start.bsp; archives that the engine does not load do not count",
    )
}

/// A map, a script or a WAD cannot be examined.
pub(super) fn not_examined(why: impl Into<String>) -> Finding {
    Finding::error(why)
        .many("files cannot be examined")
        .advice("leave it out, get a whole copy of it")
        .help(Help::Verify)
}

/// What the user probably meant, if something has a similar name.
pub(super) fn perhaps(near: Option<impl fmt::Display>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

/// Something in a directory is not packed.
pub(super) fn left_out(what: &str, why: &str) -> Finding {
    Finding::warning(format!("{what} is left out: {why}"))
}

/// The output exists.
pub(super) fn exists() -> Finding {
    Finding::error("already exists")
        .many("files already exist")
        .help(Help::Overwrite)
}

/// The error for a state that only a mistake in daisho can lead to.
pub(super) fn internal(what: &str) -> Finding {
    Finding::error(format!("internal error: {what}"))
        .advice("this is a mistake in daisho: report it with the command that you gave, please")
}

/// Something that daisho never replaces is where the output should go.
pub(super) fn blocked(what: &str) -> Finding {
    Finding::error(format!("this is {what}, which daisho never replaces")).advice(OTHER_OUTPUT)
}

/// Two inputs would be written to one output.
pub(super) fn same_output(other: &Path) -> Finding {
    let why = format!(
        "the output of {} would also be written here",
        quoted_path(other)
    );
    Finding::error(why)
        .many("outputs would be written twice")
        .advice("write them into different directories")
}

/// The entry shares its payload with another entry, which is damaged.
pub(super) fn shares_damage(first: usize) -> Finding {
    let why = format!("it shares its payload with entry {first}, and that payload is damaged");
    Finding::error(why)
        .many("entries share a payload with an entry that is damaged")
        .advice(OTHER_PAK)
}

/// Engines refuse an archive, or misread it.
#[must_use]
pub fn judged(engines: Engines, misread: bool, why: impl fmt::Display) -> Finding {
    let verdict = if misread {
        engines.verb("misreads", "misread")
    } else {
        engines.verb("refuses", "refuse")
    };
    Finding::error(format!("{engines} {verdict} this archive: {why}"))
}

/// Engines never load an archive.
pub(super) fn never_loaded(engines: Engines, why: impl fmt::Display) -> Finding {
    let load = engines.verb("loads", "load");
    Finding::error(format!("{engines} never {load} this archive: {why}"))
}

/// How many names a message shows of many.
const SHOWN: usize = 3;

/// Engines never find some names, or only as they are spelled. `None` if there are no such names.
pub(super) fn names_hard_to_find<'a>(
    engines: Engines,
    found_as_spelled: bool,
    names: impl IntoIterator<Item = &'a [u8]>,
) -> Option<Finding> {
    let mut names = names.into_iter();
    let mut shown = Vec::new();
    for name in names.by_ref().take(SHOWN) {
        shown.push(quoted_name(name).to_string());
    }
    let more = names.count();
    let count = shown.len() + more;
    if count == 0 {
        return None;
    }
    if more > 0 {
        shown.push("...".to_owned());
    }
    let shown = shown.join(", ");
    let find = engines.verb("finds", "find");
    Some(if found_as_spelled {
        Finding::warning(format!(
                "{engines} {find} {count} of the names only if they are spelled exactly like this: {shown}"
            )).advice("keep them if the game uses this spelling").help(Help::Lowercase)
    } else {
        Finding::warning(format!("{engines} never {find} {count} of the names: {shown}"))
            .advice("every engine finds names that are at most 55 bytes long, use '/' between folders, do not begin with '/', and contain no './', '//' or '..'")
    })
}

/// The first few of some paths.
pub(super) fn listed(paths: &[PathBuf]) -> String {
    first_few(paths).join(", ")
}

/// The first few of some paths, with `and` before the last.
pub(super) fn listed_with_and(paths: &[PathBuf]) -> String {
    let mut names = first_few(paths);
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        last
    } else {
        format!("{} and {last}", names.join(", "))
    }
}

fn first_few(paths: &[PathBuf]) -> Vec<String> {
    let mut names = Vec::new();
    for path in paths.iter().take(SHOWN) {
        names.push(quoted_path(path).to_string());
    }
    if paths.len() > SHOWN {
        names.push(format!("{} more", paths.len() - SHOWN));
    }
    names
}

/// An archive would unpack to more than its own length allows, or than the length of the outer file allows.
pub(super) fn too_large(bytes: u64, len: u64, times: u64, is_nested: bool) -> Finding {
    let factor = match times {
        1 => String::new(),
        times => format!("{times} times "),
    };
    let whose = if is_nested { "the outer file's" } else { "its" };
    let why = format!(
        "this archive would unpack to {bytes} bytes, which is more than {factor}{whose} length of {len} bytes"
    );
    Finding::error(why)
        .help(Help::Raise(UserLimit::Expansion))
        .means(Meaning::Expansion)
}

/// Findings about the archive as a whole. They are warnings, but missing entries are an error.
pub(super) fn archive_notes(archive: &Archive) -> Vec<Finding> {
    let mut findings = Vec::new();
    for note in archive.notes() {
        let finding = in_archive(archive, note.clone());
        findings.push(match note {
            Note::DirectoryCut { .. } => finding.at(archive.structure().directory.offset),
            _ => finding,
        });
    }
    findings
}

/// Checks that an archive has not changed since it was opened.
pub(super) fn check_unchanged(archive: &Archive) -> Result<(), Finding> {
    let unchanged = archive.is_unchanged().map_err(Finding::from_io);
    let error = match unchanged {
        Ok(true) => return Ok(()),
        Ok(false) => Finding::from(ErrorKind::Replaced),
        Err(error) => error,
    };
    Err(in_archive(archive, error))
}

/// How the reserved byte was read in the archive, if it occurs.
pub(super) fn reserved_reading(archive: &Archive) -> Option<Finding> {
    let reading = archive.reserved_reading()?;
    let finding = Finding::warning(reading.to_string());
    let finding = match reading {
        ReservedReading::Chosen(_) => finding
            .many("archives have the reserved byte 0xfe in their streams; it is read as you chose with --reserved"),
        ReservedReading::Voted(_) => finding
            .many("archives have the reserved byte 0xfe in their streams; the streams of each archive decide how it is read")
            .help(Help::ReadReserved),
    };
    Some(in_archive(archive, finding))
}

/// The error with the archive as its place.
pub(super) fn in_archive(archive: &Archive, error: impl Into<Finding>) -> Finding {
    let error = error.into();
    match archive.path() {
        Some(path) => error.at_path(path),
        None => error,
    }
}
