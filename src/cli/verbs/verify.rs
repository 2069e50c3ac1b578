//! `verify`

use crate::cli::args::VerifyArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;

/// See [`VerifyArgs`].
pub(crate) fn run(_args: VerifyArgs, global: &Global) -> Exit {
    global
        .messages
        .tell(Message::error("verify is not built yet"));
    Exit::Refused
}
