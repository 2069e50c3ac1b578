//! What every verb gets: the global options, the terminal, and the exit status.
//!
//! Only [`Ui`] prints. Data goes to standard output, everything else to standard error. With `-v`, each finding is
//! printed immediately. Without it, findings wait until the next summary, so that many of a kind become one message.

use std::collections::HashSet;
use std::io::{self, ErrorKind, Write as _};
use std::mem;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::archive::ReadOptions;
use crate::cli::advice::VerbOptions;
use crate::cli::exit::{self, Exit};
use crate::cli::global::GlobalArgs;
use crate::cli::messages::{Message, print_lines};
use crate::cli::output::{DataKind, Stdout, binary, failed, is_binary};
use crate::cli::progress::{self, Bars};
use crate::cli::render::json_line;
use crate::cli::text;
use crate::fs::lock;
use crate::ops::finding::{Finding, Meaning, Severity};
use crate::ops::source::Selection;
use crate::ops::{Context, Observer, Refusal, Unobserved};

/// The only way to the terminal, and the exit status of the run.
#[derive(Debug)]
pub(crate) struct Ui {
    /// Whether rows are printed as JSON.
    pub(crate) json: bool,
    /// Whether only errors are printed.
    pub(crate) quiet: bool,
    /// Whether each of many similar messages is printed, and more details.
    pub(crate) verbose: bool,
    /// The options of the verb, which advice may name.
    options: VerbOptions,
    /// The number of threads, if the user gave one.
    jobs: Option<NonZeroUsize>,
    /// How to read archives.
    open: ReadOptions,
    /// Which archives a search of a directory includes.
    searched: Selection,
    /// Whether to show progress bars.
    has_bars: bool,
    /// The screen of progress bars, which are cleared while something is printed. It is hidden until there are some.
    pub(super) screen: MultiProgress,
    /// The worst exit status so far. An error makes it at least 1.
    exit: AtomicU8,
    /// The findings that are waiting for the next summary.
    waiting: Mutex<Vec<Message>>,
}

impl Ui {
    /// Resolves the global options against the terminal and the environment. With `salvage`, archives without a
    /// directory are read as far as possible. With `maps`, a map is an archive of its textures.
    pub(super) fn new(
        args: &GlobalArgs,
        options: VerbOptions,
        salvage: bool,
        maps: bool,
    ) -> Result<Self, Finding> {
        let screen = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
        let searched = Selection::new(&[], &args.exclude_archive)?;
        // Nothing was searched, so this is about globs that cannot be read.
        if let Some(error) = searched.unmatched().find(Finding::is_error) {
            return Err(error);
        }
        Ok(Self {
            json: args.json,
            quiet: args.quiet,
            verbose: args.verbose,
            options,
            jobs: args.jobs()?,
            open: ReadOptions { format: args.from.0, reserved: args.reserved.0, salvage, maps },
            searched,
            has_bars: progress::wanted(args.progress) && !args.quiet,
            screen,
            exit: AtomicU8::new(0),
            waiting: Mutex::default(),
        })
    }

    /// Starts handling signals.
    pub(super) fn listen(&self) {
        exit::listen(self.screen.clone());
    }

    /// The context for an operation without progress bars.
    pub(crate) fn context(&self) -> Context<'_> {
        self.watched_by(&Unobserved)
    }

    /// The context for an operation that this observer watches.
    pub(super) fn watched_by<'a>(&'a self, observer: &'a dyn Observer) -> Context<'a> {
        Context::new()
            .observed_by(observer)
            .stopped_by(&exit::CANCEL)
            .with_jobs(self.jobs)
            .reading(self.open)
            .searching(&self.searched)
    }

    /// Begins to count the work of an operation, and to show it as a bar if it is `slow` and bars are wanted.
    pub(super) fn bars(&self, slow: bool) -> Bars {
        if slow && self.has_bars { Bars::with_bars(&self.screen) } else { Bars::new() }
    }

    /// The exit status of the run. A signal makes it the worst.
    pub(crate) fn end(&self) -> u8 {
        self.flush();
        if let Some(signal) = exit::caught() {
            self.tell(&Finding::error("interrupted"));
            self.worsen(signal);
        }
        self.exit.load(Ordering::Relaxed)
    }

    /// Makes the exit status at least as bad as this.
    pub(crate) fn worsen(&self, exit: Exit) {
        self.exit.fetch_max(exit as u8, Ordering::Relaxed);
    }
}

/// Standard error.
impl Ui {
    /// Reports an error or a warning immediately. An error makes the exit status at least 1, a warning does not.
    pub(crate) fn tell(&self, finding: &Finding) {
        self.flush();
        self.print_message(&Message::new(finding.clone()));
    }

    /// Reports findings in order: with `-v` each one immediately, otherwise together with the others of its kind.
    pub(crate) fn findings(&self, findings: &[Finding]) {
        for finding in findings {
            self.finding(finding);
        }
    }

    /// Reports one finding: with `-v` immediately, otherwise together with the others of its kind. A stop is reported
    /// once, at the end of the run, and not here for each piece of work.
    pub(crate) fn finding(&self, finding: &Finding) {
        // There is one message for all of them.
        let is_detail = matches!(finding.meaning, Meaning::Detail | Meaning::LeftOutToo);
        if finding.is_stop() || is_detail && !self.verbose {
            return;
        }
        if finding.is_error() {
            self.worsen(Exit::NotAllWell);
        }
        // With `-q` the exit status alone says whether an engine loads an archive.
        if self.quiet && finding.meaning == Meaning::NotLoaded {
            return;
        }
        if self.verbose {
            return self.print_message(&Message::new(finding.clone()));
        }
        let mut waiting = lock(&self.waiting);
        match waiting.iter_mut().find(|it| it.is_about(finding)) {
            Some(message) => message.add(finding),
            None => waiting.push(Message::new(finding.clone())),
        }
    }

    /// Prints the findings that are waiting.
    pub(crate) fn flush(&self) {
        let waiting = mem::take(&mut *lock(&self.waiting));
        for message in waiting {
            self.print_message(&message);
        }
    }

    fn print_message(&self, message: &Message) {
        match message.severity() {
            Severity::Error => self.worsen(Exit::NotAllWell),
            Severity::Warning if self.quiet => return,
            Severity::Warning => {}
        }
        self.screen.suspend(|| message.print(&self.options));
    }

    /// Reports why a verb did nothing.
    pub(crate) fn refuse(&self, refusal: &Refusal) {
        let has_error = refusal.0.iter().any(Finding::is_error);
        for finding in &refusal.0 {
            // An exit status that is not 0 needs an error.
            let mut finding = finding.clone();
            if !has_error {
                finding.severity = Severity::Error;
            }
            self.finding(&finding);
        }
        self.flush();
        if !refusal.0.iter().all(Finding::is_stop) {
            self.worsen(Exit::Refused);
        }
        self.show_inputs(&refusal.0);
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
            self.screen.suspend(|| print_lines(&[text::scrub(line)]));
        }
    }

    /// Prints a line, but only with `-v`.
    pub(crate) fn detail(&self, line: &str) {
        if self.verbose {
            self.line(line);
        }
    }
}

/// Standard output.
impl Ui {
    /// Opens standard output for data of this kind, and nothing else is done meanwhile: a signal ends the process
    /// immediately. If standard output is closed, reports that and returns `None`.
    pub(crate) fn stdout(&self, kind: DataKind) -> Option<Stdout> {
        match Stdout::open(kind, &self.screen) {
            Ok(out) => Some(out),
            Err(error) => {
                self.tell(&error);
                None
            }
        }
    }

    /// Ends an output. Reports its failure, or that of the `written` bytes. Returns whether neither failed.
    pub(crate) fn close(&self, out: Stdout, written: io::Result<()>) -> bool {
        let kind = out.kind();
        match out.end(written) {
            Ok(()) => true,
            Err(error) => {
                self.report_failure(kind, error);
                false
            }
        }
    }

    /// Runs `work`, which writes to standard output, and returns whether all of it was written.
    pub(crate) fn write(
        &self,
        kind: DataKind,
        work: impl FnOnce(&mut Stdout) -> io::Result<()>,
    ) -> bool {
        let Some(mut out) = self.stdout(kind) else {
            return false;
        };
        let written = work(&mut out);
        self.close(out, written)
    }

    /// Reports why standard output did not take all of it.
    fn report_failure(&self, kind: DataKind, error: io::Error) {
        if is_binary(&error) {
            return self.refuse(&binary().into());
        }
        match kind {
            _ if error.kind() != ErrorKind::BrokenPipe => self.tell(&failed(error)),
            DataKind::Text => {}
            DataKind::Content => self.worsen(Exit::NotAllWell),
            DataKind::Archive => self.tell(&Finding::error(
                "the archive was not written: standard output was closed before its end",
            )),
        }
    }

    /// Prints a line of a verb's report while rows arrive. With `-q` it prints nothing. Names in the line must already
    /// be escaped.
    ///
    /// The report goes to standard output if it `is_result`, because the verb only looks or plans, and if no rows of
    /// JSON go there. Otherwise it goes to standard error.
    pub(crate) fn print(&self, out: &mut Stdout, is_result: bool, line: &str) -> io::Result<()> {
        if !is_result || self.json {
            self.line(line);
        } else if !self.quiet {
            writeln!(out, "{line}")?;
            // The next archive can take a minute.
            out.flush()?;
        }
        Ok(())
    }

    /// Prints the last line of a report, after all rows and messages.
    pub(crate) fn print_last(&self, is_result: bool, line: &str) {
        self.flush();
        self.write(DataKind::Text, |out| self.print(out, is_result, line));
    }

    /// Shows each input that could not be read, or only in part, as an object of JSON. The worst error about an input
    /// stands for it.
    pub(crate) fn show_inputs(&self, findings: &[Finding]) {
        if !self.json {
            return;
        }
        // Errors about a whole archive count more than one about its directory.
        let unread = findings.iter().filter(|finding| finding.status() == Some("unread"));
        let unread: HashSet<_> = unread.map(Finding::path).collect();
        let mut shown = HashSet::new();
        self.write(DataKind::Text, |out| {
            for finding in findings {
                // Usage has no path.
                let (Some(path), Some(status)) = (finding.path(), finding.status()) else {
                    continue;
                };
                let is_worst = status == "unread" || !unread.contains(&Some(path));
                if is_worst && shown.insert(path) {
                    json_line(out, finding)?;
                }
            }
            Ok(())
        });
    }
}

/// Prints an error from before the options are known, even under `-q`. Returns the exit status of a call that is
/// refused.
pub(super) fn refuse(error: Finding) -> Exit {
    Message::new(error).print(&VerbOptions::default());
    Exit::Refused
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::command::Cli;

    #[test]
    fn an_error_that_was_reported_is_remembered() {
        let cli = Cli::try_parse_from(["daisho", "-q", "undo", "a"]).unwrap();
        let ui = Ui::new(&cli.global, VerbOptions::default(), false, false).unwrap();
        ui.tell(&Finding::warning("odd"));
        assert_eq!(ui.end(), 0);
        for (exit, worst) in
            [(Exit::NotAllWell, 1), (Exit::Refused, 2), (Exit::NotAllWell, 2), (Exit::HangUp, 129)]
        {
            ui.worsen(exit);
            assert_eq!(ui.end(), worst);
        }
    }
}
