//! ZIPs in which a fuzzer changes single fields: it finds the records by what they begin with, and
//! changes one number of one of them, or a byte of a name, so that all else stays as it was.

use crate::codec::dice::Dice;

/// A record's magic, its length, and its numbers.
type Shape = (&'static [u8; 4], usize, &'static [(usize, usize)]);

/// What each record begins with, how long it is without its name, and where its numbers are: their
/// place and how many bytes they have.
const RECORDS: [Shape; 5] = [
    (
        b"PK\x03\x04",
        30,
        &[
            (4, 2),
            (6, 2),
            (8, 2),
            (10, 2),
            (14, 4),
            (18, 4),
            (22, 4),
            (26, 2),
            (28, 2),
        ],
    ),
    (
        b"PK\x01\x02",
        46,
        &[
            (4, 1),
            (5, 1),
            (8, 2),
            (10, 2),
            (16, 4),
            (20, 4),
            (24, 4),
            (28, 2),
            (30, 2),
            (32, 2),
            (34, 2),
            (38, 2),
            (40, 2),
            (42, 4),
        ],
    ),
    (
        b"PK\x05\x06",
        22,
        &[(4, 2), (6, 2), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2)],
    ),
    (
        b"PK\x06\x06",
        56,
        &[(16, 4), (20, 4), (24, 8), (32, 8), (40, 8), (48, 8)],
    ),
    (b"PK\x06\x07", 20, &[(4, 4), (8, 8), (16, 4)]),
];

/// Changes one field of one record. Says whether there was one.
pub(crate) fn change_field(bytes: &mut [u8], dice: &mut Dice) -> bool {
    let mut places = Vec::new();
    for (at, start) in bytes.windows(4).enumerate() {
        let found = RECORDS.iter().find(|(magic, ..)| start == *magic);
        places.extend(found.map(|record| (at, record)));
    }
    // A number now and then comes from elsewhere in the file, so that records lead to each other.
    let borrowed = number(bytes, dice.below(bytes.len().max(1)), 4);
    if places.is_empty() {
        return false;
    }
    let (at, (_, len, fields)) = places[dice.below(places.len())];
    if dice.below(8) == 0 {
        // The name, the extra field, or what else follows.
        let at = at + len + dice.below(40);
        if let Some(byte) = bytes.get_mut(at) {
            *byte = *b"/\\.\0\x01a"
                .get(dice.below(12))
                .unwrap_or(&(borrowed as u8));
        }
        return true;
    }
    let (field, width) = fields[dice.below(fields.len())];
    let at_field = at + field;
    let old = number(bytes, at_field, width);
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
        13 => places[dice.below(places.len())].0 as u64,
        14 => [8, 9, 12, 0o120_777, 0o040_755, 0x10, 0xFFFF, 3][dice.below(8)],
        _ => borrowed,
    };
    let new = new.to_le_bytes();
    for (to, from) in bytes.iter_mut().skip(at_field).take(width).zip(new) {
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

#[test]
fn one_field_changes_and_the_others_stay() {
    let zip = super::zips::build::Zip::new()
        .stored("a.cfg", b"bind w +forward")
        .deflated("b.cfg", &[7; 100]);
    let whole = zip.bytes();
    let mut dice = Dice::new(1);
    for _ in 0..2000 {
        let mut bytes = whole.clone();
        assert!(change_field(&mut bytes, &mut dice));
        assert_eq!(bytes.len(), whole.len());
        let changed: Vec<usize> = (0..whole.len())
            .filter(|at| bytes[*at] != whole[*at])
            .collect();
        if let (Some(first), Some(last)) = (changed.first(), changed.last()) {
            assert!(last - first < 8, "{changed:?}");
        }
    }
    assert!(!change_field(&mut [0; 50], &mut dice));
}
