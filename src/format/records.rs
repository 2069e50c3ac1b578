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
    /// How long it claims to be, in bytes. A WAD's counts its lumps instead.
    pub directory_len: u64,
}

impl Header {
    /// The header that `bytes` hold, or `None` where they begin with the magic of no format that has
    /// such a header.
    #[must_use]
    pub fn parse(bytes: &[u8; HEADER_LEN]) -> Option<Self> {
        let magic = *bytes.first_chunk()?;
        let format = Format::of_magic(magic).find(|it| it.row().is_some())?;
        let [first, second] = [4, 8].map(|at| number(bytes, at));
        Some(match format.counts_lumps() {
            true => Self {
                magic,
                directory_offset: second,
                directory_len: u64::from(first) * format.record_len() as u64,
            },
            false => Self {
                magic,
                directory_offset: first,
                directory_len: second.into(),
            },
        })
    }

    /// The header as it stands in a file. A length that its number cannot say becomes the largest.
    #[must_use]
    pub fn to_bytes(self) -> [u8; HEADER_LEN] {
        let counts = Format::of_magic(self.magic).find(|it| it.counts_lumps());
        let unit = counts.map_or(1, |format| format.record_len() as u64);
        let len = u32::try_from(self.directory_len / unit).unwrap_or(u32::MAX);
        let (first, second) = match counts {
            Some(_) => (len, self.directory_offset),
            None => (self.directory_offset, len),
        };
        let mut bytes = [0; HEADER_LEN];
        put(&mut bytes, 0, &self.magic);
        put(&mut bytes, 4, &first.to_le_bytes());
        put(&mut bytes, 8, &second.to_le_bytes());
        bytes
    }
}

/// A row of the table: where the fields of a format's records stand.
#[derive(Debug)]
struct Row {
    record_len: usize,
    name_at: usize,
    name_len: usize,
    offset_at: usize,
    size_at: usize,
    /// Where the stream's length stands, if files can be compressed, and what says that one is.
    packed: Option<(usize, Flag)>,
    /// Where stands what only a WAD says.
    lump: Option<LumpAt>,
}

/// Where in a WAD's record each part of a [`Lump`] stands.
#[derive(Debug, Clone, Copy)]
struct LumpAt {
    full_size: usize,
    kind: usize,
    method: usize,
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
    name_at: 0,
    name_len: 56,
    offset_at: 56,
    size_at: 60,
    packed: None,
    lump: None,
};

const DAIKATANA: Row = Row {
    record_len: 72,
    name_at: 0,
    name_len: 56,
    offset_at: 56,
    size_at: 60,
    packed: Some((64, Flag::At(68))),
    lump: None,
};

/// SiN's, and HROT's.
const LONG_NAMES: Row = Row {
    record_len: 128,
    name_at: 0,
    name_len: 120,
    offset_at: 120,
    size_at: 124,
    packed: None,
    lump: None,
};

const ANACHRONOX: Row = Row {
    record_len: 144,
    name_at: 0,
    name_len: 128,
    offset_at: 128,
    size_at: 132,
    packed: Some((136, Flag::Length)),
    lump: None,
};

/// Quake's texture archives, and Half-Life's. The size is that on disk.
const WAD: Row = Row {
    record_len: 32,
    name_at: 16,
    name_len: 16,
    offset_at: 0,
    size_at: 4,
    packed: None,
    lump: Some(LumpAt {
        full_size: 8,
        kind: 12,
        method: 13,
    }),
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
            Format::Wad2 | Format::Wad3 => {
                const $row: &Row = &WAD;
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

    /// Whether its header counts records and puts that first, and records have types: a WAD.
    #[must_use]
    pub(crate) const fn counts_lumps(self) -> bool {
        with_row!(self, ROW => ROW.lump.is_some(), else false)
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
    /// What only a WAD says.
    pub lump: Option<Lump>,
}

/// What only a WAD says of a file, which is called a lump there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lump {
    /// Its type.
    pub kind: u8,
    /// How it is compressed: 0 for not at all, and nothing else is known to be in use.
    pub method: u8,
    /// Its size, decompressed. The record's `size` is how many bytes it takes.
    pub full_size: u32,
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
            name: RawName::from_field(name_field(row, bytes)?),
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
            lump: row.lump.map(|at| Lump {
                kind: byte(bytes, at.kind),
                method: byte(bytes, at.method),
                full_size: number(bytes, at.full_size),
            }),
        })
    }

    /// What stands behind the name in its field, the NUL that ends it included, of the record of this
    /// number in a directory.
    #[cfg(feature = "ops")]
    pub(crate) fn behind_name(format: Format, directory: &'a [u8], index: usize) -> &'a [u8] {
        let behind = || {
            let row = format.row()?;
            let record = directory.get(index.checked_mul(row.record_len)?..)?;
            let field = name_field(row, record)?;
            field.get(RawName::from_field(field).as_bytes().len()..)
        };
        behind().unwrap_or_default()
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
        let name = name.get(..row.name_len - 1).unwrap_or(name);
        put(&mut bytes, row.name_at, name);
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
        if let (Some(at), Some(lump)) = (row.lump, self.lump) {
            put(&mut bytes, at.full_size, &lump.full_size.to_le_bytes());
            put(&mut bytes, at.kind, &[lump.kind]);
            put(&mut bytes, at.method, &[lump.method]);
        }
        out.extend_from_slice(bytes.get(..row.record_len).unwrap_or(&bytes));
    }
}

/// The field of a record that holds its name.
#[inline]
fn name_field<'a>(row: &Row, record: &'a [u8]) -> Option<&'a [u8]> {
    record.get(row.name_at..)?.get(..row.name_len)
}

/// The byte at `at`; 0 where the bytes end before it, which no caller lets happen.
#[inline]
fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or_default()
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
            assert!(row.name_at + row.name_len <= row.record_len);
            assert!(row.offset_at + 4 <= row.size_at && row.size_at + 4 <= row.record_len);
            if let Some(at) = row.lump {
                assert!(at.full_size + 4 <= at.kind && at.kind < at.method);
                assert!(at.method < row.name_at && row.size_at + 4 <= at.full_size);
            } else {
                assert!(row.name_at + row.name_len <= row.offset_at);
            }
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
            lump: None,
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
    fn a_wads_header_counts_and_its_record_has_the_name_last() {
        let header = Header {
            magic: *b"WAD3",
            directory_offset: 0x0102_0304,
            directory_len: 0x40,
        };
        let bytes = *b"WAD3\x02\0\0\0\x04\x03\x02\x01";
        assert_eq!(header.to_bytes(), bytes);
        assert_eq!(Header::parse(&bytes), Some(header));
        let most = Header::parse(b"WAD2\xff\xff\xff\xff\0\0\0\0").unwrap();
        assert_eq!(most.directory_len, 32 * u64::from(u32::MAX));

        let lump = Some(Lump {
            kind: b'D',
            method: 0,
            full_size: 9,
        });
        let record = Record {
            lump,
            ..record(b"brick")
        };
        let mut bytes = Vec::new();
        record.write(Format::Wad2, &mut bytes);
        assert_eq!(
            bytes,
            *b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\0\0\0D\0\0\0brick\0\0\0\0\0\0\0\0\0\0\0"
        );
        assert_eq!(Record::parse(Format::Wad2, &bytes), Some(record));
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
