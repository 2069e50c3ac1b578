//! `diff`

use crate::cli::args::DiffArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;

/// See [`DiffArgs`].
pub(crate) fn run(_args: DiffArgs, global: &Global) -> Exit {
    global
        .messages
        .tell(Message::error("diff is not built yet"));
    Exit::Refused
}
