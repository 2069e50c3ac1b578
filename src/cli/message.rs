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
//! lost, since there is nobody left to tell; the exit status still says it.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use indicatif::MultiProgress;

use daisho::ErrorKind;
use daisho::codec::Warning;
use daisho::error::Error;
use daisho::ops::context::{Problem, Refusal, Severity};
use daisho::pak::quoted;

use super::exit::Exit;
use super::text;

/// How many places are named where many errors are reported as one.
const FIRST: usize = 3;

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Error,
    Warning,
}

/// Something that went wrong, or is odd.
#[derive(Debug)]
pub(crate) struct Message {
    level: Level,
    what: String,
    place: Option<String>,
    /// Where else, a line each.
    more_places: Vec<String>,
    help: Option<String>,
}

impl Message {
    /// What failed: lower case, no full stop.
    pub(crate) fn error(what: impl Into<String>) -> Self {
        Self {
            level: Level::Error,
            what: what.into(),
            place: None,
            more_places: Vec::new(),
            help: None,
        }
    }

    /// What is odd.
    pub(crate) fn warning(what: impl Into<String>) -> Self {
        Self {
            level: Level::Warning,
            ..Self::error(what)
        }
    }

    /// The same as something that is only odd.
    pub(crate) fn into_warning(self) -> Self {
        Self {
            level: Level::Warning,
            ..self
        }
    }

    /// Where. What stands in it must be escaped already.
    pub(crate) fn place(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// What to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Prints it without regard to `-q`: for errors from before that is known.
    pub(crate) fn print(&self) {
        let (word, color) = match self.level {
            Level::Error => ("error", AnsiColor::Red),
            Level::Warning => ("warning", AnsiColor::Yellow),
        };
        let mut lines = vec![line(word, color, &self.what)];
        for place in self.place.iter().chain(&self.more_places) {
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
            place: place(error),
            help: error.help().map(str::to_owned),
            ..Self::error(error.kind().to_string())
        }
    }
}

/// Where messages go, and what is remembered of them.
#[derive(Debug)]
pub(crate) struct Messages {
    quiet: bool,
    verbose: bool,
    /// What may be on the screen, to be put aside for a message.
    bars: MultiProgress,
    /// Whether an error was told: then the run cannot end well.
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

    /// Tells an error or a warning. An error makes the exit status 1 at least, by itself.
    pub(crate) fn tell(&self, message: impl Into<Message>) {
        let message = message.into();
        match message.level {
            Level::Error => self.failed.store(true, Ordering::Relaxed),
            Level::Warning if self.quiet => return,
            Level::Warning => {}
        }
        self.bars.suspend(|| message.print());
    }

    /// Tells the problems of a report, in its order. That work was stopped from outside is told
    /// once, at the end of the run, and not by each piece of work.
    pub(crate) fn problems(&self, problems: &[Problem]) {
        let all = problems.iter();
        self.tell_all(all.map(|problem| (&problem.error, problem.severity)));
    }

    /// Tells one of them.
    pub(crate) fn problem(&self, problem: &Problem) {
        self.problems(core::slice::from_ref(problem));
    }

    /// Tells errors and warnings in their order, many alike in one message unless `-v` asks for each.
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
        let mut told = Vec::new();
        for (error, severity) in all.clone() {
            // One message says it for the whole pak.
            let is_detail = matches!(error.kind(), ErrorKind::OddStream(Warning::Reserved { .. }));
            if matches!(error.kind(), ErrorKind::Interrupted) || is_detail && !self.verbose {
                continue;
            }
            let group = same((error, severity));
            let group = groups.iter().find(|(other, _)| Some(*other) == group);
            let message = match group {
                None => Message::from(error),
                Some((group, _)) if told.contains(group) => continue,
                Some((group, count)) => {
                    told.push(*group);
                    let errors = all.clone().filter(|one| same(*one) == Some(*group));
                    group.0.message(*count, errors.map(|(error, _)| error))
                }
            };
            self.tell(match severity {
                Severity::Warning => message.into_warning(),
                Severity::Error => message,
            });
        }
    }

    /// Whether [`detail`](Self::detail) prints anything.
    pub(crate) const fn is_verbose(&self) -> bool {
        self.verbose && !self.quiet
    }

    /// Tells why nothing was done.
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

    /// Does something else to the terminal, with whatever is on the screen put aside. No message
    /// may be told meanwhile.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bars.suspend(work)
    }

    /// A line that only `-v` asks for.
    pub(crate) fn detail(&self, line: &str) {
        if self.verbose {
            self.note(line);
        }
    }

    /// The exit status that was earned by what was told.
    pub(crate) fn exit(&self) -> Exit {
        if self.failed.load(Ordering::Relaxed) {
            Exit::NotAllWell
        } else {
            Exit::Done
        }
    }
}

/// Errors that are reported as one where there are many of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Alike {
    /// What all of them say, behind their number.
    what: &'static str,
    help: Option<&'static str>,
    /// How many of them are still reported one by one.
    apart: usize,
}

impl Alike {
    fn of(kind: &ErrorKind) -> Option<Self> {
        let (what, help, apart) = match kind {
            ErrorKind::Exists => (
                "files exist already",
                Some("give -f to replace them, or -k to keep them"),
                5,
            ),
            ErrorKind::PassedOver(why) => (why.several(), why.help(), 1),
            _ => return None,
        };
        Some(Self { what, help, apart })
    }

    /// One message for so many of them.
    fn message<'a>(self, count: usize, errors: impl Iterator<Item = &'a Error>) -> Message {
        let mut places = errors.filter_map(place);
        let (among, all) = match count > FIRST {
            true => (", among them these", Some("-v names them all")),
            false => ("", None),
        };
        let help: Vec<&str> = self.help.into_iter().chain(all).collect();
        Message {
            place: places.next(),
            more_places: places.take(FIRST - 1).collect(),
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

/// One write for all lines, so that they stay together; colours go where they are not wanted.
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
    use daisho::pak::RawName;

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
    fn an_error_that_was_told_is_remembered() {
        let messages = Messages::new(true, false, MultiProgress::new());
        messages.tell(Message::warning("odd"));
        assert_eq!(messages.exit(), Exit::Done);
        messages.failed.store(true, Ordering::Relaxed);
        assert_eq!(messages.exit(), Exit::NotAllWell);
    }
}
