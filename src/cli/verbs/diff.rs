//! `diff`

use std::io::Write as _;

use daisho::ops::diff::{Change, DiffOptions, DiffReport, diff};
use daisho::pak::escape;
use serde::Serialize;

use super::asked;
use crate::cli::args::DiffArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::output::{self, Kind};

/// See [`DiffArgs`].
pub(crate) fn run(args: DiffArgs, global: &Global) -> Exit {
    let options = DiffOptions {
        max_expansion: args.expansion.max_expansion,
    };
    let compared = global.observe(|context| {
        diff(context, &args.a, &args.b, &options, |problem| {
            global.messages.problems(&[problem]);
        })
    });
    let report = match compared {
        Ok(report) => report,
        Err(refusal) => return global.messages.refusal(&refusal),
    };
    let exit = asked::judge(report.paks, &[], global);
    if report.differences.is_empty() {
        return exit;
    }
    let shown = output::write(global, Kind::Text, |out| {
        for difference in &report.differences {
            let (change, name) = (difference.change.as_str(), &difference.name);
            if args.json {
                let name = json::Name::new(name);
                json::row(out, &Row { name, change })?;
            } else {
                writeln!(out, "{change:<7}  {}", escape(name))?;
            }
        }
        Ok(Exit::NotAllWell)
    });
    global.messages.note(&summary(&report));
    exit.and(shown).and(Exit::NotAllWell)
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    name: json::Name,
    change: &'static str,
}

fn summary(report: &DiffReport) -> String {
    let kinds = [
        Change::Added,
        Change::Removed,
        Change::Changed,
        Change::Moved,
    ];
    let counts = kinds.map(|kind| {
        let all = report.differences.iter();
        let count = all.filter(|difference| difference.change == kind).count();
        format!("{count} {}", kind.as_str())
    });
    format!("{}, {} the same", counts.join(", "), report.same)
}
