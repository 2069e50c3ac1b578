//! The command: the only code that prints.
//!
//! Four files of it write to the terminal: `output` (standard output), `message` (standard error), `progress`
//! (bars), and `command`, which prints clap's help.
//!
//! | module        | job                                                                     |
//! |---------------|-------------------------------------------------------------------------|
//! | [`command`]   | the definition of the command line, and its parser     |
//! | [`args`]      | arguments that several verbs have                                       |
//! | [`values`]    | the words and numbers that arguments accept                             |
//! | [`path_list`] | lists of paths: `--files-from`                                          |
//! | [`mistakes`]  | what is wrong with a command line, and what was probably meant          |
//! | [`complete`]  | completions: what a shell asks while a line is typed                    |
//! | [`global`]    | the global options, and what every verb needs                           |
//! | [`verbs`]     | the verbs: their arguments and help, and the calls                      |
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
