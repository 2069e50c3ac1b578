//! Archives in which single numbers change, so that all else stays as it was: the numbers of a pak's header and
//! directory, and those of the records that a ZIP consists of.

use crate::codec::dice::Dice;

/// Where the numbers of a record are, by their width, and how long the record is without its name.
#[derive(Debug, Clone, Copy)]
struct Record {
    len: usize,
    bytes: &'static [usize],
    shorts: &'static [usize],
    longs: &'static [usize],
    doubles: &'static [usize],
}

const NOTHING: Record = Record { len: 0, bytes: &[], shorts: &[], longs: &[], doubles: &[] };

const PAK_HEADER: Record = Record { len: 12, longs: &[4, 8], ..NOTHING };

/// Quake's and Daikatana's. The name is before the numbers.
const PAK_RECORDS: [Record; 2] = [
    Record { len: 64, longs: &[56, 60], ..NOTHING },
    Record { len: 72, longs: &[56, 60, 64, 68], ..NOTHING },
];

/// A ZIP's records, by what they begin with.
const ZIP_RECORDS: [(&[u8; 4], Record); 5] = [
    (
        b"PK\x03\x04",
        Record { len: 30, shorts: &[4, 6, 8, 10, 26, 28], longs: &[14, 18, 22], ..NOTHING },
    ),
    (
        b"PK\x01\x02",
        Record {
            len: 46,
            bytes: &[4, 5],
            shorts: &[8, 10, 28, 30, 32, 34, 38, 40],
            longs: &[16, 20, 24, 42],
            ..NOTHING
        },
    ),
    (b"PK\x05\x06", Record { len: 22, shorts: &[4, 6, 8, 10, 20], longs: &[12, 16], ..NOTHING }),
    (b"PK\x06\x06", Record { len: 56, longs: &[16, 20], doubles: &[24, 32, 40, 48], ..NOTHING }),
    (b"PK\x06\x07", Record { len: 20, longs: &[4, 16], doubles: &[8], ..NOTHING }),
];

impl Record {
    /// The place and the width of each number.
    fn numbers(&self) -> Vec<(usize, usize)> {
        let widths = [self.bytes, self.shorts, self.longs, self.doubles];
        let all = [1, 2, 4, 8].into_iter().zip(widths);
        all.flat_map(|(width, places)| places.iter().map(move |at| (*at, width))).collect()
    }
}

/// The records of a pak or of a ZIP, and where they are.
fn records(bytes: &[u8]) -> Vec<(usize, Record)> {
    if !bytes.starts_with(b"PACK") {
        let windows = bytes.windows(4).enumerate();
        let found = windows.filter_map(|(at, start)| {
            let record = ZIP_RECORDS.iter().find(|(magic, _)| start == *magic)?;
            Some((at, record.1))
        });
        return found.collect();
    }
    let [start, len] = [4, 8].map(|at| number(bytes, at, 4) as usize);
    let record = PAK_RECORDS[usize::from(len % 64 != 0)];
    let end = bytes.len().min(start.saturating_add(len));
    let directory = (start..end.saturating_sub(record.len - 1)).step_by(record.len);
    let directory = directory.map(|at| (at, record));
    [(0, PAK_HEADER)].into_iter().chain(directory).collect()
}

/// Changes one number of one record, or a byte of its name. Says whether there was a record.
pub(crate) fn change_field(bytes: &mut [u8], dice: &mut Dice) -> bool {
    let records = records(bytes);
    // A number now and then comes from elsewhere in the file, so that records lead to each other.
    let borrowed = number(bytes, dice.below(bytes.len().max(1)), 4);
    if records.is_empty() {
        return false;
    }
    let (at, record) = records[dice.below(records.len())];
    if dice.below(8) == 0 {
        let name = if bytes.starts_with(b"PACK") { at } else { at + record.len };
        if let Some(byte) = bytes.get_mut(name + dice.below(40)) {
            *byte = *b"/\\.\0\x01a".get(dice.below(12)).unwrap_or(&(borrowed as u8));
        }
        return true;
    }
    let numbers = record.numbers();
    let (place, width) = numbers[dice.below(numbers.len())];
    let old = number(bytes, at + place, width);
    let file = bytes.len() as u64;
    let step = dice.below(70) as u64;
    let new = match dice.below(16) {
        0 | 1 => old.wrapping_add(step),
        2 | 3 => old.wrapping_sub(step),
        4..=6 => old ^ (1 << dice.below(8 * width)),
        7 => 0,
        8 => u64::MAX,
        9 => u64::MAX >> 1,
        10 => file.wrapping_add(step % 3).wrapping_sub(1),
        11 => (at as u64).wrapping_add(step % 3).wrapping_sub(1),
        12 => old.wrapping_mul(1032).wrapping_add(step % 3),
        13 => records[dice.below(records.len())].0 as u64,
        14 => [8, 9, 12, 0o120_777, 0o040_755, 0x10, 0xFFFF, 3][dice.below(8)],
        _ => borrowed,
    };
    let new = new.to_le_bytes();
    for (to, from) in bytes.iter_mut().skip(at + place).take(width).zip(new) {
        *to = from;
    }
    true
}

/// The number of so many bytes at a place, as much of it as there is.
pub(crate) fn number(bytes: &[u8], at: usize, width: usize) -> u64 {
    let mut number = [0; 8];
    let from = bytes.get(at..).unwrap_or_default();
    for (to, from) in number.iter_mut().take(width).zip(from) {
        *to = *from;
    }
    u64::from_le_bytes(number)
}
