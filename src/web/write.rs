//! Archives made of an archive: its conversion, and its files as a ZIP.

use std::fs::File;
use std::io::Write as _;

use daisho::archive::error::{Error, ErrorKind};
use daisho::archive::{Coding, Extent, SafePath};
use daisho::format::coding_for;
use daisho::{Archive, Entry, Format, Writer};
use serde_json::json;

use crate::look::output;
use crate::open::engines;
use crate::report::{Report, locate};

/// From which length on a run of payloads is referred to, and not copied.
const LINKED: u64 = 1 << 20;

/// Converts an archive. Entries that cannot be read are left out where `keep_going` says so, else each is
/// named and nothing is made.
pub(crate) fn convert(
    report: &mut Report,
    out: &str,
    path: &str,
    format: &str,
    keep_going: bool,
) -> Result<(), Error> {
    let archive = Archive::open(path)?;
    let Some(to) = Format::by_word(format) else {
        let kind = std::io::Error::new(std::io::ErrorKind::InvalidInput, "no such format");
        return Err(Error::from_io(kind));
    };
    let entries: Vec<Entry<'_>> = archive.entries().collect();
    let failed = write(report, (path, out), &entries, to)?;
    let left = entries.len() as u64 - failed;
    if left == 0 || failed > 0 && !keep_going {
        report.say(&json!({ "failed": failed, "left": left }));
        return Ok(());
    }
    let made = Archive::open(out)?;
    report.say(&json!({
        "out": out,
        "format": to.as_str(),
        "extension": to.spec().extension(),
        "entries": left,
        "failed": failed,
        "length": made.file_len(),
        "engines": engines(&made),
    }));
    Ok(())
}

/// Puts the files of an archive into a ZIP: those of these numbers, or all. Names that no file may have are
/// left out, and reported.
pub(crate) fn zip(
    report: &mut Report,
    out: &str,
    path: &str,
    indices: &[&str],
) -> Result<(), Error> {
    let archive = Archive::open(path)?;
    let chosen = indices.iter().filter_map(|index| index.parse().ok());
    let mut entries: Vec<Entry<'_>> = match indices {
        [] => archive.entries().collect(),
        _ => chosen.filter_map(|index| archive.entry(index)).collect(),
    };
    let all = entries.len() as u64;
    entries.retain(|entry| match SafePath::try_from(entry.name()) {
        Ok(_) => true,
        Err(why) => {
            report.error(&locate(entry, ErrorKind::Path(why)));
            false
        }
    });
    let left_out = all - entries.len() as u64;
    let failed = left_out + write(report, (path, out), &entries, Format::Pk3)?;
    let mut said = json!({ "failed": failed, "left": all - failed });
    if let (true, Some(fields)) = (all > failed, said.as_object_mut()) {
        fields.insert("out".to_owned(), out.into());
    }
    report.say(&said);
    Ok(())
}

/// Writes an archive of these entries of `path` to `out`, and reports each that cannot be read. Returns how
/// many these are.
fn write(
    report: &mut Report,
    (path, out): (&str, &str),
    entries: &[Entry<'_>],
    to: Format,
) -> Result<u64, Error> {
    let file = File::create(out).map_err(output)?;
    let mut writer = Writer::new(file, to)?;
    let mut links = Links {
        path,
        out,
        run: Run::default(),
    };
    let all = entries.iter().map(Entry::size).sum();
    let (mut done, mut failed) = (0, 0_u64);
    for (entry, is_linked) in entries.iter().zip(linked(entries, to)) {
        report.progress(done, all);
        let mut part = None;
        let mut note = |_: &mut File, extent, to| {
            part = Some((extent, to));
            Ok(())
        };
        let added = match is_linked {
            true => writer.add_entry_with(entry, &mut note),
            false => {
                links.flush(report);
                writer.add_entry(entry)
            }
        };
        if let Err(error) = added {
            report.error(&error);
            failed += 1;
        } else if let Some((extent, to)) = part {
            links.add(report, extent, to);
        }
        done += entry.size();
    }
    links.flush(report);
    if failed < entries.len() as u64 {
        writer.finish()?.flush().map_err(output)?;
    }
    Ok(failed)
}

/// Which entries belong to a long run of payloads that lie one behind the other and are passed on as they are.
fn linked(entries: &[Entry<'_>], to: Format) -> Vec<bool> {
    let mut linked = vec![false; entries.len()];
    if !cfg!(target_os = "wasi") {
        return linked; // there is no page that would listen
    }
    let part = |entry: &Entry<'_>| {
        let passes = coding_for(entry.name(), to) == entry.coding() && !entry.is_file();
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
        let len: u64 = run.iter().flatten().map(|extent| extent.len).sum();
        here.fill(len >= LINKED);
        rest = behind;
    }
    linked
}

/// Payloads that are not copied: the page is told where they are and where they belong, and the output refers to
/// the dropped file. Neighbours that stay neighbours are told of at once.
struct Links<'a> {
    path: &'a str,
    out: &'a str,
    run: Run,
}

/// A part of the dropped file, and its place in the output.
#[derive(Default)]
struct Run {
    from: Extent,
    place: u64,
}

impl Links<'_> {
    fn add(&mut self, report: &mut Report, from: Extent, place: u64) {
        let run = &mut self.run;
        if from.offset == run.from.end() && place == run.place + run.from.len {
            run.from.len += from.len;
            return;
        }
        self.flush(report);
        self.run = Run { from, place };
    }

    fn flush(&mut self, report: &mut Report) {
        let Run { from, place } = std::mem::take(&mut self.run);
        if from.len > 0 {
            report.say(&json!({ "link": {
                "from": self.path, "at": from.offset, "length": from.len, "to": self.out, "place": place,
            } }));
        }
    }
}
