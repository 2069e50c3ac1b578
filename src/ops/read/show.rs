//! Entries of an archive, or loose files, for display: pictures, text, and the facts of each.

use std::ops::ControlFlow;
use std::path::Path;

use super::facts::whole;
use crate::archive::Entry;
use crate::media::{FileFacts, FileType};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding;
use crate::ops::finding::{Finding, Help};
use crate::ops::pictures::{ColouredPicture, PictureOptions, Pictures};
use crate::ops::row::EntryRow;
use crate::ops::source;
use crate::ops::source::Wanted;
use crate::ops::source::directory::loose_file;
use crate::ops::source::named::{find, no_name};

/// How many bytes of an entry are examined to find out whether it is text.
const LOOKED_AT: usize = 4096;

/// An entry to be shown.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The entry, whose text can be read.
    pub entry: Entry<'a>,
    /// The facts about it.
    pub facts: EntryRow,
    /// What can be shown in addition to the facts.
    pub content: ShownContent,
}

/// What a user can see of an entry.
#[derive(Debug)]
pub enum ShownContent {
    /// A picture.
    Picture(Box<ColouredPicture>),
    /// A PNG or JPEG file, which is not decoded.
    Undecoded,
    /// Text, or a file whose beginning looks like text.
    Text,
    /// Nothing but the facts. The entry is of another kind, or damaged.
    Other,
}

/// Looks at entries in the order in which they were asked for, and calls `visit` with each, until `visit` breaks.
/// Without `wanted`, `paths` are files that are no archives, and each is an entry of its own. Pictures are decoded as
/// `pictures` says. Without it, entries only have facts. Returns the problems.
///
/// ```
/// use std::ops::ControlFlow;
/// use daisho::ops::{Context, ShownContent, show};
/// use daisho::ops::pictures::PictureOptions;
/// use daisho::ops::source::Wanted;
///
/// let context = Context::new();
/// let wanted = Wanted::list(["pics/load0.pcx"], &[]);
/// let options = PictureOptions::default();
/// let mut sizes = Vec::new();
/// let findings = show(&context, &["corpus/game/data/pak1.pak"], &wanted, Some(&options), |shown| {
///     let ShownContent::Picture(picture) = &shown.content else { panic!() };
///     sizes.extend(picture.frames.iter().map(|frame| frame.pixels.width));
///     ControlFlow::Continue(())
/// })?;
/// assert!(findings.is_empty() && sizes.len() == 1);
/// # Ok::<(), daisho::ops::Refusal>(())
/// ```
///
/// # Errors
///
/// If an archive or file, or the game or palette that the options name, cannot be read. If an archive is given, and
/// `wanted` is empty.
pub fn show(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    wanted: &[Wanted],
    pictures: Option<&PictureOptions>,
    mut visit: impl FnMut(&Shown<'_>) -> ControlFlow<()>,
) -> Result<Vec<Finding>, Refusal> {
    let mut findings = Vec::new();
    let mut archives = Vec::new();
    for path in paths {
        let archive = source::one_or_loose_file(context, path.as_ref(), &mut findings)?;
        if wanted.is_empty() && loose_file(&archive).is_none() {
            return Err(names_needed().at_path(path).into());
        }
        let notes = finding::archive_notes(&archive).into_iter();
        findings.extend(notes.filter(Finding::is_error));
        archives.push(archive);
    }
    let pictures = match pictures {
        Some(options) => Some(Pictures::open(context, options, Vec::new(), &mut findings)?),
        None => None,
    };
    let mut entries = Vec::new();
    for (path, archive) in paths.iter().zip(&archives) {
        if wanted.is_empty() {
            entries.extend(archive.entries());
        }
        for wanted in wanted {
            match find(archive, wanted, no_name) {
                Ok(found) => entries.extend(found),
                Err(error) => findings.push(error.at_path(path)),
            }
        }
    }
    for entry in entries {
        context.cancel.check()?;
        let (row, finding) = whole(entry);
        let is_sound = finding.is_none();
        findings.extend(finding);
        let Some(facts) = row else { continue };
        let details = facts.facts.as_ref().and_then(|it| it.details.as_deref());
        let content = match (pictures.as_ref().filter(|_| is_sound), details) {
            (Some(pictures), Some(details)) => content(entry, details, pictures, &mut findings),
            _ => ShownContent::Other,
        };
        let shown = Shown {
            entry,
            facts,
            content,
        };
        if visit(&shown).is_break() {
            return Ok(findings);
        }
    }
    for archive in &archives {
        findings.extend(finding::reserved_reading(archive));
    }
    Ok(findings)
}

/// The error for an archive whose entries are not named.
fn names_needed() -> Finding {
    Finding::error("this is an archive, and no entry of it is named")
        .advice("give the names of entries after it")
        .help(Help::ListNames)
}

/// Decodes what a user can see of an entry.
fn content(
    entry: Entry<'_>,
    details: &FileFacts,
    pictures: &Pictures,
    findings: &mut Vec<Finding>,
) -> ShownContent {
    let found = match details.file_type {
        Some(FileType::Png | FileType::Jpeg) => Ok(ShownContent::Undecoded),
        _ if pictures.takes(entry.name()) => pictures.decode(&entry).map(|mut picture| {
            findings.extend(picture.remark.take());
            ShownContent::Picture(Box::new(picture))
        }),
        None if !details.is_contrary() => is_text(entry).map(|is_text| {
            if is_text {
                ShownContent::Text
            } else {
                ShownContent::Other
            }
        }),
        _ => Ok(ShownContent::Other),
    };
    found.unwrap_or_else(|error| {
        findings.push(error);
        ShownContent::Other
    })
}

/// Whether an entry begins like text: it is not empty, and its beginning has no NUL bytes.
fn is_text(entry: Entry<'_>) -> Result<bool, Finding> {
    let mut reader = entry.start_reader()?;
    let (mut start, mut filled) = ([0; LOOKED_AT], 0);
    while let Some(room) = start.get_mut(filled..).filter(|room| !room.is_empty()) {
        match reader.read_some(room) {
            Ok(0) => break,
            Ok(read) => filled += read,
            // What comes before damage is shown, and the damage is said where it is reached.
            Err(_) if filled > 0 => break,
            Err(error) => return Err(error.into()),
        }
    }
    let (start, _) = start.split_at_checked(filled).unwrap_or((&start, &[]));
    let controls = start.iter();
    let controls = controls.filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    let are_few = controls.count() * 10 <= start.len();
    Ok(!start.is_empty() && !start.contains(&0) && are_few)
}
