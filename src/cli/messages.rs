//! Errors, warnings, notes and summaries, in their order, on standard error.
//!
//! With `-v` each is printed when it is known. Without it findings are [gathered](super::gathered), and
//! printed before the next line that is a summary.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::MultiProgress;

use daisho::ops::context::Refusal;
use daisho::ops::finding::{Finding, Notice, Severity};

use super::exit::Exit;
use super::gathered::Gathered;
use super::message::{Message, write_lines};
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
    /// What is reported when the next line is printed that is not of a list.
    gathered: Mutex<Gathered>,
}

impl Messages {
    pub(super) fn new(quiet: bool, verbose: bool, bars: MultiProgress) -> Self {
        Self {
            quiet,
            verbose,
            bars,
            failed: AtomicBool::new(false),
            gathered: Mutex::default(),
        }
    }

    /// Reports an error or a warning at once. An error alone makes the exit status at least 1.
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

    /// Reports findings in their order: with `-v` at once, and else with others of their notice.
    pub(crate) fn findings(&self, findings: &[Finding]) {
        for finding in findings {
            self.finding(finding);
        }
    }

    /// Reports one finding: with `-v` at once, and else with others of its notice.
    pub(crate) fn finding(&self, finding: &Finding) {
        self.gather(finding, finding.severity);
    }

    /// A stop is not reported here for each piece of work, but once, at the end of the run.
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
        if let Ok(mut gathered) = self.gathered.lock() {
            gathered.add(finding, severity);
        }
    }

    /// Prints what was gathered.
    pub(crate) fn flush(&self) {
        let gathered = self.gathered.lock().map(|mut gathered| gathered.take());
        for message in gathered.unwrap_or_default() {
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

    /// A line of a summary, or a note, behind all that was gathered. Names in it must be escaped
    /// already.
    pub(crate) fn note(&self, line: &str) {
        self.flush();
        self.line(line);
    }

    /// A line about one of several archives, before what was gathered of all of them.
    pub(crate) fn line(&self, line: &str) {
        if !self.quiet {
            self.bars.suspend(|| write_lines(&[text::scrub(line)]));
        }
    }

    /// The progress bars.
    pub(super) fn bars(&self) -> MultiProgress {
        self.bars.clone()
    }

    /// A line that only `-v` asks for.
    pub(crate) fn detail(&self, line: &str) {
        if self.verbose {
            self.line(line);
        }
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
