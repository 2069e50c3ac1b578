//! The container's header and records, on disk and in memory.
//!
//! [`format`](mod@crate::format) describes their fields; their offsets are in `spec`. All numbers have 32
//! bits and are little-endian. They are converted to native numbers here; `zip` and `lump`
//! have headers of their own.

use crate::archive::bytes::{array_at, u32_at};
use crate::archive::{Format, RawName};

/// The length of the header, in bytes.
pub(crate) const HEADER_LEN: usize = 12;
/// The length of a magic.
pub(super) const MAGIC_LEN: usize = 4;
/// The largest offset, size or file length that fits the formats' numbers.
pub(crate) const NUMBER_MAX: u64 = u32::MAX as u64;
/// The flag written for a compressed file. Any value but 0 means compressed, but some readers accept only
/// this one.
pub(super) const FLAG_COMPRESSED: u32 = 1;

/// The first twelve bytes, in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Header {
    /// The magic of at least one format.
    pub magic: [u8; MAGIC_LEN],
    /// The offset of the directory.
    pub directory_offset: u32,
    /// The claimed length of the directory in bytes. A WAD states the number of lumps instead.
    pub directory_len: u64,
}

impl Header {
    /// Its length in bytes.
    pub const LEN: usize = HEADER_LEN;

    /// Parses a header. `None` if its magic belongs to no format with such a header.
    #[must_use]
    pub fn parse(bytes: &[u8; Self::LEN]) -> Option<Self> {
        let magic = array_at(bytes, 0);
        let (first, second) = (u32_at(bytes, 4), u32_at(bytes, 8));
        let spec = Format::of_header(magic)?.spec();
        let (directory_offset, directory_len) = if spec.has_lumps() {
            (second, u64::from(first) * spec.record_len as u64)
        } else {
            (first, second.into())
        };
        Some(Self { magic, directory_offset, directory_len })
    }

    /// The header as bytes. A length that does not fit becomes the largest number.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::LEN] {
        let counted =
            Format::of_header(self.magic).map(Format::spec).filter(|spec| spec.has_lumps());
        let unit = counted.map_or(1, |spec| spec.record_len as u64);
        let len = u32::try_from(self.directory_len / unit).unwrap_or(u32::MAX);
        let (first, second) = match counted {
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

/// The offsets of a record's fields.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) record_len: usize,
    /// The name's offset and length.
    pub(super) name: (usize, usize),
    pub(super) offset: usize,
    pub(super) size: usize,
    /// The offset of the stream's length, and how a record says that its file is compressed. `None` if the
    /// format has no compression.
    pub(super) packed: Option<(usize, Flag)>,
    /// The fields that only a WAD has.
    pub(super) lump: Option<LumpFields>,
}

/// The offsets of the fields that only a WAD's record has.
#[derive(Debug)]
pub(super) struct LumpFields {
    /// The size, decompressed. The record's `size` is the size in the file.
    pub(super) full_size: usize,
    /// The type.
    pub(super) kind: usize,
    /// The compression: 0 for none; no other value is known to be in use.
    pub(super) method: usize,
}

/// How a record says that its file is compressed.
#[derive(Debug)]
pub(super) enum Flag {
    /// By a number other than 0 at this offset.
    At(usize),
    /// By a stream length other than 0.
    Length,
}

impl Fields {
    /// The field of a record that holds its name.
    #[inline]
    pub(super) fn name_field<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        let (name, name_len) = self.name;
        record.get(name..)?.get(..name_len)
    }
}

/// One entry of the directory, as stated in the pak and not yet checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record<'a> {
    /// The bytes before the first NUL of the name field.
    pub name: RawName<'a>,
    /// The offset of the payload. Meaningless if `size` is 0.
    pub offset: u32,
    /// The file's length, decompressed.
    pub size: u32,
    /// The length of a compressed stream, end marker included. Meaningless for a stored file: the original
    /// packer writes `size` there, other tools 0.
    pub packed_size: u32,
    /// 0 for stored, anything else for compressed. Always 0 in a format without compression.
    pub flag: u32,
    /// The type of a lump. Always 0 in formats other than WADs.
    pub kind: u8,
}

impl<'a> Record<'a> {
    /// Reads the record with this number. `None` if the directory ends before it, or the format has no
    /// records of one length.
    #[must_use]
    pub fn nth(format: Format, directory: &'a [u8], index: usize) -> Option<Self> {
        let fields = format.spec().fields()?;
        let at = index.checked_mul(fields.record_len)?;
        Self::read(fields, directory.get(at..)?.get(..fields.record_len)?)
    }

    /// Reads the record of these fields from all of its bytes.
    #[inline]
    pub(super) fn read(fields: &Fields, bytes: &'a [u8]) -> Option<Self> {
        let mut record = Self {
            name: RawName::from_field(fields.name_field(bytes)?),
            offset: u32_at(bytes, fields.offset),
            size: u32_at(bytes, fields.size),
            ..Self::default()
        };
        if let Some((packed, flag)) = &fields.packed {
            record.packed_size = u32_at(bytes, *packed);
            record.flag = match flag {
                Flag::At(flag) => u32_at(bytes, *flag),
                Flag::Length => u32::from(record.packed_size > 0),
            };
        }
        if let Some(lump) = &fields.lump {
            [record.kind] = array_at(bytes, lump.kind);
        }
        Some(record)
    }

    /// The bytes after the name in its field, beginning with the NUL that ends it.
    pub(crate) fn after_name(
        format: Format,
        directory: &'a [u8],
        index: usize,
    ) -> Option<&'a [u8]> {
        let fields = format.spec().fields()?;
        let name = Self::nth(format, directory, index)?.name;
        let at = index.checked_mul(fields.record_len)?;
        let field = fields.name_field(directory.get(at..)?)?;
        field.get(name.as_bytes().len()..)
    }

    /// Whether the payload is a compressed stream.
    #[inline]
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        self.flag > 0
    }

    /// The length of the payload in the pak.
    ///
    /// For a stored file this is its size, whatever `packed_size` says.
    #[inline]
    #[must_use]
    pub const fn stored_len(&self) -> u32 {
        match self.flag {
            0 => self.size,
            _ => self.packed_size,
        }
    }

    /// Appends the record as bytes. The name is padded with zeros, and `packed_size` of a stored file
    /// equals its size, as the original packer writes it.
    ///
    /// The caller has checked that the name fits. A longer name is cut to
    /// [`name_max`](super::spec::Spec::name_max) bytes, so that it always ends in a NUL.
    pub fn write(&self, format: Format, out: &mut Vec<u8>) {
        let Some(fields) = format.spec().fields() else {
            return;
        };
        let start = out.len();
        out.resize(start + fields.record_len, 0);
        let Some(bytes) = out.get_mut(start..start + fields.record_len) else {
            return;
        };
        let (name_at, name_len) = fields.name;
        let name = self.name.as_bytes();
        put(bytes, name_at, name.get(..name_len - 1).unwrap_or(name));
        put(bytes, fields.offset, &self.offset.to_le_bytes());
        put(bytes, fields.size, &self.size.to_le_bytes());
        if let Some((packed, Flag::At(flag))) = fields.packed {
            put(bytes, packed, &self.stored_len().to_le_bytes());
            let compressed = if self.is_compressed() { FLAG_COMPRESSED } else { 0 };
            put(bytes, flag, &compressed.to_le_bytes());
        }
        if let Some(lump) = &fields.lump {
            put(bytes, lump.full_size, &self.size.to_le_bytes());
            put(bytes, lump.kind, &[self.kind]);
        }
    }
}

/// Overwrites the bytes at `at` with `part`, if it fits.
fn put(bytes: &mut [u8], at: usize, part: &[u8]) {
    if let Some(place) = at.checked_add(part.len()).and_then(|end| bytes.get_mut(at..end)) {
        place.copy_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &[u8]) -> Record<'_> {
        Record {
            name: RawName::new(name),
            offset: 0x0403_0201,
            size: 0x0807_0605,
            ..Record::default()
        }
    }

    #[test]
    fn a_header_is_twelve_little_endian_bytes() {
        let header = Header { magic: *b"PACK", directory_offset: 0x0102_0304, directory_len: 0x40 };
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
        assert_eq!(Record::nth(Format::Quake, &bytes, 0), Some(record(b"gfx.wad")));
        assert_eq!(Record::nth(Format::Daikatana, &bytes, 0), None);
    }

    #[test]
    fn wad_headers_count_and_records_end_in_names() {
        let header = Header { magic: *b"WAD3", directory_offset: 0x0102_0304, directory_len: 0x40 };
        let bytes = *b"WAD3\x02\0\0\0\x04\x03\x02\x01";
        assert_eq!(header.to_bytes(), bytes);
        assert_eq!(Header::parse(&bytes), Some(header));
        let most = Header::parse(b"WAD2\xff\xff\xff\xff\0\0\0\0").unwrap();
        assert_eq!(most.directory_len, 32 * u64::from(u32::MAX));

        let record = Record { kind: b'D', ..record(b"brick") };
        let mut bytes = Vec::new();
        record.write(Format::Wad2, &mut bytes);
        assert_eq!(
            bytes,
            *b"\x01\x02\x03\x04\x05\x06\x07\x08\x05\x06\x07\x08D\0\0\0brick\0\0\0\0\0\0\0\0\0\0\0"
        );
        assert_eq!(Record::nth(Format::Wad2, &bytes, 0), Some(record));
    }

    #[test]
    fn stored_daikatana_records_ignore_the_packed_size() {
        let mut bytes = Vec::new();
        record(b"a.wav").write(Format::Daikatana, &mut bytes);
        assert_eq!(bytes[60..], [5, 6, 7, 8, 5, 6, 7, 8, 0, 0, 0, 0]);
        bytes[64..68].fill(0);
        let read = Record::nth(Format::Daikatana, &bytes, 0).unwrap();
        assert!(!read.is_compressed());
        assert_eq!(read.stored_len(), 0x0807_0605);
    }

    #[test]
    fn any_flag_but_0_is_compressed_and_written_as_1() {
        let odd = Record { packed_size: 9, flag: 2, ..record(b"a.tga") };
        assert!(odd.is_compressed());
        assert_eq!(odd.stored_len(), 9);
        let mut bytes = Vec::new();
        odd.write(Format::Daikatana, &mut bytes);
        assert_eq!(bytes[64..], [9, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn a_name_filling_its_field_is_read_never_written() {
        let long = [b'x'; 56];
        let mut bytes = long.to_vec();
        bytes.extend([0; 8]);
        let read = Record::nth(Format::Quake, &bytes, 0).unwrap();
        assert_eq!(read.name.as_bytes(), long);
        let mut written = Vec::new();
        read.write(Format::Quake, &mut written);
        assert_eq!(written[55], 0);
    }
}
