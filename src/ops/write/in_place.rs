//! An archive changed where it lies: what is new goes behind the file's end, and the header's last bytes
//! are changed when that is on the disk. The format's `trail` says what the file looks like then.

use super::archive::lay_down;
use super::crew::{Crew, of_output, output};
use super::options::WriteOptions;
use super::part::{Findings, Part};
use crate::archive::{Archive, ReadAt as _, Sink as _};
use crate::error::{Error, ErrorKind};
use crate::format::trail::{CHANGED_AT, HeaderBytes, Trail};
use crate::fs::{Exchange, InPlace};
use crate::ops::open;

/// Writes new payloads and a directory of all these parts behind the end of their archive, and has the
/// header lead to it. Returns the file's length, or nothing where parts have failed, as
/// [`write`](super::archive::write) does; then, and after an error, the file is what it was.
///
/// # Errors
/// If the file has changed since the archive was opened, or as [`write`](super::archive::write).
pub(super) fn append(
    crew: Crew<'_>,
    parts: &[&Part<'_>],
    options: &WriteOptions,
    archive: &Archive,
    file: &InPlace,
) -> Result<(Option<u64>, Findings), Error> {
    open::check_unchanged(archive)?;
    let len_before = file.size().map_err(Error::from_io)?;
    let before = header(file)?;
    if len_before != archive.file_len() {
        return Err(open::in_archive(archive, ErrorKind::AnotherPak));
    }
    let growth = file.grow(len_before);
    let (directory, findings) = lay_down(crew, parts, options, growth.start(), &growth)?;
    let Some(directory) = directory else {
        return Ok((None, findings));
    };
    let sealed = directory.seal_behind(&mut |bytes, at| growth.write_at(bytes, at));
    let header = sealed.map_err(of_output)?;
    let trail = Trail {
        before,
        after: header.to_bytes(),
        len_before,
        at: u64::from(header.directory_offset) + header.directory_len,
        directory_sum: crc32fast::hash(archive.directory()),
    };
    let written = growth.write_at(&trail.to_bytes(), trail.at);
    // A payload that was given up may have been longer.
    let written = written.and_then(|()| growth.end_at(trail.end()));
    written.map_err(output)?;
    crew.context.cancel.check()?;
    growth.commit(forwards(&trail))?;
    Ok((Some(trail.end()), findings))
}

/// The header of a file.
fn header(file: &InPlace) -> Result<HeaderBytes, Error> {
    let mut header = HeaderBytes::default();
    let read = file.read_full_at(&mut header, 0);
    read.map_err(Error::from_io)?;
    Ok(header)
}

/// From the header before a change to that after it.
fn forwards(trail: &Trail) -> Exchange<'_> {
    Exchange {
        at: CHANGED_AT as u64,
        old: trail.before.get(CHANGED_AT..).unwrap_or_default(),
        new: trail.after.get(CHANGED_AT..).unwrap_or_default(),
    }
}

/// From the header after a change to that before it.
pub(in crate::ops) fn backwards(trail: &Trail) -> Exchange<'_> {
    let Exchange { at, old, new } = forwards(trail);
    Exchange {
        at,
        old: new,
        new: old,
    }
}
