//! Errors, warnings, notes and summaries, on standard error.
//!
//! ```text
//! error: the payload should lie at bytes 12 to 99, and the file ends at byte 40
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12
//! help: the file has probably been cut short: get a whole copy of it
//! ```
//!
//! Everything here is shown escaped: names and places when a [`Message`] is made from an
//! [`Error`], and all of it once more when it is printed. A message that cannot be printed is
//! lost, but the exit status still shows the failure.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use indicatif::MultiProgress;

use daisho::ErrorKind;
use daisho::archive::quoted;
use daisho::codec::Warning;
use daisho::error::Error;
use daisho::ops::context::{Problem, Refusal, Severity};

use super::advice::{advice, advice_for_several};
use super::exit::Exit;
use super::text;

/// How many places are shown where many errors are reported in one message.
const FIRST: usize = 3;

/// Something that went wrong, or is odd.
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

    /// A warning: what is odd.
    pub(crate) fn warning(what: impl Into<String>) -> Self {
        Self::error(what).with(Severity::Warning)
    }

    /// Standard input cannot be read.
    pub(crate) fn unreadable_input(error: io::Error) -> Self {
        let why = ErrorKind::Io(error);
        Self::error(format!("cannot read standard input: {why}"))
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

impl From<&Error> for Message {
    fn from(error: &Error) -> Self {
        Self {
            places: place(error).into_iter().collect(),
            help: advice(error.kind()).map(str::to_owned),
            ..Self::error(error.kind().to_string())
        }
    }
}

/// Prints messages, and remembers whether there was an error.
#[derive(Debug)]
pub(crate) struct Messages {
    quiet: bool,
    verbose: bool,
    /// The progress bars, which are cleared while a message is printed.
    bars: MultiProgress,
    /// Whether an error was reported: then the exit status cannot be 0.
    failed: AtomicBool,
}

impl Messages {
    pub(super) fn new(quiet: bool, verbose: bool, bars: MultiProgress) -> Self {
        Self {
            quiet,
            verbose,
            bars,
            failed: AtomicBool::new(false),
        }
    }

    /// Reports an error or a warning. An error alone makes the exit status at least 1.
    pub(crate) fn tell(&self, message: impl Into<Message>) {
        let message = message.into();
        match message.severity {
            Severity::Error => self.failed.store(true, Ordering::Relaxed),
            Severity::Warning if self.quiet => return,
            Severity::Warning => {}
        }
        self.bars.suspend(|| message.print());
    }

    /// Reports problems in their order. An interruption is not reported here for each piece of work,
    /// but once, at the end of the run.
    pub(crate) fn problems(&self, problems: &[Problem]) {
        let all = problems.iter();
        self.tell_all(all.map(|problem| (&problem.error, problem.severity)));
    }

    /// Reports one problem.
    pub(crate) fn problem(&self, problem: &Problem) {
        self.problems(core::slice::from_ref(problem));
    }

    /// Reports errors and warnings in their order. Many of one kind are one message, unless `-v` asks
    /// for each.
    fn tell_all<'a>(&self, all: impl Iterator<Item = (&'a Error, Severity)> + Clone) {
        let same =
            |(error, severity): (&Error, Severity)| Some((Alike::of(error.kind())?, severity));
        let mut groups: Vec<((Alike, Severity), usize)> = Vec::new();
        for group in all.clone().filter_map(same).filter(|_| !self.verbose) {
            match groups.iter_mut().find(|(other, _)| *other == group) {
                Some((_, count)) => *count += 1,
                None => groups.push((group, 1)),
            }
        }
        groups.retain(|((alike, _), count)| *count > alike.apart);
        let mut reported = Vec::new();
        for (error, severity) in all.clone() {
            // There is one message for the whole pak.
            let is_detail = matches!(error.kind(), ErrorKind::OddStream(Warning::Reserved { .. }));
            if matches!(error.kind(), ErrorKind::Interrupted) || is_detail && !self.verbose {
                continue;
            }
            let group = same((error, severity));
            let group = groups.iter().find(|(other, _)| Some(*other) == group);
            let message = match group {
                None => Message::from(error),
                Some((group, _)) if reported.contains(group) => continue,
                Some((group, count)) => {
                    reported.push(*group);
                    let errors = all.clone().filter(|one| same(*one) == Some(*group));
                    group.0.message(*count, errors.map(|(error, _)| error))
                }
            };
            self.tell(message.with(severity));
        }
    }

    /// Whether [`detail`](Self::detail) prints anything.
    pub(crate) const fn is_verbose(&self) -> bool {
        self.verbose && !self.quiet
    }

    /// Reports why nothing was done.
    pub(crate) fn refusal(&self, refusal: &Refusal) -> Exit {
        let errors = refusal.0.iter();
        self.tell_all(errors.clone().map(|error| (error, Severity::Error)));
        let interrupted = |error: &Error| matches!(error.kind(), ErrorKind::Interrupted);
        if errors.clone().all(interrupted) {
            Exit::Done
        } else {
            Exit::Refused
        }
    }

    /// A line of a summary, or a note. Names in it must be escaped already.
    pub(crate) fn note(&self, line: &str) {
        if !self.quiet {
            self.bars.suspend(|| write_lines(&[text::scrub(line)]));
        }
    }

    /// Runs `work`, which writes to the terminal, with the progress bars cleared. It must not report
    /// a message.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bars.suspend(work)
    }

    /// A line that only `-v` asks for.
    pub(crate) fn detail(&self, line: &str) {
        if self.verbose {
            self.note(line);
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

/// A kind of error that is reported in one message where there are many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Alike {
    /// What all of them say, after their number.
    what: &'static str,
    help: Option<&'static str>,
    /// How many of them are still reported one by one.
    apart: usize,
}

impl Alike {
    fn of(kind: &ErrorKind) -> Option<Self> {
        let (what, apart) = match kind {
            ErrorKind::Exists => ("files already exist", 5),
            ErrorKind::PassedOver(why) => (why.several(), 1),
            ErrorKind::NoLump { .. } => ("files are of no type that a WAD holds", 1),
            ErrorKind::NameTooLong { .. } => ("names are too long for the archive", 5),
            _ => return None,
        };
        let help = advice_for_several(kind);
        Some(Self { what, help, apart })
    }

    /// One message for `count` errors.
    fn message<'a>(self, count: usize, errors: impl Iterator<Item = &'a Error>) -> Message {
        let (among, all) = match count > FIRST {
            true => (", among them these", Some("-v names them all")),
            false => ("", None),
        };
        let help: Vec<&str> = self.help.into_iter().chain(all).collect();
        Message {
            places: errors.filter_map(place).take(FIRST).collect(),
            help: (!help.is_empty()).then(|| help.join("; ")),
            ..Message::error(format!("{count} {}{among}", self.what))
        }
    }
}

/// `pak: entry N "name", byte OFFSET`, as much of it as is known.
fn place(error: &Error) -> Option<String> {
    let pak = error.pak().map(text::path);
    let entry = error
        .entry()
        .map(|(index, name)| format!("entry {index} {}", quoted(name.as_bytes())));
    let byte = error.offset().map(|offset| format!("byte {offset}"));
    let inside: Vec<String> = entry.into_iter().chain(byte).collect();
    match (pak, inside.is_empty()) {
        (None, true) => None,
        (Some(pak), true) => Some(pak),
        (None, false) => Some(inside.join(", ")),
        (Some(pak), false) => Some(format!("{pak}: {}", inside.join(", "))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use daisho::archive::RawName;

    #[test]
    fn a_place_says_what_is_known() {
        let error = || Error::from(ErrorKind::FailedBefore);
        assert_eq!(place(&error()), None);
        assert_eq!(place(&error().in_pak("a.pak")).unwrap(), "a.pak");
        assert_eq!(place(&error().at(7)).unwrap(), "byte 7");
        let all = error()
            .in_pak("a\x1b.pak")
            .in_entry(3, RawName::from("b\n\"c"))
            .at(7);
        assert_eq!(
            place(&all).unwrap(),
            r#"a\x1b.pak: entry 3 "b\x0a\"c", byte 7"#
        );
    }

    #[test]
    fn an_error_that_was_reported_is_remembered() {
        let messages = Messages::new(true, false, MultiProgress::new());
        messages.tell(Message::warning("odd"));
        assert_eq!(messages.exit(), Exit::Done);
        messages.failed.store(true, Ordering::Relaxed);
        assert_eq!(messages.exit(), Exit::NotAllWell);
    }
}
