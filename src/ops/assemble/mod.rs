//! A new pak, put together in a sink: out of another pak's entries, or out of files.
//!
//! | the sizes in the new pak                       | done by  | in what order                         |
//! |------------------------------------------------|----------|---------------------------------------|
//! | all known: everything is stored                | [`fill`] | any: a plan says where each byte lies |
//! | known when encoded: something is compressed    | [`pack`] | encoded in any, laid down in entries' |
//!
//! Both run on all threads, take memory for a few blocks a thread, and give the same bytes for any
//! number of threads. Both tell a part that fails from an output that fails: the first is a row in
//! a list, and only the second ends the work.

mod fill;
mod pack;
mod part;
mod sharing;

use crate::error::{Error, ErrorKind};
use crate::fs::{CommitError, Source};
use crate::ops::context::{Cancel, Observer};
use crate::ops::pool::Pool;
use crate::pak::{Coding, Layout, Limits, Plan, Planner, ReadAt as _, Sink, coding_for};

pub(super) use part::{Chosen, Loose, Part, Parts, shown};
pub(super) use sharing::Sharing;

/// Who does the work, who watches, and who may stop it.
#[derive(Clone, Copy)]
pub(super) struct Crew<'a> {
    pub(super) pool: &'a Pool,
    pub(super) cancel: &'a Cancel,
    pub(super) observer: &'a dyn Observer,
}

/// A part that was read and was odd or damaged, by its number among the parts.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) index: usize,
    pub(super) error: Error,
}

/// What became of the parts.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Parts that could not be read, in their order.
    pub(super) failed: Vec<Found>,
    /// Parts that were odd, and are whole in the new pak, in their order.
    pub(super) odd: Vec<Found>,
}

/// What keeps parts from a new pak of this layout without anything being decoded, in their order.
pub(super) fn claims(parts: &dyn Parts, to: Layout) -> Vec<Found> {
    let check = |index| {
        let error = parts.part(index)?.check(to).err()?;
        Some(Found { index, error })
    };
    (0..parts.count()).filter_map(check).collect()
}

/// Whether sizes are known only when all is encoded.
pub(super) fn needs_encoder(parts: &dyn Parts, layout: Layout) -> bool {
    (0..parts.count())
        .filter_map(|index| parts.part(index))
        .any(|part| part.size() > 0 && coding_for(part.name(), layout) == Coding::Compressed)
}

/// Where everything will lie when all of it is stored.
pub(super) fn plan<'a>(
    parts: &'a dyn Parts,
    sharing: &Sharing,
    layout: Layout,
) -> Result<Plan<'a>, Error> {
    let mut planner = Planner::new(layout, Limits::default());
    for index in 0..parts.count() {
        let Some(part) = parts.part(index) else {
            continue;
        };
        let pushed = match sharing.first(index) {
            Some(first) => planner.share(part.name(), first),
            None => planner.push(part.name(), part.size(), None),
        };
        pushed.map_err(|error| part.located(error))?;
    }
    planner.finish()
}

/// Writes the pak into `sink`, all but its name. Returns its length, or nothing where parts have
/// failed and `keep_going` does not allow to leave them out, or nothing would be left: then all
/// that fail are in the tally.
///
/// # Errors
/// If the output fails, exceeds a limit, or a stop was asked for. Parts that had failed before are
/// not told then: which of them were met by that time hangs on the threads, and a report does not.
pub(super) fn write<K: Sink + Sync>(
    crew: Crew<'_>,
    parts: &dyn Parts,
    sharing: Sharing,
    layout: Layout,
    keep_going: bool,
    sink: &K,
) -> Result<(Option<u64>, Tally), Error> {
    if needs_encoder(parts, layout) {
        let (len, tally) = pack::pack(crew, parts, &sharing, layout, keep_going, sink)?;
        if len.is_some() || keep_going {
            return Ok((len, tally));
        }
        // It has stopped at the first part that failed, and all of them are to be named.
        let mut all = check(crew, parts, &sharing)?;
        all.failed.extend(tally.failed);
        all.failed.sort_by_key(|found| found.index);
        all.failed.dedup_by_key(|found| found.index);
        return Ok((None, all));
    }
    let plan = self::plan(parts, &sharing, layout)?;
    sink.expect_len(plan.file_len()).map_err(output)?;
    let tally = fill::fill(crew, parts, &plan, sink)?;
    if tally.failed.is_empty() {
        return Ok((Some(plan.seal(sink).map_err(of_output)?), tally));
    }
    if !keep_going || tally.failed.len() == parts.count() {
        return Ok((None, tally));
    }
    // No holes: the rest moves up. What was written lies under what is written now, or behind the
    // end that the directory sets.
    drop((plan, sharing));
    let rest = Chosen::without(parts, &tally.failed);
    let sharing = Sharing::of(&rest, layout);
    let plan = self::plan(&rest, &sharing, layout)?;
    let again = fill::fill(crew, &rest, &plan, sink)?;
    if let Some(found) = again.failed.into_iter().next() {
        // It was whole a moment ago: whatever changes the source is not to be raced with.
        return Err(found.error);
    }
    Ok((Some(plan.seal(sink).map_err(of_output)?), tally))
}

/// Reads everything and writes nothing, to find every part that cannot be read.
pub(super) fn check(crew: Crew<'_>, parts: &dyn Parts, sharing: &Sharing) -> Result<Tally, Error> {
    // The layout does not matter for where nothing is written, and this one stores everything.
    // What is too large for it is told by whoever writes.
    let mut planner = Planner::new(Layout::Quake, Limits::default());
    let mut fitting = Vec::new();
    for index in 0..parts.count() {
        let Some(part) = parts.part(index) else {
            continue;
        };
        let first = sharing
            .first(index)
            .and_then(|first| u32::try_from(first).ok());
        let first = first.and_then(|first| fitting.binary_search(&first).ok());
        let pushed = match first {
            Some(first) => planner.share(part.name(), first),
            None => planner.push(part.name(), part.size(), None),
        };
        if let (Ok(_), Ok(index)) = (pushed, u32::try_from(index)) {
            fitting.push(index);
        }
    }
    if fitting.is_empty() {
        return Ok(Tally::default());
    }
    let plan = planner.finish()?;
    let chosen = Chosen::new(parts, fitting);
    let mut tally = fill::fill(crew, &chosen, &plan, &Nowhere)?;
    for found in tally.failed.iter_mut().chain(&mut tally.odd) {
        found.index = chosen.inner(found.index);
    }
    Ok(tally)
}

/// A sink that forgets.
struct Nowhere;

impl Sink for Nowhere {
    fn write_at(&self, _: &[u8], _: u64) -> std::io::Result<()> {
        Ok(())
    }

    fn end_at(&self, _: u64) -> std::io::Result<()> {
        Ok(())
    }
}

/// Why a piece of work failed.
#[derive(Debug)]
enum Failure {
    /// Its part cannot be read.
    Part(Error),
    /// The output cannot be written, or a stop was asked for: there is no point in going on.
    End(Error),
}

/// A failure to write.
fn output(error: std::io::Error) -> Error {
    match CommitError::from_io(error) {
        Ok(error) => error.into(),
        Err(error) => Error::from_io(error),
    }
}

/// The same where it has passed through the container.
fn of_output(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Io(_) => match error.into_kind() {
            ErrorKind::Io(error) => output(error),
            kind => kind.into(),
        },
        _ => error,
    }
}

/// A failure of a copy, on whichever side.
fn of_copy(error: std::io::Error, part: Part<'_>, source: &Source, from: u64) -> Failure {
    match CommitError::from_io(error) {
        Ok(error) => Failure::End(error.into()),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            let at = source.size().unwrap_or(from);
            Failure::Part(part.located(ErrorKind::CutWhileRead { at }.into()).at(at))
        }
        Err(error) => Failure::Part(part.located(Error::from_io(error)).at(from)),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::{self, OpenOptions};

    use super::*;
    use crate::fs::System;
    use crate::ops::context::Unobserved;
    use crate::ops::sweep::pak;
    use crate::pak::{Archive, MemorySink};

    /// Packing stops at the first entry that cannot be read, and once told of that one alone.
    #[test]
    fn every_entry_that_cannot_be_read_is_named_with_the_byte_at_which_the_file_ends() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pak");
        let long: Vec<u8> = (0..=255).cycle().take(3 << 20).collect();
        let files: [(&str, &[u8], bool); 3] = [
            ("a.bsp", b"a map", false),
            ("b.wav", &long, false),
            ("c.wav", b"a sound", false),
        ];
        fs::write(&path, pak(Layout::Quake, &files)).unwrap();
        let source = System::real().open(&path).unwrap();
        let archive = Archive::new(source).unwrap();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        // In the middle of a piece that is copied at once.
        let end = (1 << 20) + 1000;
        file.set_len(end).unwrap();

        let pool = Pool::new(core::num::NonZeroUsize::new(2));
        let crew = Crew {
            pool: &pool,
            cancel: &Cancel::new(),
            observer: &Unobserved,
        };
        for layout in [Layout::Quake, Layout::Daikatana] {
            let sink = MemorySink::new();
            let (len, tally) = write(
                crew,
                &archive,
                Sharing::of(&archive, layout),
                layout,
                false,
                &sink,
            )
            .unwrap();
            assert_eq!(len, None);
            let failed: Vec<_> = tally.failed.iter().map(|it| it.index).collect();
            assert_eq!(failed, [1, 2], "{layout}");
            for found in tally.failed {
                assert_eq!(found.error.offset(), Some(end), "{layout}: {}", found.error);
            }
        }
    }
}
