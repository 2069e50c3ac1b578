//! Reads a ZIP without its directory, by the local headers before the payloads.
//!
//! The walk begins at byte 0 and follows the sizes in the headers. If these follow the payload instead, the
//! payload is decoded to find its end. After damage, the walk continues at the next signature of a local
//! header. A header is believed if its name can be one; contents are checked when they are read.
//!
//! The time is linear in the file's length: a payload that is skipped is not searched for headers, and all
//! failed attempts to decode share a limit.

use bstr::ByteSlice as _;

use super::headers::{
    DEFLATED, DESCRIPTOR, END, END64, EntryHeader, FileWindow, LOCAL, LOCAL_LEN, LocalHeader,
    RECORD, SPLIT, STORED, add_entry,
};
use crate::archive::bytes::{u32_at, u64_at};
use crate::archive::error::Error;
use crate::archive::{ArchiveContents, Flaw, Format, Measured, Measuring, Note};
use crate::format::container::ArchiveFile;

/// How much of the file is read at once. It is much more than the longest name, so that a file full of
/// headers is not read again and again.
const PIECE: usize = 512 << 10;

/// How much is searched or decoded at once.
const STEP: usize = 64 << 10;

/// The length of the longest descriptor: signature, CRC-32, and two sizes of 64 bits.
const DESCRIPTOR_MAX: usize = 24;

/// The length of the usual descriptor, with sizes of 32 bits.
const DESCRIPTOR_MIN: u64 = 16;

/// The highest number of a compression method.
const METHOD_MAX: u16 = 99;

/// How many bytes failed attempts to decode may read and write in all, besides four times the file's length.
const FAILED: u64 = 16 << 20;

/// Reads the ZIP, or returns `None` if no local header is found.
pub(super) fn salvage(file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error> {
    let mut walk = Salvage {
        window: FileWindow::new(file.source, file.len, PIECE),
        measuring: Measuring::new(STEP),
        may_fail: file.len.saturating_mul(4).saturating_add(FAILED),
        contents: ArchiveContents::new(Format::Pk3),
    };
    let mut at = 0;
    while let Some(header) = walk.next_header(at)? {
        at = walk.entry(header)?;
    }
    let found = walk.contents.records.len();
    if found == 0 {
        return Ok(None);
    }
    let why = "its directory is missing or cut, and local headers of a ZIP are in it";
    let mut contents = walk.contents;
    contents.why = Box::new(move || vec![why.to_owned()]);
    contents.notes.push(Note::Salvaged { found });
    Ok(Some(contents))
}

/// The entries found so far.
struct Salvage<'s> {
    window: FileWindow<'s>,
    measuring: Measuring,
    /// The limit, in bytes, on what further failed attempts to decode may cost.
    may_fail: u64,
    contents: ArchiveContents,
}

/// A payload and what is known of its content.
struct SalvagedPayload {
    packed: u64,
    size: u64,
    crc32: u32,
    flaw: Option<Flaw>,
    /// Where the walk continues; `None` if the end of the payload is not certain.
    next: Option<u64>,
}

impl Salvage<'_> {
    /// The offset of the next signature of a local header.
    fn next_header(&mut self, mut at: u64) -> Result<Option<u64>, Error> {
        loop {
            let bytes = self.window.get(at, STEP)?;
            if let Some(found) = bytes.find(LOCAL) {
                return Ok(Some(at + found as u64));
            }
            if bytes.len() < LOCAL.len() {
                return Ok(None);
            }
            // The signature may begin in the last three bytes.
            at += bytes.len() as u64 - 3;
        }
    }

    /// Adds the entry of a local header if it can be one. Returns where the walk continues.
    fn entry(&mut self, at: u64) -> Result<u64, Error> {
        let after_signature = at + LOCAL.len() as u64;
        let Ok(local) = LocalHeader::read(&mut self.window, at)? else {
            return Ok(after_signature);
        };
        let (start, file) = (at + u64::from(local.len), self.window.file);
        let name = local.name(&mut self.window, at)?;
        if start > file || local.fields.method > METHOD_MAX || !can_be_a_name(name) {
            return Ok(after_signature);
        }
        if u32::try_from(self.contents.names.len()).is_err() {
            return Ok(file);
        }
        let name = name.to_vec();
        let payload = self.payload(&local.fields, start)?;
        let is_folder = name.ends_with(b"/") || name.ends_with(b"\\");
        if !is_folder || payload.size > 0 {
            let header = EntryHeader {
                crc32: payload.crc32,
                packed: payload.packed,
                size: payload.size,
                ..local.fields
            };
            let place = (start, local.len);
            add_entry(&mut self.contents, &name, &header, place, payload.flaw)?;
        }
        // No name contains a signature.
        let after_name = at + LOCAL_LEN as u64 + u64::from(local.name_len);
        Ok(payload.next.unwrap_or(after_name))
    }

    /// Finds the end of the payload that begins at `start`.
    fn payload(&mut self, local: &EntryHeader, start: u64) -> Result<SalvagedPayload, Error> {
        let mut flaw = local.flaw();
        if flaw.is_none() && local.flags & DESCRIPTOR > 0 && local.crc32 == 0 {
            return match local.method {
                STORED => self.stored_before_descriptor(local, start),
                DEFLATED => self.deflated_before_descriptor(start),
                // Where a stream of Deflate64 ends is known only to within some bytes.
                _ => Ok(SalvagedPayload::LOST),
            };
        }
        flaw = flaw.or_else(|| local.stored_length());
        let is_measured = flaw.is_none() && matches!(local.method, STORED | DEFLATED);
        Ok(SalvagedPayload {
            packed: local.packed,
            size: local.size,
            crc32: local.crc32,
            next: self.after_known_payload(local, start, is_measured)?,
            flaw,
        })
    }

    /// Where the walk continues after a payload of known length, if that seems to be right.
    fn after_known_payload(
        &mut self,
        local: &EntryHeader,
        start: u64,
        is_readable: bool,
    ) -> Result<Option<u64>, Error> {
        let end = start.saturating_add(local.packed);
        if end > self.window.file {
            return Ok(None);
        }
        if self.is_boundary(end)? {
            return Ok(Some(end));
        }
        if local.flags & DESCRIPTOR > 0
            && let Some(described) = self.descriptor(end, local.packed, local.size)?
        {
            return Ok(described.next);
        }
        // An empty payload would fit anywhere.
        if !is_readable || local.packed == 0 {
            return Ok(None);
        }
        let decoded = match local.method {
            STORED => self.sum(start, local.packed)?,
            _ => self.inflate(start, end)?,
        };
        let Some(decoded) = decoded else {
            return Ok(None);
        };
        if (decoded.size, decoded.crc32) == (local.size, local.crc32) {
            return Ok(decoded.next);
        }
        self.failed(decoded.packed.saturating_add(decoded.size));
        Ok(None)
    }

    /// Whether the file ends here, or another part of a ZIP begins here.
    fn is_boundary(&self, at: u64) -> Result<bool, Error> {
        let (found, _) = self.window.peek(at)?;
        Ok(at == self.window.file || [LOCAL, RECORD, END, END64].contains(&found))
    }

    /// A stored payload: it ends before the first descriptor that states its length. A header ends the search.
    fn stored_before_descriptor(
        &mut self,
        local: &EntryHeader,
        start: u64,
    ) -> Result<SalvagedPayload, Error> {
        let end = start.saturating_add(local.packed);
        if local.packed > 0 && self.is_cut_descriptor(end) {
            let decoded = self.sum(start, local.packed)?;
            return Ok(decoded.unwrap_or(SalvagedPayload::LOST));
        }
        if self.may_fail == 0 {
            return Ok(SalvagedPayload::LOST);
        }
        let mut at = start;
        loop {
            let bytes = self.window.get(at, STEP)?;
            let Some(found) = bytes.find(b"PK") else {
                if bytes.len() > 1 {
                    at += bytes.len() as u64 - 1;
                    continue;
                }
                at = self.window.file;
                break;
            };
            at += found as u64;
            let signature = self.window.get(at, LOCAL.len())?;
            if signature == LOCAL || signature == RECORD {
                break;
            }
            let size = at - start;
            if signature == SPLIT
                && let Some(described) = self.descriptor(at, size, size)?
            {
                return Ok(described);
            }
            at += 2;
        }
        // Only here can a descriptor lack its signature. The file may end in the signature of a header.
        let tails = if at == self.window.file { 4 } else { 1 };
        for len in [12, 20] {
            for tail in 0..tails {
                if let Some(size) = (at - start).checked_sub(len + tail)
                    && let Some(described) = self.descriptor(start + size, size, size)?
                {
                    return Ok(described);
                }
            }
        }
        self.failed(at - start);
        Ok(SalvagedPayload::LOST)
    }

    /// A deflated payload: its stream says where it ends.
    fn deflated_before_descriptor(&mut self, start: u64) -> Result<SalvagedPayload, Error> {
        let Some(decoded) = self.inflate(start, self.window.file)? else {
            return Ok(SalvagedPayload::LOST);
        };
        let end = start + decoded.packed;
        if let Some(described) = self.descriptor(end, decoded.packed, decoded.size)? {
            return Ok(described);
        }
        if self.is_cut_descriptor(end) {
            return Ok(decoded);
        }
        self.failed(decoded.packed.saturating_add(decoded.size));
        Ok(SalvagedPayload::LOST)
    }

    /// Whether the file ends before a descriptor at this offset does. Then the content has no checksum, and
    /// its whole length shows that it is whole.
    fn is_cut_descriptor(&self, at: u64) -> bool {
        let left = self.window.file.checked_sub(at);
        left.is_some_and(|left| left < DESCRIPTOR_MIN)
    }

    /// The payload that the descriptor at this offset describes, if it states these sizes.
    fn descriptor(
        &self,
        at: u64,
        packed: u64,
        size: u64,
    ) -> Result<Option<SalvagedPayload>, Error> {
        let (bytes, len) = self.window.peek::<DESCRIPTOR_MAX>(at)?;
        let bytes = bytes.get(..len).unwrap_or_default();
        for lead in [4, 0] {
            if lead == 4 && !bytes.starts_with(&SPLIT) {
                continue;
            }
            let small = [u32_at(bytes, lead + 4), u32_at(bytes, lead + 8)].map(u64::from);
            let large = [u64_at(bytes, lead + 4), u64_at(bytes, lead + 12)];
            for (sizes, len) in [(large, lead + 20), (small, lead + 12)] {
                if sizes == [packed, size] && bytes.len() >= len {
                    let (crc32, next) = (u32_at(bytes, lead), at + len as u64);
                    return Ok(Some(SalvagedPayload::new(packed, size, crc32, next)));
                }
            }
        }
        Ok(None)
    }

    /// Decodes a stream that begins at `start` and ends before `limit`. `None` if it is damaged, or if too
    /// much was tried before.
    fn inflate(&mut self, start: u64, limit: u64) -> Result<Option<SalvagedPayload>, Error> {
        if self.may_fail == 0 {
            return Ok(None);
        }
        self.measuring.restart();
        loop {
            let at = start + self.measuring.packed();
            let left = usize::try_from(limit.saturating_sub(at)).unwrap_or(STEP);
            let input = self.window.get(at, left.min(STEP))?;
            let measured = self.measuring.measure(input);
            let (packed, size) = (self.measuring.packed(), self.measuring.size());
            match measured {
                Measured::Continues => {}
                Measured::Damaged => {
                    self.failed(packed.saturating_add(size));
                    return Ok(None);
                }
                Measured::Ended { crc32 } => {
                    let next = start.saturating_add(packed);
                    return Ok(Some(SalvagedPayload::new(packed, size, crc32, next)));
                }
            }
        }
    }

    /// Sums up a stored payload.
    fn sum(&mut self, start: u64, len: u64) -> Result<Option<SalvagedPayload>, Error> {
        if self.may_fail == 0 {
            return Ok(None);
        }
        let mut sum = crc32fast::Hasher::new();
        let mut done = 0;
        while done < len {
            let left = usize::try_from(len - done).unwrap_or(STEP);
            let bytes = self.window.get(start + done, left.min(STEP))?;
            if bytes.is_empty() {
                return Ok(None);
            }
            sum.update(bytes);
            done += bytes.len() as u64;
        }
        let next = start.saturating_add(len);
        Ok(Some(SalvagedPayload::new(len, len, sum.finalize(), next)))
    }

    /// Counts the cost of a failed attempt to decode.
    fn failed(&mut self, bytes: u64) {
        self.may_fail = self.may_fail.saturating_sub(bytes);
    }
}

impl SalvagedPayload {
    /// A payload whose end is certain, after which the walk continues at `next`.
    const fn new(packed: u64, size: u64, crc32: u32, next: u64) -> Self {
        Self { packed, size, crc32, flaw: None, next: Some(next) }
    }

    /// A payload whose end is not found.
    const LOST: Self = Self { packed: 0, size: 0, crc32: 0, flaw: Some(Flaw::NoEnd), next: None };
}

/// Whether this can be the name of an entry. Signatures that are no header's are followed by numbers.
fn can_be_a_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(u8::is_ascii_control)
}
