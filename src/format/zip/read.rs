//! Reads a ZIP by its directory.
//!
//! Every whole record of the directory becomes an entry, whatever number the end record claims. Only the
//! name and the numbers of a record are kept: extra fields and comments can be a hundred times as long.

use super::end::{EndRecord, Tail, find_end};
use super::headers::{
    EntryHeader, FileWindow, LOCAL, LocalHeader, RECORD, RECORD_LEN, add_entry, field, larger,
};
use super::salvage::salvage;
use crate::archive::bytes::{u16_at, u32_at};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{
    Archive, ArchiveContents, Coding, Entry, Extent, Flaw, Format, LocalFacts, Note, Quirks,
    RawDirectory, ReadAt, Structure, read_more,
};
use crate::format::container::ArchiveFile;

/// How much of a directory is read at once.
const CHUNK: usize = 8 << 20;

/// How much is read at a local header that is far away from all others.
const NEAR: usize = 4 << 10;

/// How much is read of one header if no others are wanted. Most are shorter.
const ALONE: usize = 256;

/// How far local headers may be apart to be read at once. Copying the bytes between them takes a few microseconds, as
/// another read of a local file does; on a share, each read takes a thousand times as long.
const GAP: u64 = 32 << 10;

/// How much is read at once at most for local headers.
const WINDOW: u64 = 2 << 20;

/// Reads a ZIP. `None` if the file is none.
///
/// A file that ends in a ZIP is one (such as a self-extractor), unless it begins as another archive.
pub(crate) fn read(file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error> {
    let begins = Format::Pk3.spec().begins(file.start);
    let tail = Tail::read(file.source, file.len)?;
    let read = match find_end(&tail, file.len) {
        Ok(Some(end)) => read_with(file, &tail, end).map(Some),
        Ok(None) if begins || file.options.format.is_some() => Err(ErrorKind::NoZipEnd.into()),
        Ok(None) => Ok(None),
        // A file with an invalid end record is what it begins as.
        Err(error) if !begins && !matches!(error.kind(), ErrorKind::Io(_)) => Ok(None),
        Err(error) => Err(error),
    };
    if file.options.salvage
        && lacks_directory(&read, file)
        && let Some(contents) = salvage(file)?
    {
        return Ok(Some(contents));
    }
    read
}

/// Whether the directory is missing or cut. The directory of an archive inside of the last entry is not the
/// ZIP's own.
fn lacks_directory(read: &Result<Option<ArchiveContents>, Error>, file: &ArchiveFile<'_>) -> bool {
    let contents = match read {
        Ok(Some(contents)) => contents,
        Ok(None) => return false,
        Err(error) => {
            let kind = error.kind();
            return matches!(kind, ErrorKind::NoZipEnd | ErrorKind::NoZipDirectory { .. });
        }
    };
    let begins = file.start.starts_with(&LOCAL);
    contents.notes.iter().any(|note| match note {
        Note::DirectoryCut { .. } => true,
        Note::Before { .. } => begins,
        _ => false,
    })
}

/// Whether a file that does not begin as an archive ends in a ZIP, such as a self-extractor.
pub(crate) fn ends_in_a_zip(source: &dyn ReadAt) -> std::io::Result<bool> {
    let len = source.size()?;
    let found = Tail::read(source, len).and_then(|tail| find_end(&tail, len));
    Ok(found.is_ok_and(|end| end.is_some()))
}

/// Reads the ZIP with this end record.
fn read_with(
    file: &ArchiveFile<'_>,
    source: &Tail<'_>,
    end: EndRecord,
) -> Result<ArchiveContents, Error> {
    let mut directory =
        ZipDirectory { contents: ArchiveContents::new(Format::Pk3), folders: 0, from_here: 0 };
    let held = read_directory(source, end, |central| directory.add(central, end))?;
    let claimed = end.directory;
    if held.records == 0 && claimed.len > 0 {
        let Extent { offset, len } = claimed;
        return Err(ErrorKind::NoZipDirectory { offset, len }.into());
    }
    let mut header = vec![0; usize::try_from(end.records.len).unwrap_or_default()];
    let read = source.read_full_at(&mut header, end.records.offset);
    header.truncate(read.map_err(Error::from_io)?);
    let (why, notes) = (why(end, &directory), notes(end, &held));
    let mut contents = directory.contents;
    contents.header = header;
    contents.directory = RawDirectory::Sum(held.sum);
    contents.structure = Structure {
        header: end.records,
        directory: Extent { offset: claimed.offset, len: held.len },
        claimed: claimed.len,
    };
    contents.why = Box::new(move || why.clone());
    contents.notes = notes;
    contents.read_headers = Some(read_headers);
    contents.quirks.larger_end = end.larger;
    contents.quirks.larger_end_needed = end.larger && end.needs_larger;
    contents.quirks.begins_otherwise = held.records > 0 && !file.start.starts_with(&LOCAL);
    Ok(contents)
}

/// Everything unusual in the ZIP as a whole.
fn notes(end: EndRecord, held: &DirectoryRead) -> Vec<Note> {
    let (claimed, held, found) = (end.directory.len, held.len, held.records);
    let mut notes = Vec::new();
    if found == 0 {
        notes.push(Note::Empty);
    }
    if held < claimed {
        notes.push(Note::DirectoryCut { claimed, held });
    } else if held == claimed && end.entries != found {
        let claimed = end.entries;
        notes.push(Note::EntryCount { claimed, found });
    }
    if end.before > 0 {
        notes.push(Note::Before { bytes: end.before });
    }
    notes
}

/// The reasons why it is a ZIP, in sentences.
fn why(end: EndRecord, directory: &ZipDirectory) -> Vec<String> {
    let Extent { offset, len } = end.directory;
    let mut why = vec![format!(
        "its end record, at byte {}, puts a ZIP's directory of {len} bytes at byte {offset}",
        end.records.offset
    )];
    for (count, what) in [
        (directory.folders, "folders, which are passed over"),
        (directory.contents.quirks.links.len(), "symbolic links, read as what they lead to"),
        (directory.from_here, "named from \"./\" on, read without it"),
    ] {
        if count > 0 {
            why.push(format!("entries that are {what}: {count}"));
        }
    }
    why
}

/// The part of a directory that was read.
struct DirectoryRead {
    /// The number of whole records.
    records: u64,
    /// Their length in bytes.
    len: u64,
    /// Their CRC-32.
    sum: u32,
}

/// Visits the records of the directory up to the first incomplete one: a sparse file can claim gigabytes of
/// them.
fn read_directory(
    source: &dyn ReadAt,
    end: EndRecord,
    mut visit: impl FnMut(&Central<'_>) -> Result<(), Error>,
) -> Result<DirectoryRead, Error> {
    let mut buffer = Vec::new();
    let mut sum = crc32fast::Hasher::new();
    let (mut records, mut whole) = (0, 0_u64);
    let mut left = end.directory.len.min(u32::MAX.into());
    while left > 0 {
        let chunk = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
        let at = whole.saturating_add(buffer.len() as u64);
        let at = end.directory.offset.saturating_add(at);
        let read = read_more(source, &mut buffer, chunk, at)?;
        left -= chunk as u64;
        let mut done = 0;
        while let Some((central, len)) = Central::parse(buffer.get(done..).unwrap_or_default()) {
            visit(&central)?;
            records += 1;
            done += len;
        }
        sum.update(buffer.get(..done).unwrap_or_default());
        buffer.drain(..done);
        whole += done as u64;
        // A record is shorter than a chunk.
        if read < chunk || done == 0 {
            break;
        }
    }
    Ok(DirectoryRead { records, len: whole, sum: sum.finalize() })
}

/// A record of the directory.
struct Central<'a> {
    fixed: &'a [u8],
    name: &'a [u8],
    extra: &'a [u8],
}

impl<'a> Central<'a> {
    /// Parses the record at the beginning of `bytes`, and returns its length, too.
    fn parse(bytes: &'a [u8]) -> Option<(Self, usize)> {
        let (fixed, rest) = bytes.split_at_checked(RECORD_LEN)?;
        if !fixed.starts_with(&RECORD) {
            return None;
        }
        let (name, extra) = (usize::from(u16_at(fixed, 28)), usize::from(u16_at(fixed, 30)));
        let len = name + extra + usize::from(u16_at(fixed, 32));
        let central = Self {
            fixed,
            name: rest.get(..len)?.get(..name)?,
            extra: rest.get(name..name + extra)?,
        };
        Some((central, RECORD_LEN + len))
    }

    /// Its fields that the local header has, too, and the offset of that header.
    fn header(&self) -> (EntryHeader, u64) {
        let mut header = EntryHeader::read(self.fixed, 8);
        let small = [header.size, header.packed, u32_at(self.fixed, 42).into()];
        let offset;
        [header.size, header.packed, offset] = larger(small, self.extra);
        (header, offset)
    }

    /// Whether its attributes or its name are those of a folder.
    fn is_like_folder(&self) -> bool {
        let said =
            u32_at(self.fixed, 38) & 0x10 > 0 || u16_at(self.fixed, 40) & 0o170_000 == 0o040_000;
        let named = self.name.ends_with(b"/") || self.name.ends_with(b"\\");
        named || said
    }

    /// The part of a split ZIP that contains it.
    fn disk(&self) -> u32 {
        u16_at(self.fixed, 34).into()
    }

    /// Whether it is a symbolic link from Unix or macOS.
    fn is_link(&self) -> bool {
        let mode = u16_at(self.fixed, 40);
        matches!(self.fixed.get(5), Some(3 | 19)) && mode & 0o170_000 == 0o120_000
    }
}

/// The content of a directory.
struct ZipDirectory {
    contents: ArchiveContents,
    folders: usize,
    /// How many names began with `./`.
    from_here: usize,
}

impl ZipDirectory {
    /// Adds a record.
    fn add(&mut self, central: &Central<'_>, end: EndRecord) -> Result<(), Error> {
        let index = self.contents.records.len();
        let (header, offset) = central.header();
        if header.size == 0 && central.is_like_folder() {
            self.folders += 1;
            return Ok(());
        }
        let disk = central.disk();
        let flaw = match header.flaw() {
            Some(Flaw::Encrypted) => Some(Flaw::Encrypted),
            _ if disk != u32::from(u16::MAX) && disk != end.disk => Some(Flaw::OtherPart(disk)),
            flaw => flaw.or_else(|| header.stored_length()),
        };
        let quirks = &mut self.contents.quirks;
        if field(central.extra, 1).is_some() {
            Quirks::mark(&mut quirks.larger, index);
        }
        if flaw.is_none() && central.is_link() {
            Quirks::mark(&mut quirks.links, index);
        }
        let offset = offset.saturating_add(end.before);
        let from_here = add_entry(&mut self.contents, central.name, &header, offset, flaw)?;
        self.from_here += usize::from(from_here);
        Ok(())
    }
}

/// Reads the local headers of these entries, and compares them with the directory.
///
/// Headers are read in the order of the file, many at once where they are near. So all reads together take about as
/// many bytes as the file has, however often and in whatever order the directory names a header.
pub(super) fn read_headers(archive: &Archive, wanted: &[usize]) -> Result<Vec<LocalFacts>, Error> {
    let mut found: Vec<LocalFacts> = wanted.iter().map(|_| LocalFacts::default()).collect();
    let Some(source) = archive.source() else {
        return Ok(found);
    };
    let mut by_place: Vec<(Entry<'_>, &mut LocalFacts)> = Vec::with_capacity(wanted.len());
    for (index, found) in wanted.iter().zip(&mut found) {
        by_place.extend(archive.entry(*index).map(|entry| (entry, found)));
    }
    by_place.sort_by_key(|(entry, _)| entry.offset());
    let file = archive.file_len();
    let near = if wanted.len() == 1 { ALONE } else { NEAR };
    let mut window = FileWindow::new(source, file, near);
    let mut rest = by_place.as_mut_slice();
    while let Some((first, _)) = rest.first() {
        let at = first.offset();
        let (together, far) = rest.split_at_mut(near_headers(rest));
        let last = together.last().map_or(at, |(entry, _)| entry.offset());
        if at < file {
            let len = last.saturating_add(near as u64).min(file) - at;
            window.load(at, usize::try_from(len).unwrap_or(near))?;
        }
        for (entry, found) in together {
            **found = read_header(&mut window, *entry)?;
        }
        rest = far;
    }
    Ok(found)
}

/// Reads the local header of an entry, and compares it with the directory.
fn read_header(window: &mut FileWindow<'_>, entry: Entry<'_>) -> Result<LocalFacts, Error> {
    let (at, record) = (entry.offset(), entry.record());
    let local = match LocalHeader::read(window, at)? {
        Ok(local) => local,
        Err(flaw) => return Ok(LocalFacts { flaw: Some(flaw), ..LocalFacts::default() }),
    };
    let header = EntryHeader::of(record);
    let name = entry.whole_name();
    // A link has the payload of another entry, and keeps its name.
    let is_named = entry.archive().quirks().is_link(entry.index())
        || usize::from(local.name_len) == name.len() && local.name(window, at)? == name;
    let is_coded = record.coding != Coding::Stored;
    Ok(LocalFacts {
        lead: local.len,
        flaw: header.contradiction(&local.fields),
        is_behind: local.sizes_follow() && header.packed > 0 && is_coded,
        differs: !is_named || !header.resembles(&local.fields),
    })
}

/// How many of these local headers, which are sorted, are near enough to the first to be read at once.
fn near_headers(headers: &[(Entry<'_>, &mut LocalFacts)]) -> usize {
    let Some((first, _)) = headers.first() else {
        return 0;
    };
    let (first, mut last) = (first.offset(), first.offset());
    for (count, (entry, _)) in headers.iter().enumerate() {
        let at = entry.offset();
        if at - last > GAP || at - first > WINDOW {
            return count;
        }
        last = at;
    }
    headers.len()
}
