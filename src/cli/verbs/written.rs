//! What `convert` and `create` share: where an output goes, and what is said of it: its findings, names
//! that are hard to find, its parts, and its summary.

use std::path::{Path, PathBuf};

use daisho::archive::escape;
use daisho::ops::row::{HardToFind, Outcome, OutputFile, OutputRow};
use daisho::ops::write::{Destination, Spool};

use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};
use crate::cli::text;
use crate::cli::values::is_standard;

/// Where `-o` says that an output goes.
pub(super) fn destination(output: PathBuf) -> Destination {
    match is_standard(&output) {
        true => Destination::Spool(Spool::default()),
        false => Destination::File(output),
    }
}

/// Refuses an archive to a terminal, where one would be written, or to where rows of JSON go.
pub(super) fn check_standard_output(
    output: &Path,
    dry_run: bool,
    json: bool,
) -> Result<(), Message> {
    match is_standard(output) && !dry_run {
        true if json => Err(Message::error(
            "the archive and the rows of --json would both go to standard output",
        )
        .help("give -o a file, or leave out --json")),
        true => output::refuse_terminal(),
        false => Ok(()),
    }
}

/// Copies an archive to standard output, if it is to go there.
pub(super) fn copy_out(destination: &Destination, global: &Global) -> Exit {
    match destination {
        Destination::Spool(spool) => output::write(global, Kind::Binary, |out| {
            spool.copy_to(out).map(|_| Exit::Done)
        }),
        _ => Exit::Done,
    }
}

/// What would be written or kept, in lines of a plan; none where it was really done.
pub(super) fn planned(output: &OutputRow) -> Vec<String> {
    let kept = || format!("keep {}", text::path(&output.target));
    match output.outcome {
        Outcome::Planned => output.parts.iter().map(write_line).collect(),
        Outcome::Kept => vec![kept()],
        _ => Vec::new(),
    }
}

fn write_line(part: &OutputFile) -> String {
    let verb = if part.replaces { "replace" } else { "write" };
    format!("{verb} {}", text::path(&part.target))
}

/// A line for each part, where there are several.
pub(super) fn tell_parts(parts: &[OutputFile], dry_run: bool, global: &Global) {
    if parts.len() < 2 {
        return;
    }
    for part in parts {
        let (target, entries) = (
            text::path(&part.target),
            text::count(part.entries, "entry", "entries"),
        );
        let would = if dry_run { "would write " } else { "" };
        let bytes = match part.bytes {
            Some(bytes) => format!(", {}", text::bytes(bytes)),
            None => String::new(),
        };
        global
            .messages
            .line(&format!("  {target}: {would}{entries}{bytes}"));
    }
}

/// Names with `-v` everything that an engine never finds, or only in its exact spelling.
pub(super) fn tell_hard_to_find(output: &OutputRow, global: &Global) {
    for hard in &output.hard_to_find {
        let HardToFind { index, name, .. } = hard;
        let how = if hard.found {
            "is found only under exactly this spelling"
        } else {
            "is never found"
        };
        let (name, engines) = (escape(name), hard.engines);
        let line = format!("  entry {index} \"{name}\" {how} by {engines}");
        global.messages.detail(&line);
    }
}

/// `2 paks, 7 entries, 1.2 MB to 3.4 MB`, with `entries` in words; or what else became of the output.
/// Nothing where it was not come to.
pub(super) fn summary(output: &OutputRow, entries: &str) -> Option<String> {
    let paks = match output.parts.len() {
        0 | 1 => String::new(),
        _ => text::count(output.parts.len(), "pak, ", "paks, "),
    };
    let sizes = text::in_and_out(output.bytes_in, output.bytes_out);
    Some(match output.outcome {
        Outcome::Written => format!("{paks}{entries}, {sizes}"),
        Outcome::Planned => format!("would write {paks}{entries}, {sizes}"),
        Outcome::Kept => "kept".to_owned(),
        Outcome::Failed => "not written".to_owned(),
        _ => return None,
    })
}
