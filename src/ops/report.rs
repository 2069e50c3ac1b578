//! How an operation reports: rows and findings go to a [`Sink`] while it works, and it returns totals in the end.

use std::ops::ControlFlow;

use crate::ops::finding::Finding;

/// Takes what an operation reports, in order.
pub trait Sink<R> {
    /// Takes a row. `Break` ends the operation as soon as it can, and what it has not begun is left out.
    fn row(&mut self, row: R) -> ControlFlow<()>;

    /// Takes an error or a warning that belongs to no row.
    fn finding(&mut self, finding: Finding);
}

/// Everything that an operation has reported: a [`Sink`] for programs that need it only in the end.
#[derive(Debug)]
pub struct Reported<R> {
    /// The rows, in order.
    pub rows: Vec<R>,
    /// The errors and warnings that belong to no row, in order.
    pub findings: Vec<Finding>,
}

impl<R> Default for Reported<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), findings: Vec::new() }
    }
}

impl<R> Sink<R> for Reported<R> {
    fn row(&mut self, row: R) -> ControlFlow<()> {
        self.rows.push(row);
        ControlFlow::Continue(())
    }

    fn finding(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

/// Hands findings on. Returns how many of them are inputs that could not be read.
pub(crate) fn hand_on<R>(
    out: &mut dyn Sink<R>,
    findings: impl IntoIterator<Item = Finding>,
) -> u64 {
    let mut unread = 0;
    for finding in findings {
        unread += u64::from(finding.is_error() && finding.unread.is_some());
        out.finding(finding);
    }
    unread
}

/// Hands rows on, until the sink ends the operation.
pub(crate) fn hand_on_rows<R>(
    out: &mut dyn Sink<R>,
    rows: impl IntoIterator<Item = R>,
) -> ControlFlow<()> {
    rows.into_iter().try_for_each(|row| out.row(row))
}
