//! The program inside the web page: one request is one run, with the request as its arguments.
//!
//! It reads the dropped files and writes its outputs as any program does, by `std::fs`; that these are the
//! pieces of a `Blob` is known to the page alone (`system.js`). What it has to say goes to standard output, a
//! JSON object a line. It is compiled for wasm32-wasip1; on any other system it runs as well, and so can be
//! tried without a browser:
//!
//! ```text
//! cargo run --bin daisho-web --no-default-features --features web -- open pak0.pak
//! ```
//!
//! | file     | job                                                        |
//! |----------|------------------------------------------------------------|
//! | `report` | what it says, line by line                                 |
//! | `open`   | what archives are, and what is in them                     |
//! | `advice` | what to do about an error                                  |
//! | `look`   | one entry: facts, picture, map, content                    |
//! | `write`  | conversions, and entries as a ZIP                          |
//! | `verify` | everything decoded, and compared with a snapshot           |
//!
//! Facts and paths are in the command's own words: those files of `src/cli` are compiled here, too.

#![forbid(unsafe_code)]

#[path = "../cli/facts.rs"]
mod facts;
#[path = "../cli/text.rs"]
#[expect(dead_code, reason = "most of it is for a terminal")]
mod text;

mod advice;
mod look;
mod open;
mod report;
mod verify;
mod write;

use std::process::ExitCode;

use report::Report;

/// What can be asked for, and how.
const VERBS: &str = "open PATH... | look OUT PATH INDEX [BESIDE...] | content OUT PATH INDEX | \
                     convert OUT PATH FORMAT [keep-going] | zip OUT PATH [INDEX...] | \
                     verify OUT PATH [SNAPSHOT]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut report = Report::new();
    let done = match arguments.as_slice() {
        ["open", paths @ ..] => {
            open::open(&mut report, paths);
            Ok(())
        }
        ["look", out, path, index, beside @ ..] => {
            look::look(&mut report, (out, path, index), beside)
        }
        ["content", out, path, index] => look::content(&mut report, out, path, index),
        ["convert", out, path, format] => write::convert(&mut report, out, path, format, false),
        ["convert", out, path, format, "keep-going"] => {
            write::convert(&mut report, out, path, format, true)
        }
        ["zip", out, path, indices @ ..] => write::zip(&mut report, out, path, indices),
        ["verify", out, path] => verify::verify(&mut report, out, path, None),
        ["verify", out, path, snapshot] => verify::verify(&mut report, out, path, Some(snapshot)),
        _ => {
            report.refuse(VERBS);
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report.error(&error);
            ExitCode::FAILURE
        }
    }
}
