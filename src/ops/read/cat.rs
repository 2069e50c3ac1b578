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

use crate::archive::Entry;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::Finding;
use crate::ops::open;
use crate::ops::source;
pub use crate::ops::source::named::Wanted;
use crate::ops::source::named::find;
use crate::ops::stream::{Failure, PIECE, copy};

/// What was written, and what could not be.
#[derive(Debug, Default)]
pub struct Printed {
    /// How many entries were written whole.
    pub entries: usize,
    /// Entries that are not there, or damaged: of those, what comes before the damage was written.
    pub findings: Vec<Finding>,
    /// Why the writer took no more. Nothing was written after that.
    pub output: Option<std::io::Error>,
}

/// Writes the entries into `output`, in the order in which they are asked for.
///
/// ```
/// use daisho::ops::read::cat::{Wanted, cat};
/// use daisho::ops::context::Context;
///
/// let context = Context::new();
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
    let archive = source::one(context, pak)?;
    let mut printed = Printed::default();
    let mut buffer = vec![0; PIECE];
    for wanted in wanted {
        let copied = find(&archive, wanted)
            .and_then(|entry| print(context, &entry, &mut buffer, output, &mut printed.output));
        match copied {
            Ok(()) if printed.output.is_some() => break,
            Ok(()) => printed.entries += 1,
            Err(error) => printed.findings.push(error.in_pak(pak)),
        }
        if context.cancel.is_set() {
            break;
        }
    }
    printed.findings.extend(open::reserved(&archive));
    Ok(printed)
}

/// Writes one content. What fails is the entry; a failure of the output is put into `failure`.
fn print(
    context: &Context<'_>,
    entry: &Entry<'_>,
    buffer: &mut [u8],
    output: &mut dyn Write,
    failure: &mut Option<std::io::Error>,
) -> Result<(), Finding> {
    let copied = copy(context, entry, buffer, &mut |piece| {
        let written = output.write_all(piece);
        written.map_err(|error| {
            *failure = Some(error);
            Failure::Output(Finding::from_io(std::io::ErrorKind::BrokenPipe.into()))
        })
    });
    match copied {
        Err(failed) if failure.is_none() => Err(failed.into_error()),
        _ => Ok(()),
    }
}
