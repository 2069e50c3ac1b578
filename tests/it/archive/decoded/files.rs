//! The files of `corpus/pictures`, put together byte by byte. All show the same picture, of 4 x 3.

/// The numbers of colours.
pub(super) const PIXELS: [u8; 12] = [1, 2, 3, 4, 4, 4, 5, 0, 0, 255, 1, 2];

/// Black, red, green, blue, white, yellow, and magenta as the last.
pub(super) fn colour(index: u8) -> [u8; 3] {
    match index {
        1 => [255, 0, 0],
        2 => [0, 255, 0],
        3 => [0, 0, 255],
        4 => [255, 255, 255],
        5 => [255, 255, 0],
        255 => [255, 0, 255],
        _ => [0, 0, 0],
    }
}

pub(super) fn palette() -> Vec<u8> {
    (0..=255).flat_map(colour).collect()
}

/// Zeros of this length, with bytes and numbers in them.
pub(super) struct File(pub(super) Vec<u8>);

impl File {
    pub(super) fn new(len: usize) -> Self {
        Self(vec![0; len])
    }

    pub(super) fn put(mut self, at: usize, bytes: &[u8]) -> Self {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    pub(super) fn longs(self, at: usize, numbers: &[u32]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.put(at, &bytes)
    }

    pub(super) fn shorts(self, at: usize, numbers: &[u16]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.put(at, &bytes)
    }

    pub(super) fn then(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }
}

/// The picture in bytes of each pixel.
fn coded(pixel: impl Fn(u8) -> Vec<u8>) -> Vec<u8> {
    PIXELS.iter().flat_map(|index| pixel(*index)).collect()
}

fn bgr(index: u8) -> Vec<u8> {
    colour(index).into_iter().rev().collect()
}

fn textures() -> Vec<(&'static str, Vec<u8>)> {
    let wal = File::new(100)
        .put(0, b"e1/floor")
        .longs(32, &[4, 3, 100, 112]);
    let wal3 = File::new(892)
        .put(0, b"\x03e1/floor")
        .longs(36, &[4, 3, 892])
        .put(120, &palette());
    let m8 = File::new(1040)
        .longs(0, &[2])
        .put(4, b"floor")
        .longs(36, &[4, 2]);
    let m8 = m8
        .longs(100, &[3, 1])
        .longs(164, &[1040, 1052])
        .put(260, &palette());
    let m32 = File::new(968)
        .longs(0, &[4])
        .put(4, b"floor")
        .longs(516, &[4]);
    let m32 = m32.longs(580, &[3]).longs(644, &[968]);
    let quads: Vec<u8> = (0..=255)
        .flat_map(|it| [&colour(it)[..], &[9]].concat())
        .collect();
    let swl = File::new(1236).put(0, b"base/floor").longs(64, &[4, 3]);
    let swl = swl.put(72, &quads).longs(1100, &[1236]);
    // A hand's breadth of opacity: more with each number.
    let rgba = coded(|it| [&colour(it)[..], &[16 + (it & 7)]].concat());
    vec![
        ("quake2.wal", wal.then(&PIXELS).then(&[1, 5]).0),
        ("daikatana.wal", wal3.then(&PIXELS).0),
        ("heretic2.m8", m8.then(&PIXELS).then(&[3, 2]).0),
        ("heretic2.m32", m32.then(&rgba).0),
        ("sin.swl", swl.then(&PIXELS).0),
        ("quake.mip", mip("floor", false)),
        ("fence.mip", mip("{fence", true)),
        (
            "quake.bsp",
            map(29, &[mip("floor", false), mip("wall", false)]),
        ),
        ("halflife.bsp", map(30, &[mip("{fence", true)])),
    ]
}

fn mip(name: &str, has_palette: bool) -> Vec<u8> {
    let header = File::new(40)
        .put(0, name.as_bytes())
        .longs(16, &[4, 3, 40, 52, 54, 54]);
    let mip = header.then(&PIXELS).then(&[5, 1]);
    if !has_palette {
        return mip.0;
    }
    mip.then(&[0, 1]).then(&palette()).0
}

/// A map with nothing but textures, and one of a WAD between them.
fn map(version: u32, textures: &[Vec<u8>]) -> Vec<u8> {
    let count = u32::try_from(textures.len()).unwrap();
    let mut lump = vec![count + 2];
    let mut at = 4 * (count + 3);
    for texture in textures {
        lump.push(at);
        at += u32::try_from(texture.len()).unwrap();
    }
    lump.extend([u32::MAX, at]);
    let elsewhere = File::new(40).put(0, b"sky").longs(16, &[4, 3]);
    let file = File::new(124)
        .longs(0, &[version])
        .longs(20, &[124, at + 40]);
    let lump: Vec<u8> = lump.iter().flat_map(|it| it.to_le_bytes()).collect();
    file.then(&lump)
        .then(&textures.concat())
        .then(&elsewhere.0)
        .0
}

fn sprites() -> Vec<(&'static str, Vec<u8>)> {
    let start = |version: u32| File::new(8).put(0, b"IDSP").longs(4, &[version]).0;
    let longs = |numbers: &[u32]| File::new(4 * numbers.len()).longs(0, numbers).0;
    let picture = |pixels: &[u8], width: u32, height: u32| {
        [longs(&[0, 0, width, height]), pixels.to_vec()].concat()
    };
    let quake = [
        start(1),
        longs(&[0, 0, 4, 3, 2, 0, 0]),
        longs(&[0]),
        picture(&PIXELS, 4, 3),
        // A group of two.
        longs(&[1, 2, 0, 0]),
        picture(&[1, 2], 2, 1),
        picture(&[255, 3], 1, 2),
    ];
    let half_life = [
        start(2),
        // Its last colour is none.
        longs(&[0, 3, 0, 4, 3, 1, 0, 0]),
        vec![0, 1],
        palette(),
        longs(&[0]),
        picture(&PIXELS, 4, 3),
    ];
    vec![
        ("quake.spr", quake.concat()),
        ("halflife.spr", half_life.concat()),
    ]
}

fn pcxs() -> Vec<(&'static str, Vec<u8>)> {
    let start = |planes: u8, stride: u16| {
        let file = File::new(128)
            .put(0, &[10, 5, 1, 8])
            .shorts(4, &[2, 1, 5, 3]);
        file.put(65, &[planes]).shorts(66, &[stride])
    };
    // Six bytes a line, of which two are no pixels; a run of two, and the last byte of a palette's length.
    let lines = [
        &[1, 2, 3, 4, 0xC2, 9][..],
        &[0xC2, 4, 5, 0, 7, 7],
        // A run that goes on behind its line ends with it.
        &[0, 0xC1, 255, 1, 2, 0xC9, 7],
    ];
    let indexed = start(1, 6)
        .then(&lines.concat())
        .then(&[12])
        .then(&palette())
        .0;
    let mut planes = Vec::new();
    for row in PIXELS.chunks(4) {
        for part in 0..3 {
            for index in row {
                match colour(*index)[part] {
                    value @ 0xC0.. => planes.extend([0xC1, value]),
                    value => planes.push(value),
                }
            }
        }
    }
    let of_bits = |planes: u8, lines: &[u8]| {
        let file = start(planes, 2).put(3, &[1]);
        file.put(16, &palette()[..48]).then(lines).0
    };
    // Two bytes a plane; the first line of `planes_4` has 1, 2, 3 and 4.
    let planes_4 = [
        &[0xA0, 0, 0x60, 0, 0x10, 0, 0, 0][..],
        &[0x20, 0, 0, 0, 0xC1, 0xE0, 0, 0, 0],
        &[0x60, 0, 0x10, 0, 0x40, 0, 0, 0],
    ];
    vec![
        ("indexed.pcx", indexed),
        ("planes.pcx", start(3, 4).then(&planes).0),
        ("bits_1.pcx", of_bits(1, &[0x90, 0, 0x20, 0, 0x50, 0])),
        ("planes_4.pcx", of_bits(4, &planes_4.concat())),
    ]
}

/// A header of TGA; a palette has six colours from number 1 on where there is one.
fn tga(kind: u8, bits: u8, flags: u8, colours: &[u8], width: u16, height: u16) -> File {
    let count = u16::try_from(colours.len() / 3).unwrap();
    let file = File::new(18)
        .put(0, &[3, u8::from(count > 0), kind])
        .shorts(3, &[u16::from(count > 0), count]);
    let file = file
        .put(7, &[24])
        .shorts(12, &[width, height])
        .put(16, &[bits, flags]);
    file.then(b"tga").then(colours)
}

fn tgas() -> Vec<(&'static str, Vec<u8>)> {
    let rows = |pixels: &[u8], bytes: usize, up: bool, left: bool| -> Vec<u8> {
        let mut rows: Vec<Vec<u8>> = pixels.chunks(4 * bytes).map(<[u8]>::to_vec).collect();
        if left {
            let turn = |row: &Vec<u8>| row.rchunks(bytes).flatten().copied().collect();
            rows = rows.iter().map(turn).collect();
        }
        if up {
            rows.reverse();
        }
        rows.concat()
    };
    let map: Vec<u8> = (1..=255).flat_map(bgr).collect();
    let of_16 = |index: u8| {
        let [red, green, blue] = colour(index).map(|part| u16::from(part >> 3));
        let opaque = u16::from(index == 5) << 15;
        (opaque | red << 10 | green << 5 | blue)
            .to_le_bytes()
            .to_vec()
    };
    let bgra = coded(|it| [bgr(it), vec![16 + (it & 7)]].concat());
    // Bottom up: 0 255 1 2, 4 4 5 0, 1 2 3 4; one packet goes on in the next row.
    let runs = [
        &[2, 0, 255, 1][..],
        &[0, 2],
        &[0x81, 4],
        &[0, 5],
        &[0, 0],
        &[3, 1, 2, 3, 4],
    ]
    .concat();
    let mut runs_24 = vec![11];
    runs_24.extend(rows(&coded(bgr), 3, true, false));
    runs_24[0] = 1;
    let tail = runs_24.split_off(1 + 2 * 3);
    runs_24.push(9);
    runs_24.extend(tail);
    vec![
        (
            "indexed.tga",
            tga(1, 8, 0, &map, 4, 3)
                .then(&rows(&PIXELS, 1, true, false))
                .0,
        ),
        ("indexed_runs.tga", tga(9, 8, 0, &map, 4, 3).then(&runs).0),
        ("grey.tga", tga(3, 8, 0x20, &[], 4, 3).then(&PIXELS).0),
        ("grey_runs.tga", tga(11, 8, 0, &[], 4, 3).then(&runs).0),
        (
            "colour.tga",
            tga(2, 24, 0, &[], 4, 3)
                .then(&rows(&coded(bgr), 3, true, false))
                .0,
        ),
        (
            "colour_left.tga",
            tga(2, 24, 0x30, &[], 4, 3)
                .then(&rows(&coded(bgr), 3, false, true))
                .0,
        ),
        (
            "colour_runs.tga",
            tga(10, 24, 0, &[], 4, 3).then(&runs_24).0,
        ),
        (
            "colour_15.tga",
            tga(2, 15, 0x20, &[], 4, 3).then(&coded(of_16)).0,
        ),
        (
            "alpha_16.tga",
            tga(2, 16, 0x21, &[], 4, 3).then(&coded(of_16)).0,
        ),
        ("alpha.tga", tga(2, 32, 0x28, &[], 4, 3).then(&bgra).0),
        (
            "alpha_left.tga",
            tga(2, 32, 0x18, &[], 4, 3)
                .then(&rows(&bgra, 4, true, true))
                .0,
        ),
    ]
}

/// A header of BMP, with this colour table or these masks behind it.
fn bmp(bits: u16, coding: u32, height: i32, behind: &[u8]) -> File {
    let start = u32::try_from(54 + behind.len()).unwrap();
    let file = File::new(54)
        .put(0, b"BM")
        .longs(10, &[start, 40, 4, height.cast_unsigned()]);
    let count = if bits <= 8 { behind.len() / 4 } else { 0 };
    let file = file.shorts(26, &[1, bits]).longs(30, &[coding]);
    file.longs(46, &[u32::try_from(count).unwrap()])
        .then(behind)
}

/// A BMP with OS/2's header and three bytes a colour.
fn os2(bits: u16, pixels: &[u8]) -> Vec<u8> {
    let colours = if bits <= 8 { 1_usize << bits } else { 0 };
    let table: Vec<u8> = (0..colours)
        .flat_map(|it| bgr(u8::try_from(it).unwrap()))
        .collect();
    let start = u32::try_from(26 + table.len()).unwrap();
    let file = File::new(26).put(0, b"BM").longs(10, &[start, 12]);
    file.shorts(18, &[4, 3, 1, bits])
        .then(&table)
        .then(pixels)
        .0
}

fn bmps() -> Vec<(&'static str, Vec<u8>)> {
    let table = |count: u16| -> Vec<u8> {
        (0..count)
            .flat_map(|it| [bgr(u8::try_from(it).unwrap()), vec![0]].concat())
            .collect()
    };
    let masks = |numbers: [u32; 3]| File::new(12).longs(0, &numbers).0;
    let up = |bytes: usize, pixels: Vec<u8>| -> Vec<u8> {
        pixels.rchunks(4 * bytes).flatten().copied().collect()
    };
    let of_16 = |index: u8| {
        let [red, green, blue] = colour(index).map(|part| u16::from(part >> 3));
        (red << 10 | green << 5 | blue).to_le_bytes().to_vec()
    };
    let of_565 = |index: u8| {
        let [red, green, blue] = colour(index).map(u16::from);
        (red >> 3 << 11 | green >> 2 << 5 | blue >> 3)
            .to_le_bytes()
            .to_vec()
    };
    let rgbx = |index: u8| [&colour(index)[..], &[77]].concat();
    let bgrx = |index: u8| [bgr(index), vec![77]].concat();
    // Plain 0 255 1 with a byte to fill up, 2, end of line; two 4s, a step over two pixels to the next
    // row but one pixel of the row below; what is left out is 0.
    let runs = [
        &[0, 3, 0, 255, 1, 0][..],
        &[1, 2, 0, 0],
        &[2, 4, 1, 5, 0, 0],
        &[1, 1, 1, 2, 0, 2, 1, 0, 1, 4, 0, 1],
    ];
    vec![
        // Rows of 4 bits and 1 are filled up to 32.
        (
            "bits_1.bmp",
            bmp(1, 0, 3, &table(2))
                .then(&[0x50, 0, 0, 0, 0x20, 0, 0, 0, 0x90, 0, 0, 0])
                .0,
        ),
        (
            "bits_4.bmp",
            bmp(4, 0, 3, &table(6))
                .then(&[0x05, 0x12, 9, 9, 0x44, 0x50, 9, 9, 0x12, 0x34, 9, 9])
                .0,
        ),
        (
            "bits_8.bmp",
            bmp(8, 0, 3, &table(256)).then(&up(1, PIXELS.to_vec())).0,
        ),
        (
            "os2_1.bmp",
            os2(1, &[0x50, 0, 0, 0, 0x20, 0, 0, 0, 0x90, 0, 0, 0]),
        ),
        (
            "os2_4.bmp",
            os2(4, &[0x05, 0x12, 9, 9, 0x44, 0x50, 9, 9, 0x12, 0x34, 9, 9]),
        ),
        ("os2_8.bmp", os2(8, &up(1, PIXELS.to_vec()))),
        ("os2_24.bmp", os2(24, &up(3, coded(bgr)))),
        // Four plain pixels, end of line; two runs of two, end of line; two runs of different halves, end.
        (
            "runs_4.bmp",
            bmp(4, 2, 3, &table(6))
                .then(&[0, 4, 0x05, 0x12, 0, 0])
                .then(&[2, 0x44, 2, 0x50, 0, 0])
                .then(&[2, 0x12, 2, 0x34, 0, 1])
                .0,
        ),
        ("from_top.bmp", bmp(8, 0, -3, &table(256)).then(&PIXELS).0),
        ("runs.bmp", bmp(8, 1, 3, &table(256)).then(&runs.concat()).0),
        (
            "bits_16.bmp",
            bmp(16, 0, 3, &[]).then(&up(2, coded(of_16))).0,
        ),
        (
            "masks_16.bmp",
            bmp(16, 3, 3, &masks([0xF800, 0x7E0, 0x1F]))
                .then(&up(2, coded(of_565)))
                .0,
        ),
        ("bits_24.bmp", bmp(24, 0, 3, &[]).then(&up(3, coded(bgr))).0),
        (
            "bits_32.bmp",
            bmp(32, 0, 3, &[]).then(&up(4, coded(bgrx))).0,
        ),
        (
            "masks_32.bmp",
            bmp(32, 3, -3, &masks([0xFF, 0xFF00, 0xFF_0000]))
                .then(&coded(rgbx))
                .0,
        ),
    ]
}

/// All files, by their names.
pub(in crate::archive) fn all() -> Vec<(&'static str, Vec<u8>)> {
    let lmp = File::new(8).longs(0, &[4, 3]).then(&PIXELS).0;
    let mut all = textures();
    all.push(("picture.lmp", lmp));
    for some in [sprites(), pcxs(), tgas(), bmps()] {
        all.extend(some);
    }
    all
}
