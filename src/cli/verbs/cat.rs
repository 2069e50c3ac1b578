//! `cat`

use crate::cli::args::CatArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;

/// See [`CatArgs`].
pub(crate) fn run(_args: CatArgs, global: &Global) -> Exit {
    global.messages.tell(Message::error("cat is not built yet"));
    Exit::Refused
}
