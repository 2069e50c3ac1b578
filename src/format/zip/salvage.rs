//! Reads a ZIP without its directory, by the local headers before the payloads.
//!
//! The walk begins at byte 0 and follows the sizes in the headers. If these follow a deflated payload instead,
//! it is decoded to find its end. After damage, the walk continues at the next signature of a local header. A
//! header is believed if its name can be one; contents are checked when they are read.
//!
//! The time is linear in the file's length: a payload that is skipped is not searched for headers, and all
//! failed attempts to decode share a limit.

use bstr::ByteSlice as _;

use super::headers::{
    DEFLATED, DESCRIPTOR, END, END64, EntryHeader, FileWindow, LOCAL, LOCAL_LEN, LocalHeader,
    RECORD, SPLIT, add_entry,
};
use super::read::read_headers;
use crate::archive::bytes::{u32_at, u64_at};
use crate::archive::error::Error;
use crate::archive::{ArchiveContents, Flaw, Format, Measuring, Note};
use crate::format::container::ArchiveFile;

/// How much of the file is read at once. It is much more than the longest name, so that a file full of
/// headers is not read again and again.
const PIECE: usize = 512 << 10;

/// How much is searched or decoded at once.
const STEP: usize = 64 << 10;

/// The length of the longest descriptor: signature, CRC-32, and two sizes of 64 bits.
const DESCRIPTOR_MAX: usize = 24;

/// The highest number of a compression method.
const METHOD_MAX: u16 = 99;

/// How many bytes failed attempts to decode may read and write in all, besides four times the file's length.
const FAILED: u64 = 16 << 20;

/// Reads the ZIP, or returns `None` if no local header is found.
pub(super) fn salvage(file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error> {
    let mut walk = Salvage {
        window: FileWindow::new(file.source, file.len, PIECE),
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
    contents.read_headers = Some(read_headers);
    contents.why = Box::new(move || vec![why.to_owned()]);
    contents.notes.push(Note::Salvaged { found });
    Ok(Some(contents))
}

/// The entries found so far.
struct Salvage<'s> {
    window: FileWindow<'s>,
    /// The limit, in bytes, on what further failed attempts to decode may cost.
    may_fail: u64,
    contents: ArchiveContents,
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
        let mut header = local.fields;
        let mut flaw = header.flaw().or_else(|| header.stored_length());
        // No name contains a signature.
        let mut next = at + LOCAL_LEN as u64 + u64::from(local.name_len);
        if flaw.is_none() && header.flags & DESCRIPTOR > 0 && header.crc32 == 0 {
            match self.before_descriptor(&mut header, start)? {
                Some(end) => next = end,
                None => flaw = Some(Flaw::NoEnd),
            }
        } else {
            let end = start.saturating_add(header.packed);
            let (found, _) = self.window.peek(end)?;
            if end == file || [LOCAL, RECORD, END, END64, SPLIT].contains(&found) {
                next = end;
            }
        }
        let is_folder = name.ends_with(b"/") || name.ends_with(b"\\");
        if !is_folder || header.size > 0 {
            add_entry(&mut self.contents, &name, &header, at, flaw)?;
        }
        Ok(next)
    }

    /// Decodes a deflated payload whose sizes follow it, and puts them into the header. Returns the end of the
    /// descriptor; `None` if the payload is damaged or stored, or if too much was tried before.
    fn before_descriptor(
        &mut self,
        header: &mut EntryHeader,
        start: u64,
    ) -> Result<Option<u64>, Error> {
        (header.packed, header.size) = (0, 0);
        if header.method != DEFLATED || self.may_fail == 0 {
            return Ok(None);
        }
        let mut stream = Measuring::new(STEP);
        let ended = loop {
            match stream.measure(self.window.get(start + stream.packed(), STEP)?) {
                Some(false) => {}
                ended => break ended.is_some(),
            }
        };
        let (packed, size) = (stream.packed(), stream.size());
        let (bytes, len) = self.window.peek::<DESCRIPTOR_MAX>(start + packed)?;
        let bytes = bytes.get(..len).unwrap_or_default();
        let fields = bytes.strip_prefix(&SPLIT).unwrap_or(bytes);
        let large = [u64_at(fields, 4), u64_at(fields, 12)];
        let small = [u32_at(fields, 4), u32_at(fields, 8)].map(u64::from);
        for (sizes, len) in [(large, 20), (small, 12)] {
            if ended && sizes == [packed, size] && fields.len() >= len {
                (header.packed, header.size, header.crc32) = (packed, size, u32_at(fields, 0));
                let before = bytes.len() - fields.len();
                return Ok(Some(start + packed + (before + len) as u64));
            }
        }
        self.may_fail = self.may_fail.saturating_sub(packed.saturating_add(size));
        Ok(None)
    }
}

/// Whether this can be the name of an entry. Signatures that are no header's are followed by numbers.
fn can_be_a_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(u8::is_ascii_control)
}
