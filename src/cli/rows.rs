//! Runs an operation, and shows its rows: as JSON, or as text that each verb makes for its rows.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::slice;

use serde::Serialize;

use crate::cli::output::Stdout;
use crate::cli::render::json_line;
use crate::cli::ui::Ui;
use crate::ops::finding::Finding;
use crate::ops::{Context, Refusal, Sink};

/// How a verb shows the rows of its operation. With JSON, a row is an object.
pub(crate) trait Show<R: Serialize> {
    /// The errors and warnings that belong to a row. They are reported before it.
    fn findings(row: &R) -> &[Finding] {
        let _ = row;
        &[]
    }

    /// Whether JSON also has an object for a finding that belongs to a row: by default, if it is about an input whose
    /// directory is cut off.
    fn is_object(finding: &Finding) -> bool {
        finding.status() == Some("cut")
    }

    /// Whether the row itself is an object of JSON.
    fn has_object(row: &R) -> bool {
        let _ = row;
        true
    }

    /// Shows a row as text. With JSON, this is called for rows without an object, and if the verb writes: then the
    /// text goes to standard error.
    fn text(&mut self, out: &mut Stdout, row: R) -> io::Result<()>;
}

/// What an operation does. This decides how its progress is shown, and how a signal or a closed pipe ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// It only looks. A signal ends it immediately, and no progress is shown.
    Looks,
    /// It decodes everything. After a signal, it reports what it knows so far.
    Decodes,
    /// It writes files, and goes on if nobody reads its rows any more.
    Writes,
}

impl Ui {
    /// Runs an operation, and shows its rows. Returns its totals, how long it took, and the bytes per second.
    pub(crate) fn run<R: Serialize, T, S: Show<R>>(
        &self,
        kind: RunKind,
        show: &mut S,
        operation: impl FnOnce(&Context<'_>, &mut dyn Sink<R>) -> Result<T, Refusal>,
    ) -> Result<(T, String), Refusal> {
        let mut out = Stdout::text(&self.screen, kind == RunKind::Looks);
        let writes = kind == RunKind::Writes;
        let mut printer = Printer { ui: self, out: &mut out, show, writes, written: Ok(()) };
        let bars = self.bars(kind != RunKind::Looks);
        let totals = operation(&self.watched_by(&bars), &mut printer);
        let rate = bars.finish();
        let written = printer.written;
        self.close(out, written);
        Ok((totals?, rate))
    }
}

/// Shows what an operation reports.
struct Printer<'a, S> {
    ui: &'a Ui,
    out: &'a mut Stdout,
    show: &'a mut S,
    writes: bool,
    /// Whether standard output has taken everything so far.
    written: io::Result<()>,
}

impl<S> Printer<'_, S> {
    /// Reports findings. With `-v` they are printed at once, after the rows before them.
    fn tell(&mut self, findings: &[Finding]) {
        if !findings.is_empty() && self.ui.verbose && self.written.is_ok() {
            self.written = self.out.flush();
        }
        self.ui.findings(findings);
    }

    fn show_row<R: Serialize>(&mut self, row: R) -> io::Result<()>
    where
        S: Show<R>,
    {
        if self.ui.json {
            for finding in S::findings(&row).iter().filter(|it| S::is_object(it)) {
                json_line(self.out, finding)?;
            }
            if S::has_object(&row) {
                json_line(self.out, &row)?;
                if !self.writes {
                    return Ok(());
                }
            }
        }
        self.show.text(self.out, row)
    }
}

impl<R: Serialize, S: Show<R>> Sink<R> for Printer<'_, S> {
    fn row(&mut self, row: R) -> ControlFlow<()> {
        self.tell(S::findings(&row));
        if self.written.is_ok() {
            self.written = self.show_row(row);
        }
        if self.written.is_err() && !self.writes {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn finding(&mut self, finding: Finding) {
        self.tell(slice::from_ref(&finding));
        if self.ui.json && self.written.is_ok() && finding.status().is_some() {
            self.written = json_line(self.out, &finding);
        }
    }
}
