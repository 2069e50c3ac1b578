//! `completions`, `man`: what is made from the definition of the command.

use std::io::Write as _;

use clap::{Args, Command};
use clap_complete::Shell;
use daisho::archive::quoted;

use crate::cli::complete;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};

/// Print completions for a shell
///
/// The shell asks daisho itself while a line is typed, so that they fit what is installed: verbs, options
/// and their values, files, and the names of entries behind an archive.
#[derive(Debug, Args)]
#[command(after_long_help = COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

const COMPLETIONS: &str = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions
  daisho completions bash > ~/.local/share/bash-completion/completions/daisho

  mkdir -p ~/.zfunc                              which fpath must name, in ~/.zshrc
  daisho completions zsh > ~/.zfunc/_daisho

  mkdir -p ~/.config/fish/completions
  daisho completions fish > ~/.config/fish/completions/daisho.fish";

pub(super) fn completions(args: &CompletionsArgs, global: &Global) -> Exit {
    output::write(global, Kind::Content, |out| {
        out.write_all(&complete::script(&args.shell.to_string())?)?;
        Ok(Exit::Done)
    })
}

/// Print a manual page
///
/// Without a verb it is the page of the command, which lists the verbs; with one it is the
/// verb's.
#[derive(Debug, Args)]
#[command(after_long_help = MAN)]
pub(crate) struct ManArgs {
    /// The verb whose page it is
    #[arg(value_name = "VERB")]
    pub(crate) verb: Option<String>,
}

const MAN: &str = "\
Examples:
  daisho man | man -l -
  daisho man convert | man -l -

  mkdir -p ~/.local/share/man/man1
  daisho man convert > ~/.local/share/man/man1/daisho-convert.1";

pub(super) fn man(args: &ManArgs, mut command: Command, global: &Global) -> Exit {
    // Global options reach the verbs, and each verb's page its full name.
    command.build();
    let page = match &args.verb {
        None => Some(command),
        Some(verb) => command
            .find_subcommand(verb)
            .map(|found| {
                found
                    .clone()
                    .display_name(format!("daisho-{}", found.get_name()))
            })
            .map(|found| found.version(env!("CARGO_PKG_VERSION"))),
    };
    let Some(page) = page else {
        let verb = args.verb.as_deref().unwrap_or_default();
        global.messages.tell(
            Message::error(format!("there is no verb {}", quoted(verb.as_bytes())))
                .help("daisho --help lists the verbs"),
        );
        return Exit::Refused;
    };
    output::write(global, Kind::Content, |out| {
        clap_mangen::Man::new(page).render(out)?;
        out.flush()?;
        Ok(Exit::Done)
    })
}
