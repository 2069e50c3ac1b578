//! The verbs, a file each: from [`args`](super::args) to the options of an operation, and from
//! its report to words.

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

/// Does what the verb says.
pub(crate) fn run(verb: Verb, global: &Global) -> Exit {
    match verb {
        Verb::Convert(args) => convert::run(args, global),
        Verb::Extract(args) => extract::run(args, global),
        Verb::List(args) => list::run(args, global),
        Verb::Info(args) => info::run(args, global),
        Verb::Verify(args) => verify::run(args, global),
        Verb::Cat(args) => cat::run(args, global),
        Verb::Create(args) => create::run(args, global),
        Verb::Diff(args) => diff::run(args, global),
        Verb::Which(args) => which::run(&args, global),
        Verb::UnpackStream(args) => unpack_stream::run(&args, global),
        Verb::PackStream(args) => pack_stream::run(&args, global),
        Verb::Completions(args) => completions::run(&args, global),
        Verb::Man(args) => man::run(&args, global),
    }
}
