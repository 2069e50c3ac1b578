//! Rows as JSON: one object a line, safe for a terminal.
//!
//! JSON itself escapes only what is below U+0020. Everything else that could steer a terminal is
//! written as `\uXXXX` here, so a parser reads the same and a terminal shows nothing but text.
//!
//! Bytes that are not UTF-8 cannot be said in JSON: they become U+FFFD each, and then a name has the
//! field `name_hex` beside it, a pak's path `pak_hex`, a loose file's `file_hex`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use super::text;

/// Writes a row.
pub(crate) fn row<W: Write>(out: &mut W, row: &impl Serialize) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Safe);
    row.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// An entry's name, to be flattened into a row: `name`, and `name_hex` where it is needed.
#[derive(Debug, Serialize)]
pub(crate) struct Name {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_hex: Option<String>,
}

impl Name {
    /// The fields for a name of these bytes.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let (name, name_hex) = text_and_hex(bytes);
        Self { name, name_hex }
    }
}

/// A pak's path, to be flattened into a row: `pak`, and `pak_hex` where it is needed.
#[derive(Debug, Serialize)]
pub(crate) struct Pak {
    pak: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pak_hex: Option<String>,
}

impl Pak {
    /// The fields for a pak of this path.
    pub(crate) fn new(path: &Path) -> Self {
        let (pak, pak_hex) = text_and_hex(path.as_os_str().as_encoded_bytes());
        Self { pak, pak_hex }
    }
}

/// A loose file's path, to be flattened into a row: `file`, and `file_hex` where it is needed.
#[derive(Debug, Serialize)]
pub(crate) struct File {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
}

impl File {
    /// The fields for a file of this path.
    pub(crate) fn new(path: &Path) -> Self {
        let (file, file_hex) = text_and_hex(path.as_os_str().as_encoded_bytes());
        Self { file, file_hex }
    }
}

/// Bytes as text, and in hexadecimal where the text cannot say them all.
fn text_and_hex(bytes: &[u8]) -> (String, Option<String>) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let hex = core::str::from_utf8(bytes).is_err().then(|| {
        let mut hex = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            let _ = write!(hex, "{byte:02x}");
        }
        hex
    });
    (text, hex)
}

/// Compact, and with everything escaped that is not plain.
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
        name: Name,
        size: u64,
    }

    fn written(name: &[u8]) -> String {
        let mut out = Vec::new();
        let name = Name::new(name);
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
