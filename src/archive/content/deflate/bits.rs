//! Bits: a stream is written from the lowest bit of each byte to the highest.

/// A stream that is being written.
pub(super) struct Bits {
    /// Zeros from `at` on.
    out: Vec<u8>,
    /// How many bytes are whole.
    at: usize,
    /// Bits that do not make a byte yet.
    held: u64,
    count: u32,
}

impl Bits {
    /// A stream that may take so many bytes without being moved.
    pub(super) fn with_room(bytes: usize) -> Self {
        Self {
            out: Vec::with_capacity(bytes),
            at: 0,
            held: 0,
            count: 0,
        }
    }

    /// Makes room for so many bits. What has no room is lost.
    pub(super) fn reserve(&mut self, bits: u64) {
        let bytes = usize::try_from(bits / 8).unwrap_or_default();
        self.out.resize(self.at + bytes + 16, 0);
    }

    /// Writes up to 48 bits; those above `count` are 0.
    #[inline]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
        let room = self.out.get_mut(self.at..);
        if let Some(room) = room.and_then(<[u8]>::first_chunk_mut) {
            *room = self.held.to_le_bytes();
        }
        let whole = self.count / 8;
        self.at += whole as usize;
        self.held >>= whole * 8;
        self.count %= 8;
    }

    /// Fills the byte that is begun with zeros.
    pub(super) fn align(&mut self) {
        self.put(0, self.missing());
    }

    /// How many bits are missing to a whole byte.
    pub(super) fn missing(&self) -> u32 {
        (8 - self.count) % 8
    }

    /// Writes bytes; whole bytes have to stand before them.
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) {
        self.out.truncate(self.at);
        self.out.extend_from_slice(bytes);
        self.at = self.out.len();
    }

    /// The stream.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.reserve(8);
        self.align();
        self.out.truncate(self.at);
        self.out
    }
}
