//! What is written is read back, is the same in whatever order it is filled, and shares what was
//! shared.

use daisho::ErrorKind;
use daisho::pak::{Archive, Coding, Layout, Limits, MemorySink, Plan, Planner, Writer, coding_for};
use proptest::prelude::*;

use super::build::{Entry, Pak};
use super::generate::Random;

fn plan(archive: &Archive<Vec<u8>>, layout: Layout) -> Plan<'_> {
    let mut planner = Planner::new(layout, Limits::default());
    for entry in archive.entries() {
        planner.push_entry(0, &entry).unwrap();
    }
    planner.finish().unwrap()
}

fn fill(archive: &Archive<Vec<u8>>, plan: &Plan<'_>, order: &[usize]) -> Vec<u8> {
    let sink = MemorySink::new();
    for &index in order {
        plan.fill(index, &archive.entry(index).unwrap(), &sink)
            .unwrap();
    }
    assert_eq!(plan.seal(&sink).unwrap(), plan.file_len());
    let bytes = sink.into_bytes();
    assert_eq!(bytes.len() as u64, plan.file_len());
    bytes
}

fn convert(bytes: Vec<u8>, layout: Layout) -> Vec<u8> {
    let archive = Archive::new(bytes).unwrap();
    let plan = plan(&archive, layout);
    let order: Vec<usize> = plan.payloads().map(|(index, _)| index).collect();
    fill(&archive, &plan, &order)
}

fn contents(bytes: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let archive = Archive::new(bytes).unwrap();
    let content = |entry: daisho::pak::Entry<'_, _>| {
        (entry.name().as_bytes().to_vec(), entry.read().unwrap())
    };
    archive.entries().map(content).collect()
}

fn sample() -> Vec<u8> {
    let mut pak = Pak::new().stored("a.wav", b"abcd");
    pak.payload(b"dead data");
    let mut pak = pak
        .compressed("b.tga", 65, b"\x7f\xff")
        .stored("empty.cfg", b"")
        .stored("c.dat", b"xyz");
    let (shared, twin) = (pak.entries[1].clone(), pak.payload(b"\x7f\xff"));
    pak = pak
        .entry(Entry {
            name: b"d.tga".to_vec(),
            ..shared.clone()
        })
        .entry(Entry {
            name: b"twin.tga".to_vec(),
            offset: twin,
            ..shared
        });
    pak.daikatana()
}

#[test]
fn a_conversion_keeps_order_contents_and_shared_extents_and_drops_gaps() {
    let quake = convert(sample(), Layout::Quake);
    assert_eq!(contents(&quake), contents(&sample()));
    let archive = Archive::new(&quake).unwrap();
    assert_eq!(archive.layout(), Layout::Quake);
    let account = archive.account();
    assert_eq!((account.gap_bytes(), account.trailing), (0, 0));
    // The twin has the same content and its own place, as it had.
    assert_eq!(account.shared.len(), 1);
    assert_eq!(account.payload, 4 + 65 + 3 + 65);
    let stored = convert(quake, Layout::Daikatana);
    assert_eq!(contents(&stored), contents(&sample()));
    let archive = Archive::new(stored).unwrap();
    assert_eq!(archive.layout(), Layout::Daikatana);
    assert!(
        archive
            .entries()
            .all(|entry| entry.record().packed.unwrap().size == entry.size())
    );
}

#[test]
fn the_order_of_filling_does_not_matter() {
    let archive = Archive::new(sample()).unwrap();
    let plan = plan(&archive, Layout::Quake);
    let mut order: Vec<usize> = plan.payloads().map(|(index, _)| index).collect();
    let forwards = fill(&archive, &plan, &order);
    order.reverse();
    assert_eq!(fill(&archive, &plan, &order), forwards);
    let sink = MemorySink::new();
    std::thread::scope(|scope| {
        for &index in &order {
            let (archive, plan, sink) = (&archive, &plan, &sink);
            scope.spawn(move || {
                plan.fill(index, &archive.entry(index).unwrap(), sink)
                    .unwrap()
            });
        }
    });
    plan.seal(&sink).unwrap();
    assert_eq!(sink.into_bytes(), forwards);
}

#[test]
fn damage_while_filling_names_the_entry_and_a_new_plan_goes_without_it() {
    let bytes = Pak::new()
        .stored("a.wav", b"abcd")
        .compressed("bad.tga", 65, b"\x7e\xff")
        .stored("b.wav", b"efgh")
        .daikatana();
    let archive = Archive::new(bytes).unwrap();
    let sink = MemorySink::new();
    let error = plan(&archive, Layout::Quake)
        .fill(1, &archive.entry(1).unwrap(), &sink)
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Damaged(_)), "{error}");
    let mut planner = Planner::new(Layout::Quake, Limits::default());
    let good: Vec<_> = archive
        .entries()
        .filter(|entry| entry.index() != 1)
        .collect();
    for entry in &good {
        planner.push_entry(0, entry).unwrap();
    }
    let plan = planner.finish().unwrap();
    let sink = MemorySink::new();
    for (index, _) in plan.payloads() {
        plan.fill(index, &good[index], &sink).unwrap();
    }
    plan.seal(&sink).unwrap();
    assert_eq!(contents(&sink.into_bytes()).len(), 2);
}

/// As a conversion to Daikatana's layout does it.
fn compress(bytes: Vec<u8>, all_stored: bool) -> Vec<u8> {
    let archive = Archive::new(bytes).unwrap();
    let mut writer = Writer::new(MemorySink::new(), Layout::Daikatana, Limits::default());
    for entry in archive.entries() {
        let coding = coding_for(entry.name(), Layout::Daikatana);
        let coding = if all_stored { Coding::Stored } else { coding };
        assert_eq!(writer.add_entry(0, &entry, coding).unwrap(), entry.index());
    }
    let (sink, len) = writer.finish().unwrap();
    let bytes = sink.into_bytes();
    assert_eq!(bytes.len() as u64, len);
    bytes
}

#[test]
fn only_the_five_types_are_compressed_and_only_where_it_makes_them_smaller() {
    let mut random = Random::new(7);
    let noise: Vec<u8> = (0..30_000).map(|_| random.byte()).collect();
    let long = [b"text that comes again ".repeat(5_000), noise.clone()].concat();
    let quake = Pak::new()
        .stored("zeros.tga", &[0; 1000])
        .stored("zeros.wav", &[0; 1000])
        .stored("noise.bsp", &noise)
        .stored("LONG.BMP", &long)
        .stored("one.wal", b"x")
        .stored("empty.pcx", b"")
        .quake();
    let packed = compress(quake.clone(), false);
    assert_eq!(contents(&packed), contents(&quake));
    let archive = Archive::new(&packed).unwrap();
    assert_eq!(archive.layout(), Layout::Daikatana);
    let compressed: Vec<bool> = archive
        .entries()
        .map(|entry| entry.is_compressed())
        .collect();
    assert_eq!(compressed, [true, false, false, true, false, false]);
    for entry in archive.entries().filter(|entry| entry.is_compressed()) {
        assert!(entry.is_clean_stream().unwrap());
    }
    let account = archive.account();
    assert_eq!((account.gap_bytes(), account.trailing), (0, 0));
    let stored = compress(quake.clone(), true);
    assert_eq!(contents(&stored), contents(&quake));
    assert!(
        Archive::new(stored)
            .unwrap()
            .entries()
            .all(|entry| !entry.is_compressed())
    );
}

#[test]
fn a_clean_stream_is_passed_on_and_any_other_is_coded_again() {
    // The first is clean; then bytes behind the end, a copy that overlaps, the reserved byte.
    let bytes = Pak::new()
        .compressed("clean.tga", 1 + 64 + 1, b"\x00a\x7e\x00b\xff")
        .compressed("tail.tga", 66, b"\x00a\x7e\x00b\xff.")
        .compressed("overlap.tga", 62, b"\x01ab\xfa\x00\xff")
        .compressed("reserved.tga", 66, b"\x00a\x7e\xfe\x00b\xff")
        .compressed("not smaller.tga", 4, b"\x03abcd\xff")
        .compressed("wrong type.wav", 66, b"\x00a\x7e\x00b\xff")
        .daikatana();
    let packed = compress(bytes.clone(), false);
    assert_eq!(contents(&packed), contents(&bytes));
    let archive = Archive::new(&packed).unwrap();
    let first = archive.entry(0).unwrap().extent().unwrap();
    assert_eq!(&packed[12..][..first.len as usize], b"\x00a\x7e\x00b\xff");
    let compressed: Vec<bool> = archive
        .entries()
        .map(|entry| entry.is_compressed())
        .collect();
    assert_eq!(compressed, [true, true, true, true, false, false]);
    for entry in archive.entries().take(4) {
        assert!(entry.is_clean_stream().unwrap());
    }
}

#[test]
fn extents_stay_shared_where_the_coding_agrees() {
    let mut pak = Pak::new().stored("a.tga", &[0; 500]);
    let first = pak.entries[0].clone();
    for name in ["b.tga", "c.wav", "d.wav"] {
        pak = pak.entry(Entry {
            name: name.into(),
            ..first.clone()
        });
    }
    let packed = compress(pak.quake(), false);
    let archive = Archive::new(&packed).unwrap();
    let extents: Vec<_> = archive
        .entries()
        .map(|entry| entry.extent().unwrap())
        .collect();
    assert_eq!((extents[0], extents[2]), (extents[1], extents[3]));
    assert_ne!(extents[0], extents[2]);
}

#[test]
fn a_damaged_entry_is_named_and_leaves_nothing_behind() {
    let bytes = Pak::new()
        .stored("a.wav", b"abcd")
        .compressed("bad.tga", 65, b"\x7e\xff")
        .stored("b.wav", b"efgh")
        .daikatana();
    let archive = Archive::new(bytes).unwrap();
    let mut writer = Writer::new(MemorySink::new(), Layout::Daikatana, Limits::default());
    let added: Vec<bool> = archive
        .entries()
        .map(
            |entry| match writer.add_entry(0, &entry, Coding::Compressed) {
                Ok(_) => true,
                Err(error) => {
                    assert_eq!(error.entry().unwrap().0, 1);
                    false
                }
            },
        )
        .collect();
    assert_eq!(added, [true, false, true]);
    let (sink, len) = writer.finish().unwrap();
    assert_eq!(len, 12 + 4 + 4 + 2 * 72);
    assert_eq!(contents(&sink.into_bytes()).len(), 2);
}

#[test]
fn a_name_of_56_bytes_is_refused_by_name() {
    let archive = Archive::new(Pak::new().stored(&"x".repeat(56), b"abc").quake()).unwrap();
    let mut planner = Planner::new(Layout::Quake, Limits::default());
    let error = planner
        .push_entry(0, &archive.entry(0).unwrap())
        .unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::NameTooLong { len: 56, .. }
    ));
    assert_eq!(error.entry().unwrap().0, 0);
}

#[test]
fn a_hundred_thousand_entries_are_written_and_found() {
    let names: Vec<String> = (0..100_000).map(|i| format!("textures/t{i}.wal")).collect();
    let mut planner = Planner::new(Layout::Quake, Limits::default());
    for name in &names {
        planner.push(name.as_str().into(), 4, None).unwrap();
    }
    let plan = planner.finish().unwrap();
    let sink = MemorySink::new();
    for (index, _) in plan.payloads() {
        let mut slot = plan.slot(index, &sink).unwrap();
        slot.write(&(index as u32).to_le_bytes()).unwrap();
        slot.finish().unwrap();
    }
    plan.seal(&sink).unwrap();
    let archive = Archive::new(sink.into_bytes()).unwrap();
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let index = random.below(100_000);
        let name = &names[index as usize];
        let found = archive.find(name, daisho::pak::Case::Ignored, daisho::pak::Which::First);
        assert_eq!(found.unwrap().read().unwrap(), index.to_le_bytes());
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        files in prop::collection::vec(("[a-zA-Z0-9_/.\\\\é]{1,20}", prop::collection::vec(any::<u8>(), 0..200)), 1..40),
        daikatana in any::<bool>(),
    ) {
        let layout = if daikatana { Layout::Daikatana } else { Layout::Quake };
        let mut planner = Planner::new(layout, Limits::default());
        for (name, content) in &files {
            planner.push(name.as_str().into(), content.len() as u64, None).unwrap();
        }
        let plan = planner.finish().unwrap();
        let sink = MemorySink::new();
        for (index, _) in plan.payloads() {
            let mut slot = plan.slot(index, &sink).unwrap();
            slot.write(&files[index].1).unwrap();
            slot.finish().unwrap();
        }
        plan.seal(&sink).unwrap();
        let bytes = sink.into_bytes();
        let archive = Archive::new(&bytes).unwrap();
        prop_assert_eq!(archive.layout(), layout);
        prop_assert_eq!(archive.account().trailing, 0);
        let expected: Vec<_> = files.iter().map(|(name, content)| (name.as_bytes().to_vec(), content.clone())).collect();
        prop_assert_eq!(contents(&bytes), expected);
    }
}
