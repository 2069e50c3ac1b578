//! Pictures that are encoded: against Pillow, a reader of Daikatana's WAL in Python, and rules written out pixel by
//! pixel.

// Colours that are numbers from 0 to 255.
#![allow(clippy::cast_sign_loss)]

use std::fs;
use std::ops::RangeInclusive;
use std::process::Command;

use daisho::media::{
    Data, DecodeOptions, EncodeOptions, EncodeRemark, FileType, Palette, Picture, PictureError,
    PictureFields, Pixels, TargetPalette, png, read_png,
};

use super::decoded::files;
use crate::codec::dice::Dice;

const ALL_SIZES: DecodeOptions = DecodeOptions::all(1 << 24);

/// Pixels in areas of similar colours, some of them transparent.
fn painted(seed: u64, (width, height): (u32, u32)) -> Vec<[u8; 4]> {
    let mut dice = Dice::new(seed);
    let mut colours: Vec<[u8; 4]> = Vec::new();
    for _ in 0..12 {
        let alpha = [255, 255, 255, 129, 128, 0][dice.below(6)];
        colours.push([dice.byte(), dice.byte(), dice.byte(), alpha]);
    }
    // Black, two colours that Quake's palette has twice, and the one that is transparent there.
    colours.extend([[0, 0, 0, 255], [103, 0, 0, 255], [159, 91, 83, 255]]);
    let mut pixels = Vec::new();
    for at in 0..width * height {
        let (x, y) = (at % width, at / width);
        let mut colour = colours[(x / 5 + 7 * (y / 3)) as usize % colours.len()];
        if colour[0] > 4 && dice.below(3) == 0 {
            colour[0] -= dice.byte() % 4;
        }
        pixels.push(colour);
    }
    pixels
}

fn rgba((width, height): (u32, u32), pixels: &[[u8; 4]]) -> Pixels {
    Pixels { width, height, data: Data::Rgba(pixels.concat()) }
}

fn encode(
    file_type: FileType,
    name: &str,
    pixels: &Pixels,
    palette: Option<&TargetPalette>,
) -> Result<(Vec<u8>, Vec<EncodeRemark>), PictureError> {
    let fields = PictureFields::default();
    let options = EncodeOptions { palette, fullbright: name.contains("_fbr"), fields: &fields };
    let encoded = file_type.encode(name.into(), pixels, &options)?;
    Ok((encoded.bytes, encoded.remarks))
}

/// All sizes, as colour numbers.
fn sizes(name: &str, file: &[u8]) -> Vec<(u32, u32, Vec<u8>)> {
    let picture = Picture::decode(name.into(), file, &ALL_SIZES).unwrap();
    let frames = picture.frames.into_iter().map(|frame| {
        let Data::Indexed { indices, .. } = frame.pixels.data else { panic!("{name}") };
        (frame.pixels.width, frame.pixels.height, indices)
    });
    frames.collect()
}

/// The first of the nearest colours among these.
fn nearest(palette: &Palette, usable: &[u8], colour: [u8; 3]) -> u8 {
    let squared = |number: &&u8| {
        let own = palette.colours()[usize::from(**number)];
        let difference = |at: usize| (i32::from(own[at]) - i32::from(colour[at])).pow(2);
        (0..3).map(difference).sum::<i32>()
    };
    *usable.iter().min_by_key(squared).unwrap()
}

/// The rules for a texture of Quake's, one pixel at a time.
struct Rules {
    palette: Palette,
    usable: Vec<u8>,
    none: Option<u8>,
    /// Whether the palette's last colour is transparent.
    keyed: bool,
    is_sky: bool,
    is_quake: bool,
    /// Whether the palette's last colour stands for itself.
    is_bright: bool,
}

impl Rules {
    fn number(&self, width: u32, at: u32, [red, green, blue, alpha]: [u8; 4]) -> u8 {
        let colour = [red, green, blue];
        let is_left_black = self.is_sky && colour == [0; 3] && at % width < width / 2;
        let is_key = self.keyed && colour == self.palette.colours()[255];
        match self.none {
            _ if self.is_bright && alpha > 128 && colour == self.palette.colours()[255] => 255,
            Some(none) if alpha <= 128 || is_left_black || is_key => none,
            _ => nearest(&self.palette, &self.usable, colour),
        }
    }

    /// The average in linear light, and the nearest colour to it.
    fn mixed(&self, area: &[([u8; 4], u8)]) -> u8 {
        let seen: Vec<_> = area.iter().filter(|it| Some(it.1) != self.none).collect();
        if let Some(none) = self.none
            && seen.len() * 2 <= area.len()
        {
            return none;
        }
        let average = |channel: usize| {
            let light = |value: u8| {
                let value = f64::from(value) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            let sum: f64 = seen.iter().map(|it| light(it.0[channel])).sum();
            let mean = sum / seen.len() as f64;
            let value = if mean <= 0.003_130_8 {
                mean * 12.92
            } else {
                1.055 * mean.powf(1.0 / 2.4) - 0.055
            };
            (value * 255.0).round() as u8
        };
        let mut usable = self.usable.clone();
        if self.is_quake {
            usable.extend(self.is_bright.then_some(255));
            usable.retain(|number| *number < 224 || seen.iter().any(|it| it.1 == *number));
        }
        nearest(&self.palette, &usable, [average(0), average(1), average(2)])
    }
}

#[test]
fn textures_get_nearest_colours_and_averages() {
    let quake = || Palette::quake();
    let other = || {
        Palette::of_colours(
            (0..=255_u8).map(|n| [n.wrapping_mul(37), n.wrapping_mul(91), n ^ 0x5A]),
        )
    };
    let numbers = |range: RangeInclusive<u8>| range.collect::<Vec<u8>>();
    let bright = (224..=254).chain(1..=223).collect();
    use FileType::{Lmp, Mip, Wal, Wal3};
    type Row = (FileType, &'static str, Palette, Vec<u8>, Option<u8>);
    let rows: [Row; 7] = [
        (Mip, "brick.mip", quake(), numbers(1..=223), Some(0)),
        (Mip, "light_fbr.mip", quake(), bright, Some(0)),
        (Mip, "{fence.mip", quake(), numbers(1..=223), Some(255)),
        (Mip, "sky1.mip", quake(), numbers(1..=223), Some(0)),
        (Lmp, "gfx/a.lmp", quake(), numbers(1..=254), Some(255)),
        (Wal, "textures/a/b.wal", other(), numbers(0..=255), None),
        (Wal3, "textures/b.wal", other(), numbers(0..=254), Some(255)),
    ];
    for (number, (file_type, name, palette, usable, none)) in (1..).zip(rows) {
        let sides = [(48, 32), (16, 64), (32, 8)][number as usize % 3];
        let pixels = painted(number, sides);
        let target = TargetPalette::new(palette.clone());
        let (file, remarks) =
            encode(file_type, name, &rgba(sides, &pixels), Some(&target)).unwrap();
        let rules = Rules {
            palette,
            usable,
            none,
            keyed: none == Some(255) && file_type != FileType::Wal3,
            is_sky: name.starts_with("sky"),
            is_quake: file_type == FileType::Mip,
            is_bright: name == "light_fbr.mip",
        };
        let found = sizes(name, &file);
        let full: Vec<u8> =
            (0..).zip(&pixels).map(|(at, pixel)| rules.number(sides.0, at, *pixel)).collect();
        assert_eq!(found[0], (sides.0, sides.1, full.clone()), "{name}");
        let levels = match file_type {
            FileType::Lmp => 1,
            FileType::Wal3 => sides.0.max(sides.1).ilog2() + 1,
            _ => 4,
        };
        assert_eq!(found.len(), levels as usize, "{name}");
        for (level, (width, height, mip)) in (0..).zip(&found).skip(1) {
            let (wide, high) = ((sides.0 >> level).max(1), (sides.1 >> level).max(1));
            assert_eq!((*width, *height), (wide, high), "{name}");
            let mut expected = Vec::new();
            for (y, x) in (0..high).flat_map(|y| (0..wide).map(move |x| (y, x))) {
                let mut area = Vec::new();
                for (dy, dx) in
                    (0..1 << level).flat_map(|dy| (0..1 << level).map(move |dx| (dy, dx)))
                {
                    let (x, y) = ((x << level) + dx, (y << level) + dy);
                    // One side of a long picture can have fewer pixels than the area.
                    if x < sides.0 && y < sides.1 {
                        let at = (y * sides.0 + x) as usize;
                        area.push((pixels[at], full[at]));
                    }
                }
                expected.push(rules.mixed(&area));
            }
            assert_eq!(*mip, expected, "{name} at level {level}");
        }
        let has_clear = pixels.iter().any(|pixel| pixel[3] <= 128);
        let expected = match name {
            "brick.mip" | "light_fbr.mip" => Some(EncodeRemark::ClearIsZero),
            _ if none.is_none() => Some(EncodeRemark::AlphaIgnored),
            _ => None,
        };
        assert_eq!(
            remarks.contains(&EncodeRemark::OddSides),
            sides.1 == 8 && file_type != FileType::Lmp
        );
        let sizes_said = [EncodeRemark::OddSides, EncodeRemark::NoPowersOfTwo];
        let others: Vec<_> = remarks.into_iter().filter(|it| !sizes_said.contains(it)).collect();
        assert_eq!(
            others,
            expected.into_iter().filter(|_| has_clear).collect::<Vec<_>>(),
            "{name}"
        );
    }
}

/// Every picture of the corpus that daisho writes comes back from a PNG with the same numbers and fields.
#[test]
fn an_unedited_picture_comes_back_from_its_png() {
    let mut kinds = Vec::new();
    for (name, file) in files::all() {
        let name = &*name;
        let Ok(picture) = Picture::decode(name.into(), &file, &DecodeOptions::default()) else {
            continue;
        };
        if !picture.file_type.is_written() || picture.frames.is_empty() {
            continue;
        }
        let frame = &picture.frames[0];
        let fields = PictureFields::of_file(picture.file_type, &file, frame);
        let target = TargetPalette::new(Palette::quake());
        let wants = frame.pixels.wants_palette();
        let png = png(&frame.pixels, target.palette(), Some(&fields)).unwrap();
        let (pixels, found) = read_png(&png, 1 << 20).unwrap();
        assert_eq!(found.to_text(), fields.to_text(), "{name}");
        let options =
            EncodeOptions { palette: wants.then_some(&target), fullbright: false, fields: &found };
        let again = picture.file_type.encode(name.into(), &pixels, &options);
        let again = again.unwrap_or_else(|error| panic!("{name}: {error}")).bytes;
        let decoded = Picture::decode(name.into(), &again, &DecodeOptions::default()).unwrap();
        let same = decoded.frames[0].pixels.to_rgba(target.palette());
        assert_eq!(same, frame.pixels.to_rgba(target.palette()), "{name}");
        if let (Data::Indexed { indices, .. }, Data::Indexed { indices: now, .. }) =
            (&frame.pixels.data, &decoded.frames[0].pixels.data)
        {
            assert_eq!(indices, now, "{name}");
        }
        if picture.file_type == FileType::Lmp {
            assert_eq!(again, file, "{name}");
        }
        if matches!(picture.file_type, FileType::Wal | FileType::Wal3) {
            let again = PictureFields::of_file(picture.file_type, &again, frame);
            assert_eq!(again, fields, "{name}");
            assert!(fields.numbers.is_some(), "{name}");
        }
        kinds.push(picture.file_type);
    }
    kinds.sort_unstable();
    kinds.dedup();
    use FileType::{Bmp, Lmp, Mip, Pcx, Tga, Wal, Wal3};
    assert_eq!(kinds, [Wal, Wal3, Mip, Pcx, Tga, Bmp, Lmp]);
}

#[test]
fn fields_of_any_bytes_come_back_from_their_text() {
    let mut fields = PictureFields {
        file_type: Some(FileType::Wal3),
        sides: Some((64, 48)),
        name: b"e1m1/a=b%\n\xFF c".to_vec(),
        animation: b"+1button".to_vec(),
        numbers: Some([7, 0, u32::MAX]),
        ..PictureFields::default()
    };
    fields.is_stand_in = true;
    let text = fields.to_text();
    assert!(text.is_ascii());
    assert_eq!(PictureFields::of_text(&text), fields);
    let odd = PictureFields::of_text("no line\nwidth=x\nname=%4\nother=1\n");
    assert_eq!((odd.sides, odd.numbers), (None, None));
}

#[test]
fn a_picture_without_palette_gets_one_or_is_refused() {
    let sides = (32, 16);
    let pixels = rgba(sides, &painted(5, sides));
    assert_eq!(encode(FileType::Wal, "a.wal", &pixels, None), Err(PictureError::NoPalette("WAL")));
    for (file_type, name, clear) in [
        (FileType::Mip, "{a.mip", Some([0, 0, 255])),
        (FileType::Mip, "a.mip", None),
        (FileType::Wal3, "skins/a.wal", Some([0, 0, 0])),
        (FileType::Lmp, "a.lmp", Some([0, 0, 255])),
    ] {
        let (file, _) = encode(file_type, name, &pixels, None).unwrap();
        let picture = Picture::decode(name.into(), &file, &DecodeOptions::default()).unwrap();
        let Data::Indexed { palette: Some(own), .. } = &picture.frames[0].pixels.data else {
            panic!("{name}");
        };
        if let Some(clear) = clear {
            assert_eq!(own.colours()[255], clear, "{name}");
        }
        // It has few colours, so none is changed.
        let found = picture.frames[0].pixels.to_rgba(own);
        for (found, given) in found.chunks(4).zip(painted(5, sides)) {
            if given[3] > 128 || clear.is_none() {
                assert_eq!(found, [given[0], given[1], given[2], 255], "{name}");
            } else {
                assert_eq!(found[3], 0, "{name}");
            }
        }
    }
}

/// All 4,096 colours of 16 levels each become 256, and none comes out far from its own.
#[test]
fn an_own_palette_is_near_every_colour() {
    let level = |at: u32, shift: u32| (at >> shift & 15) as u8 * 17;
    let pixels: Vec<[u8; 4]> =
        (0..4096).map(|at| [level(at, 8), level(at, 4), level(at, 0), 255]).collect();
    let (file, _) = encode(FileType::Wal3, "a.wal", &rgba((64, 64), &pixels), None).unwrap();
    let picture = Picture::decode("a.wal".into(), &file, &DecodeOptions::default()).unwrap();
    let found = picture.frames[0].pixels.to_rgba(&Palette::grey());
    for (found, given) in found.chunks(4).zip(&pixels) {
        for (found, given) in found.iter().zip(given) {
            assert!(found.abs_diff(*given) <= 51, "{given} became {found}");
        }
    }
    // Colours are rounded: the picture is not darker than it was.
    let light = |bytes: &[u8]| bytes.iter().map(|it| u64::from(*it)).sum::<u64>();
    assert!(light(&found) >= light(pixels.as_flattened()));
}

#[test]
fn a_mip_takes_the_first_of_two_equally_near_colours() {
    let colours = (0..=255_u8).map(|number| match number {
        224 => [100, 0, 0],
        225 => [110, 0, 0],
        number => [0, number, 255],
    });
    let target = TargetPalette::new(Palette::of_colours(colours));
    let pixels = [[100, 0, 0, 255], [110, 0, 0, 255]].repeat(128);
    let name = "light_fbr.mip";
    let (file, _) = encode(FileType::Mip, name, &rgba((16, 16), &pixels), Some(&target)).unwrap();
    let found = sizes(name, &file);
    assert_eq!(found[0].2[..2], [224, 225]);
    assert!(found[1].2.iter().all(|number| *number == 224), "{found:?}");
}

#[test]
fn sizes_and_names_that_do_not_fit_are_refused() {
    let target = TargetPalette::new(Palette::quake());
    let of = |file_type, name, sides: (u32, u32)| {
        let pixels = vec![[9; 4]; (sides.0 * sides.1) as usize];
        let refused = encode(file_type, name, &rgba(sides, &pixels), Some(&target));
        refused.map(|it| it.1).map_err(|error| error.to_string())
    };
    assert_eq!(
        of(FileType::Mip, "a.mip", (64, 65)).unwrap_err(),
        "its size is 64 x 65, but the sides of a texture are multiples of 16; 64 x 64 and 64 x 80 fit"
    );
    assert_eq!(
        of(FileType::Wal, "a.wal", (24, 24)),
        Ok(vec![EncodeRemark::AlphaIgnored, EncodeRemark::OddSides].into_iter().rev().collect())
    );
    assert_eq!(
        of(FileType::Mip, "a123456789012345.mip", (16, 16)).unwrap_err(),
        "the name \"a123456789012345\" has 16 bytes, but at most 15 fit"
    );
    assert_eq!(
        of(FileType::Lmp, "gfx/pop.lmp", (16, 8)).unwrap_err(),
        "its size is 16 x 8, but this picture is 16 x 16"
    );
    assert_eq!(
        of(FileType::Spr, "a.spr", (16, 8)).unwrap_err(),
        "daisho does not write files of type SPR"
    );
}

/// Pictures of many sizes in the formats that other programs know, as they are written, and their pixels.
pub(super) fn written() -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let target = TargetPalette::new(Palette::quake());
    let mut dice = Dice::new(3);
    let mut written = Vec::new();
    for number in 0..60 {
        let sides = (1 + dice.below(70) as u32, 1 + dice.below(30) as u32);
        let mut painted = painted(number, sides);
        if number % 2 == 0 {
            painted.iter_mut().for_each(|pixel| pixel[3] = 255);
        }
        let full = rgba(sides, &painted);
        let (lump, _) = encode(FileType::Lmp, "a.lmp", &full, Some(&target)).unwrap();
        let (_, _, indices) = sizes("a.lmp", &lump).remove(0);
        let indexed = Pixels {
            data: Data::Indexed { indices, palette: Some(Palette::quake()), transparent: None },
            ..full.clone()
        };
        for (kind, extension, pixels) in [
            (FileType::Tga, "tga", &full),
            (FileType::Bmp, "bmp", &full),
            (FileType::Bmp, "8.bmp", &indexed),
            (FileType::Pcx, "pcx", &indexed),
        ] {
            let name = format!("written-{number:02}.{extension}");
            let (file, _) = encode(kind, &name, pixels, None).unwrap();
            let mut rgba = pixels.to_rgba(&Palette::quake());
            if kind != FileType::Tga {
                rgba.chunks_mut(4).for_each(|pixel| pixel[3] = 255);
            }
            written.push((name, file, rgba));
        }
    }
    written
}

#[test]
fn written_pictures_decode_to_their_pixels() {
    for (name, file, rgba) in written() {
        let picture = Picture::decode(name[..].into(), &file, &DecodeOptions::default()).unwrap();
        let found = picture.frames[0].pixels.to_rgba(&Palette::grey());
        assert_eq!(found, rgba, "{name}");
    }
}

/// A reader of Daikatana's WAL by its description: header of 892 bytes, nine offsets, palette, levels. It prints the
/// header's fields and the sum of each level.
const WAL3: &str = r"
import struct, sys, zlib
data = open(sys.argv[1], 'rb').read()
version = data[0]
assert version == 3, version
def text(at):
    return data[at:at + 32].split(b'\0')[0].decode()
name = text(1)
width, height = struct.unpack_from('<II', data, 36)
offsets = struct.unpack_from('<9I', data, 44)
animation = text(80)
flags, contents = struct.unpack_from('<II', data, 112)
palette = data[120:888]
value, = struct.unpack_from('<I', data, 888)
print(name, width, height, repr(animation), flags, contents, value, zlib.crc32(palette))
end = 892
for level, offset in enumerate(offsets):
    wide, high = width >> level, height >> level
    if not wide and not high:
        assert offset == 0
        continue
    wide, high = max(1, wide), max(1, high)
    assert offset == end, (level, offset, end)
    pixels = data[offset:offset + wide * high]
    assert len(pixels) == wide * high
    print(level, wide, high, zlib.crc32(pixels))
    end = offset + wide * high
assert len(data) == (end + 3) // 4 * 4
";

#[test]
fn a_python_reader_agrees_on_daikatanas_wals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wal");
    for sides in [(64, 64), (256, 32), (16, 512), (8, 8)] {
        let pixels = painted(9, sides);
        let fields = PictureFields {
            name: b"e1m1/floor".to_vec(),
            animation: b"e1m1/floor2".to_vec(),
            numbers: Some([1, 2, 3]),
            ..PictureFields::default()
        };
        let target = TargetPalette::new(Palette::quake());
        let options = EncodeOptions { palette: Some(&target), fullbright: false, fields: &fields };
        let file = FileType::Wal3.encode("textures/x.wal".into(), &rgba(sides, &pixels), &options);
        let file = file.unwrap().bytes;
        fs::write(&path, &file).unwrap();
        let Ok(run) = Command::new("python3").args(["-c", WAL3, &path.to_string_lossy()]).output()
        else {
            crate::skips::skip("python3 is not installed");
            return;
        };
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let palette = crc32fast::hash(&Palette::quake().colours().concat());
        let mut expected =
            format!("e1m1/floor {} {} 'e1m1/floor2' 1 2 3 {palette}\n", sides.0, sides.1);
        for (level, (width, height, indices)) in sizes("x.wal", &file).iter().enumerate() {
            expected += &format!("{level} {width} {height} {}\n", crc32fast::hash(indices));
        }
        assert_eq!(String::from_utf8(run.stdout).unwrap().replace("\r\n", "\n"), expected);
    }
}

/// PNGs of every depth and type, and their pixels as Pillow or plain arithmetic has them.
#[test]
fn a_png_of_any_depth_and_type_is_read() {
    use png::BitDepth::{self, Eight, Four, One, Sixteen, Two};
    use png::ColorType::{self, Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let palette = [[10, 20, 30], [40, 50, 60], [70, 80, 90], [255, 0, 255]];
    // The first colour is transparent.
    let colour = |number: usize| {
        let [red, green, blue] = palette[number];
        [red, green, blue, if number == 0 { 0 } else { 255 }]
    };
    let grey = |value: u8| [value, value, value, 255];
    let words = [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0];
    type Row<'a> = (ColorType, BitDepth, &'a [u8], [[u8; 4]; 2]);
    let rows: [Row<'_>; 9] = [
        (Grayscale, One, &[0b0100_0000], [grey(0), grey(255)]),
        (Grayscale, Four, &[0x3F], [grey(0x33), grey(255)]),
        (Grayscale, Sixteen, &[1, 2, 3, 4], [grey(1), grey(3)]),
        (GrayscaleAlpha, Eight, b"\x01\x02\x03\x04", [[1, 1, 1, 2], [3, 3, 3, 4]]),
        (Rgb, Eight, b"\x01\x02\x03\x04\x04\x04", [[1, 2, 3, 255], grey(4)]),
        (Rgba, Sixteen, &words, [[1, 2, 3, 4], [5, 6, 7, 8]]),
        (Indexed, One, &[0b0100_0000], [colour(0), colour(1)]),
        (Indexed, Two, &[0b1011_0000], [colour(2), colour(3)]),
        (Indexed, Eight, &[2, 0], [colour(2), colour(0)]),
    ];
    for (colour, depth, bytes, expected) in rows {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 1);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if colour == Indexed {
            encoder.set_palette(palette.concat());
            encoder.set_trns(vec![0]);
        }
        encoder.write_header().unwrap().write_image_data(bytes).unwrap();
        let (pixels, _) = read_png(&file, 2).unwrap();
        assert_eq!(pixels.to_rgba(&Palette::grey()), expected.concat(), "{colour:?} {depth:?}");
        assert_eq!(matches!(pixels.data, Data::Indexed { .. }), colour == Indexed);
        assert!(matches!(
            read_png(&file, 1),
            Err(PictureError::TooManyPixels { found: 2, most: 1 })
        ));
        for len in 0..file.len() - 12 {
            assert!(matches!(read_png(&file[..len], 2), Err(PictureError::Png(_))), "{len}");
        }
    }
}
