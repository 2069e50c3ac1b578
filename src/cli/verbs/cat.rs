//! `cat`

use std::ffi::OsString;
use std::io::Write as _;

use daisho::ops::read::cat::{Wanted, cat};

use super::asked;
use crate::cli::args::CatArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::{self, Kind};

/// See [`CatArgs`].
pub(crate) fn run(args: CatArgs, global: &Global) -> Exit {
    let by_name = |name: OsString| Wanted::Name(name.into_encoded_bytes());
    let names = args.names.into_iter().map(by_name);
    let wanted: Vec<Wanted> = names
        .chain(args.index.into_iter().map(Wanted::Index))
        .collect();
    output::write(global, Kind::Content, |out| {
        match cat(&global.context(), &args.pak, &wanted, out) {
            Ok(printed) => {
                // Everything that can be decoded is written before problems are reported.
                let flushed = out.flush();
                let exit = asked::judge(1, &printed.problems, global);
                match printed.output {
                    None => flushed.map(|()| exit),
                    Some(error) => Err(error),
                }
            }
            Err(refusal) => Ok(global.messages.refusal(&refusal)),
        }
    })
}
