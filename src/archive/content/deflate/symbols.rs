//! Symbols: what deflate writes a literal, a length and a distance as (RFC 1951, 3.2.5).

/// The shortest match that can be written.
pub(super) const MATCH_MIN: usize = 3;
/// The longest match that can be written.
pub(super) const MATCH_MAX: usize = 258;
/// The largest distance.
pub(super) const DISTANCE_MAX: usize = 32 << 10;

/// The symbol that ends a block.
pub(super) const END: usize = 256;
/// How many symbols of literals and lengths there are.
pub(super) const LITERALS: usize = 286;
/// How many symbols of distances there are.
pub(super) const DISTANCES: usize = 30;

/// A literal or a match, in four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Token(u32);

impl Token {
    pub(super) const fn literal(byte: u8) -> Self {
        Self((byte as u32) << 16)
    }

    /// A match: 3 to 258 bytes, from 1 to 32,768 bytes before.
    #[expect(clippy::cast_possible_truncation, reason = "both are below 2^16")]
    pub(super) const fn matching(len: usize, distance: usize) -> Self {
        Self(((len as u32) << 16) | distance as u32)
    }

    /// The token as a number.
    pub(super) const fn to_bits(self) -> u32 {
        self.0
    }

    /// The token that is this number.
    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    pub(super) const fn is_match(self) -> bool {
        self.distance() != 0
    }

    /// How many bytes it stands for.
    #[inline]
    pub(super) const fn len(self) -> usize {
        match self.is_match() {
            true => self.value(),
            false => 1,
        }
    }

    /// The length of a match, or the byte of a literal.
    #[inline]
    pub(super) const fn value(self) -> usize {
        (self.0 >> 16) as usize
    }

    /// 0 for a literal.
    #[inline]
    pub(super) const fn distance(self) -> usize {
        (self.0 & 0xFFFF) as usize
    }
}

/// The symbol of a length and how many extra bits follow it.
#[inline]
pub(super) fn of_length(len: usize) -> (usize, u32) {
    let (symbol, extra) = LENGTHS.get(len).copied().unwrap_or_default();
    (usize::from(symbol), u32::from(extra))
}

/// By length.
static LENGTHS: [(u16, u8); MATCH_MAX + 1] = lengths();

#[expect(clippy::indexing_slicing, reason = "when compiled")]
#[expect(clippy::cast_possible_truncation, reason = "258 and 5 at most")]
const fn lengths() -> [(u16, u8); MATCH_MAX + 1] {
    let mut lengths = [(0, 0); MATCH_MAX + 1];
    let mut len = MATCH_MIN;
    while len < MATCH_MAX {
        let (code, extra) = log_linear(len - MATCH_MIN, 2);
        lengths[len] = ((END + 1 + code) as u16, extra as u8);
        len += 1;
    }
    // The longest has a symbol of its own.
    lengths[MATCH_MAX] = (285, 0);
    lengths
}

/// The symbol of a distance and how many extra bits follow it.
#[inline]
pub(super) const fn of_distance(distance: usize) -> (usize, u32) {
    log_linear(distance.wrapping_sub(1), 1)
}

/// The symbol of a value where each power of two is cut into `2^bits` symbols of the same width, and how
/// many low bits the symbol does not tell.
#[inline]
const fn log_linear(value: usize, bits: u32) -> (usize, u32) {
    let whole = match value >> bits {
        0 => return (value, 0),
        whole => whole.ilog2(),
    };
    (((whole as usize) << bits) + (value >> whole), whole)
}

/// The extra bits themselves.
#[inline]
pub(super) const fn extra_of(value: usize, extra: u32) -> u64 {
    value as u64 & ((1 << extra) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_those_of_the_rfc() {
        // The first length or distance of each symbol.
        let lengths = [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
            115, 131, 163, 195, 227, 258,
        ];
        for len in MATCH_MIN..=MATCH_MAX {
            let code = lengths.iter().rposition(|first| *first <= len).unwrap();
            let extra = match code {
                28 => 0,
                _ => (lengths[code + 1].min(259) - lengths[code]).ilog2(),
            };
            let extra = if code == 27 { 5 } else { extra };
            assert_eq!(of_length(len), (257 + code, extra), "{len}");
        }
        let distances = [
            1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025,
            1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577, 32769,
        ];
        for distance in 1..=DISTANCE_MAX {
            let code = distances
                .iter()
                .rposition(|first| *first <= distance)
                .unwrap();
            let extra = (distances[code + 1] - distances[code]).ilog2();
            assert_eq!(of_distance(distance), (code, extra), "{distance}");
            let rest = usize::try_from(extra_of(distance - 1, extra)).unwrap();
            assert_eq!(distances[code] + rest, distance);
        }
    }
}
