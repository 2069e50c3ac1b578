//! From what was typed to [`Cli`], or to an error that is safe to show.
//!
//! clap repeats arguments in its errors unescaped. A file from a stranger, named by a glob, can put
//! an argument there that steers a terminal. So where there is such an argument, all of them are
//! escaped and parsed again, and that error is shown.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, FromArgMatches as _, ValueEnum as _};

use daisho::archive::escape;

use super::args::{Cli, When};
use super::closed::{Closed, is_closed};
use super::exit::Exit;
use super::global;
use super::message::Message;
use super::output;
use super::text;

/// Parses `arguments`. Help and version are printed here and exit with 0; a call without arguments
/// is an error.
pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Cli, Exit> {
    if let Some(when) = color(&arguments) {
        global::color(when);
    }
    let hostile = arguments.iter().any(|argument| !is_plain(argument));
    match read(arguments.clone()) {
        Ok(cli) => match cli.check() {
            Ok(()) => Ok(cli),
            Err(message) => {
                message.print();
                Err(Exit::Refused)
            }
        },
        Err(error) if hostile && error.use_stderr() => {
            let escaped = arguments
                .iter()
                .map(|argument| OsString::from(escape(argument.as_encoded_bytes()).to_string()));
            match read(escaped.collect()) {
                Err(error) => Err(show(&error)),
                // Escaped, the arguments are fine: one that must be UTF-8 was not. clap's first line
                // says so, and repeats no argument.
                Ok(_) => {
                    let words = error.to_string();
                    let first = words.lines().next().unwrap_or_default();
                    let what = first.strip_prefix("error: ").unwrap_or(first);
                    Message::error(text::scrub(what)).print();
                    Err(Exit::Refused)
                }
            }
        }
        Err(error) => Err(show(&error)),
    }
}

fn read(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

/// Prints an error to standard error, and help or the version to standard output.
fn show(error: &clap::Error) -> Exit {
    if let Some(message) = no_verb(error) {
        message.print();
        return Exit::Refused;
    }
    let printed = if !error.use_stderr() && is_closed() {
        Err(std::io::Error::other(Closed))
    } else {
        error.print()
    };
    if error.use_stderr() {
        return Exit::Refused;
    }
    match printed {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            output::failed(error).print();
            Exit::NotAllWell
        }
        _ => Exit::Done,
    }
}

/// The error for an unknown verb, which clap's own words call a subcommand.
fn no_verb(error: &clap::Error) -> Option<Message> {
    if error.kind() != clap::error::ErrorKind::InvalidSubcommand {
        return None;
    }
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        Some(ContextValue::Strings(words)) => words.first().cloned(),
        _ => None,
    };
    let verb = word(ContextKind::InvalidSubcommand)?;
    let meant = match word(ContextKind::SuggestedSubcommand) {
        Some(meant) => format!("perhaps {meant} is meant; "),
        None => String::new(),
    };
    Some(
        Message::error(format!("there is no verb \"{verb}\""))
            .help(format!("{meant}try '--help', which lists the verbs")),
    )
}

/// Whether an argument can be printed unescaped.
fn is_plain(argument: &OsStr) -> bool {
    argument
        .to_str()
        .is_some_and(|argument| argument.chars().all(text::is_plain))
}

/// The value of `--color`, read before parsing, because it also applies to errors of parsing.
fn color(arguments: &[OsString]) -> Option<When> {
    let mut found = None;
    let mut arguments = arguments.iter().take_while(|argument| *argument != "--");
    while let Some(argument) = arguments.next() {
        let value = match argument.to_str()? {
            "--color" => arguments.next()?.to_str()?,
            argument => match argument.strip_prefix("--color=") {
                Some(value) => value,
                None => continue,
            },
        };
        found = When::from_str(value, false).ok().or(found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_is_found_before_parsing() {
        let asked = |arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            color(&arguments)
        };
        assert_eq!(asked(&["daisho", "list", "a"]), None);
        assert_eq!(asked(&["daisho", "--color", "never"]), Some(When::Never));
        assert_eq!(
            asked(&["daisho", "x", "--color=always"]),
            Some(When::Always)
        );
        assert_eq!(asked(&["daisho", "--color=blue"]), None);
        assert_eq!(asked(&["daisho", "--", "--color=always"]), None);
    }
}
