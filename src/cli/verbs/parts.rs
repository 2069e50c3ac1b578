//! What `convert` and `create` say of outputs that are split, and of names that will not be found.

use daisho::ops::split::{NeverFound, Part};
use daisho::pak::escape;

use super::asked::count;
use crate::cli::global::Global;
use crate::cli::text;

/// A line for each part, where there are several.
pub(super) fn tell(parts: &[Part], dry_run: bool, global: &Global) {
    if parts.len() < 2 {
        return;
    }
    for part in parts {
        let (target, entries) = (
            text::path(&part.target),
            count(part.entries, "entry", "entries"),
        );
        let would = if dry_run { "would write " } else { "" };
        let bytes = match part.bytes {
            Some(bytes) => format!(", {}", text::bytes(bytes)),
            None => String::new(),
        };
        global
            .messages
            .note(&format!("  {target}: {would}{entries}{bytes}"));
    }
}

/// All names that an engine never finds, for those who want to know.
pub(super) fn tell_never_found(names: &[NeverFound], global: &Global) {
    for NeverFound { index, name, works } in names {
        let (name, works) = (escape(name), escape(works));
        let line = format!("  entry {index} \"{name}\" would be found as \"{works}\"");
        global.messages.detail(&line);
    }
}
