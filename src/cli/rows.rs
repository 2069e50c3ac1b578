//! Runs an operation, and shows its rows: as JSON, or as text that each verb makes for its rows.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::slice;

use crate::cli::output::Stdout;
use crate::cli::render::json_line;
use crate::cli::ui::Ui;
use crate::ops::finding::Finding;
use crate::ops::{Context, Refusal, Sink};

/// How a verb shows the rows of its operation.
pub(crate) trait Show<R> {
    /// Whether its rows say in JSON which inputs are cut off. If not, the findings of rows do.
    const ROWS_ARE_INPUTS: bool = false;

    /// The errors and warnings that belong to a row. They are reported before it.
    fn findings(row: &R) -> &[Finding] {
        let _ = row;
        &[]
    }

    /// Writes a row as an object of JSON. Returns whether programs get one.
    fn json(&self, out: &mut Stdout, row: &R) -> io::Result<bool>;

    /// Shows a row as text. With JSON, this is called for rows without an object, and if the verb writes: then the
    /// text goes to standard error.
    fn text(&mut self, out: &mut Stdout, row: R) -> io::Result<()>;

    /// Shows an error or a warning as text, besides the message about it.
    fn finding(&mut self, out: &mut Stdout, finding: &Finding) -> io::Result<()> {
        let _ = (out, finding);
        Ok(())
    }
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
    /// It writes files like [`Writes`](Self::Writes), and its bytes are counted. With many tiny files, counting
    /// slows all threads a little.
    WritesTimed,
}

impl Ui {
    /// Runs an operation, and shows its rows. Returns its totals, and for [`RunKind::WritesTimed`] how long it took and
    /// the bytes per second.
    pub(crate) fn run<R, T, S: Show<R>>(
        &self,
        kind: RunKind,
        show: &mut S,
        operation: impl FnOnce(&Context<'_>, &mut dyn Sink<R>) -> Result<T, Refusal>,
    ) -> Result<(T, String), Refusal> {
        let mut out = self.stdout_for_text(kind == RunKind::Looks);
        let mut printer = Printer {
            ui: self,
            out: &mut out,
            show,
            writes: matches!(kind, RunKind::Writes | RunKind::WritesTimed),
            written: Ok(()),
        };
        let watch = self.watch(kind);
        let totals = operation(&watch.context(), &mut printer);
        let rate = watch.end();
        let written = printer.written;
        self.close(out, written);
        Ok((totals?, rate))
    }

    /// Shows the only row of an operation that writes.
    pub(crate) fn show_one<R, S: Show<R>>(&self, show: &mut S, row: R) {
        let mut out = self.stdout_for_text(false);
        let mut printer = Printer { ui: self, out: &mut out, show, writes: true, written: Ok(()) };
        let _ = printer.row(row);
        let written = printer.written;
        self.close(out, written);
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

    fn show_row<R>(&mut self, row: R) -> io::Result<()>
    where
        S: Show<R>,
    {
        if self.ui.json && self.show.json(self.out, &row)? && !self.writes {
            return Ok(());
        }
        self.show.text(self.out, row)
    }

    fn show_finding<R>(&mut self, finding: &Finding) -> io::Result<()>
    where
        S: Show<R>,
    {
        if !self.ui.json {
            self.show.finding(self.out, finding)
        } else if finding.status().is_some() {
            json_line(self.out, finding)
        } else {
            Ok(())
        }
    }
}

impl<R, S: Show<R>> Sink<R> for Printer<'_, S> {
    fn row(&mut self, row: R) -> ControlFlow<()> {
        self.tell(S::findings(&row));
        if self.ui.json && !S::ROWS_ARE_INPUTS && self.written.is_ok() {
            // Whose directory is cut off. A row about an input that could not be read says so itself.
            let inputs = S::findings(&row).iter();
            let mut cut = inputs.filter(|it| it.status() == Some("cut"));
            self.written = cut.try_for_each(|finding| json_line(self.out, finding));
        }
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
        if self.written.is_ok() {
            self.written = self.show_finding(&finding);
        }
    }
}
