//! An error or a warning, and how it is printed on standard error.
//!
//! ```text
//! error: the payload should lie at bytes 12 to 99, but the file ends at byte 40
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12
//! help: the file has probably been cut short: get a whole copy of it
//! ```
//!
//! Everything here is shown escaped: names and places when a [`Message`] is made from a
//! [`Finding`], and all of it once more when it is printed. A message that cannot be printed is
//! lost, but the exit status still shows the failure.

use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};

use daisho::ErrorKind;
use daisho::ops::finding::{Finding, Severity};

use super::exit::Exit;
use super::notices;
use super::text;

/// An error or a warning.
#[derive(Debug)]
pub(crate) struct Message {
    severity: Severity,
    what: String,
    /// Where, a line each.
    places: Vec<String>,
    help: Option<String>,
}

impl Message {
    /// An error: what failed, in lower case and without a full stop.
    pub(crate) fn error(what: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            what: what.into(),
            places: Vec::new(),
            help: None,
        }
    }

    /// A warning: what is unusual.
    pub(crate) fn warning(what: impl Into<String>) -> Self {
        Self::error(what).with(Severity::Warning)
    }

    /// Standard input cannot be read.
    pub(crate) fn unreadable_input(error: io::Error) -> Self {
        let why = ErrorKind::Io(error);
        Self::error(format!("cannot read standard input: {why}"))
    }

    /// The message of this severity.
    pub(super) fn with(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    pub(super) const fn severity(&self) -> Severity {
        self.severity
    }

    /// What failed.
    pub(super) fn what(&self) -> &str {
        &self.what
    }

    /// Where, a line each.
    pub(super) fn places(&self) -> Vec<String> {
        self.places.clone()
    }

    /// Adds where it failed. Names in it must be escaped already.
    pub(crate) fn place(mut self, place: impl Into<String>) -> Self {
        self.places.push(place.into());
        self
    }

    /// Adds what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Prints the error, and returns the exit status of a call that is refused.
    pub(crate) fn refuse(&self) -> Exit {
        self.print();
        Exit::Refused
    }

    /// Prints the message even under `-q`: for errors from before that option is known.
    pub(crate) fn print(&self) {
        let (word, color) = match self.severity {
            Severity::Error => ("error", AnsiColor::Red),
            Severity::Warning => ("warning", AnsiColor::Yellow),
        };
        let mut lines = vec![line(word, color, &self.what)];
        for place in &self.places {
            let arrow = AnsiColor::Blue.on_default().bold();
            lines.push(format!("  {arrow}-->{arrow:#} {}", text::scrub(place)));
        }
        if let Some(help) = &self.help {
            lines.push(line("help", AnsiColor::Cyan, help));
        }
        write_lines(&lines);
    }
}

impl From<&Finding> for Message {
    fn from(finding: &Finding) -> Self {
        let place = (!finding.place.is_unknown()).then(|| finding.place.to_string());
        Self {
            places: place.into_iter().collect(),
            help: notices::help(finding.notice).map(str::to_owned),
            ..Self::error(&finding.detail)
        }
    }
}

fn line(word: &str, color: AnsiColor, words: &str) -> String {
    let style = color.on_default().bold();
    let colon = Style::new().bold();
    format!(
        "{style}{word}{style:#}{colon}:{colon:#} {}",
        text::scrub(words)
    )
}

/// Prints all lines with one write, so that they stay together, and without colours where none are
/// wanted.
pub(super) fn write_lines(lines: &[String]) {
    let mut text = lines.join("\n");
    text.push('\n');
    let mut stderr = anstream::AutoStream::auto(io::stderr().lock());
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}
