//! What several verbs share to show their rows: a line of JSON, and tables, facts and summaries as text.

pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod written;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use std::io::{self, Write};
use std::iter;

use crate::cli::output::Stdout;
use crate::cli::text;

/// Writes lines next to a label. Nothing if there are none.
pub(crate) fn labelled(
    out: &mut Stdout,
    label: &str,
    width: usize,
    style: fn(&str) -> String,
    lines: &[String],
) -> io::Result<()> {
    for (label, line) in iter::once(label).chain(iter::repeat("")).zip(lines) {
        let label = style(&format!("{label:<width$}"));
        writeln!(out, "  {label}{}", text::scrub(line))?;
    }
    Ok(())
}

/// Writes a row as a line of JSON: one object, safe for a terminal.
///
/// JSON itself escapes only characters below U+0020. Everything else that could steer a terminal is written as
/// `\uXXXX` here: a parser reads the original character, and a terminal shows plain text.
pub(crate) fn json_line(out: &mut impl Write, row: &impl Serialize) -> io::Result<()> {
    // A serializer writes a few bytes at a time.
    let mut line = Vec::with_capacity(256);
    row.serialize(&mut serde_json::Serializer::with_formatter(&mut line, Safe))?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Compact JSON in which every character that is not plain is escaped.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Fields and most names.
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return CompactFormatter.write_string_fragment(writer, fragment);
        }
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| !text::is_plain(*c)) {
            let (plain, from) = rest.split_at(at);
            CompactFormatter.write_string_fragment(writer, plain)?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = from.strip_prefix(c).unwrap_or("");
        }
        CompactFormatter.write_string_fragment(writer, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str) -> String {
        let mut out = Vec::new();
        json_line(&mut out, &serde_json::json!({ "name": name })).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_row_is_a_line_and_a_parser_reads_the_name_back() {
        let hostile = "a\\\"\x1b\n\x7f\u{9b}\u{202e}é刀\u{e0001}";
        let line = written(hostile);
        let inside = line.strip_suffix('\n').unwrap();
        assert!(inside.chars().all(|c| c == '\\' || text::is_plain(c)), "{line}");
        let value: serde_json::Value = serde_json::from_str(inside).unwrap();
        assert_eq!(value["name"], hostile);
    }
}
