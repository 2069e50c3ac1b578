//! ZIPs made by hand: one call for each entry, then calls that change the last entry, then calls that change the
//! whole archive.
//!
//! Nothing here asks the code under test, nor a library: headers are put together number by number,
//! and contents are deflated by a few lines of their own, with the codes that the format fixes.

/// A ZIP as far as it is built.
#[derive(Debug, Clone, Default)]
pub(crate) struct Zip {
    entries: Vec<Entry>,
    /// What comes before everything, and whether offsets count it.
    before: (Vec<u8>, bool),
    comment: Vec<u8>,
    /// Whether the end record is the larger one.
    large: bool,
    /// Changes of the end record: each place, and the bytes that go there.
    end: Vec<(usize, Vec<u8>)>,
    cut: usize,
}

/// An entry: both headers and the payload.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) local: Header,
    pub(crate) central: Header,
    payload: Vec<u8>,
    descriptor: Vec<u8>,
    /// Whether the directory puts it where no file reaches.
    pub(crate) far: bool,
}

/// The numbers of an entry as one of its headers has them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Header {
    pub(crate) name: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) crc32: u32,
    pub(crate) packed: u64,
    pub(crate) size: u64,
    pub(crate) extra: Vec<u8>,
    /// Whether its sizes are in the extra field.
    pub(crate) large: bool,
    /// The file's mode on Unix; 0 where it was made elsewhere.
    pub(crate) mode: u16,
    /// The attributes of DOS.
    pub(crate) attributes: u16,
    /// Which part of a split ZIP it is in.
    pub(crate) disk: u16,
}

impl Zip {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    fn entry(mut self, name: &[u8], method: u16, payload: Vec<u8>, content: &[u8]) -> Self {
        let header = Header {
            name: name.to_vec(),
            method,
            crc32: crc32fast::hash(content),
            packed: payload.len() as u64,
            size: content.len() as u64,
            ..Header::default()
        };
        self.entries.push(Entry {
            local: header.clone(),
            central: header,
            payload,
            descriptor: Vec::new(),
            far: false,
        });
        self
    }

    pub(crate) fn stored(self, name: impl AsRef<[u8]>, content: &[u8]) -> Self {
        self.entry(name.as_ref(), 0, content.to_vec(), content)
    }

    pub(crate) fn deflated(self, name: impl AsRef<[u8]>, content: &[u8]) -> Self {
        self.entry(name.as_ref(), 8, deflate(content), content)
    }

    /// A symbolic link.
    pub(crate) fn link(self, name: &str, to: &str) -> Self {
        self.stored(name, to.as_bytes()).change(|entry| entry.central.mode = 0o120_777)
    }

    /// Changes the last entry.
    pub(crate) fn change(mut self, change: impl FnOnce(&mut Entry)) -> Self {
        change(self.entries.last_mut().unwrap());
        self
    }

    /// Changes both headers of the last entry.
    pub(crate) fn both(self, change: impl Fn(&mut Header)) -> Self {
        self.change(|entry| {
            change(&mut entry.local);
            change(&mut entry.central);
        })
    }

    /// The sizes of the last entry follow its payload, with or without a magic before them.
    pub(crate) fn descriptor(self, magic: bool) -> Self {
        self.both(|header| header.flags |= 8).change(|entry| {
            let Header { crc32, packed, size, .. } = entry.central;
            let numbers = [crc32, packed as u32, size as u32];
            let magic = magic.then_some(*b"PK\x07\x08");
            let bytes = magic.into_iter().chain(numbers.map(u32::to_le_bytes));
            entry.descriptor = bytes.flatten().collect();
            (entry.local.crc32, entry.local.packed, entry.local.size) = (0, 0, 0);
        })
    }

    /// The payload of the last entry is this, whatever its headers say.
    pub(crate) fn payload(self, payload: &[u8]) -> Self {
        self.change(|entry| entry.payload = payload.to_vec())
    }

    pub(crate) fn before(mut self, bytes: &[u8], counted: bool) -> Self {
        self.before = (bytes.to_vec(), counted);
        self
    }

    pub(crate) fn comment(mut self, bytes: &[u8]) -> Self {
        self.comment = bytes.to_vec();
        self
    }

    /// With the larger end record.
    pub(crate) fn large(mut self) -> Self {
        self.large = true;
        self
    }

    /// Changes the end record.
    pub(crate) fn end(mut self, at: usize, bytes: &[u8]) -> Self {
        self.end.push((at, bytes.to_vec()));
        self
    }

    /// Loses so many bytes at the end.
    pub(crate) fn cut(mut self, bytes: usize) -> Self {
        self.cut = bytes;
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let (mut out, counted) = self.before.clone();
        let before = if counted { 0 } else { out.len() };
        let mut directory = Vec::new();
        for entry in &self.entries {
            let offset = (out.len() - before) as u32;
            out.extend(b"PK\x03\x04");
            entry.local.common(&mut out);
            out.extend(&entry.payload);
            out.extend(&entry.descriptor);
            entry.record(offset, &mut directory);
        }
        let at = (out.len() - before) as u64;
        let count = self.entries.len() as u64;
        out.extend(&directory);
        let len = directory.len() as u64;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        if self.large {
            let record = (out.len() - before) as u64;
            out.extend(b"PK\x06\x06");
            out.extend(44_u64.to_le_bytes());
            out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for number in [count, count, len, at] {
                out.extend(number.to_le_bytes());
            }
            out.extend(b"PK\x06\x07\0\0\0\0");
            out.extend(record.to_le_bytes());
            out.extend([1, 0, 0, 0]);
            end.extend([0xFF; 12]);
        } else {
            end.extend((count as u16).to_le_bytes());
            end.extend((count as u16).to_le_bytes());
            end.extend((len as u32).to_le_bytes());
            end.extend((at as u32).to_le_bytes());
        }
        end.extend((self.comment.len() as u16).to_le_bytes());
        for (at, bytes) in &self.end {
            end[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        out.extend(end);
        out.extend(&self.comment);
        out.truncate(out.len() - self.cut);
        out
    }
}

impl Entry {
    fn record(&self, offset: u32, directory: &mut Vec<u8>) {
        let mut central = self.central.clone();
        if self.far {
            central.extra = [&[1, 0, 8, 0][..], &[0xFF; 8]].concat();
            return central.record(u32::MAX, directory);
        }
        central.record(offset, directory);
    }
}

impl Header {
    /// From the version to the end of the extra field, as a local header has it.
    fn common(&self, out: &mut Vec<u8>) {
        out.extend([20, 0]);
        self.numbers(out);
        out.extend((self.name.len() as u16).to_le_bytes());
        let extra = self.extra();
        out.extend((extra.len() as u16).to_le_bytes());
        out.extend(&self.name);
        out.extend(extra);
    }

    fn numbers(&self, out: &mut Vec<u8>) {
        for number in [self.flags, self.method, 0, 0x21] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.crc32.to_le_bytes());
        let sizes = [self.packed, self.size];
        for size in sizes {
            let small = if self.large { u32::MAX } else { size as u32 };
            out.extend(small.to_le_bytes());
        }
    }

    fn extra(&self) -> Vec<u8> {
        let mut extra = self.extra.clone();
        if self.large {
            extra.extend([1, 0, 16, 0]);
            extra.extend(self.size.to_le_bytes());
            extra.extend(self.packed.to_le_bytes());
        }
        extra
    }

    fn record(&self, offset: u32, out: &mut Vec<u8>) {
        out.extend(b"PK\x01\x02\x14");
        out.extend([if self.mode > 0 { 3 } else { 0 }, 20, 0]);
        self.numbers(out);
        out.extend((self.name.len() as u16).to_le_bytes());
        let extra = self.extra();
        out.extend((extra.len() as u16).to_le_bytes());
        out.extend([0; 2]);
        out.extend(self.disk.to_le_bytes());
        out.extend([0; 2]);
        out.extend(self.attributes.to_le_bytes());
        out.extend(self.mode.to_le_bytes());
        out.extend(offset.to_le_bytes());
        out.extend(&self.name);
        out.extend(extra);
    }
}

/// Deflates with the fixed codes: every byte as itself, but runs of one byte as copies of the first.
pub(crate) fn deflate(content: &[u8]) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(0b011, 3);
    let mut at = 0;
    while at < content.len() {
        bits.code(content[at].into());
        let run = content[at + 1..].iter().take_while(|it| **it == content[at]).count();
        at += 1;
        for len in [run / 258 * 258, run % 258] {
            if len % 258 == 0 {
                for _ in 0..len / 258 {
                    bits.code(285);
                    bits.distance_1();
                }
                at += len;
            } else if (3..=10).contains(&len) {
                bits.code(254 + len as u16);
                bits.distance_1();
                at += len;
            }
        }
    }
    bits.code(256);
    bits.bytes
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    /// The lowest bit first.
    fn put(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().unwrap();
            *last |= ((value >> bit & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }

    /// A symbol of the fixed code, whose codes have the highest bit first.
    fn code(&mut self, symbol: u16) {
        let symbol = u32::from(symbol);
        let (code, len) = match symbol {
            0..=143 => (0x30 + symbol, 8),
            144..=255 => (0x190 + symbol - 144, 9),
            256..=279 => (symbol - 256, 7),
            _ => (0xC0 + symbol - 280, 8),
        };
        for bit in (0..len).rev() {
            self.put(code >> bit & 1, 1);
        }
    }

    fn distance_1(&mut self) {
        self.put(0, 5);
    }
}
