//! The arguments, and their help. Nothing here acts.
//!
//! The help is where a user learns the rules, so each verb says first what it does, then what it
//! never does, then how it treats names, duplicates and existing files, then examples.
//! [`Global`](crate::cli::Global) and the verbs turn arguments into options of an operation.

mod convert;
mod create;
mod extract;
mod inspect;
mod rules;
mod shared;
mod shell;
mod stream;

use clap::{Parser, Subcommand};

pub(crate) use convert::ConvertArgs;
pub(crate) use create::CreateArgs;
pub(crate) use extract::ExtractArgs;
pub(crate) use inspect::{CatArgs, DiffArgs, InfoArgs, ListArgs, VerifyArgs, WhichArgs};
pub(crate) use shared::{EngineArgs, GlobArgs, GlobalArgs, When, parse_jobs};
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use stream::{PackStreamArgs, UnpackStreamArgs};

use super::message::Message;

/// Reads Quake's and Daikatana's paks, tells them apart, and writes either
///
/// The two games' paks begin with the same four bytes and differ in what follows; daisho finds
/// out which one it has, decompresses, and converts in both directions, one pak or a disk full of
/// them, in parallel. Quake's layout is also that of Quake II, Half-Life and Hexen II.
///
/// A source is never changed. A file appears under its name whole or not at all. Nothing that
/// exists is replaced unless -f asks for it, and what would be is found out before anything is
/// written.
#[derive(Debug, Parser)]
#[command(
    name = "daisho",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100,
    subcommand_value_name = "VERB",
    subcommand_help_heading = "Verbs",
    disable_help_subcommand = true,
    after_help = "daisho VERB --help shows a verb's rules, with examples.",
    after_long_help = AFTER
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const AFTER: &str = "\
Streams:
  Data goes to standard output; progress, summaries and messages go to standard error. What
  comes out of a pak is shown escaped, so that no name can steer a terminal.

Exit status:
  0    done; warnings, and what -k kept, included
  1    not all well: damage, an input or output error, one unusable input among several, a
       difference, no match, a skipped entry
  2    wrong usage, a refusal before anything was done, or no input is a pak
  129  the terminal was closed (SIGHUP)
  130  interrupted (SIGINT)
  131  quit (SIGQUIT)
  143  terminated (SIGTERM)
  After the first of these signals what is unfinished is removed; a second one, other than
  SIGHUP, leaves at once. One that is ignored from the start stays so, as under nohup.

Environment:
  DAISHO_JOBS  the number of threads, where -j is not given
  NO_COLOR, CLICOLOR, CLICOLOR_FORCE
               whether messages are coloured, where --color is not given

Examples:
  daisho convert pak1.pak -o quake1.pak    a Daikatana pak becomes a Quake pak
  daisho convert -r daikatana/ -C quake/   all paks below a directory
  daisho list pak0.pak                     what is in it
  daisho extract pak0.pak -i '*.wal'       the textures only, into pak0/
  daisho verify -r games/                  decode everything, write nothing

daisho VERB --help shows a verb's rules, with examples.";

/// The verb, with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Convert(ConvertArgs),
    Extract(ExtractArgs),
    List(ListArgs),
    Info(InfoArgs),
    Verify(VerifyArgs),
    Cat(CatArgs),
    Create(CreateArgs),
    Diff(DiffArgs),
    Which(WhichArgs),
    UnpackStream(UnpackStreamArgs),
    PackStream(PackStreamArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Cli {
    /// Checks what the definitions cannot express: clap looks for conflicts on each side of the verb
    /// separately, and its error for a missing destination would not say what to do.
    pub(crate) fn check(&self) -> Result<(), Message> {
        if self.global.quiet && self.global.verbose {
            return Err(Message::error("-q and -v contradict each other").help("give one of them"));
        }
        let idle = match &self.verb {
            Verb::Extract(args) => (!args.effective).then_some((&args.engine, "--effective")),
            Verb::List(args) => (!args.effective).then_some((&args.engine, "--effective")),
            _ => None,
        };
        if let Some((EngineArgs { engine: Some(_) }, with)) = idle {
            return Err(
                Message::error(format!("--engine says nothing without {with}"))
                    .help(format!("give {with} as well, or try '--help'")),
            );
        }
        match &self.verb {
            Verb::Convert(args) => args.check(),
            Verb::Create(args) => shared::check_output(&args.output),
            Verb::Which(args) => args.check(),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_has_examples_and_every_option_a_help_text() {
        for verb in Cli::command().get_subcommands() {
            let name = verb.get_name();
            let after = verb.get_after_long_help().map(ToString::to_string);
            assert!(
                after.is_some_and(|text| text.contains("Examples:")),
                "{name}"
            );
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
                assert_eq!(args.pak, latin);
                assert_eq!(args.names, [latin]);
            }
            other => panic!("{other:?}"),
        }
    }
}
