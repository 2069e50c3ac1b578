//! Helpers that several tests of faults share.

use crate::archive::{Format, RawName};
use crate::codec::{Profile, encode};
use crate::format::{Header, Record};

/// A temporary directory, in memory if possible: ext4 writes to the disk at every rename over an old file, and
/// thousands of runs would wait for that.
pub(super) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// A pak in which equal contents share one payload.
pub(crate) fn pak(layout: Format, files: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let mut bytes = vec![0; 12];
    let mut records = Vec::new();
    let mut places: Vec<(&[u8], u32)> = Vec::new();
    for (name, content, compressed) in files {
        let payload =
            if *compressed { encode(content, Profile::Compatible) } else { content.to_vec() };
        let known = places.iter().find(|(known, _)| known == content);
        let offset = known.map_or(u32::try_from(bytes.len()).unwrap(), |(_, offset)| *offset);
        if known.is_none() {
            places.push((content, offset));
            bytes.extend(&payload);
        }
        let record = Record {
            name: RawName::new(name.as_bytes()),
            offset,
            size: content.len().try_into().unwrap(),
            packed_size: payload.len().try_into().unwrap(),
            flag: u32::from(*compressed),
            kind: 0,
        };
        record.write(layout, &mut records);
    }
    let header = Header {
        magic: *b"PACK",
        directory_offset: bytes.len().try_into().unwrap(),
        directory_len: records.len().try_into().unwrap(),
    };
    bytes[..12].copy_from_slice(&header.to_bytes());
    bytes.extend(records);
    bytes
}
