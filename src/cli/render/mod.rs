//! Rows, shown: as JSON, or as text that is made for each kind of row.
//!
//! A verb with rows runs its operation through [`report`], which shows each row as soon as it arrives. Errors and
//! warnings go to standard error, grouped by kind.

pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod show;
pub(crate) mod written;

use std::collections::HashSet;
use std::io::{self, Write};

use daisho::ops::finding::Finding;
use daisho::ops::row::{Row, Summary};
use daisho::ops::{Context, Refusal};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use super::exit::{self, Exit};
use super::global::Global;
use super::messages::Refused;
use super::output::{self, DataKind, Stdout};
use super::text;

/// Where a verb prints its report, which has a line for each archive and a summary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Channel<'g> {
    pub(crate) global: &'g Global,
    /// Whether the report goes to standard output. It does if the verb only looks or plans, because then the report is
    /// its result. It does not if rows of JSON go there. Otherwise it goes to standard error.
    is_result: bool,
}

impl<'g> Channel<'g> {
    /// The channel of a verb. `is_result` if the verb only looks or plans, so that the report is its result.
    pub(crate) const fn new(is_result: bool, global: &'g Global) -> Self {
        Self {
            global,
            is_result: is_result && !global.json,
        }
    }

    /// Prints a line while rows arrive. With `-q` it prints nothing. Names in the line must already be escaped.
    pub(crate) fn print(self, out: &mut Stdout, line: &str) -> io::Result<()> {
        if !self.is_result {
            self.global.messages.line(line);
        } else if !self.global.messages.quiet {
            writeln!(out, "{line}")?;
            // The next archive can take a minute.
            out.flush()?;
        }
        Ok(())
    }

    /// Prints the last line, after all rows and messages.
    pub(crate) fn print_last(self, line: &str) {
        self.global.messages.flush();
        output::write(self.global, DataKind::Text, |out| self.print(out, line));
    }
}

/// What an operation does. This decides how its progress is shown, and how a signal or a closed pipe ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// It only looks. A signal ends it immediately, and no progress is shown.
    Looks,
    /// It decodes everything. After a signal, it reports what it knows so far.
    Decodes,
    /// It writes files, and goes on if nobody reads its rows any more.
    Writes,
    /// It writes files like [`Writes`](Self::Writes), and its bytes are counted. With many tiny files, counting
    /// slows all threads a little.
    WritesTimed,
}

/// Runs an operation, and shows its rows as text or JSON. Returns what was done, and for [`Action::WritesTimed`] how
/// long it took and the bytes per second.
///
/// `text` shows each row. It is called if there is no JSON, or if the operation writes. Findings have been reported
/// before.
pub(crate) fn report(
    global: &Global,
    work: Action,
    mut text: impl FnMut(&mut Stdout, Row) -> io::Result<()>,
    operation: impl FnOnce(&Context<'_>, &mut dyn FnMut(Row)) -> Result<Summary, Refusal>,
) -> Result<(Summary, String), Refused> {
    let mut ended = (Ok(Summary::default()), String::new());
    let writes = matches!(work, Action::Writes | Action::WritesTimed);
    let show = |out: &mut Stdout| {
        let mut written = Ok(());
        let mut take = |row: Row| {
            let findings = row.findings();
            // With -v they are printed at once, after the rows before this one.
            if !findings.is_empty() && global.messages.verbose && written.is_ok() {
                written = out.flush();
            }
            global.messages.findings(findings);
            if written.is_ok() {
                written = show_row(global, out, row, writes, &mut text);
            }
            if written.is_err() && !writes {
                exit::CANCEL.set();
            }
        };
        ended = match work {
            Action::Looks => (operation(&global.context(), &mut take), String::new()),
            _ => global.observe(work == Action::WritesTimed, |context| {
                operation(context, &mut take)
            }),
        };
        if let Ok(summary) = &ended.0
            && written.is_ok()
        {
            worsen_exit(summary, writes, global);
        }
        written
    };
    // If nobody takes the rows, the exit status already says so.
    match work {
        Action::Looks => output::write(global, DataKind::Text, show),
        _ => output::write_beside(global, DataKind::Text, show),
    };
    let (ended, rate) = ended;
    Ok((ended?, rate))
}

/// Reports why a verb did nothing.
pub(crate) fn show_refusal(refused: &Refused, global: &Global) {
    global.messages.refusal(refused);
    if let Refused::Operation(refusal) = refused {
        show_inputs(&refusal.0, global);
    }
}

/// Shows each input that could not be read, or only in part, as an object of JSON. The worst error about an input
/// stands for it.
pub(crate) fn show_inputs(findings: &[Finding], global: &Global) {
    if !global.json {
        return;
    }
    // Errors about a whole archive count more than one about its directory.
    let mut unread = HashSet::new();
    for finding in findings {
        unread.extend(finding.input().filter(|(_, status)| *status == "unread"));
    }
    let mut shown = HashSet::new();
    output::write(global, DataKind::Text, |out| {
        for finding in findings {
            let Some((path, status)) = finding.input() else {
                continue;
            };
            let is_worst = status == "unread" || !unread.contains(&(path, "unread"));
            if is_worst && shown.insert(path) {
                json_line(out, finding)?;
            }
        }
        Ok(())
    });
}

/// Shows a row as JSON or as text. A verb that writes shows text on standard error in addition to its JSON.
fn show_row(
    global: &Global,
    out: &mut Stdout,
    row: Row,
    writes: bool,
    text: &mut impl FnMut(&mut Stdout, Row) -> io::Result<()>,
) -> io::Result<()> {
    if global.json {
        // The row of a page is about no input.
        let pages = row
            .findings()
            .iter()
            .filter(|_| matches!(row, Row::Page(_)));
        for finding in pages.filter(|finding| finding.input().is_some()) {
            json_line(out, finding)?;
        }
    }
    if global.json && row.has_json() {
        json_line(out, &row)?;
        if !writes {
            return Ok(());
        }
    }
    text(out, row)
}

/// Worsens the exit status if an operation that was not refused has failed in part. One that only looks needs at least
/// one archive.
fn worsen_exit(summary: &Summary, may_be_empty: bool, global: &Global) {
    if summary.archives == 0 && !may_be_empty && exit::caught().is_none() {
        global.messages.worsen(Exit::Refused);
    }
    if summary.failed > 0 {
        global.messages.worsen(Exit::NotAllWell);
    }
}

/// Writes a row as a line of JSON: one object, safe for a terminal.
///
/// JSON itself escapes only characters below U+0020. Everything else that could steer a terminal is written as
/// `\uXXXX` here: a parser reads the original character, and a terminal shows plain text.
pub(crate) fn json_line(out: &mut impl Write, row: &impl Serialize) -> io::Result<()> {
    // A serializer writes a few bytes at a time.
    let mut line = Vec::with_capacity(256);
    row.serialize(&mut serde_json::Serializer::with_formatter(&mut line, Safe))?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Compact JSON in which every character that is not plain is escaped.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Fields and most names.
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return CompactFormatter.write_string_fragment(writer, fragment);
        }
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| !text::is_plain(*c)) {
            let (plain, from) = rest.split_at(at);
            CompactFormatter.write_string_fragment(writer, plain)?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = from.get(c.len_utf8()..).unwrap_or_default();
        }
        CompactFormatter.write_string_fragment(writer, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str) -> String {
        let mut out = Vec::new();
        json_line(&mut out, &serde_json::json!({ "name": name })).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_row_is_a_line_and_a_parser_reads_the_name_back() {
        let hostile = "a\\\"\x1b\n\x7f\u{9b}\u{202e}é刀\u{e0001}";
        let line = written(hostile);
        let inside = line.strip_suffix('\n').unwrap();
        assert!(
            inside.chars().all(|c| c == '\\' || text::is_plain(c)),
            "{line}"
        );
        let value: serde_json::Value = serde_json::from_str(inside).unwrap();
        assert_eq!(value["name"], hostile);
    }
}
