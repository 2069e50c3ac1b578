//! Reads a ZIP without its directory, by the local headers before the payloads.
//!
//! The walk begins at byte 0 and follows the sizes in the headers. If these follow the payload instead, the
//! payload is decoded to find its end. After damage, the walk continues at the next signature of a local
//! header. A header is believed if its name can be one; contents are checked when they are read.
//!
//! The time is linear in the file's length: a payload that is passed over is not searched for headers, and
//! all failed attempts to decode share a limit.

use bstr::ByteSlice as _;

use super::headers::{
    DEFLATED, DESCRIPTOR, ENCRYPTED, END, END64, LOCAL, LOCAL_LEN, RECORD, SPLIT, STORED, UTF8,
    current_folder, eight, four,
};
use super::local::{FileWindow, Local};
use crate::archive::error::Error;
use crate::archive::{
    ArchiveContents, Coding, EntryRecord, Flaw, Format, Measured, Measuring, Note, Quirks,
};
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
        records: Vec::new(),
        names: Vec::new(),
        flaws: Vec::new(),
        quirks: Quirks::default(),
    };
    let mut at = 0;
    while let Some(header) = walk.next_header(at)? {
        at = walk.entry(header)?;
    }
    let found = walk.records.len();
    if found == 0 {
        return Ok(None);
    }
    walk.records.shrink_to_fit();
    walk.names.shrink_to_fit();
    Ok(Some(ArchiveContents {
        flaws: walk.flaws,
        quirks: walk.quirks,
        why: Box::new(vec![
            "its directory is missing or cut, and local headers of a ZIP are in it".to_owned(),
        ]),
        notes: vec![Note::Salvaged { found }],
        ..ArchiveContents::new(Format::Pk3, walk.records, walk.names)
    }))
}

/// The entries found so far.
struct Salvage<'s> {
    window: FileWindow<'s>,
    measuring: Measuring,
    /// How many more bytes failed attempts to decode may cost.
    may_fail: u64,
    records: Vec<EntryRecord>,
    /// All names, concatenated.
    names: Vec<u8>,
    flaws: Vec<(usize, Flaw)>,
    quirks: Quirks,
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
        let Ok(local) = Local::read(&mut self.window, at)? else {
            return Ok(after_signature);
        };
        let (start, file) = (at + u64::from(local.len), self.window.file);
        let name = local.name(&mut self.window, at)?;
        if start > file || local.method > METHOD_MAX || !can_be_a_name(name) {
            return Ok(after_signature);
        }
        let is_folder = name.ends_with(b"/") || name.ends_with(b"\\");
        let prefix = current_folder(name);
        let Ok(name_at) = u32::try_from(self.names.len()) else {
            return Ok(file);
        };
        self.names.extend_from_slice(name);
        let after_name = at + LOCAL_LEN as u64 + u64::from(local.name_len);
        let payload = self.payload(&local, start)?;
        // No name contains a signature.
        let next = payload.next.unwrap_or(after_name);
        if is_folder && payload.size == 0 {
            self.names.truncate(name_at as usize);
            return Ok(next);
        }
        let index = self.records.len();
        self.flaws.extend(payload.flaw.map(|flaw| (index, flaw)));
        if local.flags & UTF8 > 0 {
            Quirks::mark(&mut self.quirks.utf8, index);
        }
        self.records.push(EntryRecord {
            offset: start,
            size: payload.size,
            stored_len: payload.packed,
            name_at: name_at.saturating_add(prefix.into()),
            name_len: local.name_len - prefix,
            coding: match local.method {
                STORED => Coding::Stored,
                _ => Coding::Deflate,
            },
            crc32: Some(payload.crc32),
            lead: local.len,
        });
        Ok(next)
    }

    /// Finds the end of the payload that begins at `start`.
    fn payload(&mut self, local: &Local, start: u64) -> Result<SalvagedPayload, Error> {
        let (packed, size) = (local.packed, local.size);
        let flaw = if local.flags & ENCRYPTED > 0 {
            Some(Flaw::Encrypted)
        } else if local.method != STORED && local.method != DEFLATED {
            Some(Flaw::Method(local.method))
        } else if local.flags & DESCRIPTOR > 0 && local.crc32 == 0 {
            return match local.method {
                STORED => self.stored_before_descriptor(local, start),
                _ => self.deflated_before_descriptor(start),
            };
        } else if local.method == STORED && size != packed {
            Some(Flaw::StoredLength { size, packed })
        } else {
            None
        };
        Ok(SalvagedPayload {
            packed,
            size,
            crc32: local.crc32,
            next: self.after_known_payload(local, start, flaw.is_none())?,
            flaw,
        })
    }

    /// Where the walk continues after a payload of known length, if that seems to be right.
    fn after_known_payload(
        &mut self,
        local: &Local,
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
            && let Some(descriptor) = self.descriptor(end, local.packed, local.size)?
        {
            return Ok(Some(descriptor.end));
        }
        // An empty payload would fit anywhere.
        if !is_readable || local.packed == 0 {
            return Ok(None);
        }
        let decoded = match local.method {
            STORED => self.sum(start, local.packed)?,
            _ => self.inflate(start, end)?,
        };
        match decoded {
            Some(it) if (it.size, it.crc32) == (local.size, local.crc32) => {
                Ok(Some(start.saturating_add(it.packed)))
            }
            Some(it) => {
                self.failed(it.packed.saturating_add(it.size));
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// Whether the file ends here, or another part of a ZIP begins here.
    fn is_boundary(&self, at: u64) -> Result<bool, Error> {
        let (found, _) = self.window.peek(at)?;
        Ok(at == self.window.file || [LOCAL, RECORD, END, END64].contains(&found))
    }

    /// A stored payload: it ends before the first descriptor that states its length. A header ends the search.
    fn stored_before_descriptor(
        &mut self,
        local: &Local,
        start: u64,
    ) -> Result<SalvagedPayload, Error> {
        let end = start.saturating_add(local.packed);
        if local.packed > 0 && self.is_cut_descriptor(end) {
            let decoded = self.sum(start, local.packed)?;
            return Ok(decoded.map_or(SalvagedPayload::LOST, |it| it.payload(start)));
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
                && let Some(descriptor) = self.descriptor(at, size, size)?
            {
                return Ok(descriptor.payload(size, size));
            }
            at += 2;
        }
        // Only here can a descriptor lack its signature. The file may end in the signature of a header.
        let tails = if at == self.window.file { 4 } else { 1 };
        for len in [12, 20] {
            for tail in 0..tails {
                if let Some(size) = (at - start).checked_sub(len + tail)
                    && let Some(descriptor) = self.descriptor(start + size, size, size)?
                {
                    return Ok(descriptor.payload(size, size));
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
        if let Some(descriptor) = self.descriptor(end, decoded.packed, decoded.size)? {
            return Ok(descriptor.payload(decoded.packed, decoded.size));
        }
        if self.is_cut_descriptor(end) {
            return Ok(decoded.payload(start));
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

    /// The descriptor at this offset, if it states these sizes.
    fn descriptor(&self, at: u64, packed: u64, size: u64) -> Result<Option<Descriptor>, Error> {
        let (bytes, len) = self.window.peek::<DESCRIPTOR_MAX>(at)?;
        let bytes = bytes.get(..len).unwrap_or_default();
        for lead in [4, 0] {
            if lead == 4 && !bytes.starts_with(&SPLIT) {
                continue;
            }
            let small = [four(bytes, lead + 4), four(bytes, lead + 8)].map(u64::from);
            let large = [eight(bytes, lead + 4), eight(bytes, lead + 12)];
            for (sizes, len) in [(large, lead + 20), (small, lead + 12)] {
                if sizes == [packed, size] && bytes.len() >= len {
                    return Ok(Some(Descriptor {
                        crc32: four(bytes, lead),
                        end: at + len as u64,
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Decodes a stream that begins at `start` and ends before `limit`. `None` if it is damaged, or if too
    /// much was tried before.
    fn inflate(&mut self, start: u64, limit: u64) -> Result<Option<DecodedPayload>, Error> {
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
                Measured::Goes => {}
                Measured::Damaged => {
                    self.failed(packed.saturating_add(size));
                    return Ok(None);
                }
                Measured::Ended { crc32 } => {
                    return Ok(Some(DecodedPayload {
                        packed,
                        size,
                        crc32,
                    }));
                }
            }
        }
    }

    /// Sums up a stored payload.
    fn sum(&mut self, start: u64, len: u64) -> Result<Option<DecodedPayload>, Error> {
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
        Ok(Some(DecodedPayload {
            packed: len,
            size: len,
            crc32: sum.finalize(),
        }))
    }

    /// Counts the cost of an attempt to decode that failed.
    fn failed(&mut self, bytes: u64) {
        self.may_fail = self.may_fail.saturating_sub(bytes);
    }
}

/// What a payload decodes to.
struct DecodedPayload {
    packed: u64,
    size: u64,
    crc32: u32,
}

impl DecodedPayload {
    /// The payload that begins at `start` and decodes to this.
    fn payload(self, start: u64) -> SalvagedPayload {
        SalvagedPayload {
            packed: self.packed,
            size: self.size,
            crc32: self.crc32,
            flaw: None,
            next: Some(start.saturating_add(self.packed)),
        }
    }
}

/// The numbers after a payload, besides its sizes.
struct Descriptor {
    crc32: u32,
    end: u64,
}

impl Descriptor {
    /// The payload that it describes.
    fn payload(self, packed: u64, size: u64) -> SalvagedPayload {
        SalvagedPayload {
            packed,
            size,
            crc32: self.crc32,
            flaw: None,
            next: Some(self.end),
        }
    }
}

impl SalvagedPayload {
    /// A payload whose end is not found.
    const LOST: Self = Self {
        packed: 0,
        size: 0,
        crc32: 0,
        flaw: Some(Flaw::NoEnd),
        next: None,
    };
}

/// Whether this can be the name of an entry. Signatures that are no header's are followed by numbers.
fn can_be_a_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(u8::is_ascii_control)
}
