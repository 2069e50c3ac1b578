//! Errors of the command line, in the form of all our messages. clap finds what is wrong, and what to suggest.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind as Kind};

use daisho::archive::escape;

use super::message::Message;

/// The message for an error of the command line.
pub(super) fn message(
    mut error: clap::Error,
    command: &Command,
    arguments: &[OsString],
) -> Message {
    let verb = verb_of(command, arguments);
    let help = help(&error, verb);
    let typed = match error.kind() {
        Kind::UnknownArgument => ContextKind::InvalidArg,
        Kind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => ContextKind::InvalidValue,
    };
    if let Some(word) = word(&error, typed) {
        if error.kind() == Kind::InvalidSubcommand && word.contains(['.', '/', '\\']) {
            return Message::error("no such verb or file")
                .place(escaped(&word, arguments))
                .help(help);
        }
        error.insert(typed, ContextValue::String(escaped(&word, arguments)));
    }
    Message::error(first_paragraph(&error.to_string())).help(help)
}

/// What clap says is wrong, on one line and without its suggestions and the usage.
fn first_paragraph(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.is_empty());
    let lines: Vec<&str> = lines.map(str::trim).collect();
    let line = lines.join(" ");
    line.trim_start_matches("error: ")
        .trim_end_matches("...")
        .to_owned()
}

/// What to type instead, and where to read on.
fn help(error: &clap::Error, verb: Option<&Command>) -> String {
    let mut help = String::new();
    for kind in [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ] {
        if let Some(near) = word(error, kind) {
            help = format!("did you mean '{near}'? ");
        }
    }
    if error.kind() == Kind::MissingRequiredArgument
        && let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage)
    {
        let usage = usage.to_string();
        let usage = usage.trim_start_matches("Usage:").lines().map(str::trim);
        let usage: Vec<&str> = usage.collect();
        help = format!("{}; ", usage.join(", or "));
    }
    match verb {
        Some(verb) => {
            help += &format!(
                "'daisho {} --help' shows its options and examples",
                verb.get_name()
            )
        }
        None => help += "'daisho --help' lists the verbs",
    }
    help
}

/// The verb that was typed.
fn verb_of<'c>(command: &'c Command, arguments: &[OsString]) -> Option<&'c Command> {
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    words.find_map(|word| command.find_subcommand(word))
}

/// One piece of clap's information about an error, as one word. If there are several suggestions, this is the last,
/// which is the nearest.
fn word(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(word) => Some(word.clone()),
        ContextValue::Strings(words) => words.last().cloned(),
        _ => None,
    }
}

/// An argument that clap names, escaped. It has the bytes that were really typed, which clap may have replaced.
fn escaped(named: &str, arguments: &[OsString]) -> String {
    let typed = arguments
        .iter()
        .find(|typed| typed.to_string_lossy() == named);
    let bytes = typed.map_or(named.as_bytes(), |typed| typed.as_encoded_bytes());
    escape(bytes).to_string()
}

/// The command line as it was typed, with `option` inserted before the last argument that is `path`.
pub(super) fn typed_with(typed: &[OsString], option: &str, path: &Path) -> String {
    let at = typed.iter().rposition(|word| word == path.as_os_str());
    let mut line = String::from("daisho");
    for (number, word) in typed.iter().enumerate().skip(1) {
        if Some(number) == at {
            line += &format!(" {option}");
        }
        line += &format!(" {}", shell_word(word));
    }
    line
}

/// An argument as it would be typed: escaped, and in quotes if a shell would change it.
fn shell_word(word: &OsString) -> String {
    let word = escape(word.as_encoded_bytes()).to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "_./:=,@%+-".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{word}'"),
    }
}
