//! The command: the only code that prints.
//!
//! | module       | job                                                                        |
//! |--------------|----------------------------------------------------------------------------|
//! | [`command`]  | the command line: its definition, and from what was typed to a verb        |
//! | [`complete`] | completions: what a shell asks while a line is typed                       |
//! | [`args`]     | arguments that several verbs have                                          |
//! | [`values`]   | the words and numbers that arguments accept                                |
//! | [`global`]   | the global options, and what every verb needs                              |
//! | [`verbs`]    | one file for each verb: arguments, options of the operation, its report    |
//! | [`exit`]     | the exit status                                                            |
//! | [`notices`]  | the sentence for many findings, and what to do about them                  |

//! | [`message`]  | an error or a warning, as it is printed; [`gathered`] many of a kind as one |

//! | [`messages`] | errors, warnings, summaries in their order: standard error                 |
//! | [`mistakes`] | what is wrong with a command line, and what was probably meant             |
//! | [`output`]   | data: standard output                                                      |
//! | [`facts`]    | facts of files, in words                                                   |
//! | [`json`]     | rows as JSON, safe for a terminal                                          |
//! | [`text`]     | text that is safe for a terminal, numbers in words                         |
//! | [`path_list`] | lists of paths: `--files-from`                                            |
//! | [`progress`] | progress bars                                                              |
//! | [`render`]   | rows of operations, as text and as JSON                                    |
//! | [`signals`]  | interrupts                                                                 |
//! | [`topics`]   | the chapters of the guide                                                  |
//! | [`terminal`] | pictures in a terminal                                                     |

mod args;
mod command;
mod complete;
mod exit;
mod facts;
mod gathered;
mod global;
mod json;
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
    let global = match Global::new(&cli.global) {
        Ok(global) => global,
        Err(exit) => return exit,
    };
    let exit = verbs::run(cli.verb, Cli::command(), &global);
    global.end(exit)
}
