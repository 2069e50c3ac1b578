//! A reader of paks straight from the table of their parts, with nothing of the code under test.

use daisho::Format;

use crate::codec::oracle::decode;

/// An entry as the directory has it, and its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) offset: usize,
    /// Bytes that it takes in the pak.
    pub(crate) len: usize,
    pub(crate) compressed: bool,
    pub(crate) content: Vec<u8>,
}

/// All entries of a pak of 64-byte records.
pub(crate) fn quake(bytes: &[u8]) -> Vec<Entry> {
    read(bytes, Format::Quake)
}

/// All entries of a pak of 72-byte records.
pub(crate) fn daikatana(bytes: &[u8]) -> Vec<Entry> {
    read(bytes, Format::Daikatana)
}

pub(crate) fn read(bytes: &[u8], layout: Format) -> Vec<Entry> {
    let record = if layout == Format::Quake { 64 } else { 72 };
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..4], b"PACK");
    let (start, len) = (number(4), number(8));
    assert_eq!(start + len, bytes.len(), "the directory is not the end");
    assert_eq!(len % record, 0);
    let entry = |at: usize| {
        let field = &bytes[at..at + 56];
        let end = field.iter().position(|byte| *byte == 0).unwrap();
        assert!(field[end..].iter().all(|byte| *byte == 0), "padding");
        let (offset, size) = (number(at + 56), number(at + 60));
        let compressed = record == 72 && number(at + 68) != 0;
        let mut len = size;
        if record == 72 {
            assert!(number(at + 68) <= 1, "flag");
            len = number(at + 64);
        }
        let payload = &bytes[offset..offset + len];
        let content = if compressed {
            decode(payload, size).expect("a sound stream")
        } else {
            assert_eq!(len, size);
            payload.to_vec()
        };
        Entry { name: field[..end].to_vec(), offset, len, compressed, content }
    };
    (start..start + len).step_by(record).map(entry).collect()
}

/// Names and contents, in order.
pub(crate) fn contents(entries: &[Entry]) -> Vec<(&[u8], &[u8])> {
    entries.iter().map(|entry| (entry.name.as_slice(), entry.content.as_slice())).collect()
}

/// Payloads are one behind the other in the order of the entries, without a gap, unless they are
/// shared.
pub(crate) fn assert_tight(bytes: &[u8], entries: &[Entry]) {
    let mut end = 12;
    for entry in entries.iter().filter(|entry| entry.len > 0) {
        if entry.offset >= end {
            assert_eq!(entry.offset, end, "a gap before {entry:?}");
            end += entry.len;
        }
    }
    let start = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    assert_eq!(start, end, "a gap before the directory");
}
