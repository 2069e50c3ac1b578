//! `info`: describes an archive as a whole. It reports the format and why, sums, an account of every byte,
//! what is unusual, which engines load it, and the types of its files.
//!
//! Remarks are about things that the directory shows. `verify` finds the rest. Only the headers of files are read,
//! and decoded if they are compressed. Only entries with the extension of a known type are examined.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Account, Archive, Case, Coding, Entry, Flaw, Format, SafePath, Which};
use crate::codec::Bytes;
use crate::engine::{Effect, Engines, EntrySet, Facts, Release};
use crate::format::{Record, known_as};
use crate::media::{
    Depth, FileFacts, Kind, is_worth_a_look, look_at_all, look_at_start, map_limit,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding, Help, Meaning};
use crate::ops::report::{Sink, hand_on, hand_on_rows};
use crate::ops::row::{
    ArchiveInfo, ContentTypes, Contrary, EntryFacts, EntryName, EntryRow, TEXT, Unread,
};
use crate::ops::source::{How, Input, Search, for_each};

/// What `info` reports.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
pub enum InfoRow {
    /// An archive.
    Archive(Box<ArchiveInfo>),
    /// A file that the user named and that is no archive, or an entry.
    Entry(EntryRow),
}

/// Describes one archive after another, with the verdicts of `engines`, or of all engines if `engines` is empty. A
/// file that is no archive is described as an entry of its own. Returns how many could be read.
///
/// ```
/// use daisho::ops::{Context, InfoRow, Reported, info};
/// use daisho::engine::Engines;
///
/// let context = Context::new();
/// let path = "corpus/paks/sound/gap-of-dead-data.pak";
/// let mut reported = Reported::default();
/// info(&context, &[path], Engines::NONE, &mut reported)?;
/// for row in reported.rows {
///     let InfoRow::Archive(pak) = row else { continue };
///     assert!(pak.account.gap_bytes() > 0);
///     for remark in &pak.remarks {
///         println!("{}", remark.detail);
///     }
/// }
/// # Ok::<(), daisho::ops::Refusal>(())
/// ```
///
/// # Errors
///
/// If no path leads to an archive, or to a file that is named like one.
pub fn info(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    engines: Engines,
    out: &mut dyn Sink<InfoRow>,
) -> Result<(), Refusal> {
    let how = How { takes_files: true, ..How::default() };
    let mut found = Search::new(context, paths, how);
    found.refuse_strangers(context)?;
    let look = |input: &Input| {
        let archive = input.open_as_found(context)?;
        if input.is_loose_file() {
            // A file that is no archive is the only entry.
            let (row, finding) = archive.entry(0).map_or((None, None), whole);
            return Ok((row.map(InfoRow::Entry), finding));
        }
        archive.check_headers()?;
        let mut info = look(context, &input.path, &archive, engines)?;
        info.findings = findings(&info, &archive);
        Ok((Some(InfoRow::Archive(Box::new(info))), None))
    };
    let flow = for_each(context, &found.inputs, look, |_, looked| match looked {
        Ok((row, finding)) => {
            hand_on(out, finding);
            hand_on_rows(out, row)
        }
        Err(error) => {
            out.finding(error);
            ControlFlow::Continue(())
        }
    });
    if flow.is_continue() {
        hand_on(out, found.take_findings());
    }
    Ok(())
}

/// Looks at an archive.
fn look(
    context: &Context<'_>,
    path: &Path,
    archive: &Archive,
    asked: Engines,
) -> Result<ArchiveInfo, Error> {
    let account = archive.account()?;
    let entries = archive.entries();
    let possible = entries.clone().filter(Entry::has_possible_size);
    let facts = Facts::of(archive)?;
    Ok(ArchiveInfo {
        archive: path.to_path_buf(),
        format: archive.format_word(),
        format_name: archive.format_name(),
        why: archive.why(),
        entries: archive.len(),
        compressed: entries.clone().filter(Entry::is_compressed).count(),
        unsupported: entries.clone().filter(is_unsupported).count(),
        size: possible.clone().map(|entry| entry.size()).fold(0, u64::saturating_add),
        packed_size: possible.map(|entry| entry.stored_len()).fold(0, u64::saturating_add),
        remarks: remarks(archive, &account),
        account,
        engines: if asked.is_empty() { facts.judge_for_all() } else { facts.judge_for(asked) },
        content: ContentTypes::of_entries(context, &archive.entries().collect::<Vec<_>>(), asked),
        // A file that cannot be read is reported by the code that reads the payloads.
        release: archive.source().and_then(|file| Release::of(file).ok()?).map(Release::to_string),
        is_check: !asked.is_empty(),
        findings: Vec::new(),
    })
}

/// An error for each reason why engines that were asked about do not load the archive, and one if entries are
/// missing, or if it is damaged otherwise.
fn findings(info: &ArchiveInfo, archive: &Archive) -> Vec<Finding> {
    let mut findings = Vec::new();
    if info.is_check {
        for (effect, why, engines) in info.verdicts() {
            if effect == Effect::Loads {
                continue;
            }
            let finding = finding::judged(engines, effect == Effect::Misread, why);
            let finding = finding.help(Help::ConvertForEngine);
            findings.push(finding.means(Meaning::NotLoaded).at_path(&info.archive));
        }
    }
    let errors = finding::archive_errors(archive);
    if !errors.is_empty() {
        findings.extend(errors);
    } else if info.is_damaged() {
        findings.push(
            Finding::error("the archive is damaged")
                .many("archives are damaged")
                .help(Help::Verify)
                .at_path(&info.archive),
        );
    }
    findings
}

impl ContentTypes {
    /// Looks at these entries of an archive, on all threads, and finds what these engines cannot read.
    pub(crate) fn of_entries(
        context: &Context<'_>,
        entries: &[Entry<'_>],
        engines: Engines,
    ) -> Self {
        let headers = headers_of(context, entries, Depth::Type);
        let mut content = Self::default();
        for (entry, header) in entries.iter().zip(headers) {
            let Some(header) = header else { continue };
            let entry = EntryName { index: entry.index(), name: entry.name().as_bytes().to_vec() };
            let Ok(found) = header else {
                content.unreadable.push(entry);
                continue;
            };
            if found.is_contrary() {
                content.contrary.push(Contrary { entry: entry.clone(), found: found.file_type });
            }
            if let Some(file_type) = found.file_type {
                content.kinds.entry(file_type).or_default().push(entry);
            }
        }
        for engine in engines.iter() {
            for (&file_type, entries) in &content.kinds {
                // Music is not judged, because most engines do not play it in the same way as effects.
                let count = entries.iter().filter(|entry| !is_music(&entry.name)).count();
                let is_judged = count > 0 && !file_type.shares_extensions();
                if is_judged && engine.reads(file_type.as_str()) == Some(false) {
                    content.unread.push(Unread { engine, file_type, count });
                }
            }
        }
        content
    }
}

/// Whether a file is in a folder where games keep their music.
fn is_music(name: &[u8]) -> bool {
    name.split_first_chunk().is_some_and(|(folder, _): (&[u8; 6], _)| {
        folder.eq_ignore_ascii_case(b"music/") || folder.eq_ignore_ascii_case(b"music\\")
    })
}

/// An oddity of entries.
struct Unusual {
    /// The sentence before the list of entries.
    words: &'static str,
    is_so: fn(&Entry<'_>, &Account) -> bool,
}

#[rustfmt::skip]
const DAMAGE: [Unusual; 3] = [
    Unusual { words: "outside the file: the payloads of",
        is_so: |entry, _| claims(entry, |kind| matches!(kind, ErrorKind::OutsideFile { .. })) },
    Unusual { words: "larger than their streams can hold:",
        is_so: |entry, _| claims(entry, |kind| matches!(kind, ErrorKind::ImpossibleSize { .. })) },
    Unusual { words: "cannot be read, because of what the archive says about them:",
        is_so: |entry, _| claims(entry, |kind| {
            matches!(kind, ErrorKind::Flawed(flaw) if !flaw.is_unsupported())
        }) },
];

#[rustfmt::skip]
const ODDITIES: [Unusual; 11] = [
    Unusual { words: "not supported, because of their compression or encryption:",
        is_so: |entry, _| is_unsupported(entry) && !is_link_to_folder(entry) },
    Unusual { words: "not supported, because they are symbolic links to folders:",
        is_so: |entry, _| is_link_to_folder(entry) },
    Unusual { words: "over the header or the directory: the payloads of",
        is_so: |entry, account| account.over_structure.binary_search(&entry.index()).is_ok() },
    Unusual { words: "names that an earlier entry has: those of",
        is_so: |entry, _| !is_first(entry, Case::Matters) },
    Unusual { words: "names that differ from an earlier one only in case: those of",
        is_so: |entry, _| is_first(entry, Case::Matters) && !is_first(entry, Case::Ignored) },
    Unusual { words: "names that are not allowed for files: those of",
        is_so: |entry, _| SafePath::try_from(entry.name()).is_err() },
    Unusual { words: "names that fill their field, which few engines find: those of",
        is_so: |entry, _| fills_its_field(entry) },
    Unusual { words: "names that are not UTF-8: those of",
        is_so: |entry, _| entry.name().to_str().is_none() },
    Unusual { words: "leftovers after the name's end: in",
        is_so: |entry, _| has_leftovers(entry) },
    Unusual { words: "compressed with a flag other than 1:",
        is_so: |entry, _| record(entry).is_some_and(|record| record.flag > 1) },
    Unusual { words: "compressed though the game reads this type only stored:",
        is_so: |entry, _| entry.coding() == Coding::Daikatana
            && Format::Daikatana.coding_for(entry.name()) == Coding::Stored },
];

/// All remarks about an archive: about the archive as a whole, about payloads, and about names and records.
fn remarks(archive: &Archive, account: &Account) -> Vec<Finding> {
    let notes = archive.notes().iter().cloned().chain(archive.header_note());
    let mut remarks: Vec<Finding> = notes.map(Finding::from).collect();
    about_entries(archive, account, &DAMAGE, Finding::error, &mut remarks);
    if account.overlapping > 0 {
        let bytes = account.overlapping;
        let belong = if bytes == 1 { "belongs" } else { "belong" };
        remarks.push(Finding::warning(format!(
            "{} {belong} to payloads that overlap without being the same",
            Bytes(bytes)
        )));
    }
    about_entries(archive, account, &ODDITIES, Finding::warning, &mut remarks);
    remarks
}

/// Adds a remark for each row of a table that is true of an entry.
fn about_entries(
    archive: &Archive,
    account: &Account,
    table: &[Unusual],
    remark: fn(String) -> Finding,
    remarks: &mut Vec<Finding>,
) {
    for Unusual { words, is_so } in table {
        let mut found = archive.entries().filter(|entry| is_so(entry, account));
        let Some(first) = found.next() else { continue };
        let entries = EntrySet {
            count: 1 + found.count(),
            first: first.index(),
            name: first.name().as_bytes().to_vec(),
        };
        remarks.push(remark(format!("{words} {entries}")));
    }
}

/// Whether an entry is a symbolic link to a folder.
fn is_link_to_folder(entry: &Entry<'_>) -> bool {
    claims(entry, |kind| matches!(kind, ErrorKind::Flawed(Flaw::LinkToFolder(_))))
}

/// Whether daisho does not support an entry, which is not damaged.
fn is_unsupported(entry: &Entry<'_>) -> bool {
    claims(entry, |kind| matches!(kind, ErrorKind::Flawed(flaw) if flaw.is_unsupported()))
}

/// Whether an entry makes a claim that is wrong in this way.
fn claims(entry: &Entry<'_>, is: fn(&ErrorKind) -> bool) -> bool {
    let error = entry.check_claims().err();
    error.is_some_and(|error| is(error.kind()))
}

/// Whether no earlier entry has the name of this one.
fn is_first(entry: &Entry<'_>, case: Case) -> bool {
    let name = entry.name().as_bytes();
    let first = entry.archive().find(name, case, Which::First);
    first.is_none_or(|first| first.index() == entry.index())
}

/// Whether the name does not end in a NUL byte.
fn fills_its_field(entry: &Entry<'_>) -> bool {
    let format = entry.archive().format();
    let most = format.map_or(usize::MAX, |format| format.spec().name_max);
    record(entry).is_some_and(|record| record.name.as_bytes().len() > most)
}

/// Whether there are other bytes than zeros after the NUL byte that ends the name.
fn has_leftovers(entry: &Entry<'_>) -> bool {
    let archive = entry.archive();
    let Some(format) = archive.format() else {
        return false;
    };
    let rest = Record::after_name(format, archive.directory(), entry.index());
    rest.is_some_and(|rest| rest.iter().any(|byte| *byte != 0))
}

fn record<'a>(entry: &Entry<'a>) -> Option<Record<'a>> {
    let archive = entry.archive();
    Record::nth(archive.format()?, archive.directory(), entry.index())
}

/// Looks at the whole content of an entry. If the entry is damaged, its beginning may still tell what it is.
pub(crate) fn whole(entry: Entry<'_>) -> (Option<EntryRow>, Option<Finding>) {
    let (details, error) = match look_at_all(entry) {
        Ok(details) => (details, None),
        Err(error) => match look_at_start(entry, map_limit(&[entry]), Depth::Header) {
            Ok(header) => (header, Some(Finding::from(error))),
            Err(error) => return (None, Some(Finding::from(error))),
        },
    };
    let archive = Arc::from(entry.archive().path().unwrap_or(Path::new("")));
    let mut row = EntryRow::of(&archive, &entry);
    row.kind = Some(Kind::of(entry.name()));
    row.packed_size = Some(entry.stored_len());
    let other = if details.file_type.is_none() { other_type(entry) } else { None };
    row.facts = Some(EntryFacts { details: Some(Box::new(details)), is_whole: true, other });
    (Some(row), error)
}

/// How many bytes of an entry are examined to find out whether it is text.
const LOOKED_AT: u64 = 4096;

/// What a file of no known type is, if its beginning tells. A text is not empty, and has no NUL bytes and few control
/// characters there.
fn other_type(entry: Entry<'_>) -> Option<&'static str> {
    let start = entry.start(LOOKED_AT).ok()?;
    if let Some(what) = known_as(&start) {
        return Some(what);
    }
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let controls = start.iter().filter(is_control).count();
    let is_text = !start.is_empty() && !start.contains(&0) && controls * 10 <= start.len();
    is_text.then_some(TEXT)
}

/// Looks at the beginnings of entries, on all threads. `None` for an entry whose name has no known type, that is
/// empty, or whose claims cannot be true.
pub(super) fn headers_of(
    context: &Context<'_>,
    entries: &[Entry<'_>],
    depth: Depth,
) -> Vec<Option<Result<FileFacts, Error>>> {
    // Only entries that are read are work for threads: most archives of a collection have few of them.
    let worth = entries.iter().copied().enumerate().filter(|(_, entry)| is_worth_a_look(entry));
    let (places, worth): (Vec<usize>, Vec<Entry<'_>>) = worth.unzip();
    let limit = map_limit(&worth);
    let found = context.pool.map(&worth, |entry| look_at_start(*entry, limit, depth));
    let mut headers = Vec::new();
    headers.resize_with(entries.len(), || None);
    for (place, found) in places.into_iter().zip(found) {
        if let Some(header) = headers.get_mut(place) {
            *header = Some(found);
        }
    }
    headers
}
