//! The container on disk and in memory: header, records, and what sets the layouts apart.
//!
//! This is the only file that knows a record's fields. A layout is added here: a variant of
//! [`Layout`], its place in [`Layout::ALL`], and its shape.
//!
//! | header | bytes | content                                |
//! |--------|-------|----------------------------------------|
//! | 0      | 4     | `PACK`                                 |
//! | 4      | 4     | where the directory begins             |
//! | 8      | 4     | how long the directory is, in bytes    |
//!
//! | record | Quake | Daikatana | content                                                    |
//! |--------|-------|-----------|------------------------------------------------------------|
//! | 0      | 56    | 56        | name, up to its first NUL                                  |
//! | 56     | 4     | 4         | where the payload begins                                   |
//! | 60     | 4     | 4         | how long the file is, decompressed                         |
//! | 64     |       | 4         | how long its stream is; means nothing for a stored file    |
//! | 68     |       | 4         | 0 for a stored file, anything else for a compressed one    |
//!
//! All numbers are 32-bit little-endian, and become native ones here and nowhere else.

use super::name::RawName;

/// What every pak begins with.
pub const MAGIC: [u8; 4] = *b"PACK";
/// The length of the header.
pub const HEADER_LEN: usize = 12;
/// The length of a record's name field.
pub const NAME_FIELD: usize = 56;
/// The longest name that is written: the field's last byte stays NUL, because the engines copy
/// the name until they meet one and would run on into the offset.
pub const NAME_MAX: usize = NAME_FIELD - 1;
/// The largest offset, size or file length that the format's numbers can say.
pub const NUMBER_MAX: u64 = u32::MAX as u64;
/// What a compressed record's flag is written as. Any value but 0 means compressed, but some
/// readers take only this one.
pub const FLAG_COMPRESSED: u32 = 1;

const OFFSET_AT: usize = NAME_FIELD;
const SIZE_AT: usize = OFFSET_AT + 4;
const PACKED_AT: usize = SIZE_AT + 4;
const FLAG_AT: usize = PACKED_AT + 4;
/// What [`Record::write`] sets aside, so that a record of any layout fits.
const LONGEST_RECORD: usize = {
    let (mut longest, mut rest) = (0, Layout::ALL.as_slice());
    while let [layout, others @ ..] = rest {
        if layout.record_len() > longest {
            longest = layout.record_len();
        }
        rest = others;
    }
    longest
};

/// The first twelve bytes, in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Header {
    /// Where the directory begins.
    pub directory_offset: u32,
    /// How long it claims to be, in bytes.
    pub directory_len: u32,
}

impl Header {
    /// The header that `bytes` hold, or `None` where they do not begin with [`MAGIC`].
    #[must_use]
    pub fn parse(bytes: &[u8; HEADER_LEN]) -> Option<Self> {
        (bytes.starts_with(&MAGIC)).then(|| Self {
            directory_offset: number(bytes, 4),
            directory_len: number(bytes, 8),
        })
    }

    /// The header as it stands in a file.
    #[must_use]
    pub fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        put(&mut bytes, 0, &MAGIC);
        put(&mut bytes, 4, &self.directory_offset.to_le_bytes());
        put(&mut bytes, 8, &self.directory_len.to_le_bytes());
        bytes
    }
}

/// How a directory's records are laid out. The magic is the same for all of them, and the header
/// does not say: see [`detect`](fn@super::detect::detect).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// Quake, Quake II, Half-Life, Hexen II: 64 bytes, every file stored.
    Quake,
    /// Daikatana: 72 bytes, each file stored or compressed.
    Daikatana,
}

/// What sets a layout apart.
#[derive(Debug)]
struct Shape {
    record_len: usize,
    word: &'static str,
    /// Whether a record has the two numbers that only compression needs.
    packs: bool,
}

impl Layout {
    /// Every layout, the plainest first.
    pub const ALL: [Self; 2] = [Self::Quake, Self::Daikatana];

    const fn shape(self) -> Shape {
        match self {
            Self::Quake => Shape {
                record_len: PACKED_AT,
                word: "quake",
                packs: false,
            },
            Self::Daikatana => Shape {
                record_len: FLAG_AT + 4,
                word: "daikatana",
                packs: true,
            },
        }
    }

    /// The length of one record of the directory.
    #[inline]
    #[must_use]
    pub const fn record_len(self) -> usize {
        self.shape().record_len
    }

    /// Whether the files in such a pak can be compressed.
    #[must_use]
    pub const fn can_compress(self) -> bool {
        self.shape().packs
    }

    /// A stable word for it: `quake`, `daikatana`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.shape().word
    }

    /// The most entries whose directory's length the header can still say.
    #[must_use]
    pub const fn most_entries(self) -> u64 {
        NUMBER_MAX / self.record_len() as u64
    }
}

impl core::fmt::Display for Layout {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One entry of the directory, in memory, as the pak states it and not yet judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// The bytes before the first NUL of the name field.
    pub name: RawName<'a>,
    /// Where the payload begins. Means nothing when `size` is 0.
    pub offset: u32,
    /// The file's length, decompressed.
    pub size: u32,
    /// What only a layout that can compress says.
    pub packed: Option<Packed>,
}

/// The two numbers that only compression needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packed {
    /// The stream's length, its end marker included. Means nothing for a stored file: the
    /// original packer writes `size` there, other tools 0.
    pub size: u32,
    /// 0 for stored, anything else for compressed.
    pub flag: u32,
}

impl<'a> Record<'a> {
    /// The record that `bytes` begin with, or `None` where they are too few.
    #[inline]
    #[must_use]
    pub fn parse(layout: Layout, bytes: &'a [u8]) -> Option<Self> {
        let shape = layout.shape();
        let bytes = bytes.get(..shape.record_len)?;
        let (name, _) = bytes.split_at_checked(NAME_FIELD)?;
        Some(Self {
            name: RawName::from_field(name),
            offset: number(bytes, OFFSET_AT),
            size: number(bytes, SIZE_AT),
            packed: shape.packs.then(|| Packed {
                size: number(bytes, PACKED_AT),
                flag: number(bytes, FLAG_AT),
            }),
        })
    }

    /// Whether the payload is a compressed stream.
    #[inline]
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        matches!(self.packed, Some(Packed { flag: 1.., .. }))
    }

    /// How many bytes the payload takes in the pak.
    ///
    /// For a stored file that is its size, whatever `packed_size` says.
    #[inline]
    #[must_use]
    pub const fn stored_len(&self) -> u32 {
        match self.packed {
            Some(Packed { size, flag: 1.. }) => size,
            _ => self.size,
        }
    }

    /// Appends the record as it stands in a file: the name's padding zeroed, and `packed_size` of
    /// a stored file equal to its size, as the original packer has it.
    ///
    /// The caller has checked that the name fits; of a longer one the first [`NAME_MAX`] bytes
    /// are written, so that no name is ever without its NUL.
    pub fn write(&self, layout: Layout, out: &mut Vec<u8>) {
        let mut bytes = [0; LONGEST_RECORD];
        let name = self.name.as_bytes();
        put(&mut bytes, 0, name.get(..NAME_MAX).unwrap_or(name));
        put(&mut bytes, OFFSET_AT, &self.offset.to_le_bytes());
        put(&mut bytes, SIZE_AT, &self.size.to_le_bytes());
        if layout.can_compress() {
            let flag = if self.is_compressed() {
                FLAG_COMPRESSED
            } else {
                0
            };
            put(&mut bytes, PACKED_AT, &self.stored_len().to_le_bytes());
            put(&mut bytes, FLAG_AT, &flag.to_le_bytes());
        }
        out.extend_from_slice(bytes.get(..layout.record_len()).unwrap_or(&bytes));
    }
}

/// The number at `at`; 0 where the bytes end before it, which no caller lets happen.
#[inline]
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

/// Lays `part` over `bytes` at `at`, where it fits.
fn put(bytes: &mut [u8], at: usize, part: &[u8]) {
    if let Some(place) = at
        .checked_add(part.len())
        .and_then(|end| bytes.get_mut(at..end))
    {
        place.copy_from_slice(part);
    }
}

const _: () = {
    assert!(Layout::Quake.record_len() == 64);
    assert!(Layout::Daikatana.record_len() == 72);
    assert!(HEADER_LEN == MAGIC.len() + 8);
};

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &[u8]) -> Record<'_> {
        Record {
            name: RawName::new(name),
            offset: 0x0403_0201,
            size: 0x0807_0605,
            packed: None,
        }
    }

    #[test]
    fn a_header_is_twelve_little_endian_bytes() {
        let header = Header {
            directory_offset: 0x0102_0304,
            directory_len: 0x40,
        };
        let bytes = *b"PACK\x04\x03\x02\x01\x40\0\0\0";
        assert_eq!(header.to_bytes(), bytes);
        assert_eq!(Header::parse(&bytes), Some(header));
        assert_eq!(Header::parse(b"KCAP\x04\x03\x02\x01\x40\0\0\0"), None);
    }

    #[test]
    fn a_quake_record_is_a_name_and_two_numbers() {
        let mut bytes = Vec::new();
        record(b"gfx.wad").write(Layout::Quake, &mut bytes);
        let mut expected = b"gfx.wad".to_vec();
        expected.resize(NAME_FIELD, 0);
        expected.extend([1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(bytes, expected);
        assert_eq!(
            Record::parse(Layout::Quake, &bytes),
            Some(record(b"gfx.wad"))
        );
        assert_eq!(Record::parse(Layout::Daikatana, &bytes), None);
    }

    #[test]
    fn a_stored_daikatana_record_repeats_its_size_and_is_never_judged_by_it() {
        let mut bytes = Vec::new();
        record(b"a.wav").write(Layout::Daikatana, &mut bytes);
        assert_eq!(bytes[60..], [5, 6, 7, 8, 5, 6, 7, 8, 0, 0, 0, 0]);
        bytes[64..68].fill(0);
        let read = Record::parse(Layout::Daikatana, &bytes).unwrap();
        assert!(!read.is_compressed());
        assert_eq!(read.stored_len(), 0x0807_0605);
    }

    #[test]
    fn any_flag_but_0_means_compressed_and_is_written_as_1() {
        let packed = Some(Packed { size: 9, flag: 2 });
        let odd = Record {
            packed,
            ..record(b"a.tga")
        };
        assert!(odd.is_compressed());
        assert_eq!(odd.stored_len(), 9);
        let mut bytes = Vec::new();
        odd.write(Layout::Daikatana, &mut bytes);
        assert_eq!(bytes[64..], [9, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn a_name_that_fills_the_field_is_read_and_never_written() {
        let long = [b'x'; NAME_FIELD];
        let mut bytes = long.to_vec();
        bytes.extend([0; 8]);
        let read = Record::parse(Layout::Quake, &bytes).unwrap();
        assert_eq!(read.name.as_bytes(), long);
        let mut written = Vec::new();
        read.write(Layout::Quake, &mut written);
        assert_eq!(written[NAME_MAX], 0);
    }
}
