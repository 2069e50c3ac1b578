//! Contents and names of any kind, written by us and read by another library, and the other way round.

use std::io::Read as _;

use daisho::{Archive, Format, Writer};
use proptest::prelude::*;

use super::build::Zip;

/// A content that compresses more or less.
fn content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..300),
        (any::<u8>(), 0..5000_usize).prop_map(|(byte, len)| vec![byte; len]),
        prop::collection::vec(0..4_u8, 0..3000),
    ]
}

fn files() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let name = "[a-z]{1,8}(/[a-z0-9_]{1,8}){0,2}\\.(cfg|bsp|ogg|tga|txt)";
    prop::collection::vec((name, content()), 1..12)
}

proptest! {
    #[test]
    fn a_written_zip_is_read_by_another_library(files in files()) {
        let mut writer = Writer::in_memory(Format::Pk3).unwrap();
        for (name, content) in &files {
            writer.add(name, content).unwrap();
        }
        let bytes = writer.finish().unwrap().into_inner();
        prop_assert!(bytes.starts_with(b"PK\x03\x04"));

        let other = rawzip::ZipArchive::from_slice(&bytes).unwrap();
        let mut found = Vec::new();
        for record in other.entries() {
            let record = record.unwrap();
            prop_assert_eq!(record.local_header_offset() < bytes.len() as u64, true);
            let entry = other.get_entry(record.wayfinder()).unwrap();
            let content = match record.compression_method().as_u16() {
                0 => entry.data().to_vec(),
                _ => inflated(entry.data()),
            };
            prop_assert_eq!(crc32fast::hash(&content), record.crc32());
            found.push((record.file_path().as_ref().to_vec(), content));
        }
        let files: Vec<_> = files.into_iter().map(|(name, content)| (name.into_bytes(), content)).collect();
        prop_assert_eq!(&found, &files);

        // And by ourselves, with nothing to remark.
        let archive = Archive::from_bytes(bytes).unwrap();
        prop_assert_eq!(archive.notes(), []);
        let account = archive.account().unwrap();
        prop_assert_eq!((account.gap_bytes(), account.trailing), (0, 0));
        for (entry, (name, content)) in archive.entries().zip(&files) {
            prop_assert_eq!(entry.name().as_bytes(), name);
            prop_assert_eq!(&entry.read().unwrap(), content);
        }
    }

    /// In small pieces or whole, a stream gives the same.
    #[test]
    fn deflated_pieces_of_any_size_give_the_same(content in content(), piece in 1..500_usize) {
        let zip = Zip::new().deflated("a.cfg", &content).bytes();
        let archive = Archive::from_bytes(zip).unwrap();
        let mut reader = archive.get("a.cfg").unwrap().reader().unwrap();
        let (mut read, mut buffer) = (Vec::<u8>::new(), vec![0; piece]);
        loop {
            let count = reader.read(&mut buffer).unwrap();
            if count == 0 {
                break;
            }
            read.extend(&buffer[..count]);
        }
        prop_assert_eq!(read, content);
    }
}

/// What a deflated stream holds, by the other implementation.
fn inflated(stream: &[u8]) -> Vec<u8> {
    miniz_oxide::inflate::decompress_to_vec(stream).unwrap()
}
