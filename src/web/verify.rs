//! Decodes all entries, and compares them with a snapshot.

use daisho::ops::catalogue::SnapshotOptions;
use daisho::ops::{Context, VerifyOptions, VerifyRow, verify as verify_archives};
use serde_json::json;

use crate::report::{Report, Rows};

/// Decodes every entry, and reports damage and warnings. Compares the contents with a snapshot and reports the
/// differences, or writes a new snapshot to `out`.
pub(crate) fn verify(report: &Report, out: &str, path: &str, snapshot: Option<&str>) {
    let context = Context::new().observed_by(report);
    let options = VerifyOptions {
        checksums: false,
        snapshot: Some(SnapshotOptions {
            path: snapshot.unwrap_or(out).into(),
            update: snapshot.is_none(),
        }),
        ..VerifyOptions::default()
    };
    let mut rows = Rows {
        report,
        row: |row| match row {
            VerifyRow::Entry(row) => {
                for finding in row.check.iter().flat_map(|check| &check.findings) {
                    report.finding(finding);
                }
            }
            VerifyRow::Difference(row) => report.say(&row),
            _ => {}
        },
    };
    match verify_archives(&context, &[path], &options, &mut rows) {
        Ok(totals) if totals.archives == 0 => {} // a finding says why
        Ok(totals) => report.say(&json!({
            "out": snapshot.is_none().then_some(out),
            "entries": totals.entries,
            "bytes": totals.bytes,
            "damaged": totals.damaged,
            "unsupported": totals.unsupported,
            "warnings": totals.warnings,
        })),
        Err(refusal) => report.refusal(&refusal),
    }
}
