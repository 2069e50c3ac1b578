//! The library as a stranger finds it: the program of README.md, and each way to open and to write,
//! without an `impl` of one's own.

use std::fs::{self, File};
use std::io::{BufReader, Cursor};
use std::path::Path;

use daisho::archive::RawName;
use daisho::{Archive, Entry, Format, Writer};

use crate::corpus;

const PAK: &str = "game/data/pak1.pak";

/// Lists an archive, reads a file from it, and writes another one with one file more: as README has
/// it, with a path of its own.
fn program(from: &Path, to: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let archive = Archive::open(from)?;
    let mut lines = Vec::new();
    for entry in archive.entries() {
        lines.push(format!("{:>8} {}", entry.size(), entry.name()));
    }
    let entry = archive.by_name("skins/hero.tga")?;
    let picture: Vec<u8> = entry.read()?; // decompressed
    assert_eq!(picture.len(), 12_306);

    let mut writer = Writer::new(
        File::create(to)?,
        archive.format().ok_or("it has no format")?,
    )?;
    for entry in archive.entries() {
        writer.add_entry(&entry)?;
    }
    writer.add("autoexec.cfg", b"map e1m2\n")?;
    writer.finish()?;
    Ok(lines)
}

/// What an archive holds, in order.
fn contents(archive: &Archive) -> Vec<(String, Vec<u8>)> {
    let content = |entry: Entry<'_>| (entry.name().to_string(), entry.read().unwrap());
    archive.entries().map(content).collect()
}

#[test]
fn an_example_lists_reads_and_writes_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (corpus::path(PAK), folder.path().join("new.pak"));
    let lines = program(&from, &to).unwrap();
    assert_eq!(lines.len(), 8);
    assert!(lines.contains(&"   12306 skins/hero.tga".to_owned()));
    let (old, new) = (Archive::open(from).unwrap(), Archive::open(to).unwrap());
    assert_eq!(new.format(), Some(Format::Daikatana));
    let mut expected = contents(&old);
    expected.push(("autoexec.cfg".to_owned(), b"map e1m2\n".to_vec()));
    assert_eq!(contents(&new), expected);
    // Streams have passed as they are.
    for (old, new) in old.entries().zip(new.entries()) {
        assert_eq!(old.stored_len(), new.stored_len());
    }
    assert!(new.entry(8).unwrap().name() == "autoexec.cfg");
    assert_ne!(old.entry(0), new.entry(0), "entries of two archives");
    let error = program(&corpus::path("nowhere.pak"), &folder.path().join("x"));
    assert!(error.unwrap_err().to_string().contains("nowhere.pak"));
}

#[test]
fn the_readmes_program_is_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let (_, section) = text.split_once("## Use it as a library").unwrap();
    let (_, block) = section.split_once("```rust\n").unwrap();
    let (program, _) = block.split_once("```").unwrap();
    let lines = program.lines().filter(|line| !line.trim().is_empty());
    assert!(lines.count() <= 20, "{program}");
    assert!(!program.contains("impl"), "{program}");
    for call in [
        "Archive::open",
        "in archive.entries()",
        "archive.by_name(",
        "entry.read()?",
        "Writer::new(",
        "archive.format()",
        "add_entry(",
        ".add(",
        ".finish()?",
    ] {
        assert!(program.contains(call), "{call}");
    }
}

#[test]
fn every_way_to_open_gives_the_same_entries() {
    let path = corpus::path(PAK);
    let bytes = fs::read(&path).unwrap();
    let opened = Archive::open(&path).unwrap();
    assert_eq!(opened.path(), Some(&*path));
    let (expected, why) = (contents(&opened), opened.why());
    let boxed: Box<[u8]> = bytes.clone().into();
    for archive in [
        Archive::from_bytes(bytes.clone()),
        Archive::from_bytes(&bytes[..]),
        Archive::from_bytes(boxed),
        Archive::from_reader(Cursor::new(bytes.clone())),
        Archive::from_reader(File::open(&path).unwrap()),
        Archive::from_reader(BufReader::new(File::open(&path).unwrap())),
        Archive::from_source(File::open(&path).unwrap()),
        Archive::from_source(std::sync::Arc::new(bytes.clone())),
        Archive::from_source_with(bytes.clone(), Format::Daikatana),
    ] {
        let archive = archive.unwrap();
        assert_eq!(archive.path(), None);
        assert_eq!(
            (archive.format(), archive.len()),
            (Some(Format::Daikatana), 8)
        );
        assert_eq!(contents(&archive), expected);
        assert_eq!(archive.account(), opened.account());
        assert_eq!(archive.directory(), opened.directory());
    }
    let again = Archive::from_reader(Cursor::new(bytes)).unwrap();
    assert_eq!(again.why(), why);
}

#[test]
fn a_seeking_reader_serves_many_threads() {
    let path = corpus::path(PAK);
    let archive = Archive::from_reader(File::open(&path).unwrap()).unwrap();
    let expected = contents(&Archive::open(&path).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(contents(&archive), expected));
        }
    });
    for bytes in [&b""[..], b"PAC", b"no archive at all"] {
        let read = Archive::from_reader(Cursor::new(bytes)).unwrap_err();
        let whole = Archive::from_bytes(bytes).unwrap_err();
        assert_eq!(read.to_string(), whole.to_string());
    }
}

#[test]
fn names_may_be_any_bytes_and_temporary() {
    let mut writer = Writer::in_memory(Format::Quake).unwrap();
    writer.add("a", b"1").unwrap();
    writer.add(String::from("b"), b"2").unwrap();
    writer.add(b"c\xff", b"3").unwrap();
    for number in 0..3 {
        let name = format!("made/{number}.cfg").into_bytes();
        writer.add(&name, [number]).unwrap();
        writer.add_reader(name, &[number][..]).unwrap();
    }
    {
        let other = Archive::open(corpus::path("game/id1/pak0.pak")).unwrap();
        writer.add_entry(&other.entry(0).unwrap()).unwrap();
    }
    let archive = Archive::from_bytes(writer.finish().unwrap().into_inner()).unwrap();
    assert_eq!(archive.len(), 10);
    assert_eq!(archive.get("b").unwrap().read().unwrap(), b"2");
    assert_eq!(
        archive.get(b"c\xff").unwrap().name(),
        RawName::new(b"c\xff")
    );
    let twice = archive.find_all("made/1.cfg", daisho::archive::Case::Matters);
    assert_eq!(twice.map(|it| it.index()).collect::<Vec<_>>(), [5, 6]);
}

#[test]
fn entries_outlive_whatever_handed_them_out() {
    let archive = Archive::open(corpus::path(PAK)).unwrap();
    let picked: Vec<Entry<'_>> = {
        let entries = archive.entries();
        entries.rev().filter(|it| it.size() > 5000).collect()
    };
    let name: RawName<'_> = picked.iter().map(|it| it.name()).next().unwrap();
    assert!(picked.iter().all(|entry| entry.read().is_ok()));
    assert!(archive.get(name).is_some());
    let reader = picked[0].reader().unwrap();
    assert!(format!("{archive:?} {:?} {reader:?}", picked[0]).contains("Daikatana"));
}
