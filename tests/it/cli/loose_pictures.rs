//! Loose pictures, which `convert` writes as files of other types.

use daisho::media::{Data, FileType, Palette, PictureFields, Pixels, png};
use serde_json::json;

use super::pictures::{decode, visible};
use super::{Dir, assert_has};
use crate::archive::build::Pak;
use crate::archive::maps::textured;
use crate::archive::wads::texture;

/// A PNG in true colour whose colours are all Quake's.
fn brick(side: u32) -> Vec<u8> {
    let palette = Palette::quake();
    let colours = palette.colours().iter().skip(16).take(32).cycle();
    let area = (side * side) as usize;
    let pixels = Pixels {
        width: side,
        height: side,
        data: Data::Rgb(colours.take(area).flatten().copied().collect()),
    };
    png(&pixels, &palette, None).unwrap()
}

fn colours(name: &str, file: &[u8]) -> Vec<u8> {
    let pixels = &decode(name, file).frames[0].pixels;
    pixels.to_rgba(&Palette::quake())
}

/// The bytes of Quake's palette.
fn palette() -> Vec<u8> {
    Palette::quake().colours().as_flattened().to_vec()
}

/// What the advice says works.
#[test]
fn advice_about_pictures_leads_to_an_output() {
    let dir = Dir::new();
    dir.file("a.png", brick(16));
    dir.file("b.png", brick(16));
    dir.file("q.pal", palette());
    dir.refuses("convert a.png b.png -o y.wal")
        .err_has("help: give -C DIR and the type, as in -C DIR --to wal, ");
    dir.ok("convert a.png b.png -C out --to wal --palette q.pal");
    dir.refuses("convert a.png -o q.wad")
        .err_has("help: 'daisho create' makes a WAD of pictures, ");
    dir.ok("create a.png -o q.wad");
}

/// Neither has an option for it.
#[test]
fn a_picture_that_is_too_large_is_left_out_by_its_name() {
    let dir = Dir::new();
    let mut large = vec![0; 18];
    large[2] = 10;
    large[12..18].copy_from_slice(&[0x28, 0x23, 0x28, 0x23, 32, 8]);
    large.extend(b"\xFF\x10\x20\x30\x40".repeat(9000 * 9000 / 128 + 1));
    dir.file("large.tga", large);
    for line in ["convert large.tga -o a.pcx", "create large.tga -o a.wad"] {
        dir.run(line)
            .err_has("but daisho decodes at most 67108864\n")
            .err_has("help: leave it out with -x large.tga\n")
            .err_lacks("--max-pixels");
    }
}

/// In true colour, and with a palette one of whose colours is transparent.
#[test]
fn formats_without_transparent_pixels_say_that_they_lose_them() {
    let dir = Dir::new();
    let (width, height) = (1, 2);
    let palette = Some(Palette::quake());
    let rgba = Data::Rgba(vec![9, 8, 7, 0, 9, 8, 7, 255]);
    let indexed = Data::Indexed { indices: vec![3, 4], palette, transparent: Some(3) };
    for (name, data) in [("rgba.png", rgba), ("indexed.png", indexed)] {
        let pixels = Pixels { width, height, data };
        dir.file(name, png(&pixels, &Palette::quake(), None).unwrap());
        for to in ["bmp", "pcx"] {
            let said =
                "warning: its transparent pixels become opaque, because the format has none\n";
            dir.ok(format!("convert {name} -o {name}.{to}")).err_has(said);
        }
        dir.ok(format!("convert {name} -o {name}.tga")).err_lacks("warning");
    }
}

#[test]
fn a_picture_becomes_every_type_and_keeps_its_colours() {
    let dir = Dir::new();
    dir.file("brick.png", brick(32));
    dir.file("q.pal", palette());
    dir.ok("convert brick.png -o brick.tga");
    let expected = colours("brick.tga", &dir.read("brick.tga"));
    for to in ["wal", "wal3", "mip", "lmp", "pcx", "tga", "bmp"] {
        dir.ok(format!("convert brick.png -C {to} --to {to} --palette q.pal"))
            .err_has("1 picture written");
        let name = format!("brick.{}", to.trim_end_matches('3'));
        let path = format!("{to}/{name}");
        assert!(colours(&name, &dir.read(&path)) == expected, "{to}");
        // From each type into each: the way back to PNG, and to TGA from there.
        dir.ok(format!("convert {path} -o {to}.png --palette q.pal"));
        dir.ok(format!("convert {to}.png -o {to}.tga"));
        let again = dir.read(format!("{to}.tga"));
        assert!(colours("a.tga", &again) == expected, "{to}");
        // Nothing was edited, so the same file comes back.
        dir.ok(format!("convert {to}.png -C again --to {to} -f --palette q.pal"));
        let name = format!("again/{to}.{}", to.trim_end_matches('3'));
        let (before, after) = (dir.read(&path), dir.read(&name));
        assert_eq!(before.len(), after.len(), "{to}");
        assert!(to == "mip" || before == after, "{to}");
    }
}

#[test]
fn a_wals_version_is_its_pictures_or_the_engines() {
    let dir = Dir::new();
    dir.copy("pictures/daikatana.wal", "d.wal");
    let from = dir.read("d.wal");
    dir.file("brick.png", brick(16));
    dir.file("q.pal", palette());
    let version = |line: &str| {
        dir.ok(line);
        let file = dir.read("out.wal");
        let picture = decode("out.wal", &file);
        let fields = PictureFields::of_file(picture.file_type, &file, &picture.frames[0]);
        (picture.file_type, fields)
    };
    let wal = "convert brick.png -o out.wal -f --palette q.pal";
    assert_eq!(version(wal).0, FileType::Wal);
    let with = |more: &str| version(&format!("{wal} {more}")).0;
    assert_eq!(with("--engine daikatana"), FileType::Wal3);
    assert_eq!(with("--to wal3"), FileType::Wal3);
    dir.ok("convert d.wal -o d.png");
    let (file_type, fields) = version("convert d.png -o out.wal -f");
    let old = decode("d.wal", &from);
    let before = PictureFields::of_file(FileType::Wal3, &from, &old.frames[0]);
    assert_eq!((file_type, fields), (FileType::Wal3, before));
    // Quake II's has the other palette, which must be known.
    let grey: Vec<u8> = (0..=255).flat_map(|it| [it; 3]).collect();
    dir.file("grey.pal", grey);
    dir.ok("convert brick.png -o old.wal --to wal3");
    for more in ["--to wal", "--engine yquake2"] {
        dir.refuses(format!("convert old.wal -o other.wal -f {more}")).err_has("--palette FILE");
        let line = format!("convert old.wal -o other.wal -f {more} --palette grey.pal");
        dir.ok(&line).err_has("it gets the nearest colours of the game's palette");
        let picture = decode("other.wal", &dir.read("other.wal"));
        assert_eq!(picture.file_type, FileType::Wal);
    }
    // The name inside is the path below `textures`, if the output has one.
    dir.ok("convert brick.png -C base/Textures/e1 --to wal --palette q.pal");
    assert!(dir.read("base/Textures/e1/brick.wal").starts_with(b"e1/brick\0"));
    assert!(dir.read("out.wal")[1..].starts_with(b"e1/floor\0"));
}

#[test]
fn pictures_of_a_directory_are_written_all_or_none() {
    let dir = Dir::new();
    dir.file("src/a/brick.png", brick(16));
    dir.file("src/b/lamp_fbr.mip.png", brick(16));
    dir.file("src/b/readme.txt", "no picture");
    dir.file("src/odd.png", brick(17));
    dir.refuses("convert src -C out --to mip")
        .err_has("its size is 17 x 17")
        .err_has("src/odd.png");
    dir.ok("convert src -C out --to mip -x odd* -n").out_has("write out/a/brick.mip\n");
    assert!(!dir.has("out"));
    dir.fails("convert src -C out --to mip --keep-going")
        .err_has("2 pictures written, 1 not written");
    assert_eq!(dir.files("out"), ["a/brick.mip", "b/lamp.mip"]);
    // One thread makes the same files, and what exists is kept or refused.
    dir.fails("convert src -C one --to mip --keep-going -j 1");
    assert!(dir.read("one/a/brick.mip") == dir.read("out/a/brick.mip"));
    let again = "convert src -C out --to mip -x odd*";
    dir.refuses(again).err_has("already exist");
    dir.ok(format!("{again} -k")).err_has("0 pictures written, 2 kept");
    // A file that is named goes into the directory itself.
    dir.ok("convert src/a/brick.png -C named --to mip");
    assert_eq!(dir.files("named"), ["brick.mip"]);
    let rows = dir.ok(format!("{again} -f --json")).json();
    assert_eq!(rows.len(), 2);
    assert_has(
        &rows[0],
        json!({
            "picture": "src/a/brick.png", "output": "out/a/brick.mip", "status": "written", "to": "mip",
        }),
    );
}

#[test]
fn inputs_that_are_no_pictures_get_advice() {
    let dir = Dir::new();
    dir.file("a.pak", Pak::new().stored("a.txt", b"text").quake());
    dir.file("m.bsp", textured(b"\x1D\0\0\0", &[Some(texture("brick", false))]));
    dir.file("x.png", brick(16));
    dir.file("empty/readme.txt", "text");
    let all = dir.all();
    for (line, words) in [
        ("a.pak -o y.png", "'daisho extract --png'"),
        ("m.bsp -o y.png", "'daisho extract --png'"),
        ("a.pak//a.txt -o y.png", "'daisho extract --png'"),
        ("empty/readme.txt -o y.png", "this is no picture"),
        ("empty -C out --to png", "this directory holds no picture"),
        ("missing.png -o y.tga", "no such file"),
        ("x.png a.pak -C out --to tga", "only a loose picture"),
        ("x.png x.png -o y.tga", "only one picture"),
        ("x.png ./x.png -C out --to tga", "x.tga"),
        ("x.png -o y.tga --to wal", "the name ends in \".tga\""),
        ("x.png -o y.pak --to wal", "the name ends in \".pak\""),
        ("x.png -o y.gif", "daisho writes no type of pictures with the extension \".gif\""),
        ("x.png -o y.wal", "--palette FILE"),
        ("x.png -o y.tga --merge", "--merge writes an archive"),
        ("x.png -o y.tga --level 3", "are about archives"),
        ("a.pak -o y.pak --palette x.png", "none is made"),
        ("- -o x.tga", "a picture is not read from standard input"),
    ] {
        dir.refuses(format!("convert {line}")).err_has(words);
        assert_eq!(dir.all(), all, "{line}");
    }
}

#[test]
fn a_palette_is_taken_from_an_indexed_png() {
    let dir = Dir::new();
    dir.file("brick.png", brick(16));
    dir.file("q.pal", palette());
    dir.ok("convert brick.png -o a.pcx --palette q.pal");
    dir.ok("convert a.pcx -o p.png");
    dir.ok("convert brick.png -o a.wal --palette q.pal");
    dir.ok("convert brick.png -o b.wal --palette p.png");
    assert!(dir.read("a.wal")[32..] == dir.read("b.wal")[32..]);
    dir.refuses("convert brick.png -o c.wal --palette brick.png")
        .err_has("no palette can be read from this");
}

#[test]
fn a_picture_can_go_to_standard_output() {
    let dir = Dir::new();
    dir.file("x.png", brick(16));
    let ran = dir.ok("convert x.png -o - --to tga");
    let tga = ran.stdout().to_vec();
    dir.ok("convert x.png -o x.tga");
    assert!(dir.read("x.tga") == tga);
}

/// Prints the size, and four bytes for each pixel, in hexadecimal digits.
const PILLOW: &str = "\
import sys
from PIL import Image
picture = Image.open(sys.argv[1]).convert('RGBA')
print(*picture.size, picture.tobytes().hex())
";

#[test]
fn pillow_reads_the_pixels_that_were_written() {
    let python = || std::process::Command::new("python3");
    let has_pillow = python().args(["-c", "import PIL"]).output();
    if !has_pillow.is_ok_and(|it| it.status.success()) {
        crate::skips::skip("python3 with Pillow is not installed");
        return;
    }
    let dir = Dir::new();
    dir.file("q.pal", palette());
    dir.file("brick.png", brick(24));
    let pictures = ["indexed.pcx", "alpha.tga", "bits_8.bmp", "picture.lmp"];
    for name in pictures {
        dir.copy(&format!("pictures/{name}"), name);
    }
    for from in ["brick.png"].into_iter().chain(pictures) {
        for to in ["png", "pcx", "tga", "bmp"] {
            let output = format!("out.{to}");
            dir.ok(format!("convert {from} -o {output} -f --palette q.pal"));
            let read =
                python().args(["-c", PILLOW, &output]).current_dir(dir.path("")).output().unwrap();
            let read = String::from_utf8(read.stdout).unwrap();
            let (sides, pixels) = read.trim().rsplit_once(' ').unwrap();
            let picture = if to == "png" {
                dir.ok(format!("convert {output} -o again.tga -f"));
                decode("again.tga", &dir.read("again.tga"))
            } else {
                decode(&output, &dir.read(&output))
            };
            let own = &picture.frames[0].pixels;
            assert_eq!(sides, format!("{} {}", own.width, own.height));
            let digits = pixels.as_bytes().chunks_exact(2);
            let found: Vec<u8> = digits
                .map(|it| u8::from_str_radix(str::from_utf8(it).unwrap(), 16).unwrap())
                .collect();
            let rgba = own.to_rgba(&Palette::quake());
            assert_eq!(visible(&found), visible(&rgba), "{from} to {to}");
        }
    }
}
