//! Decodes all entries, and compares them with a snapshot.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};

use daisho::archive::{DecodedReader, Place, escape};
use daisho::ops::catalogue::{Line, Snapshot, SnapshotDifference, SnapshotError, State, Summer};
use daisho::{Archive, Entry, Error, ErrorKind};
use serde_json::{Value, json};

use crate::look::read;
use crate::report::{self, Report, place, total};

/// Decodes every entry, reports damage and warnings, writes a snapshot, and reports the differences from the old
/// one. The new snapshot has the same kind of checksum as the old one.
pub(crate) fn verify(
    report: &mut Report,
    out: &str,
    path: &str,
    old: Option<&str>,
) -> Result<(), Error> {
    let old = old.map(recorded).transpose()?;
    let hash = old.as_ref().and_then(Snapshot::hash).unwrap_or_default();
    let archive = Archive::open(path)?;
    let all = total(archive.entries().map(|entry| entry.size()));
    let (mut lines, mut done, mut odd) = (Vec::new(), 0_u64, 0_u64);
    let (mut damaged, mut unsupported) = (0_u64, 0_u64);
    for entry in archive.entries() {
        let (mut sums, before) = (Summer::new(&[hash]), done);
        let decoded = read(&entry, |piece| {
            sums.update(piece);
            done = done.saturating_add(piece.len() as u64);
            report.progress(done, all);
            Ok(())
        });
        let state = match decoded {
            Ok(reader) => {
                odd += u64::from(warn(report, &entry, &reader));
                sums.finish().by(hash).map_or(State::Damaged, State::Sum)
            }
            Err(error) => {
                report.error(&error);
                if matches!(error.kind(), ErrorKind::Flawed(flaw) if flaw.is_unsupported()) {
                    unsupported += 1;
                    State::Unsupported
                } else {
                    damaged += 1;
                    State::Damaged
                }
            }
        };
        done = before.saturating_add(entry.size());
        lines.push(Line {
            state,
            size: entry.size(),
            name: entry.name().as_bytes().to_vec(),
        });
    }
    let entries = lines.len();
    let new: Snapshot = lines.into_iter().collect();
    let mut file = BufWriter::new(File::create(out).map_err(Error::from_io)?);
    for line in new.lines() {
        writeln!(file, "{line}").map_err(Error::from_io)?;
    }
    file.flush().map_err(Error::from_io)?;
    let differences = old.map(|old| old.compare(&new));
    report.say(&json!({
        "out": out,
        "entries": entries,
        "bytes": all,
        "damaged": damaged,
        "unsupported": unsupported,
        "odd": odd,
        "differences": differences.map(|all| all.iter().map(difference).collect::<Vec<_>>()),
    }));
    Ok(())
}

/// Reads a snapshot.
fn recorded(path: &str) -> Result<Snapshot, Error> {
    let file = File::open(path).map_err(Error::from_io)?;
    let read = Snapshot::read(BufReader::new(file)).map_err(|error| match error {
        SnapshotError::Io(error) => error,
        bad_line => io::Error::other(bad_line),
    });
    read.map_err(|error| Error::from_io(error).at_path(path))
}

/// Reports the warnings about a content's stream, and returns whether there are any.
fn warn(report: &mut Report, entry: &Entry<'_>, reader: &DecodedReader<'_>) -> bool {
    let start = entry.extent().map_or(0, |extent| extent.offset);
    let mut is_odd = false;
    for warning in reader.warnings() {
        let place = Place {
            offset: Some(start.saturating_add(warning.at())),
            ..place(entry)
        };
        report.say(&report::warning(warning, &place));
        is_odd = true;
    }
    is_odd
}

fn difference(it: &SnapshotDifference) -> Value {
    let from = it.former_name().map(|name| escape(name).to_string());
    json!({ "change": it.change.since_snapshot(), "name": escape(it.name()).to_string(), "from": from })
}
