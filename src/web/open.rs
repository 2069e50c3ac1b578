//! Reports what the dropped files are, and lists the entries of archives.

use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use daisho::archive::RawName;
use daisho::engine::Engines;
use daisho::media::{Kind, Palette};
use daisho::ops::finding::Finding;
use daisho::ops::row::EntryRow;
use daisho::ops::source::is_named_as_archive;
use daisho::ops::{Context, InfoRow, ListOptions, ListRow, Refusal, Sink, info, list};
use serde_json::{Value, json};

use crate::report::{Report, message, shown};

/// How many entries a line of the report lists.
const ROWS: usize = 2000;

/// Reports what each file is, as `info` does, and its entries.
pub(crate) fn open(report: &Report, paths: &[&str]) {
    for (number, path) in paths.iter().enumerate() {
        report.progress(number as u64, paths.len() as u64);
        let mut file = DroppedFile {
            report,
            number,
            path,
            is_archive: false,
            is_unread: false,
            entries: Vec::new(),
            problems: Vec::new(),
        };
        if let Err(Refusal(findings)) = file.open() {
            findings.iter().for_each(|finding| file.report_unread(finding));
        }
    }
}

/// A file, and the entries that have not been reported yet.
struct DroppedFile<'a> {
    report: &'a Report,
    number: usize,
    path: &'a str,
    is_archive: bool,
    /// Whether `info` has said that it cannot be read.
    is_unread: bool,
    entries: Vec<Value>,
    problems: Vec<Value>,
}

impl DroppedFile<'_> {
    /// Reports what it is, and then its entries.
    fn open(&mut self) -> Result<(), Refusal> {
        let context = Context::new();
        let paths = [self.path];
        info(&context, &paths, Engines::NONE, self)?;
        if self.is_archive || !self.is_unread {
            list(&context, &paths, &ListOptions { offsets: true, ..ListOptions::default() }, self)?;
        }
        if self.is_archive {
            self.report_entries();
            let problems = mem::take(&mut self.problems);
            (self.report).say(&json!({ "file": self.number, "problems": problems }));
        }
        Ok(())
    }

    fn add_entry(&mut self, row: &EntryRow) {
        let name = RawName::new(&row.name);
        let is_picture = row.kind == Some(Kind::Picture) && !Palette::is_named(name);
        (self.entries).push(json!([shown(name), row.kind.map(Kind::as_str), row.size, is_picture]));
        if self.entries.len() == ROWS {
            self.report_entries();
        }
    }

    fn report_entries(&mut self) {
        let entries = mem::take(&mut self.entries);
        (self.report).say(&json!({ "file": self.number, "entries": entries }));
    }

    /// Reports why it is no archive, or cannot be read, and whether it is named like an archive.
    fn report_unread(&self, why: &Finding) {
        let is_named = is_named_as_archive(Path::new(self.path));
        (self.report)
            .say(&json!({ "file": self.number, "unread": message(why), "other": !is_named }));
    }
}

/// What the file is. For a file that is no archive there is nothing to report here: the list says why.
impl Sink<InfoRow> for DroppedFile<'_> {
    fn row(&mut self, row: InfoRow) -> ControlFlow<()> {
        if let InfoRow::Archive(info) = row {
            self.is_archive = true;
            let name = info.format_name;
            self.report.say(&json!({ "file": self.number, "described": name, "info": info }));
        }
        ControlFlow::Continue(())
    }

    fn finding(&mut self, finding: Finding) {
        self.is_unread = true;
        self.report_unread(&finding);
    }
}

/// What is in it.
impl Sink<ListRow> for DroppedFile<'_> {
    fn row(&mut self, row: ListRow) -> ControlFlow<()> {
        if let ListRow::Entry(row) = row {
            self.add_entry(&row);
        }
        ControlFlow::Continue(())
    }

    fn finding(&mut self, finding: Finding) {
        if !self.is_archive {
            self.report_unread(&finding);
        } else if let Some((index, _)) = finding.place.entry() {
            self.problems.push(json!([index, message(&finding)]));
        } // what is wrong with the archive, `info` has reported
    }
}
