//! Quake's own paks, which it knows by a checksum.

use crate::archive::{Archive, Format};

/// The number of entries in each of these paks.
const ENTRIES: usize = 339;

/// One of Quake's own paks.
///
/// Quake treats the game as modified unless `pak0.pak` has 339 entries and the bytes of its directory have a checksum
/// that it knows. The shareware game refuses to run if it is modified. id's engine knows the checksum of version 1.06;
/// QuakeSpasm and its relatives know all three. Every byte of the directory counts: names and the bytes after their
/// ends, order, offsets. So the engine may not recognise a clean copy of such a pak. The checksum is CRC-16 with the
/// polynomial 0x1021, started at 0xFFFF, not reflected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stock {
    /// The pak of version 1.00.
    V100,
    /// The pak of version 1.01.
    V101,
    /// The pak of version 1.06.
    V106,
}

impl Stock {
    /// The stock pak that Quake takes this archive for, if any.
    #[must_use]
    pub fn of(archive: &Archive) -> Option<Self> {
        (archive.format() == Some(Format::Quake))
            .then(|| Self::of_directory(archive.directory()))
            .flatten()
    }

    /// The stock pak with this directory, if any.
    #[must_use]
    pub fn of_directory(directory: &[u8]) -> Option<Self> {
        if directory.len() != ENTRIES * Format::Quake.spec().record_len {
            return None;
        }
        match crc(directory) {
            13900 => Some(Self::V100),
            62751 => Some(Self::V101),
            32981 => Some(Self::V106),
            _ => None,
        }
    }

    /// The version of the game that includes it.
    #[must_use]
    pub const fn version(self) -> &'static str {
        match self {
            Self::V100 => "1.00",
            Self::V101 => "1.01",
            Self::V106 => "1.06",
        }
    }
}

impl core::fmt::Display for Stock {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the pak0.pak of Quake {}", self.version())
    }
}

/// The CRC-16 of some bytes, bit by bit. It reads 22 kilobytes, and only if the number of entries fits, so it needs
/// no crate.
fn crc(bytes: &[u8]) -> u16 {
    go_on(0xFFFF, bytes)
}

fn go_on(crc: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(crc, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::RawName;
    use crate::format::{Directory, Header, Limits, Record};

    /// A pak with this number of entries whose directory has this checksum. Two bytes at the end of a name's field
    /// are free, and some pair of them gives any checksum.
    fn forged(entries: usize, wanted: u16) -> Vec<u8> {
        let mut directory = Vec::new();
        for n in 0..entries {
            let name = format!("file{n}");
            let record = Record {
                name: RawName::from(name.as_str()),
                offset: 12,
                size: 0,
                ..Record::default()
            };
            record.write(Format::Quake, &mut directory);
        }
        let free = directory.len() - 10;
        let (before, behind) = (crc(&directory[..free]), directory[free + 2..].to_vec());
        let pair = (0..=u16::MAX)
            .map(u16::to_le_bytes)
            .find(|pair| go_on(go_on(before, pair), &behind) == wanted);
        directory[free..free + 2].copy_from_slice(&pair.unwrap());
        let header =
            Header { magic: *b"PACK", directory_offset: 12, directory_len: directory.len() as u64 };
        [header.to_bytes().to_vec(), directory].concat()
    }

    /// Which of them a pak of the same entries would be.
    fn written_anew(archive: &Archive, format: Format) -> Option<Stock> {
        let mut directory = Directory::new(format, Limits::default());
        for entry in archive.entries() {
            let (name, size) = (entry.name().as_bytes().into(), entry.size());
            let len = entry.stored_len();
            let payload =
                crate::format::Payload { size, stored_len: len, coding: entry.coding(), crc32: 0 };
            directory.add(name, payload).unwrap();
        }
        Stock::of_directory(&directory.to_bytes())
    }

    #[test]
    fn the_checksum_is_the_one_of_the_catalogues() {
        assert_eq!(crc(b"123456789"), 0x29B1);
        assert_eq!(crc(b""), 0xFFFF);
    }

    #[test]
    fn a_changed_byte_makes_another_pak_of_the_three() {
        for (sum, stock) in [(13900, Stock::V100), (62751, Stock::V101), (32981, Stock::V106)] {
            let mut bytes = forged(339, sum);
            let archive = Archive::from_bytes(bytes.as_slice()).unwrap();
            assert_eq!(Stock::of(&archive), Some(stock));
            // A rewritten archive has zeros in its free bytes.
            assert_eq!(written_anew(&archive, Format::Quake), None);
            // Behind a name's end.
            bytes[12 + 40] ^= 1;
            assert_eq!(Stock::of(&Archive::from_bytes(bytes.as_slice()).unwrap()), None);
        }
    }

    /// The last entry's name is made so that the checksum comes out without any odd byte.
    #[test]
    fn one_that_is_written_as_it_was_stays_what_it_is() {
        let mut bytes = forged(339, 32981);
        let last = bytes.len() - 64;
        let before = crc(&bytes[12..last]);
        let record = |n: u32| {
            let name = format!("last{n}");
            let mut record = Vec::new();
            let it = Record {
                name: RawName::from(name.as_str()),
                offset: 12,
                size: 0,
                ..Record::default()
            };
            it.write(Format::Quake, &mut record);
            record
        };
        let records = (0..10_000_000).map(record);
        let found = records.into_iter().find(|it| go_on(before, it) == 32981);
        bytes.splice(last.., found.unwrap());
        let archive = Archive::from_bytes(bytes.as_slice()).unwrap();
        assert_eq!(Stock::of(&archive), Some(Stock::V106));
        assert_eq!(written_anew(&archive, Format::Quake), Some(Stock::V106));
        assert_eq!(written_anew(&archive, Format::Daikatana), None);
    }

    #[test]
    fn another_number_of_entries_is_another_pak() {
        for (entries, expected) in [(338, None), (339, Some(Stock::V106)), (340, None)] {
            let bytes = forged(entries, 32981);
            let archive = Archive::from_bytes(bytes.as_slice()).unwrap();
            assert_eq!(Stock::of(&archive), expected, "{entries}");
        }
    }
}
