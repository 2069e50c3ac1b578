//! `list`

use crate::cli::args::ListArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;

/// See [`ListArgs`].
pub(crate) fn run(_args: ListArgs, global: &Global) -> Exit {
    global
        .messages
        .tell(Message::error("list is not built yet"));
    Exit::Refused
}
