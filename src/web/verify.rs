//! Decodes all entries, and compares them with a snapshot.

use std::ops::ControlFlow;

use daisho::ops::catalogue::SnapshotOptions;
use daisho::ops::finding::Finding;
use daisho::ops::{Context, Refusal, Sink, VerifyOptions, VerifyRow, verify as verify_archives};
use serde_json::json;

use crate::report::Report;

/// Decodes every entry, and reports damage and warnings. Compares the contents with a snapshot and reports the
/// differences, or writes a new snapshot to `out`.
pub(crate) fn verify(
    mut report: &Report,
    out: &str,
    path: &str,
    snapshot: Option<&str>,
) -> Result<(), Refusal> {
    let context = Context::new().observed_by(report);
    let options = VerifyOptions {
        snapshot: Some(SnapshotOptions {
            path: snapshot.unwrap_or(out).into(),
            update: snapshot.is_none(),
        }),
        ..VerifyOptions::default()
    };
    let totals = verify_archives(&context, &[path], &options, &mut report)?;
    if totals.archives > 0 {
        report.say(&json!({
            "entries": totals.entries,
            "bytes": totals.bytes,
            "damaged": totals.damaged,
            "unsupported": totals.unsupported,
            "warnings": totals.warnings,
        }));
    }
    Ok(())
}

impl Sink<VerifyRow> for &Report {
    fn row(&mut self, row: VerifyRow) -> ControlFlow<()> {
        match row {
            VerifyRow::Entry(row) => self.findings(&row.check.findings),
            VerifyRow::Archive(row) => self.findings(&row.problems),
            VerifyRow::Difference(row) => self.say(&row),
        }
        ControlFlow::Continue(())
    }

    fn finding(&mut self, finding: Finding) {
        Report::finding(self, &finding);
    }
}
