//! What the fuzz target `write_read` asserts: see [`fuzz_bodies`](super::fuzz_bodies).

use daisho::ErrorKind;
use daisho::pak::{
    Archive, Coding, Entry, Layout, Limits, MemorySink, Planner, RawName, Writer, coding_for,
};

use super::chosen::any_pak;
use crate::choices::Choices;
use crate::pak::build::PACKS;

/// Any entries of any pak, written in both layouts and both ways, are read back as they were:
/// no gap, nothing twice that was there once, the same bytes in whatever order they were filled.
pub(crate) fn write_read(data: &[u8]) {
    let mut choices = Choices(data);
    let (layout, plausible, bytes) = any_pak(&mut choices);
    let source = Archive::with_options(&bytes[..], Some(layout)).unwrap();
    convert(&source, plausible);
}

/// Writes what is sound of `source` in every way, there and back, and reads it. Where all names are
/// `plausible`, the layout of what was written is told from its records.
pub(crate) fn convert(source: &Archive<&[u8]>, plausible: bool) {
    let good = |entry: &From<'_>| entry.name().as_bytes().len() < 56;
    let sound: Vec<_> = source
        .entries()
        .filter(|entry| good(entry) && entry.read().is_ok())
        .collect();
    for layout in PACKS {
        let planned = plan_and_fill(source, &sound, layout);
        check(planned.as_deref(), &sound, layout, plausible, |_| {
            Coding::Stored
        });
        let written = lay_down(source, layout, chosen(layout));
        assert_eq!(written, lay_down(source, layout, chosen(layout)));
        check(
            written.as_deref(),
            &sound,
            layout,
            plausible,
            chosen(layout),
        );
        for back in PACKS {
            there_and_back(written.as_deref(), (layout, back), plausible, chosen(back));
        }
    }
    let forced = lay_down(source, Layout::Daikatana, |_| Coding::Compressed);
    check(
        forced.as_deref(),
        &sound,
        Layout::Daikatana,
        plausible,
        |_| Coding::Compressed,
    );
}

/// What was written in the first layout, written in the second.
fn there_and_back(
    written: Option<&[u8]>,
    (there, back): (Layout, Layout),
    plausible: bool,
    coding: impl Fn(RawName<'_>) -> Coding,
) {
    let Some(bytes) = written else {
        return;
    };
    let source = Archive::with_options(bytes, Some(there)).unwrap();
    let all: Vec<_> = source.entries().collect();
    let again = lay_down(&source, back, &coding);
    check(again.as_deref(), &all, back, plausible, coding);
    // Nothing that was shared or out of order is left, so a second time changes nothing.
    assert!(there != back || again.as_deref() == Some(bytes));
}

/// The coding for each entry, by its name.
fn chosen(layout: Layout) -> impl Fn(RawName<'_>) -> Coding {
    move |name| coding_for(name, layout)
}

type From<'a> = Entry<'a, &'a [u8]>;

/// The sound entries, stored, filled in from either end.
fn plan_and_fill(source: &Archive<&[u8]>, sound: &[From<'_>], layout: Layout) -> Option<Vec<u8>> {
    let mut planner = Planner::new(layout, Limits::default());
    for entry in source.entries() {
        if sound.iter().any(|sound| sound.index() == entry.index()) {
            planner.push_entry(0, &entry).unwrap();
        } else if entry.name().as_bytes().len() >= 56 || entry.check_claims().is_err() {
            let error = planner.push_entry(0, &entry).unwrap_err();
            assert_eq!(error.entry().unwrap().0, entry.index());
        }
    }
    let plan = match planner.finish() {
        Ok(plan) => plan,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::NothingToWrite));
            return None;
        }
    };
    let order: Vec<usize> = plan.payloads().map(|(index, _)| index).collect();
    let fill = |order: &mut dyn Iterator<Item = &usize>| {
        let sink = MemorySink::new();
        for index in order {
            plan.fill(*index, &sound[*index], &sink).unwrap();
        }
        assert_eq!(plan.seal(&sink).unwrap(), plan.file_len());
        sink.into_bytes()
    };
    let forward = fill(&mut order.iter());
    assert_eq!(forward, fill(&mut order.iter().rev()));
    assert_eq!(forward.len() as u64, plan.file_len());
    Some(forward)
}

/// All entries; those that are damaged, or whose names cannot be written, leave nothing behind.
fn lay_down(
    source: &Archive<&[u8]>,
    layout: Layout,
    coding: impl Fn(RawName<'_>) -> Coding,
) -> Option<Vec<u8>> {
    let mut writer = Writer::new(MemorySink::new(), layout, Limits::default());
    for entry in source.entries() {
        let before = writer.len();
        match writer.add_entry(0, &entry, coding(entry.name())) {
            Ok(index) => assert_eq!(index, before),
            Err(error) => {
                assert_eq!(writer.len(), before);
                assert_eq!(error.entry().unwrap().0, entry.index());
                assert!(entry.name().as_bytes().len() >= 56 || entry.read().is_err());
            }
        }
    }
    match writer.finish() {
        Ok((sink, len)) => {
            let bytes = sink.into_bytes();
            assert_eq!(bytes.len() as u64, len);
            Some(bytes)
        }
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::NothingToWrite));
            None
        }
    }
}

/// That `written` holds what `sound` holds, and nothing else.
fn check(
    written: Option<&[u8]>,
    sound: &[From<'_>],
    layout: Layout,
    plausible: bool,
    coding: impl Fn(RawName<'_>) -> Coding,
) {
    let Some(bytes) = written else {
        assert!(sound.is_empty());
        return;
    };
    let archive = Archive::with_options(bytes, Some(layout)).unwrap();
    if plausible {
        let found = Archive::new(bytes).unwrap();
        assert_eq!(found.layout(), layout, "{}", found.detection());
    }
    assert_eq!(archive.len(), sound.len());
    assert_eq!(archive.oddities(), []);
    let account = archive.account();
    assert_eq!(account.sum(), bytes.len() as u64);
    let nothing = account.gaps.is_empty() && account.outside.is_empty();
    assert!(nothing && account.over_structure.is_empty(), "{account:?}");
    assert_eq!((account.trailing, account.overlapping), (0, 0));

    let mut places = std::collections::HashMap::new();
    let mut payload = 0;
    for (entry, from) in archive.entries().zip(sound) {
        assert_eq!(entry.name(), from.name());
        assert_eq!(entry.read().unwrap(), from.read().unwrap());
        let coding = coding(from.name());
        if entry.is_compressed() {
            assert_eq!(coding, Coding::Compressed);
            assert!(entry.stored_len() < entry.size());
            assert!(entry.is_clean_stream().unwrap());
        }
        let Some(extent) = entry.extent() else {
            continue;
        };
        let record = from.record();
        let flag = record.packed.map_or(0, |packed| packed.flag);
        let origin = (
            record.offset,
            record.stored_len(),
            record.size,
            flag,
            coding,
        );
        let place = *places.entry(origin).or_insert_with(|| {
            payload += extent.len;
            extent
        });
        assert_eq!(place, extent, "what was shared is shared");
    }
    assert_eq!(account.payload, payload, "what was not shared is not");
}
