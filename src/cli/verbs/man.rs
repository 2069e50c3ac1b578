//! `man`

use std::io::Write as _;

use clap::CommandFactory as _;

use daisho::archive::quoted;

use crate::cli::args::{Cli, ManArgs};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};

/// See [`ManArgs`].
pub(crate) fn run(args: &ManArgs, global: &Global) -> Exit {
    let mut command = Cli::command();
    // Global options reach the verbs, and each verb's page its full name.
    command.build();
    let page = match &args.verb {
        None => Some(command),
        Some(verb) => command
            .find_subcommand(verb)
            .map(|found| found.clone().display_name(format!("daisho-{verb}")))
            .map(|found| found.version(env!("CARGO_PKG_VERSION"))),
    };
    let Some(page) = page else {
        let verb = args.verb.as_deref().unwrap_or_default();
        global.messages.tell(
            Message::error(format!("there is no verb {}", quoted(verb.as_bytes())))
                .help("daisho --help lists the verbs"),
        );
        return Exit::Refused;
    };
    output::write(global, Kind::Content, |out| {
        clap_mangen::Man::new(page).render(out)?;
        out.flush()?;
        Ok(Exit::Done)
    })
}
