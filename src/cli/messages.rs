//! A message on standard error: an error or a warning, or many of a kind as one.
//!
//! ```text
//! error: the payload should lie at bytes 12 to 99, but the file ends at byte 40
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12
//! help: the file has probably been cut short: get a whole copy of it
//! ```
//!
//! Many findings of the same kind become one message with their number, the first of them, and what to do:
//!
//! ```text
//! warning: 2036 streams have bytes after their end marker; they are ignored, as in the game
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12, and 2035 more, in 3 archives in all (-v names each)
//! ```
//!
//! If there are only a few of a kind, each is still printed by itself, unless it is about what is left out.
//!
//! Names and places of a [`Finding`] are escaped, and everything is escaped once more when it is printed. A message
//! that cannot be printed is lost, but the exit status still shows the failure.

use std::io::{self, Write as _};
use std::iter;
use std::path::Path;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};

use crate::archive::Place;
use crate::cli::advice::{VerbOptions, advice};
use crate::cli::text;
use crate::ops::finding::{Finding, Severity};

/// The most findings of a kind that are printed one by one. If there are more, their message shows at most this
/// number of places.
const FEW: usize = 3;

/// Findings of one kind.
#[derive(Debug)]
pub(super) struct Message {
    count: usize,
    /// The number of archives that the entries are in, and the last of these archives.
    archives: usize,
    last: Option<Arc<Path>>,
    first: Finding,
    /// The few that follow the first.
    next: Vec<Finding>,
}

impl Message {
    pub(super) fn new(finding: Finding) -> Self {
        Self {
            count: 1,
            archives: 1,
            last: finding.place.path.clone(),
            first: finding,
            next: Vec::new(),
        }
    }

    /// Whether a finding is of this kind.
    pub(super) fn is_about(&self, finding: &Finding) -> bool {
        // Findings without a place stay messages of their own: nothing would tell one from another.
        finding.place.path.is_some()
            && self.first.severity == finding.severity
            && self.first.is_like(finding)
    }

    /// Counts a finding of this kind. Only the first few are kept.
    pub(super) fn add(&mut self, finding: &Finding) {
        self.count += 1;
        if finding.place.entry.is_some() && self.last != finding.place.path {
            self.archives += 1;
            self.last.clone_from(&finding.place.path);
        }
        if self.next.len() + 1 < FEW {
            self.next.push(finding.clone());
        }
    }

    pub(super) fn severity(&self) -> Severity {
        self.first.severity
    }

    /// Prints a few findings one by one, and many as one.
    pub(super) fn print(&self, verb: &VerbOptions) {
        let few = if self.first.is_left_out() { 1 } else { FEW };
        if self.count > few {
            return print_lines(&self.lines(verb));
        }
        for finding in iter::once(&self.first).chain(&self.next) {
            print_lines(&lines(finding, &finding.detail, &places([finding]), verb));
        }
    }

    /// The lines of many findings.
    fn lines(&self, verb: &VerbOptions) -> Vec<String> {
        let mut places = places(iter::once(&self.first).chain(&self.next));
        let shown = match self.severity() {
            Severity::Error => FEW,
            Severity::Warning => 1,
        };
        places.truncate(shown);
        let more = self.count - shown;
        let within = match self.archives {
            1 => String::new(),
            archives => format!(", in {archives} archives in all"),
        };
        if let Some(last) = places.last_mut() {
            last.push_str(&format!(", and {more} more{within} (-v names each)"));
        }
        // The advice is about all of them, and not about the first.
        let general = Finding { place: Place::default(), ..self.first.clone() };
        match general.many {
            Some(many) => lines(&general, &format!("{} {many}", self.count), &places, verb),
            None => lines(&general, &general.detail, &places, verb),
        }
    }
}

/// The places of findings that have one.
fn places<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<String> {
    let mut places = Vec::new();
    for finding in findings {
        if !finding.place.is_unknown() {
            places.push(finding.place.to_string());
        }
    }
    places
}

/// What happened, where, and what to do about it.
fn lines(finding: &Finding, what: &str, places: &[String], verb: &VerbOptions) -> Vec<String> {
    let (word, color) = match finding.severity {
        Severity::Error => ("error", AnsiColor::Red),
        Severity::Warning => ("warning", AnsiColor::Yellow),
    };
    let mut lines = vec![line(word, color, what)];
    for place in places {
        let arrow = AnsiColor::Blue.on_default().bold();
        lines.push(format!("  {arrow}-->{arrow:#} {}", text::scrub(place)));
    }
    if let Some(help) = advice(finding, verb) {
        lines.push(line("help", AnsiColor::Cyan, &help));
    }
    lines
}

fn line(word: &str, color: AnsiColor, words: &str) -> String {
    let style = color.on_default().bold();
    let colon = Style::new().bold();
    format!("{style}{word}{style:#}{colon}:{colon:#} {}", text::scrub(words))
}

/// Prints all lines with one write, so that they stay together, and without colours where none are
/// wanted.
pub(super) fn print_lines(lines: &[String]) {
    let mut text = lines.join("\n");
    text.push('\n');
    let mut stderr = anstream::AutoStream::auto(io::stderr().lock());
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}
