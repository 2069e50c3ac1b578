//! The command line as it was typed, corrected: advice that can be copied.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use daisho::archive::escape;

/// The command line with `option` before the last argument that is `path`, and without the word `to`, which
/// `convert A to B` has.
pub(super) fn with_option(option: &str, path: &Path) -> String {
    let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();
    words.retain(|word| word != "to" || Path::new("to").exists());
    if let Some(at) = place(&words, path) {
        words.insert(at, option.into());
    }
    line(&words)
}

/// The command line in which the option whose value is `path` has another name.
pub(super) fn with_option_renamed(names: &[&str], new: &str, path: &Path) -> String {
    let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let path = path.as_os_str();
    let at = match place(&words, path.as_ref()) {
        Some(at) if at > 0 && words.get(at - 1).is_some_and(|it| is_in(names, it)) => Some(at - 1),
        // The value is in the same word: -oDIR or --output=DIR.
        _ => words.iter().position(|word| ends_with(word, path)),
    };
    if let Some(at) = at {
        if let Some(word) = words.get(at)
            && !is_in(names, word)
        {
            words.insert(at + 1, path.to_owned());
        }
        if let Some(word) = words.get_mut(at) {
            *word = new.into();
        }
    }
    line(&words)
}

fn is_in(names: &[&str], word: &OsStr) -> bool {
    names.iter().any(|name| word == *name)
}

/// The command line in which `later` comes just before `earlier`.
pub(super) fn with_moved(later: &Path, earlier: &Path) -> String {
    let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let (Some(from), Some(to)) = (place(&words, later), place(&words, earlier))
        && to < from
    {
        let word = words.remove(from);
        words.insert(to, word);
    }
    line(&words)
}

/// The number of the last argument that is `path`.
fn place(words: &[OsString], path: &Path) -> Option<usize> {
    words.iter().rposition(|word| word == path.as_os_str())
}

fn ends_with(word: &OsStr, path: &OsStr) -> bool {
    let word = word.as_encoded_bytes();
    word.starts_with(b"-") && word.ends_with(path.as_encoded_bytes())
}

/// The words as they would be typed after `daisho`.
fn line(words: &[OsString]) -> String {
    let mut line = String::from("daisho");
    for word in words {
        line += &format!(" {}", shell_word(word));
    }
    line
}

/// An argument as it would be typed: escaped, and in quotes if a shell would change it.
pub(super) fn shell_word(word: &OsStr) -> String {
    let word = escape(word.as_encoded_bytes()).to_string();
    let mut special = word.chars();
    let is_special = special.any(|c| !c.is_alphanumeric() && !"_./:=,@%+-".contains(c));
    if !word.is_empty() && !is_special { word } else { format!("'{word}'") }
}
