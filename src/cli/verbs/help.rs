//! `help`: chapters of the guide. The help of verbs comes from the command line's definition.

use std::io::Write as _;

use clap::Args;

use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::{self, Kind};
use crate::cli::topics::Topic;

/// Print the help of a verb, or a chapter of the guide
///
/// Without an argument it prints the help of the command, as 'daisho --help' does.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(crate) struct HelpArgs {
    /// A verb, or a topic
    #[arg(value_name = "VERB|TOPIC")]
    pub(crate) page: Option<String>,
}

const HELP: &str = "\
Examples:
  daisho help                                    the verbs, and the topics of the guide
  daisho help convert                            as 'daisho convert --help'
  daisho help engines                            a chapter of the guide";

/// Prints a chapter.
pub(super) fn run(topic: &Topic, global: &Global) -> Exit {
    output::write(global, Kind::Text, |out| {
        out.write_all(topic.text.as_bytes())?;
        Ok(Exit::Done)
    })
}
