//! Paks as they are found in the wild, by the thousand: sound ones of both layouts with all the
//! oddities that real ones have, and what happens to them.
//!
//! Only the directory is bytes here; payloads are only lengths. That
//! is all that detection looks at, and it makes a pak of 2,000 entries in microseconds.

use daisho::Format;
use daisho::format::Header;

/// A small generator with a known sequence (SplitMix64): the same paks on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xA076_1D64_78BD_642F) ^ 0xE703_7ED1_A0B4_28DB)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0 to `bound - 1`.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len() as u32) as usize]
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next() as u8
    }

    /// A size as files have them: most of them small, a few large.
    fn size(&mut self) -> u32 {
        let bits = 4 + self.below(17);
        1 + self.below(1 << bits)
    }
}

/// A pak without its payloads.
#[derive(Debug, Clone)]
pub(crate) struct Sketch {
    pub(crate) layout: Format,
    pub(crate) header: Header,
    pub(crate) directory: Vec<u8>,
    pub(crate) file_len: u64,
    pub(crate) directory_first: bool,
}

/// What the packer of one pak is like.
struct Packer {
    layout: Format,
    garbage: bool,
    packed_of_stored: u32,
    backslashes: bool,
    upper: bool,
    latin: bool,
    alignment: u32,
    sharing: u32,
    empties: u32,
    plain_names: u32,
    compressing: u32,
    odd_flag: bool,
    shuffled: bool,
}

/// How many entries: half of all counts give a directory that divides both ways.
fn count(random: &mut Random, layout: Format) -> u32 {
    let both = match layout {
        Format::Quake => 9,
        _ => 8,
    };
    if random.chance(50) {
        return both * (1 + random.below(2000 / both));
    }
    // Small ones are the hard ones, and large ones the slow ones.
    let most = [4, 30, 300, 2000][random.below(4) as usize];
    1 + random.below(most)
}

pub(crate) fn sketch(random: &mut Random) -> Sketch {
    let layout = if random.chance(50) { Format::Quake } else { Format::Daikatana };
    let count = count(random, layout);
    sketch_of(random, layout, count)
}

pub(crate) fn sketch_of(random: &mut Random, layout: Format, count: u32) -> Sketch {
    let packer = Packer {
        layout,
        garbage: random.chance(31),
        packed_of_stored: random.below(3),
        backslashes: random.chance(10),
        upper: random.chance(10),
        latin: random.chance(5),
        alignment: [0, 0, 0, 4][random.below(4) as usize],
        sharing: [0, 0, 5, 30][random.below(4) as usize],
        empties: [0, 0, 2, 20][random.below(4) as usize],
        plain_names: [0, 2, 10][random.below(3) as usize],
        compressing: [0, 60, 60, 95][random.below(4) as usize],
        odd_flag: random.chance(5),
        shuffled: random.chance(10),
    };
    let len = layout.spec().record_len as u32;
    let directory_first = random.chance(20);
    let mut at = 12 + if directory_first { count * len } else { 0 };
    let mut extents: Vec<[u32; 4]> = Vec::new();
    let mut records = Vec::new();
    for _ in 0..count {
        let extent = packer.extent(random, &mut at, &extents);
        extents.push(extent);
        records.push(packer.record(random, extent));
    }
    if packer.shuffled {
        for i in (1..records.len()).rev() {
            records.swap(i, random.below(i as u32 + 1) as usize);
        }
    }
    let directory = records.concat();
    let directory_offset = if directory_first { 12 } else { at };
    let after = if random.chance(10) { random.below(5000) } else { 0 };
    let end = if directory_first { at } else { at + count * len };
    Sketch {
        layout,
        header: Header { magic: *b"PACK", directory_offset, directory_len: directory.len() as u64 },
        directory,
        file_len: u64::from(end + after),
        directory_first,
    }
}

impl Packer {
    /// Offset, size, packed size, flag.
    fn extent(&self, random: &mut Random, at: &mut u32, before: &[[u32; 4]]) -> [u32; 4] {
        if random.chance(self.empties) {
            let offset = match random.below(3) {
                0 => 0,
                1 => *at,
                _ => random.next() as u32,
            };
            return [offset, 0, 0, 0];
        }
        if !before.is_empty() && random.chance(self.sharing) {
            return before[random.below(before.len() as u32) as usize];
        }
        let size = random.size();
        let compressed =
            self.layout == Format::Daikatana && size > 20 && random.chance(self.compressing);
        let packed = if compressed {
            (size / 65 + 2).max(random.below(size))
        } else {
            [size, 0, random.next() as u32][self.packed_of_stored as usize]
        };
        let stored = if compressed { packed } else { size };
        let flag = match (compressed, self.odd_flag) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        let offset = *at;
        *at += stored;
        if self.alignment > 0 {
            *at = at.next_multiple_of(self.alignment);
        } else if random.below(2000) == 0 {
            *at += random.below(200_000);
        }
        [offset, size, packed, flag]
    }

    fn record(&self, random: &mut Random, [offset, size, packed, flag]: [u32; 4]) -> Vec<u8> {
        let mut record = self.name(random);
        record.truncate(if random.below(500) == 0 { 56 } else { 55 });
        let used = record.len();
        record.resize(56, 0);
        if self.garbage {
            for byte in record.iter_mut().skip(used + 1) {
                *byte = leaked(random);
            }
        }
        record.extend(offset.to_le_bytes());
        record.extend(size.to_le_bytes());
        if self.layout == Format::Daikatana {
            record.extend(packed.to_le_bytes());
            record.extend(flag.to_le_bytes());
        }
        record
    }

    fn name(&self, random: &mut Random) -> Vec<u8> {
        let mut name = String::new();
        for _ in 0..random.below(4) {
            let folder = [
                "maps",
                "gfx",
                "sound",
                "textures",
                "models",
                "e1",
                "skins",
                "a_deep_folder",
                "env",
            ];
            name += random.pick(&folder);
            name.push('/');
        }
        let stem = [
            "e1m1",
            "palette",
            "progs",
            "w_sword",
            "ambience_wind_long_name",
            "b_",
            "conchars",
            "x",
        ];
        name += random.pick(&stem);
        if random.chance(60) {
            name += &random.below(1000).to_string();
        }
        if !random.chance(self.plain_names) {
            let extension = [
                "wav", "bsp", "mdl", "dkm", "spr", "dat", "rc", "cfg", "lmp", "wad", "wal", "pcx",
                "tga", "bmp",
            ];
            name.push('.');
            name += random.pick(&extension);
        }
        if self.upper {
            name.make_ascii_uppercase();
        }
        let mut bytes = name.into_bytes();
        if self.backslashes {
            bytes.iter_mut().filter(|byte| **byte == b'/').for_each(|byte| *byte = b'\\');
        }
        if self.latin && random.chance(50) {
            bytes.insert(0, 0xE9);
        }
        bytes
    }
}

/// A byte as leaked memory has them: zeros, text, numbers, noise.
fn leaked(random: &mut Random) -> u8 {
    match random.below(4) {
        0 => 0,
        1 => 0x20 + random.below(0x5f) as u8,
        2 => 0xCC,
        _ => random.byte(),
    }
}

/// What is done to a sound pak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    /// The directory comes first, and the file ends anywhere behind it.
    CutBehindDirectory,
    /// The file ends inside the directory; at least two whole records are left.
    CutInDirectory,
    /// One record in ten is noise.
    Overwritten,
}

impl Damage {
    pub(crate) const ALL: [Self; 3] =
        [Self::CutBehindDirectory, Self::CutInDirectory, Self::Overwritten];

    /// A pak with this damage.
    pub(crate) fn sketch(self, random: &mut Random) -> Sketch {
        loop {
            let mut sketch = sketch(random);
            let len = sketch.layout.spec().record_len;
            let records = sketch.directory.len() / len;
            let start = u64::from(sketch.header.directory_offset);
            match self {
                Self::CutBehindDirectory if sketch.directory_first => {
                    let behind = start + sketch.directory.len() as u64;
                    let left = sketch.file_len - behind;
                    sketch.file_len = behind + random.next() % (left + 1);
                    return sketch;
                }
                Self::CutInDirectory if records > 2 => {
                    let least = 2 * len;
                    let left =
                        least + random.below((sketch.directory.len() - least) as u32) as usize;
                    sketch.directory.truncate(left);
                    sketch.file_len = start + left as u64;
                    return sketch;
                }
                Self::Overwritten if records > 1 => {
                    for _ in 0..records.div_ceil(10) {
                        let at = random.below(records as u32) as usize * len;
                        sketch.directory[at..at + len].fill_with(|| random.byte());
                    }
                    return sketch;
                }
                _ => {}
            }
        }
    }
}
