//! The program inside the web page: one request is one run, with the request as its arguments.
//!
//! It reads the dropped files and writes its outputs with `std::fs`, like any program. Only the page knows that these
//! files are pieces of a `Blob` (`system.js`). The program reports on standard output, one JSON object per line. It is
//! compiled for wasm32-wasip1, and also runs on any other system, so it can be tried without a browser:
//!
//! ```text
//! cargo run --bin daisho-web --no-default-features --features web -- open pak0.pak
//! ```
//!
//! | file       | job                                              |
//! |------------|--------------------------------------------------|
//! | `report`   | the lines on standard output, and advice         |
//! | `open`     | the formats of files, and the entries of archives |
//! | `look`     | one entry: its facts, picture, map or content    |
//! | `pictures` | many entries: small pictures and PNG files       |
//! | `convert`  | conversions, and entries as a ZIP                |
//! | `verify`   | all entries decoded and compared with a snapshot |
//!
//! `open`, `convert` and `verify` only call the operations of the crate, and report their rows as the command does.
#![forbid(unsafe_code)]

mod convert;
mod look;
mod open;
mod pictures;
mod report;
mod verify;

use std::process::ExitCode;

use daisho::ops::finding::Finding;
use pictures::Request;
use report::Report;

/// The requests and their arguments.
const VERBS: &str = "open PATH... | content OUT PATH INDEX | verify OUT PATH [SNAPSHOT] | \
                     convert OUT PATH FORMAT all-or-nothing|keep-going [INDEX...] | zip OUT PATH [INDEX...] | \
                     look|png OUT PATH INDEX [BESIDE...] | thumbs|pngs OUT PATH INDEX,... [BESIDE...]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let report = Report::new();
    let done = match arguments.as_slice() {
        ["open", paths @ ..] => {
            open::open(&report, paths);
            Ok(())
        }
        [
            verb @ ("look" | "content" | "png" | "pngs" | "thumbs"),
            out,
            path,
            which,
            beside @ ..,
        ] => Request::open(out, path, beside)
            .and_then(|request| {
                let answer = match *verb {
                    "look" => look::look,
                    "content" => look::content,
                    "png" => pictures::png,
                    "pngs" => pictures::pngs,
                    _ => pictures::thumbs,
                };
                answer(&report, &request, which)
            })
            .map_err(Finding::from),
        ["convert", out, path, format, damage, indices @ ..] => {
            let keep_going = *damage == "keep-going";
            convert::convert(&report, (out, path), format, keep_going, indices)
        }
        ["zip", out, path, indices @ ..] => convert::zip(&report, (out, path), indices),
        ["verify", out, path, snapshot @ ..] => {
            verify::verify(&report, out, path, snapshot.first().copied());
            Ok(())
        }
        _ => {
            report.say(&serde_json::json!({ "error": "no such request", "help": VERBS }));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report.finding(&error);
            ExitCode::FAILURE
        }
    }
}
