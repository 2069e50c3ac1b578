//! Random numbers that are the same on every machine (splitmix64).

/// A row of numbers that its seed decides.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Dice that the content of `data` decides.
    pub(crate) fn of(data: &[u8]) -> Self {
        Self(u64::from(crc32fast::hash(data)))
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let z = u128::from(z ^ (z >> 31));
        usize::try_from((z * limit as u128) >> 64).unwrap()
    }

    /// Any byte.
    pub(crate) fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap()
    }

    /// Now a few bytes, now none, now many: the length of a piece.
    pub(crate) fn piece(&mut self) -> usize {
        match self.below(8) {
            0 => 0,
            1..=3 => self.below(4),
            4 | 5 => self.below(100),
            6 => self.below(400),
            _ => 1 << 12,
        }
    }

    /// Bytes without any pattern.
    pub(crate) fn noise(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.byte()).collect()
    }

    /// Content with runs, copies and literals in it.
    pub(crate) fn mixture(&mut self, len: usize) -> Vec<u8> {
        let mut content = Vec::new();
        while content.len() < len {
            let n = 1 + self.below(90);
            match self.below(4) {
                0 => content.resize(content.len() + n, 0),
                1 => content.resize(content.len() + n, self.byte()),
                2 => content.extend(self.noise(n / 4 + 1)),
                _ => {
                    let from = content.len().saturating_sub(1 + self.below(257));
                    content.extend_from_within(from..content.len().min(from + n));
                }
            }
        }
        content.truncate(len);
        content
    }

    /// Pieces for both sides of a decoder, without end.
    pub(crate) fn pieces(mut self) -> impl Iterator<Item = (usize, usize)> {
        std::iter::repeat_with(move || (self.piece(), self.piece()))
    }
}
