//! What the program says: a JSON object a line, on standard output.

use std::fmt::Display;
use std::io::{Stdout, Write as _};
use std::time::{Duration, Instant};

use daisho::archive::error::Place;
use daisho::archive::{RawName, escape};
use daisho::{Entry, Error};
use serde::Serialize;
use serde_json::{Value, json};

use crate::advice::advice;

/// How long the page waits at least for the next number.
const PAUSE: Duration = Duration::from_millis(80);

/// Where everything is said.
pub(crate) struct Report {
    out: Stdout,
    last: Instant,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self {
            out: std::io::stdout(),
            last: Instant::now(),
        }
    }

    /// Says an object. Who does not listen any more has ended the program anyway.
    pub(crate) fn say(&mut self, line: &impl Serialize) {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        let _ = self.out.write_all(text.as_bytes());
    }

    /// Says how much is done, unless it was said a moment ago.
    pub(crate) fn progress(&mut self, done: u64, all: u64) {
        if self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            self.say(&json!({ "progress": done, "of": all }));
        }
    }

    pub(crate) fn error(&mut self, error: &Error) {
        self.say(&failure(error));
    }

    /// Says what is odd about an entry.
    pub(crate) fn warning(&mut self, entry: &Entry<'_>, what: impl Display) {
        self.say(&warning(what, &place(entry)));
    }

    /// Says that the page has asked for what there is not.
    pub(crate) fn refuse(&mut self, verbs: &str) {
        self.say(&json!({ "error": "this cannot be asked for", "help": verbs }));
    }
}

/// An error as the page shows it.
pub(crate) fn failure(error: &Error) -> Value {
    let what = error.kind().to_string();
    json!({ "error": what, "place": shown_place(error.place()), "help": advice(error.kind()) })
}

/// A warning as the page shows it.
pub(crate) fn warning(what: impl Display, place: &Place) -> Value {
    json!({ "warning": what.to_string(), "place": shown_place(place), "help": null })
}

fn shown_place(place: &Place) -> Option<String> {
    (!place.is_unknown()).then(|| place.to_string())
}

/// A name as it is shown.
pub(crate) fn shown(name: RawName<'_>) -> String {
    escape(name.as_bytes()).to_string()
}

/// The error with the archive and the entry as its place.
pub(crate) fn locate(entry: &Entry<'_>, error: impl Into<Error>) -> Error {
    let error = error.into().in_entry(entry.index(), entry.name());
    match entry.archive().path() {
        Some(path) => error.in_pak(path),
        None => error,
    }
}

/// An entry as a place.
pub(crate) fn place(entry: &Entry<'_>) -> Place {
    Place {
        path: entry.archive().path().map(Into::into),
        entry: Some((entry.index(), entry.name().as_bytes().into())),
        offset: None,
    }
}
