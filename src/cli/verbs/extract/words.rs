//! What became of the files that `extract` writes, in words.

use daisho::archive::quoted;
use daisho::ops::extract::{Extracted, ExtractedFile, ExtractedPak};
use daisho::ops::write::Outcome;

use super::rows::Rows;
use crate::cli::global::Global;
use crate::cli::text;

/// A line for each file that would be written or kept.
pub(super) fn planned(report: &Extracted) -> Vec<String> {
    let line = |pak: &ExtractedPak, file: &ExtractedFile| {
        let verb = match file.outcome {
            Outcome::Written => "write",
            Outcome::Replaced => "replace",
            Outcome::Kept => "keep",
            _ => return None,
        };
        Some(format!("{verb} {}", place(pak, file)))
    };
    let mut lines = Vec::new();
    for pak in &report.paks {
        lines.extend(pak.files.iter().filter_map(|file| line(pak, file)));
    }
    lines
}

/// Reports what became of all archives, and writes rows of their files, if these are wanted.
pub(super) fn tell(
    report: &Extracted,
    dry_run: bool,
    mut rows: Option<&mut Rows<'_>>,
    global: &Global,
) {
    let messages = &global.messages;
    messages.problems(&report.problems);
    let several = report.paks.len() > 1;
    let (mut total, mut without) = (Counts::default(), 0);
    for pak in &report.paks {
        for problem in &pak.problems {
            messages.problem(problem);
            if let Some(rows) = &mut rows {
                rows.note(problem);
            }
        }
        if let Some(rows) = &mut rows {
            rows.write(pak, dry_run);
        }
        if !dry_run && messages.is_verbose() {
            for file in &pak.files {
                messages.detail(&detail(pak, file));
            }
        }
        if !several {
            messages.flush();
        }
        let counts = Counts::of(pak);
        if several && counts == Counts::default() {
            without += 1;
            continue;
        }
        let place = text::path(&pak.path);
        let into = if dry_run { "would go into" } else { "into" };
        let what = if pak.is_loose { "loose file" } else { "file" };
        let directory = format!(", {into} {}", directory(pak));
        messages.line(&format!("{place}: {}", counts.in_words(what, &directory)));
        total += counts;
    }
    if several {
        let paks = text::count(report.paks.len(), "pak", "paks");
        let mut line = format!("{paks}: {}", total.in_words("file", ""));
        if without > 0 {
            line += &format!("; {without} without a match");
        }
        messages.note(&line);
    }
}

/// `  entry N "name": written to PATH, N bytes`
fn detail(pak: &ExtractedPak, file: &ExtractedFile) -> String {
    let what = match file.outcome {
        Outcome::Written | Outcome::Planned => "written to",
        Outcome::Replaced => "written, replacing",
        Outcome::Kept => "kept",
        Outcome::Skipped => "skipped",
        Outcome::Failed => "failed",
        Outcome::Stopped => "not reached",
    };
    let name = quoted(&file.name);
    let entry = match file.index {
        Some(index) => format!("entry {index} {name}"),
        None => name.to_string(),
    };
    let place = place(pak, file);
    let space = if place.is_empty() { "" } else { " " };
    format!(
        "  {entry}: {what}{space}{place}, {}",
        text::bytes(file.size)
    )
}

/// How many files came to which end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    written: usize,
    bytes: u64,
    /// Beside those, in the order of [`BESIDES`].
    besides: [usize; BESIDES.len()],
}

/// What else becomes of entries.
const BESIDES: [&str; 6] = [
    "replaced",
    "put aside",
    "kept",
    "skipped",
    "failed",
    "not reached before the run was stopped",
];

impl Counts {
    fn of(pak: &ExtractedPak) -> Self {
        let (written, replaced) = (pak.count(Outcome::Written), pak.count(Outcome::Replaced));
        Self {
            written: written.0 + replaced.0,
            bytes: written.1.saturating_add(replaced.1),
            besides: [
                replaced.0,
                pak.count_aside(),
                pak.count(Outcome::Kept).0,
                pak.count(Outcome::Skipped).0,
                pak.count(Outcome::Failed).0,
                pak.count(Outcome::Stopped).0,
            ],
        }
    }

    /// `N files, N bytes, into DIR/; 1 kept, 2 failed`
    fn in_words(&self, one: &str, directory: &str) -> String {
        let files = text::count(self.written, one, &format!("{one}s"));
        let bytes = text::bytes(self.bytes);
        let besides = self.besides.iter().zip(BESIDES);
        let besides = besides.filter(|(count, _)| **count > 0);
        let besides: Vec<String> = besides
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let between = if besides.is_empty() { "" } else { "; " };
        format!("{files}, {bytes}{directory}{between}{}", besides.join(", "))
    }
}

impl core::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.written += other.written;
        self.bytes = self.bytes.saturating_add(other.bytes);
        for (sum, count) in self.besides.iter_mut().zip(other.besides) {
            *sum += count;
        }
    }
}

/// Where the pak's files go, as a directory.
fn directory(pak: &ExtractedPak) -> String {
    text::folder(&pak.destination)
}

fn place(pak: &ExtractedPak, file: &ExtractedFile) -> String {
    let path = file.path.as_ref();
    path.map(|path| text::path(&pak.destination.join(path)))
        .unwrap_or_default()
}
