//! `completions`

use std::io::Write as _;

use clap::CommandFactory as _;

use crate::cli::args::{Cli, CompletionsArgs};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::{self, Kind};

/// See [`CompletionsArgs`].
pub(crate) fn run(args: &CompletionsArgs, global: &Global) -> Exit {
    // Into memory first: the generators panic if a write fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "daisho", &mut script);
    output::write(global, Kind::Content, |out| {
        out.write_all(&script)?;
        Ok(Exit::Done)
    })
}
