//! The command: the only code that prints.
//!
//! | module       | job                                                                        |
//! |--------------|----------------------------------------------------------------------------|
//! | [`args`]     | what can be typed, and the help                                            |
//! | [`parse`]    | from what was typed to [`args`], or to an error that is safe to show       |
//! | [`global`]   | what was meant, and what every verb is given                               |
//! | [`verbs`]    | one file each: options for `daisho::ops`, its report into words            |
//! | [`exit`]     | the exit status                                                            |
//! | [`message`]  | errors, warnings, summaries: standard error                                |
//! | [`output`]   | data: standard output                                                      |
//! | [`closed`]   | whether there is a standard output                                         |
//! | [`json`]     | rows as JSON, safe for a terminal                                          |
//! | [`text`]     | what may reach a terminal                                                  |
//! | [`progress`] | bars                                                                       |
//! | [`screen`]   | what bars are drawn on                                                     |
//! | [`signals`]  | interrupts                                                                 |

mod args;
mod closed;
mod exit;
mod global;
mod json;
mod message;
mod output;
mod parse;
mod progress;
mod screen;
mod signals;
mod text;
mod verbs;

use std::ffi::OsString;

use exit::Exit;
use global::Global;

/// Does what `arguments`, the command's name among them, ask for.
pub(crate) fn run(arguments: Vec<OsString>) -> Exit {
    let cli = match parse::parse(arguments) {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    let global = match Global::new(&cli.global) {
        Ok(global) => global,
        Err(exit) => return exit,
    };
    let exit = verbs::run(cli.verb, &global);
    global.end(exit)
}
