//! What became of the files that `extract` writes, as rows of JSON.

use std::collections::HashMap;
use std::io;

use daisho::ops::context::Problem;
use daisho::ops::extract::{ExtractedFile, ExtractedPak};
use daisho::ops::write::Outcome;

use crate::cli::json;
use crate::cli::output::Output;
use crate::cli::verbs::written;

/// Rows of JSON, one for each file that an archive's entries became, or were to.
pub(super) struct Rows<'o> {
    out: &'o mut Output,
    /// Why entries of the next archive failed, by their numbers.
    failed: HashMap<usize, String>,
    /// What has come of writing.
    pub(super) written: io::Result<()>,
}

impl<'o> Rows<'o> {
    pub(super) fn new(out: &'o mut Output) -> Self {
        Self {
            out,
            failed: HashMap::new(),
            written: Ok(()),
        }
    }

    /// Remembers a problem of the archive that is written next.
    pub(super) fn note(&mut self, problem: &Problem) {
        let error = Some(&problem.error).filter(|_| problem.is_error());
        let failed = error.and_then(|it| Some((it.entry()?.0, it.kind().to_string())));
        self.failed.extend(failed);
    }

    pub(super) fn write(&mut self, pak: &ExtractedPak, dry_run: bool) {
        for file in &pak.files {
            if self.written.is_ok() {
                self.written = self.row(pak, file, dry_run);
            }
        }
        self.failed.clear();
    }

    fn row(&mut self, pak: &ExtractedPak, file: &ExtractedFile, dry: bool) -> io::Result<()> {
        let replaces = file.outcome == Outcome::Replaced;
        let status = match file.outcome {
            Outcome::Written | Outcome::Replaced if dry => Outcome::Planned,
            outcome => outcome,
        };
        json::row(self.out, |row| {
            row.path("pak", &pak.path)?;
            if let Some(index) = file.index {
                row.field("index", index)?;
            }
            row.text("name", &file.name)?;
            if let Some(path) = &file.path {
                row.path("file", &pak.destination.join(path))?;
            }
            row.field("size", file.size)?;
            row.field("status", written::status(status))?;
            row.field("replaces", replaces)?;
            match file.index.and_then(|index| self.failed.get(&index)) {
                Some(problem) => row.field("problem", problem),
                None => Ok(()),
            }
        })
    }
}
