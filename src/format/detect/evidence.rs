//! Counts and weighs the evidence in each record of one reading of a directory.
//!
//! It runs over every record in every layout whenever a pak is opened, so it does not allocate or format
//! text.

use crate::archive::{Coding, Format};
use crate::format::records::{Fields, HEADER_LEN, Header, MAGIC_LEN, Record};

// See the table in the module above.
const NAME_WITH_EXTENSION: i32 = 500;
const NAME_PLAIN: i32 = 250;
const NAME_DOUBTFUL: i32 = 0;
const NAME_NONE: i32 = -700;
const EXTENT_FOLLOWS: i32 = 500;
const EXTENT_INSIDE: i32 = 300;
const EXTENT_OUT_OF_PLACE: i32 = -300;
const EMPTY_IN_PLACE: i32 = 150;
const STREAM_TOO_SHORT: i32 = -300;
const FLAG_ODD: i32 = -100;
const FLAG_NOISE: i32 = -300;
const PACKED_FITS: i32 = 100;
/// The most that the ends of payloads add to or take from a score.
const ENDS: i32 = 300;

/// An extent that begins this close after another one follows it: packers align by up to 4.
const ALIGNMENT: u64 = 4;

/// The counts for one reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Whole records.
    pub(crate) records: usize,
    /// Names that are empty or contain control bytes.
    pub(crate) no_names: usize,
    /// The first record with such a name, and the name's first bytes.
    pub(crate) first_no_name: Option<(usize, [u8; 4])>,
    /// Records of size 0, which have no extent.
    pub(crate) empty: usize,
    /// Extents that reach outside the file.
    pub(crate) outside: usize,
    sum: i64,
}

impl Tally {
    /// Whether more than half of the payloads reach outside the file.
    pub(super) const fn is_mostly_outside(&self) -> bool {
        2 * self.outside > self.records - self.empty
    }

    pub(super) fn mean(&self) -> Option<i32> {
        let records = i64::try_from(self.records).ok()?;
        i32::try_from(self.sum.checked_div(records)?).ok()
    }
}

/// The parts of the file that limit where extents may be.
#[derive(Debug)]
pub(crate) struct Extents {
    file: u64,
    directory: core::ops::Range<u64>,
}

impl Extents {
    pub(super) fn new(header: Header, file_len: u64) -> Self {
        let start = u64::from(header.directory_offset);
        Self { file: file_len, directory: start..start + header.directory_len }
    }
}

/// Reads the directory in this layout and weighs every whole record. `coding` is that of the format's
/// compressed payloads.
pub(crate) fn weigh(
    fields: &Fields,
    coding: Option<Coding>,
    directory: &[u8],
    extents: &Extents,
) -> Tally {
    let mut tally = Tally::default();
    let mut last_end = HEADER_LEN as u64;
    for bytes in directory.chunks_exact(fields.record_len) {
        let Some(record) = Record::read(fields, bytes) else {
            break;
        };
        let mut weight = tally.name(record.name.as_bytes(), bytes);
        if record.size == 0 {
            tally.empty += 1;
            // Packers write 0, or the place where a payload would be.
            if u64::from(record.offset) <= extents.file {
                weight += EMPTY_IN_PLACE;
            }
        } else {
            weight += tally.extent(&record, extents, &mut last_end);
        }
        if let Some(coding) = coding {
            weight += packed(&record, coding);
        }
        tally.records += 1;
        tally.sum += i64::from(weight);
    }
    tally
}

impl Tally {
    #[inline]
    fn name(&mut self, name: &[u8], record: &[u8]) -> i32 {
        let Some(is_ascii) = is_ascii_name(name) else {
            self.no_names += 1;
            if self.first_no_name.is_none() {
                self.first_no_name = record.first_chunk().map(|start| (self.records, *start));
            }
            return NAME_NONE;
        };
        match (has_extension(name), is_ascii) {
            (true, true) => NAME_WITH_EXTENSION,
            (true, false) => NAME_PLAIN,
            (false, true) if name.len() >= 4 => NAME_PLAIN,
            _ => NAME_DOUBTFUL,
        }
    }

    #[inline]
    fn extent(&mut self, record: &Record<'_>, extents: &Extents, last_end: &mut u64) -> i32 {
        let start = u64::from(record.offset);
        let end = start + u64::from(record.stored_len());
        let follows = (*last_end..=*last_end + ALIGNMENT).contains(&start);
        *last_end = end;
        if end > extents.file {
            self.outside += 1;
            // In a file that is cut off, extents are outside of it but still follow each other.
            return if follows { 0 } else { EXTENT_OUT_OF_PLACE };
        }
        let is_over_directory = start < extents.directory.end && extents.directory.start < end;
        if start < HEADER_LEN as u64 || is_over_directory {
            return EXTENT_OUT_OF_PLACE;
        }
        if follows { EXTENT_FOLLOWS } else { EXTENT_INSIDE }
    }
}

/// What a record adds to the score by its flag and the length of its stream.
#[inline]
fn packed(record: &Record<'_>, coding: Coding) -> i32 {
    let (size, packed_size, flag) = (record.size, record.packed_size, record.flag);
    let mut weight = 0;
    if flag > 1 {
        // Any byte may be a boolean, though it is unusual; text read as a number is not a flag.
        weight += if flag > 0xFF { FLAG_NOISE } else { FLAG_ODD };
    }
    if flag == 0 {
        // Zeros everywhere prove nothing: padding after a short name looks the same.
        if size > 0 && (packed_size == 0 || packed_size == size) {
            weight += PACKED_FITS;
        }
    } else if u64::from(size) > coding.most(packed_size.into()) {
        weight += STREAM_TOO_SHORT;
    } else if packed_size <= size {
        weight += PACKED_FITS;
    }
    weight
}

/// Whether a long directory can be one, checked while it is read.
///
/// One record in ten must have a name in one of the layouts. A damaged directory has many times that, and
/// noise or zeros have almost none. No engine loads what this check rejects, and somebody really wrote at
/// least a tenth of what it accepts.
#[derive(Debug)]
pub(crate) struct NameCheck(Vec<Counted>);

#[derive(Debug)]
struct Counted {
    format: Format,
    records: usize,
    names: usize,
}

/// One record in this many must have a name.
const NAMED: usize = 10;

impl NameCheck {
    /// Creates a check for an archive with this magic.
    pub(crate) fn new(magic: [u8; MAGIC_LEN]) -> Self {
        let counted = |format| Counted { format, records: 0, names: 0 };
        Self(Format::of_magic(magic).map(counted).collect())
    }

    /// Continues the check after more was read. `directory` is all that was read so far.
    pub(crate) fn enough(&mut self, directory: &[u8]) -> bool {
        for counted in &mut self.0 {
            while let Some(record) = Record::nth(counted.format, directory, counted.records) {
                counted.records += 1;
                counted.names += usize::from(is_name(record.name.as_bytes()));
            }
        }
        let enough = |counted: &Counted| counted.names * NAMED >= counted.records;
        self.0.iter().any(enough)
    }
}

/// Whether a name supports its reading: it is not empty, has no control bytes, and is unlikely to occur by
/// chance.
pub(crate) fn is_telling(name: &[u8]) -> bool {
    is_name(name) && (has_extension(name) || name.len() >= 4 && name.is_ascii())
}

/// Whether it can be a name: it is not empty and has no control bytes.
#[inline]
fn is_name(name: &[u8]) -> bool {
    is_ascii_name(name).is_some()
}

/// Whether a name is ASCII; `None` if it cannot be a name.
///
/// All bytes are examined, eight at a time and the last eight again. A loop over bytes takes a third more
/// instructions, and stopping at the first control byte takes more than that.
#[inline]
fn is_ascii_name(name: &[u8]) -> Option<bool> {
    let Some(last) = name.last_chunk::<8>() else {
        let is_name = !name.is_empty() && !name.iter().any(u8::is_ascii_control);
        return is_name.then(|| name.is_ascii());
    };
    let (words, _) = name.as_chunks::<8>();
    let (mut controls, mut all) = (0, 0);
    for word in words.iter().chain([last]) {
        controls |= controls_in(*word);
        all |= u64::from_ne_bytes(*word);
    }
    (controls == 0).then_some(all & (ONES * 0x80) == 0)
}

/// The number whose eight bytes are 1.
const ONES: u64 = u64::MAX / 0xFF;

/// Not 0 if there is a control byte among these.
#[inline]
const fn controls_in(bytes: [u8; 8]) -> u64 {
    let word = u64::from_ne_bytes(bytes);
    let delete = word ^ (ONES * 0x7F);
    // The highest bit of a byte stays set if the byte was less than what is subtracted. A borrow can set that of
    // the next byte only where another is set already.
    ((word.wrapping_sub(ONES * 0x20) & !word) | (delete.wrapping_sub(ONES) & !delete))
        & (ONES * 0x80)
}

/// Whether the name ends in a dot and one to four letters or digits, with something before the dot.
#[inline]
fn has_extension(name: &[u8]) -> bool {
    let tail = name.len().saturating_sub(5);
    let Some(tail) = name.get(tail.max(1)..) else {
        return false;
    };
    for (len, byte) in tail.iter().rev().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            return *byte == b'.' && len > 0;
        }
    }
    false
}

/// What the last bytes of at most `most` compressed payloads, spread over the directory, add to the score.
/// `None` if there are no such payloads.
pub(super) fn ends(
    format: Format,
    directory: &[u8],
    most: usize,
    peek: &mut dyn FnMut(u64) -> Option<u8>,
) -> Option<i32> {
    let records = directory.len() / format.spec().record_len;
    let step = records.div_ceil(most).max(1);
    let (mut ends, mut looked_at) = (0_i32, 0_i32);
    for index in (0..records).step_by(step) {
        let record = Record::nth(format, directory, index)?;
        if !record.is_compressed() || record.size == 0 || record.stored_len() == 0 {
            continue;
        }
        let last = u64::from(record.offset) + u64::from(record.stored_len()) - 1;
        if let Some(byte) = peek(last) {
            looked_at += 1;
            ends += if byte == 0xFF { 1 } else { -1 };
        }
    }
    (ENDS * ends).checked_div(looked_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::RawName;

    /// Every byte at every place, in names of every length around eight.
    #[test]
    fn a_name_has_no_control_bytes_wherever_they_are() {
        assert_eq!(is_ascii_name(b""), None);
        for len in 1..=25 {
            for at in 0..len {
                for byte in 0..=u8::MAX {
                    let mut name = vec![b'\xE9'; len];
                    name[at] = byte;
                    let is_control = byte < 0x20 || byte == 0x7F;
                    let is_ascii = len == 1 && byte.is_ascii();
                    assert_eq!(is_ascii_name(&name), (!is_control).then_some(is_ascii), "{name:?}");
                    name.fill(b' ');
                    name[at] = byte;
                    assert_eq!(
                        is_ascii_name(&name),
                        (!is_control).then_some(byte.is_ascii()),
                        "{name:?}"
                    );
                }
            }
        }
    }

    /// A file of 10,000 bytes whose directory takes 1,000 of them, from 8,000 on.
    const FILE: u64 = 10_000;
    const DIRECTORY: Header =
        Header { magic: *b"PACK", directory_offset: 8000, directory_len: 1000 };

    /// Name, offset, size, and in a Daikatana record the packed size and the flag.
    type Row<'a> = (&'a [u8], u32, u32, Option<(u32, u32)>);

    fn lay_down(rows: &[Row<'_>]) -> (Format, Vec<u8>) {
        let packed = rows.iter().any(|row| row.3.is_some());
        let format = Format::ALL[usize::from(packed)];
        let mut directory = Vec::new();
        for &(name, offset, size, packed) in rows {
            let mut record = [0; 72];
            record[..name.len()].copy_from_slice(name);
            record[56..60].copy_from_slice(&offset.to_le_bytes());
            record[60..64].copy_from_slice(&size.to_le_bytes());
            if let Some((packed, flag)) = packed {
                record[64..68].copy_from_slice(&packed.to_le_bytes());
                record[68..].copy_from_slice(&flag.to_le_bytes());
            }
            directory.extend_from_slice(&record[..format.spec().record_len]);
        }
        (format, directory)
    }

    fn tally(rows: &[Row<'_>]) -> Tally {
        let (format, directory) = lay_down(rows);
        let fields = format.spec().fields().unwrap();
        let coding = format.spec().coding;
        weigh(fields, coding, &directory, &Extents::new(DIRECTORY, FILE))
    }

    fn weight(row: Row<'_>) -> i32 {
        tally(&[row]).mean().unwrap()
    }

    #[test]
    fn a_name_weighs_what_the_table_says() {
        for (name, expected) in [
            (&b"a.tga"[..], 500),
            (b"a b~.x", 500),
            (b"\xe9.tga", 250),
            (b"\x80.tga", 250),
            (b"abcd", 250),
            (b"abc", 0),
            (b"\xe9t\xe9s", 0),
            (b"", -700),
            (b"a\x1f.tga", -700),
            (b"a\x7f.tga", -700),
        ] {
            let found = weight((name, 0, 0, None)) - 150;
            assert_eq!(found, expected, "{}", RawName::new(name));
        }
    }

    #[test]
    fn an_extent_weighs_what_the_table_says() {
        for (offset, size, expected) in [
            // Right after the header, with up to 4 bytes between, and further on.
            (12, 100, 500),
            (16, 100, 500),
            (17, 100, 300),
            // Up to the directory and into it, after its end and before it.
            (12, 7988, 500),
            (12, 7989, -300),
            (9000, 100, 300),
            (8999, 100, -300),
            // Up to the end of the file, and beyond it. The last one reaches beyond it too, but follows the
            // header: in a file that is cut off, payloads still follow each other.
            (9100, 900, 300),
            (9100, 901, -300),
            (12, 20_000, 0),
            // In the header.
            (11, 100, -300),
            (0, 100, -300),
            // Empty, inside and outside of the file.
            (10_000, 0, 150),
            (10_001, 0, 0),
        ] {
            let found = weight((b"a.tga", offset, size, None)) - 500;
            assert_eq!(found, expected, "{size} bytes from {offset} on");
        }
    }

    #[test]
    fn flag_and_packed_size_weigh_what_the_table_says() {
        for (size, packed, flag, expected) in [
            (100, 100, 0, 100),
            (100, 0, 0, 100),
            (100, 99, 0, 0),
            (100, 99, 1, 100),
            (100, 100, 1, 100),
            (100, 101, 1, 0),
            (65, 1, 1, 100),
            (66, 1, 1, -300),
            (100, 99, 2, -100 + 100),
            (100, 99, 255, -100 + 100),
            (100, 99, 256, -300 + 100),
            (66, 1, 2, -100 + -300),
        ] {
            let found = weight((b"a.tga", 12, size, Some((packed, flag))));
            let found = found - 500 - 500;
            assert_eq!(found, expected, "{packed} for {size}, flag {flag}");
        }
        // For an empty file zeros prove nothing: padding after a short name looks the same.
        let found = weight((b"a.tga", 12, 0, Some((0, 0))));
        assert_eq!(found, 500 + 150);
    }

    /// Deflate's longest copy is 258 bytes and takes two bits at least, so a byte gives up to 1,032 bytes.
    #[test]
    fn streams_are_too_short_by_their_codings_factor() {
        let spec = Format::Anachronox.spec();
        for (size, packed, fits) in [(66, 1, 100), (1032 * 20, 20, 100), (1032 * 20 + 1, 20, -300)]
        {
            let record = Record {
                name: RawName::new(b"a.snd"),
                offset: 16,
                size,
                packed_size: packed,
                flag: 1,
                kind: 0,
            };
            let mut directory = Vec::new();
            record.write(Format::Anachronox, &mut directory);
            directory[136..140].copy_from_slice(&packed.to_le_bytes());
            let extents = Extents::new(DIRECTORY, FILE);
            let found = weigh(spec.fields().unwrap(), spec.coding, &directory, &extents);
            assert_eq!(found.sum, 500 + 500 + fits, "{packed} bytes for {size}");
        }
    }

    #[test]
    fn whatever_is_unusual_is_counted() {
        let found = tally(&[
            (b"a.tga", 12, 100, Some((50, 1))),
            // Begins where the previous stream ends, not where its 100 bytes would end.
            (b"b.tga", 62, 10, Some((0, 0))),
            (b"c", 0, 0, Some((0, 0))),
            (b"d", 0, 0, Some((0, 0))),
            (b"ab\x01\x02", 0, 10, Some((10, 0))),
            (b"", 5, 10, Some((10, 0))),
            (b"e.tga", 8500, 100, Some((1, 7))),
            (b"f.tga", 7900, 101, Some((1, 300))),
            (b"g.tga", 9999, 2, Some((2, 0))),
            (b"h.tga", 5000, 2, Some((2, 0))),
        ]);
        let sum = (500 + 500 + 100)
            + (500 + 500 + 100)
            + 150
            + 150
            + (-700 - 300 + 100)
            + (-700 - 300 + 100)
            + (500 - 300 - 100 - 300)
            + (500 + 300 - 300 - 300)
            + (500 - 300 + 100)
            + (500 + 300 + 100);
        let expected = Tally {
            records: 10,
            no_names: 2,
            first_no_name: Some((4, *b"ab\x01\x02")),
            empty: 2,
            outside: 1,
            sum,
        };
        assert_eq!(found, expected);
        assert_eq!(i64::from(found.mean().unwrap()), sum / 10);
        assert_eq!(Tally::default().mean(), None);
    }

    #[test]
    fn one_name_in_ten_records_is_enough() {
        // 576 bytes are nine records in one layout and eight in the other, so both counts are whole,
        // whatever the size of the pieces.
        let records = |names: usize, all: usize| {
            let mut directory = vec![0; 64 * all];
            for k in 0..names {
                directory[64 * k] = b'a';
            }
            directory
        };
        for (names, all, expected) in [(1, 10, true), (1, 13, false), (2, 20, true), (0, 13, false)]
        {
            let directory = records(names, all);
            assert_eq!(NameCheck::new(*b"PACK").enough(&directory), expected, "{names} of {all}");
            let mut bit_by_bit = NameCheck::new(*b"PACK");
            let last = (0..directory.len()).map(|end| bit_by_bit.enough(&directory[..end]));
            last.for_each(drop);
            assert_eq!(bit_by_bit.enough(&directory), expected, "{names} of {all}, bit by bit");
        }
    }

    #[test]
    fn stream_ends_are_sampled_over_the_directory() {
        let rows: Vec<Row<'_>> =
            (1..=10_u32).map(|k| (&b"a.tga"[..], 100 * k, 90, Some((50, 1)))).collect();
        let (format, directory) = lay_down(&rows);
        let look = |most: usize, sound: &dyn Fn(u64) -> Option<bool>| {
            let mut asked = Vec::new();
            let mut peek = |at| {
                asked.push(at);
                sound(at).map(|sound| if sound { 0xFF } else { 0 })
            };
            (ends(format, &directory, most, &mut peek), asked)
        };
        // All of them: seven in ten are good.
        let (change, asked) = look(64, &|at| Some(at > 349));
        assert_eq!(asked, (1..=10).map(|k| 100 * k + 49).collect::<Vec<_>>());
        assert_eq!(change, Some(ENDS * (7 - 3) / 10));
        // At most three: every fourth.
        let (change, asked) = look(3, &|at| Some(at != 149));
        assert_eq!(asked, [149, 549, 949]);
        assert_eq!(change, Some(ENDS / 3));
        // Payloads outside of the file do not count.
        assert_eq!(look(64, &|at| (at > 949).then_some(false)).0, Some(-ENDS));
        assert_eq!(look(64, &|_| None).0, None);
    }

    #[test]
    fn an_end_is_looked_at_only_where_a_stream_is() {
        for (size, packed, flag, at) in [
            (90, 50, 1, Some(149)),
            (90, 1, 7, Some(100)),
            (90, 50, 0, None),
            (0, 50, 1, None),
            (90, 0, 1, None),
        ] {
            let (format, directory) = lay_down(&[(b"a.tga", 100, size, Some((packed, flag)))]);
            let mut asked = None;
            let mut peek = |at| {
                asked = Some(at);
                Some(0xFF)
            };
            let change = ends(format, &directory, 64, &mut peek);
            assert_eq!(change, at.map(|_| ENDS), "{packed} for {size}, flag {flag}");
            assert_eq!(asked, at);
        }
    }

    #[test]
    fn extensions_have_a_stem_and_1_to_4_characters() {
        for name in ["a.wav", "dir/a.rc", "x.md2", "a.b.tga", "..c", "a.jpeg", "a.x"] {
            assert!(has_extension(name.as_bytes()), "{name}");
        }
        for name in ["", "a", ".wav", "a.", "a.tar!", "a.texture", "a.b/c"] {
            assert!(!has_extension(name.as_bytes()), "{name}");
        }
    }
}
