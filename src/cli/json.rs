//! Rows as JSON: one object a line, safe for a terminal.
//!
//! JSON itself escapes only characters below U+0020. Everything else that could steer a terminal is
//! written as `\uXXXX` here: a parser reads the original character, and a terminal shows plain text.
//!
//! JSON has no encoding for bytes that are not UTF-8: each becomes U+FFFD, and then a name also has
//! the field `name_hex`, a pak's path `pak_hex`, a loose file's `file_hex`.

use std::io::{self, Write};
use std::path::Path;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::ser::{CompactFormatter, Formatter};

use super::text;

/// Writes a row.
pub(crate) fn row<W: Write>(out: &mut W, row: &impl Serialize) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Safe);
    row.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// A name or a path, to be flattened into a row: a field with the text, and where it is not UTF-8 a
/// second field with all of its bytes in hexadecimal.
#[derive(Debug)]
pub(crate) struct Text {
    fields: [&'static str; 2],
    bytes: Vec<u8>,
}

impl Text {
    /// An entry's name: `name`, and `name_hex`.
    pub(crate) fn name(bytes: &[u8]) -> Self {
        let fields = ["name", "name_hex"];
        let bytes = bytes.to_vec();
        Self { fields, bytes }
    }

    /// A pak's path: `pak`, and `pak_hex`.
    pub(crate) fn pak(path: &Path) -> Self {
        Self {
            fields: ["pak", "pak_hex"],
            ..Self::name(path.as_os_str().as_encoded_bytes())
        }
    }

    /// A loose file's path: `file`, and `file_hex`.
    pub(crate) fn file(path: &Path) -> Self {
        Self {
            fields: ["file", "file_hex"],
            ..Self::pak(path)
        }
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [field, hex_field] = self.fields;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(field, &String::from_utf8_lossy(&self.bytes))?;
        if core::str::from_utf8(&self.bytes).is_err() {
            let hex = self.bytes.iter().map(|byte| format!("{byte:02x}"));
            map.serialize_entry(hex_field, &hex.collect::<String>())?;
        }
        map.end()
    }
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

    #[derive(Serialize)]
    struct Row {
        #[serde(flatten)]
        name: Text,
        size: u64,
    }

    fn written(name: &[u8]) -> String {
        let mut out = Vec::new();
        let name = Text::name(name);
        row(&mut out, &Row { name, size: 7 }).unwrap();
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
