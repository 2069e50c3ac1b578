//! How often a ZIP is read when it is opened.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use daisho::Archive;
use daisho::archive::{Note, ReadAt};

use super::build::Zip;

/// A source that counts reads and bytes.
#[derive(Clone, Default)]
pub(super) struct Counted(Arc<(Vec<u8>, AtomicU64, AtomicU64)>);

impl Counted {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self(Arc::new((bytes, AtomicU64::new(0), AtomicU64::new(0))))
    }

    pub(super) fn reads_and_bytes(&self) -> (u64, u64) {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (read(&self.0.1), read(&self.0.2))
    }
}

impl ReadAt for Counted {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.0.0.read_at(buffer, offset)?;
        self.0.1.fetch_add(1, Ordering::Relaxed);
        self.0.2.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }

    fn size(&self) -> io::Result<u64> {
        self.0.0.size()
    }
}

/// Opens the ZIP, and counts reads and bytes.
fn open(bytes: Vec<u8>) -> (Archive, u64, u64) {
    let source = Counted::new(bytes);
    let archive = Archive::from_source(source.clone()).unwrap();
    let (reads, bytes) = source.reads_and_bytes();
    (archive, reads, bytes)
}

/// The same, after the local headers were read, too.
fn check(bytes: Vec<u8>) -> (Archive, u64, u64) {
    let source = Counted::new(bytes);
    let archive = Archive::from_source(source.clone()).unwrap();
    archive.check_headers().unwrap();
    let (reads, bytes) = source.reads_and_bytes();
    (archive, reads, bytes)
}

/// A ZIP of entries with payloads of this size.
fn zip(entries: usize, size: usize) -> Vec<u8> {
    let mut zip = Zip::new();
    for n in 0..entries {
        zip = zip.stored(format!("textures/{n}.tga"), &vec![n as u8; size]);
    }
    zip.bytes()
}

#[test]
fn a_zip_of_3000_entries_is_opened_with_few_reads() {
    for size in [100, 5_000, 20_000] {
        let (archive, reads, bytes) = open(zip(3_000, size));
        assert_eq!(archive.len(), 3_000);
        assert!(reads <= 4 && bytes < 300_000, "{size}: {reads} reads of {bytes} bytes");
        let (_, reads, _) = check(zip(3_000, size));
        assert!(reads <= 40, "{size}: {reads}");
        for index in [0, 1, 1_500, 2_999] {
            let content = archive.entry(index).unwrap().read().unwrap();
            assert_eq!(content, vec![index as u8; size]);
        }
    }
}

#[test]
fn a_small_zip_is_opened_with_one_read() {
    let (archive, reads, _) = open(zip(3, 100));
    assert_eq!(archive.len(), 3);
    assert_eq!(reads, 1);
}

/// Whatever the directory says, no byte is read again and again.
#[test]
fn local_headers_in_any_order_take_linear_time() {
    let count = 2_000;
    let mut zip = Zip::new();
    for n in 0..count {
        zip = zip.stored(format!("{n:05}"), &[1; 4_000]);
    }
    let plain = zip.bytes();
    // The records of the directory exchange their places.
    let (archive, ..) = open(plain.clone());
    let directory = archive.structure().directory;
    let start = usize::try_from(directory.offset).unwrap();
    let end = start + usize::try_from(directory.len).unwrap();
    let record = (end - start) / count;
    let mut mixed = plain.clone();
    for n in 0..count {
        let from = start + (n * 777 % count) * record;
        mixed[start + n * record..][..record].copy_from_slice(&plain[from..][..record]);
    }
    let (archive, _, bytes) = check(mixed);
    assert_eq!((archive.notes(), archive.header_note()), (&[][..], None));
    assert!(bytes <= 2 * plain.len() as u64, "{bytes} of {}", plain.len());
    assert_eq!(archive.entry(1).unwrap().name(), "00777");
    assert!(archive.entries().all(|entry| entry.read().is_ok()));
    // All records lead to one header.
    let mut alike = plain.clone();
    for n in 0..count {
        alike[start + n * record + 42..][..4].fill(0);
    }
    let (archive, _, bytes) = check(alike);
    let expected = Note::LocalHeaders { count: count - 1, first: 1 };
    assert_eq!(archive.header_note(), Some(expected));
    assert!(bytes <= plain.len() as u64, "{bytes}");
}
