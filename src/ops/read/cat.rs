//! Entries of one archive, decoded, one after another into one writer.
//!
//! # Which entry a name means
//!
//! The first one of exactly this name, which is the one that most engines serve. If there is none:
//! the first whose name is the same but for the case of ASCII letters and the kind of slash, as
//! globs have it. If there is none either: the entry whose name is shown so, with the escapes of
//! [`escape`](crate::archive::escape), because that is what people copy from a listing.

use std::io::Write;
use std::path::Path;

use crate::archive::{Archive, Case, Entry, Which, unescape};
use crate::engine::findable;
use crate::error::{Error, ErrorKind};
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::meant::no_name;
use crate::ops::open::{self, open_one};

/// How much is decoded at once.
const PIECE: usize = 64 * 1024;

/// An entry that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// By its name.
    Name(Vec<u8>),
    /// By its number, counted from 0.
    Index(usize),
}

/// What was written, and what could not be.
#[derive(Debug, Default)]
pub struct Printed {
    /// How many entries were written whole.
    pub entries: usize,
    /// Entries that are not there, or damaged: of those, what comes before the damage was written.
    pub problems: Vec<Problem>,
    /// Why the writer took no more. Nothing was written after that.
    pub output: Option<std::io::Error>,
}

/// Writes the entries into `output`, in the order in which they are asked for.
///
/// ```
/// use daisho::ops::read::cat::{Wanted, cat};
/// use daisho::ops::context::{Cancel, Context, Unobserved};
///
/// let cancel = Cancel::new();
/// let context = Context::new(&Unobserved, &cancel);
/// let wanted = [Wanted::Name(b"scripts/intro.rc".to_vec())];
/// let mut output = Vec::new();
/// cat(&context, "corpus/game/data/pak1.pak".as_ref(), &wanted, &mut output)?;
/// assert_eq!(output, b"map e1m1\n");
/// # Ok::<(), daisho::ops::context::Refusal>(())
/// ```
///
/// # Errors
///
/// If the archive cannot be read.
pub fn cat(
    context: &Context<'_>,
    pak: &Path,
    wanted: &[Wanted],
    output: &mut dyn Write,
) -> Result<Printed, Refusal> {
    let archive = open_one(context, pak)?;
    let mut printed = Printed::default();
    let mut buffer = vec![0; PIECE];
    for wanted in wanted {
        let copied = find(&archive, wanted)
            .and_then(|entry| copy(context, &entry, &mut buffer, output, &mut printed.output));
        match copied {
            Ok(()) if printed.output.is_some() => break,
            Ok(()) => printed.entries += 1,
            Err(error) => printed.problems.push(Problem::error(error.in_pak(pak))),
        }
        if context.cancel.is_set() {
            break;
        }
    }
    printed.problems.extend(open::reserved(&archive));
    Ok(printed)
}

fn find<'a>(archive: &'a Archive, wanted: &Wanted) -> Result<Entry<'a>, Error> {
    let (found, missing) = match wanted {
        Wanted::Index(index) => {
            let (index, count) = (*index, archive.len());
            (archive.entry(index), ErrorKind::NoEntry { index, count })
        }
        Wanted::Name(name) => (named(archive, name), no_name(archive, name)),
    };
    found.ok_or_else(|| missing.into())
}

fn named<'a>(archive: &'a Archive, name: &[u8]) -> Option<Entry<'a>> {
    let exact = |name: &[u8]| archive.find(name, Case::Matters, Which::First);
    let loose = || {
        let mut entries = archive.entries();
        entries.find(|entry| is_loosely(entry.name().as_bytes(), name))
    };
    let shown = || exact(&unescape(core::str::from_utf8(name).ok()?)?);
    exact(name).or_else(loose).or_else(shown)
}

/// Whether two names are the same but for the case of ASCII letters and the kind of slash.
fn is_loosely(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && findable(a) == findable(b)
}

/// An error is the entry's; the output's own is put aside.
fn copy(
    context: &Context<'_>,
    entry: &Entry<'_>,
    buffer: &mut [u8],
    output: &mut dyn Write,
    failure: &mut Option<std::io::Error>,
) -> Result<(), Error> {
    let mut reader = entry.reader()?;
    loop {
        context.cancel.check()?;
        let read = reader.read_some(buffer)?;
        if read == 0 {
            return Ok(());
        }
        if let Err(error) = output.write_all(buffer.get(..read).unwrap_or_default()) {
            *failure = Some(error);
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_slashes_are_all_that_a_loose_name_may_differ_in() {
        assert!(is_loosely(b"MAPS\\E1M1.bsp", b"maps/e1m1.BSP"));
        assert!(!is_loosely(b"maps/e1m1", b"maps/e1m1.bsp"));
        assert!(!is_loosely(b"\xC9", b"\xE9"));
    }
}
