//! Converts an archive, or makes a ZIP of its files.

use std::fs::File;
use std::io::Write as _;

use daisho::archive::{Coding, Extent, SafePath};
use daisho::{Archive, Entry, Error, ErrorKind, Format, Writer};
use serde_json::json;

use crate::open::engines;
use crate::report::{Report, total};

/// Runs of payloads of at least this length are not copied: the output refers to them.
const LINKED: u64 = 1 << 20;

/// How entries that cannot be written are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failed {
    /// Then no archive is made.
    Refuse,
    /// They are left out.
    LeaveOut,
    /// They are left out, and so are entries with names that no file may have.
    LeaveOutUnsafe,
}

/// Makes an archive of all entries, or of those with these numbers. Each entry that cannot be read is reported.
pub(crate) fn convert(
    report: &mut Report,
    (out, path): (&str, &str),
    format: &str,
    failed: Failed,
    indices: &[&str],
) -> Result<(), Error> {
    let archive = Archive::open(path)?;
    let Some(to) = Format::by_word(format) else {
        let kind = std::io::Error::new(std::io::ErrorKind::InvalidInput, "no such format");
        return Err(Error::from_io(kind));
    };
    let mut entries = chosen(&archive, indices);
    let all = entries.len() as u64;
    if failed == Failed::LeaveOutUnsafe {
        entries.retain(|entry| match SafePath::try_from(entry.name()) {
            Ok(_) => true,
            Err(why) => {
                report.error(&entry.locate(ErrorKind::Path(why).into()));
                false
            }
        });
    }
    let written = entries.len() as u64 - write(report, (path, out), &entries, to)?;
    let missing = all - written;
    if written == 0 || missing > 0 && failed == Failed::Refuse {
        report.say(&json!({ "failed": missing, "left": written }));
        return Ok(());
    }
    let made = Archive::open(out)?;
    report.say(&json!({
        "out": out,
        "extension": to.spec().extension(),
        "left": written,
        "failed": missing,
        "engines": engines(&made),
    }));
    Ok(())
}

/// The entries with these numbers, or all if there are no numbers.
fn chosen<'a>(archive: &'a Archive, indices: &[&str]) -> Vec<Entry<'a>> {
    if indices.is_empty() {
        return archive.entries().collect();
    }
    let numbers = indices.iter().filter_map(|index| index.parse().ok());
    numbers.filter_map(|index| archive.entry(index)).collect()
}

/// Writes an archive of these entries of `path` to `out`, and reports each entry that cannot be read. Returns how
/// many cannot be read.
fn write(
    report: &mut Report,
    (path, out): (&str, &str),
    entries: &[Entry<'_>],
    to: Format,
) -> Result<u64, Error> {
    let file = File::create(out).map_err(Error::from_io)?;
    let mut writer = Writer::new(file, to)?;
    let mut link = Link {
        path,
        out,
        from: Extent::default(),
        place: 0,
    };
    let all = total(entries.iter().map(Entry::size));
    let (mut done, mut failed) = (0_u64, 0_u64);
    for (entry, is_linked) in entries.iter().zip(linked(entries, to)) {
        report.progress(done, all);
        let mut part = None;
        let mut note = |_: &mut File, extent, to| {
            part = Some((extent, to));
            Ok(())
        };
        let added = if is_linked {
            writer.add_entry_with(entry, &mut note)
        } else {
            link.flush(report);
            writer.add_entry(entry)
        };
        if let Err(error) = added {
            report.error(&error);
            failed += 1;
        } else if let Some((extent, to)) = part {
            link.add(report, extent, to);
        }
        done = done.saturating_add(entry.size());
    }
    link.flush(report);
    if failed < entries.len() as u64 {
        writer.finish()?.flush().map_err(Error::from_io)?;
    }
    Ok(failed)
}

/// For each entry, whether it belongs to a long run of adjacent payloads that are copied unchanged.
fn linked(entries: &[Entry<'_>], to: Format) -> Vec<bool> {
    let mut linked = vec![false; entries.len()];
    if !cfg!(target_os = "wasi") {
        return linked; // outside of the page nobody resolves links
    }
    let part = |entry: &Entry<'_>| {
        let passes = to.coding_for(entry.name()) == entry.coding() && !entry.is_file();
        entry.extent().filter(|_| passes)
    };
    let parts: Vec<Option<Extent>> = entries.iter().map(part).collect();
    let has_headers = to.spec().coding == Some(Coding::Deflate); // a ZIP, one before each payload
    let goes_on = |a: &Option<Extent>, b: &Option<Extent>| match (a, b) {
        (Some(a), Some(b)) => a.end() == b.offset && !has_headers,
        _ => false,
    };
    let mut rest = linked.as_mut_slice();
    for run in parts.chunk_by(goes_on) {
        let (here, behind) = rest.split_at_mut(run.len());
        let len = total(run.iter().flatten().map(|extent| extent.len));
        here.fill(len >= LINKED);
        rest = behind;
    }
    linked
}

/// A run of payloads that is not copied: the output refers to this part of the dropped file.
struct Link<'a> {
    path: &'a str,
    out: &'a str,
    from: Extent,
    /// Its offset in the output.
    place: u64,
}

impl Link<'_> {
    /// Adds a payload to the run, or begins a new run with it.
    fn add(&mut self, report: &mut Report, from: Extent, place: u64) {
        if from.offset == self.from.end() && place == self.place + self.from.len {
            self.from.len += from.len;
            return;
        }
        self.flush(report);
        (self.from, self.place) = (from, place);
    }

    /// Tells the page of the run, and begins an empty one.
    fn flush(&mut self, report: &mut Report) {
        let from = std::mem::take(&mut self.from);
        if from.len > 0 {
            report.say(&json!({ "link": {
                "from": self.path, "at": from.offset, "length": from.len, "to": self.out, "place": self.place,
            } }));
        }
    }
}
