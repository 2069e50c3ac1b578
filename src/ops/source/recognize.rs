//! Recognises archives by the beginning and the end of a file.
//!
//! What a search passes over is described here, too.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::DirEntry;

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Format, ReadAt, ReadOptions};
use crate::format::map::MapKind;
use crate::format::{HEADER_LEN, Lookalike, ends_in_a_zip, is_program, other_archive};
use crate::fs::{Source, System, is_standard_input};
use crate::ops::context::Context;
use crate::ops::finding::{Finding, Meaning};
use crate::ops::source::nested;

/// What a search has found at a path.
#[derive(Debug)]
pub(super) enum Recognized {
    /// An archive, whose file is open.
    Archive(Source),
    /// A file that is named like an archive but is none, and why.
    Ruined(Finding),
    PassedOver(PassedOver),
    Other,
}

/// Looks at what a search has found.
pub(super) fn look(system: &System, entry: &DirEntry) -> io::Result<Recognized> {
    let (path, is_link) = (entry.path(), entry.path_is_symlink());
    let is_named = is_named_as_archive(path);
    if !entry.file_type().is_file() {
        match fs::metadata(path) {
            Ok(found) if found.is_file() => {}
            Ok(found) if found.is_dir() && is_link => {
                return Ok(Recognized::PassedOver(PassedOver::LinkedDirectory));
            }
            Ok(found) if found.is_dir() && !is_named => return Ok(Recognized::Other),
            Ok(_) if is_named => return Ok(Recognized::PassedOver(PassedOver::NotAFile)),
            Ok(_) => return Ok(Recognized::Other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(if is_named {
                    Recognized::Ruined(
                        Finding::error("this link leads nowhere").many("links lead nowhere"),
                    )
                } else {
                    Recognized::Other
                });
            }
            Err(error) => return Err(error),
        }
    }
    let file = system.open(path)?;
    let start = start(&file)?;
    if is_sed_script(path, &start) {
        return Ok(Recognized::Other);
    }
    // A short text may begin like an archive. Other bytes may be what is left of one.
    if start.len() < HEADER_LEN && !is_named && is_text(&start) {
        return Ok(Recognized::Other);
    }
    // Many programs and documents are ZIPs. A search takes a ZIP only if it is named like an archive.
    if !is_named && formats_of(&start).any(|format| format == Format::Pk3) {
        return Ok(if path.file_stem().is_some_and(|stem| is_named_as_archive(stem.as_ref())) {
            Recognized::PassedOver(PassedOver::Zip)
        } else {
            Recognized::Other
        });
    }
    let is_archive = has_magic(&start) || is_named && ends_in_a_zip(&file)?;
    let alike = Lookalike::of(&start);
    if is_archive && alike.is_none() {
        return Ok(Recognized::Archive(file));
    }
    if !is_archive && !is_named {
        return Ok(match other_archive(&start) {
            Some(what) => Recognized::PassedOver(PassedOver::OtherFile(what)),
            None if is_program(&start) && ends_in_a_zip(&file)? => {
                Recognized::PassedOver(PassedOver::Zip)
            }
            None => Recognized::Other,
        });
    }
    // If it can be opened as an archive, it is one.
    let opened = Archive::read_source(Box::new(file.clone()), ReadOptions::default(), Some(path));
    let Err(error) = opened else {
        return Ok(Recognized::Archive(file));
    };
    Ok(match (error.kind(), alike) {
        (ErrorKind::OtherFile { what }, _) => Recognized::PassedOver(PassedOver::OtherFile(what)),
        (_, Some(alike)) if !is_named => {
            Recognized::PassedOver(PassedOver::OtherFile(alike.what()))
        }
        _ => Recognized::Ruined(error.into()),
    })
}

/// Whether this is one of gettext's sed scripts, whose names end in `.sin`.
fn is_sed_script(path: &Path, start: &[u8]) -> bool {
    let is_sin = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("sin"));
    is_sin && !start.is_empty() && !has_magic(start) && is_text(start)
}

/// Whether the path leads to a regular file that begins like an archive or ends in a ZIP. Pipes and devices are not
/// opened, because opening them can block or have effects.
pub(crate) fn is_archive_file(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            let file = File::open(path)?;
            Ok(has_magic(&start(&file)?) || ends_in_a_zip(&file)?)
        }
        Ok(_) => Ok(false),
        Err(_) if nested::split(path).is_some() || is_standard_input(path) => Ok(true),
        // This can be a link that leads nowhere.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether the path of an input leads to an archive, or to a map that the operation reads as one.
pub(crate) fn is_input_file(context: &Context<'_>, path: &Path) -> io::Result<bool> {
    Ok(is_archive_file(path)? || context.open.maps && is_map(path)?)
}

/// Whether the path leads to a file that is no archive, is not named like one, is not to be read as one, and does not
/// even begin like an archive that daisho does not read.
pub fn is_loose_file(context: &Context<'_>, path: &Path) -> bool {
    context.open.format.is_none()
        && !is_named_as_archive(path)
        && is_input_file(context, path).is_ok_and(|is_input| !is_input)
        && fs::metadata(path).is_ok_and(|file| file.is_file())
        && File::open(path)
            .and_then(|file| start(&file))
            .is_ok_and(|it| other_archive(&it).is_none())
}

/// Whether a file begins like a map that holds textures.
pub(crate) fn is_map(path: &Path) -> io::Result<bool> {
    Ok(magic(path)?.is_some_and(|begin| MapKind::wad_of(&begin).is_some()))
}

/// The first four bytes of a regular file, if it has that many.
pub(crate) fn magic(path: &Path) -> io::Result<Option<[u8; 4]>> {
    if fs::metadata(path)?.is_file() {
        Ok(start(&File::open(path)?)?.first_chunk().copied())
    } else {
        Ok(None)
    }
}

/// The formats whose archives begin with these bytes.
pub(super) fn formats_of(start: &[u8]) -> impl Iterator<Item = Format> {
    start.first_chunk().copied().into_iter().flat_map(Format::of_magic)
}

/// Whether a file with these first bytes begins like an archive of any format.
fn has_magic(start: &[u8]) -> bool {
    formats_of(start).next().is_some()
}

/// Whether a file begins with text.
fn is_text(start: &[u8]) -> bool {
    let mut bytes = start.iter();
    bytes.all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'))
}

/// The first bytes of a file, as many as a header has, or fewer if the file is shorter.
fn start(file: &dyn ReadAt) -> io::Result<Vec<u8>> {
    let mut start = vec![0; HEADER_LEN];
    let read = file.read_full_at(&mut start, 0)?;
    start.truncate(read);
    Ok(start)
}

/// Whether a file name has the extension of an archive.
#[must_use]
pub fn is_named_as_archive(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|it| Format::is_extension(it.as_encoded_bytes()))
}

/// Why a search does not take something.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PassedOver {
    /// Another program's archive, or a file that is named like an archive or begins like one.
    OtherFile(&'static str),
    /// A ZIP that probably holds a game's files, but is not named like an archive.
    Zip,
    /// An archive within archives, deeper than a search goes.
    Deep,
    /// A pipe, a socket or a device that is named like an archive.
    NotAFile,
    /// A link to a directory.
    LinkedDirectory,
}

/// The warnings about what a search has passed over. If there are several files of other programs, one more warning
/// sums them up with their kinds.
pub(super) fn passed_over_in_words(passed_over: &[(PathBuf, PassedOver)]) -> Vec<Finding> {
    let mut warnings = Vec::new();
    let mut others: Vec<(&Path, &str)> = Vec::new();
    for (path, why) in passed_over {
        let warning = match why {
            PassedOver::OtherFile(what) => {
                others.push((path, what));
                continue;
            }
            PassedOver::Zip => {
                Finding::warning("this is a ZIP that is not named like one, and is not searched")
                    .many("files are ZIPs that are not named like one, and are not searched")
                    .advice("give its path to read it")
            }
            PassedOver::Deep => {
                let why = "this archive is in an archive within another, and is not searched";
                Finding::warning(why)
                    .many("archives are in archives within others, and are not searched")
                    .advice("give its path to read it")
            }
            PassedOver::NotAFile => {
                Finding::warning("this is named like an archive but is not a regular file")
                    .many("paths are named like archives but are not regular files")
            }
            PassedOver::LinkedDirectory => {
                Finding::warning("this is a link to a directory, and is not searched")
                    .many("links to directories are not searched")
                    .advice("give the directory that it points to")
            }
        };
        warnings.push(warning.means(Meaning::LeftOut).at_path(path));
    }
    let all = other_files(&others);
    let meaning = if all.is_some() { Meaning::LeftOutToo } else { Meaning::LeftOut };
    warnings.extend(all);
    for (path, what) in others {
        let warning = Finding::warning(format!("this is {what}, not an archive that daisho reads"));
        warnings.push(warning.means(meaning).at_path(path));
    }
    warnings
}

/// The warning that sums up several files of other programs.
fn other_files(files: &[(&Path, &str)]) -> Option<Finding> {
    let (first, _) = files.first().filter(|_| files.len() > 1)?;
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, what) in files {
        *kinds.entry(what).or_default() += 1;
    }
    let mut words = Vec::new();
    for (what, count) in kinds {
        words.push(if count == 1 { what.to_owned() } else { format!("{what} ({count} times)") });
    }
    let count = files.len();
    let why = format!("{count} files are not archives that daisho reads: {}", words.join(", "));
    Some(Finding::warning(why).at_path(first))
}
