//! The command: the only code that prints.
//!
//! | module        | job                                                                     |
//! |---------------|-------------------------------------------------------------------------|
//! | [`command`]   | the command line: its definition, and from what was typed to a verb     |
//! | [`args`]      | arguments that several verbs have                                       |
//! | [`values`]    | the words and numbers that arguments accept                             |
//! | [`path_list`] | lists of paths: `--files-from`                                          |
//! | [`mistakes`]  | what is wrong with a command line, and what was probably meant          |
//! | [`complete`]  | completions: what a shell asks while a line is typed                    |
//! | [`global`]    | the global options, and what every verb needs                           |
//! | [`verbs`]     | one file for each verb: its arguments and help, and the call            |
//! | [`render`]    | rows of operations, as text and as JSON                                 |
//! | [`text`]      | text that is safe for a terminal, and numbers in words                  |
//! | [`output`]    | standard output: data                                                   |
//! | [`messages`]  | standard error: errors and warnings, many of a kind as one, summaries   |
//! | [`message`]   | one error or warning, as it is printed                                  |
//! | [`notices`]   | the sentence for many findings, and what to do about them               |
//! | [`progress`]  | progress bars                                                           |
//! | [`signals`]   | interrupts                                                              |
//! | [`exit`]      | the exit status                                                         |
//! | [`topics`]    | the chapters of the guide                                               |
//! | [`terminal`]  | pictures in a terminal                                                  |

mod args;
mod command;
mod complete;
mod exit;
mod global;
mod message;
mod messages;
mod mistakes;
mod notices;
mod output;
mod path_list;
mod progress;
mod render;
mod signals;
mod terminal;
mod text;
mod topics;
mod values;
mod verbs;

use std::ffi::OsString;

use clap::CommandFactory as _;

use command::Cli;
use exit::Exit;
use global::Global;

/// Runs the command. `arguments` begin with its own name.
pub(crate) fn run(arguments: Vec<OsString>) -> Exit {
    if command::answered(&arguments) {
        return Exit::Done;
    }
    let cli = match command::parse(&arguments) {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    let global = match Global::new(&cli.global, cli.verb.salvages()) {
        Ok(global) => global,
        Err(exit) => return exit,
    };
    let exit = verbs::run(cli.verb, Cli::command(), &global);
    global.end(exit)
}
