//! What is unusual in an archive: one sentence for each kind of oddity.

use crate::archive::error::ErrorKind;
use crate::archive::{Account, Archive, Case, Coding, Entry, Format, Note, SafePath, Which};
use crate::codec::Bytes;
use crate::engine::Entries;
use crate::format::Record;
use crate::ops::row::Remark;

/// An oddity of entries: whether it is damage, the sentence before the list of entries, and the test for it.
type Unusual = (bool, &'static str, fn(&Entry<'_>, &Account) -> bool);

#[rustfmt::skip]
const PAYLOADS: [Unusual; 4] = [
    (true, "outside the file: the payloads of",
        |entry, _| claims(entry, |kind| matches!(kind, ErrorKind::OutsideFile { .. }))),
    (true, "larger than their streams can hold:",
        |entry, _| claims(entry, |kind| matches!(kind, ErrorKind::ImpossibleSize { .. }))),
    (true, "cannot be read, because of what the archive says about them:",
        |entry, _| claims(entry, |kind| matches!(kind, ErrorKind::Flawed(_)))),
    (false, "over the header or the directory: the payloads of",
        |entry, account| account.over_structure.binary_search(&entry.index()).is_ok()),
];

#[rustfmt::skip]
const NAMES_AND_RECORDS: [Unusual; 10] = [
    (false, "names that an earlier entry has: those of",
        |entry, _| !is_first(entry, Case::Matters)),
    (false, "names that differ from an earlier one only in case: those of",
        |entry, _| is_first(entry, Case::Matters) && !is_first(entry, Case::Ignored)),
    (false, "names that are not allowed for files: those of",
        |entry, _| SafePath::try_from(entry.name()).is_err()),
    (false, "names that fill their field, which few engines find: those of",
        |entry, _| fills_its_field(entry)),
    (false, "names that are not UTF-8: those of",
        |entry, _| entry.name().to_str().is_none()),
    (false, "names with a backslash, which is a slash to some engines and never found by others: those of",
        |entry, _| entry.name().as_bytes().contains(&b'\\')),
    (false, "names with upper-case letters, which some engines find only as they are spelled: those of",
        |entry, _| entry.name().as_bytes().iter().any(u8::is_ascii_uppercase)),
    (false, "leftovers after the name's end: in",
        |entry, _| has_leftovers(entry)),
    (false, "compressed with a flag other than 1:",
        |entry, _| has_odd_flag(entry)),
    (false, "compressed though the game reads this type only stored:",
        |entry, _| entry.coding() == Coding::Daikatana
            && Format::Daikatana.coding_for(entry.name()) == Coding::Stored),
];

/// All remarks about an archive: about the archive as a whole, about payloads, and about names and records.
pub(super) fn of(archive: &Archive, account: &Account) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for note in archive.notes() {
        remarks.push(Remark {
            words: note.to_string(),
            is_damage: matches!(note, Note::DirectoryCut { .. } | Note::Salvaged { .. }),
        });
    }
    about_entries(archive, account, &PAYLOADS, &mut remarks);
    if account.overlapping > 0 {
        let bytes = account.overlapping;
        let belong = if bytes == 1 { "belongs" } else { "belong" };
        let words = format!(
            "{} {belong} to payloads that overlap without being the same",
            Bytes(bytes)
        );
        remarks.push(Remark {
            words,
            is_damage: false,
        });
    }
    about_entries(archive, account, &NAMES_AND_RECORDS, &mut remarks);
    remarks
}

/// Adds a remark for each row of a table that is true of an entry.
fn about_entries(
    archive: &Archive,
    account: &Account,
    table: &[Unusual],
    remarks: &mut Vec<Remark>,
) {
    for (is_damage, words, is_so) in table {
        let mut found = archive.entries().filter(|entry| is_so(entry, account));
        let Some(first) = found.next() else { continue };
        let entries = Entries {
            count: 1 + found.count(),
            first: first.index(),
            name: first.name().as_bytes().to_vec(),
        };
        remarks.push(Remark {
            words: format!("{words} {entries}"),
            is_damage: *is_damage,
        });
    }
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

/// Whether the flag for compression is set to another number than 1.
fn has_odd_flag(entry: &Entry<'_>) -> bool {
    let packed = record(entry).and_then(|record| record.packed);
    packed.is_some_and(|packed| packed.flag > 1)
}

/// Whether the name does not end in a NUL byte.
fn fills_its_field(entry: &Entry<'_>) -> bool {
    let most = entry.archive().format().spec().name_max;
    record(entry).is_some_and(|record| record.name.as_bytes().len() > most)
}

/// Whether there are other bytes than zeros after the NUL byte that ends the name.
fn has_leftovers(entry: &Entry<'_>) -> bool {
    let archive = entry.archive();
    let rest = Record::after_name(archive.format(), archive.directory(), entry.index());
    rest.is_some_and(|rest| rest.iter().any(|byte| *byte != 0))
}

fn record<'a>(entry: &Entry<'a>) -> Option<Record<'a>> {
    let archive = entry.archive();
    Record::nth(archive.format(), archive.directory(), entry.index())
}
