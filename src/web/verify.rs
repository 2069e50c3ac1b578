//! Everything decoded, and compared with a snapshot.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};

use daisho::Error;
use daisho::archive::Place;
use daisho::archive::escape;
use daisho::ops::snapshot::{Hash, Line, Snapshot, SnapshotDifference, SnapshotError, State, Sum};
use daisho::{Archive, Entry};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::look::read;
use crate::report::{self, Report, place};

/// Decodes every entry, reports what is damaged or odd, writes the snapshot, and says what differs from an
/// old one. That holds CRC-32 or SHA-256, and so does the new one.
pub(crate) fn verify(
    report: &mut Report,
    out: &str,
    path: &str,
    old: Option<&str>,
) -> Result<(), Error> {
    let old = old.map(recorded).transpose()?;
    let hash = old.as_ref().and_then(Snapshot::hash).unwrap_or_default();
    let archive = Archive::open(path)?;
    let all = archive.entries().map(|entry| entry.size()).sum();
    let (mut lines, mut done, mut damaged, mut odd) = (Vec::new(), 0, 0_u64, 0_u64);
    for entry in &archive {
        let before = done;
        let mut progress = |more| {
            done += more;
            report.progress(done, all);
        };
        let state = match decode(&entry, hash, &mut progress) {
            Ok((sum, warnings)) => {
                odd += u64::from(!warnings.is_empty());
                for warning in &warnings {
                    report.say(warning);
                }
                State::Sum(sum)
            }
            Err(error) => {
                report.error(&error);
                damaged += 1;
                State::Damaged
            }
        };
        done = before + entry.size();
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
    read.map_err(|error| Error::from_io(error).in_pak(path))
}

/// The checksum of a content, and the warnings about its stream.
fn decode(
    entry: &Entry<'_>,
    hash: Hash,
    progress: &mut dyn FnMut(u64),
) -> Result<(Sum, Vec<Value>), Error> {
    let (mut crc32, mut sha256) = (crc32fast::Hasher::new(), Sha256::new());
    let reader = read(entry, |piece| {
        match hash {
            Hash::Crc32 => crc32.update(piece),
            Hash::Sha256 => sha256.update(piece),
        }
        progress(piece.len() as u64);
        Ok(())
    })?;
    let start = entry.extent().map_or(0, |extent| extent.offset);
    let odd = reader.warnings().map(|warning| {
        let offset = Some(start.saturating_add(warning.at()));
        let place = Place {
            offset,
            ..place(entry)
        };
        report::warning(warning, &place)
    });
    let sum = match hash {
        Hash::Crc32 => Sum::Crc32(crc32.finalize()),
        Hash::Sha256 => Sum::Sha256(sha256.finalize().into()),
    };
    Ok((sum, odd.collect()))
}

fn difference(it: &SnapshotDifference) -> Value {
    let from = it.former_name().map(|name| escape(name).to_string());
    json!({ "change": it.change.as_str(), "name": escape(it.name()).to_string(), "from": from })
}
