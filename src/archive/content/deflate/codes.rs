//! Codes: how many bits each symbol gets by how often it is used, and which bits.

/// How many symbols an alphabet has at most.
const SYMBOLS: usize = 288;

/// The lengths of a prefix code for symbols that are used so often: 0 for one that is not, and none
/// above `limit`. Two symbols at least get a code, because some decoders take no other.
pub(super) fn code_lengths(counts: &[u32], limit: u8, lengths: &mut [u8]) {
    lengths.fill(0);
    // A count and its symbol in one number, which sorts by both.
    let mut leaves = [0_u64; SYMBOLS];
    let mut used = 0;
    let kinds = counts.iter().filter(|count| **count > 0).count();
    let mut lacking = 2_usize.saturating_sub(kinds);
    for ((symbol, count), _) in (0..).zip(counts).zip(lengths.iter()) {
        let count = match *count {
            0 if lacking == 0 => continue,
            0 => {
                lacking -= 1;
                1
            }
            count => count,
        };
        if let Some(leaf) = leaves.get_mut(used) {
            *leaf = u64::from(count) << 16 | symbol;
            used += 1;
        }
    }
    let leaves = leaves.get_mut(..used).unwrap_or_default();
    leaves.sort_unstable();
    let mut of_length = depths(leaves);
    shorten(&mut of_length, limit);
    // The rarest have the longest.
    let mut leaves = leaves.iter();
    for (length, count) in (0..DEPTHS_U8).zip(of_length).rev() {
        for leaf in leaves.by_ref().take(usize::from(count)) {
            let symbol = usize::try_from(leaf & 0xFFFF).unwrap_or_default();
            if let Some(slot) = lengths.get_mut(symbol) {
                *slot = length;
            }
        }
    }
}

/// How deep a tree can be: counts that sum up to less than 2^32 make none deeper than 46.
const DEPTHS: usize = 64;
const DEPTHS_U8: u8 = 64;

/// How many leaves stand at each depth of Huffman's tree over leaves sorted by weight.
fn depths(leaves: &[u64]) -> [u16; DEPTHS] {
    // Inner nodes come into being in the order of their weights, so that the two lightest are always at
    // the heads of two queues. A node's parent is made after it.
    let mut weights = [0_u64; SYMBOLS];
    let mut parents = [0_u16; SYMBOLS];
    let mut leaf_parents = [0_u16; SYMBOLS];
    let (mut leaf, mut inner) = (0, 0);
    let inners = leaves.len().saturating_sub(1);
    for made in 0..inners {
        let mut weight = 0;
        for _ in 0..2 {
            let of_leaf = leaves.get(leaf).map(|leaf| leaf >> 16);
            let of_inner = weights.get(inner).filter(|_| inner < made).copied();
            let (lighter, parent) = match (of_leaf, of_inner) {
                (Some(of_leaf), of_inner) if of_inner.is_none_or(|it| of_leaf <= it) => {
                    leaf += 1;
                    (of_leaf, leaf_parents.get_mut(leaf - 1))
                }
                (_, of_inner) => {
                    inner += 1;
                    (of_inner.unwrap_or_default(), parents.get_mut(inner - 1))
                }
            };
            weight += lighter;
            if let Some(parent) = parent {
                *parent = u16::try_from(made).unwrap_or_default();
            }
        }
        if let Some(slot) = weights.get_mut(made) {
            *slot = weight;
        }
    }
    // Depths, from the root, which was made last, to the leaves.
    let mut inner_depths = [0_u8; SYMBOLS];
    for at in (0..inners.saturating_sub(1)).rev() {
        let parent = usize::from(parents.get(at).copied().unwrap_or_default());
        let above = inner_depths.get(parent).copied().unwrap_or_default();
        if let Some(depth) = inner_depths.get_mut(at) {
            *depth = above + 1;
        }
    }
    let mut of_length = [0; DEPTHS];
    for parent in leaf_parents.iter().take(leaves.len()) {
        let above = inner_depths.get(usize::from(*parent)).copied();
        let depth = usize::from(above.unwrap_or_default()) + 1;
        if let Some(count) = of_length.get_mut(depth) {
            *count += 1;
        }
    }
    of_length
}

/// Lets no code be longer than `limit`. Codes that are too long get that length; for the room that they
/// take, the longest of the shorter codes become one bit longer.
fn shorten(of_length: &mut [u16; DEPTHS], limit: u8) {
    let limit = usize::from(limit);
    // Room in units of the longest code.
    let too_long: u16 = of_length.iter().skip(limit + 1).sum();
    if too_long == 0 {
        return;
    }
    of_length.iter_mut().skip(limit + 1).for_each(|it| *it = 0);
    if let Some(count) = of_length.get_mut(limit) {
        *count += too_long;
    }
    let room = 1_u64 << limit;
    let codes = of_length.iter().enumerate().take(limit + 1);
    let mut taken: u64 = codes
        .map(|(length, count)| u64::from(*count) << (limit - length))
        .sum();
    while taken > room {
        let shorter = of_length.get(..limit).unwrap_or_default();
        let Some(length) = shorter.iter().rposition(|count| *count > 0) else {
            return;
        };
        // One bit more gives half of its room back.
        for (at, change) in [(length, -1), (length + 1, 1)] {
            if let Some(count) = of_length.get_mut(at) {
                *count = count.saturating_add_signed(change);
            }
        }
        taken -= 1 << (limit - length - 1);
    }
    // What was given back too much: the most used of the longest take it.
    while taken < room {
        let Some(length) = (1..=limit).rev().find(|length| {
            let gain = 1_u64 << (limit - length);
            of_length.get(*length).is_some_and(|count| *count > 0) && taken + gain <= room
        }) else {
            return;
        };
        for (at, change) in [(length, -1), (length - 1, 1)] {
            if let Some(count) = of_length.get_mut(at) {
                *count = count.saturating_add_signed(change);
            }
        }
        taken += 1 << (limit - length);
    }
}

/// The code of a symbol, as it is written: from the lowest bit on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Code {
    pub(super) bits: u16,
    pub(super) len: u8,
}

/// The codes that have these lengths: by length, and of the same length by symbol (RFC 1951, 3.2.2).
pub(super) fn codes_of(lengths: &[u8], codes: &mut [Code]) {
    let mut next = [0_u16; 17];
    for length in lengths.iter().filter(|length| **length > 0) {
        if let Some(count) = next.get_mut(usize::from(*length) + 1) {
            *count += 1;
        }
    }
    // From how many codes are one bit shorter to the first code of a length.
    let mut first = 0_u16;
    for next in &mut next {
        first = first.wrapping_add(*next).wrapping_mul(2);
        *next = first;
    }
    for (len, code) in lengths.iter().zip(codes) {
        *code = Code::default();
        if let (1.., Some(next)) = (*len, next.get_mut(usize::from(*len))) {
            let bits = next.reverse_bits() >> (16 - u32::from(*len)).min(15);
            *code = Code { bits, len: *len };
            *next = next.wrapping_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether lengths leave no room and take none that is not there.
    fn is_full(lengths: &[u8], limit: u8) -> bool {
        let used = lengths.iter().filter(|length| **length > 0);
        used.map(|length| 1_u64 << (limit - length)).sum::<u64>() == 1 << limit
    }

    fn cost(lengths: &[u8], counts: &[u32]) -> u64 {
        let both = lengths.iter().zip(counts);
        both.map(|(length, count)| u64::from(*length) * u64::from(*count))
            .sum()
    }

    #[test]
    fn codes_of_counts_that_grow_like_fibonaccis_keep_to_their_limit() {
        let mut counts = vec![1, 1];
        while counts.len() < 40 {
            counts.push(counts[counts.len() - 1] + counts[counts.len() - 2]);
        }
        for kinds in 2..=40 {
            let counts = &counts[..kinds];
            for limit in [7, 15] {
                let mut lengths = vec![0; kinds];
                code_lengths(counts, limit, &mut lengths);
                let deepest = u8::try_from(kinds - 1).unwrap().min(limit);
                assert_eq!(lengths.iter().max(), Some(&deepest), "{kinds}");
                assert!(is_full(&lengths, limit), "{kinds} {lengths:?}");
                // What is used more is not longer.
                assert!(lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
            }
        }
    }

    #[test]
    fn lengths_are_huffmans_where_none_is_too_long() {
        let mut lengths = [0; 6];
        code_lengths(&[45, 13, 12, 16, 9, 5], 15, &mut lengths);
        assert_eq!(lengths, [1, 3, 3, 3, 4, 4]);
        code_lengths(&[0, 3, 0, 3, 3, 3], 15, &mut lengths);
        assert_eq!(lengths, [0, 2, 0, 2, 2, 2]);
        let mut lengths = [0; 286];
        code_lengths(&[7; 286], 15, &mut lengths);
        assert!(is_full(&lengths, 15));
        assert_eq!(cost(&lengths, &[1; 286]), 226 * 8 + 60 * 9);
    }

    #[test]
    fn two_symbols_at_least_have_a_code() {
        for (counts, expected) in [
            ([0, 0, 0], [1, 1, 0]),
            ([0, 0, 9], [1, 0, 1]),
            ([9, 0, 0], [1, 1, 0]),
            ([0, 2, 1], [0, 1, 1]),
        ] {
            let mut lengths = [7; 3];
            code_lengths(&counts, 15, &mut lengths);
            assert_eq!(lengths, expected);
        }
    }

    #[test]
    fn codes_are_those_of_the_rfc() {
        // The example of 3.2.2, each code from its first bit on.
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        let mut codes = [Code::default(); 8];
        codes_of(&lengths, &mut codes);
        let bits: Vec<u16> = codes.iter().map(|code| code.bits).collect();
        assert_eq!(
            bits,
            [0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111]
        );
    }
}
