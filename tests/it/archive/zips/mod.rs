//! ZIPs put together by hand, and what other programs say of what we write.

pub(crate) mod build;
pub(crate) mod others;
mod property;
mod reads;
mod salvage;

use build::Zip;

use daisho::Archive;

/// The directory is not kept, and whoever closes the file for a while has to find out that it is another.
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
