//! Directories as hardly anybody would make them, and somebody might: names of one byte or of the
//! whole field, digits, foreign letters and noise; old names behind the NUL; many entries or all
//! of them empty; any flag; the directory anywhere. Sound all the same.
//!
//! Of a pak of nothing but names of one letter, empty files and wild offsets, little is left that
//! distinguishes one layout from the other. These tests only ask that no verdict is wrong.

use daisho::Format;
use daisho::format::{Detection, Header};

use super::generate::{Random, Sketch};
use crate::archive::build::PACKS;

/// What every entry of one pak has in common.
struct Odd {
    names: u32,
    behind_the_name: u32,
    sizes: u32,
    empty_offsets: u32,
    packed_of_stored: u32,
    flags: u32,
    directory: u32,
}

const FIRST: u32 = 1;
const MIDDLE: u32 = 2;
const SHUFFLED: u32 = 3;

/// Where all entries have one extent.
const ALL_SHARED: u32 = 4;
/// Where one in ten is not empty.
const FEW: u32 = 5;

/// Names of 0 to 3 letters.
const SHORT: u32 = 11;

/// Behind the name are others.
const OTHER_NAMES: u32 = 1;

pub(crate) fn odd_sketch(random: &mut Random) -> Sketch {
    let layout = if random.chance(50) { Format::Quake } else { Format::Daikatana };
    let both = if layout == Format::Quake { 9 } else { 8 };
    let count = if random.chance(80) { both * (1 + random.below(6)) } else { 1 + random.below(30) };
    let odd = Odd {
        names: random.below(11),
        behind_the_name: random.below(5),
        sizes: random.below(5),
        empty_offsets: random.below(4),
        packed_of_stored: random.below(5),
        flags: random.below(4),
        directory: random.below(4),
    };
    odd.sketch(random, layout, count)
}

impl Odd {
    fn sketch(&self, random: &mut Random, layout: Format, count: u32) -> Sketch {
        let len = count * layout.spec().record_len as u32;
        let names: Vec<_> = (0..count).map(|i| self.name(random, i)).collect();
        let middle = match self.directory {
            FIRST => 0,
            MIDDLE if self.sizes != ALL_SHARED => count / 2,
            _ => count,
        };
        let (mut at, mut directory_offset) = (12, 12);
        let mut numbers = Vec::new();
        for i in 0..=count {
            if i == middle {
                directory_offset = at;
                at += len;
            }
            if i < count {
                numbers.push(self.numbers(random, layout, &mut at));
            }
        }
        if self.sizes == ALL_SHARED {
            // The extent is behind a leading directory, or before any other.
            directory_offset = if middle == 0 { 12 } else { 112 };
            at = 112 + len;
            let shared = if middle == 0 { 12 + len } else { 12 };
            numbers.iter_mut().for_each(|numbers| numbers[0] = shared);
        }
        let mut records: Vec<_> = names.into_iter().zip(numbers).collect();
        if self.directory == SHUFFLED {
            for i in (1..records.len()).rev() {
                records.swap(i, random.below(i as u32 + 1) as usize);
            }
        }
        let mut directory = Vec::new();
        for (name, numbers) in records {
            self.field(random, name, layout, &mut directory);
            let kept = (layout.spec().record_len - 56) / 4;
            directory.extend(numbers[..kept].iter().flat_map(|n| n.to_le_bytes()));
        }
        Sketch {
            layout,
            header: Header {
                magic: *b"PACK",
                directory_offset,
                directory_len: directory.len() as u64,
            },
            directory,
            file_len: u64::from(at),
            directory_first: middle == 0,
        }
    }

    fn name(&self, random: &mut Random, i: u32) -> Vec<u8> {
        let name = match self.names {
            0 => return vec![b'a' + (i % 26) as u8],
            1 => return vec![0xCF, 0xF0, 0xE8],
            SHORT => return vec![b'x'; random.below(4) as usize],
            2 => {
                let noise = |_| 0x21 + random.below(0x5e) as u8;
                return (0..1 + i % 55).map(noise).collect();
            }
            3 => {
                return [&b"\xCF\xF0\xE8\xE2\xE5\xF2"[..], format!("{i}.wav").as_bytes()].concat();
            }
            4 => format!("{i}"),
            5 => format!("readme{i}"),
            6 => format!("my dir/file {i}.wav"),
            7 => format!("maps/m{i}.somelongext"),
            8 => format!("textures/averylongfolder/another_long_one/file{i:05}.wal"),
            9 => format!("textures/averylongfolder/another_long_one/fileeeee{i:05}.wal"),
            _ => format!("sound/x{i}.wav"),
        };
        name.into_bytes()
    }

    /// Offset, size, packed size, flag.
    fn numbers(&self, random: &mut Random, layout: Format, at: &mut u32) -> [u32; 4] {
        let size = match self.sizes {
            0 => 0,
            1 => 1 + random.below(8),
            2 => 1 + random.below(1 << 20),
            3 if random.chance(50) => 0,
            3 => 1 + random.below(5000),
            FEW if random.chance(90) => 0,
            FEW => 1 + random.below(500),
            _ => 100,
        };
        let compressed = layout == Format::Daikatana && size > 20 && random.chance(60);
        let stored = if compressed { size / 2 } else { size };
        let (packed, flag) = if compressed {
            let flags = [1, 0x0100_0000, u32::MAX, 0xCCCC_CC01];
            (stored, flags[self.flags as usize])
        } else {
            let packed = [0, size, random.next() as u32, 0x4343_4343, 0xCCCC_CCCC];
            (packed[self.packed_of_stored as usize], 0)
        };
        let mut offset = *at;
        if size == 0 {
            offset = [0, offset, random.next() as u32, u32::MAX][self.empty_offsets as usize];
        }
        *at += stored;
        [offset, size, packed, flag]
    }

    fn field(&self, random: &mut Random, mut name: Vec<u8>, layout: Format, out: &mut Vec<u8>) {
        name.truncate(56);
        let behind = (name.len() + 1).min(56);
        name.resize(56, 0);
        let before = out.len().checked_sub(layout.spec().record_len);
        let other_names: Vec<u8> = (0..8)
            .flat_map(|_| format!("sound/g{}.wav\0", random.below(1000)).into_bytes())
            .collect();
        for (k, byte) in name.iter_mut().enumerate().skip(behind) {
            *byte = match (self.behind_the_name, before) {
                (OTHER_NAMES, _) => other_names[k - behind],
                (2, _) => b'a' + random.below(26) as u8,
                (3, Some(before)) => out[before + k],
                (4, _) => 0xCD,
                _ => 0,
            };
        }
        out.extend(name);
    }
}

/// How many records have a payload, and how many of those reach outside the file, counted straight
/// from the bytes.
fn payloads(layout: Format, sketch: &Sketch) -> (usize, usize) {
    let records = sketch.directory.chunks_exact(layout.spec().record_len);
    let extents = records.filter_map(|record| {
        let number = |at: usize| {
            let bytes = record.get(at..at + 4).unwrap_or(&[0; 4]);
            u64::from(u32::from_le_bytes(bytes.try_into().unwrap()))
        };
        let compressed = layout == Format::Daikatana && number(68) != 0;
        let len = if compressed { number(64) } else { number(60) };
        (number(60) > 0).then(|| number(56) + len)
    });
    let ends: Vec<u64> = extents.collect();
    let outside = ends.iter().filter(|end| **end > sketch.file_len).count();
    (ends.len(), outside)
}

/// Sixteen empty files with names of 0 to 3 letters and old names behind their NULs were taken for
/// Quake's, by a reading in which 13 of 18 payloads were outside the file.
#[test]
fn readings_with_payloads_outside_never_win() {
    let mut contested = 0;
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let mut sketch = odd_sketch(&mut random);
        if seed % 2 == 0 {
            sketch = short_names(&mut random);
        }
        let found = Detection::of(&sketch.directory, sketch.header, sketch.file_len, None);
        let readings = PACKS.map(|layout| payloads(layout, &sketch));
        let most = readings.map(|(all, outside)| 2 * outside > all);
        let none = readings.map(|(_, outside)| outside == 0);
        for (one, other) in [(0, 1), (1, 0)] {
            if most[one] && none[other] {
                contested += 1;
                let verdict = found.format();
                assert_ne!(verdict, Some(PACKS[one]), "seed {seed}: {found}");
            }
        }
    }
    assert!(contested > 5000, "{contested}");
}

/// Files with names of 0 to 3 letters and old names behind their NULs, most of them empty.
fn short_names(random: &mut Random) -> Sketch {
    let layout = PACKS[random.below(2) as usize];
    let count = if layout == Format::Quake { 9 } else { 8 } * (1 + random.below(8));
    let odd = Odd {
        names: SHORT,
        behind_the_name: OTHER_NAMES,
        sizes: [0, 0, FEW][random.below(3) as usize],
        empty_offsets: 1,
        packed_of_stored: 1,
        flags: 0,
        directory: 0,
    };
    odd.sketch(random, layout, count)
}
