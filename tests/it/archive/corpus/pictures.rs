//! Pictures for the game's corpus, in the formats that the games read.

use super::paint::colour;
use crate::codec::dice::Dice;

/// A picture of palette indices, row by row from the top.
#[derive(Debug, Clone)]
pub(super) struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<u8>,
}

impl Picture {
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

    /// So many sizes, each half as wide and high as the one before, down to a side of one pixel.
    fn mips(&self, most: usize) -> Vec<Self> {
        let next = |it: &Self| (it.width > 1 && it.height > 1).then(|| it.half());
        std::iter::successors(Some(self.clone()), next)
            .take(most)
            .collect()
    }

    /// Daikatana's texture: a header of 892 bytes with the palette, and the picture in up to nine sizes.
    pub(super) fn wal(&self, name: &str) -> Vec<u8> {
        let levels = self.mips(9);
        let mut file = vec![3];
        file.extend(field(name, 32 + 3));
        file.extend([long(self.width), long(self.height)].concat());
        let mut offset = 892;
        for level in &levels {
            file.extend(long(offset));
            offset += level.pixels.len();
        }
        // The sizes that there are not, the next picture of an animation, flags, contents.
        file.resize(120, 0);
        file.extend(palette());
        file.extend(long(0));
        file.extend(levels.iter().flat_map(|level| &level.pixels));
        file
    }

    /// Quake's texture, as it is in a level: a header of 40 bytes, and the picture in four sizes.
    pub(super) fn miptex(&self, name: &str) -> Vec<u8> {
        let levels = self.mips(4);
        let mut file = field(name, 16);
        file.extend([long(self.width), long(self.height)].concat());
        let mut offset = 40;
        for level in &levels {
            file.extend(long(offset));
            offset += level.pixels.len();
        }
        file.extend(levels.iter().flat_map(|level| &level.pixels));
        file
    }

    /// Quake's sprite, of frames that are all of one size.
    pub(super) fn sprite(frames: &[Self]) -> Vec<u8> {
        let (width, height) = (frames[0].width, frames[0].height);
        let mut file = b"IDSP".to_vec();
        // Version, parallel to the view, radius.
        file.extend([long(1), long(2), 20.0_f32.to_le_bytes()].concat());
        file.extend([long(width), long(height), long(frames.len())].concat());
        file.extend([long(0), long(0)].concat());
        for frame in frames {
            // One picture, whose origin is in the middle of it.
            file.extend(long(0));
            let half = |side: usize| i32::try_from(side / 2).unwrap();
            file.extend((-half(width)).to_le_bytes());
            file.extend(half(height).to_le_bytes());
            file.extend([long(width), long(height)].concat());
            file.extend(&frame.pixels);
        }
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
