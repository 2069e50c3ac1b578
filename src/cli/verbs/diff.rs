//! `diff`

use std::io::Write as _;

use daisho::archive::escape;
use daisho::ops::read::diff::{Change, Comparison, DiffOptions, diff};
use serde::Serialize;

use super::asked;
use crate::cli::args::DiffArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind};

/// See [`DiffArgs`].
pub(crate) fn run(args: DiffArgs, global: &Global) -> Result<Exit, Exit> {
    let options = DiffOptions {
        max_expansion: args.expansion.max_expansion,
    };
    let compared = global.observe(|context| {
        diff(context, &args.a, &args.b, &options, |problem| {
            global.messages.problem(&problem);
        })
    });
    let compared = asked::accepted(compared, global)?;
    let exit = asked::judge(compared.paks, &[], global);
    if compared.differences.is_empty() {
        return Ok(exit);
    }
    let shown = output::write(global, Kind::Text, |out| {
        for difference in &compared.differences {
            let (change, name) = (difference.change.as_str(), &difference.name);
            if args.json {
                let name = json::Text::name(name);
                json::row(out, &Row { name, change })?;
            } else {
                writeln!(out, "{change:<7}  {}", escape(name))?;
            }
        }
        Ok(Exit::NotAllWell)
    });
    global.messages.note(&summary(&compared));
    Ok(exit.and(shown).and(Exit::NotAllWell))
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    name: json::Text,
    change: &'static str,
}

fn summary(compared: &Comparison) -> String {
    let kinds = [
        Change::Added,
        Change::Removed,
        Change::Changed,
        Change::Moved,
    ];
    let counts = kinds.map(|kind| {
        let all = compared.differences.iter();
        let count = all.filter(|difference| difference.change == kind).count();
        format!("{count} {}", kind.as_str())
    });
    format!("{}, {} the same", counts.join(", "), compared.same)
}
