//! The container on disk and in memory: header, records, and the table of what sets the formats
//! apart.
//!
//! This is the only file that knows a record's fields. A format with a header of twelve bytes and
//! records of one length is one row of the table: a variant of [`Format`], its place in
//! [`Format::ALL`], its numbers in a constant, and that in `with_row`. What a format is called, and how
//! its archives begin, stands in `facts`.
//!
//! What the header and the fields of each record are stands in [`format`](mod@crate::format).
//! All numbers are 32-bit little-endian, and become native ones here and nowhere else.

use crate::archive::{Format, RawName};

/// The length of the header, in bytes.
pub const HEADER_LEN: usize = 12;
/// The length of a magic.
pub(super) const MAGIC_LEN: usize = 4;
/// The largest offset, size or file length that the formats' numbers can say.
pub(crate) const NUMBER_MAX: u64 = u32::MAX as u64;
/// What a compressed record's flag is written as. Any value but 0 means compressed, but some
/// readers take only this one.
pub(super) const FLAG_COMPRESSED: u32 = 1;

/// What [`Record::write`] sets aside, so that a record of any format fits.
const LONGEST_RECORD: usize = {
    let (mut longest, mut rest) = (0, Format::ALL.as_slice());
    while let [format, others @ ..] = rest {
        if format.record_len() > longest {
            longest = format.record_len();
        }
        rest = others;
    }
    longest
};

/// The first twelve bytes, in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Header {
    /// What the file begins with: the magic of one format at least.
    pub magic: [u8; MAGIC_LEN],
    /// Where the directory begins.
    pub directory_offset: u32,
    /// How long it claims to be, in bytes.
    pub directory_len: u32,
}

impl Header {
    /// The header that `bytes` hold, or `None` where they begin with the magic of no format that has
    /// such a header.
    #[must_use]
    pub fn parse(bytes: &[u8; HEADER_LEN]) -> Option<Self> {
        let magic = *bytes.first_chunk()?;
        Format::of_magic(magic).find(|it| it.row().is_some())?;
        Some(Self {
            magic,
            directory_offset: number(bytes, 4),
            directory_len: number(bytes, 8),
        })
    }

    /// The header as it stands in a file.
    #[must_use]
    pub fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        put(&mut bytes, 0, &self.magic);
        put(&mut bytes, 4, &self.directory_offset.to_le_bytes());
        put(&mut bytes, 8, &self.directory_len.to_le_bytes());
        bytes
    }
}

/// A row of the table: where the fields of a format's records stand.
#[derive(Debug)]
struct Row {
    record_len: usize,
    /// The name's length; it comes first.
    name_len: usize,
    offset_at: usize,
    size_at: usize,
    /// Where the stream's length stands, if files can be compressed, and what says that one is.
    packed: Option<(usize, Flag)>,
}

/// What says that a file is compressed.
#[derive(Debug, Clone, Copy)]
enum Flag {
    /// A number that is not 0, at this place.
    At(usize),
    /// The stream's length, where it is not 0.
    Length,
}

const QUAKE: Row = Row {
    record_len: 64,
    name_len: 56,
    offset_at: 56,
    size_at: 60,
    packed: None,
};

const DAIKATANA: Row = Row {
    record_len: 72,
    name_len: 56,
    offset_at: 56,
    size_at: 60,
    packed: Some((64, Flag::At(68))),
};

/// SiN's, and HROT's.
const LONG_NAMES: Row = Row {
    record_len: 128,
    name_len: 120,
    offset_at: 120,
    size_at: 124,
    packed: None,
};

const ANACHRONOX: Row = Row {
    record_len: 144,
    name_len: 128,
    offset_at: 128,
    size_at: 132,
    packed: Some((136, Flag::Length)),
};

/// Evaluates an expression with the row of a format as a constant, so that the fields' places are
/// constants in the code for each format: read at run time they cost twice the instructions. A format
/// without such records has no row.
macro_rules! with_row {
    ($format:expr, $row:ident => $body:expr, else $none:expr) => {
        match $format {
            Format::Quake => {
                const $row: &Row = &QUAKE;
                $body
            }
            Format::Daikatana => {
                const $row: &Row = &DAIKATANA;
                $body
            }
            Format::Sin | Format::Hrot => {
                const $row: &Row = &LONG_NAMES;
                $body
            }
            Format::Anachronox => {
                const $row: &Row = &ANACHRONOX;
                $body
            }
            Format::Pk3 | Format::Directory => $none,
        }
    };
}

impl Format {
    /// Where the fields of its records stand, where it has records of one length.
    #[inline]
    const fn row(self) -> Option<&'static Row> {
        with_row!(self, ROW => Some(ROW), else None)
    }

    /// The length of a record's name field; where names have no field, more than any has.
    #[must_use]
    pub const fn name_len(self) -> usize {
        with_row!(self, ROW => ROW.name_len, else u16::MAX as usize + 1)
    }

    /// The longest name that is written: a field's last byte stays NUL, because engines copy the
    /// name until they meet one and would run on into the numbers.
    #[must_use]
    pub const fn name_max(self) -> usize {
        self.name_len() - 1
    }

    /// The length of one record of the directory; of a ZIP's, without the name.
    #[inline]
    #[must_use]
    pub const fn record_len(self) -> usize {
        with_row!(self, ROW => ROW.record_len, else super::zip::RECORD_LEN)
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
    /// What only a format that can compress says.
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
    pub fn parse(format: Format, bytes: &'a [u8]) -> Option<Self> {
        with_row!(format, ROW => Self::parse_row(ROW, bytes), else None)
    }

    /// The record of this number in a directory, or `None` where that ends before it.
    #[inline]
    #[must_use]
    pub fn nth(format: Format, directory: &'a [u8], index: usize) -> Option<Self> {
        with_row!(format, ROW => {
            let bytes = directory.get(index.checked_mul(ROW.record_len)?..)?;
            Self::parse_row(ROW, bytes)
        }, else None)
    }

    #[expect(
        clippy::inline_always,
        reason = "its row is a constant where it is inlined"
    )]
    #[inline(always)]
    fn parse_row(row: &Row, bytes: &'a [u8]) -> Option<Self> {
        let bytes = bytes.get(..row.record_len)?;
        Some(Self {
            name: RawName::from_field(bytes.get(..row.name_len)?),
            offset: number(bytes, row.offset_at),
            size: number(bytes, row.size_at),
            packed: row.packed.map(|(packed_at, flag)| {
                let size = number(bytes, packed_at);
                let flag = match flag {
                    Flag::At(flag_at) => number(bytes, flag_at),
                    Flag::Length => u32::from(size > 0),
                };
                Packed { size, flag }
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
    /// The caller has checked that the name fits; of a longer one the first
    /// [`name_max`](Format::name_max) bytes are written, so that no name is ever without its NUL.
    pub fn write(&self, format: Format, out: &mut Vec<u8>) {
        with_row!(format, ROW => self.write_row(ROW, out), else ());
    }

    #[expect(
        clippy::inline_always,
        reason = "its row is a constant where it is inlined"
    )]
    #[inline(always)]
    fn write_row(&self, row: &Row, out: &mut Vec<u8>) {
        let mut bytes = [0; LONGEST_RECORD];
        let name = self.name.as_bytes();
        put(&mut bytes, 0, name.get(..row.name_len - 1).unwrap_or(name));
        put(&mut bytes, row.offset_at, &self.offset.to_le_bytes());
        put(&mut bytes, row.size_at, &self.size.to_le_bytes());
        if let Some((packed_at, Flag::At(flag_at))) = row.packed {
            let flag = if self.is_compressed() {
                FLAG_COMPRESSED
            } else {
                0
            };
            put(&mut bytes, packed_at, &self.stored_len().to_le_bytes());
            put(&mut bytes, flag_at, &flag.to_le_bytes());
        }
        out.extend_from_slice(bytes.get(..row.record_len).unwrap_or(&bytes));
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
    assert!(HEADER_LEN == MAGIC_LEN + 8);
    let mut rest = Format::ALL.as_slice();
    while let [format, others @ ..] = rest {
        if let Some(row) = format.row() {
            assert!(row.name_len <= row.offset_at && row.offset_at + 4 <= row.size_at);
            assert!(row.size_at + 4 <= row.record_len);
            if let Some((packed_at, flag)) = row.packed {
                assert!(row.size_at + 4 <= packed_at && packed_at + 4 <= row.record_len);
                if let Flag::At(flag_at) = flag {
                    assert!(packed_at + 4 <= flag_at && flag_at + 4 <= row.record_len);
                }
            }
        }
        rest = others;
    }
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
            magic: *b"PACK",
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
        record(b"gfx.wad").write(Format::Quake, &mut bytes);
        let mut expected = b"gfx.wad".to_vec();
        expected.resize(56, 0);
        expected.extend([1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(bytes, expected);
        assert_eq!(
            Record::parse(Format::Quake, &bytes),
            Some(record(b"gfx.wad"))
        );
        assert_eq!(Record::parse(Format::Daikatana, &bytes), None);
    }

    #[test]
    fn a_stored_daikatana_record_repeats_its_size_and_is_never_judged_by_it() {
        let mut bytes = Vec::new();
        record(b"a.wav").write(Format::Daikatana, &mut bytes);
        assert_eq!(bytes[60..], [5, 6, 7, 8, 5, 6, 7, 8, 0, 0, 0, 0]);
        bytes[64..68].fill(0);
        let read = Record::parse(Format::Daikatana, &bytes).unwrap();
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
        odd.write(Format::Daikatana, &mut bytes);
        assert_eq!(bytes[64..], [9, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn a_name_that_fills_the_field_is_read_and_never_written() {
        let long = [b'x'; 56];
        let mut bytes = long.to_vec();
        bytes.extend([0; 8]);
        let read = Record::parse(Format::Quake, &bytes).unwrap();
        assert_eq!(read.name.as_bytes(), long);
        let mut written = Vec::new();
        read.write(Format::Quake, &mut written);
        assert_eq!(written[55], 0);
    }
}
