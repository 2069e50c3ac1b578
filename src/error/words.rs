//! Clauses of the errors' words that depend on a number, or on how much there is to name.

use std::io;
use std::path::PathBuf;

use crate::archive::{Format, quoted, quoted_path};

/// The others of some paths, of which the first is named already.
pub(super) fn and_others(others: &[PathBuf]) -> String {
    if others.is_empty() {
        return String::new();
    }
    format!(": this and {}", listed(others))
}

/// The first few of some paths.
fn listed(others: &[PathBuf]) -> String {
    // All of a directory may be among them.
    const SHOWN: usize = 3;
    let names = others.iter().take(SHOWN);
    let names = names.map(|path| quoted_path(path).to_string());
    let mut names: Vec<String> = names.collect();
    if let more @ 1.. = others.len().saturating_sub(SHOWN) {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

/// Archives that load in the order of a directory's listing, or of which one is loaded by that order.
pub(super) fn unsorted(archives: &[PathBuf], names: Option<usize>) -> String {
    let archives = listed(archives);
    match names {
        None => format!(
            "only one of {archives}, by the order in which the file system lists them: which one is not \
             defined"
        ),
        Some(count) => format!(
            "{archives} in the order in which the file system lists them: which copy of {count} {} it serves \
             is not defined",
            if count == 1 { "file" } else { "files" }
        ),
    }
}

/// Names, quoted, as alternatives: `"a", "b" or "c"`.
pub(super) fn alternatives(names: &[Vec<u8>]) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name).to_string()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "no file that is known".to_owned(),
    }
}

/// What was probably meant, where there is something like it.
pub(super) fn perhaps(near: Option<impl core::fmt::Display>) -> String {
    near.map_or_else(String::new, |near| format!("; perhaps {near} is meant"))
}

/// What needs room in one pak.
pub(super) fn needing(entries: u64) -> String {
    match entries {
        1 => "this entry needs ".to_owned(),
        entries => format!("the {entries} entries of this name must stay together and need "),
    }
}

/// What archives begin with: `"PACK", "SPAK" or "HROT"`.
pub(super) fn magics() -> String {
    let mut magics: Vec<String> = Vec::new();
    for format in Format::ALL {
        let magic = quoted(&format.spec().magic).to_string();
        if !magics.contains(&magic) {
            magics.push(magic);
        }
    }
    let last = magics.pop().unwrap_or_default();
    format!("{} or {last}", magics.join(", "))
}

/// What is the matter with so many textures in a WAD of this format.
pub(super) const fn palettes(to: Format, count: usize) -> &'static str {
    match (to, count) {
        (Format::Wad3, 1) => "texture has no palette, which Half-Life reads behind each",
        (Format::Wad3, _) => "textures have no palette, which Half-Life reads behind each",
        (_, 1) => "texture has a palette of its own, and Quake shows it in Quake's colours",
        (_, _) => "textures have palettes of their own, and Quake shows them in Quake's colours",
    }
}

/// Why archives of a format are not written.
pub(super) fn not_written(format: Format) -> String {
    match format {
        Format::Directory => "a directory is not written as one file".to_owned(),
        _ => format!(
            "{format} archives are read, and not written: each record has a checksum of a kind that is not known"
        ),
    }
}

/// The system's words, which begin with a capital, as ours, which do not; an abbreviation stays.
pub(super) fn lower_first(error: &io::Error) -> String {
    let words = error.to_string();
    let mut chars = words.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_words_become_lower_case() {
        let words = |words: &'static str| lower_first(&io::Error::other(words));
        assert_eq!(words("No such file"), "no such file");
        assert_eq!(words("IO failed"), "IO failed");
        assert_eq!(words(""), "");
    }
}
