//! `verify`: decodes everything in paks, and compares it with a snapshot.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use daisho::archive::escape;
use daisho::ops::context::Refusal;
use daisho::ops::read::snapshot::{Hash, SnapshotChange, SnapshotDifference, SnapshotOptions};
use daisho::ops::read::verify::{VerifyOptions, verify};
use daisho::ops::row::{Recorded, RecordedRow, Row, Summary};

use crate::cli::args::{ExpansionArgs, GlobArgs, InputArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::{signals, text};

/// Decode everything in paks, and compare it with a snapshot
///
/// Every entry is read and decompressed as a conversion would; each damage is reported with its
/// entry and byte, and makes the exit status 1.
///
/// It never writes anything but the snapshot, and that only where --update says so.
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY, override_usage = "daisho verify [OPTIONS] PATH... [NAME|GLOB]...")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
    /// Compare the contents with this file, which --update makes
    ///
    /// What differs is printed, and makes the exit status 1. A file that is missing is an error: else a
    /// wrong name, or a snapshot that is lost, would look like a success.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "The snapshot")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Make the snapshot, or renew it
    ///
    /// Neither is done where an input could not be read.
    #[arg(long, requires = "snapshot", help_heading = "The snapshot")]
    pub(crate) update: bool,
    /// What a new snapshot holds of each content [default: crc32]
    ///
    /// crc32 shows what disks and programs do to files; sha256 also what somebody does who wants it to
    /// stay unseen, at the cost of the time that it takes. What a snapshot holds that is there shows by
    /// itself, and another kind is refused. With --json it is a field.
    #[arg(long, value_name = "HASH", value_parser = hash(), help_heading = "The snapshot")]
    pub(crate) hash: Option<Hash>,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

/// Parses the word for a hash.
fn hash() -> impl TypedValueParser<Value = Hash> {
    let words = PossibleValuesParser::new(Hash::ALL.map(Hash::as_str));
    let found = |word: String| Hash::ALL.into_iter().find(|hash| hash.as_str() == word);
    words.try_map(move |word| found(word).ok_or("no such hash"))
}

const VERIFY: &str = "\
Rules:
  A snapshot has a line for each entry, sorted by name: CRC-32 or SHA-256, size, and escaped name;
  'damaged' replaces the checksum of an entry that cannot be decoded. It records contents, not
  layout: a Daikatana pak and its conversion match the same snapshot. With several archives each
  name begins with the archive's path, relative to the directory that was searched.
  Differences are missing, new, changed, or renamed (the same content under another name).
  With names, -i or -x only matching entries are compared or renewed. A file that is no snapshot
  is never replaced.

JSON fields:
  pak, index, name, size, crc32, status (ok, warning, damaged), problem, sha256 (with --hash
  sha256). For an archive that could not be read: pak, status (unread), problem. For a difference
  from the snapshot: snapshot, pak, name, change (missing, changed, renamed, new), from (the former
  name). name_hex is added if a name is not UTF-8. Fields are only ever added.

Examples:
  daisho verify pak0.pak maps/                   only this folder
  daisho verify -r games/                        every pak below a directory
  daisho verify pak1.pak --snapshot pak1.txt --update   remember what is in it
  daisho verify quake1.pak --snapshot pak1.txt          prove that the conversion lost nothing
  daisho verify -r games/ --snapshot games.txt --update --hash sha256
  daisho verify -r games/ --json | jq -c 'select(.status != \"ok\")'
                                                 only what is damaged or odd";

pub(super) fn run(mut args: VerifyArgs, global: &Global) -> Result<Exit, Refusal> {
    let selection = args.inputs.selection(&args.globs, &global.context())?;
    let update = args.update;
    let options = VerifyOptions {
        search: args.inputs.search(),
        selection,
        snapshot: args.snapshot.map(|path| SnapshotOptions { path, update }),
        hash: args.hash,
        checksums: args.json,
        max_expansion: args.expansion.max_expansion,
    };
    let paths = &args.inputs.paths;
    let several = args.inputs.is_several();
    let mut differences = Vec::new();
    let (exit, summary) = report(
        global,
        Style::new(args.json, Work::Decodes),
        |out, row| match row {
            Row::Archive(row) if several => {
                if signals::caught().is_none() {
                    let path = text::path(&row.archive);
                    global
                        .messages
                        .line(&format!("{path}: {}", verdict(&row.counts)));
                }
                Ok(())
            }
            Row::Snapshot(row) => {
                differences.push(row.difference);
                Ok(())
            }
            Row::Recorded(row) => {
                show_differences(out, &differences)?;
                out.flush()?;
                tell_recorded(&row, global);
                Ok(())
            }
            _ => Ok(()),
        },
        |rows| global.observe(|context| verify(context, paths, &options, rows)),
    );
    if let Some(summary) = summary.filter(|it| it.archives > 0 && signals::caught().is_none()) {
        let paks = match several {
            true => format!("{}, ", text::count(summary.archives, "pak", "paks")),
            false => String::new(),
        };
        let unread = match summary.unread {
            0 => String::new(),
            unread => format!("; {} not read", text::count(unread, "input", "inputs")),
        };
        let line = format!("{paks}{}{unread}", verdict(&summary));
        global.messages.note(&line);
    }
    Ok(exit)
}

/// A summary: `3 entries, 1 damaged, 20 bytes sound`.
fn verdict(counts: &Summary) -> String {
    let entries = text::count(counts.entries, "entry", "entries");
    let bytes = text::bytes(counts.bytes_out);
    let mut words = match (counts.failed, counts.cut) {
        (0, 0) => format!("{entries}, {bytes}, all sound"),
        (0, _) => format!("{entries}, {bytes} sound"),
        (damaged, _) => format!("{entries}, {damaged} damaged, {bytes} sound"),
    };
    if counts.warnings > 0 {
        words += &format!(", {}", text::count(counts.warnings, "warning", "warnings"));
    }
    if counts.cut > 0 {
        let cut = text::count(counts.cut, "directory", "directories");
        words += &format!("; {cut} cut off");
    }
    words
}

/// Says what became of the snapshot.
fn tell_recorded(row: &RecordedRow, global: &Global) {
    let place = text::path(&row.snapshot);
    let mut counts = Vec::new();
    for (change, count) in SnapshotChange::ALL.iter().zip(row.differences) {
        if count > 0 {
            counts.push(format!("{count} {}", change.as_str()));
        }
    }
    let counts = counts.join(", ");
    let words = match row.outcome {
        Recorded::Made(lines) => {
            let lines = text::count(lines, "entry", "entries");
            format!("made, with {lines}; nothing was compared")
        }
        Recorded::Compared if counts.is_empty() => "nothing differs".to_owned(),
        Recorded::Renewed if counts.is_empty() => {
            "nothing differs, and nothing was renewed".to_owned()
        }
        Recorded::Renewed => format!("renewed; {counts}"),
        Recorded::Compared => {
            let error = Message::error(format!("not what the snapshot says: {counts}"));
            let help = "give --update to renew it, if this is how it should be";
            global.messages.tell(error.place(place).help(help));
            return;
        }
    };
    global.messages.note(&format!("{place}: {words}"));
}

/// A heading for each archive, where there are several, and below it a line for each entry.
fn show_differences(out: &mut Output, differences: &[SnapshotDifference]) -> io::Result<()> {
    for group in differences.chunk_by(|a, b| a.archive == b.archive) {
        let archive = group.first().map_or(&[][..], |first| &first.archive);
        let indent = if archive.is_empty() { "" } else { "  " };
        if !archive.is_empty() {
            writeln!(out, "{}:", escape(archive))?;
        }
        for difference in group {
            writeln!(out, "{indent}{}", words(difference))?;
        }
    }
    Ok(())
}

/// `changed  NAME: 3 bytes, then 5`
fn words(difference: &SnapshotDifference) -> String {
    let change = difference.change.as_str();
    let name = escape(difference.name());
    let name = match difference.former_name() {
        Some(former) => format!("{} -> {name}", escape(former)),
        None => name.to_string(),
    };
    let line = [&difference.before, &difference.after].map(Option::as_ref);
    let what = match line {
        [Some(before), Some(after)] if before.sum.is_none() && after.sum.is_some() => {
            format!("it was damaged, and is sound, {}", text::bytes(after.size))
        }
        [Some(_), Some(after)] if after.sum.is_none() => "it is damaged".to_owned(),
        [Some(before), Some(after)] => text::sizes(before.size, after.size),
        [one, other] => text::bytes(one.or(other).map_or(0, |line| line.size)),
    };
    format!("{change:<7}  {name}: {what}")
}
