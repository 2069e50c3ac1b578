//! Summaries of `convert` and `create`: the parts of a split output, and names that are hard to find.

use daisho::archive::escape;
use daisho::ops::write::{HardToFind, Output};

use crate::cli::global::Global;
use crate::cli::text;

/// A line for each part, where there are several.
pub(super) fn tell_parts(parts: &[Output], dry_run: bool, global: &Global) {
    if parts.len() < 2 {
        return;
    }
    for part in parts {
        let (target, entries) = (
            text::path(&part.target),
            text::count(part.entries, "entry", "entries"),
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

/// With `-v`, reports every name that an engine never finds, or only in its exact spelling.
pub(super) fn tell_hard_to_find(names: &[HardToFind], global: &Global) {
    for HardToFind { index, name, found } in names {
        let how = if *found {
            "is found only under exactly this spelling"
        } else {
            "is never found"
        };
        let name = escape(name);
        let line = format!("  entry {index} \"{name}\" {how}");
        global.messages.detail(&line);
    }
}
