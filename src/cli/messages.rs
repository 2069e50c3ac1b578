//! Errors, warnings, notes and summaries, printed in order on standard error.
//!
//! With `-v`, each is printed immediately. Without it, findings wait until the next summary. Then many findings of
//! the same notice become one message with their number, the first of them, and what to do:
//!
//! ```text
//! warning: 2036 streams have bytes after their end marker; they are ignored, as in the game
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12, and 2035 more, in 3 archives in all (-v names each)
//! ```
//!
//! If there are only a few of a kind, each is still a separate message.

use std::mem;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use indicatif::MultiProgress;

use daisho::ops::context::Refusal;
use daisho::ops::finding::{Finding, Notice, Severity};

use super::exit::Exit;
use super::message::{Message, write_lines};
use super::notices::{help_for_many, sentence_for_many};
use super::text;

/// Prints messages, and remembers whether there was an error.
#[derive(Debug)]
pub(crate) struct Messages {
    quiet: bool,
    verbose: bool,
    /// The progress bars, which are cleared while a message is printed.
    bars: MultiProgress,
    /// Whether an error was reported: then the exit status cannot be 0.
    failed: AtomicBool,
    /// The findings that are waiting for the next summary.
    groups: Mutex<Vec<Group>>,
}

impl Messages {
    pub(super) fn new(quiet: bool, verbose: bool, bars: MultiProgress) -> Self {
        Self {
            quiet,
            verbose,
            bars,
            failed: AtomicBool::new(false),
            groups: Mutex::default(),
        }
    }

    /// Reports an error or a warning immediately. An error makes the exit status at least 1, a warning does not.
    pub(crate) fn tell(&self, message: impl Into<Message>) {
        self.flush();
        self.print(&message.into());
    }

    fn print(&self, message: &Message) {
        match message.severity() {
            Severity::Error => self.failed.store(true, Ordering::Relaxed),
            Severity::Warning if self.quiet => return,
            Severity::Warning => {}
        }
        self.bars.suspend(|| message.print());
    }

    /// Reports findings in order: with `-v` each one immediately, otherwise together with the others of its notice.
    pub(crate) fn findings(&self, findings: &[Finding]) {
        for finding in findings {
            self.finding(finding);
        }
    }

    /// Reports one finding: with `-v` immediately, otherwise together with the others of its notice.
    pub(crate) fn finding(&self, finding: &Finding) {
        self.gather(finding, finding.severity);
    }

    /// A stop is reported once, at the end of the run, and not here for each piece of work.
    fn gather(&self, finding: &Finding, severity: Severity) {
        // There is one message for the whole archive.
        let is_detail = finding.notice == Notice::ReservedInStream;
        if finding.is_stop() || is_detail && !self.verbose {
            return;
        }
        if self.verbose {
            self.print(&Message::from(finding).with(severity));
            return;
        }
        if severity == Severity::Error {
            self.failed.store(true, Ordering::Relaxed);
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
    pub(crate) fn refusal(&self, refusal: &Refusal) -> Exit {
        for finding in &refusal.0 {
            self.gather(finding, Severity::Error);
        }
        self.flush();
        match refusal.0.iter().all(Finding::is_stop) {
            true => Exit::Done,
            false => Exit::Refused,
        }
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

    /// The progress bars.
    pub(super) fn bars(&self) -> MultiProgress {
        self.bars.clone()
    }

    /// Prints a line, but only with `-v`.
    pub(crate) fn detail(&self, line: &str) {
        if self.verbose {
            self.line(line);
        }
    }

    /// Whether only errors are asked for.
    pub(crate) const fn quiet(&self) -> bool {
        self.quiet
    }

    /// Whether each of many is asked for.
    pub(crate) const fn verbose(&self) -> bool {
        self.verbose
    }

    /// The exit status that follows from what was reported.
    pub(crate) fn exit(&self) -> Exit {
        if self.failed.load(Ordering::Relaxed) {
            Exit::NotAllWell
        } else {
            Exit::Done
        }
    }
}

/// The most findings of a kind that are reported one by one. If there are more, their message shows at most this
/// number of places.
const FEW: usize = 3;

/// Findings of one notice that become one message.
#[derive(Debug)]
struct Group {
    notice: Notice,
    severity: Severity,
    /// The sentence that all of them share, if the notice has no sentence for many.
    detail: Option<String>,
    count: usize,
    /// The number of archives that the entries are in, and the last of these archives.
    archives: usize,
    last: Option<Arc<Path>>,
    /// The first few.
    first: Vec<Message>,
}

impl Group {
    /// Adds a finding. Only the first few of a group are kept as whole messages.
    fn add(groups: &mut Vec<Self>, finding: &Finding, severity: Severity) {
        let (notice, place) = (finding.notice, &finding.place);
        let detail = match sentence_for_many(notice) {
            Some(_) => None,
            None => Some(&finding.detail),
        };
        let is_alike = |group: &&mut Self| {
            (group.notice, group.severity) == (notice, severity) && group.detail.as_ref() == detail
        };
        // Findings without a place stay messages of their own: nothing would tell one from another.
        if place.path.is_some()
            && let Some(group) = groups.iter_mut().find(is_alike)
        {
            group.count += 1;
            if place.entry.is_some() && group.last != place.path {
                group.archives += 1;
                group.last.clone_from(&place.path);
            }
            if group.first.len() < FEW {
                group.first.push(Message::from(finding));
            }
            return;
        }
        groups.push(Self {
            notice,
            severity,
            detail: detail.cloned(),
            count: 1,
            archives: 1,
            last: place.path.clone(),
            first: vec![Message::from(finding)],
        });
    }

    fn messages(self) -> Vec<Message> {
        let severity = self.severity;
        if self.count <= FEW {
            let each = self.first.into_iter();
            return each.map(|message| message.with(severity)).collect();
        }
        let shown = match severity {
            Severity::Error => FEW,
            Severity::Warning => 1,
        };
        let more = self.count - shown.min(self.count);
        let mut places: Vec<String> = self.first.iter().flat_map(Message::places).collect();
        places.truncate(shown);
        let within = match self.archives {
            1 => String::new(),
            archives => format!(", in {archives} archives in all"),
        };
        if let Some(last) = places.last_mut() {
            last.push_str(&format!(", and {more} more{within} (-v names each)"));
        }
        let what = match (
            sentence_for_many(self.notice),
            self.first.into_iter().next(),
        ) {
            (Some(many), _) => format!("{} {many}", self.count),
            (None, Some(first)) => first.what().to_owned(),
            (None, None) => return Vec::new(),
        };
        let mut message = Message::error(what).with(severity);
        for place in places {
            message = message.place(place);
        }
        vec![match help_for_many(self.notice) {
            Some(help) => message.help(help),
            None => message,
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_was_reported_is_remembered() {
        let messages = Messages::new(true, false, MultiProgress::new());
        messages.tell(Message::warning("odd"));
        assert_eq!(messages.exit(), Exit::Done);
        messages.failed.store(true, Ordering::Relaxed);
        assert_eq!(messages.exit(), Exit::NotAllWell);
    }
}
