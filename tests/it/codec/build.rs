//! Streams by hand: a call a token, in the arithmetic of the format's table.

/// A stream as far as it is built, and the calls that built it, for people to read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Build {
    pub(crate) bytes: Vec<u8>,
    script: Vec<String>,
}

impl Build {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A literal of 1 to 64 bytes.
    pub(crate) fn literal(self, bytes: &[u8]) -> Self {
        let say = format!("literal {}", bytes.len());
        self.token(say, len(bytes.len(), 1..=64, 0x00), bytes)
    }

    /// A literal of `len` bytes that differ from each other.
    pub(crate) fn letters(self, len: usize) -> Self {
        let bytes: Vec<u8> = (b'!'..).take(len).collect();
        self.literal(&bytes)
    }

    /// Literals of `len` bytes in all, no two of which are alike within any 250.
    pub(crate) fn text(self, len: usize) -> Self {
        let bytes: Vec<u8> = (1..=250).cycle().take(len).collect();
        bytes
            .chunks(64)
            .fold(self, |build, part| build.literal(part))
    }

    /// A run of 2 to 65 zeros.
    pub(crate) fn zeros(self, n: usize) -> Self {
        self.token(format!("zeros {n}"), len(n, 2..=65, 0x40), &[])
    }

    /// A run of 2 to 65 times `byte`.
    pub(crate) fn run(self, n: usize, byte: u8) -> Self {
        self.token(
            format!("run {n} of {byte:#04x}"),
            len(n, 2..=65, 0x80),
            &[byte],
        )
    }

    /// A copy of 2 to 63 bytes from 2 to 257 bytes back.
    pub(crate) fn copy(self, n: usize, distance: usize) -> Self {
        let operand = far(distance);
        self.token(
            format!("copy {n} from {distance}"),
            len(n, 2..=63, 0xC0),
            &[operand],
        )
    }

    /// The reserved byte alone.
    pub(crate) fn reserved(self) -> Self {
        self.token("0xfe".to_owned(), 0xFE, &[])
    }

    /// The reserved byte and what it takes for a copy of 64 bytes.
    pub(crate) fn reserved_copy(self, distance: usize) -> Self {
        let operand = far(distance);
        self.token(format!("0xfe from {distance}"), 0xFE, &[operand])
    }

    /// The end marker.
    pub(crate) fn end(self) -> Self {
        self.token("end".to_owned(), 0xFF, &[])
    }

    /// Bytes as they are.
    pub(crate) fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend(bytes);
        self.script.push(format!("bytes {bytes:02x?}"));
        self
    }

    /// Cuts the last `n` bytes off.
    pub(crate) fn cut(mut self, n: usize) -> Self {
        self.bytes.truncate(self.bytes.len() - n);
        self.script.push(format!("cut {n}"));
        self
    }

    /// The calls, in words.
    pub(crate) fn script(&self) -> String {
        if self.script.is_empty() {
            return "nothing".to_owned();
        }
        self.script.join(", ")
    }

    fn token(mut self, say: String, control: u8, operands: &[u8]) -> Self {
        self.bytes.push(control);
        self.bytes.extend(operands);
        self.script.push(say);
        self
    }
}

/// The control byte for `len`, where the class begins at `base` with its least length.
fn len(len: usize, range: std::ops::RangeInclusive<usize>, base: u8) -> u8 {
    assert!(range.contains(&len), "{len} is not in {range:?}");
    base + u8::try_from(len - range.start()).unwrap()
}

fn far(distance: usize) -> u8 {
    u8::try_from(distance - 2).unwrap()
}
