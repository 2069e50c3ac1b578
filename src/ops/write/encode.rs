//! Writes an archive with compressed entries. Their sizes are known only after encoding, so payloads are
//! written in the order of the entries.
//!
//! A payload that does not become smaller is stored instead.

use crate::archive::error::{ErrorKind, Limit};
use crate::archive::{Coding, Format};
use crate::format::{Directory, Limits, Payload};
use crate::fs::WriteAt;
use crate::ops::context::Context;
use crate::ops::finding::{Finding, shares_damage};
use crate::ops::plan::options::WriteOptions;
use crate::ops::plan::part::{Findings, Part, PartList, payload_bytes};
use crate::ops::stream::{
    Block, Encoded, Encoding, Failure, PIECE, copy_stored, give_back, line, write_content,
};

/// Writes the payloads and returns the directory. Returns `None` if all parts failed, or if one failed and
/// `keep_going` is off. Then the work has stopped at that part.
pub(super) fn encode<'p>(
    context: &Context<'_>,
    parts: &'p PartList<'_>,
    options: &WriteOptions,
    sink: &dyn WriteAt,
) -> Result<(Option<Directory<'p>>, Findings), Finding> {
    let WriteOptions { to, keep_going, .. } = *options;
    context.found(parts.len() as u64, payload_bytes(parts.iter()));
    // If the user asks for a level, every payload gets it.
    let passes = options.level.is_none() || to.spec().coding != Some(Coding::Deflate);
    let entry = |position: usize| {
        let part = parts.get(position)?;
        Some((part.entry, encoding(part, to, passes)))
    };
    let mut output = Appended {
        context,
        parts,
        to,
        sink,
        directory: Directory::new(to, Limits::default()),
        begun: 0,
        given_up: false,
        sum: crc32fast::Hasher::new(),
        numbers: Vec::new(),
        findings: Findings::default(),
    };
    output.directory.check_count(parts.len())?;
    line(context, options.level, entry, |position, encoded| {
        output.add(position, encoded)?;
        Ok(keep_going || output.findings.failed.is_empty())
    })?;
    let Appended { directory, findings, .. } = output;
    let is_lacking = !findings.failed.is_empty();
    if is_lacking && (!keep_going || directory.len() == 0) {
        return Ok((None, findings));
    }
    Ok((Some(directory), findings))
}

/// How a part is encoded. If `passes` is true, a stream of the right coding is copied unchanged.
fn encoding(part: &Part<'_>, to: Format, passes: bool) -> Encoding {
    let coding = part.coding(to);
    let is_copied = coding == Coding::Stored && part.entry.is_plain() && !to.spec().states_sums;
    if part.shares.is_some() || is_copied || !part.is_read() {
        return Encoding::Skip;
    }
    if passes && part.entry.is_compressed() && part.entry.coding() == coding {
        return Encoding::Pass(coding);
    }
    Encoding::Encode(coding)
}

/// The output, to which payloads are appended in the order of the parts.
struct Appended<'s, 'p, 'a> {
    context: &'s Context<'s>,
    parts: &'p PartList<'a>,
    to: Format,
    sink: &'s dyn WriteAt,
    directory: Directory<'p>,
    /// How many bytes of the next payload are written.
    begun: u64,
    /// Whether the next payload's stream is not smaller than its content. Then the rest of it is not written, and
    /// the content is stored instead.
    given_up: bool,
    /// The CRC-32 of the next entry's content so far.
    sum: crc32fast::Hasher,
    /// The number of each part's entry in the output, or `None` if the part failed.
    numbers: Vec<Option<usize>>,
    findings: Findings,
}

impl<'p, 'a> Appended<'_, 'p, 'a> {
    /// Writes a part, or a block of it.
    fn add(&mut self, position: usize, encoded: Encoded) -> Result<(), Finding> {
        let Some(part) = self.parts.get(position) else {
            return Ok(());
        };
        let mut bytes = part.size();
        let added = match encoded {
            Encoded::Skipped => match part.shares {
                Some(first) => {
                    // The payload is already written.
                    bytes = 0;
                    self.share(part, first as usize)
                }
                None => self.copy(part, Coding::Stored),
            },
            Encoded::Passed => self.copy(part, part.coding(self.to)),
            Encoded::Block(block) => {
                bytes = block.len;
                self.block(part, block)
            }
            Encoded::Failed(error) => Err(Failure::Entry(error)),
        };
        let mut entries = 0;
        match added {
            Ok(false) => {}
            Ok(true) => {
                self.numbers.push(Some(self.directory.len() - 1));
                entries = 1;
            }
            Err(Failure::Output(error)) => return Err(error),
            Err(Failure::Entry(error)) => {
                self.begun = 0;
                self.numbers.push(None);
                self.findings.failed.push(part.finding(error));
            }
        }
        self.context.done(entries, bytes);
        Ok(())
    }

    /// Adds an entry with the payload of the part at `first`.
    fn share(&mut self, part: &'p Part<'a>, first: usize) -> Result<bool, Failure> {
        let Some(of) = self.numbers.get(first).copied().flatten() else {
            let first = self.parts.get(first).map_or(0, |it| it.entry.index());
            return Err(Failure::Entry(shares_damage(first).of_entry(&part.entry)));
        };
        let shared = self.directory.share(part.name().as_bytes().into(), of);
        shared.map_err(|error| refused(part, error))?;
        Ok(true)
    }

    /// Adds an entry with a payload that is copied from the source unchanged.
    fn copy(&mut self, part: &'p Part<'a>, coding: Coding) -> Result<bool, Failure> {
        self.begin(part)?;
        self.copy_payload(part)?;
        self.finish(part, coding, part.entry.stated_crc32().unwrap_or_default())?;
        Ok(true)
    }

    /// Writes a block of an entry. Returns whether it was the last one.
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
            self.append_stored(part)?;
            coding = Coding::Stored;
        }
        let sum = core::mem::take(&mut self.sum).finalize();
        self.finish(part, coding, sum)?;
        let odd = block.odd.into_iter().map(|error| part.finding(error));
        self.findings.odd.extend(odd);
        Ok(true)
    }

    /// Writes the content of a part without compression.
    fn append_stored(&mut self, part: &Part<'_>) -> Result<(), Failure> {
        if part.entry.is_plain() {
            return self.copy_payload(part);
        }
        let to = self.advance(part, part.size())?;
        let (mut buffer, output) = (vec![0; PIECE], (self.sink, to));
        write_content(self.context, &part.entry, &mut buffer, output, |_| {})?;
        Ok(())
    }

    fn copy_payload(&mut self, part: &Part<'_>) -> Result<(), Failure> {
        let reader = part.entry.payload().map_err(Failure::entry)?;
        let to = self.advance(part, reader.left())?;
        let from = (reader.start(), reader.left());
        copy_stored(self.context, &reader, from, (self.sink, to), |_| {})
    }

    /// Begins an entry, unless the directory has no place for it.
    fn begin(&mut self, part: &Part<'_>) -> Result<(), Failure> {
        (self.begun, self.given_up) = (0, false);
        self.sum = crc32fast::Hasher::new();
        let checked = self.directory.check(part.name().as_bytes());
        checked.map_err(|error| refused(part, error))
    }

    /// Writes the next bytes of this entry's payload.
    fn append(&mut self, part: &Part<'_>, bytes: &[u8]) -> Result<(), Failure> {
        let at = self.advance(part, bytes.len() as u64)?;
        let written = self.sink.write_at(bytes, at);
        written.map_err(Failure::output)
    }

    /// The offset of this entry's next `len` bytes.
    fn advance(&mut self, part: &Part<'_>, len: u64) -> Result<u64, Failure> {
        let at = self.directory.place(part.name().as_bytes()) + self.begun;
        let limit = self.to.spec().number_max;
        if at.saturating_add(len) > limit {
            let error = ErrorKind::OverLimit {
                what: Limit::ArchiveLength,
                value: at.saturating_add(len),
                limit,
            };
            return Err(refused(part, error));
        }
        self.begun += len;
        Ok(at)
    }

    /// Adds the entry to the directory, and writes its local header if the format has one.
    fn finish(&mut self, part: &'p Part<'a>, coding: Coding, crc32: u32) -> Result<(), Failure> {
        let name = part.name().as_bytes().into();
        let payload = Payload {
            size: part.size(),
            stored_len: core::mem::take(&mut self.begun),
            coding,
            crc32,
        };
        let added = self.directory.add(name, payload);
        added.map_err(|error| refused(part, error))?;
        if let Some((header, at)) = self.directory.last_header() {
            let written = self.sink.write_at(&header, at);
            written.map_err(Failure::output)?;
        }
        Ok(())
    }
}

/// The failure if the output has no place for a part.
fn refused(part: &Part<'_>, error: impl Into<Finding>) -> Failure {
    Failure::Output(error.into().of_entry(&part.entry))
}
