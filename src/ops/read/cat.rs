//! Writes entries of an archive, decoded, one after another to one writer.
//!
//! # Which entry a name means
//!
//! The first entry with exactly this name, because most engines serve that one. Otherwise, in this order:
//!
//! 1. the first entry whose name differs only in ASCII case and the kind of slash;
//! 2. the entry whose escaped name this is, because people copy escaped names from a listing;
//! 3. all entries of a folder;
//! 4. all entries that a glob matches.
//!
//! Before the first byte is written, the sizes of all these entries are added up, and more than the
//! limit is refused. An entry that was asked for several times counts once.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use crate::archive::{Archive, Entry, quoted_name};
use crate::media::FileType;
use crate::ops::context::{Context, Refusal};
use crate::ops::expansion::{ExpansionLimit, sound_size};
use crate::ops::finding::{self, Finding, Help};
use crate::ops::pictures::{PictureOptions, Pictures};
use crate::ops::source::named::find;
use crate::ops::source::{self, Wanted};
use crate::ops::stream::{Failure, PIECE, copy};

/// What was written, and what could not be.
#[derive(Debug, Default)]
pub struct Printed {
    /// Errors for entries that do not exist or are damaged. Of a damaged entry, the bytes before the damage were
    /// written.
    pub findings: Vec<Finding>,
    /// The error of the writer, if it failed. Nothing was written after that.
    pub output: Option<std::io::Error>,
}

/// Writes the entries to `output`, in the order in which they were asked for. Together they must not be larger than
/// `max_expansion` times the length of the archive. By default, only overlapping payloads exceed the limit.
///
/// ```
/// use daisho::ops::{Context, cat};
/// use daisho::ops::source::Wanted;
///
/// let context = Context::new();
/// let wanted = Wanted::list(["scripts/intro.rc"], &[]);
/// let mut output = Vec::new();
/// cat(&context, "corpus/game/data/pak1.pak", &wanted, None, &mut output)?;
/// assert_eq!(output, b"map e1m1\n");
/// # Ok::<(), daisho::ops::Refusal>(())
/// ```
///
/// # Errors
///
/// If the archive cannot be read, or its entries are larger than allowed.
pub fn cat(
    context: &Context<'_>,
    path: impl AsRef<Path>,
    wanted: &[Wanted],
    max_expansion: Option<u64>,
    output: &mut dyn Write,
) -> Result<Printed, Refusal> {
    let path = path.as_ref();
    let mut printed = Printed::default();
    let archive = source::one(context, path, false, &mut printed.findings)?;
    let entries = find_all(&archive, wanted, &mut printed.findings);
    // An entry that was asked for several times counts once. Those with impossible sizes are never decoded.
    let mut seen = HashSet::new();
    let each = entries.iter().filter(|entry| seen.insert(entry.index()));
    let size = each.map(sound_size).fold(0, u64::saturating_add);
    let checked = ExpansionLimit::of(&archive).check(size, max_expansion);
    checked.map_err(|error| Finding::unread(path, error.at_path(path)))?;
    // If entries are missing, a name that was not found may be one of them.
    printed.findings.extend(finding::archive_errors(&archive));
    context.found(entries.len() as u64, size);
    let mut buffer = vec![0; PIECE];
    for entry in entries {
        let copied = copy(context, &entry, &mut buffer, &mut |piece| {
            let written = output.write_all(piece);
            context.done(0, piece.len() as u64);
            written.map_err(|error| {
                printed.output = Some(error);
                Failure::Output(Finding::from_io(std::io::ErrorKind::BrokenPipe.into()))
            })
        });
        match copied {
            _ if printed.output.is_some() => break,
            Ok(_) => {}
            Err(failed) => printed.findings.push(failed.into_error().at_path(path)),
        }
        if context.cancel.is_set() {
            break;
        }
    }
    printed.findings.extend(finding::reserved_reading(&archive));
    Ok(printed)
}

/// The entries that are asked for, in that order.
fn find_all<'a>(
    archive: &'a Archive,
    wanted: &[Wanted],
    findings: &mut Vec<Finding>,
) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for wanted in wanted {
        match find(archive, wanted, false) {
            Ok(found) => entries.extend(found),
            Err(error) => findings.push(finding::in_archive(archive, error)),
        }
    }
    entries
}

/// Writes one picture to `output`, as a PNG file. An entry that is a PNG file is written unchanged.
///
/// # Errors
///
/// If the archive cannot be read, or the names mean several entries. Nothing was written then.
pub fn cat_png(
    context: &Context<'_>,
    path: impl AsRef<Path>,
    wanted: &[Wanted],
    options: &PictureOptions,
    output: &mut dyn Write,
) -> Result<Printed, Refusal> {
    let path = path.as_ref();
    let mut printed = Printed::default();
    let archive = source::one(context, path, false, &mut printed.findings)?;
    let entries = find_all(&archive, wanted, &mut printed.findings);
    if printed.findings.iter().any(Finding::is_error) {
        return Ok(printed);
    }
    let [entry] = entries.as_slice() else {
        let first = entries.iter().take(2).map(|it| quoted_name(it.name().as_bytes()).to_string());
        let why = format!(
            "one picture becomes a PNG here, and these are {}, such as {}",
            entries.len(),
            first.collect::<Vec<_>>().join(" and ")
        );
        return Err(Finding::error(why)
            .advice("name one picture")
            .help(Help::ExtractPictures)
            .at_path(path)
            .into());
    };
    let pictures = Pictures::open(context, options, Vec::new(), &mut printed.findings)?;
    match png_of(entry, &pictures, &mut printed.findings) {
        Ok(file) => printed.output = output.write_all(&file).err(),
        Err(error) => printed.findings.push(error.at_path(path)),
    }
    printed.findings.extend(finding::reserved_reading(&archive));
    Ok(printed)
}

/// The PNG file of one picture.
fn png_of(
    entry: &Entry<'_>,
    pictures: &Pictures,
    findings: &mut Vec<Finding>,
) -> Result<Vec<u8>, Finding> {
    // PNG's magic has eight bytes.
    if FileType::by_magic(&entry.start(8)?) == Some(FileType::Png) {
        return pictures.read(entry);
    }
    let mut picture = pictures.decode(entry)?;
    findings.extend(picture.remark.take());
    picture.png().map_err(|error| Finding::from_io(error).of_entry(entry))
}
