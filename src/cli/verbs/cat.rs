//! `cat`: writes entries of a pak to standard output.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use daisho::ops::read::cat::{Wanted, cat};

use crate::cli::complete;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::{self, Kind};
use crate::cli::values::number;

/// Write entries of a pak to standard output
///
/// One after another, in the order given, decompressed, byte for byte.
///
/// It never prints binary to a terminal.
#[derive(Debug, Args)]
#[command(after_long_help = CAT, override_usage = CAT_USAGE)]
pub(crate) struct CatArgs {
    /// The pak
    #[arg(value_name = "PAK", value_hint = ValueHint::FilePath)]
    pub(crate) pak: PathBuf,
    /// An entry's name
    #[arg(
        value_name = "NAME",
        add = ArgValueCompleter::new(complete::names),
        required_unless_present = "index",
        conflicts_with = "index"
    )]
    pub(crate) names: Vec<OsString>,
    /// Entries by their numbers, counted from 0, as 'daisho list' shows them
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    pub(crate) index: Vec<usize>,
}

const CAT_USAGE: &str = "\
daisho cat [OPTIONS] PAK NAME...
       daisho cat [OPTIONS] PAK --index N...";

const CAT: &str = "\
Rules:
  Of several entries of one name the first is written; --index reaches the others. If no entry has
  exactly this name, case and the kind of slash are ignored. A damaged entry is written up to the
  damage, the others follow, and the exit status is 1.

Examples:
  daisho cat pak0.pak maps/e1m1.bsp > e1m1.bsp
  daisho cat pak0.pak --index 0 7 | sha256sum";

pub(super) fn run(args: CatArgs, global: &Global) -> Exit {
    let by_name = |name: OsString| Wanted::Name(name.into_encoded_bytes());
    let names = args.names.into_iter().map(by_name);
    let wanted: Vec<Wanted> = names
        .chain(args.index.into_iter().map(Wanted::Index))
        .collect();
    output::write(global, Kind::Content, |out| {
        match cat(&global.context(), &args.pak, &wanted, out) {
            Ok(printed) => {
                // Everything that can be decoded is written before findings are reported.
                let flushed = out.flush();
                global.messages.findings(&printed.findings);
                match printed.output {
                    None => flushed.map(|()| Exit::Done),
                    Some(error) => Err(error),
                }
            }
            Err(refusal) => Ok(global.messages.refusal(&refusal)),
        }
    })
}
