//! The output: entries are laid down in their order, whatever order their jobs are done in.

use std::collections::BTreeMap;

use super::{Block, Job, Step};
use crate::codec::END_MARKER;
use crate::error::{Error, ErrorKind};
use crate::ops::assemble::part::{Part, Parts};
use crate::ops::assemble::{Crew, Failure, Found, Tally, of_copy, of_output};
use crate::ops::context::Work;
use crate::pak::{Coding, Layout, Limits, Sink, Writer};

/// How much is copied at once, so that a stop is heard.
const COPY: u64 = 1 << 20;

/// How much is decoded at once where a stream is taken apart to be stored.
const BUFFER: usize = 64 * 1024;

pub(super) struct Lay<'a, K> {
    crew: Crew<'a>,
    parts: &'a dyn Parts,
    writer: Writer<'a, &'a K>,
    keep_going: bool,
    /// The number of the job that comes next.
    due: u64,
    /// Jobs that were done too soon.
    early: BTreeMap<u64, Job>,
    /// The part whose entry is begun.
    begun: Option<usize>,
    /// Whether its stream is not smaller than its content, so that it is not laid down any more.
    given_up: bool,
    /// The numbers that parts have as entries; none for one that failed.
    numbers: Vec<Option<usize>>,
    tally: Tally,
}

impl<'a, K: Sink> Lay<'a, K> {
    pub(super) fn new(
        crew: Crew<'a>,
        parts: &'a dyn Parts,
        layout: Layout,
        keep_going: bool,
        sink: &'a K,
    ) -> Self {
        Self {
            crew,
            parts,
            writer: Writer::new(sink, layout, Limits::default()),
            keep_going,
            due: 0,
            early: BTreeMap::new(),
            begun: None,
            given_up: false,
            numbers: Vec::new(),
            tally: Tally::default(),
        }
    }

    pub(super) fn end(self) -> (Writer<'a, &'a K>, Tally) {
        (self.writer, self.tally)
    }

    /// Takes a job that is done.
    pub(super) fn put(&mut self, job: Job) {
        self.early.insert(job.number, job);
    }

    /// The job whose turn it is, if it is done.
    pub(super) fn next_due(&mut self) -> Option<Job> {
        let job = self.early.remove(&self.due)?;
        self.due += 1;
        Some(job)
    }

    /// Lays down what a job holds. `false` where its part has failed and nothing can be written.
    pub(super) fn lay_down(&mut self, job: Job) -> Result<bool, Error> {
        let index = job.index;
        let Some(part) = self.parts.part(index) else {
            return Ok(true);
        };
        let bytes = match &job.step {
            Step::Block(block) => block.len,
            // Nothing is left to do: the payload is there already.
            Step::Share(_) => 0,
            Step::Copy(_) | Step::Failed(_) => part.size(),
        };
        let laid = match job.step {
            Step::Share(first) => self.share(part, first).map(Some),
            Step::Copy(coding) => self.copy(part, coding).map(Some),
            Step::Block(block) => self.block(index, part, block),
            Step::Failed(error) => Err(Failure::Part(error)),
        };
        let mut work = Work { entries: 0, bytes };
        let mut goes_on = true;
        match laid {
            Ok(None) => {}
            Ok(Some(number)) => {
                self.numbers.push(Some(number));
                work.entries = 1;
            }
            Err(Failure::End(error)) => return Err(error),
            Err(Failure::Part(error)) => {
                self.writer.abandon();
                self.begun = None;
                self.numbers.push(None);
                self.tally.failed.push(Found { index, error });
                goes_on = self.keep_going;
            }
        }
        self.crew.observer.done(work);
        Ok(goes_on)
    }

    fn share(&mut self, part: Part<'a>, first: usize) -> Result<usize, Failure> {
        let Some(of) = self.numbers.get(first).copied().flatten() else {
            let first = match self.parts.part(first) {
                Some(Part::Entry(entry, _)) => entry.index(),
                _ => first,
            };
            let error = part.located(ErrorKind::SharesDamage { first }.into());
            return Err(Failure::Part(error));
        };
        let shared = self.writer.share(part.name(), of);
        shared.map_err(|error| written(error, part))
    }

    /// All of an entry, as it is in the source.
    fn copy(&mut self, part: Part<'a>, coding: Coding) -> Result<usize, Failure> {
        let begun = self.writer.begin(part.name());
        begun.map_err(|error| written(error, part))?;
        match (coding, part.stream_at()) {
            (Coding::Compressed, Some((from, len))) => self.copy_range(part, from, len)?,
            _ => self.store(part)?,
        }
        let ended = self.writer.end(part.size(), coding);
        ended.map_err(|error| written(error, part))
    }

    /// A block of an entry: the entry's number, if that was its last one.
    fn block(
        &mut self,
        index: usize,
        part: Part<'a>,
        block: Block,
    ) -> Result<Option<usize>, Failure> {
        if self.begun != Some(index) {
            let begun = self.writer.begin(part.name());
            begun.map_err(|error| written(error, part))?;
            self.begun = Some(index);
            self.given_up = false;
        }
        let ends: &[u8] = match block.coding {
            Coding::Compressed if block.last => &[END_MARKER],
            _ => &[],
        };
        for bytes in [&block.bytes, ends] {
            if !self.given_up {
                let appended = self.writer.append(bytes);
                appended.map_err(|error| written(error, part))?;
            }
            if block.coding == Coding::Compressed && self.writer.appended() >= part.size() {
                self.writer.rewind();
                self.given_up = true;
            }
        }
        if !block.last {
            return Ok(None);
        }
        self.begun = None;
        let mut coding = block.coding;
        if self.given_up {
            self.store(part)?;
            coding = Coding::Stored;
        }
        let ended = self.writer.end(part.size(), coding);
        let number = ended.map_err(|error| written(error, part))?;
        self.tally.odd.extend(block.odd);
        Ok(Some(number))
    }

    /// The content of a part, as it is.
    fn store(&mut self, part: Part<'a>) -> Result<(), Failure> {
        if part.size() == 0 {
            return Ok(());
        }
        if let Some(from) = part.stored_at() {
            return self.copy_range(part, from, part.size());
        }
        let mut content = part.content().map_err(Failure::Part)?;
        let mut buffer = vec![0; BUFFER];
        loop {
            self.crew.cancel.check().map_err(Failure::End)?;
            let read = content.read_full(&mut buffer).map_err(Failure::Part)?;
            if read == 0 {
                return content.finish().map(drop).map_err(Failure::Part);
            }
            let appended = self.writer.append(buffer.get(..read).unwrap_or_default());
            appended.map_err(|error| written(error, part))?;
        }
    }

    fn copy_range(&mut self, part: Part<'a>, from: u64, len: u64) -> Result<(), Failure> {
        let source = part.source().map_err(Failure::Part)?;
        let mut done = 0;
        while done < len {
            self.crew.cancel.check().map_err(Failure::End)?;
            let (at, next) = (from + done, (len - done).min(COPY));
            let copied = self.writer.append_from(source.get(), at, next);
            copied.map_err(|error| match error.into_kind() {
                ErrorKind::Io(error) => of_copy(error, part, source.get(), at),
                kind => Failure::End(part.located(kind.into())),
            })?;
            done += next;
        }
        match part {
            Part::Loose(loose) => loose.unchanged(source.get()).map_err(Failure::Part),
            Part::Entry(..) => Ok(()),
        }
    }
}

/// A failure of the writer: of its output, or of a limit that the part exceeds.
fn written(error: Error, part: Part<'_>) -> Failure {
    Failure::End(match error.kind() {
        ErrorKind::Io(_) => of_output(error),
        _ => part.located(error),
    })
}
