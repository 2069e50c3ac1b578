//! ZIPs put together by hand, and ZIPs exchanged with other programs.

pub(crate) mod build;
pub(crate) mod others;
mod property;
mod reads;
mod salvage;

use build::Zip;

use daisho::Archive;

/// The directory is not kept. If the file is closed and opened again, a change must be found.
#[test]
fn a_changed_directory_byte_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pk3");
    let zip = Zip::new().stored("a.cfg", b"a").deflated("b.cfg", &[7; 99]);
    let bytes = zip.bytes();
    std::fs::write(&path, &bytes).unwrap();
    let archive = Archive::open(&path).unwrap();
    let start = usize::try_from(archive.structure().directory.offset).unwrap();
    assert!(archive.is_unchanged().unwrap());
    for at in start..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1;
        std::fs::write(&path, &other).unwrap();
        assert!(!archive.is_unchanged().unwrap(), "{at}");
    }
    std::fs::write(&path, &bytes[..start]).unwrap();
    assert!(!archive.is_unchanged().unwrap());
}

/// Each link leads to the one before it, the first to a file.
#[test]
fn eight_links_in_a_row_are_followed_and_nine_not() {
    let file = Zip::new().stored("t", b"content");
    let zip = (0..9).fold(file, |zip, at| {
        let to = match at {
            0 => "t".to_owned(),
            at => format!("s{}", at - 1),
        };
        zip.link(&format!("s{at}"), &to)
    });
    let archive = Archive::from_bytes(zip.bytes()).unwrap();
    let contents: Vec<_> = archive.entries().map(|it| it.read().ok()).collect();
    assert_eq!(contents.len(), 10);
    let (last, others) = contents.split_last().unwrap();
    assert!(others.iter().all(|it| it.as_deref() == Some(b"content")));
    assert_eq!(*last, None);
}

/// Every program that reads ZIP64 takes the numbers of the larger record then.
#[test]
fn disk_numbers_alone_can_ask_for_zip64() {
    let zip = Zip::new().stored("f.txt", b"hello");
    let plain = zip.bytes();
    let numbers = &plain[plain.len() - 14..plain.len() - 2];
    for (at, disks) in [(4, &[0xFF; 4][..]), (4, &[0xFF; 2]), (6, &[0xFF; 2])] {
        let zip = zip.clone().large().end(8, numbers).end(at, disks);
        let archive = Archive::from_bytes(zip.bytes()).unwrap();
        let contents: Vec<_> = archive.entries().map(|it| it.read().unwrap()).collect();
        assert_eq!(contents, [b"hello"], "{at} {disks:?}");
    }
}

/// The first record of the directory is as long as the ZIP64 records: these must not be taken for a shift. Python's
/// `zipfile` and `unzip` read such a ZIP.
#[test]
fn zip64_records_that_are_not_needed_shift_nothing() {
    let zip = Zip::new().stored("textures/thirty-bytes-long.tga", b"hello").stored("b", b"there");
    let plain = zip.bytes();
    let numbers = &plain[plain.len() - 14..plain.len() - 2];
    for before in [&b""[..], b"MZ and more of a program"] {
        let zip = zip.clone().large().end(8, numbers).before(before, false);
        let archive = Archive::from_bytes(zip.bytes()).unwrap();
        let contents: Vec<_> = archive.entries().map(|it| it.read().unwrap()).collect();
        assert_eq!(contents, [b"hello", b"there"], "{before:?}");
    }
}

/// Programs that write to a pipe leave some numbers of a local header open, and know others already.
#[test]
fn numbers_after_a_payload_may_be_open_one_by_one() {
    let is_odd = |zip: Zip| {
        let archive = Archive::from_bytes(zip.bytes()).unwrap();
        archive.check_headers().unwrap();
        archive.header_note().is_some()
    };
    let zip = || Zip::new().deflated("a.cfg", &[7; 99]).descriptor(true);
    for (crc32, packed, size) in [(0, 1, 1), (0, 0, 1), (1, 0, 0), (0, 0, 0), (1, 1, 1)] {
        let open = zip().change(|entry| {
            entry.local.crc32 = crc32 * entry.central.crc32;
            entry.local.packed = packed * entry.central.packed;
            entry.local.size = size * entry.central.size;
        });
        assert!(!is_odd(open.clone()), "{crc32} {packed} {size}");
        let is_whole = (crc32, packed, size) == (1, 1, 1);
        let without_flag = open.both(|header| header.flags = 0);
        assert_eq!(is_odd(without_flag), !is_whole, "{crc32} {packed} {size}");
    }
    let all_ones = zip().change(|entry| {
        (entry.local.packed, entry.local.size) = (u32::MAX.into(), u32::MAX.into());
    });
    assert!(!is_odd(all_ones));
    for other in [
        zip().change(|entry| entry.local.crc32 = 1),
        zip().change(|entry| entry.local.packed = 1),
        zip().change(|entry| entry.local.size = 1),
    ] {
        assert!(is_odd(other));
    }
}

/// The sizes of a folder may be in the extra field.
#[test]
fn a_folder_with_zip64_sizes_is_no_entry() {
    let zip = Zip::new()
        .stored("maps/", b"")
        .both(|header| header.large = true)
        .stored("saves", b"")
        .both(|header| header.large = true)
        .change(|entry| entry.central.attributes = 0x10)
        .stored("maps/a.bsp", b"content")
        .both(|header| header.large = true)
        .stored("full/", b"content")
        .both(|header| header.large = true);
    let archive = Archive::from_bytes(zip.bytes()).unwrap();
    let names: Vec<_> = archive.entries().map(|it| it.name().to_string()).collect();
    assert_eq!(names, ["maps/a.bsp", "full/"]);
}

#[test]
fn links_to_folders_are_not_supported() {
    use daisho::ErrorKind;
    use daisho::archive::Flaw;

    let zip = Zip::new()
        .stored("maps/more/a.bsp", b"content")
        .stored("mapsize", b"")
        .link("maps/here", ".")
        .link("maps/root", "..")
        .link("to-folder", "maps/more/")
        .link("to-link", "to-folder")
        .link("almost", "map")
        .link("outside", "../maps")
        .link("nothing", "")
        .link("absolute", "/maps");
    let archive = Archive::from_bytes(zip.bytes()).unwrap();
    let mut found = Vec::new();
    for entry in archive.entries().skip(2) {
        let error = entry.check_claims().unwrap_err();
        let ErrorKind::Flawed(flaw) = error.kind() else {
            panic!("{error}");
        };
        found.push(matches!(flaw, Flaw::LinkToFolder(_)));
        assert_eq!(flaw.is_unsupported(), matches!(flaw, Flaw::LinkToFolder(_)));
    }
    assert_eq!(found, [true, true, true, true, false, false, false, false]);
}

#[test]
fn a_damaged_stream_is_reported_at_its_byte() {
    let stream = build::deflate(&[7; 5000]);
    let zip = Zip::new().deflated("a", &[7; 5000]).payload(&stream[..9]);
    let zip = zip.both(|header| header.packed = 9);
    let archive = Archive::from_bytes(zip.bytes()).unwrap();
    let error = archive.entry(0).unwrap().read().unwrap_err();
    // The header and the name, and all that there is of the stream.
    assert_eq!(error.offset(), Some(30 + 1 + 9), "{error}");
}
