//! Writes one archive into a sink, and decides how.
//!
//! | the sizes in the new archive                       | written by | in what order                              |
//! |----------------------------------------------------|------------|--------------------------------------------|
//! | all known, because everything is stored            | [`fill`]   | any, because each byte's place is known    |
//! | known after encoding, if something is compressed   | [`encode`] | encoded in any, written in entries' order  |
//!
//! Both run on all threads, take memory for a few blocks per thread, and give the same bytes for any number of
//! threads. An entry that fails is a finding, and the others are still read. Only a failure of the output ends the
//! work.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::archive::error::ErrorKind;
use crate::format::Directory;
use crate::fs::WriteAt;
use crate::ops::context::Context;
use crate::ops::finding::{Finding, internal};
use crate::ops::plan::layout::{all_stored, needs_encoder};
use crate::ops::plan::options::WriteOptions;
use crate::ops::plan::part::{Findings, Part, PartList};
use crate::ops::stream::{
    Batch, Buffers, Failure, Follows, batches, copy_stored, largest_first, write_content,
};
use crate::ops::write::encode;

/// Writes the archive into `sink`. Returns its length, or `None` if parts failed and `keep_going` is off, or if all
/// parts failed. All failures are in the findings.
///
/// # Errors
/// If the output fails or exceeds a limit, or if the user stops the operation. Parts that failed before that are not
/// reported, because which ones were read by then depends on the threads.
pub(crate) fn write(
    context: &Context<'_>,
    parts: &PartList<'_>,
    options: &WriteOptions,
    sink: &dyn WriteAt,
) -> Result<(Option<u64>, Findings), Finding> {
    let WriteOptions { to, keep_going, .. } = *options;
    if needs_encoder(parts, to) {
        let (directory, mut findings) = encode::encode(context, parts, options, sink)?;
        if let (None, false, Some(failed)) = (&directory, keep_going, findings.failed.first()) {
            // Encoding has stopped at this part. The parts after it are only read, so that every failure is named.
            let mut rest: Vec<&Part<'_>> = parts.iter().collect();
            rest.retain(|part| part.number > failed.part);
            findings.extend(read(context, &rest)?);
        }
        findings.spread(parts);
        let len = directory.map(|directory| seal(&directory, sink));
        return Ok((len.transpose()?, findings));
    }
    let directory = all_stored(parts, to)?;
    sink.expect_len(directory.file_len()).map_err(Finding::from_io)?;
    let payloads = placed(parts, &directory);
    let mut findings = fill(context, parts.len(), &payloads, sink)?;
    findings.spread(parts);
    if findings.failed.is_empty() {
        return Ok((Some(seal(&directory, sink)?), findings));
    }
    if !keep_going || findings.failed.len() == parts.len() {
        return Ok((None, findings));
    }
    // The others move up, so that there are no holes. They overwrite what was written before, or the directory
    // ends the file before it.
    drop((payloads, directory));
    let rest = parts.without(&findings);
    let directory = all_stored(&rest, to)?;
    let mut again = fill(context, rest.len(), &placed(&rest, &directory), sink)?;
    again.sort();
    if let Some(found) = again.failed.into_iter().next() {
        // It could be read a moment ago, so something is changing the source right now.
        return Err(found.finding);
    }
    Ok((Some(seal(&directory, sink)?), findings))
}

/// Writes the directory and the header.
fn seal(directory: &Directory<'_>, sink: &dyn WriteAt) -> Result<u64, Finding> {
    if directory.len() > 0 {
        sink.end_at(directory.file_len()).map_err(Finding::from_io)?;
    }
    let sealed = directory.seal(&mut |bytes, at| sink.write_at(bytes, at));
    sealed.map_err(|error| match error.into_parts() {
        (ErrorKind::Io(error), place) => Finding { place, ..Finding::from_io(error) },
        (kind, place) => Finding { place, ..kind.into() },
    })
}

/// The payloads of these parts, at their offsets in the directory.
fn placed<'p, 'a>(
    parts: &'p PartList<'a>,
    directory: &Directory<'_>,
) -> Vec<PlacedPayload<'p, 'a>> {
    let mut payloads = Vec::new();
    for (part, entry) in parts.iter().zip(directory.entries()) {
        if !entry.shares && part.is_read() {
            let to = entry.offset.into();
            payloads.push(PlacedPayload { part, to });
        }
    }
    payloads
}

/// Reads everything and writes nothing, to find every part that cannot be read.
pub(super) fn check(context: &Context<'_>, parts: &PartList<'_>) -> Result<Findings, Finding> {
    let all: Vec<&Part<'_>> = parts.iter().collect();
    let mut findings = read(context, &all)?;
    findings.spread(parts);
    Ok(findings)
}

/// Reads these parts, and finds those that cannot be read.
fn read(context: &Context<'_>, parts: &[&Part<'_>]) -> Result<Findings, Finding> {
    let (mut payloads, mut to) = (Vec::new(), 0_u64);
    for part in parts.iter().filter(|part| part.has_payload()) {
        payloads.push(PlacedPayload { part, to });
        to = to.saturating_add(part.size());
    }
    fill(context, parts.len(), &payloads, &Nowhere)
}

/// A sink that drops everything.
struct Nowhere;

impl WriteAt for Nowhere {
    fn write_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Ok(())
    }

    fn end_at(&self, _: u64) -> io::Result<()> {
        Ok(())
    }
}

/// The most bytes that are copied as one range. The output may be watched, and the work stopped, between two ranges.
const RANGE_MAX: u64 = 8 << 20;

/// A payload, and its offset in the output.
pub(super) struct PlacedPayload<'p, 'a> {
    pub(super) part: &'p Part<'a>,
    pub(super) to: u64,
}

impl PlacedPayload<'_, '_> {
    /// How this payload follows the one before it.
    fn follows(&self, before: &Self) -> Follows {
        let (one, this) = (before.part.entry, self.part.entry);
        let is_one_file = !one.is_file() && core::ptr::eq(one.archive(), this.archive());
        if !is_one_file || before.to.checked_add(one.size()) != Some(self.to) {
            return Follows::Not;
        }
        let end = one.offset().checked_add(one.size());
        if one.is_plain() && this.is_plain() && end == Some(this.offset()) {
            return Follows::Directly;
        }
        Follows::Near
    }
}

/// Writes the payloads, and then the first bytes of each one that gets new ones. If one fails, the others are still
/// read and written, so that every failure is found. There are `part_count` parts; those without a payload of their own
/// only count as done.
pub(super) fn fill(
    context: &Context<'_>,
    part_count: usize,
    payloads: &[PlacedPayload<'_, '_>],
    sink: &dyn WriteAt,
) -> Result<Findings, Finding> {
    let sizes = payloads.iter().map(|it| it.part.size());
    context.found(part_count as u64, sizes.fold(0, u64::saturating_add));
    context.done((part_count - payloads.len()) as u64, 0);
    let range_max = if sink.copies_by_reference() { RANGE_MAX } else { 0 };
    let mut before = None;
    let following = payloads.iter().map(|payload| {
        let follows = match before.replace(payload) {
            Some(before) => payload.follows(before),
            None => Follows::Not,
        };
        (payload.part.entry, follows)
    });
    let mut batches = batches(following, range_max);
    // A single thread has nothing to wait for, and reads and writes in order.
    if batches.len() > 1 && context.pool.threads() > 1 {
        batches.sort_by_key(|batch| largest_first(batch.len));
    }
    let filling = Filling { context, payloads, sink, has_ended: AtomicBool::new(false) };
    let new_buffers = || Buffers::new(&context.pool);
    let filled = (context.pool)
        .map_with(&batches, new_buffers, |buffers, batch| filling.batch(buffers, batch));
    let mut findings = Findings::default();
    for found in filled {
        findings.extend(found?);
    }
    for PlacedPayload { part, to } in payloads {
        if let Some(start) = part.new_start() {
            sink.write_at(start, *to).map_err(Finding::from_io)?;
        }
    }
    Ok(findings)
}

/// What all threads share.
struct Filling<'p, 'a> {
    context: &'p Context<'p>,
    payloads: &'p [PlacedPayload<'p, 'a>],
    sink: &'p dyn WriteAt,
    /// Whether the output has failed, so that nothing more is written.
    has_ended: AtomicBool,
}

impl Filling<'_, '_> {
    /// Writes a batch, unless the output has failed.
    fn batch(&self, buffers: &mut Buffers<'_>, batch: &Batch) -> Result<Findings, Finding> {
        let mut findings = Findings::default();
        if self.has_ended.load(Ordering::Relaxed) {
            return Ok(findings);
        }
        let written = self.write(buffers, batch, &mut findings);
        if written.is_err() {
            self.has_ended.store(true, Ordering::Relaxed);
        }
        written.map(|()| findings)
    }

    /// Writes the payloads together, or one by one if anything about one of them is unusual.
    fn write(
        &self,
        buffers: &mut Buffers<'_>,
        batch: &Batch,
        findings: &mut Findings,
    ) -> Result<(), Finding> {
        self.context.cancel.check()?;
        let payloads = self.payloads.get(batch.payloads.clone());
        let payloads =
            payloads.ok_or_else(|| internal("a batch has payloads that do not exist"))?;
        if payloads.len() > 1 && self.write_together(buffers, batch, payloads)? {
            self.context.done(payloads.len() as u64, batch.len);
            return Ok(());
        }
        for PlacedPayload { part, to } in payloads {
            let (output, count) = ((self.sink, *to), |len| self.context.done(0, len));
            match write_content(self.context, &part.entry, buffers.piece(), output, count) {
                Ok(odd) => {
                    let odd = odd.into_iter().map(|it| part.finding(it));
                    findings.odd.extend(odd);
                }
                Err(Failure::Output(error)) => return Err(error),
                Err(Failure::Entry(error)) => findings.failed.push(part.finding(error)),
            }
            self.context.done(1, 0);
        }
        Ok(())
    }

    /// Writes payloads that follow each other with one call. Returns `false` if one of them is damaged or unusual.
    fn write_together(
        &self,
        buffers: &mut Buffers<'_>,
        batch: &Batch,
        payloads: &[PlacedPayload<'_, '_>],
    ) -> Result<bool, Finding> {
        let Some(first) = payloads.first() else {
            return Ok(true);
        };
        if batch.is_copied() {
            return self.copy_range(first, batch.len);
        }
        buffers.fill_window(first.part.entry.archive(), batch);
        let entries = payloads.iter().map(|it| it.part.entry);
        let Some(contents) = buffers.contents(batch, entries) else {
            return Ok(false);
        };
        let written = self.sink.write_at(contents, first.to);
        written.map_err(Finding::from_io)?;
        Ok(true)
    }

    /// Copies `len` bytes from the beginning of this payload. Returns `false` if they cannot be read.
    fn copy_range(&self, first: &PlacedPayload<'_, '_>, len: u64) -> Result<bool, Finding> {
        let entry = &first.part.entry;
        let Ok(reader) = entry.payload() else {
            return Ok(false);
        };
        let from = (reader.start(), len);
        match copy_stored(self.context, &reader, from, (self.sink, first.to), |_| {}) {
            Ok(()) => Ok(true),
            Err(Failure::Output(error)) => Err(error),
            Err(Failure::Entry(_)) => Ok(false),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::{self, OpenOptions};

    use super::*;
    use crate::archive::Format;
    use crate::fs::{MemorySink, System};
    use crate::ops::plan::options::Destination;
    use crate::ops::source::open;
    use crate::testing::pak;

    /// Encoding stops at the first entry that cannot be read, and once reported that one alone.
    #[test]
    fn every_entry_past_the_end_is_named_with_that_byte() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pak");
        let long: Vec<u8> = (0..=255).cycle().take(3 << 20).collect();
        let files: [(&str, &[u8], bool); 3] =
            [("a.bsp", b"a map", false), ("b.wav", &long, false), ("c.wav", b"a sound", false)];
        fs::write(&path, pak(Format::Quake, &files)).unwrap();
        let archive = open(&System::real(), &path, None.into()).unwrap();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        // In the middle of a piece that is copied at once.
        let end = (1 << 20) + 1000;
        file.set_len(end).unwrap();
        let context = Context::new().with_jobs(core::num::NonZeroUsize::new(2));
        let parts = Part::all(archive.entries(), Format::Quake, false);
        let parts: PartList<'_> = parts.into_iter().collect();
        for to in [Format::Quake, Format::Daikatana, Format::Pk3] {
            let sink = MemorySink::new();
            let options = WriteOptions::new(Destination::File("out".into()), to);
            let (len, findings) = write(&context, &parts, &options, &sink).unwrap();
            assert_eq!(len, None);
            let failed: Vec<_> = findings.failed.iter().map(|it| it.part).collect();
            assert_eq!(failed, [1, 2], "{to}");
            for found in findings.failed {
                assert_eq!(found.finding.place.offset, Some(end), "{to}: {}", found.finding);
            }
        }
    }

    /// A sink as in the page, where a copied range takes no time.
    struct ReferringSink(MemorySink);

    impl WriteAt for ReferringSink {
        fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
            self.0.write_at(bytes, offset)
        }

        fn end_at(&self, len: u64) -> io::Result<()> {
            self.0.end_at(len)
        }

        fn copies_by_reference(&self) -> bool {
            true
        }
    }

    #[test]
    fn payloads_that_are_copied_as_a_range_give_the_same_bytes_and_findings() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pak");
        let long: Vec<u8> = (0..=255).cycle().take(200_000).collect();
        let mut files: Vec<(String, &[u8], bool)> = Vec::new();
        for number in 0..60 {
            let content = long.get(..number * 7919 % 200_000).unwrap();
            files.push((format!("{number}.bsp"), content, number % 9 == 8));
        }
        let files: Vec<(&str, &[u8], bool)> = files.iter().map(|it| (&*it.0, it.1, it.2)).collect();
        fs::write(&path, pak(Format::Daikatana, &files)).unwrap();
        let archive = open(&System::real(), &path, None.into()).unwrap();
        let context = Context::new().with_jobs(core::num::NonZeroUsize::new(2));
        let parts = Part::all(archive.entries(), Format::Quake, false);
        let parts: PartList<'_> = parts.into_iter().collect();
        let options = WriteOptions::new(Destination::File("out".into()), Format::Quake);
        let written = |sink: &dyn WriteAt| {
            let (len, findings) = write(&context, &parts, &options, sink).unwrap();
            let failed = findings.failed.iter();
            let failed: Vec<_> = failed.map(|it| (it.part, it.finding.to_string())).collect();
            (len, failed)
        };
        let (plain, referring) = (MemorySink::new(), ReferringSink(MemorySink::new()));
        assert_eq!(written(&plain), written(&referring));
        assert_eq!(plain.into_bytes(), referring.0.into_bytes());

        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(2_000_000).unwrap();
        let failed = written(&MemorySink::new());
        assert!(!failed.1.is_empty());
        assert_eq!(failed, written(&ReferringSink(MemorySink::new())));
    }
}
