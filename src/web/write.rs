//! Archives made of an archive: its conversion, and its files as a ZIP.

use std::fs::File;
use std::io::Write as _;

use daisho::archive::SafePath;
use daisho::error::{Error, ErrorKind};
use daisho::{Archive, Entry, Format, Writer};
use serde_json::json;

use crate::look::output;
use crate::open::engines;
use crate::report::{Report, locate};

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
    let failed = write(report, out, &entries, to)?;
    let left = entries.len() as u64 - failed;
    if left == 0 || failed > 0 && !keep_going {
        report.say(&json!({ "failed": failed, "left": left }));
        return Ok(());
    }
    let made = Archive::open(out)?;
    report.say(&json!({
        "out": out,
        "format": to.as_str(),
        "extension": to.extension(),
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
    let failed = left_out + write(report, out, &entries, Format::Pk3)?;
    let mut said = json!({ "failed": failed, "left": all - failed });
    if let (true, Some(fields)) = (all > failed, said.as_object_mut()) {
        fields.insert("out".to_owned(), out.into());
    }
    report.say(&said);
    Ok(())
}

/// Writes an archive of these entries, and reports each that cannot be read. Returns how many these are.
fn write(report: &mut Report, out: &str, entries: &[Entry<'_>], to: Format) -> Result<u64, Error> {
    let file = File::create(out).map_err(output)?;
    let mut writer = Writer::new(file, to)?;
    let all = entries.iter().map(Entry::size).sum();
    let (mut done, mut failed) = (0, 0_u64);
    for entry in entries {
        report.progress(done, all);
        if let Err(error) = writer.add_entry(entry) {
            report.error(&error);
            failed += 1;
        }
        done += entry.size();
    }
    if failed < entries.len() as u64 {
        writer.finish()?.flush().map_err(output)?;
    }
    Ok(failed)
}
