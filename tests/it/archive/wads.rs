//! WADs of Quake and of Half-Life, put together byte by byte.

use daisho::{Archive, Format, Writer};

use crate::choices::Choices;

/// A WAD as far as it is built.
pub(crate) struct Wad {
    magic: [u8; 4],
    body: Vec<u8>,
    directory: Vec<u8>,
}

impl Wad {
    pub(crate) fn new(magic: &[u8; 4]) -> Self {
        Self { magic: *magic, body: Vec::new(), directory: Vec::new() }
    }

    /// A lump of this type.
    pub(crate) fn lump(mut self, lump: &[u8], kind: u8, content: &[u8]) -> Self {
        let len = u32::try_from(content.len()).unwrap();
        let offset = 12 + u32::try_from(self.body.len()).unwrap();
        for number in [offset, len, len] {
            self.directory.extend(number.to_le_bytes());
        }
        self.directory.extend([kind, 0, 0, 0]);
        let mut field = lump.to_vec();
        field.resize(16, 0);
        self.directory.extend(field);
        self.body.extend(content);
        self
    }

    /// Other bytes at a place of the last record.
    pub(crate) fn record(mut self, at: usize, bytes: &[u8]) -> Self {
        let start = self.directory.len() - 32 + at;
        self.directory[start..start + bytes.len()].copy_from_slice(bytes);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let count = u32::try_from(self.directory.len() / 32).unwrap();
        let offset = 12 + u32::try_from(self.body.len()).unwrap();
        let mut bytes = self.magic.to_vec();
        bytes.extend(count.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes.extend(&self.body);
        bytes.extend(&self.directory);
        bytes
    }
}

/// A texture of 16 by 16, with a palette behind it where Half-Life is to read it.
pub(crate) fn texture(name: &str, palette: bool) -> Vec<u8> {
    let mut texture = name.as_bytes().to_vec();
    texture.resize(16, 0);
    for number in [16_u32, 16, 40, 40 + 256, 40 + 256 + 64, 40 + 256 + 64 + 16] {
        texture.extend(number.to_le_bytes());
    }
    texture.extend((0..256_u32 + 64 + 16 + 4).map(|at| (at % 224) as u8));
    if palette {
        texture.extend(256_u16.to_le_bytes());
        texture.extend((0..768_u32).map(|at| at as u8));
        texture.extend([0; 2]);
    }
    texture
}

/// Whatever lumps there are, of any names and types: a WAD that is written again holds the same bytes,
/// and so does one that has been a pak in between.
#[test]
fn wads_survive_a_round_trip_byte_by_byte() {
    let lumps: [&[u8]; 9] =
        [b"*#a", b"a", b"*a", b"#a", b"conchars", b"Brick.1", b"fifteen_letters", b"x/y", b"-"];
    for seed in 0_u32..200 {
        let bytes: Vec<u8> = (0..64)
            .map(|at: u32| (seed.wrapping_mul(2_654_435_761).rotate_left(at) >> 7) as u8)
            .collect();
        let mut choices = Choices(&bytes);
        let magic = if seed % 2 == 0 { b"WAD2" } else { b"WAD3" };
        let mut wad = Wad::new(magic);
        for _ in 0..=choices.byte() % 6 {
            let lump = lumps[usize::from(choices.byte()) % lumps.len()];
            let kind = choices.byte();
            wad = wad.lump(lump, kind, &vec![kind; usize::from(choices.byte() % 5)]);
        }
        let archive = Archive::from_bytes(wad.bytes()).unwrap();
        assert_eq!(copy(&archive, archive.format().unwrap()), wad.bytes(), "{seed}");
        let pak = Archive::from_bytes(copy(&archive, Format::Quake)).unwrap();
        assert_eq!(copy(&pak, archive.format().unwrap()), wad.bytes(), "{seed}");
    }
}

fn copy(archive: &Archive, to: Format) -> Vec<u8> {
    let mut writer = Writer::in_memory(to).unwrap();
    writer.allow_duplicates();
    for entry in archive.entries() {
        writer.add_entry(entry).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
