//! What the program tells the page: objects of JSON on standard output, one per line.

use std::io::{Stdout, Write as _, stdout};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use daisho::archive::{RawName, escape};
use daisho::ops::finding::{Finding, Help};
use daisho::ops::{Observer, Refusal, Work};
use serde::Serialize;
use serde_json::{Value, json};

/// The shortest time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(80);

/// Standard output, where the program reports everything to the page. It also observes operations, and reports their
/// progress.
pub(crate) struct Report(Mutex<State>);

struct State {
    out: Stdout,
    /// The last report of progress.
    last: Instant,
    /// The bytes that an operation has found and done.
    found: u64,
    done: u64,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(State {
            out: stdout(),
            last: Instant::now(),
            found: 0,
            done: 0,
        }))
    }

    /// Sends an object as a line of JSON. Errors are ignored: if nobody is listening any more, the program is being
    /// ended anyway.
    pub(crate) fn say(&self, line: &impl Serialize) {
        self.on(|state| state.say(line));
    }

    /// Sends the progress, unless it did so a moment ago.
    pub(crate) fn progress(&self, done: u64, found: u64) {
        self.on(|state| state.progress(done, found));
    }

    /// Sends an error or a warning.
    pub(crate) fn finding(&self, finding: &Finding) {
        self.say(&message(finding));
    }

    /// Sends why an operation did not begin.
    pub(crate) fn refusal(&self, refusal: &Refusal) {
        for finding in &refusal.0 {
            self.finding(finding);
        }
    }

    fn on(&self, act: impl FnOnce(&mut State)) {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl State {
    fn say(&mut self, line: &impl Serialize) {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        let _ = self.out.write_all(text.as_bytes());
    }

    fn progress(&mut self, done: u64, found: u64) {
        if self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            self.say(&json!({ "progress": done, "of": found }));
        }
    }
}

impl Observer for Report {
    fn found(&self, work: Work) {
        self.on(|state| state.found = state.found.saturating_add(work.bytes));
    }

    fn done(&self, work: Work) {
        self.on(|state| {
            state.done = state.done.saturating_add(work.bytes);
            state.progress(state.done, state.found);
        });
    }
}

/// An error or a warning as the page shows it.
pub(crate) fn message(finding: &Finding) -> Value {
    let severity = if finding.is_error() {
        "error"
    } else {
        "warning"
    };
    let place = (!finding.place.is_unknown()).then(|| finding.place.to_string());
    json!({ severity: finding.detail, "place": place, "help": advice(finding) })
}

/// What the user of the page can do about a finding.
fn advice(finding: &Finding) -> Option<String> {
    let on_page = match finding.help {
        Some(Help::KeepGoing) => Some("leave out damaged files"),
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
