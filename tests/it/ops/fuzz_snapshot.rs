//! What the fuzz target `snapshot` asserts of any bytes as a snapshot's file.

use std::io::BufReader;

use daisho::archive::escape;
use daisho::ops::catalogue::{Line, Snapshot, SnapshotError, State, Sum};

use crate::choices::Choices;

/// What can be read is read the same in pieces, is sorted, and comes back when it is written; what
/// cannot is reported by its line. And lines that are chosen are read as they are meant.
pub(crate) fn snapshot(data: &[u8]) {
    match Snapshot::read(data) {
        Ok(snapshot) => {
            let count = data.split_inclusive(|byte| *byte == b'\n').count();
            assert_eq!(snapshot.lines().len(), count);
            assert!(snapshot.lines().is_sorted_by_key(|line| &line.name));
            let again = read(&text(snapshot.lines()));
            assert_eq!(again.lines(), snapshot.lines());
            let pieces = Snapshot::read(BufReader::with_capacity(1, data)).unwrap();
            assert_eq!(pieces.lines(), snapshot.lines());
        }
        Err(error) => {
            let line = |line: &u64| {
                let lines = data.split_inclusive(|byte| *byte == b'\n').count() as u64;
                (1..=lines).contains(line)
            };
            assert!(matches!(&error, SnapshotError::BadLine { line: at, .. } if line(at)));
            assert!(!error.to_string().contains(|c: char| c.is_control()));
        }
    }

    let mut choices = Choices(data);
    let mut lines = Vec::new();
    let mut file = String::new();
    while !choices.0.is_empty() {
        let (style, crc32, size) = (choices.byte(), choices.number(), choices.number());
        let len = usize::from(style % 60);
        let name = choices.take(len).to_vec();
        let (word, state) = match style {
            0..200 => (format!("{crc32:08x}"), State::Sum(Sum::Crc32(crc32))),
            200..230 => ("damaged".to_owned(), State::Damaged),
            _ => ("unreadable".to_owned(), State::Unreadable),
        };
        let end = if style % 2 == 0 { "\n" } else { "\r\n" };
        file += &format!("{word} {size} {}{end}", escape(&name));
        lines.push((name, state, size));
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    let meant =
        lines.into_iter().map(|(name, state, size)| Line { state, size: size.into(), name });
    assert_eq!(read(&file).lines(), meant.collect::<Vec<_>>());
}

fn read(file: &str) -> Snapshot {
    Snapshot::read(file.as_bytes()).unwrap()
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn snapshots_are_read_as_they_are_meant() {
    for data in [
        &b""[..],
        b"00000001 1 a\ndamaged 7 b\\\\\r\n00000000 0 ",
        b"\n",
        b"00000001 1 a\n\n",
        b"damaged 1 \\u{202e}\n",
    ] {
        snapshot(data);
    }
    for data in crate::corpus::found("snapshot") {
        snapshot(&data);
    }
}
