//! Rows, shown: as JSON, or as text that is made for each kind of row.
//!
//! Every verb runs its operation through [`report`], which hands each row on as soon as it comes. Errors and
//! warnings go to standard error, with others of their kind.

pub(crate) mod extract;
pub(crate) mod facts;
pub(crate) mod info;
pub(crate) mod list;
mod table;
mod tree;

use std::io::{self, Write as _};

use daisho::ops::context::Refusal;
use daisho::ops::row::{Row, Summary};

use super::exit::Exit;
use super::global::Global;
use super::json;
use super::output::{self, Kind, Output};
use super::signals;

/// How rows are shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Each row is an object of JSON.
    pub(crate) json: bool,
    /// What standard output gets.
    pub(crate) kind: Kind,
    /// What the operation does besides showing rows.
    pub(crate) work: Work,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// It looks. A signal leaves at once.
    Looks,
    /// It decodes everything. After a signal what is known is reported.
    Decodes,
    /// It writes files, and goes on if nobody reads its rows any more.
    Writes,
}

impl Style {
    /// Text, or with `json` an object a line.
    pub(crate) const fn new(json: bool, work: Work) -> Self {
        Self {
            json,
            kind: Kind::Text,
            work,
        }
    }
}

/// Runs an operation, and shows its rows. Returns the exit status, and the summary if it was not refused.
///
/// `text` shows each row but errors and warnings: if it is not shown as JSON, or if the operation writes.
pub(crate) fn report(
    global: &Global,
    style: Style,
    mut text: impl FnMut(&mut Output, Row) -> io::Result<()>,
    operation: impl FnOnce(&mut dyn FnMut(Row)) -> Result<Summary, Refusal>,
) -> (Exit, Option<Summary>) {
    let mut summary = None;
    let writes = style.work == Work::Writes;
    let show = |out: &mut Output| {
        let mut written = Ok(());
        let ended = operation(&mut |row| {
            let findings = row.findings();
            // With -v they are printed at once, after the rows before this one.
            if !findings.is_empty() && global.messages.verbose() && written.is_ok() {
                written = out.flush();
            }
            global.messages.findings(findings);
            let errors = match &row {
                Row::Info(info) => info::errors(info),
                _ => Vec::new(),
            };
            if written.is_ok() {
                written = match row {
                    row if style.json && row.has_json() => match json::line(out, &row) {
                        Ok(()) if writes => text(out, row),
                        written => written,
                    },
                    Row::Finding(_) => Ok(()),
                    row => text(out, row),
                };
            }
            if !errors.is_empty() && written.is_ok() {
                written = out.flush();
            }
            errors
                .into_iter()
                .for_each(|error| global.messages.tell(error));
            if written.is_err() && !writes {
                signals::cancel().set();
            }
        });
        let exit = match ended {
            Ok(ended) => {
                summary = Some(ended);
                let is_nothing = !writes
                    && ended.archives == 0
                    && written.is_ok()
                    && signals::caught().is_none();
                if is_nothing {
                    Exit::Refused
                } else {
                    Exit::Done
                }
            }
            Err(refusal) => global.messages.refusal(&refusal),
        };
        written.map(|()| exit)
    };
    let exit = match style.work {
        Work::Looks => output::write(global, style.kind, show),
        Work::Decodes | Work::Writes => output::write_beside(global, style.kind, show),
    };
    (exit, summary)
}
