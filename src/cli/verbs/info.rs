//! `info`

use crate::cli::args::InfoArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;

/// See [`InfoArgs`].
pub(crate) fn run(_args: InfoArgs, global: &Global) -> Exit {
    global
        .messages
        .tell(Message::error("info is not built yet"));
    Exit::Refused
}
