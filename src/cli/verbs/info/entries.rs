//! `info ARCHIVE NAME...`: says what single files of an archive are.

use std::io::Write as _;
use std::path::Path;

use daisho::ops::read::facts::FactsReport;

use crate::cli::entry_facts;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::{self, Kind};

pub(super) fn run(path: &Path, report: &FactsReport, as_json: bool, global: &Global) -> Exit {
    output::write(global, Kind::Text, |out| {
        for (number, entry) in report.entries.iter().enumerate() {
            if as_json {
                entry_facts::row(out, path, entry)?;
                continue;
            }
            if number > 0 {
                writeln!(out)?;
            }
            entry_facts::block(out, path, entry, global.messages.is_verbose())?;
        }
        out.flush()?;
        Ok(global.judge(1, &report.problems))
    })
}
