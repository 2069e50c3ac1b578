//! The command: the only code that prints.
//!
//! Only `ui` prints, except for clap's help, which `command` prints.
//!
//! | module       | job                                                                      |
//! |--------------|--------------------------------------------------------------------------|
//! | `command`  | the definition of the command line, its parser, and errors of usage      |
//! | `habits`   | verbs and options of other tools, and what they are called here          |
//! | `global`   | the global options                                                       |
//! | `inputs`   | arguments that choose archives and entries                               |
//! | `args`     | other arguments that several verbs have, and the values that they accept |
//! | `write`    | the options of verbs that write archives                                 |
//! | `complete` | completions: what a shell asks while a line is typed                     |
//! | `topics`   | the chapters of the guide                                                |
//! | `verbs`    | the verbs: their arguments and help, the calls, and their own rows       |
//! | `rows`     | runs an operation, and shows its rows                                    |
//! | `render`   | what several verbs share to show rows                                    |
//! | `text`     | text that is safe for a terminal, and numbers in words                   |
//! | `terminal` | pictures in a terminal                                                   |
//! | `ui`       | the terminal and the exit status                                         |
//! | `output`   | standard output, as a terminal, a pipe or a file                         |
//! | `messages` | an error or a warning, or many of a kind as one                          |
//! | `advice`   | what to do about a finding, with the command's options                   |
//! | `progress` | progress bars                                                            |
//! | `exit`     | the exit status, and signals                                             |

mod advice;
mod args;
mod command;
mod complete;
mod exit;
mod global;
mod habits;
mod inputs;
mod messages;
mod output;
mod progress;
mod render;
mod rows;
mod terminal;
mod text;
mod topics;
mod ui;
pub(crate) mod verbs;
mod write;

use std::ffi::OsString;

use clap::CommandFactory as _;

use crate::cli::advice::VerbOptions;
use crate::cli::command::Cli;
use crate::cli::exit::Exit;
use crate::cli::ui::Ui;

/// Runs the command, and returns the exit status. `arguments` begin with its own name.
pub fn run(arguments: Vec<OsString>) -> u8 {
    if command::answered(&arguments) {
        return Exit::Done as u8;
    }
    match command::parse(&arguments).and_then(start) {
        Ok(status) => status,
        Err(exit) => exit as u8,
    }
}

fn start((cli, options): (Cli, VerbOptions)) -> Result<u8, Exit> {
    let ui = Ui::new(&cli.global, options, cli.verb.salvages(), cli.verb.reads_maps());
    let ui = ui.map_err(ui::refuse)?;
    ui.listen();
    verbs::run(cli.verb, Cli::command, &ui);
    Ok(ui.end())
}
