//! `list --tree`: a pak as a tree of directories, which exist only in its names.
//!
//! Sorting puts names with a common beginning side by side, so the tree is drawn from a sorted list
//! and never built. A part keeps its separator, so that `maps/` and `maps\` stay different. A name
//! of 56 bytes has at most 56 parts.

use std::io::{self, Write};

use daisho::archive::escape;
use daisho::ops::read::list::Listing;

use super::columns::Columns;

/// An entry's name and number.
type Row<'a> = (&'a [u8], usize);

/// Draws the tree, with the columns of each entry before it.
pub(super) fn show(
    out: &mut impl Write,
    listing: &Listing<'_>,
    columns: &Columns,
) -> io::Result<()> {
    let entries = listing.entries.iter();
    let mut rows: Vec<Row<'_>> = entries
        .map(|entry| (entry.name().as_bytes(), entry.index()))
        .collect();
    rows.sort_unstable();
    let mut draw = |branch: &str, part: &[u8], entry: Option<usize>| {
        let entry = entry.and_then(|index| listing.archive.entry(index));
        let before = entry.map_or_else(|| columns.blank(), |entry| columns.of_entry(&entry));
        writeln!(out, "{before}{branch}{}", escape(part))
    };
    level(&rows, 0, None, &mut draw)
}

/// Draws one directory: rows whose names have their first `from` bytes in common. `stem` is drawn
/// before each of its lines; there is none at the top.
fn level(
    rows: &[Row<'_>],
    from: usize,
    stem: Option<&str>,
    draw: &mut impl FnMut(&str, &[u8], Option<usize>) -> io::Result<()>,
) -> io::Result<()> {
    let mut groups = rows
        .chunk_by(|(a, _), (b, _)| {
            let (a, b) = (part(a, from), part(b, from));
            a.1 && a == b
        })
        .peekable();
    while let Some(group) = groups.next() {
        let Some((name, index)) = group.first() else {
            continue;
        };
        let (part, is_directory) = part(name, from);
        let (branch, below) = match (stem, groups.peek()) {
            (None, _) => (String::new(), String::new()),
            (Some(stem), Some(_)) => (format!("{stem}├── "), format!("{stem}│   ")),
            (Some(stem), None) => (format!("{stem}└── "), format!("{stem}    ")),
        };
        draw(&branch, part, (!is_directory).then_some(*index))?;
        if is_directory {
            level(group, from + part.len(), Some(&below), draw)?;
        }
    }
    Ok(())
}

/// The part of the name that begins at `from`, and whether more follows it.
fn part(name: &[u8], from: usize) -> (&[u8], bool) {
    let rest = name.get(from..).unwrap_or_default();
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'\\'));
    match end.and_then(|end| rest.split_at_checked(end + 1)) {
        Some((part, after)) => (part, !after.is_empty()),
        None => (rest, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_come_from_names_and_nothing_is_lost() {
        let names = [
            "a", "a/", "a/b/c", "a/b/d", "a\\b", "a/e", "z", "z", "//x", "",
        ];
        let mut rows: Vec<Row<'_>> = names.iter().map(|n| n.as_bytes()).zip(0..).collect();
        rows.sort_unstable();
        let mut drawn = Vec::new();
        level(&rows, 0, None, &mut |branch, part, entry| {
            let entry = entry.map_or_else(|| "-".to_owned(), |entry| entry.to_string());
            drawn.push(format!("{entry} {branch}{}", String::from_utf8_lossy(part)));
            Ok(())
        })
        .unwrap();
        assert_eq!(
            drawn,
            [
                "9 ",
                "- /",
                "- └── /",
                "8     └── x",
                "0 a",
                "1 a/",
                "- a/",
                "- ├── b/",
                "2 │   ├── c",
                "3 │   └── d",
                "5 └── e",
                "- a\\",
                "4 └── b",
                "6 z",
                "7 z",
            ]
        );
    }
}
