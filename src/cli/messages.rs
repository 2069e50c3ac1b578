//! Errors, warnings, notes and summaries, printed in order on standard error.
//!
//! ```text
//! error: the payload should lie at bytes 12 to 99, but the file ends at byte 40
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12
//! help: the file has probably been cut short: get a whole copy of it
//! ```
//!
//! With `-v`, each finding is printed immediately. Without it, findings wait until the next summary. Then many
//! findings of the same kind become one message with their number, the first of them, and what to do:
//!
//! ```text
//! warning: 2036 streams have bytes after their end marker; they are ignored, as in the game
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12, and 2035 more, in 3 archives in all (-v names each)
//! ```
//!
//! If there are only a few of a kind, each is still a separate message.
//!
//! Everything here is shown escaped: names and places when a [`Message`] is made from a [`Finding`], and all of it
//! once more when it is printed. A message that cannot be printed is lost, but the exit status still shows the
//! failure.

use std::io::{self, Write as _};
use std::mem;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use anstyle::{AnsiColor, Style};
use indicatif::MultiProgress;

use daisho::ops::Refusal;
use daisho::ops::finding::{Finding, Meaning, Severity};

use super::advice::advice;
use super::exit::Exit;
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

    /// The message of this severity.
    fn with(self, severity: Severity) -> Self {
        Self { severity, ..self }
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
            help: advice(finding),
            ..Self::error(&*finding.detail).with(finding.severity)
        }
    }
}

/// Why a verb did nothing.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Its arguments contradict each other, or one is missing.
    Usage(Message),
    /// Its operation cannot begin.
    Operation(Refusal),
}

impl From<Message> for Refused {
    fn from(message: Message) -> Self {
        Self::Usage(message)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::Operation(refusal)
    }
}

impl From<Finding> for Refused {
    fn from(error: Finding) -> Self {
        Self::Operation(error.into())
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
fn write_lines(lines: &[String]) {
    let mut text = lines.join("\n");
    text.push('\n');
    let mut stderr = anstream::AutoStream::auto(io::stderr().lock());
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// Prints messages, and remembers the exit status.
#[derive(Debug)]
pub(crate) struct Messages {
    /// Whether only errors are asked for.
    pub(crate) quiet: bool,
    /// Whether each of many is asked for.
    pub(crate) verbose: bool,
    /// The screen of progress bars, which are cleared while a message is printed. It is hidden until there are some.
    pub(super) bars: MultiProgress,
    /// The worst exit status so far. An error makes it at least 1.
    exit: AtomicU8,
    /// The findings that are waiting for the next summary.
    groups: Mutex<Vec<Group>>,
}

impl Messages {
    pub(super) fn new(quiet: bool, verbose: bool, bars: MultiProgress) -> Self {
        Self {
            quiet,
            verbose,
            bars,
            exit: AtomicU8::new(0),
            groups: Mutex::default(),
        }
    }

    /// Reports an error or a warning immediately. An error makes the exit status at least 1, a warning does not.
    pub(crate) fn tell(&self, message: impl Into<Message>) {
        self.flush();
        self.print(&message.into());
    }

    fn print(&self, message: &Message) {
        match message.severity {
            Severity::Error => self.worsen(Exit::NotAllWell),
            Severity::Warning if self.quiet => return,
            Severity::Warning => {}
        }
        self.bars.suspend(|| message.print());
    }

    /// Reports findings in order: with `-v` each one immediately, otherwise together with the others of its kind.
    pub(crate) fn findings(&self, findings: &[Finding]) {
        for finding in findings {
            self.finding(finding);
        }
    }

    /// Reports one finding: with `-v` immediately, otherwise together with the others of its kind.
    pub(crate) fn finding(&self, finding: &Finding) {
        self.gather(finding, finding.severity);
    }

    /// A stop is reported once, at the end of the run, and not here for each piece of work.
    fn gather(&self, finding: &Finding, severity: Severity) {
        // There is one message for the whole archive.
        let is_detail = finding.meaning == Meaning::Detail;
        if finding.is_stop() || is_detail && !self.verbose {
            return;
        }
        // With `-q` the exit status alone says whether an engine loads an archive.
        if self.quiet && finding.meaning == Meaning::NotLoaded {
            self.worsen(Exit::NotAllWell);
            return;
        }
        if self.verbose {
            self.print(&Message::from(finding).with(severity));
            return;
        }
        if severity == Severity::Error {
            self.worsen(Exit::NotAllWell);
        }
        if let Ok(mut groups) = self.groups.lock() {
            Group::add(&mut groups, finding, severity);
        }
    }

    /// Prints the findings that are waiting.
    pub(crate) fn flush(&self) {
        let groups = self.groups.lock().map(|mut groups| mem::take(&mut *groups));
        for message in groups
            .unwrap_or_default()
            .into_iter()
            .flat_map(Group::messages)
        {
            self.print(&message);
        }
    }

    /// Reports why nothing was done.
    pub(crate) fn refusal(&self, refused: &Refused) {
        match refused {
            Refused::Usage(message) => {
                self.flush();
                self.print(message);
            }
            Refused::Operation(refusal) => {
                let has_error = refusal.0.iter().any(Finding::is_error);
                for finding in &refusal.0 {
                    // An exit status that is not 0 needs an error.
                    let severity = if has_error {
                        finding.severity
                    } else {
                        Severity::Error
                    };
                    self.gather(finding, severity);
                }
                self.flush();
                if refusal.0.iter().all(Finding::is_stop) {
                    return;
                }
            }
        }
        self.worsen(Exit::Refused);
    }

    /// Prints a summary or a note, after the findings that are still waiting to be printed. Names in it must already
    /// be escaped.
    pub(crate) fn note(&self, line: &str) {
        self.flush();
        self.line(line);
    }

    /// Prints a line about one of several archives, before the findings that are still waiting.
    pub(crate) fn line(&self, line: &str) {
        if !self.quiet {
            self.bars.suspend(|| write_lines(&[text::scrub(line)]));
        }
    }

    /// Prints a line, but only with `-v`.
    pub(crate) fn detail(&self, line: &str) {
        if self.verbose {
            self.line(line);
        }
    }

    /// Makes the exit status at least as bad as this.
    pub(crate) fn worsen(&self, exit: Exit) {
        self.exit.fetch_max(exit as u8, Ordering::Relaxed);
    }

    /// The exit status of what was done so far.
    pub(crate) fn exit(&self) -> u8 {
        self.exit.load(Ordering::Relaxed)
    }
}

/// The most findings of a kind that are reported one by one. If there are more, their message shows at most this
/// number of places.
const FEW: usize = 3;

/// Findings of one kind that become one message.
#[derive(Debug)]
struct Group {
    severity: Severity,
    count: usize,
    /// The number of archives that the entries are in, and the last of these archives.
    archives: usize,
    last: Option<Arc<Path>>,
    first: Finding,
    /// The few that follow the first.
    next: Vec<Finding>,
}

impl Group {
    /// Adds a finding. Only the first few of a group are kept.
    fn add(groups: &mut Vec<Self>, finding: &Finding, severity: Severity) {
        let place = &finding.place;
        // Findings without a place stay messages of their own: nothing would tell one from another.
        if place.path.is_some()
            && let Some(group) = groups
                .iter_mut()
                .find(|group| group.severity == severity && group.first.is_like(finding))
        {
            group.count += 1;
            if place.entry.is_some() && group.last != place.path {
                group.archives += 1;
                group.last.clone_from(&place.path);
            }
            if group.count <= FEW {
                group.next.push(finding.clone());
            }
            return;
        }
        groups.push(Self {
            severity,
            count: 1,
            archives: 1,
            last: place.path.clone(),
            first: finding.clone(),
            next: Vec::new(),
        });
    }

    fn messages(self) -> Vec<Message> {
        let mut message = Message::from(&self.first).with(self.severity);
        let next = self.next.iter().map(Message::from);
        if self.count <= FEW {
            let next = next.map(|it| it.with(self.severity));
            return std::iter::once(message).chain(next).collect();
        }
        let shown = match self.severity {
            Severity::Error => FEW,
            Severity::Warning => 1,
        };
        message.places.extend(next.flat_map(|it| it.places));
        message.places.truncate(shown);
        let more = self.count - shown;
        let within = match self.archives {
            1 => String::new(),
            archives => format!(", in {archives} archives in all"),
        };
        if let Some(last) = message.places.last_mut() {
            last.push_str(&format!(", and {more} more{within} (-v names each)"));
        }
        if let Some(many) = self.first.many {
            message.what = format!("{} {many}", self.count);
        }
        vec![message]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_was_reported_is_remembered() {
        let messages = Messages::new(true, false, MultiProgress::new());
        messages.tell(Message::warning("odd"));
        assert_eq!(messages.exit(), 0);
        for (exit, worst) in [
            (Exit::NotAllWell, 1),
            (Exit::Refused, 2),
            (Exit::NotAllWell, 2),
            (Exit::HangUp, 129),
        ] {
            messages.worsen(exit);
            assert_eq!(messages.exit(), worst);
        }
    }
}
