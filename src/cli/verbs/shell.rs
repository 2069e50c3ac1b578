//! `completions`, `man`, `help`: what is made from the definition of the command and from the guide.

use std::io::Write as _;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::cli::complete;
use crate::cli::output::DataKind;
use crate::cli::topics::{self, Topic};
use crate::cli::ui::Ui;
use crate::ops::Refusal;

/// Print completions for a shell
///
/// They complete verbs, options, values, files, and the names of entries after an archive.
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
  cd ~/.local/share/bash-completion/completions
  daisho completions bash > daisho

  mkdir -p ~/.zfunc                     fpath in ~/.zshrc must name it
  daisho completions zsh > ~/.zfunc/_daisho

  mkdir -p ~/.config/fish/completions
  daisho completions fish > ~/.config/fish/completions/daisho.fish";

pub(super) fn completions(args: &CompletionsArgs, ui: &Ui) -> Result<(), Refusal> {
    ui.write(DataKind::Text, |out| out.write_all(&complete::script(&args.shell.to_string())?));
    Ok(())
}

/// Print a manual page
///
/// Without an argument it prints the page of the command.
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

  mkdir -p ~/.local/share/man/man1
  daisho man convert > ~/.local/share/man/man1/daisho-convert.1";

pub(super) fn man(args: &ManArgs, mut command: Command, ui: &Ui) -> Result<(), Refusal> {
    // The page of the command lists all verbs.
    command = command.mut_subcommands(|verb| verb.hide(false));
    // Global options reach the verbs, and each verb's page its full name.
    command.build();
    let mut page = command.clone();
    if let Some(name) = args.page.as_deref() {
        if let Some(topic) = topics::find(name) {
            print_chapter(topic, ui);
            return Ok(());
        }
        let Some(verb) = command.find_subcommand(name) else {
            return Err(topics::unknown(name, None).into());
        };
        let full_name = format!("daisho-{}", verb.get_name());
        page = verb.clone().display_name(full_name).version(env!("CARGO_PKG_VERSION"));
    }
    ui.write(DataKind::Text, |out| clap_mangen::Man::new(page).render(out));
    Ok(())
}

/// Print the help of a verb, or a chapter of the guide
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(crate) struct HelpArgs {
    /// A verb, or a topic
    #[arg(value_name = "VERB|TOPIC")]
    pub(crate) page: Option<String>,
}

const HELP: &str = "\
Examples:
  daisho help                  the verbs, and the topics of the guide
  daisho help convert          the same as 'daisho convert --help'
  daisho help engines          a chapter of the guide";

/// Prints a chapter. The help of a verb was printed while the arguments were read.
pub(super) fn help(args: &HelpArgs, ui: &Ui) -> Result<(), Refusal> {
    if let Some(topic) = args.page.as_deref().and_then(topics::find) {
        print_chapter(topic, ui);
    }
    Ok(())
}

fn print_chapter(topic: &Topic, ui: &Ui) {
    ui.write(DataKind::Text, |out| out.write_all(topic.text.as_bytes()));
}
