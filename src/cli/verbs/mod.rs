//! The verbs, one file each: from [`args`](super::args) to the options of an operation, and from its
//! report to words.
//!
//! A verb that ends early, as after a refusal, returns its exit status as an error.

mod asked;
mod cat;
mod completions;
mod convert;
mod create;
mod diff;
mod extract;
mod info;
mod list;
mod man;
mod pack_stream;
mod parts;
mod unpack_stream;
mod verify;
mod view;
mod which;

use super::args::Verb;
use super::exit::Exit;
use super::global::Global;

/// Runs a verb.
pub(crate) fn run(verb: Verb, global: &Global) -> Exit {
    let ended = match verb {
        Verb::Convert(args) => convert::run(args, global),
        Verb::Extract(args) => extract::run(args, global),
        Verb::List(args) => list::run(args, global),
        Verb::Info(args) => Ok(info::run(args, global)),
        Verb::Verify(args) => verify::run(args, global),
        Verb::Cat(args) => Ok(cat::run(args, global)),
        Verb::Create(args) => create::run(args, global),
        Verb::Diff(args) => diff::run(args, global),
        Verb::Which(args) => which::run(&args, global),
        Verb::UnpackStream(args) => Ok(unpack_stream::run(&args, global)),
        Verb::PackStream(_) => Ok(pack_stream::run(global)),
        Verb::Completions(args) => Ok(completions::run(&args, global)),
        Verb::Man(args) => Ok(man::run(&args, global)),
    };
    ended.unwrap_or_else(|exit| exit)
}
