//! Entries of an archive, or loose files, for display: pictures, text, and the facts of each.

use std::path::Path;
use std::sync::Arc;

use super::facts::whole;
use crate::archive::{Archive, Entry};
use crate::media::{FileFacts, FileType, Picture};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding, Help, internal};
use crate::ops::pictures::{ColouredPicture, PictureOptions, Pictures};
use crate::ops::row::EntryRow;
use crate::ops::source::directory::loose_file;
use crate::ops::source::named::{find, no_name};
use crate::ops::source::{self, Wanted};

/// How many bytes of an entry are examined to find out whether it is text.
const LOOKED_AT: u64 = 4096;

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

/// Opens archives, and finds the entries that were asked for. Without `wanted`, `paths` are files that are no archives,
/// and each is an entry of its own. Pictures are decoded as `pictures` says. Without it, entries only have facts.
///
/// ```
/// use daisho::ops::{Context, ShownContent, show};
/// use daisho::ops::pictures::PictureOptions;
/// use daisho::ops::source::Wanted;
///
/// let context = Context::new();
/// let wanted = Wanted::list(["pics/load0.pcx"], &[]);
/// let options = PictureOptions::default();
/// let mut entries = show(&context, &["corpus/game/data/pak1.pak"], &wanted, Some(&options))?;
/// let mut sizes = Vec::new();
/// while let Some(shown) = entries.next_entry()? {
///     let ShownContent::Picture(picture) = &shown.content else { panic!() };
///     sizes.extend(picture.frames.iter().map(|frame| frame.pixels.width));
/// }
/// assert!(entries.into_findings().is_empty() && sizes.len() == 1);
/// # Ok::<(), daisho::ops::Refusal>(())
/// ```
///
/// # Errors
///
/// If an archive or file, or the game or palette that the options name, cannot be read. If an archive is given, and
/// `wanted` is empty.
pub fn show<'c>(
    context: &'c Context<'c>,
    paths: &[impl AsRef<Path>],
    wanted: &[Wanted],
    pictures: Option<&PictureOptions>,
) -> Result<ShownEntries<'c>, Refusal> {
    let mut findings = Vec::new();
    let mut archives = Vec::new();
    for path in paths {
        let archive = source::one_or_loose_file(context, path.as_ref(), &mut findings)?;
        if wanted.is_empty() && loose_file(&archive).is_none() {
            let error = Finding::error("this is an archive, and no entry of it is named")
                .advice("give the names of entries after it")
                .help(Help::ListNames);
            return Err(error.at_path(path).into());
        }
        findings.extend(finding::archive_errors(&archive));
        archives.push(archive);
    }
    let pictures = match pictures {
        Some(options) => Some(Pictures::open(context, options, Vec::new(), &mut findings)?),
        None => None,
    };
    let mut left = Vec::new();
    for (number, (path, archive)) in paths.iter().zip(&archives).enumerate() {
        if wanted.is_empty() {
            left.extend(archive.entries().map(|entry| (number, entry.index())));
        }
        for wanted in wanted {
            match find(archive, wanted, no_name) {
                Ok(found) => left.extend(found.iter().map(|entry| (number, entry.index()))),
                Err(error) => findings.push(error.at_path(path)),
            }
        }
    }
    Ok(ShownEntries { context, archives, pictures, left: left.into_iter(), findings })
}

/// Entries that are shown one after another, in the order in which they were asked for.
#[derive(Debug)]
pub struct ShownEntries<'c> {
    context: &'c Context<'c>,
    archives: Vec<Arc<Archive>>,
    pictures: Option<Pictures>,
    /// The numbers of archives, and of entries in them.
    left: std::vec::IntoIter<(usize, usize)>,
    findings: Vec<Finding>,
}

impl ShownEntries<'_> {
    /// Looks at the next entry that can be read.
    ///
    /// # Errors
    ///
    /// If the user stops the operation.
    pub fn next_entry(&mut self) -> Result<Option<Shown<'_>>, Finding> {
        for (archive, index) in self.left.by_ref() {
            self.context.cancel.check()?;
            let archive = self.archives.get(archive);
            let Some(entry) = archive.and_then(|archive| archive.entry(index)) else {
                return Err(internal("an entry to be shown is in no archive"));
            };
            let (row, finding) = whole(entry);
            let is_sound = finding.is_none();
            self.findings.extend(finding);
            let Some(facts) = row else { continue };
            let details = facts.facts.as_ref().and_then(|it| it.details.as_deref());
            let content = match (&self.pictures, details) {
                (Some(pictures), Some(details)) if is_sound => {
                    content(entry, details, pictures, &mut self.findings)
                }
                _ => ShownContent::Other,
            };
            return Ok(Some(Shown { entry, facts, content }));
        }
        Ok(None)
    }

    /// The problems so far.
    #[must_use]
    pub fn into_findings(self) -> Vec<Finding> {
        let mut findings = self.findings;
        for archive in &self.archives {
            findings.extend(finding::reserved_reading(archive));
        }
        findings
    }
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
        _ if Picture::may_be_in(entry.name()) => pictures.decode(&entry).map(|mut picture| {
            findings.extend(picture.remark.take());
            ShownContent::Picture(Box::new(picture))
        }),
        None if !details.is_contrary() => is_text(entry)
            .map(|is_text| if is_text { ShownContent::Text } else { ShownContent::Other }),
        _ => Ok(ShownContent::Other),
    };
    found.unwrap_or_else(|error| {
        findings.push(error);
        ShownContent::Other
    })
}

/// Whether an entry begins like text: it is not empty, and its beginning has no NUL bytes.
fn is_text(entry: Entry<'_>) -> Result<bool, Finding> {
    // What comes before damage is shown, and the damage is said where it is reached.
    let start = entry.start(LOOKED_AT)?;
    let controls = start.iter();
    let controls = controls.filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    let are_few = controls.count() * 10 <= start.len();
    Ok(!start.is_empty() && !start.contains(&0) && are_few)
}
