//! What a file is, as far as its beginning and its end tell: an archive, something that is named like one,
//! or another kind of file.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::nested;
use crate::archive::{Archive, Format, ReadAt};
use crate::format::{Alike, HEADER_LEN, another_kind, ends_in_a_zip};
use crate::fs::{Source, System, is_standard_input};
use crate::ops::passed_over::PassedOver;

/// What a search has come upon.
#[derive(Debug)]
pub(super) enum Found {
    /// An archive, and its file, open.
    Pak(Source),
    PassedOver(PassedOver),
    Other,
}

/// Looks at what a search has come upon, of which it may know that it is a file.
pub(super) fn look(path: &Path, is_link: bool, is_file: bool) -> io::Result<Found> {
    let extension = path.extension().and_then(OsStr::to_str);
    let is_named = extension.is_some_and(|it| Format::of_extension(it).next().is_some());
    let named = |why| match is_named {
        true => Found::PassedOver(why),
        false => Found::Other,
    };
    if !is_file {
        match fs::metadata(path) {
            Ok(found) if found.is_file() => {}
            Ok(found) if found.is_dir() => {
                return Ok(match is_link {
                    true => Found::PassedOver(PassedOver::LinkedDirectory),
                    false => Found::Other,
                });
            }
            Ok(_) => return Ok(named(PassedOver::NotAFile)),
            // A link to nowhere is no pak.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(named(PassedOver::DanglingLink));
            }
            Err(error) => return Err(error),
        }
    }
    let file = System::real().open(path)?;
    let start = start(&file)?;
    let is_called = |name: &str| extension.is_some_and(|it| it.eq_ignore_ascii_case(name));
    // Java's archives, and gettext's scripts for sed.
    if is_called("jar") && start.starts_with(b"PK")
        || is_called("sin") && !start.is_empty() && is_text(&start)
    {
        return Ok(Found::Other);
    }
    Ok(if start.is_empty() {
        named(PassedOver::Empty)
    } else if !(has_magic(&start) || is_named && ends_in_a_zip(&file)?) {
        named(PassedOver::NoMagic)
    } else {
        // An archive whose directory lies just where that says stays one.
        match Alike::of(&start).filter(|_| Archive::open(path).is_err()) {
            Some(Alike::Packfile) => Found::PassedOver(PassedOver::Packfile),
            Some(Alike::PackDir) => Found::PassedOver(PassedOver::PackDir),
            Some(Alike::Text) => Found::PassedOver(PassedOver::Text),
            None => match another_kind(&file, &start) {
                Some(what) => named(PassedOver::AnotherKind(what)),
                None => Found::Pak(file),
            },
        }
    })
}

/// How much of a file is looked at to find out what it is.
const START: usize = HEADER_LEN;

/// Whether it is a regular file, or a link to one, that begins as an archive does, or ends in a ZIP.
/// Pipes and devices are not opened: that alone can block, or do something.
pub(super) fn is_pak(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            let file = File::open(path)?;
            Ok(has_magic(&start(&file)?) || ends_in_a_zip(&file)?)
        }
        Ok(_) => Ok(false),
        Err(_) if nested::split(path).is_some() || is_standard_input(path) => Ok(true),
        // A link to nowhere is no pak.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// What a regular file begins with, where that is as long as a magic.
pub(super) fn magic(path: &Path) -> io::Result<Option<[u8; 4]>> {
    match fs::metadata(path)?.is_file() {
        true => Ok(start(&File::open(path)?)?.first_chunk().copied()),
        false => Ok(None),
    }
}

/// Whether this is how an archive of some layout begins.
fn has_magic(start: &[u8]) -> bool {
    let magic = start.first_chunk().copied();
    magic.is_some_and(|magic| Format::of_magic(magic).next().is_some())
}

/// Whether a file begins as a text, and not as SiN's paks do.
fn is_text(start: &[u8]) -> bool {
    let is_plain = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    !has_magic(start) && start.iter().all(is_plain)
}

/// The first bytes of a file, as many as it has of those that are looked at.
fn start(file: &dyn ReadAt) -> io::Result<Vec<u8>> {
    let mut start = vec![0; START];
    let read = file.read_full_at(&mut start, 0)?;
    start.truncate(read);
    Ok(start)
}
