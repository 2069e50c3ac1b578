//! `convert`

use crate::cli::args::ConvertArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;

/// See [`ConvertArgs`].
pub(crate) fn run(_args: ConvertArgs, global: &Global) -> Exit {
    global
        .messages
        .tell(Message::error("convert is not built yet"));
    Exit::Refused
}
