//! `corpus/zips`: ZIPs as games have them, and broken ones; what is in each, how it is made, and what
//! other programs say of what we write.

pub(crate) mod build;
pub(in crate::archive) mod others;
mod property;
mod rows;

use std::fmt::Write as _;
use std::fs;

use build::Zip;
use daisho::{Archive, Format};

use super::corpus::manifest;
use crate::corpus;

const FOLDERS: [&str; 2] = ["zips/sound", "zips/broken"];

/// Its file, what it shows, how it is made.
type Row = (&'static str, &'static str, Zip);

fn tables() -> impl Iterator<Item = (&'static str, Vec<Row>)> {
    FOLDERS.into_iter().zip([rows::sound(), rows::broken()])
}

/// The manifest of `rows`, by what they were built with alone.
fn manifest_of(rows: &[Row]) -> String {
    let mut text = String::from(manifest::HEAD);
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by_key(|(name, ..)| *name);
    for (name, shows, zip) in rows {
        let entries = zip.entries();
        let contents = entries.iter().map(|entry| match &entry.comes {
            Ok(content) => format!("{:08x}", crc32fast::hash(content)),
            Err(error) => (*error).to_owned(),
        });
        let contents = match entries.len() {
            0 => "-".to_owned(),
            _ => contents.collect::<Vec<_>>().join(" "),
        };
        let format = zip.refused.unwrap_or("pk3");
        let count = entries.len();
        writeln!(
            text,
            "{name} | {format} | {count} | {contents} | {shows} | see the code"
        )
        .unwrap();
    }
    text
}

#[test]
fn the_zips_are_as_the_code_makes_them_and_the_library_finds_what_the_manifests_say() {
    let mut files = Vec::new();
    for (folder, rows) in tables() {
        files.push((
            format!("{folder}/MANIFEST"),
            manifest_of(&rows).into_bytes(),
        ));
        for (name, _, zip) in rows {
            files.push((format!("{folder}/{name}"), zip.bytes()));
        }
    }
    corpus::compare_or_bless(&files);
    let mut wrong = Vec::new();
    for folder in FOLDERS {
        let text = fs::read_to_string(corpus::path(folder).join("MANIFEST")).unwrap();
        for line in manifest::read(&text) {
            let found = manifest::found(&fs::read(corpus::path(folder).join(line.file)).unwrap());
            if found != line.said {
                let said = line.said;
                wrong.push(format!("{folder}/{}: {found:?}, not {said:?}", line.file));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_entry_has_the_name_and_the_bytes_it_was_built_with() {
    for (folder, rows) in tables() {
        for (name, _, zip) in rows {
            let Ok(archive) = Archive::from_bytes(zip.bytes()) else {
                assert!(zip.refused.is_some(), "{folder}/{name}");
                continue;
            };
            assert_eq!(archive.format(), Format::Pk3);
            assert_eq!(archive.len(), zip.entries().len(), "{folder}/{name}");
            for (entry, built) in archive.entries().zip(zip.entries()) {
                let place = format!("{folder}/{name}, entry {}", entry.index());
                assert_eq!(entry.name().as_bytes(), built.name, "{place}");
                assert_eq!(entry.read().ok(), built.comes.clone().ok(), "{place}");
            }
            let account = archive.account();
            assert_eq!(account.sum(), archive.file_len(), "{folder}/{name}");
        }
    }
}
