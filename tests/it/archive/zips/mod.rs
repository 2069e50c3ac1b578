//! `corpus/zips`: ZIPs as games have them, and broken ones; what is in each, how it is made, and what
//! other programs say of what we write.

pub(crate) mod build;
pub(in crate::archive) mod others;
mod property;
mod rows;

use build::Zip;

use daisho::Archive;

use super::corpus::made::{Made, compare};

/// Its file, what it shows, how it is made.
type Row = (&'static str, &'static str, Zip);

fn made((file, shows, zip): &Row) -> Made {
    let entries = zip.entries();
    Made {
        file,
        shows,
        bytes: zip.bytes(),
        opens: zip.refused.map_or(Ok("pk3"), Err),
        entries: entries
            .iter()
            .map(|entry| (entry.name.clone(), entry.comes.clone()))
            .collect(),
    }
}

#[test]
fn the_zips_are_as_the_code_makes_them_and_the_library_finds_what_they_were_built_of() {
    for (folder, rows) in [
        ("zips/sound", rows::sound()),
        ("zips/broken", rows::broken()),
    ] {
        compare(folder, &rows.iter().map(made).collect::<Vec<_>>());
    }
}

/// The directory is not kept, and whoever closes the file for a while has to find out that it is another.
#[test]
fn a_change_of_any_byte_of_the_directory_or_of_its_end_is_found_out() {
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
