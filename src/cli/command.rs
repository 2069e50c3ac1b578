//! The command line: its definition, the parser that turns arguments into a [`Cli`], and errors of usage.
//!
//! clap finds what is wrong, and what to suggest. But its errors repeat arguments without escaping them. A shell may
//! have expanded a glob to a stranger's file, whose name contains control sequences for the terminal. So this module
//! takes only the facts from clap's errors, and gives them the form of daisho's other messages.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind as Kind};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, ValueEnum as _};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

use crate::archive::escape;
use crate::cli::advice::VerbOptions;
use crate::cli::args::When;
use crate::cli::exit::Exit;
use crate::cli::global::{self, GlobalArgs};
use crate::cli::topics::{self, TOPICS};
use crate::cli::verbs::{Verb, WITHOUT_ROWS};
use crate::cli::{complete, habits, output, ui};
use crate::ops::finding::Finding;

/// Reads, converts and verifies the archives of the Quake family and of Daikatana
///
/// It reads paks of Quake, Daikatana, SiN, HROT and Anachronox, WADs, and ZIPs such as PK3, and
/// converts between these formats: a single archive, or a whole disk of archives in parallel.
///
/// Only add, remove, rename and undo change an archive. A file never appears under its final name before
/// it is complete, and existing files are overwritten only with -f.
#[derive(Debug, Parser)]
#[command(
    name = "daisho",
    version,
    subcommand_required = true,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 80,
    subcommand_value_name = "VERB",
    subcommand_help_heading = "Verbs",
    after_help = "\
Global options: -j N, -q, -v, --json, --from and others: see 'daisho --help'
'daisho VERB --help' shows the rules and examples of a verb, 'daisho help TOPIC'
a chapter of the guide, and 'daisho FILE' what a file is.",
    after_long_help = AFTER
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// The line about global options in the help of each verb.
const GLOBAL: &str = "Global options: -j N, -q, -v, --json, --from and others: see 'daisho --help'";

const AFTER: &str = "\
Global options, before or after the verb:
  -j, --jobs N       number of threads [default: all cores, or DAISHO_JOBS]; the
                     output is the same for every number
  -q, --quiet        no warnings, summaries or progress
  -v, --verbose      more details, and each of many similar messages
  --json             rows as JSON, one per line: 'daisho help scripting'
  --from FORMAT      read every archive as this format instead of detecting it:
                     quake, daikatana, sin, hrot, wad2, wad3, pk3, anachronox
  --reserved ACTION  what to do at the control byte 0xFE in Daikatana's streams:
                     skip (as the game does), copy (as one packer does) or
                     error; by default all streams of an archive decide
  --exclude-archive GLOB
                     skip these archives in searches; matched like -x, with
                     the path from the directory that is searched
  --color WHEN       colours, and the pictures of show: auto, always, never
  --progress WHEN    progress bars: auto (on a terminal, after half a second),
                     always, never

Data goes to standard output; progress, summaries and messages go to standard
error. Names are escaped, so that none can control the terminal.

Also: completions (for a shell), man (a manual page), help (a chapter of the
guide).

Exit status:
  0    done, with or without warnings
  1    not all well: damage, an I/O error, one unusable input of several, a
       difference, a skipped entry, a name or pattern without a match (an edit
       refuses it: 2), output that was not read to its end
  2    wrong usage, a refusal before any work began, no input is an archive, or
       diff could not open a side
  129, 130, 131, 143
       stopped by SIGHUP, SIGINT, SIGQUIT or SIGTERM

Environment:
  DAISHO_JOBS  the number of threads
  DAISHO_GAME  a game's directory or archive: for --game, and the base of
               which and missing
  NO_COLOR, CLICOLOR, CLICOLOR_FORCE, FORCE_COLOR
               whether messages are coloured

Examples:
  daisho pak0.pak                          what it is, and which engines load it
  daisho convert pak1.pak -o quake1.pak    Daikatana to Quake
  daisho convert daikatana/ -C quake/      all paks in a directory
  daisho list pak0.pak                     what is in it
  daisho extract pak0.pak '*.wal'          the textures only, into pak0/
  daisho verify games/                     decode everything, write nothing

'daisho VERB --help' shows the rules and examples of a verb.";

impl Cli {
    /// Checks the global options. clap looks for conflicts on each side of the verb separately.
    fn check(&self, verb: Option<&str>) -> Result<(), Finding> {
        if self.global.quiet && self.global.verbose {
            return Err(
                Finding::error("-q and -v contradict each other").advice("give one of them")
            );
        }
        if let Some(verb) = verb.filter(|verb| WITHOUT_ROWS.contains(verb))
            && self.global.json
        {
            let error = Finding::error(format!("{verb} has nothing to print as JSON"));
            return Err(error.advice("leave out --json"));
        }
        Ok(())
    }
}

/// Options that are seldom needed with a verb, and that other verbs describe.
const HIDDEN: [(&str, &str); 8] = [
    ("cat", "frames"),
    ("remove", "engine"),
    ("rename", "engine"),
    ("rename", "keep_going"),
    ("rename", "no_backup"),
    ("gallery", "frames"),
    ("gallery", "max_expansion"),
    ("diff", "max_expansion"),
];

/// The command line. The help of each verb has one line about the global options. `help` and `man` accept
/// verbs and topics.
fn definition() -> clap::Command {
    // Not the file's name, which differs from system to system.
    let mut command = Cli::command().bin_name("daisho");
    let names = command.get_subcommands().map(clap::Command::get_name);
    let mut pages: Vec<String> = names.map(str::to_owned).collect();
    pages.extend(TOPICS.iter().map(|topic| topic.name.to_owned()));
    let pages = move || pages.iter().map(CompletionCandidate::new).collect();
    let pages = ArgValueCandidates::new(pages);
    command = command
        .after_long_help(format!("{AFTER}\n\n{}", topics::list()))
        .mut_subcommand("man", |man| man.mut_arg("page", |page| page.add(pages.clone())))
        .mut_subcommand("help", |help| help.mut_arg("page", |page| page.add(pages)));
    for (verb, option) in HIDDEN {
        command = command.mut_subcommand(verb, |it| it.mut_arg(option, |it| it.hide(true)));
    }
    for verb in ["extract", "list"] {
        // Only what an engine serves depends on the engine.
        let engine = |it: clap::Arg| it.requires("effective");
        command = command.mut_subcommand(verb, |it| it.mut_arg("engine", engine));
    }
    command.mut_subcommands(|verb| {
        let rules = verb.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        verb.after_help(GLOBAL).after_long_help(format!("{GLOBAL}\n\n{rules}"))
    })
}

/// Answers a shell that asks for completions. Returns whether one does.
pub(crate) fn answered(arguments: &[OsString]) -> bool {
    if std::env::var_os(complete::VARIABLE).is_none() {
        return false;
    }
    let directory = std::env::current_dir().ok();
    let env = CompleteEnv::with_factory(definition).var(complete::VARIABLE);
    // Errors in a line that is still being typed are not printed: they would appear in the middle of it.
    let answered = env.try_complete(arguments.iter().cloned(), directory.as_deref());
    answered.unwrap_or(true)
}

/// Parses `arguments`. Also returns the options of the verb. Prints the help or the version here, and exits with 0. A call without arguments is an error.
pub(crate) fn parse(arguments: &[OsString]) -> Result<(Cli, VerbOptions), Exit> {
    global::color(color(arguments));
    let command = &mut definition();
    let mut arguments = arguments.to_vec();
    let mut matches = command.try_get_matches_from_mut(&arguments);
    if let Err(error) = &matches
        && let Some(place) = file_place(error, &arguments)
    {
        let next = arguments.get(place + 1);
        if let Some(verb) = next.and_then(|next| command.find_subcommand(next)) {
            let error = Finding::error("the verb comes before the file");
            return Err(ui::refuse(error.advice(format!("use daisho {} FILE", verb.get_name()))));
        }
        // `daisho FILE` means `daisho info FILE`, so that a file can be dropped on the program.
        arguments.insert(place, "info".into());
        matches = command.try_get_matches_from_mut(&arguments);
    }
    let parsed = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = parsed.map_err(|error| show(error, command, &arguments))?;
    if let Verb::Help(args) = &cli.verb
        && let Some(error) = help_of(command, args.page.as_deref())?
    {
        return Err(show(error, command, &arguments));
    }
    let verb = matches.subcommand_name();
    cli.check(verb).map_err(ui::refuse)?;
    let keeps_going = arguments.iter().any(|word| word == "--keep-going");
    let verb = verb.and_then(|verb| command.find_subcommand(verb));
    let options = verb.map(|verb| VerbOptions::of(verb, keeps_going));
    Ok((cli, options.unwrap_or_default()))
}

/// The place of the word that clap took for an unknown verb, if it is the path of a file or directory, perhaps of one
/// that does not exist.
fn file_place(error: &clap::Error, arguments: &[OsString]) -> Option<usize> {
    let word = word(error, ContextKind::InvalidSubcommand)?;
    let place = 1 + arguments.iter().skip(1).position(|it| it.to_string_lossy() == word)?;
    let is_file = Path::new(arguments.get(place)?).exists() || word.contains(['.', '/', '\\']);
    is_file.then_some(place)
}

/// The help of a verb, or of the command if there is no verb, as clap returns it. `None` for a topic.
fn help_of(command: &mut clap::Command, page: Option<&str>) -> Result<Option<clap::Error>, Exit> {
    if page.is_some_and(|page| topics::find(page).is_some()) {
        return Ok(None);
    }
    let arguments = ["daisho"].into_iter().chain(page).chain(["--help"]);
    let error = command.try_get_matches_from_mut(arguments).err();
    if let (Some(page), Some(error)) = (page, &error)
        && error.kind() == Kind::InvalidSubcommand
    {
        let near = word(error, ContextKind::SuggestedSubcommand);
        let meant = habits::meant(None, page).or(near);
        return Err(ui::refuse(topics::unknown(page, meant.as_deref())));
    }
    Ok(error)
}

/// Prints an error to standard error, and help or the version to standard output. A call without any
/// argument gets the help as an error.
fn show(error: clap::Error, command: &clap::Command, arguments: &[OsString]) -> Exit {
    let is_help = error.kind() == Kind::DisplayHelpOnMissingArgumentOrSubcommand;
    if error.use_stderr() && !is_help {
        return ui::refuse(usage_error(error, command, arguments));
    }
    let printed = error.print();
    if error.use_stderr() {
        return Exit::Refused;
    }
    match printed {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            ui::refuse(output::failed(error));
            Exit::NotAllWell
        }
        _ => Exit::Done,
    }
}

/// The value of `--color`, read before parsing, because it also applies to errors of parsing.
fn color(arguments: &[OsString]) -> When {
    let mut found = When::Auto;
    let mut arguments = arguments.iter().take_while(|argument| *argument != "--");
    while let Some(argument) = arguments.next() {
        let value = match argument.to_str() {
            Some("--color") => arguments.next().and_then(|value| value.to_str()),
            argument => argument.and_then(|argument| argument.strip_prefix("--color=")),
        };
        let value = value.and_then(|value| When::from_str(value, false).ok());
        found = value.unwrap_or(found);
    }
    found
}

/// The message for an error of the command line.
fn usage_error(mut error: clap::Error, command: &clap::Command, arguments: &[OsString]) -> Finding {
    let typed = match error.kind() {
        Kind::UnknownArgument => ContextKind::InvalidArg,
        Kind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => ContextKind::InvalidValue,
    };
    let is_verb = |word: &OsString| command.find_subcommand(word).is_some();
    let place = 1 + arguments.iter().skip(1).position(is_verb).unwrap_or(0);
    let mut verb = arguments.get(place).and_then(|verb| command.find_subcommand(verb));
    if typed == ContextKind::InvalidSubcommand {
        verb = None; // what follows may have the name of one
    }
    if error.kind() == Kind::MissingSubcommand {
        return Finding::error("a verb is missing").advice(more_about(None));
    }
    let Some(word) = word(&error, typed) else {
        return Finding::error(first_paragraph(&error.to_string())).advice(advice(&error, verb));
    };
    let help = match meant(&word, verb, command, arguments.get(1..place)) {
        Some(help) => help,
        // With the help of the verb that is spelt almost as what was typed.
        None => {
            let near = self::word(&error, ContextKind::SuggestedSubcommand);
            let near = near.and_then(|near| command.find_subcommand(near));
            advice(&error, near.or(verb))
        }
    };
    let shown = escaped(&word, arguments);
    if error.kind() == Kind::InvalidSubcommand {
        return Finding::error(format!("there is no verb \"{shown}\"")).advice(help);
    }
    error.insert(typed, ContextValue::String(shown));
    Finding::error(first_paragraph(&error.to_string())).advice(help)
}

/// What to type instead of a word of another tool. An option among those `before` the verb stands for a verb.
fn meant(
    word: &str,
    verb: Option<&clap::Command>,
    command: &clap::Command,
    before: Option<&[OsString]>,
) -> Option<String> {
    let mut before = before.unwrap_or(&[]).iter();
    let is_before = before.any(|option| option.to_string_lossy().starts_with(word));
    let verb = verb.filter(|_| !is_before).map(clap::Command::get_name);
    let meant = habits::meant(verb, word)?;
    let first = meant.split_once(' ').map_or(&*meant, |(first, _)| first);
    let more = more_about(command.find_subcommand(first));
    Some(format!("did you mean 'daisho {meant}'? {more}"))
}

/// What clap says is wrong, on one line and without its suggestions and the usage.
fn first_paragraph(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.is_empty());
    let lines: Vec<&str> = lines.map(str::trim).collect();
    let line = lines.join(" ");
    line.trim_start_matches("error: ").trim_end_matches("...").to_owned()
}

/// What to type instead, and where to read on.
fn advice(error: &clap::Error, verb: Option<&clap::Command>) -> String {
    let mut help = String::new();
    for kind in
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
    {
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
    help + &more_about(verb)
}

/// Where to read on.
fn more_about(verb: Option<&clap::Command>) -> String {
    let Some(verb) = verb else {
        return "'daisho --help' lists the verbs".to_owned();
    };
    let name = verb.get_name();
    format!("'daisho {name} --help' shows its options and examples")
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
    let typed = arguments.iter().find(|typed| typed.to_string_lossy() == named);
    let bytes = typed.map_or(named.as_bytes(), |typed| typed.as_encoded_bytes());
    escape(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        definition().debug_assert();
    }

    #[test]
    fn every_habit_is_unknown_and_gets_known_advice() {
        let command = definition();
        let has = |verb: &str, option: &str| {
            let verb = command.find_subcommand(verb).unwrap();
            let name = option.trim_start_matches('-');
            let mut known = verb.get_arguments().chain(command.get_arguments());
            known.any(|arg| {
                if option.starts_with("--") {
                    arg.get_long() == Some(name)
                } else {
                    arg.get_short().map(String::from).as_deref() == Some(name)
                }
            })
        };
        for (verb, typed, meant) in habits::all() {
            let is_known = match verb {
                Some(verb) => has(verb, typed),
                None => command.find_subcommand(typed).is_some(),
            };
            assert!(!is_known, "{verb:?} knows {typed}");
            let mut words = meant.split(' ');
            let first = words.next().unwrap();
            if ["FILE", "--version"].contains(&first) {
                continue;
            }
            assert!(command.find_subcommand(first).is_some(), "{meant}");
            for option in words.filter(|word| word.starts_with('-')) {
                assert!(has(first, option), "{meant}");
            }
        }
    }

    #[test]
    fn every_verb_has_examples_and_options_have_help() {
        for verb in definition().get_subcommands() {
            let name = verb.get_name();
            let after = verb.get_after_long_help().map(ToString::to_string);
            assert!(after.is_some_and(|text| text.contains("Examples:")), "{name}");
            for arg in verb.get_arguments() {
                assert!(arg.get_help().is_some(), "{name}: {}", arg.get_id());
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_and_names_need_not_be_utf_8() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let latin = OsStr::from_bytes(b"b\xe4r");
        let parse = |arguments: &[&OsStr]| Cli::try_parse_from(arguments).unwrap().verb;
        let [daisho, convert, cat] = ["daisho", "convert", "cat"].map(OsStr::new);
        match parse(&[daisho, convert, latin, OsStr::new("-o"), latin]) {
            Verb::Convert(args) => {
                assert_eq!(args.inputs.paths, [latin]);
                assert_eq!(args.output.as_deref(), Some(latin.as_ref()));
            }
            other => panic!("{other:?}"),
        }
        match parse(&[daisho, cat, latin, latin]) {
            Verb::Cat(args) => {
                assert_eq!(args.entries.archive, latin);
                assert_eq!(args.entries.names, [latin]);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_colour_is_found_before_parsing() {
        let asked = |arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            color(&arguments)
        };
        assert_eq!(asked(&["daisho", "list", "a"]), When::Auto);
        assert_eq!(asked(&["daisho", "--color", "never"]), When::Never);
        assert_eq!(asked(&["daisho", "x", "--color=always"]), When::Always);
        assert_eq!(asked(&["daisho", "--color=blue"]), When::Auto);
        assert_eq!(asked(&["daisho", "--", "--color=always"]), When::Auto);
    }
}
