//! What is wrong with a command line, in the form of all our messages, and what was probably meant.
//!
//! Hands that know tar, unzip, 7z, cargo or git type their words here, too. What such a word or option is
//! called here is said; what is only spelled like something is suggested where it is very like it.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind as Kind};
use clap::{Arg, Command};

use daisho::archive::quoted;
use daisho::ops::meant::meant;

use super::message::Message;

/// Words of others for what a verb does, and the command that does it.
const VERBS: &[(&[&str], &str)] = &[
    (
        &[
            "unpack",
            "x",
            "e",
            "unzip",
            "untar",
            "decompress",
            "export",
            "get",
        ],
        "'daisho extract' writes an archive's files",
    ),
    (
        &["t", "test", "check", "validate", "fsck", "integrity"],
        "'daisho verify' decodes everything and writes nothing; 'daisho list' lists, as tar's t does",
    ),
    (
        &["l", "ls", "dir", "v", "tree", "contents"],
        "'daisho list' shows what is in an archive, 'daisho cat ARCHIVE NAME' prints one file of it",
    ),
    (
        &["view", "preview", "open", "display", "look"],
        "'daisho show ARCHIVE NAME' shows pictures and text, 'daisho list' what is in an archive",
    ),
    (
        &[
            "c", "pack", "zip", "tar", "compress", "build", "make", "new", "archive",
        ],
        "'daisho create -o OUT PATH...' makes an archive of files",
    ),
    (
        &[
            "a", "u", "update", "append", "insert", "put", "replace", "import",
        ],
        "'daisho add ARCHIVE FILE...' adds files, and with -f replaces them",
    ),
    (
        &["d", "rm", "del", "delete"],
        "'daisho remove ARCHIVE NAME...' takes entries out",
    ),
    (
        &["mv", "ren", "move"],
        "'daisho rename ARCHIVE OLD NEW' renames an entry",
    ),
    (
        &["p", "print", "type"],
        "'daisho cat ARCHIVE NAME' prints an entry's content",
    ),
    (
        &["identify", "file", "detect", "stat", "about"],
        "'daisho info' says which format an archive has, why, and which engines load it",
    ),
    (
        &["compare", "cmp"],
        "'daisho diff A B' compares two archives or directories",
    ),
    (
        &["find", "where", "locate"],
        "'daisho which DIR... NAME' says which copy of a file is served",
    ),
    (
        &["merge", "join", "split", "repack", "clean", "optimize"],
        "'daisho convert' does it: --merge makes one archive of many, --max-entries and --max-size split, \
         -o alone packs anew",
    ),
    (
        &["dedup", "duplicates", "dups"],
        "'daisho dupes' finds what lies more than once",
    ),
    (&["version"], "'daisho --version' shows it"),
];

/// Options of others, or of other verbs, the verbs that they are given to (none: all that have the option
/// that is named), and what does it here.
const OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (
        &[
            "-d",
            "--output",
            "--outdir",
            "--output-dir",
            "--target",
            "-O",
        ],
        &["extract"],
        "-C DIR says where to",
    ),
    (
        &["-o"],
        &["extract"],
        "-C DIR says where to, and -f replaces files that exist",
    ),
    (
        &["-l", "-t", "-Z"],
        &["extract"],
        "'daisho list' shows what is in an archive, 'daisho verify' tests it",
    ),
    (
        &["-p", "-c", "--stdout", "--to-stdout"],
        &["extract"],
        "'daisho cat ARCHIVE NAME' prints a file",
    ),
    (
        &["-n", "--dry-run", "-f", "--force", "-k", "--keep"],
        READING,
        "it writes nothing, so there is nothing to plan, replace or keep: 'daisho VERB PATH' does all it does",
    ),
    (
        &["-o", "--output", "-C", "--directory", "-d"],
        READING,
        "it prints to standard output: 'daisho VERB PATH > FILE' sends that to a file",
    ),
    (
        &["-C", "--directory", "-d"],
        &["create"],
        "-o DIR/OUT.pak says where to; the files of a single directory are named from there",
    ),
    (
        &["-k", "--keep"],
        &["add"],
        "-x GLOB leaves files out, and -f replaces entries of their names",
    ),
    (
        &["-C", "--directory", "-o", "--output"],
        &["add", "remove", "rename"],
        "the archive itself is changed; --backup keeps the old one, 'daisho convert' writes another",
    ),
    (
        &["-i", "--include", "-x", "--exclude"],
        &["cat", "show"],
        "it takes names, as 'daisho list' shows them; 'daisho extract ARCHIVE -i GLOB' writes what matches",
    ),
    (
        &["-i", "--include", "-x", "--exclude"],
        &["info"],
        "it is about whole archives; 'daisho list ARCHIVE -i GLOB' shows what matches",
    ),
    (
        &["-i", "--include", "-x", "--exclude"],
        &["remove", "rename", "which"],
        "what is meant stands behind PATH without an option: 'daisho VERB PATH NAME'",
    ),
    (
        &[
            "--no-clobber",
            "--skip-existing",
            "--skip-old-files",
            "-u",
            "--update",
        ],
        &[],
        "-k keeps what is there",
    ),
    (
        &["-y", "--yes", "--overwrite", "-a"],
        &[],
        "no questions are asked; -f replaces what exists",
    ),
    (&["-R", "--recurse"], &[], "-r searches directories"),
    (
        &["--format", "--type", "-F"],
        &[],
        "--to FORMAT says what is written",
    ),
    (
        &["--exclude-from", "--ignore"],
        &[],
        "-x GLOB leaves entries out",
    ),
    (
        &["--filter", "--pattern", "--glob", "--name"],
        &[],
        "-i GLOB takes only entries that match",
    ),
    (
        &["-T", "--threads", "--parallel"],
        &[],
        "-j N says how many threads work",
    ),
    (
        &[
            "-1",
            "-2",
            "-3",
            "-4",
            "-5",
            "-6",
            "-7",
            "-8",
            "-9",
            "--compression",
            "-m",
            "-mx",
        ],
        &[],
        "--level N, 0 to 9, with 'daisho convert' or 'daisho create' into a ZIP",
    ),
    (
        &["--max-depth"],
        &[],
        "--depth N says how deep -r looks into archives",
    ),
    (
        &["--crc", "--checksum"],
        &[],
        "'daisho verify --json' shows each entry's CRC-32",
    ),
    (&["--silent", "-s"], &[], "-q prints errors only"),
];

/// The verbs that write no file.
const READING: &[&str] = &[
    "list", "info", "verify", "cat", "show", "diff", "which", "dupes",
];

/// The message for an error of the command line; none where it is no error, but help or the version.
pub(super) fn message(error: &clap::Error, command: &Command, arguments: &[OsString]) -> Message {
    let verb = verb_of(command, arguments);
    let typed = |kind| Typed::new(word(error, kind), arguments);
    match error.kind() {
        Kind::InvalidSubcommand => no_verb(&typed(ContextKind::InvalidSubcommand), command),
        Kind::UnknownArgument => unknown(&typed(ContextKind::InvalidArg), verb, command),
        Kind::InvalidValue | Kind::ValueValidation => {
            value(error, &typed(ContextKind::InvalidValue), verb)
        }
        Kind::MissingRequiredArgument => missing(error, verb),
        Kind::ArgumentConflict => conflict(error, verb),
        _ => {
            let words = error.to_string();
            let first = words.lines().next().unwrap_or_default();
            let what = first.strip_prefix("error: ").unwrap_or(first);
            Message::error(what).help(help_of(verb))
        }
    }
}

/// What was typed that is wrong.
struct Typed {
    text: String,
    /// The same as it is shown, with the bytes that it really has.
    shown: String,
}

impl Typed {
    fn new(text: String, arguments: &[OsString]) -> Self {
        let is_it = |argument: &&OsString| argument.to_string_lossy() == text.as_str();
        let raw = arguments.iter().find(is_it);
        let bytes = raw.map_or(text.as_bytes(), |raw| raw.as_encoded_bytes());
        let shown = quoted(bytes).to_string();
        Self { text, shown }
    }
}

/// The verb that was typed.
fn verb_of<'c>(command: &'c Command, arguments: &[OsString]) -> Option<&'c Command> {
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    words.find_map(|word| command.find_subcommand(word))
}

/// Where to read on.
fn help_of(verb: Option<&Command>) -> String {
    match verb {
        Some(verb) => format!(
            "'daisho {} --help' shows its options and examples",
            verb.get_name()
        ),
        None => "'daisho --help' lists the verbs".to_owned(),
    }
}

/// What clap says of an error, as one word.
fn word(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(word)) => word.clone(),
        Some(ContextValue::Strings(words)) => words.join(", "),
        _ => String::new(),
    }
}

/// An argument as a sentence names it: `--output <OUT.pak>` as `--output OUT.pak`.
fn plain(argument: &str) -> String {
    argument.replace(['<', '>'], "").replace("...", "")
}

/// What comes nearest to a word, of words.
fn nearest<'w>(typed: &str, words: impl Iterator<Item = &'w str>) -> Option<String> {
    let words: Vec<&str> = words.collect();
    let begins = |word: &&&str| typed.len() > 2 && word.starts_with(typed);
    if let Some(word) = words.iter().find(begins) {
        return Some((**word).to_owned());
    }
    let near = meant(
        typed.as_bytes(),
        words.iter().map(|word| word.as_bytes().to_vec()),
    )?;
    // One letter of two is another word.
    (typed.len() > 2).then(|| String::from_utf8_lossy(&near).into_owned())
}

fn no_verb(typed: &Typed, command: &Command) -> Message {
    let (name, typed) = (&typed.shown, typed.text.as_str());
    if Path::new(typed).exists() {
        return Message::error(format!("a verb is missing before {name}")).help(format!(
            "'daisho list', 'info', 'extract', 'verify' and 'convert' take an archive, as in: daisho info {typed}"
        ));
    }
    let message = Message::error(format!("there is no verb {name}"));
    if typed == "help" {
        return message
            .help("'daisho --help' lists the verbs, 'daisho VERB --help' shows what one does");
    }
    let habit = VERBS
        .iter()
        .find(|(words, _)| words.contains(&typed.to_lowercase().as_str()));
    let verbs = command.get_subcommands().map(Command::get_name);
    message.help(match (habit, nearest(typed, verbs)) {
        (Some((_, help)), _) => (*help).to_owned(),
        (None, Some(near)) => format!("perhaps {near} is meant; 'daisho --help' lists the verbs"),
        (None, None) => help_of(None),
    })
}

fn unknown(typed: &Typed, verb: Option<&Command>, command: &Command) -> Message {
    let whose = verb.map_or("daisho", Command::get_name);
    let (shown, typed) = (&typed.shown, typed.text.as_str());
    if !typed.starts_with('-') {
        let message = Message::error(format!("{whose} takes no further argument {shown}"));
        return message.help(match whose {
            "pack-stream" | "unpack-stream" => format!(
                "it reads a bare stream from standard input: daisho {whose} < IN > OUT; 'daisho extract' is \
                 for archives"
            ),
            _ => help_of(verb),
        });
    }
    let message = Message::error(format!("{whose} has no option {shown}"));
    let option = typed.split('=').next().unwrap_or(typed);
    let has = |help: &str| {
        let own = help.split(' ').find(|word| word.starts_with('-'));
        let own = own.unwrap_or_default().trim_start_matches('-');
        let mut all = verb.into_iter().flat_map(Command::get_arguments);
        all.any(|arg| arg.get_long() == Some(own) || arg.get_short() == own.chars().next())
    };
    let habit = OPTIONS.iter().find(|(options, of, help)| {
        options.contains(&option) && (of.contains(&whose) || of.is_empty() && has(help))
    });
    if let Some((_, _, help)) = habit {
        return message.help(help.replace("VERB", whose));
    }
    let longs = |command: &Command| -> Vec<String> {
        let all = command.get_arguments().filter(|arg| !arg.is_hide_set());
        all.filter_map(Arg::get_long)
            .map(|long| format!("--{long}"))
            .collect()
    };
    let own = verb.map(longs).unwrap_or_default();
    let all = own.iter().map(String::as_str);
    if let Some(near) = nearest(option, all) {
        return message.help(format!("perhaps {near} is meant; {}", help_of(verb)));
    }
    let others = command.get_subcommands().filter(|other| {
        let short = |arg: &Arg| {
            arg.get_short()
                .is_some_and(|short| format!("-{short}") == option)
        };
        longs(other).iter().any(|long| long == option) || other.get_arguments().any(short)
    });
    let others: Vec<&str> = others.map(Command::get_name).collect();
    message.help(match others.as_slice() {
        [] => help_of(verb),
        others => format!(
            "it is an option of {}; {}",
            others.join(", "),
            help_of(verb)
        ),
    })
}

/// The value of an option that cannot be one.
fn value(error: &clap::Error, typed: &Typed, verb: Option<&Command>) -> Message {
    let (shown, typed) = (&typed.shown, typed.text.as_str());
    let option = plain(&word(error, ContextKind::InvalidArg));
    let possible = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(words)) => words.as_slice(),
        _ => &[],
    };
    let message = Message::error(format!("{shown} is no value for {option}"));
    if !possible.is_empty() {
        let near = nearest(&typed.to_lowercase(), possible.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("perhaps {near} is meant; "));
        let all = possible.join(", ");
        return message.help(format!("{near}it is one of {all}; {}", help_of(verb)));
    }
    match std::error::Error::source(error) {
        Some(why) => {
            Message::error(format!("{shown} is no value for {option}: {why}")).help(help_of(verb))
        }
        None if typed.is_empty() => {
            Message::error(format!("{option} needs a value")).help(help_of(verb))
        }
        None => message.help(help_of(verb)),
    }
}

fn missing(error: &clap::Error, verb: Option<&Command>) -> Message {
    let missing = plain(&word(error, ContextKind::InvalidArg));
    let whose = verb.map_or("daisho", Command::get_name);
    let usage = verb.map(|verb| {
        verb.clone()
            .bin_name(format!("daisho {whose}"))
            .render_usage()
    });
    let usage = usage.map(|usage| usage.to_string()).unwrap_or_default();
    let usage = usage.trim_start_matches("Usage:").lines();
    let usage: Vec<&str> = usage.map(str::trim).collect();
    Message::error(format!("{whose} needs {missing}")).help(format!(
        "{}; {}",
        usage.join(", or "),
        help_of(verb)
    ))
}

fn conflict(error: &clap::Error, verb: Option<&Command>) -> Message {
    let (one, other) = (
        plain(&word(error, ContextKind::InvalidArg)),
        plain(&word(error, ContextKind::PriorArg)),
    );
    let message = match other.is_empty() || one == other {
        true => Message::error(format!("{one} is given more than once")),
        false => Message::error(format!("{one} and {other} cannot be given together")),
    };
    message.help(format!("give one of them; {}", help_of(verb)))
}
