//! `create`

use crate::cli::args::CreateArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;

/// See [`CreateArgs`].
pub(crate) fn run(_args: CreateArgs, global: &Global) -> Exit {
    global
        .messages
        .tell(Message::error("create is not built yet"));
    Exit::Refused
}
