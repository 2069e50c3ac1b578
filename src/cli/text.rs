//! Text that is safe for a terminal, and numbers in words.
//!
//! `crate::archive::escape` alone decides which characters are escaped.
//!
//! | for                                             | use                                      |
//! |-------------------------------------------------|------------------------------------------|
//! | a name that must stay unambiguous              | `crate::archive::escape`                |
//! | a path that must stay unambiguous              | [`path`]                                 |
//! | a sentence with names that may already be escaped   | [`scrub`], which leaves `\` as it is      |
//! | a character of content                          | [`is_plain`]                             |
//!
//! Styles go around text that is already escaped, if standard output [has colours](has_colours).

use std::fmt::Display;
use std::io;
use std::path::{MAIN_SEPARATOR, MAIN_SEPARATOR_STR, Path};
use std::sync::LazyLock;

use anstyle::{AnsiColor, Style};

use crate::archive::escape;
use crate::ops::row::escape_path;

/// A path, as it can be typed again.
pub(crate) fn path(path: &Path) -> String {
    escape_path(path).to_string()
}

/// A path that means a directory, as it can be typed again.
pub(crate) fn folder(folder: &Path) -> String {
    let shown = if folder.as_os_str().is_empty() { ".".to_owned() } else { path(folder) };
    if shown.ends_with(MAIN_SEPARATOR) { shown } else { shown + MAIN_SEPARATOR_STR }
}

/// A heading, such as an archive's path.
pub(crate) fn heading(text: &str) -> String {
    styled(Style::new().bold(), text)
}

/// Text of little weight, such as the folder before a name.
pub(crate) fn faint(text: &str) -> String {
    styled(Style::new().dimmed(), text)
}

/// A word whose colour says what it is about.
pub(crate) fn coloured(color: AnsiColor, text: &str) -> String {
    styled(color.on_default(), text)
}

fn styled(style: Style, text: &str) -> String {
    if text.is_empty() || !has_colours() {
        text.to_owned()
    } else {
        format!("{style}{text}{style:#}")
    }
}

/// Whether standard output may have colours: it is a terminal with colours, and neither the user nor the
/// environment forbids them.
pub(crate) fn has_colours() -> bool {
    static COLOURS: LazyLock<bool> = LazyLock::new(|| {
        anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
    });
    *COLOURS
}

/// Escapes everything in a sentence that could steer a terminal, line ends included.
///
/// Backslashes stay, so that names that are already escaped do not change. This is a second line of defence, for
/// words that do not come from daisho, such as those of the system's errors.
pub(crate) fn scrub(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Most of it is plain, and taken at once.
    while let Some(at) = rest.find(|c| !is_plain(c)) {
        let (plain, behind) = rest.split_at(at);
        out.push_str(plain);
        let mut behind = behind.chars();
        if let Some(c) = behind.next() {
            out.push_str(&escape(c.encode_utf8(&mut [0; 4]).as_bytes()).to_string());
        }
        rest = behind.as_str();
    }
    out.push_str(rest);
    out
}

/// Text from outside, made safe for a terminal piece by piece.
///
/// Lines stay lines, whatever line ends they have. Tabs become spaces. All other control characters are escaped,
/// and so are bytes that are not UTF-8. Backslashes stay.
#[derive(Debug, Default)]
pub(crate) struct Escaper {
    /// The first bytes of a character or a line end that is still incomplete.
    pending: Vec<u8>,
    /// The column that the text has reached.
    column: usize,
}

/// The distance between tab stops.
const TAB: usize = 8;

impl Escaper {
    /// Escapes the next piece of the text.
    pub(crate) fn escape(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        self.take(false)
    }

    /// Escapes what is left at the end of the text, and adds the end of the line.
    pub(crate) fn end(&mut self) -> String {
        let mut text = self.take(true);
        if self.column > 0 {
            self.put(&mut text, "\n");
        }
        text
    }

    fn take(&mut self, is_end: bool) -> String {
        let mut now = std::mem::take(&mut self.pending);
        if !is_end {
            self.pending = now.split_off(complete(&now));
        }
        let mut text = String::with_capacity(now.len());
        for chunk in now.utf8_chunks() {
            let mut chars = chunk.valid().chars().peekable();
            while let Some(c) = chars.next() {
                match c {
                    '\r' if chars.peek() == Some(&'\n') => {}
                    '\n' => self.put(&mut text, "\n"),
                    '\t' => self.put(&mut text, &" ".repeat(TAB - self.column % TAB)),
                    c if c == '\\' || is_plain(c) => {
                        self.put(&mut text, c.encode_utf8(&mut [0; 4]))
                    }
                    c => {
                        let escaped = escape(c.encode_utf8(&mut [0; 4]).as_bytes()).to_string();
                        self.put(&mut text, &escaped);
                    }
                }
            }
            if !chunk.invalid().is_empty() {
                self.put(&mut text, &escape(chunk.invalid()).to_string());
            }
        }
        text
    }

    fn put(&mut self, text: &mut String, part: &str) {
        *text += part;
        self.column = if part == "\n" { 0 } else { self.column + part.chars().count() };
    }
}

/// The length of what is complete: at the end of a piece of text, a character or a line end may go on in the next.
pub(crate) fn complete(piece: &[u8]) -> usize {
    let tail = piece.utf8_chunks().last();
    let tail = tail.map_or(0, |last| last.invalid().len());
    piece.len() - tail.max(usize::from(piece.ends_with(b"\r")))
}

/// A number of bytes: exact below 10,000, else rounded to one decimal of a unit.
pub(crate) fn bytes(number: u64) -> String {
    match number {
        1 => "1 byte".to_owned(),
        0..=9_999 => format!("{number} bytes"),
        10_000..=999_949 => tenths(number, 1_000, "kB"),
        999_950..=999_949_999 => tenths(number, 1_000_000, "MB"),
        _ => tenths(number, 1_000_000_000, "GB"),
    }
}

/// The sizes of a content before and after: `12 bytes, then 15 bytes`.
pub(crate) fn sizes(before: u64, after: u64) -> String {
    if before == after {
        format!("{}, the same size", bytes(after))
    } else {
        format!("{}, then {}", bytes(before), bytes(after))
    }
}

/// `1 entry`, `2 entries`.
pub(crate) fn count<N: Display + PartialEq + From<u8>>(number: N, one: &str, more: &str) -> String {
    let word = if number == N::from(1) { one } else { more };
    format!("{number} {word}")
}

/// `1 kept, 2 failed`: the numbers that are not 0, each with its word.
pub(crate) fn counts<'w, N: Display + PartialEq + From<u8>>(
    counts: impl IntoIterator<Item = (N, &'w str)>,
) -> String {
    let mut parts = Vec::new();
    for (number, word) in counts {
        if number != N::from(0) {
            parts.push(format!("{number} {word}"));
        }
    }
    parts.join(", ")
}

/// How many bytes went in, and, if known, how many came out: `1.2 MB to 3.4 MB`.
pub(crate) fn in_and_out(bytes_in: u64, bytes_out: Option<u64>) -> String {
    match bytes_out {
        Some(out) => format!("{} to {}", bytes(bytes_in), bytes(out)),
        None => bytes(bytes_in),
    }
}

fn tenths(number: u64, unit: u64, name: &str) -> String {
    let rounded = number.saturating_add(unit / 20) / (unit / 10);
    format!("{}.{} {name}", rounded / 10, rounded % 10)
}

/// A time, and the bytes per second if both numbers are large enough for a meaningful rate.
pub(crate) fn rate(bytes: u64, seconds: f64) -> String {
    if bytes < RATED || seconds < TIMED {
        return format!("{seconds:.2} s");
    }
    format!("{seconds:.2} s, {}", rate_of(bytes, seconds))
}

/// `20 MB/s`, and below ten `1.5 MB/s`.
pub(crate) fn rate_of(bytes: u64, seconds: f64) -> String {
    #[allow(clippy::cast_precision_loss)] // Two digits of it are shown.
    let rate = bytes as f64 / 1e6 / seconds;
    if rate < 9.95 { format!("{rate:.1} MB/s") } else { format!("{rate:.0} MB/s") }
}

/// A time to wait, rounded more if it is longer: `12 s`, `3 min`, `1 h 5 min`.
pub(crate) fn wait(seconds: f64) -> String {
    // A float that is too large becomes the largest number.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let seconds = seconds.ceil() as u64;
    match seconds.div_ceil(60) {
        _ if seconds < 100 => format!("{seconds} s"),
        minutes if minutes < 60 => format!("{minutes} min"),
        minutes => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

/// The fewest bytes for which a rate is shown. With fewer, most of the time goes into starting threads.
const RATED: u64 = 10_000_000;

/// The shortest time for which a rate is shown. A shorter time is itself shown as 0.00 s.
const TIMED: f64 = 0.005;

/// Whether a character can be printed without being escaped.
pub(crate) fn is_plain(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\0'..='\x7f' => false,
        _ => {
            let mut bytes = [0; 4];
            let text = c.encode_utf8(&mut bytes);
            escape(text.as_bytes()).to_string() == *text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_exact_while_they_are_few() {
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(9_999), "9999 bytes");
        assert_eq!(bytes(10_000), "10.0 kB");
        assert_eq!(bytes(999_949), "999.9 kB");
        assert_eq!(bytes(999_950), "1.0 MB");
        assert_eq!(bytes(1_950_000), "2.0 MB");
        assert_eq!(bytes(55_123_456), "55.1 MB");
        assert_eq!(bytes(4_294_967_295), "4.3 GB");
    }

    #[test]
    fn a_rate_of_next_to_nothing_is_not_shown() {
        assert_eq!(rate(RATED - 1, 0.5), "0.50 s");
        assert_eq!(rate(RATED, 0.5), "0.50 s, 20 MB/s");
        assert_eq!(rate(RATED, 0.0), "0.00 s");
        assert_eq!(rate_of(1_540_000, 1.0), "1.5 MB/s");
        assert_eq!(rate_of(9_960_000, 1.0), "10 MB/s");
        for (seconds, words) in
            [(0.2, "1 s"), (99.0, "99 s"), (99.1, "2 min"), (7201.0, "2 h 1 min")]
        {
            assert_eq!(wait(seconds), words);
        }
        assert_eq!(rate(RATED, TIMED), "0.01 s, 2000 MB/s");
    }

    #[test]
    fn a_text_is_the_same_however_it_is_cut() {
        let text = b"a\tb\r\n\\x 1234567\ty\rz \x1b[2J \xe5\x88\x80\xe5 \xff\xc2\x9b\xe2\x80\xae\n\n\r\r\n\xe5\x88";
        let expected = "a       b\n\\x 1234567      y\\x0dz \\x1b[2J \u{5200}\\xe5 \\xff\\u{9b}\\u{202e}\n\n\\x0d\n\\xe5\\x88\n";
        for size in 1..=text.len() {
            let mut escaper = Escaper::default();
            let pieces = text.chunks(size).map(|piece| escaper.escape(piece));
            let mut found: String = pieces.collect();
            found += &escaper.end();
            assert_eq!(found, expected, "{size}");
        }
    }

    #[test]
    fn sentences_keep_backslashes_and_lose_controls() {
        assert_eq!(scrub(r"a\x1b é刀"), r"a\x1b é刀");
        assert_eq!(scrub("a\x1b[2J\n\u{202e}\u{9b}"), r"a\x1b[2J\x0a\u{202e}\u{9b}");
        assert_eq!(scrub(&scrub("\x07\\")), scrub("\x07\\"));
    }
}
