//! What is unusual in a pak, each kind of it in one sentence.

use crate::archive::error::ErrorKind;
use crate::archive::{Account, Archive, Case, Coding, Entry, Format, SafePath, Which};
use crate::engine::Entries;
use crate::format::{Record, coding_for};
use crate::ops::row::Remark;

/// All there is to remark, what costs something first.
pub(super) fn of(archive: &Archive, account: &Account) -> Vec<Remark> {
    let claims = |entry: &Entry<'_>, is: fn(&ErrorKind) -> bool| {
        let error = entry.check_claims().err();
        error.is_some_and(|error| is(error.kind()))
    };
    let first_of = |entry: &Entry<'_>, case| {
        let first = archive.find(entry.name().as_bytes(), case, Which::First);
        first.map_or(entry.index(), |first| first.index())
    };
    let is_first = |entry: &Entry<'_>, case| first_of(entry, case) == entry.index();
    let any = |entry: &Entry<'_>, byte: fn(&u8) -> bool| entry.name().as_bytes().iter().any(byte);
    let pak = archive.notes().iter().copied().map(Remark::Pak);
    let overlapping = (account.overlapping > 0).then_some(Remark::Overlapping {
        bytes: account.overlapping,
    });
    let over = |entry: &Entry<'_>| account.over_structure.binary_search(&entry.index()).is_ok();
    let outside = |kind: &ErrorKind| matches!(kind, ErrorKind::OutsideFile { .. });
    let impossible = |kind: &ErrorKind| matches!(kind, ErrorKind::ImpossibleSize { .. });
    let flawed = |kind: &ErrorKind| matches!(kind, ErrorKind::Flawed(_));
    pak.chain(some(archive, Remark::Outside, |e| claims(e, outside)))
        .chain(some(archive, Remark::Impossible, |e| claims(e, impossible)))
        .chain(some(archive, Remark::Flawed, |e| claims(e, flawed)))
        .chain(some(archive, Remark::OverStructure, over))
        .chain(overlapping)
        .chain(some(archive, Remark::Duplicates, |e| {
            !is_first(e, Case::Matters)
        }))
        .chain(some(archive, Remark::OnlyCase, |e| {
            is_first(e, Case::Matters) && !is_first(e, Case::Ignored)
        }))
        .chain(some(archive, Remark::NoPath, |e| {
            SafePath::try_from(e.name()).is_err()
        }))
        .chain(some(archive, Remark::Endless, |e| {
            fills_its_field(archive, e)
        }))
        .chain(some(archive, Remark::NotUtf8, |e| {
            e.name().to_str().is_none()
        }))
        .chain(some(archive, Remark::Backslash, |e| {
            any(e, |byte| *byte == b'\\')
        }))
        .chain(some(archive, Remark::UpperCase, |e| {
            any(e, u8::is_ascii_uppercase)
        }))
        .chain(some(archive, Remark::Leftovers, |e| {
            has_leftovers(archive, e)
        }))
        .chain(some(archive, Remark::OddFlag, |e| has_odd_flag(archive, e)))
        .chain(some(archive, Remark::MustBeStored, |e| {
            e.coding() == Coding::Daikatana
                && coding_for(e.name(), Format::Daikatana) == Coding::Stored
        }))
        .collect()
}

/// A remark about the entries that are so, if there are any.
fn some(
    archive: &Archive,
    remark: fn(Entries) -> Remark,
    is_so: impl Fn(&Entry<'_>) -> bool,
) -> Option<Remark> {
    let mut found = archive.entries().filter(is_so);
    let first = found.next()?;
    Some(remark(Entries {
        count: 1 + found.count(),
        first: first.index(),
        name: first.name().as_bytes().to_vec(),
    }))
}

/// Whether the flag that says compressed is another number than 1.
fn has_odd_flag(archive: &Archive, entry: &Entry<'_>) -> bool {
    let record = Record::nth(archive.format(), archive.directory(), entry.index());
    let packed = record.and_then(|record| record.packed);
    packed.is_some_and(|packed| packed.flag > 1)
}

/// Whether the name has no NUL that ends it.
fn fills_its_field(archive: &Archive, entry: &Entry<'_>) -> bool {
    let record = Record::nth(archive.format(), archive.directory(), entry.index());
    record.is_some_and(|record| record.name.as_bytes().len() > archive.format().spec().name_max)
}

/// Whether anything but zeros stands behind the NUL that ends the name.
fn has_leftovers(archive: &Archive, entry: &Entry<'_>) -> bool {
    let rest = Record::behind_name(archive.format(), archive.directory(), entry.index());
    rest.iter().any(|byte| *byte != 0)
}
