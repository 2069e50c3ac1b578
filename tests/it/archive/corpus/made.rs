//! Archives of the corpus other than paks: compared with what is committed, with their manifests, and
//! with what they were built of.

use std::fmt::Write as _;
use std::fs;

use daisho::Archive;

use super::manifest;
use crate::corpus;

/// An archive, and what must be found in it.
pub(crate) struct Made {
    /// Its file, without the folder.
    pub(crate) file: &'static str,
    /// What it shows.
    pub(crate) shows: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// The word for its format, or for the error that opening it gives.
    pub(crate) opens: Result<&'static str, &'static str>,
    /// Names, and contents or the words for errors.
    pub(crate) entries: Vec<(Vec<u8>, Comes)>,
}

/// What comes out of an entry, or the word for the error.
pub(crate) type Comes = Result<Vec<u8>, &'static str>;

/// The manifest of `rows`, by what they were built with alone.
fn manifest_of(rows: &[Made]) -> String {
    let mut text = String::from(manifest::HEAD);
    let mut rows: Vec<&Made> = rows.iter().collect();
    rows.sort_by_key(|made| made.file);
    for made in rows {
        let contents = made.entries.iter().map(|(_, comes)| match comes {
            Ok(content) => format!("{:08x}", crc32fast::hash(content)),
            Err(error) => (*error).to_owned(),
        });
        let count = made.entries.len();
        let contents = match count {
            0 => "-".to_owned(),
            _ => contents.collect::<Vec<_>>().join(" "),
        };
        let (Ok(opens) | Err(opens)) = made.opens;
        let (file, shows) = (made.file, made.shows);
        writeln!(
            text,
            "{file} | {opens} | {count} | {contents} | {shows} | see the code"
        )
        .unwrap();
    }
    text
}

/// Compares the archives of a folder of the corpus with what is committed, and what the library finds in
/// them with what they were built of.
pub(crate) fn compare(folder: &str, rows: &[Made]) {
    let manifest = manifest_of(rows).into_bytes();
    let mut files = vec![(format!("{folder}/MANIFEST"), manifest)];
    let file = |made: &Made| (format!("{folder}/{}", made.file), made.bytes.clone());
    files.extend(rows.iter().map(file));
    corpus::compare_or_bless(&files);
    let text = fs::read_to_string(corpus::path(folder).join("MANIFEST")).unwrap();
    for line in manifest::read(&text) {
        let found = manifest::found(&fs::read(corpus::path(folder).join(line.file)).unwrap());
        assert_eq!(found, line.said, "{folder}/{}", line.file);
    }
    for made in rows {
        compare_entries(&format!("{folder}/{}", made.file), made);
    }
}

fn compare_entries(place: &str, made: &Made) {
    let Ok(archive) = Archive::from_bytes(made.bytes.clone()) else {
        assert!(made.opens.is_err(), "{place}");
        return;
    };
    assert_eq!(Ok(archive.format().as_str()), made.opens, "{place}");
    assert_eq!(archive.len(), made.entries.len(), "{place}");
    for (entry, (name, comes)) in archive.entries().zip(&made.entries) {
        let place = format!("{place}, entry {}", entry.index());
        assert_eq!(entry.name().as_bytes(), name, "{place}");
        assert_eq!(entry.read().ok(), comes.clone().ok(), "{place}");
    }
    assert_eq!(archive.account().sum(), archive.file_len(), "{place}");
}
