//! A manifest: a line a pak, six fields between ` | `, in the order of the files' names.
//!
//! | field    | says                                                                             |
//! |----------|----------------------------------------------------------------------------------|
//! | file     | its path from the manifest's folder                                               |
//! | layout   | `quake` or `daikatana`, or the word for the error that opening it gives            |
//! | entries  | how many are found                                                                |
//! | contents | a word an entry: the CRC-32 of its content, or the word for its error; `-` for none |
//! | shows    | what it is there for                                                              |
//! | made     | how it is made                                                                    |

use std::fmt::Write;

use daisho::Archive;
use daisho::ErrorKind;

use super::Row;

pub(in crate::archive) const HEAD: &str = "\
# Each file shows one thing. The fields of a line:
# file | layout, or the error in opening it | entries | CRC-32 or error of each | what it shows | how it is made
";

/// One line.
#[derive(Debug)]
pub(in crate::archive) struct Line<'a> {
    pub(in crate::archive) file: &'a str,
    pub(in crate::archive) said: Said,
}

/// What must be found: layout, entries, contents.
pub(in crate::archive) type Said = (String, usize, Vec<String>);

/// The manifest of `rows`, by what they were built with alone.
pub(super) fn write(rows: &[Row]) -> String {
    let mut text = String::from(HEAD);
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by_key(|(name, ..)| *name);
    for (name, shows, build) in rows {
        let layout = build.refused.unwrap_or(build.layout.as_str());
        let entries = build.entries();
        let contents = entries.iter().map(|entry| match &entry.comes {
            Ok(content) => format!("{:08x}", crc32fast::hash(content)),
            Err(error) => (*error).to_owned(),
        });
        let contents = match entries {
            [] => "-".to_owned(),
            _ => contents.collect::<Vec<_>>().join(" "),
        };
        let made = build.script();
        // A pak of dozens of entries is told by what it shows.
        let made = if made.len() > 400 {
            "see the code"
        } else {
            &made
        };
        let count = entries.len();
        writeln!(
            text,
            "{name}.pak | {layout} | {count} | {contents} | {shows} | {made}"
        )
        .unwrap();
    }
    text
}

/// The lines of a manifest.
pub(in crate::archive) fn read(text: &str) -> Vec<Line<'_>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let line = |line| {
        let fields: Vec<&str> = str::split(line, " | ").collect();
        let [file, layout, entries, contents, ..] = fields[..] else {
            panic!("not a manifest's line: {line}");
        };
        let words = contents.split(' ').filter(|word| *word != "-");
        Line {
            file,
            said: (
                layout.to_owned(),
                entries.parse().unwrap(),
                words.map(str::to_owned).collect(),
            ),
        }
    };
    lines.map(line).collect()
}

/// The same as the library finds it.
pub(in crate::archive) fn found(bytes: &[u8]) -> Said {
    let archive = match Archive::from_bytes(bytes) {
        Ok(archive) => archive,
        Err(error) => return (word(&error).to_owned(), 0, Vec::new()),
    };
    let contents = archive.entries().map(|entry| match entry.verify() {
        Ok(verified) => format!("{:08x}", verified.checked.crc32),
        Err(error) => word(&error).to_owned(),
    });
    (
        archive.format().to_string(),
        archive.len(),
        contents.collect(),
    )
}

/// The word that a manifest has for an error.
fn word(error: &daisho::Error) -> &'static str {
    match error.kind() {
        ErrorKind::TooShort { .. } => "too-short",
        ErrorKind::NotAPak { .. } => "no-pak",
        ErrorKind::Relative { .. } => "relative",
        ErrorKind::NoDirectory { .. } | ErrorKind::ShortDirectory { .. } => "no-directory",
        ErrorKind::Undecided { .. } => "undecided",
        ErrorKind::OutsideFile { .. } => "outside",
        ErrorKind::ImpossibleSize { .. } => "impossible",
        ErrorKind::Damaged(_) | ErrorKind::DamagedDeflate(_) => "damaged",
        ErrorKind::Flawed(_) => "flawed",
        ErrorKind::WrongCrc32 { .. } => "wrong-sum",
        ErrorKind::NoZipEnd => "no-end",
        ErrorKind::NoZipDirectory { .. } => "no-directory",
        ErrorKind::SplitZip => "split",
        ErrorKind::Unreadable(_) => "unreadable",
        _ => "unexpected",
    }
}
