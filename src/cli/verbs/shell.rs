//! `completions`, `man`: what is made from the definition of the command.

use std::io::Write as _;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::cli::complete;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::{self, Kind};
use crate::cli::topics;

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
/// Without an argument it prints the page of the command, which lists the verbs.
#[derive(Debug, Args)]
#[command(after_long_help = MAN)]
pub(crate) struct ManArgs {
    /// A verb, or a topic of the guide
    #[arg(value_name = "VERB|TOPIC")]
    pub(crate) page: Option<String>,
}

const MAN: &str = "\
Examples:
  daisho man | man -l -
  daisho man convert | man -l -
  daisho man engines | man -l -

  mkdir -p ~/.local/share/man/man1
  daisho man convert > ~/.local/share/man/man1/daisho-convert.1";

pub(super) fn man(args: &ManArgs, mut command: Command, global: &Global) -> Exit {
    // Global options reach the verbs, and each verb's page its full name.
    command.build();
    let name = args.page.as_deref();
    if let Some(topic) = name.and_then(topics::find) {
        return output::write(global, Kind::Content, |out| {
            topic.manual_page(out)?;
            Ok(Exit::Done)
        });
    }
    let mut page = command.clone();
    if let Some(name) = name {
        let Some(verb) = command.find_subcommand(name) else {
            global.messages.tell(topics::unknown(name));
            return Exit::Refused;
        };
        let full_name = format!("daisho-{}", verb.get_name());
        page = verb
            .clone()
            .display_name(full_name)
            .version(env!("CARGO_PKG_VERSION"));
    }
    output::write(global, Kind::Content, |out| {
        clap_mangen::Man::new(page).render(out)?;
        out.flush()?;
        Ok(Exit::Done)
    })
}
