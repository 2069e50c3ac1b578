//! Runs an operation, and shows what it reports: as JSON, or as text that each verb makes for its rows.
//!
//! Errors and warnings go to standard error, grouped by kind.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::slice;

use daisho::ops::finding::Finding;
use daisho::ops::{Context, Refusal, Sink};

use super::exit::{self, Exit};
use super::global::Global;
use super::messages::{Message, Refused};
use super::output::{self, DataKind, Stdout};
use super::render::json_line;

/// How a verb shows the rows of its operation.
pub(crate) trait Show<R> {
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

/// The exit status that the totals of an operation ask for.
pub(crate) trait Ended {
    fn exit(&self) -> Exit;
}

/// What an operation does. This decides how its progress is shown, and how a signal or a closed pipe ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
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

impl Global {
    /// Runs an operation, and shows its rows. Returns its totals, and for [`Work::WritesTimed`] how long it took and
    /// the bytes per second.
    pub(crate) fn run<R, T: Ended, S: Show<R>>(
        &self,
        work: Work,
        show: &mut S,
        operation: impl FnOnce(&Context<'_>, &mut dyn Sink<R>) -> Result<T, Refusal>,
    ) -> Result<(T, String), Refused> {
        let mut ended = None;
        let writes = matches!(work, Work::Writes | Work::WritesTimed);
        let run = |out: &mut Stdout| {
            let mut printer = Printer {
                global: self,
                out,
                show,
                writes,
                written: Ok(()),
            };
            let (totals, rate) = if work == Work::Looks {
                (operation(&self.context(), &mut printer), String::new())
            } else {
                self.observe(work == Work::WritesTimed, |context| {
                    operation(context, &mut printer)
                })
            };
            // If nobody takes the rows, the exit status already says so.
            if let Ok(totals) = &totals
                && printer.written.is_ok()
            {
                self.worsen(totals.exit());
            }
            ended = Some((totals, rate));
            printer.written
        };
        if work == Work::Looks {
            output::write(self, DataKind::Text, run);
        } else {
            output::write_beside(self, DataKind::Text, run);
        }
        let Some((totals, rate)) = ended else {
            let error = Message::error("internal error: standard output was not opened for text");
            return Err(error.into());
        };
        Ok((totals?, rate))
    }

    /// Shows the only row of an operation that writes.
    pub(crate) fn show_one<R, S: Show<R>>(&self, show: &mut S, row: R) {
        output::write_beside(self, DataKind::Text, |out| {
            let mut printer = Printer {
                global: self,
                out,
                show,
                writes: true,
                written: Ok(()),
            };
            let _ = printer.row(row);
            printer.written
        });
    }

    /// Worsens the exit status if an operation that was not refused has failed in part, or has read no archive.
    fn worsen(&self, exit: Exit) {
        // A stop can come before the first archive.
        if exit != Exit::Refused || exit::caught().is_none() {
            self.messages.worsen(exit);
        }
    }

    /// Prints a line of a verb's report while rows arrive. With `-q` it prints nothing. Names in the line must already
    /// be escaped.
    ///
    /// The report goes to standard output if it `is_result`, because the verb only looks or plans, and if no rows of
    /// JSON go there. Otherwise it goes to standard error.
    pub(crate) fn print(&self, out: &mut Stdout, is_result: bool, line: &str) -> io::Result<()> {
        if !is_result || self.json {
            self.messages.line(line);
        } else if !self.messages.quiet {
            writeln!(out, "{line}")?;
            // The next archive can take a minute.
            out.flush()?;
        }
        Ok(())
    }

    /// Prints the last line of a report, after all rows and messages.
    pub(crate) fn print_last(&self, is_result: bool, line: &str) {
        self.messages.flush();
        output::write(self, DataKind::Text, |out| self.print(out, is_result, line));
    }

    /// Reports why a verb did nothing.
    pub(crate) fn show_refusal(&self, refused: &Refused) {
        self.messages.refusal(refused);
        if let Refused::Operation(refusal) = refused {
            self.show_inputs(&refusal.0);
        }
    }

    /// Shows each input that could not be read, or only in part, as an object of JSON. The worst error about an input
    /// stands for it.
    pub(crate) fn show_inputs(&self, findings: &[Finding]) {
        if !self.json {
            return;
        }
        // Errors about a whole archive count more than one about its directory.
        let mut unread = HashSet::new();
        for finding in findings {
            unread.extend(finding.input().filter(|(_, status)| *status == "unread"));
        }
        let mut shown = HashSet::new();
        output::write(self, DataKind::Text, |out| {
            for finding in findings {
                let Some((path, status)) = finding.input() else {
                    continue;
                };
                let is_worst = status == "unread" || !unread.contains(&(path, "unread"));
                if is_worst && shown.insert(path) {
                    json_line(out, finding)?;
                }
            }
            Ok(())
        });
    }
}

/// Shows what an operation reports.
struct Printer<'a, S> {
    global: &'a Global,
    out: &'a mut Stdout,
    show: &'a mut S,
    writes: bool,
    /// Whether standard output has taken everything so far.
    written: io::Result<()>,
}

impl<S> Printer<'_, S> {
    /// Reports findings. With `-v` they are printed at once, after the rows before them.
    fn tell(&mut self, findings: &[Finding]) {
        let messages = &self.global.messages;
        if !findings.is_empty() && messages.verbose && self.written.is_ok() {
            self.written = self.out.flush();
        }
        messages.findings(findings);
    }

    fn show_row<R>(&mut self, row: R) -> io::Result<()>
    where
        S: Show<R>,
    {
        if self.global.json && self.show.json(self.out, &row)? && !self.writes {
            return Ok(());
        }
        self.show.text(self.out, row)
    }

    fn show_finding<R>(&mut self, finding: &Finding) -> io::Result<()>
    where
        S: Show<R>,
    {
        if !self.global.json {
            self.show.finding(self.out, finding)
        } else if finding.input().is_some() {
            json_line(self.out, finding)
        } else {
            Ok(())
        }
    }
}

impl<R, S: Show<R>> Sink<R> for Printer<'_, S> {
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
        if self.written.is_ok() {
            self.written = self.show_finding(&finding);
        }
    }
}
