//! `extract`

use crate::cli::args::ExtractArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;

/// See [`ExtractArgs`].
pub(crate) fn run(_args: ExtractArgs, global: &Global) -> Exit {
    global
        .messages
        .tell(Message::error("extract is not built yet"));
    Exit::Refused
}
