//! Each way to open an archive and to go through its entries.

use std::fs::{self, File};

use daisho::archive::RawName;
use daisho::{Archive, Entry, Format, Writer};

use crate::corpus;

const PAK: &str = "game/data/pak1.pak";

/// What an archive holds, in order.
fn contents(archive: &Archive) -> Vec<(String, Vec<u8>)> {
    let content = |entry: Entry<'_>| (entry.name().to_string(), entry.read().unwrap());
    archive.entries().map(content).collect()
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
        Archive::from_source(File::open(&path).unwrap()),
        Archive::from_source(std::sync::Arc::new(bytes.clone())),
        Archive::from_source_with(bytes.clone(), Format::Daikatana),
    ] {
        let archive = archive.unwrap();
        assert_eq!(archive.path(), None);
        assert_eq!((archive.format(), archive.len()), (Some(Format::Daikatana), 8));
        assert_eq!(contents(&archive), expected);
        assert_ne!(archive.entry(0), opened.entry(0));
        assert_eq!(archive.account().unwrap(), opened.account().unwrap());
        assert_eq!(archive.directory(), opened.directory());
    }
    let again = Archive::from_source(bytes).unwrap();
    assert_eq!(again.why(), why);
}

#[test]
fn a_file_serves_many_threads() {
    let path = corpus::path(PAK);
    let archive = Archive::from_source(File::open(&path).unwrap()).unwrap();
    let expected = contents(&Archive::open(&path).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(contents(&archive), expected));
        }
    });
    for bytes in [&b""[..], b"PAC", b"no archive at all"] {
        let read = Archive::from_source(bytes).unwrap_err();
        let whole = Archive::from_bytes(bytes).unwrap_err();
        assert_eq!(read.to_string(), whole.to_string());
    }
}

#[test]
fn names_may_be_any_bytes_and_temporary() {
    let mut writer = Writer::in_memory(Format::Quake).unwrap();
    writer.allow_duplicates();
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
        writer.add_entry(other.entry(0).unwrap()).unwrap();
    }
    let archive = Archive::from_bytes(writer.finish().unwrap().into_inner()).unwrap();
    assert_eq!(archive.len(), 10);
    assert_eq!(archive.get("b").unwrap().read().unwrap(), b"2");
    assert_eq!(archive.get(b"c\xff").unwrap().name(), RawName::new(b"c\xff"));
    let twice = archive.find_all("made/1.cfg", daisho::archive::Case::Matters);
    assert_eq!(twice.map(|it| it.index()).collect::<Vec<_>>(), [5, 6]);
}

#[test]
fn entries_outlive_the_iterator_they_came_from() {
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
