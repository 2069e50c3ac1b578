//! `completions`, `man`: what is made from these definitions.

use clap::Args;
use clap_complete::Shell;

/// Print completions for a shell
///
/// They are made from the same definitions as the help, and go to standard output.
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
