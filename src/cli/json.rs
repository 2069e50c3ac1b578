//! Rows as JSON: one object a line, safe for a terminal.
//!
//! JSON itself escapes only characters below U+0020. Everything else that could steer a terminal is
//! written as `\uXXXX` here: a parser reads the original character, and a terminal shows plain text.
//!
//! JSON has no encoding for bytes that are not UTF-8: each becomes U+FFFD, and then there is a second
//! field with all bytes in hexadecimal: `name_hex` beside `name`, `pak_hex`, `file_hex`.

use std::io::{self, Write};
use std::path::Path;

use daisho::archive::path_bytes;
use daisho::ops::context::Problem;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use super::text;

/// Writes a row, whose fields are written by `fields`.
pub(crate) fn row(
    out: &mut impl Write,
    fields: impl FnOnce(&mut Row<'_>) -> io::Result<()>,
) -> io::Result<()> {
    fields(&mut Row {
        out: &mut *out,
        before: "{",
    })?;
    out.write_all(b"}\n")
}

/// Writes a row for each archive that could not be read, as these problems say. What cannot be written is
/// none.
pub(crate) fn unread(out: &mut impl Write, problems: &[Problem]) -> io::Result<()> {
    for Problem { error, unread, .. } in problems {
        let Some(path) = unread else { continue };
        row(out, |row| {
            row.path("pak", path)?;
            row.field("status", "unread")?;
            row.field("problem", error.kind().to_string())
        })?;
    }
    Ok(())
}

/// A row that is being written.
pub(crate) struct Row<'a> {
    out: &'a mut dyn Write,
    /// What goes before the next field.
    before: &'static str,
}

impl Row<'_> {
    /// Writes a field. Its name is one that needs no escaping.
    pub(crate) fn field(&mut self, name: &str, value: impl Serialize) -> io::Result<()> {
        write!(self.out, "{}\"{name}\":", self.before)?;
        self.before = ",";
        let mut serializer = serde_json::Serializer::with_formatter(&mut self.out, Safe);
        Ok(value.serialize(&mut serializer)?)
    }

    /// Writes a name as text, and where it is not UTF-8 all of its bytes in a second field.
    pub(crate) fn text(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.field(name, String::from_utf8_lossy(bytes))?;
        match hex(bytes) {
            Some(hex) => self.field(&format!("{name}_hex"), hex),
            None => Ok(()),
        }
    }

    /// Writes a path as [`text`](Self::text).
    pub(crate) fn path(&mut self, name: &str, path: &Path) -> io::Result<()> {
        self.text(name, &path_bytes(path))
    }
}

/// Writes a row as a line.
pub(crate) fn line(out: &mut impl Write, row: &impl Serialize) -> io::Result<()> {
    row.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Safe))?;
    out.write_all(b"\n")
}

/// All bytes of a name in hexadecimal, where it is not UTF-8.
pub(crate) fn hex(bytes: &[u8]) -> Option<String> {
    let hex = bytes.iter().map(|byte| format!("{byte:02x}"));
    core::str::from_utf8(bytes).is_err().then(|| hex.collect())
}

/// Compact JSON in which every character that is not plain is escaped.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| !text::is_plain(*c)) {
            let (plain, from) = rest.split_at(at);
            CompactFormatter.write_string_fragment(writer, plain)?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = from.get(c.len_utf8()..).unwrap_or_default();
        }
        CompactFormatter.write_string_fragment(writer, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &[u8]) -> String {
        let mut out = Vec::new();
        let fields = |row: &mut Row<'_>| {
            row.text("name", name)?;
            row.field("size", 7)
        };
        row(&mut out, fields).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_row_is_a_line_and_a_parser_reads_the_name_back() {
        let hostile = "a\\\"\x1b\n\x7f\u{9b}\u{202e}é刀\u{e0001}";
        let line = written(hostile.as_bytes());
        let inside = line.strip_suffix('\n').unwrap();
        assert!(
            inside.chars().all(|c| c == '\\' || text::is_plain(c)),
            "{line}"
        );
        let value: serde_json::Value = serde_json::from_str(inside).unwrap();
        assert_eq!(value["name"], hostile);
        assert_eq!(value.get("name_hex"), None);
    }

    #[test]
    fn a_name_that_is_not_utf_8_has_its_bytes_beside_it() {
        assert_eq!(
            written(b"b\xe4r"),
            "{\"name\":\"b\u{fffd}r\",\"name_hex\":\"62e472\",\"size\":7}\n"
        );
    }
}
