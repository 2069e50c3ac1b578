//! What the program tells the page: objects of JSON on standard output, one per line.

use std::io::{Write as _, stdout};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use daisho::archive::{Place, RawName, escape};
use daisho::ops::finding::{Finding, Help};
use daisho::ops::{Observer, Work};
use serde::Serialize;
use serde_json::{Value, json};

/// The shortest time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(80);

/// Reports everything to the page. It also observes operations, and reports their progress.
pub(crate) struct Report {
    /// When progress was reported.
    last: Mutex<Instant>,
    /// The bytes that an operation has found and done.
    found: AtomicU64,
    done: AtomicU64,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { last: Mutex::new(Instant::now()), found: AtomicU64::new(0), done: AtomicU64::new(0) }
    }

    /// Sends an object as a line of JSON. Errors are ignored: if nobody is listening any more, the program is being
    /// ended anyway.
    pub(crate) fn say(&self, line: &impl Serialize) {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        let _ = stdout().write_all(text.as_bytes());
    }

    /// Sends the progress, unless it did so a moment ago.
    pub(crate) fn progress(&self, done: u64, found: u64) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            self.say(&json!({ "progress": done, "of": found }));
        }
    }

    /// Sends an error or a warning.
    pub(crate) fn finding(&self, finding: &Finding) {
        self.say(&message(finding));
    }

    /// Sends errors and warnings.
    pub(crate) fn findings(&self, findings: &[Finding]) {
        for finding in findings {
            self.finding(finding);
        }
    }
}

impl Observer for Report {
    fn found(&self, work: Work) {
        self.found.fetch_add(work.bytes, Relaxed);
    }

    fn done(&self, work: Work) {
        let before = self.done.fetch_add(work.bytes, Relaxed);
        self.progress(before + work.bytes, self.found.load(Relaxed));
    }
}

/// An error or a warning as the page shows it: without the byte, which helps nobody who has no hex editor.
pub(crate) fn message(finding: &Finding) -> Value {
    let severity = if finding.is_error() { "error" } else { "warning" };
    let place = Place { offset: None, ..finding.place.clone() };
    let place = (!place.is_unknown()).then(|| place.to_string());
    json!({ severity: finding.detail, "place": place, "help": advice(finding) })
}

/// What the user of the page can do about a finding.
fn advice(finding: &Finding) -> Option<String> {
    let on_page = match finding.help {
        Some(Help::KeepGoing) => Some("leave out damaged files"),
        Some(Help::ReplaceEntry) => Some("replace files of the same name"),
        Some(Help::GivePalette) => Some("choose a palette"),
        Some(Help::Split) => Some("split it with the command, 'daisho convert'"),
        _ => None,
    };
    match (finding.advice.as_deref(), on_page) {
        (Some(advice), Some(on_page)) => Some(format!("{advice}, or {on_page}")),
        (advice, on_page) => advice.or(on_page).map(str::to_owned),
    }
}

/// A name as it is shown.
pub(crate) fn shown(name: RawName<'_>) -> String {
    escape(name.as_bytes()).to_string()
}
