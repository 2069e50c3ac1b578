//! Paks put together byte by byte, with nothing of the code under test.

use daisho::Format;

/// The layouts that share the magic `PACK`.
pub(crate) const PACKS: [Format; 2] = [Format::Quake, Format::Daikatana];

/// A record with everything as a test wants it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) offset: u32,
    pub(crate) size: u32,
    /// Packed size and flag: only in Daikatana's layout.
    pub(crate) packed: Option<(u32, u32)>,
}

/// A pak that grows at its end.
#[derive(Debug, Clone)]
pub(crate) struct Pak {
    pub(crate) bytes: Vec<u8>,
    pub(crate) entries: Vec<Entry>,
}

impl Pak {
    pub(crate) fn new() -> Self {
        Self { bytes: b"PACK\0\0\0\0\0\0\0\0".to_vec(), entries: Vec::new() }
    }

    /// Adds payload bytes that no entry names yet. Returns their offset.
    pub(crate) fn payload(&mut self, bytes: &[u8]) -> u32 {
        let at = self.bytes.len() as u32;
        self.bytes.extend(bytes);
        at
    }

    /// With an entry for each name and content.
    pub(crate) fn of<N: AsRef<[u8]>, C: AsRef<[u8]>>(files: &[(N, C)]) -> Self {
        let add = |pak: Self, (name, content): &(N, C)| pak.stored(name, content);
        files.iter().fold(Self::new(), add)
    }

    /// With an entry of the same content for each name.
    pub(crate) fn named<N: AsRef<[u8]>>(names: &[N], content: &str) -> Self {
        let add = |pak: Self, name: &N| pak.stored(name, content);
        names.iter().fold(Self::new(), add)
    }

    pub(crate) fn stored(mut self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Self {
        let (name, content) = (name.as_ref().to_vec(), content.as_ref());
        let (offset, size) = (self.payload(content), content.len() as u32);
        self.entry(Entry { name, offset, size, packed: None })
    }

    pub(crate) fn compressed(mut self, name: &str, size: u32, stream: &[u8]) -> Self {
        let offset = self.payload(stream);
        self.entry(Entry {
            name: name.into(),
            offset,
            size,
            packed: Some((stream.len() as u32, 1)),
        })
    }

    pub(crate) fn entry(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    pub(crate) fn quake(self) -> Vec<u8> {
        self.finish(false)
    }

    pub(crate) fn daikatana(self) -> Vec<u8> {
        self.finish(true)
    }

    fn finish(self, packs: bool) -> Vec<u8> {
        let mut bytes = self.bytes;
        let start = bytes.len();
        for entry in &self.entries {
            let mut field = entry.name.clone();
            field.resize(56, 0);
            bytes.extend(field);
            bytes.extend(entry.offset.to_le_bytes());
            bytes.extend(entry.size.to_le_bytes());
            if packs {
                let (size, flag) = entry.packed.unwrap_or((entry.size, 0));
                bytes.extend(size.to_le_bytes());
                bytes.extend(flag.to_le_bytes());
            }
        }
        let len = (bytes.len() - start) as u32;
        bytes[4..8].copy_from_slice(&(start as u32).to_le_bytes());
        bytes[8..12].copy_from_slice(&len.to_le_bytes());
        bytes
    }
}
