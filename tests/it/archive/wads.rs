//! `corpus/wads`: WADs of Quake and of Half-Life, put together byte by byte.

use daisho::{Archive, Format, Writer};

use super::corpus::made::{Comes, Expected, Made};
use crate::choices::Choices;

/// A WAD as far as it is built.
pub(crate) struct Wad {
    magic: [u8; 4],
    body: Vec<u8>,
    directory: Vec<u8>,
    entries: Vec<(Vec<u8>, Comes)>,
    /// What the header says in place of the number of lumps.
    claimed: Option<u32>,
    cut: usize,
}

impl Wad {
    pub(crate) fn new(magic: &[u8; 4]) -> Self {
        Self {
            magic: *magic,
            body: Vec::new(),
            directory: Vec::new(),
            entries: Vec::new(),
            claimed: None,
            cut: 0,
        }
    }

    /// A lump of this type, and the name that its entry must have.
    pub(crate) fn lump(mut self, lump: &[u8], kind: u8, name: &str, content: &[u8]) -> Self {
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
        self.entries.push((name.into(), Ok(content.to_vec())));
        self
    }

    /// Other bytes at a place of the last record.
    pub(crate) fn record(mut self, at: usize, bytes: &[u8]) -> Self {
        let start = self.directory.len() - 32 + at;
        self.directory[start..start + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// The last entry fails with the error that this word stands for.
    fn fails(mut self, error: &'static str) -> Self {
        self.entries.last_mut().unwrap().1 = Err(error);
        self
    }

    /// The last entry comes out as this.
    fn comes(mut self, content: &[u8]) -> Self {
        self.entries.last_mut().unwrap().1 = Ok(content.to_vec());
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let count = u32::try_from(self.directory.len() / 32).unwrap();
        let offset = 12 + u32::try_from(self.body.len()).unwrap();
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.claimed.unwrap_or(count).to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes.extend(&self.body);
        bytes.extend(&self.directory);
        bytes.truncate(bytes.len() - self.cut);
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

/// A picture with a header of width and height.
fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut picture = [width.to_le_bytes(), height.to_le_bytes()].concat();
    picture.extend((0..width * height).map(|at| at as u8));
    picture
}

/// What is in any of Quake's.
fn quake() -> Wad {
    Wad::new(b"WAD2")
        .lump(b"brick1", b'D', "brick1.mip", &texture("brick1", false))
        .lump(b"num_0", b'B', "num_0.lmp", &picture(8, 8))
}

type Row = (&'static str, &'static str, Wad);

#[rustfmt::skip]
fn sound() -> Vec<Row> {
    let tail = |wad: Wad| wad.lump(b"last", b'B', "last.lmp", &picture(1, 2));
    vec![
        ("plain-wad2.wad", "a texture, a picture, a palette, and the font, which is a picture without a header",
            quake().lump(b"palette", b'@', "palette.pal", &[7; 768]).lump(b"conchars", b'D', "conchars.lmp", &[9; 16384])),
        ("plain-wad3.wad", "textures with palettes, a picture, and a font",
            Wad::new(b"WAD3").lump(b"crate01", b'C', "crate01.mip", &texture("crate01", true)).lump(b"{fence", b'C', "{fence.mip", &texture("{fence", true))
            .lump(b"logo", b'B', "logo.lmp", &picture(4, 4)).lump(b"font0", b'F', "font0.fnt", &[3; 40])),
        ("names.wad", "names that no file may have, in upper case, with a dot, and of 16 letters without a NUL",
            tail(quake().lump(b"*lava1", b'D', "#lava1.mip", &texture("*lava1", false)).lump(b"#lava1", b'D', "##lava1.mip", b"1")
            .lump(b"+0BUTTON", b'D', "+0BUTTON.mip", b"2").lump(b"v1.5", b'B', "v1.5.lmp", b"3").lump(b"sixteen_letters!", b'D', "sixteen_letters!.mip", b"4"))),
        ("names-behind-the-nul.wad", "leaked memory behind a name's NUL", tail(quake().lump(b"a\0TEXTURE\xCC\xCC\xCC", b'D', "a.mip", b"5"))),
        ("types.wad", "types that have no extension", tail(quake().lump(b"a", 0, "a.type0", b"6").lump(b"b", b'A', "b.type65", b"7").lump(b"c", b'C', "c.type67", b"8").lump(b"d", 255, "d.type255", b""))),
        ("duplicates.wad", "one name twice, and once as another type", tail(quake().lump(b"a", b'D', "a.mip", b"9").lump(b"a", b'D', "a.mip", b"10").lump(b"a", b'B', "a.lmp", b"11"))),
        ("sizes-differ.wad", "a lump that is not compressed, and states another size decompressed", tail(quake().lump(b"a", b'B', "a.lmp", &picture(2, 2)).record(8, &[9, 9, 0, 0]))),
        ("empty.wad", "no lump at all", Wad::new(b"WAD2")),
    ]
}

#[rustfmt::skip]
fn broken() -> Vec<(&'static str, &'static str, Wad, Option<&'static str>)> {
    let tail = |wad: Wad| wad.lump(b"last", b'B', "last.lmp", &picture(1, 2));
    vec![
        ("compressed.wad", "a lump that is compressed, as none ever was", tail(quake().lump(b"a", b'B', "a.lmp", b"12").record(13, &[1]).fails("flawed")), None),
        ("outside.wad", "a lump that lies behind the end", tail(quake().lump(b"a", b'B', "a.lmp", b"13").record(0, &[0xFF; 4]).fails("outside")), None),
        ("over-the-header.wad", "a lump that begins with the file", tail(quake().lump(b"a", b'B', "a.lmp", b"14").record(0, &[0; 4]).comes(b"WA")), None),
        ("claims-most.wad", "a header that counts as many lumps as it can", Wad { claimed: Some(u32::MAX), ..quake() }, None),
        ("cut.wad", "the second of two records cut", { let mut wad = Wad { cut: 20, ..quake() }; wad.entries.pop(); wad }, None),
        ("directory-nowhere.wad", "a directory behind the end", { let mut wad = Wad { cut: 64, ..quake() }; wad.entries.clear(); wad }, Some("no-directory")),
        ("header-alone.wad", "eight bytes of a header", Wad { cut: 4, ..Wad::new(b"WAD3") }, Some("too-short")),
    ]
}

fn made(file: String, shows: &'static str, wad: &Wad, refused: Option<&'static str>) -> Made {
    let format = if wad.magic == *b"WAD3" {
        "wad3"
    } else {
        "wad2"
    };
    let mut entries = Vec::new();
    for (record, (name, comes)) in wad.directory.chunks(32).zip(&wad.entries) {
        let lump = record[16..].split(|byte| *byte == 0).next().unwrap();
        entries.push(Expected {
            lump: Some((lump.to_vec(), record[12])),
            ..Expected::new(name, comes)
        });
    }
    Made {
        file,
        shows,
        made: "see the code".to_owned(),
        bytes: wad.bytes(),
        format,
        refused,
        noted: false,
        entries,
    }
}

/// The WADs of the corpus.
pub(super) fn archives() -> Vec<Made> {
    let mut archives = Vec::new();
    for (file, shows, wad) in sound() {
        archives.push(made(format!("wads/sound/{file}"), shows, &wad, None));
    }
    for (file, shows, wad, refused) in broken() {
        archives.push(made(format!("wads/broken/{file}"), shows, &wad, refused));
    }
    archives
}

/// Whatever lumps there are, of any names and types: a WAD that is written again holds the same bytes,
/// and so does one that has been a pak in between.
#[test]
fn wads_survive_a_round_trip_byte_by_byte() {
    let lumps: [&[u8]; 9] = [
        b"*#a",
        b"a",
        b"*a",
        b"#a",
        b"conchars",
        b"Brick.1",
        b"fifteen_letters",
        b"x/y",
        b"-",
    ];
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
            wad = wad.lump(lump, kind, "", &vec![kind; usize::from(choices.byte() % 5)]);
        }
        let archive = Archive::from_bytes(wad.bytes()).unwrap();
        assert_eq!(
            copy(&archive, archive.format().unwrap()),
            wad.bytes(),
            "{seed}"
        );
        let pak = Archive::from_bytes(copy(&archive, Format::Quake)).unwrap();
        assert_eq!(copy(&pak, archive.format().unwrap()), wad.bytes(), "{seed}");
    }
}

fn copy(archive: &Archive, to: Format) -> Vec<u8> {
    let mut writer = Writer::in_memory(to).unwrap();
    for entry in archive.entries() {
        writer.add_entry(&entry).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
