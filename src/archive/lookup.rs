//! Finds entries by name, duplicates included. No choice of names can make it slow.
//!
//! An index is one number per entry: half a hash of the name, followed by the entry's own number, sorted.
//! That is eight bytes per entry, sorts without reading a name again, and keeps duplicates in the
//! directory's order. The hash has a random key, because strangers choose the names; the results do not
//! depend on it.
//!
//! Rejected: sorting the entries by name, which reads two names in each of 17 comparisons per entry in a
//! pak of 100,000; a `HashMap` of lists, which takes 40 to 80 bytes per entry; the standard library's hash,
//! which took 350 of the 1,300 instructions of indexing a name and finding it.

use std::hash::{BuildHasher as _, RandomState};

/// Whether `A` and `a` are the same. Engines differ in this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    /// Names are compared as bytes.
    Matters,
    /// ASCII case is ignored; other bytes are compared as bytes.
    Ignored,
}

/// Which entry counts if several have the same name. Engines differ in this, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Which {
    /// The first in the directory.
    First,
    /// The last in the directory.
    Last,
}

impl Case {
    /// Whether two names are the same.
    #[must_use]
    pub fn same(self, a: &[u8], b: &[u8]) -> bool {
        match self {
            Self::Matters => a == b,
            Self::Ignored => a.eq_ignore_ascii_case(b),
        }
    }
}

/// An index of the entries by name.
#[derive(Debug)]
pub(super) struct Index {
    case: Case,
    keys: [u64; 2],
    sorted: Vec<u64>,
}

impl Index {
    /// Indexes names in the directory's order. The header's numbers keep their count below 2^32.
    pub(super) fn new<'a>(names: impl ExactSizeIterator<Item = &'a [u8]>, case: Case) -> Self {
        let random = RandomState::new();
        let mut index = Self {
            case,
            keys: [random.hash_one(0), random.hash_one(1)],
            sorted: Vec::with_capacity(names.len()),
        };
        for (number, name) in (0_u32..).zip(names) {
            let key = index.hash(name) | u64::from(number);
            index.sorted.push(key);
        }
        index.sorted.sort_unstable();
        index
    }

    /// The numbers of the entries that may have this name, in the directory's order: all that have it, and
    /// rarely others.
    pub(super) fn candidates(
        &self,
        name: &[u8],
    ) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        let hash = self.hash(name);
        let start = self.sorted.partition_point(|key| *key < hash);
        let rest = self.sorted.get(start..).unwrap_or_default();
        let same = |key: &u64| hash_of(*key) == hash;
        // Most names occur once, and need no second search.
        let count = match rest {
            [_, second, ..] if same(second) => rest.partition_point(same),
            [first, ..] if same(first) => 1,
            _ => 0,
        };
        let found = rest.get(..count).unwrap_or_default();
        found.iter().map(|key| number_of(*key))
    }

    pub(super) const fn case(&self) -> Case {
        self.case
    }

    /// Half a hash, in the upper half.
    ///
    /// It takes eight bytes at a time, and multiplies each into the state with both halves of the product.
    /// The last eight may overlap the eight before; the length, which is hashed as well, makes that
    /// unambiguous.
    #[inline]
    fn hash(&self, name: &[u8]) -> u64 {
        let [mut hash, key] = self.keys;
        let mut take_in = |word: u64| {
            let word = match self.case {
                Case::Matters => word,
                Case::Ignored => lower(word),
            };
            hash = fold(hash ^ word, key);
        };
        let (words, rest) = name.as_chunks::<8>();
        for word in words {
            take_in(u64::from_le_bytes(*word));
        }
        match name.last_chunk::<8>() {
            _ if rest.is_empty() => {}
            Some(last) => take_in(u64::from_le_bytes(*last)),
            None => take_in(rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte))),
        }
        hash_of(fold(hash ^ name.len() as u64, key))
    }
}

/// Eight bytes with their ASCII letters in lower case.
#[inline]
const fn lower(word: u64) -> u64 {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    const TOP: u64 = EACH * 0x80;
    // The sums carry into each byte's top bit from `A` on and after `Z`, and never beyond it.
    let ascii = word & (EACH * 0x7f);
    let from_a = ascii + EACH * (0x80 - b'A' as u64);
    let behind_z = ascii + EACH * (0x7f - b'Z' as u64);
    let upper = (from_a ^ behind_z) & !word & TOP;
    word | (upper >> 2)
}

/// The upper and the lower half of a product, combined with XOR.
#[expect(clippy::cast_possible_truncation, reason = "each is half of it")]
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b | 1);
    product as u64 ^ (product >> 64) as u64
}

/// The half used for sorting.
const fn hash_of(key: u64) -> u64 {
    key & !(u32::MAX as u64)
}

/// The entry's number, in the lower half.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it was a number of 32 bits when it was put there"
)]
const fn number_of(key: u64) -> usize {
    key as u32 as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_are_lowered_as_each_of_them_is() {
        for byte in 0..=255_u8 {
            let word = [b'Z', byte, b'@', byte, 0xff, byte, b'[', b'a'];
            let lowered = lower(u64::from_le_bytes(word)).to_le_bytes();
            assert_eq!(lowered, word.map(|byte| byte.to_ascii_lowercase()));
        }
    }

    #[test]
    fn name_hashes_depend_on_every_byte_and_on_case() {
        for case in [Case::Matters, Case::Ignored] {
            let index = Index::new([].into_iter(), case);
            for len in 1..=56 {
                let name = vec![b'm'; len];
                assert_ne!(index.hash(&name), index.hash(&name[1..]));
                for at in 0..len {
                    let mut other = name.clone();
                    other[at] = b'M';
                    let same = index.hash(&name) == index.hash(&other);
                    assert_eq!(same, case == Case::Ignored, "{len}, {at}");
                    other[at] = b'n';
                    assert_ne!(index.hash(&name), index.hash(&other), "{len}, {at}");
                }
            }
        }
    }

    #[test]
    fn duplicates_come_in_the_directorys_order() {
        let names: Vec<Vec<u8>> = (0..300).map(|i| format!("{}", i % 3).into_bytes()).collect();
        let index = Index::new(names.iter().map(Vec::as_slice), Case::Matters);
        let ones: Vec<usize> =
            index.candidates(b"1").filter(|number| names[*number] == b"1").collect();
        let expected: Vec<usize> = (0..300).filter(|i| i % 3 == 1).collect();
        assert_eq!(ones, expected);
    }

    #[test]
    fn ascii_case_can_be_ignored() {
        let names: [&[u8]; 3] = [b"MAPS/a.bsp", b"maps/A.bsp", b"\xC9"];
        let folded = Index::new(names.into_iter(), Case::Ignored);
        assert_eq!(folded.candidates(b"maps/a.BSP").count(), 2);
        assert_eq!(folded.candidates(b"\xE9").count(), 0);
        let exact = Index::new(names.into_iter(), Case::Matters);
        assert_eq!(exact.candidates(b"maps/A.bsp").collect::<Vec<_>>(), [1]);
        assert_eq!(folded.candidates(&[b'x'; 100]).count(), 0);
    }
}
