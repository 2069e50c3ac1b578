//! Findings that several operations report, and findings about an archive as a whole.

use core::fmt;
use std::path::{Path, PathBuf};

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Note, ReservedReading, quoted_name, quoted_path};
use crate::engine::Engines;
use crate::ops::finding::{Finding, Help, Meaning, UserLimit};

/// Advice about an output that cannot be where it should be.
pub(crate) const OTHER_OUTPUT: &str = "choose another name or another directory for the output";

/// Advice about damage that other entries do not share.
pub(crate) const OTHER_PAK: &str =
    "get another copy of the pak; its other entries are not affected";

/// One output was given, but there is not exactly one input.
pub(crate) fn one_output(of: &str, found: usize) -> Finding {
    let why = format!("only one {of} can be written to one output, but there are {found}");
    Finding::error(why).help(Help::IntoDirectory)
}

/// Two files would get one name in the archive.
pub(crate) fn same_name(why: impl Into<String>) -> Finding {
    Finding::error(why)
        .many("files would have the same names as others in the archive")
        .advice("rename one of them, or leave it out")
}

/// Two entries have names that are the same in lower case.
pub(crate) fn alike(why: impl Into<String>) -> Finding {
    Finding::warning(why)
        .many("entries have names that other entries also have")
        .advice("rename one of them if you want both")
}

/// Only some of the files that belong together exist.
pub(crate) fn some_parts_exist(why: impl Into<String>) -> Finding {
    Finding::error(why).advice("remove the parts that exist").help(Help::OverwriteAll)
}

/// There is no entry to write.
pub(crate) fn nothing_to_write(why: impl Into<String>) -> Finding {
    Finding::error(why).advice(
        "some engines refuse a pak without entries, and others look for no more paks after it",
    )
}

/// The game has none of the maps that were asked for.
pub(crate) fn no_maps(why: &str) -> Finding {
    Finding::error(why).advice(
        "a map is a file such as maps/start.bsp; archives that the engine does not load do not count",
    )
}

/// A file is the text from which a map is compiled.
pub(crate) fn source_of_map(name: &[u8]) -> Finding {
    Finding::error(format!("{} is the source of a map", quoted_name(name)))
        .advice("compile it first: the map is the .bsp that the compiler writes")
}

/// A map, a script or a WAD cannot be examined.
pub(crate) fn not_examined(why: impl Into<String>) -> Finding {
    Finding::error(why)
        .many("files cannot be examined")
        .advice("leave it out, get a whole copy of it")
        .help(Help::Verify)
}

/// What the user probably meant, if something has a similar name.
pub(crate) fn perhaps(near: Option<impl fmt::Display>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

/// Something in a directory is not packed.
pub(crate) fn left_out(what: &str, why: &str) -> Finding {
    Finding::warning(format!("{what} is left out: {why}"))
}

/// The output exists.
pub(crate) fn exists() -> Finding {
    Finding::error("already exists").many("files already exist").help(Help::Overwrite)
}

/// The error for a state that only a mistake in daisho can lead to.
pub(crate) fn internal(what: &str) -> Finding {
    Finding::error(format!("internal error: {what}"))
        .advice("this is a mistake in daisho: report it with the command that you gave, please")
}

/// Something that daisho never replaces is where the output should go.
pub(crate) fn blocked(what: &str) -> Finding {
    Finding::error(format!("this is {what}, which daisho never replaces")).advice(OTHER_OUTPUT)
}

/// Two inputs would be written to one output.
pub(crate) fn same_output(other: &Path) -> Finding {
    let why = format!("the output of {} would also be written here", quoted_path(other));
    Finding::error(why)
        .many("outputs would be written twice")
        .advice("write them into different directories, or leave one of them out")
}

/// The entry shares its payload with another entry, which is damaged.
pub(crate) fn shares_damage(first: usize) -> Finding {
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

/// How many names a message shows of many.
const SHOWN: usize = 3;

/// Engines never find some names, or only as they are spelled. `None` if there are no such names.
pub(crate) fn names_hard_to_find<'a>(
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
pub(crate) fn listed(paths: &[PathBuf]) -> String {
    first_few(paths).join(", ")
}

/// The first few of some paths, with `and` before the last.
pub(crate) fn listed_with_and(paths: &[PathBuf]) -> String {
    let mut names = first_few(paths);
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
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
pub(crate) fn too_large(bytes: u64, len: u64, times: u64, is_nested: bool) -> Finding {
    let factor = match times {
        1 => String::new(),
        times => format!("{times} times "),
    };
    let whose = if is_nested { "the outer file's" } else { "its" };
    let why = format!(
        "this archive would unpack to {bytes} bytes, which is more than {factor}{whose} length of {len} bytes"
    );
    Finding::error(why).help(Help::Raise(UserLimit::Expansion)).means(Meaning::Expansion)
}

/// Findings about the archive as a whole. They are warnings, but missing entries are an error.
pub(crate) fn archive_notes(archive: &Archive) -> Vec<Finding> {
    let mut findings = Vec::new();
    for note in archive.notes().iter().cloned().chain(archive.header_note()) {
        let finding = in_archive(archive, note.clone());
        findings.push(match note {
            Note::DirectoryCut { .. } => finding.at(archive.structure().directory.offset),
            _ => finding,
        });
    }
    findings
}

/// The errors among [`archive_notes`]: what is only odd of an archive, `info` says.
pub(crate) fn archive_errors(archive: &Archive) -> Vec<Finding> {
    let mut findings = archive_notes(archive);
    findings.retain(Finding::is_error);
    findings
}

/// Checks that an archive has not changed since it was opened.
pub(crate) fn check_unchanged(archive: &Archive) -> Result<(), Finding> {
    let unchanged = archive.is_unchanged().map_err(Finding::from_io);
    let error = match unchanged {
        Ok(true) => return Ok(()),
        Ok(false) => Finding::from(ErrorKind::Replaced),
        Err(error) => error,
    };
    Err(in_archive(archive, error))
}

/// How the reserved byte was read in the archive, if it occurs.
pub(crate) fn reserved_reading(archive: &Archive) -> Option<Finding> {
    let reading = archive.reserved_reading()?;
    let finding = Finding::warning(reading.to_string());
    let finding = match reading {
        ReservedReading::Chosen(_) => finding
            .many("archives have the control byte 0xFE in their streams; it is read as you chose with --reserved"),
        ReservedReading::Voted(_) => finding
            .many("archives have the control byte 0xFE in their streams; the streams of each archive decide how it is read")
            .help(Help::ReadReserved),
    };
    Some(in_archive(archive, finding))
}

/// The error with the archive as its place.
pub(crate) fn in_archive(archive: &Archive, error: impl Into<Finding>) -> Finding {
    let error = error.into();
    match archive.path() {
        Some(path) => error.at_path(path),
        None => error,
    }
}
