//! Pictures for the game's corpus, in the formats that the games read: brickwork with some wear,
//! so that there is something to compress and something that resists.

use crate::codec::dice::Dice;

/// A picture of palette indices, row by row from the top.
#[derive(Debug, Clone)]
pub(super) struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Bricks in the shades around `base`; `wear` of 256 pixels are noise.
    pub(super) fn bricks(width: usize, height: usize, base: u8, wear: usize) -> Self {
        let mut dice = Dice::new(u64::from(base) << 8 | wear as u64);
        let mut pixel = |i: usize| {
            let (x, y) = (i % width, i / width);
            let shifted = x + 8 * (y / 8 % 2);
            let mortar = y % 8 == 0 || shifted % 16 == 0;
            let shade = if mortar {
                1
            } else {
                4 + (shifted / 16 + 3 * (y / 8)) % 5
            };
            let noise = if dice.below(256) < wear {
                dice.below(8)
            } else {
                0
            };
            base.wrapping_add(byte(shade + noise))
        };
        let pixels = (0..width * height).map(&mut pixel).collect();
        Self {
            width,
            height,
            pixels,
        }
    }

    /// Every second pixel of every second row.
    fn half(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let pixel = |i| self.pixels[2 * (i / width) * self.width + 2 * (i % width)];
        let pixels = (0..width * height).map(pixel).collect();
        Self {
            width,
            height,
            pixels,
        }
    }

    /// Quake II's texture: a header of 100 bytes, and the picture in four sizes.
    pub(super) fn wal(&self, name: &str) -> Vec<u8> {
        let mut levels = vec![self.clone()];
        for _ in 1..4 {
            levels.push(levels[levels.len() - 1].half());
        }
        let mut file = field(name, 32);
        file.extend(long(self.width));
        file.extend(long(self.height));
        let mut offset = 100;
        for level in &levels {
            file.extend(long(offset));
            offset += level.pixels.len();
        }
        file.extend(field("", 32 + 12));
        file.extend(levels.iter().flat_map(|level| &level.pixels));
        file
    }

    /// True colour, uncompressed, from the bottom row up.
    pub(super) fn tga(&self) -> Vec<u8> {
        let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        file.extend(short(self.width));
        file.extend(short(self.height));
        file.extend([24, 0]);
        for row in self.pixels.rchunks(self.width) {
            file.extend(row.iter().flat_map(|index| {
                let [red, green, blue] = colour(*index);
                [blue, green, red]
            }));
        }
        file
    }

    /// Shades of grey without any order, which no coder makes smaller.
    pub(super) fn grey_noise(width: usize, height: usize) -> Vec<u8> {
        let mut dice = Dice::new(0);
        let mut file = vec![0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        file.extend(short(width));
        file.extend(short(height));
        file.extend([8, 0]);
        file.extend((0..width * height).map(|_| dice.byte()));
        file
    }

    /// 256 colours, run-length coded, the palette behind them.
    pub(super) fn pcx(&self) -> Vec<u8> {
        let mut file = vec![10, 5, 1, 8, 0, 0, 0, 0];
        file.extend(short(self.width - 1));
        file.extend(short(self.height - 1));
        file.resize(65, 0);
        file.push(1);
        file.extend(short(self.width));
        file.resize(128, 0);
        for row in self.pixels.chunks(self.width) {
            for run in row.chunk_by(|a, b| a == b) {
                for part in run.chunks(63) {
                    if part.len() > 1 || part[0] >= 0xC0 {
                        file.push(0xC0 + byte(part.len()));
                    }
                    file.push(part[0]);
                }
            }
        }
        file.push(0x0C);
        file.extend(palette());
        file
    }

    /// 256 colours, uncompressed, from the bottom row up.
    pub(super) fn bmp(&self) -> Vec<u8> {
        let start = 14 + 40 + 4 * 256;
        let mut file = b"BM".to_vec();
        file.extend(long(start + self.pixels.len()));
        file.extend(long(0));
        file.extend(long(start));
        file.extend(long(40));
        file.extend(long(self.width));
        file.extend(long(self.height));
        file.extend([1, 0, 8, 0]);
        file.resize(54, 0);
        for index in 0..=255 {
            let [red, green, blue] = colour(index);
            file.extend([blue, green, red, 0]);
        }
        file.extend(self.pixels.rchunks(self.width).flatten());
        file
    }

    /// A lump: width, height, palette indices.
    pub(super) fn lmp(&self) -> Vec<u8> {
        [&long(self.width)[..], &long(self.height), &self.pixels].concat()
    }
}

/// 16 hues of 16 shades, red, green, blue.
pub(super) fn palette() -> Vec<u8> {
    (0..=255).flat_map(colour).collect()
}

fn colour(index: u8) -> [u8; 3] {
    let (hue, shade) = (index / 16, index % 16);
    let part = |weight: u8| shade * (4 + weight % 13);
    [part(hue * 5), part(hue * 7 + 3), part(hue * 11 + 7)]
}

/// Text in a field of `len` bytes.
pub(super) fn field(text: &str, len: usize) -> Vec<u8> {
    let mut field = text.as_bytes().to_vec();
    field.resize(len, 0);
    field
}

pub(super) fn long(value: usize) -> [u8; 4] {
    u32::try_from(value).unwrap().to_le_bytes()
}

pub(super) fn short(value: usize) -> [u8; 2] {
    u16::try_from(value).unwrap().to_le_bytes()
}

fn byte(value: usize) -> u8 {
    u8::try_from(value).unwrap()
}
