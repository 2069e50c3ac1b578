//! Streams with the statistics of real ones, made up from a table and a fixed seed.
//!
//! Real maps and textures cannot be bundled, so their streams were measured once, packed as the
//! original packer does (a 4 MB Daikatana map, 627 WAL textures, 157 true-colour TGA skins, 356
//! PCX pictures), and [`KINDS`] keeps the figures: which class of token follows which, and
//! quantiles of lengths and distances. A sample is a walk along that chain. What a decoder's
//! speed hangs on is kept that way: how many bytes a token writes, and how well the next one can
//! be foreseen. The order matters as much as the shares: tokens of the same shares in random
//! order decode at another speed.

/// The shares at which the quantiles of a [`Kind`] stand; 0 and 1 are the class's own limits.
const AT: [f64; 7] = [0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.995];

/// What was measured on one kind of file.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Output bytes per token, as measured: what a generated sample is checked against.
    pub(crate) bytes_per_token: f64,
    /// Row: the class before (literal, zero run, byte run, copy). Column: the class after.
    after: [[f64; 4]; 4],
    /// Lengths by class, in the same order, at the shares of [`AT`].
    lengths: [[u16; 7]; 4],
    distances: [u16; 7],
    /// Distances that stand out, and their shares of all copies.
    peaks: &'static [(u16, f64)],
}

pub(crate) const KINDS: [Kind; 4] = [
    Kind {
        name: "map",
        bytes_per_token: 6.0,
        after: [
            [0.0, 0.03, 0.03, 0.93],
            [0.83, 0.01, 0.0, 0.16],
            [0.34, 0.0, 0.51, 0.15],
            [0.65, 0.01, 0.02, 0.32],
        ],
        lengths: [
            [1, 1, 1, 3, 8, 17, 44],
            [2, 2, 3, 4, 7, 18, 64],
            [3, 3, 16, 64, 64, 64, 64],
            [3, 3, 3, 6, 11, 20, 62],
        ],
        distances: [4, 9, 24, 69, 156, 224, 252],
        peaks: &[(4, 0.1), (12, 0.07), (3, 0.07), (20, 0.07), (28, 0.07)],
    },
    Kind {
        name: "wal",
        bytes_per_token: 5.0,
        after: [
            [0.01, 0.02, 0.12, 0.85],
            [0.70, 0.05, 0.03, 0.21],
            [0.59, 0.0, 0.07, 0.34],
            [0.47, 0.0, 0.05, 0.47],
        ],
        lengths: [
            [1, 1, 3, 6, 13, 29, 64],
            [2, 2, 3, 8, 36, 64, 64],
            [3, 3, 3, 5, 8, 30, 64],
            [3, 3, 3, 4, 6, 10, 26],
        ],
        distances: [14, 40, 100, 171, 232, 255, 257],
        peaks: &[(128, 0.02), (256, 0.02), (64, 0.02)],
    },
    Kind {
        name: "tga",
        bytes_per_token: 12.1,
        after: [
            [0.0, 0.09, 0.10, 0.80],
            [0.27, 0.57, 0.04, 0.12],
            [0.54, 0.04, 0.35, 0.07],
            [0.52, 0.04, 0.01, 0.43],
        ],
        lengths: [
            [1, 1, 1, 3, 9, 22, 57],
            [3, 9, 64, 64, 64, 64, 64],
            [3, 3, 3, 3, 16, 64, 64],
            [3, 3, 4, 7, 32, 62, 62],
        ],
        distances: [4, 12, 52, 115, 192, 240, 256],
        peaks: &[(4, 0.16), (64, 0.08), (8, 0.07)],
    },
    Kind {
        name: "pcx",
        bytes_per_token: 5.4,
        after: [
            [0.0, 0.01, 0.11, 0.88],
            [0.71, 0.07, 0.10, 0.12],
            [0.46, 0.0, 0.35, 0.19],
            [0.59, 0.0, 0.04, 0.37],
        ],
        lengths: [
            [1, 1, 3, 6, 12, 26, 59],
            [2, 2, 3, 12, 59, 64, 64],
            [3, 3, 4, 7, 13, 42, 64],
            [3, 3, 3, 5, 7, 15, 62],
        ],
        distances: [10, 36, 115, 185, 234, 253, 257],
        peaks: &[],
    },
];

/// Random numbers that are the same on every machine and in every year (splitmix64).
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    /// Evenly from `0.0` up to, but not including, `1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A value between the quantiles that the draw falls between.
    fn quantile(&mut self, values: &[u16; 7], least: u16, most: u16) -> usize {
        let u = self.unit();
        let k = AT.iter().filter(|at| **at <= u).count();
        let share = |k: usize| if k == 0 { 0.0 } else { AT[k - 1] };
        let value = |k: usize| f64::from(if k == 0 { least } else { values[k - 1] });
        let (from, to) = (share(k), if k == 7 { 1.0 } else { AT[k] });
        let (low, high) = (value(k), if k == 7 { most.into() } else { f64::from(values[k]) });
        // A quantile says that the share below or at it is reached there, so the step up to the
        // next value is taken late: rounding down.
        (low + (high - low) * (u - from) / (to - from)) as usize
    }
}

/// A stream and what it decodes to.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) stream: Vec<u8>,
    pub(crate) content: Vec<u8>,
    pub(crate) tokens: usize,
}

/// A stream of `kind` that decodes to `size` bytes: tokens as the original packer writes them
/// (copies never longer than their distance, an end marker).
pub(crate) fn sample(kind: &Kind, size: usize, seed: u64) -> Sample {
    const LEAST: [u16; 4] = [1, 2, 3, 3];
    const MOST: [u16; 4] = [64, 64, 64, 62];
    let mut dice = Dice::new(seed);
    let (mut stream, mut content) = (Vec::new(), Vec::with_capacity(size));
    let (mut class, mut tokens) = (3, 0);
    while content.len() < size {
        let mut u = dice.unit();
        class = (0..3)
            .find(|next| {
                u -= kind.after[class][*next];
                u < 0.0
            })
            .unwrap_or(3);
        let left = size - content.len();
        let mut len = dice.quantile(&kind.lengths[class], LEAST[class], MOST[class]).min(left);
        // A run or a copy of one byte, or a copy without enough to copy from, is a literal.
        if len < 2 || (class == 3 && content.len() < 2) {
            class = 0;
        }
        match class {
            0 => {
                stream.push(len as u8 - 1);
                for _ in 0..len {
                    let byte = dice.byte();
                    stream.push(byte);
                    content.push(byte);
                }
            }
            1 => {
                stream.push(len as u8 + 62);
                content.resize(content.len() + len, 0);
            }
            2 => {
                let byte = dice.byte();
                stream.extend([len as u8 + 126, byte]);
                content.resize(content.len() + len, byte);
            }
            _ => {
                let mut far = distance(kind, &mut dice, content.len());
                for _ in 0..8 {
                    if far < len {
                        far = distance(kind, &mut dice, content.len());
                    }
                }
                len = len.min(far);
                stream.extend([len as u8 + 190, (far - 2) as u8]);
                let from = content.len() - far;
                content.extend_from_within(from..from + len);
            }
        }
        tokens += 1;
    }
    stream.push(0xFF);
    Sample { stream, content, tokens }
}

fn distance(kind: &Kind, dice: &mut Dice, written: usize) -> usize {
    let mut u = dice.unit();
    let peak = kind.peaks.iter().find(|(_, share)| {
        u -= share;
        u < 0.0
    });
    let far = match peak {
        Some((far, _)) => usize::from(*far),
        None => dice.quantile(&kind.distances, 2, 257),
    };
    far.clamp(2, written.min(257))
}
