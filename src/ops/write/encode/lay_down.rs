//! The output: entries are laid down in their order, whatever order their blocks are encoded in.

use crate::ops::finding::{Finding, shares_damage};
use std::borrow::Cow;
use std::collections::BTreeMap;

use super::step::{Block, Step, What, give_back};
use crate::archive::error::ErrorKind;
use crate::archive::{Coding, Format, Sink};
use crate::format::{Directory, Limits};
use crate::ops::context::Context;
use crate::ops::plan::part::{Findings, Part};
use crate::ops::stream::{Failure, PIECE, copy, copy_stored};
use crate::ops::write::options::WriteOptions;

pub(super) struct LaidDown<'p, 'a, K> {
    context: &'p Context<'p>,
    parts: &'p [&'p Part<'a>],
    to: Format,
    sink: &'p K,
    /// Names are copied into it: it outlives the line.
    directory: Directory<'static>,
    /// How much of the next payload is laid down.
    begun: u64,
    keep_going: bool,
    /// The number of the step that comes next.
    due: u64,
    /// Whether the stream is not smaller than its content, so that it is not laid down any more.
    given_up: bool,
    /// What the content of the next entry sums up to so far.
    sum: crc32fast::Hasher,
    /// The numbers that parts have as entries; none for one that failed.
    numbers: Vec<Option<usize>>,
    findings: Findings,
}

impl<'p, 'a, K: Sink> LaidDown<'p, 'a, K> {
    pub(super) fn new(
        context: &'p Context<'p>,
        parts: &'p [&'p Part<'a>],
        options: &WriteOptions,
        sink: &'p K,
    ) -> Self {
        let WriteOptions { to, keep_going, .. } = *options;
        Self {
            context,
            parts,
            to,
            sink,
            directory: Directory::new(to, Limits::MOST),
            begun: 0,
            keep_going,
            due: 0,
            given_up: false,
            sum: crc32fast::Hasher::new(),
            numbers: Vec::new(),
            findings: Findings {
                failed: Vec::new(),
                odd: Vec::new(),
            },
        }
    }

    pub(super) fn end(self) -> (Directory<'static>, Findings) {
        (self.directory, self.findings)
    }

    /// The number of the step whose turn it is.
    pub(super) const fn due(&self) -> u64 {
        self.due
    }

    /// The step whose turn it is, if it is among those that are done.
    pub(super) fn next_due(&mut self, done: &mut BTreeMap<u64, Step>) -> Option<Step> {
        let step = done.remove(&self.due)?;
        self.due += 1;
        Some(step)
    }

    /// Lays down what a step holds. `false` where its part has failed and nothing can be written.
    pub(super) fn lay_down(&mut self, step: Step) -> Result<bool, Finding> {
        let Some(part) = self.parts.get(step.position).copied() else {
            return Ok(true);
        };
        let bytes = match &step.what {
            What::Block(block) => block.len,
            // Nothing is left to do: the payload is there already.
            What::Share(_) => 0,
            What::Copy(_) | What::Failed(_) => part.size(),
        };
        let laid = match step.what {
            What::Share(first) => self.share(part, first),
            What::Copy(coding) => self.copy(part, coding).map(|()| true),
            What::Block(block) => self.block(part, block),
            What::Failed(error) => Err(Failure::Entry(error)),
        };
        let mut goes_on = true;
        let entries = match laid {
            Ok(false) => 0,
            Ok(true) => {
                self.numbers.push(Some(self.directory.len() - 1));
                1
            }
            Err(Failure::Output(error)) => return Err(error),
            Err(Failure::Entry(error)) => {
                self.begun = 0;
                self.numbers.push(None);
                self.findings.failed.push(part.finding(error));
                goes_on = self.keep_going;
                0
            }
        };
        self.context.done(entries, bytes);
        Ok(goes_on)
    }

    fn share(&mut self, part: &'p Part<'a>, first: usize) -> Result<bool, Failure> {
        let Some(of) = self.numbers.get(first).copied().flatten() else {
            let first = self.parts.get(first).map_or(0, |it| it.entry.index());
            return Err(Failure::Entry(shares_damage(first).of_entry(&part.entry)));
        };
        let shared = self.directory.share(owned(part), of);
        shared.map_err(|error| refused(part, error))?;
        Ok(true)
    }

    /// All of an entry, as it is in the source.
    fn copy(&mut self, part: &'p Part<'a>, coding: Coding) -> Result<(), Failure> {
        self.begin(part)?;
        self.copy_payload(part)?;
        self.finish(part, coding, part.entry.stated_crc32().unwrap_or_default())
    }

    /// A block of an entry: whether it was the last one.
    fn block(&mut self, part: &'p Part<'a>, block: Block) -> Result<bool, Failure> {
        if self.begun == 0 {
            self.begin(part)?;
        }
        self.sum.combine(&block.sum);
        if !self.given_up {
            self.append(part, &block.bytes)?;
        }
        give_back(&self.context.pool, block.bytes);
        if block.coding != Coding::Stored && self.begun >= part.size() {
            self.given_up = true;
        }
        if !block.last {
            return Ok(false);
        }
        let mut coding = block.coding;
        if self.given_up {
            self.begun = 0;
            self.store(part)?;
            coding = Coding::Stored;
        }
        let sum = core::mem::take(&mut self.sum).finalize();
        self.finish(part, coding, sum)?;
        let odd = block.odd.into_iter().map(|error| part.finding(error));
        self.findings.odd.extend(odd);
        Ok(true)
    }

    /// The content of a part, as it is.
    fn store(&mut self, part: &Part<'_>) -> Result<(), Failure> {
        if part.entry.is_plain() {
            return self.copy_payload(part);
        }
        let mut buffer = vec![0; PIECE];
        let context = self.context;
        copy(context, &part.entry, &mut buffer, &mut |piece| {
            self.append(part, piece)
        })?;
        Ok(())
    }

    fn copy_payload(&mut self, part: &Part<'_>) -> Result<(), Failure> {
        let Some(extent) = part.entry.extent() else {
            return Ok(());
        };
        let reader = part.entry.stored().map_err(Failure::entry)?;
        let to = self.advance(part, extent.len)?;
        let from = (extent.offset, extent.len);
        copy_stored(self.context, &reader, from, (self.sink, to), |_| {})
    }

    /// Begins an entry, if it may be one.
    fn begin(&mut self, part: &Part<'_>) -> Result<(), Failure> {
        (self.begun, self.given_up) = (0, false);
        self.sum = crc32fast::Hasher::new();
        let checked = self.directory.check(part.name().as_bytes());
        checked.map_err(|error| refused(part, error))
    }

    /// Lays bytes down behind what was laid down for this entry.
    fn append(&mut self, part: &Part<'_>, bytes: &[u8]) -> Result<(), Failure> {
        let at = self.advance(part, bytes.len() as u64)?;
        let written = self.sink.write_at(bytes, at);
        written.map_err(Failure::output)
    }

    /// Where the next bytes go.
    fn advance(&mut self, part: &Part<'_>, len: u64) -> Result<u64, Failure> {
        let at = self.directory.place(part.name().as_bytes()) + self.begun;
        let limit = self.to.spec().number_max;
        if at.saturating_add(len) > limit {
            let error = ErrorKind::OverLimit {
                what: "the pak's length",
                value: at.saturating_add(len),
                limit,
            };
            return Err(refused(part, error));
        }
        self.begun += len;
        Ok(at)
    }

    /// Ends an entry.
    fn finish(&mut self, part: &'p Part<'a>, coding: Coding, crc32: u32) -> Result<(), Failure> {
        let name = owned(part);
        let begun = core::mem::take(&mut self.begun);
        let added = self
            .directory
            .add_summed(name, part.size(), begun, coding, crc32);
        added.map_err(|error| refused(part, error))?;
        if let Some((header, at)) = self.directory.last_header() {
            let written = self.sink.write_at(&header, at);
            written.map_err(Failure::output)?;
        }
        Ok(())
    }
}

/// The name of a part.
fn owned(part: &Part<'_>) -> Cow<'static, [u8]> {
    part.name().as_bytes().to_vec().into()
}

/// A part that the output has no place for.
fn refused(part: &Part<'_>, error: impl Into<Finding>) -> Failure {
    Failure::Output(error.into().of_entry(&part.entry))
}
