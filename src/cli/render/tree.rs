//! `list --tree`: a pak as a tree of directories, which exist only in its names.
//!
//! Sorting puts names with a common beginning next to each other, so the tree is drawn from a sorted list, and is
//! never built. A part keeps its separator, so that `maps/` and `maps\` stay different. A name of 56 bytes has at
//! most 56 parts.

use std::io;

/// An entry's name and number.
type Numbered<'a> = (&'a [u8], usize);

/// Calls `line` for each line of the tree, with the branch before it, the part of the name on it, and the entry's
/// number if the line is an entry.
pub(super) fn draw<'a>(
    entries: impl Iterator<Item = Numbered<'a>>,
    line: &mut impl FnMut(&str, &[u8], Option<usize>) -> io::Result<()>,
) -> io::Result<()> {
    let mut rows: Vec<Numbered<'_>> = entries.collect();
    rows.sort_unstable();
    level(&rows, 0, None, line)
}

/// Draws one directory: rows whose names have their first `from` bytes in common. `stem` is drawn
/// before each of its lines, except at the top.
fn level(
    rows: &[Numbered<'_>],
    from: usize,
    stem: Option<&str>,
    line: &mut impl FnMut(&str, &[u8], Option<usize>) -> io::Result<()>,
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
        line(&branch, part, (!is_directory).then_some(*index))?;
        if is_directory {
            level(group, from + part.len(), Some(&below), line)?;
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
        let rows = names.iter().map(|n| n.as_bytes()).zip(0..);
        let mut drawn = Vec::new();
        draw(rows, &mut |branch, part, entry| {
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
