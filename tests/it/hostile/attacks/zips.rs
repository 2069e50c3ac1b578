//! ZIPs: what their two headers, their end records, their links and their overlaps can be made to say.

use super::*;
use crate::archive::zips::build::{Zip, deflate};

const END: usize = 22;

/// Where the directory begins, as the end record says.
fn directory_at(zip: &[u8]) -> usize {
    let at = zip.len() - END + 16;
    u32::from_le_bytes(zip[at..at + 4].try_into().unwrap()) as usize
}

/// The only entry of a ZIP, so many times over, under names of its length.
fn again(zip: &[u8], entries: u16, name: impl Fn(u16) -> String) -> Vec<u8> {
    let at = directory_at(zip);
    let (payload, record) = (&zip[..at], &zip[at..zip.len() - END]);
    let mut out = payload.to_vec();
    for entry in 0..entries {
        let mut record = record.to_vec();
        let name = name(entry);
        record[46..46 + name.len()].copy_from_slice(name.as_bytes());
        out.extend(record);
    }
    let len = u32::try_from(out.len() - at).unwrap();
    out.extend(&zip[zip.len() - END..zip.len() - END + 8]);
    out.extend([entries.to_le_bytes(), entries.to_le_bytes()].concat());
    out.extend(len.to_le_bytes());
    out.extend(&zip[zip.len() - END + 16..]);
    out
}

/// A megabyte of zeros, under many names.
fn overlapping() -> Vec<u8> {
    let zip = Zip::new().deflated("00000.bsp", &vec![0; 1 << 20]).bytes();
    again(&zip, 20_000, |n| format!("{n:05}.bsp"))
}

/// As many entries as a ZIP can have without another end record, all of one name.
fn of_one_name() -> Vec<u8> {
    again(&Zip::new().stored("a.cfg", b"a").bytes(), 65_535, |_| "a.cfg".into())
}

/// A comment of end records.
fn end_records() -> Vec<u8> {
    let end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0\xff\xff\0\0\0\x10\0\0\0\0";
    Zip::new().stored("a.cfg", b"a").comment(&end.repeat(2900)).bytes()
}

/// An entry that is nowhere, between two that are sound.
fn far_away() -> Vec<u8> {
    let zip = Zip::new().stored("a.cfg", b"a").deflated("far.cfg", b"far");
    zip.change(|it| it.far = true).stored("z.cfg", b"z").bytes()
}

/// A directory whose entry is in the directory.
fn in_itself() -> Vec<u8> {
    let mut zip = Zip::new().stored("a.cfg", b"a").bytes();
    let at = directory_at(&zip);
    let offset = u32::try_from(at).unwrap().to_le_bytes();
    zip[at + 42..at + 46].copy_from_slice(&offset);
    zip
}

fn leading_out() -> Vec<u8> {
    let mut zip = Zip::new().stored("good.cfg", b"good");
    for name in
        ["../up.cfg", "/root.cfg", "c:/drive.cfg", "a/../../b.cfg", "..\\up.cfg", "a\0b", "con"]
    {
        zip = zip.stored(name, b"bad");
    }
    zip.bytes()
}

fn links_out() -> Vec<u8> {
    let mut zip = Zip::new().stored("good.cfg", b"good").stored("maps/a.bsp", b"map");
    for (n, to) in
        ["../outside/victim", "/etc/passwd", "maps", "maps/..", "l5", "l4", ""].iter().enumerate()
    {
        zip = zip.link(&format!("l{n}"), to);
    }
    zip.bytes()
}

/// How many links share one target. Without optimization each run takes ten times as long.
const LINKS: u16 = if cfg!(debug_assertions) { 20_000 } else { 60_000 };

/// A symbolic link to a path of 4,000 bytes, many times over.
fn sharing_a_link() -> Vec<u8> {
    let to = "x".repeat(4000);
    let zip = Zip::new().link("00000.bsp", &to).bytes();
    again(&zip, LINKS, |n| format!("{n:05}.bsp"))
}

/// Another name, other sizes, another CRC-32 and another method in the local header than in the directory. One
/// content is what its local header says, and not what the directory says.
fn two_headers() -> Vec<u8> {
    Zip::new()
        .stored("good.cfg", b"good")
        .change(|it| it.local.name = b"../up.cfg".to_vec())
        .deflated("size.cfg", b"some text")
        .change(|it| it.local.size = 1 << 31)
        .deflated("packed.cfg", b"some text")
        .change(|it| it.local.packed = u32::MAX.into())
        .stored("sum.cfg", b"some text")
        .change(|it| it.local.crc32 = 7)
        .stored("hidden.cfg", b"some text")
        .change(|it| it.central.crc32 = 7)
        .stored("method.cfg", b"some text")
        .change(|it| it.local.method = 8)
        .bytes()
}

/// Sizes that no stream holds, and one that its stream goes on behind.
fn lying_sizes() -> Vec<u8> {
    let stream = deflate(&[7; 5000]);
    let zip = Zip::new().deflated("good.cfg", b"good");
    let zip = zip.deflated("huge.bsp", &[7; 5000]).both(|it| it.size = 0xFFFF_FFF0);
    let zip = zip.deflated("more.bsp", &[7; 5000]).both(|it| it.size = 10);
    zip.deflated("less.bsp", &[7; 5000]).payload(&stream[..9]).both(|it| it.packed = 9).bytes()
}

/// Extracts what can be extracted, and lists the files that exist then.
#[track_caller]
fn extracted(zip: Vec<u8>, code: i32) -> (Ran, Vec<String>) {
    let arena = Arena::with(zip);
    let ran = arena.run("extract p.pak -C out").code(code);
    arena.assert_only_within(&["work/out"]);
    let files = arena.files("work/out").into_keys();
    (ran, files.map(|it| it.to_string_lossy().into_owned()).collect())
}

#[test]
fn entries_over_one_payload_are_refused() {
    let arena = Arena::with(overlapping());
    for line in ["extract p.pak -C out", "convert p.pak -o q.pk3"] {
        arena.run(line).code(1).err_has("payloads must overlap");
        arena.assert_only_within(&["work/out"]);
    }
}

#[test]
fn entries_of_one_name_65535_times_are_read() {
    let arena = Arena::with(of_one_name());
    arena.run("verify p.pak").code(0).out_has("65535 entries");
    arena.run("list --json p.pak").code(0);
    arena.assert_untouched();
}

#[test]
fn of_many_end_records_the_right_one_is_used() {
    let (_, files) = extracted(end_records(), 0);
    assert_eq!(files, ["a.cfg"]);
}

#[test]
fn an_entry_after_the_files_end_costs_only_itself() {
    let (ran, files) = extracted(far_away(), 1);
    ran.err_has("puts the local header at byte 18446744073709551615, but the file ends at byte");
    assert_eq!(files, ["a.cfg", "z.cfg"]);
}

#[test]
fn an_entry_in_the_directory_costs_only_itself() {
    let (ran, files) = extracted(in_itself(), 1);
    ran.err_has("there is no local header where the directory says it is");
    assert_eq!(files, [""; 0]);
}

#[test]
fn zip_names_that_lead_out_are_skipped() {
    let (_, files) = extracted(leading_out(), 1);
    assert_eq!(files, ["good.cfg"]);
}

#[test]
fn links_to_no_file_cost_only_themselves() {
    let (ran, files) = extracted(links_out(), 1);
    ran.err_has("5 symbolic links point to no file in their archive")
        .err_has("a symbolic link to the folder \"maps\"")
        .err_has("a symbolic link to the folder \"maps/..\"");
    assert_eq!(files, ["good.cfg", "maps/a.bsp"]);
}

#[test]
fn a_target_of_many_links_is_read_once() {
    let arena = Arena::with(sharing_a_link());
    for line in ["list p.pak", "info p.pak", "list --json p.pak"] {
        arena.run_within_limits(line, LINKS.into());
    }
    for line in ["verify p.pak", "extract p.pak -C out"] {
        let ran = arena.run_within_limits(line, LINKS.into()).code(1);
        ran.err_has(&format!("{LINKS} symbolic links point to no file in their archive"));
    }
    arena.run_within_limits("convert p.pak -o q.pk3", LINKS.into()).code(1);
    arena.assert_only_within(&["work/out"]);
    assert!(arena.files("work/out").is_empty());
}

#[test]
fn of_two_headers_the_directorys_counts() {
    let (ran, files) = extracted(two_headers(), 1);
    ran.err_has("5 local headers give a name, flags, sizes or a CRC-32 that differ")
        .err_has("hidden.cfg")
        .err_has("the directory says that the method is 0, but the local header says 8");
    assert_eq!(files, ["good.cfg", "packed.cfg", "size.cfg", "sum.cfg"]);
}

#[test]
fn false_sizes_cost_only_their_entries() {
    let (ran, files) = extracted(lying_sizes(), 1);
    ran.err_has("no stream of that length holds more than").err_has("it goes on after");
    assert_eq!(files, ["good.cfg"]);
}

pub(super) fn paks() -> Vec<Attack> {
    [
        ("zip: overlapping", overlapping()),
        ("zip: one name", of_one_name()),
        ("zip: end records", end_records()),
        ("zip: far away", far_away()),
        ("zip: in itself", in_itself()),
        ("zip: leading out", leading_out()),
        ("zip: links out", links_out()),
        ("zip: two headers", two_headers()),
        ("zip: sizes", lying_sizes()),
    ]
    .map(|(name, zip)| (name.to_owned(), zip))
    .to_vec()
}
