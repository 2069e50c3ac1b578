//! Reads a ZIP by its directory.
//!
//! Every whole record of the directory becomes an entry, whatever number the end record claims. Only the
//! name and the numbers of a record are kept: extra fields and comments can be a hundred times as long.

use super::end::{EndRecord, find_end};
use super::headers::{
    EntryHeader, FileWindow, LOCAL, LocalHeader, RECORD, RECORD_LEN, add_entry, field, four,
    larger, two,
};
use super::kinds::{Marks, OtherKind};
use super::links::follow_links;
use super::salvage::salvage;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{
    Archive, ArchiveContents, Coding, Extent, Flaw, Format, Note, Quirks, RawDirectory, ReadAt,
    Structure, read_more,
};
use crate::format::container::{ArchiveFile, ReadDirectory};

/// How much of a directory is read at once.
const CHUNK: usize = 8 << 20;

/// How much is read at a local header, because the headers of small files are close together.
const NEAR: usize = 4 << 10;

/// The container of ZIPs.
pub(crate) struct Zip;

impl ReadDirectory for Zip {
    /// A file that ends in a ZIP is one (such as a self-extractor), unless it begins as another archive.
    fn read(&self, file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error> {
        let begins = Format::Pk3.spec().begins(file.start);
        let read = match find_end(file.source, file.len) {
            Ok(Some(end)) => read(file, end).map(Some),
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

    fn finish(&self, archive: &mut Archive) {
        follow_links(archive);
    }
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
    let found = find_end(source, source.size()?);
    Ok(found.is_ok_and(|end| end.is_some()))
}

/// The kind of a ZIP that is a program, an office file or similar. `start` is the file's beginning. `None`
/// if it cannot be read: opening it will give the error.
pub(crate) fn another_kind(source: &dyn ReadAt, start: &[u8]) -> Option<&'static str> {
    let magic = start.first_chunk().copied()?;
    let mut formats = Format::of_magic(magic);
    if formats.any(|format| format != Format::Pk3) {
        return None;
    }
    let end = find_end(source, source.size().ok()?).ok()??;
    let mut marks = Marks::default();
    let mut is_first = true;
    read_directory(source, end, |central| {
        marks.see(central.name, is_first);
        is_first = false;
    })
    .ok()?;
    marks.kind().map(|kind| kind.what)
}

/// Reads the ZIP with this end record.
fn read(file: &ArchiveFile<'_>, end: EndRecord) -> Result<ArchiveContents, Error> {
    let source = file.source;
    let mut directory = ZipDirectory {
        contents: ArchiveContents::new(Format::Pk3),
        headers: Vec::new(),
        folders: 0,
        from_here: 0,
        marks: Marks::default(),
    };
    let held = read_directory(source, end, |central| directory.add(central, end))?;
    let claimed = end.directory;
    if held.records == 0 && claimed.len > 0 {
        let Extent { offset, len } = claimed;
        return Err(ErrorKind::NoZipDirectory { offset, len }.into());
    }
    let unlike = directory.read_local_headers(source, file.len)?;
    let mut header = vec![0; usize::try_from(end.records.len).unwrap_or_default()];
    let read = source.read_full_at(&mut header, end.records.offset);
    header.truncate(read.map_err(Error::from_io)?);
    let (why, notes) = (why(end, &directory), notes(end, &held, &directory, unlike));
    let mut contents = directory.contents;
    contents.header = header;
    contents.directory = RawDirectory::Sum(held.sum);
    contents.structure = Structure {
        header: end.records,
        directory: Extent {
            offset: claimed.offset,
            len: held.len,
        },
        claimed: claimed.len,
    };
    contents.why = Box::new(move || why.clone());
    contents.notes = notes;
    contents.quirks.larger_end = end.larger;
    contents.quirks.larger_end_needed = end.larger && end.needs_larger;
    contents.quirks.begins_otherwise = held.records > 0 && !file.start.starts_with(&LOCAL);
    Ok(contents)
}

/// Everything unusual in the ZIP as a whole. `unlike` is how many local headers differ from the directory,
/// and the first of them.
fn notes(
    end: EndRecord,
    held: &DirectoryRead,
    directory: &ZipDirectory,
    unlike: Option<(usize, usize)>,
) -> Vec<Note> {
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
    if let Some((count, first)) = unlike {
        notes.push(Note::LocalHeaders { count, first });
    }
    if let Some(OtherKind { what, .. }) = directory.marks.kind() {
        notes.push(Note::AnotherKind { what });
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
        (
            directory.contents.quirks.links.len(),
            "symbolic links, read as what they lead to",
        ),
        (directory.from_here, "named from \"./\" on, read without it"),
    ] {
        if count > 0 {
            why.push(format!("entries that are {what}: {count}"));
        }
    }
    if let Some(OtherKind { what, by }) = directory.marks.kind() {
        why.push(format!("it is {what}, too: among its names are {by}"));
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
    mut visit: impl FnMut(&Central<'_>),
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
            visit(&central);
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
    Ok(DirectoryRead {
        records,
        len: whole,
        sum: sum.finalize(),
    })
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
        let (name, extra) = (usize::from(two(fixed, 28)), usize::from(two(fixed, 30)));
        let len = name + extra + usize::from(two(fixed, 32));
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
        let small = [header.size, header.packed, four(self.fixed, 42).into()];
        let offset;
        [header.size, header.packed, offset] = larger(small, self.extra);
        (header, offset)
    }

    /// Whether it is an empty folder.
    fn is_folder(&self) -> bool {
        let said = four(self.fixed, 38) & 0x10 > 0 || two(self.fixed, 40) & 0o170_000 == 0o040_000;
        let named = self.name.ends_with(b"/") || self.name.ends_with(b"\\");
        four(self.fixed, 24) == 0 && (named || said)
    }

    /// The part of a split ZIP that contains it.
    fn disk(&self) -> u32 {
        two(self.fixed, 34).into()
    }

    /// Whether it is a symbolic link from Unix or macOS.
    fn is_link(&self) -> bool {
        let mode = two(self.fixed, 40);
        matches!(self.fixed.get(5), Some(3 | 19)) && mode & 0o170_000 == 0o120_000
    }
}

/// The content of a directory.
struct ZipDirectory {
    contents: ArchiveContents,
    /// The fields of each entry that are compared with its local header.
    headers: Vec<EntryHeader>,
    folders: usize,
    /// How many names began with `./`.
    from_here: usize,
    /// Which names suggest another kind of file.
    marks: Marks,
}

impl ZipDirectory {
    /// Adds a record. Its payload offset is that of the local header for now.
    fn add(&mut self, central: &Central<'_>, end: EndRecord) {
        let index = self.contents.records.len();
        self.marks.see(central.name, index + self.folders == 0);
        if central.is_folder() {
            self.folders += 1;
            return;
        }
        let (header, offset) = central.header();
        let disk = central.disk();
        let flaw = match header.flaw() {
            Some(Flaw::Encrypted) => Some(Flaw::Encrypted),
            _ if disk != u32::from(u16::MAX) && disk != end.disk => Some(Flaw::OtherPart(disk)),
            flaw => flaw,
        };
        let quirks = &mut self.contents.quirks;
        if field(central.extra, 1).is_some() {
            Quirks::mark(&mut quirks.larger, index);
        }
        if flaw.is_none() && central.is_link() {
            Quirks::mark(&mut quirks.links, index);
        }
        let offset = offset.saturating_add(end.before);
        let from_here = add_entry(&mut self.contents, central.name, &header, (offset, 0), flaw);
        self.from_here += usize::from(from_here);
        self.headers.push(header);
    }

    /// Finds the payload offsets, and compares local headers with the directory. Returns how many have
    /// harmless differences, and the first of them.
    fn read_local_headers(
        &mut self,
        source: &dyn ReadAt,
        file: u64,
    ) -> Result<Option<(usize, usize)>, Error> {
        let mut window = FileWindow::new(source, file, NEAR);
        let contents = &mut self.contents;
        let mut known = core::mem::take(&mut contents.flaws).into_iter().peekable();
        let (mut unlike, mut name_at) = (None, 0);
        let all = contents.records.iter_mut().zip(&self.headers).enumerate();
        for (index, (record, header)) in all {
            // The name with the beginning that is not part of the entry's.
            let name_end = record.name_at as usize + usize::from(record.name_len);
            let name = contents.names.get(name_at..name_end).unwrap_or_default();
            name_at = name_end;
            let known = known.next_if(|(of, _)| *of == index).map(|(_, flaw)| flaw);
            let local = match LocalHeader::read(&mut window, record.offset)? {
                Ok(local) => local,
                Err(flaw) => {
                    contents.flaws.push((index, known.unwrap_or(flaw)));
                    continue;
                }
            };
            let same_name = local.name(&mut window, record.offset)? == name;
            if !same_name || !header.resembles(&local.fields) {
                let (count, _) = unlike.get_or_insert((0, index));
                *count += 1;
            }
            record.lead = local.len;
            record.offset = record.offset.saturating_add(local.len.into());
            if local.sizes_follow() && header.packed > 0 && record.coding == Coding::Deflate {
                Quirks::mark(&mut contents.quirks.behind, index);
            }
            let flaw = known.or_else(|| header.contradiction(&local.fields));
            contents.flaws.extend(flaw.map(|flaw| (index, flaw)));
        }
        Ok(unlike)
    }
}
