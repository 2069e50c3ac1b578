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
//! | `edit`     | an archive with changes                          |
//! | `verify`   | all entries decoded and compared with a snapshot |
//!
//! `open`, `convert`, `edit` and `verify` only call the operations of the crate, and report their rows as the command does.
#![forbid(unsafe_code)]

mod convert;
mod edit;
mod look;
mod open;
mod pictures;
mod report;
mod verify;

use std::process::ExitCode;

use daisho::ops::Refusal;
use daisho::ops::finding::Finding;
use pictures::Request;
use report::Report;

/// The requests and their arguments.
const VERBS: &str = "open PATH... | content OUT PATH INDEX | verify OUT PATH [SNAPSHOT] | \
                     edit OUT PATH all-or-nothing|keep-going [VERB NAME|FILE NAME|PALETTE]... | \
                     convert OUT PATH FORMAT all-or-nothing|keep-going [INDEX...] | zip OUT PATH [INDEX...] | \
                     look|png OUT PATH INDEX [BESIDE...] | thumbs|pngs OUT PATH INDEX,... [BESIDE...]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let report = Report::new();
    match answer(&report, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(refusal) => {
            report.findings(&refusal.0);
            ExitCode::FAILURE
        }
    }
}

fn answer(report: &Report, arguments: &[&str]) -> Result<(), Refusal> {
    match *arguments {
        ["open", ref paths @ ..] => {
            open::open(report, paths);
            Ok(())
        }
        ["content", out, path, index, ..] => look::content(report, (out, path), index),
        ["look", out, path, index, ref beside @ ..] => {
            look::look(report, &Request::open(out, path, beside, true)?, index)
        }
        ["png", out, path, index, ref beside @ ..] => {
            pictures::png(report, &Request::open(out, path, beside, false)?, index)
        }
        ["pngs", out, path, indices, ref beside @ ..] => {
            pictures::pngs(report, &Request::open(out, path, beside, false)?, indices)
        }
        ["thumbs", out, path, indices, ref beside @ ..] => {
            pictures::thumbs(report, &Request::open(out, path, beside, false)?, indices)
        }
        ["convert", out, path, format, damage, ref indices @ ..] => {
            let keep_going = damage == "keep-going";
            convert::convert(report, (out, path), format, keep_going, indices)
        }
        ["edit", out, path, damage, ref changes @ ..] => {
            edit::edit(report, (out, path), damage == "keep-going", changes)
        }
        ["zip", out, path, ref indices @ ..] => convert::zip(report, (out, path), indices),
        ["verify", out, path, ref snapshot @ ..] => {
            verify::verify(report, out, path, snapshot.first().copied())
        }
        _ => Err(Finding::error("no such request").advice(VERBS).into()),
    }
}
