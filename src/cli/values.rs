//! The values of arguments: the words and numbers that are accepted, and what they mean.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use daisho::Format;
use daisho::codec::Reserved;
use daisho::engine::{Engine, Engines};

/// The most threads that `-j` accepts: far more than any machine needs, but far fewer than a system refuses to
/// start.
const JOBS_MAX: usize = 1024;

/// Parses a number of threads, from `-j` or from the environment.
pub(crate) fn parse_jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse::<NonZeroUsize>()
        .ok()
        .filter(|jobs| jobs.get() <= JOBS_MAX)
        .ok_or_else(|| format!("expected a number from 1 to {JOBS_MAX}"))
}

/// Whether a path means standard input or output. A file named `-` can be given as `./-`.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Parses a number, with an error that a user understands.
pub(crate) fn number<T: core::str::FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "expected a number, such as 100")
}

/// When to do things that are meant for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Where it is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Parses the name of a format that is written.
pub(crate) fn written_format() -> impl TypedValueParser<Value = Format> {
    let written = Format::ALL.into_iter().filter(|it| it.spec().is_written());
    let word = |it: Format| PossibleValue::new(it.as_str()).help(it.spec().about);
    let words = PossibleValuesParser::new(written.map(word));
    words.try_map(|word| Format::by_word(&word).ok_or("no such format"))
}

/// Parses the name of a format, or `auto`.
pub(crate) fn format_or_auto() -> impl TypedValueParser<Value = FormatOrAuto> {
    let auto = PossibleValue::new(AUTO).help("Detect it");
    let word = |it: Format| PossibleValue::new(it.as_str()).help(it.spec().about);
    let words = core::iter::once(auto).chain(Format::ALL.map(word));
    PossibleValuesParser::new(words).map(|word| FormatOrAuto(Format::by_word(&word)))
}

/// The value for a format that is detected.
pub(super) const AUTO: &str = "auto";

/// A format, or `None` to detect it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormatOrAuto(pub(crate) Option<Format>);

/// How to read the reserved byte.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ReservedOrAuto {
    /// Find out from the pak's streams
    Auto,
    /// As the game does: skip it
    Skip,
    /// As one packer does: copy 64 bytes, from the distance that follows
    Copy,
    /// It is damage
    Error,
}

impl ReservedOrAuto {
    /// The reading, or `None` to find it out from the pak's streams.
    pub(crate) const fn reserved(self) -> Option<Reserved> {
        match self {
            Self::Auto => None,
            Self::Skip => Some(Reserved::Skip),
            Self::Copy => Some(Reserved::Copy),
            Self::Error => Some(Reserved::Error),
        }
    }
}

/// Parses the name of an engine.
pub(crate) fn engine() -> impl TypedValueParser<Value = Engine> {
    let names = PossibleValuesParser::new(Engine::ALL.map(Engine::name));
    names.try_map(|name| Engine::by_name(&name).ok_or("no such engine"))
}

/// Parses the word for one engine or several.
pub(crate) fn engines() -> impl TypedValueParser<Value = Engines> {
    let words = PossibleValuesParser::new(Engines::words());
    words.try_map(|word| Engines::by_word(&word).ok_or("no such engine"))
}

/// Parses a number of entries.
pub(crate) fn parse_count(text: &str) -> Result<NonZeroU64, String> {
    let expected = "give a number of at least 1, such as 2048";
    text.parse().map_err(|_| expected.to_owned())
}

/// Parses a number of bytes: `700K`, `1.5M`, `1MiB`, and `1MB`, which is a million.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let end = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = unit.to_ascii_lowercase();
    let power = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" if matches!(unit.as_str(), "" | "b") => Some(0),
        "k" => Some(1),
        "m" => Some(2),
        "g" => Some(3),
        _ => None,
    };
    let base: u64 = match unit.get(1..) {
        Some("b") => 1000,
        Some("" | "ib") | None => 1024,
        _ => 0,
    };
    let size = power.filter(|_| base > 0).and_then(|power| {
        let scale = base.checked_pow(power)?;
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        // Nine digits of a part say more than any unit can show.
        if !is_number(whole) || !is_number(part) || part.len() > 9 {
            return None;
        }
        let part = part.parse::<u64>().ok()?.checked_mul(scale)?
            / 10_u64.pow(u32::try_from(part.len()).ok()?);
        whole
            .parse::<u64>()
            .ok()?
            .checked_mul(scale)?
            .checked_add(part)
    });
    size.filter(|size| *size > 0).ok_or_else(|| {
        "give a number of bytes, such as 2000000000, 650M, 1.5G, 700MiB (1 KiB = 1024 bytes) or 700MB (1 kB = 1000 bytes)".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_with_a_unit_or_without() {
        for (text, size) in [
            ("1", 1),
            ("700K", 700 << 10),
            ("650m", 650 << 20),
            ("2G", 2 << 30),
            ("1.5M", 3 << 19),
            ("1.5g", 3 << 29),
            ("0.5K", 512),
            ("1MB", 1_000_000),
            ("1.25mb", 1_250_000),
            ("1MiB", 1 << 20),
            ("1GiB", 1 << 30),
            ("7B", 7),
            ("17179869183G", 17_179_869_183 << 30),
        ] {
            assert_eq!(parse_size(text), Ok(size));
        }
        for text in [
            "",
            "0",
            "K",
            "-1",
            "+1",
            "1T",
            "1Ki",
            "1KBB",
            "1Kib2",
            "iB",
            ".5G",
            "1.G",
            "1..5G",
            "1.5.5G",
            "0.0000000001G",
            "1.1x",
            " 1",
            "1 K",
            "17179869184G",
            "0x10",
            "1é",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
