//! Engines, limits and names: the options that `convert` and `create` share.

use std::num::NonZeroU64;
use std::path::Path;

use clap::Args;
use daisho::Format;
use daisho::engine::Engine;
use daisho::ops::write::Rules;

use super::shared::engine;

/// What outputs have to keep to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engines, limits, names")]
pub(crate) struct RuleArgs {
    /// Write for this engine: in its layout, and split where it must be
    ///
    /// Its limits hold, its rules say which names are one, and the parts of a split get names that it
    /// loads, the later one after the earlier; where its numbers have no room, it is refused. Names
    /// that it never finds, or only as they are spelled, are reported. 'daisho info' says which
    /// engines load a pak.
    #[arg(long, value_name = "ENGINE", value_parser = engine())]
    pub(crate) engine: Option<Engine>,
    /// Split what would be longer than this, the whole file counted
    ///
    /// In bytes, or with K, M or G after the number for 1024, 1024 x 1024 or 1024 x 1024 x 1024 of
    /// them. To Daikatana's layout the sizes of stored files are counted, because what compression
    /// saves is known too late: parts can be smaller than they might be.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_size: Option<u64>,
    /// Split what would have more entries than this
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub(crate) max_entries: Option<NonZeroU64>,
    /// Deflate at this level, 0 to 9, into a ZIP
    ///
    /// 0 stores every file, 9 takes the longest. Without it, payloads of ZIPs that are sound pass on as
    /// they are, and the others are deflated at level 6; with it all of them are deflated anew.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=9), help_heading = None)]
    pub(crate) level: Option<u8>,
    /// Write names in lower case, and '/' for '\', as most games ask for them
    ///
    /// An engine to which case matters finds a name only as it is spelled: leave the names of a game
    /// or mod alone that asks for them so, such as progs/Player.mdl. Entries whose names become the
    /// same are reported, and all of them stay; but of what an engine serves, one is taken.
    #[arg(long)]
    pub(crate) lowercase: bool,
}

impl RuleArgs {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            engine: self.engine,
            max_entries: self.max_entries,
            max_size: self.max_size,
        }
    }

    /// The layout to write: that of `--to`, or the engine's, or what the output's extension says, or
    /// Quake's.
    pub(crate) fn layout(&self, to: Option<Format>, output: Option<&Path>) -> Format {
        let engine = self.engine.map(|engine| engine.profile().layout);
        let named = || Format::of_extension(output?.extension()?.to_str()?).next();
        to.or(engine).or_else(named).unwrap_or(Format::Quake)
    }
}

/// Parses a number of entries.
fn parse_count(text: &str) -> Result<NonZeroU64, String> {
    let expected = "a pak has at least one entry: give a number from 1 on, such as 2048";
    text.parse().map_err(|_| expected.to_owned())
}

/// Parses a number of bytes.
fn parse_size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.strip_suffix(|c: char| c.is_ascii_alphabetic()) {
        Some(digits) => (digits, text.get(digits.len()..).unwrap_or_default()),
        None => (text, ""),
    };
    let shift = match unit {
        "" => Some(0),
        "K" | "k" => Some(10),
        "M" | "m" => Some(20),
        "G" | "g" => Some(30),
        _ => None,
    };
    let size = shift.and_then(|shift| digits.parse::<u64>().ok()?.checked_mul(1 << shift));
    size.filter(|size| *size > 0 && digits.starts_with(|c: char| c.is_ascii_digit()))
        .ok_or_else(|| "expected a number of bytes, such as 650M or 2000000000".to_owned())
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
            "1KB",
            "1T",
            "1.5G",
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
