//! What the fuzz target `zip_fields` asserts of any ZIP: every entry is what a naive reader makes of the
//! same directory, what that finds sound is read and nothing else is, and what is written of it is read
//! by both.

use daisho::archive::{Note, ReadOptions};
use daisho::{Archive, Entry, Format, Writer};

use super::fields::number;
use super::fuzz_bodies;

/// How many bytes are read of one input, as a header claims them.
const ENOUGH: u64 = 1 << 18;

pub(crate) fn zip_fields(data: &[u8]) {
    fuzz_bodies::open_read_all(data);
    salvaged(data);
    let Ok(archive) = Archive::from_source_with(data.to_vec(), Format::Pk3) else {
        assert!(!is_plain(data), "it does not open");
        return;
    };
    let again = Archive::from_source_with(data.to_vec(), Format::Pk3).unwrap();
    assert_eq!(archive.why(), again.why());
    assert_eq!(archive.notes(), again.notes());
    let expected = naive(&archive, data);
    assert_eq!(archive.len(), expected.len());
    let mut claimed = 0_u64;
    for (entry, expected) in archive.entries().zip(&expected) {
        agrees(&entry, expected);
        // A link is as long as what it leads to.
        claimed = claimed.saturating_add(entry.size().max(expected.size));
    }
    if claimed > ENOUGH {
        return;
    }
    for (entry, expected) in archive.entries().zip(&expected) {
        content(&entry, expected);
    }
    for format in [Format::Pk3, Format::Quake] {
        written(&archive, format);
    }
}

/// Reads what is found without a directory: what is read sums up, and all of it is in the file.
fn salvaged(data: &[u8]) {
    let mut options = ReadOptions::from(Format::Pk3);
    options.salvage = true;
    let Ok(archive) = Archive::from_source_with(data.to_vec(), options) else {
        return;
    };
    assert_eq!(archive.account().unwrap().sum(), data.len() as u64);
    let mut left = ENOUGH;
    for entry in archive.entries() {
        if entry.check_claims().is_err() || entry.size() > left {
            continue;
        }
        left -= entry.size();
        if let Ok(content) = entry.read() {
            assert_eq!(Some(crc32fast::hash(&content)), entry.stated_crc32());
        }
    }
}

/// Whether a directory is right before an end record that is the last of the file and says so, as in
/// every ZIP that has nothing odd.
fn is_plain(data: &[u8]) -> bool {
    let Some(at) = data.len().checked_sub(22) else {
        return false;
    };
    let (len, offset) = (number(data, at + 12, 4), number(data, at + 16, 4));
    data[at..].starts_with(b"PK\x05\x06\0\0\0\0")
        && number(data, at + 10, 2) < 0xFFFF
        && (len, number(data, at + 20, 2)) == (at as u64 - offset.min(at as u64), 0)
        && data.starts_with(b"PK\x03\x04")
        && Directory(data.get(offset as usize..at).unwrap_or_default()).next().is_some()
}

/// An entry as the directory has it, and its content where nothing speaks against it.
#[derive(Debug)]
struct Expected {
    name: Vec<u8>,
    size: u64,
    packed: u64,
    crc32: u32,
    is_link: bool,
    is_stored: bool,
    content: Option<Vec<u8>>,
}

/// The records of a directory.
struct Directory<'a>(&'a [u8]);

impl<'a> Iterator for Directory<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let lens = [28, 30, 32].map(|at| number(self.0, at, 2) as usize);
        let (record, rest) = self.0.split_at_checked(46 + lens.iter().sum::<usize>())?;
        self.0 = rest;
        record.starts_with(b"PK\x01\x02").then_some(record)
    }
}

/// The entries, read from where the archive found its directory.
fn naive(archive: &Archive, data: &[u8]) -> Vec<Expected> {
    let structure = archive.structure();
    let start = structure.directory.offset as usize;
    let directory = &data[start..][..structure.directory.len as usize];
    // Nothing but names and numbers is kept of it, and a change is found out all the same.
    assert_eq!(archive.directory(), b"");
    assert!(archive.is_unchanged().unwrap());
    let before = archive.notes().iter().find_map(|note| match note {
        Note::Before { bytes } => Some(*bytes),
        _ => None,
    });
    // Only what is no part of a split ZIP can be expected to be there.
    let end = structure.header.offset as usize;
    let is_whole = data[end..].starts_with(b"PK\x05\x06\0\0");
    Directory(directory)
        .filter(|record| !is_folder(record))
        .map(|record| expected(record, data, before.unwrap_or_default(), is_whole))
        .collect()
}

fn is_folder(record: &[u8]) -> bool {
    let name = &record[46..46 + number(record, 28, 2) as usize];
    let is_named = matches!(name.last(), Some(b'/' | b'\\'));
    let is_said = record[38] & 0x10 > 0 || number(record, 40, 2) & 0o170_000 == 0o040_000;
    number(record, 24, 4) == 0 && (is_named || is_said)
}

fn expected(record: &[u8], data: &[u8], before: u64, is_whole: bool) -> Expected {
    let (name_len, extra_len) = (number(record, 28, 2) as usize, number(record, 30, 2) as usize);
    let name = &record[46..46 + name_len];
    let extra = &record[46 + name_len..][..extra_len];
    let small = [24, 20, 42].map(|at| number(record, at, 4));
    let [size, packed, offset] = large(small, extra);
    let mode = number(record, 40, 2) & 0o170_000;
    let name = match name.strip_prefix(b"./") {
        Some(rest) if !rest.is_empty() => rest,
        _ => name,
    };
    let disk = number(record, 34, 2);
    let local = offset.checked_add(before).filter(|_| is_whole);
    let content = local.filter(|_| disk == 0 || disk == 0xFFFF);
    let numbers = [size, packed];
    Expected {
        name: name.to_vec(),
        size,
        packed,
        crc32: number(record, 16, 4) as u32,
        is_link: matches!(record[5], 3 | 19) && mode == 0o120_000,
        is_stored: number(record, 10, 2) == 0,
        content: content.and_then(|at| sound(record, numbers, data, usize::try_from(at).ok()?)),
    }
}

/// Numbers that are in the extra field, those that are all ones in their own place.
fn large(small: [u64; 3], mut extra: &[u8]) -> [u64; 3] {
    let mut large: &[u8] = &[];
    while extra.len() >= 4 {
        let len = number(extra, 2, 2) as usize;
        let Some(content) = extra[4..].get(..len) else {
            break;
        };
        if number(extra, 0, 2) == 1 {
            large = content;
            break;
        }
        extra = &extra[4 + len..];
    }
    small.map(|small| {
        if small < 0xFFFF_FFFF || large.len() < 8 {
            return small;
        }
        let taken = number(large, 0, 8);
        large = &large[8..];
        taken
    })
}

/// The content, if both headers say the same of it, and it is what they say.
fn sound(record: &[u8], [size, packed]: [u64; 2], data: &[u8], at: usize) -> Option<Vec<u8>> {
    let local = data.get(at..)?;
    let header = local.get(..30).filter(|it| it.starts_with(b"PK\x03\x04"))?;
    let (name, extra) = (number(header, 26, 2) as usize, number(header, 28, 2) as usize);
    let extra_field = local.get(30 + name..)?.get(..extra)?;
    let (flags, own) = (number(header, 6, 2), number(record, 8, 2));
    let method = number(record, 10, 2);
    if (flags | own) & 1 > 0 || method != number(header, 8, 2) {
        return None;
    }
    let small = [22, 18].map(|at| number(header, at, 4));
    let [local_size, local_packed, _] = large([small[0], small[1], 0], extra_field);
    let numbers = (number(header, 14, 4), local_size, local_packed);
    let sum = number(record, 16, 4);
    if flags & 8 == 0 && numbers != (sum, size, packed) {
        return None;
    }
    let payload = local.get(30 + name + extra..)?;
    let payload = payload.get(..usize::try_from(packed).ok()?)?;
    let content = match method {
        0 => Some(payload.to_vec()),
        8 if size <= ENOUGH => {
            let most = size as usize + 1;
            miniz_oxide::inflate::decompress_to_vec_with_limit(payload, most).ok()
        }
        _ => None,
    };
    content.filter(|it| it.len() as u64 == size && u64::from(crc32fast::hash(it)) == sum)
}

/// Asserts that the entry has the name and the numbers of its record.
fn agrees(entry: &Entry<'_>, expected: &Expected) {
    assert_eq!(entry.name().as_bytes(), expected.name);
    if expected.is_link {
        return; // It may stand for another entry.
    }
    assert_eq!((entry.size(), entry.stored_len()), (expected.size, expected.packed));
    assert_eq!(entry.stated_crc32(), Some(expected.crc32));
    assert_eq!(entry.is_compressed(), !expected.is_stored);
}

/// That what is sound is read, and what is read sums up.
fn content(entry: &Entry<'_>, expected: &Expected) {
    let read = entry.read();
    if let Ok(content) = &read {
        assert_eq!(Some(crc32fast::hash(content)), entry.stated_crc32());
    }
    match (&expected.content, read) {
        _ if expected.is_link => {}
        (Some(content), Ok(read)) => assert_eq!(read, *content),
        (Some(_), Err(error)) => panic!("{error}"),
        (None, Err(error)) => assert_eq!(error.entry().unwrap().0, entry.index()),
        // Of what the naive reader has no opinion on, the sum was compared above.
        (None, Ok(_)) => {}
    }
}

/// Writes what can be written, and reads that.
fn written(archive: &Archive, format: Format) {
    let write = || {
        let mut writer = Writer::in_memory(format).unwrap();
        writer.allow_duplicates();
        let mut taken = Vec::new();
        for entry in archive.entries() {
            let before = writer.len();
            match writer.add_entry(entry) {
                Ok(()) => taken.push(entry),
                Err(error) => {
                    assert_eq!(writer.len(), before);
                    assert_eq!(error.entry().unwrap().0, entry.index());
                }
            }
        }
        (writer.finish().ok(), taken)
    };
    let (Some(bytes), taken) = write() else {
        return;
    };
    let bytes = bytes.into_inner();
    let (again, _) = write();
    assert!(again.unwrap().into_inner() == bytes);
    let new = Archive::from_source_with(bytes.clone(), format).unwrap();
    assert_eq!(new.len(), taken.len());
    for (new, old) in new.entries().zip(&taken) {
        assert_eq!(new.name(), old.name());
        assert_eq!(new.read().unwrap(), old.read().unwrap());
    }
    if format == Format::Pk3 {
        assert!(is_plain(&bytes));
        assert_eq!(new.notes(), []);
        for (entry, expected) in new.entries().zip(naive(&new, &bytes)) {
            assert!(!expected.is_link);
            assert_eq!(entry.read().ok(), expected.content);
        }
    }
}
