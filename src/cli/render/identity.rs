//! The identity of an archive, as a line.

use daisho::archive::escape;
use daisho::ops::row::IdentityRow;

use crate::cli::text;

/// What a table says about an archive.
pub(crate) fn known_line(row: &IdentityRow) -> String {
    let path = text::path(&row.archive);
    let Some(name) = &row.known else {
        return format!("{path}: not known");
    };
    let name = escape(name.as_bytes());
    match row.notes.as_deref() {
        None | Some("") => format!("{path}: {name}"),
        Some(notes) => format!("{path}: {name} ({})", escape(notes.as_bytes())),
    }
}
