//! Pictures that become files of a game's own formats, by `create` and `add`.

use daisho::media::{
    Data, EncodeOptions, FileType, Palette, Picture, PictureFields, Pixels, TargetPalette, png,
    read_png,
};

use super::Dir;
use super::paks::crc32;
use super::pictures::{decode, visible};
use crate::archive::build::Pak;
use crate::archive::maps::textured;
use crate::archive::wads::{Wad, texture};
use crate::corpus;

/// A PNG with these colours, repeated.
fn painted((width, height): (u32, u32), colours: &[[u8; 4]]) -> Vec<u8> {
    let area = (width * height) as usize;
    let rgba: Vec<u8> = colours.iter().cycle().take(area).flatten().copied().collect();
    let pixels = Pixels { width, height, data: Data::Rgba(rgba) };
    png(&pixels, &Palette::grey(), None).unwrap()
}

fn indices(name: &str, file: &[u8]) -> Vec<u8> {
    match &decode(name, file).frames[0].pixels.data {
        Data::Indexed { indices, .. } => indices.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

fn colours(picture: &Picture) -> Vec<u8> {
    picture.frames[0].pixels.to_rgba(&Palette::grey())
}

/// What a file says besides its pixels.
fn fields(picture: &Picture, file: &[u8]) -> PictureFields {
    PictureFields::of_file(picture.file_type, file, &picture.frames[0])
}

/// A pixel of this colour, opaque.
const fn opaque(red: u8, green: u8, blue: u8) -> [u8; 4] {
    [red, green, blue, 255]
}

/// A pixel of a colour of Quake's palette.
fn of_quake(number: usize) -> [u8; 4] {
    let [red, green, blue] = Palette::quake().colours()[number];
    opaque(red, green, blue)
}

const CLEAR: [u8; 4] = [0; 4];

#[test]
fn unedited_extracted_pictures_come_back() {
    let dir = Dir::new();
    let names = [
        ("textures/a/quake2.wal", "quake2.wal"),
        ("textures/a/daikatana.wal", "daikatana.wal"),
        ("gfx/picture.lmp", "picture.lmp"),
        ("pics/planes.pcx", "indexed.pcx"),
        ("bits_8.bmp", "bits_8.bmp"),
        ("bits_24.bmp", "bits_24.bmp"),
        ("alpha.tga", "alpha.tga"),
        ("b.mip", "quake.mip"),
    ];
    for (name, file) in names {
        dir.copy(&format!("pictures/{file}"), &format!("files/{name}"));
    }
    dir.file("files/gfx/palette.lmp", [9; 768]);
    dir.ok("create files -o a.pak");
    dir.ok("extract --png a.pak");
    assert!(dir.path("a/gfx/palette.lmp").is_file());
    dir.ok("create --png -o b.pak a");
    dir.ok("extract b.pak");
    for (name, file) in names {
        let before = dir.read(format!("files/{name}"));
        let after = dir.read(format!("b/{name}"));
        let (old, new) = (decode(name, &before), decode(name, &after));
        assert_eq!(old.file_type, new.file_type, "{name}");
        assert_eq!(colours(&old), colours(&new), "{name}");
        if let Data::Indexed { .. } = old.frames[0].pixels.data {
            assert_eq!(indices(name, &before), indices(name, &after), "{name}");
        }
        assert_eq!(fields(&old, &before), fields(&new, &after), "{name}");
        if old.file_type == FileType::Lmp {
            assert_eq!(before, after, "{file}");
        }
    }
}

#[test]
fn create_makes_wad_textures_of_pngs() {
    let dir = Dir::new();
    // Two colours, black, which becomes 48 because textures do not use 0, and a fullbright colour.
    let colours = [of_quake(15), of_quake(100), opaque(0, 0, 0), of_quake(240)];
    let picture = painted((16, 16), &colours);
    for name in ["src/brick", "star_lava", "plus_0lamp", "lamp_fbr", "minu_a", "divd_wall"] {
        dir.file(format!("t/{name}.png"), &picture);
    }
    dir.file("t/{fence.png", painted((16, 16), &[of_quake(15), CLEAR]));
    // The case of the extension does not matter.
    dir.file("t/sky1.PNG", painted((16, 16), &[opaque(0, 0, 0)]));
    dir.ok("create -o x.wad t").err_has("x.wad: 8 files");
    let mut names = dir.names("x.wad");
    names.sort_unstable();
    let expected = "#lava.mip +0lamp.mip -a.mip /wall.mip brick.mip lamp.mip sky1.mip {fence.mip";
    assert_eq!(names.join(" "), expected);
    let found = |name: &str| indices(name, &dir.cat("x.wad", name));
    assert_eq!(found("brick.mip")[..3], [15, 100, 48]);
    assert!(found("brick.mip").iter().all(|number| *number < 224));
    assert_eq!(found("lamp.mip")[..4], [15, 100, 48, 240]);
    assert_eq!(found("{fence.mip")[..2], [15, 255]);
    let sky = found("sky1.mip");
    assert_eq!((sky[7], sky[8]), (0, 48));
    assert!(dir.cat("x.wad", "#lava.mip").starts_with(b"*lava\0"));
    assert!(dir.cat("x.wad", "/wall.mip").starts_with(b"/wall\0"));

    // A WAD for Half-Life has the palette of each texture.
    dir.ok("create -o h.wad --to wad3 t");
    let fence = dir.cat("h.wad", "{fence.mip");
    assert_eq!(fence.len(), 40 + 256 + 64 + 16 + 4 + 2 + 768 + 2);
    assert_eq!(fence[fence.len() - 5..], [0, 0, 255, 0, 0]);
}

/// In any WAD of Quake, what has this name is read as the font.
#[test]
fn conchars_is_the_font_in_every_wad2() {
    let dir = Dir::new();
    for (name, side) in
        [("good/conchars.png", 128), ("bad/conchars.png", 32), ("named/conchars.mip.png", 16)]
    {
        dir.file(name, painted((side, side), &[opaque(0, 0, 0), CLEAR]));
    }
    for wad in ["tex.wad", "gfx.wad"] {
        for folder in ["bad", "named"] {
            dir.refuses(format!("create {folder} -o {wad}"))
                .err_has("but this picture is 128 x 128\n");
        }
        dir.ok(format!("create good -o {wad}"));
        assert_eq!(dir.cat(wad, "conchars.lmp"), [0; 128 * 128]);
    }
    dir.ok("create bad -o half-life.wad --to wad3");
    dir.lists("half-life.wad", "conchars.mip");
}

#[test]
fn names_and_folders_decide_what_a_png_becomes() {
    let dir = Dir::new();
    let picture = painted((24, 8), &[opaque(255, 255, 255), CLEAR, opaque(0, 0, 0)]);
    let characters = painted((128, 128), &[opaque(0, 0, 0), CLEAR]);
    dir.file("g/num_0.png", &picture);
    dir.file("g/conchars.png", characters);
    dir.ok("create -o gfx.wad g");
    let lump = dir.cat("gfx.wad", "num_0.lmp");
    assert_eq!(lump[..11], [24, 0, 0, 0, 8, 0, 0, 0, 254, 255, 48]);
    assert_eq!(dir.cat("gfx.wad", "conchars.lmp"), [0; 128 * 128]);

    dir.file("m/gfx/a.png", &picture);
    dir.file("m/textures/e/b.png", painted((16, 16), &[opaque(9, 9, 9)]));
    dir.copy("pictures/bits_8.bmp", "m/textures/e/colormap.bmp");
    dir.file("m/pics/c.png", &picture);
    dir.ok("create m -o m.pak");
    // The order of names is that of the files.
    dir.lists("m.pak", "gfx/a.png pics/c.png textures/e/b.png textures/e/colormap.bmp");
    dir.ok("create m -f -o m.pak --png").err_has("flags, contents and value");
    dir.lists("m.pak", "gfx/a.lmp pics/c.png textures/e/b.wal textures/e/colormap.bmp");
    dir.ok("create m -f -o m.pak --png --to daikatana");
    assert_eq!(dir.cat("m.pak", "textures/e/b.wal")[0], 3);
}

#[test]
fn create_refuses_bad_pictures_all_together() {
    let dir = Dir::new();
    dir.file("t/a.png", painted((24, 20), &[CLEAR]));
    for n in 0..6 {
        // A name that is given with its extension is not shortened.
        let long = format!("t/a_name_of_18_bytes{n}.mip.png");
        dir.file(long, painted((16, 16), &[opaque(1, 2, 3)]));
        dir.file(format!("t/odd{n}.png"), painted((17, 16), &[CLEAR]));
        dir.file(format!("t/cut{n}.png"), "no picture");
    }
    dir.file("t/good.png", painted((16, 16), &[opaque(1, 2, 3)]));
    dir.refuses("create t -o x.wad")
        .out("")
        .err_has("6 names are too long for the archive")
        .err_has("7 pictures have sizes that do not fit")
        .err_has("6 pictures cannot be decoded");
    dir.refuses("create t -o x.wad -v").err_has("its size is 24 x 20, but the sides of a texture are multiples of 16; 16 x 16 and 32 x 32 fit");
    dir.refuses("create t -o x.wad -i cut0.png").err_has("help: leave it out");
    assert!(!dir.has("x.wad"));
    dir.fails("create t -o x.wad --keep-going -j1").err_has("x.wad: 1 file");
    dir.lists("x.wad", "good.mip");
    dir.fails("create t -o y.wad --keep-going -j4");
    assert_eq!(dir.read("x.wad"), dir.read("y.wad"));
}

#[test]
fn create_refuses_pictures_that_it_cannot_make() {
    let dir = Dir::new();
    dir.file("s/a.spr.png", painted((8, 8), &[CLEAR]));
    for create in ["create --png s -o s.pak", "create s -o s.wad"] {
        dir.refuses(create)
            .err_has("daisho does not write files of type SPR")
            .err_has("leave it out with -x");
    }
    // A picture of true colour has no palette to go by.
    let picture = painted((16, 16), &[opaque(1, 2, 3)]);
    dir.file("w/a.wal.png", &picture);
    dir.refuses("create --png w -o w.pak")
        .err_has("the palette for a file of type WAL is not known")
        .err_has("--palette FILE");
    dir.file("w/cut.wal.png", &picture[..60]);
    dir.refuses("create --png w -o w.pak").err_has("cut.wal.png");
}

#[test]
fn add_png_keeps_palette_and_fields_of_the_old_entry() {
    let dir = Dir::new();
    let wal = std::fs::read(corpus::path("pictures/daikatana.wal")).unwrap();
    let old = decode("a.wal", &wal);
    dir.file("a.pak", Pak::new().stored("textures/x/a.wal", &wal).quake());
    // As a paint program leaves it: without the chunk.
    let edited = png(&old.frames[0].pixels, &Palette::grey(), None).unwrap();
    dir.file("new.png", &edited);
    dir.file("textures/x/a.wal.png", &edited);
    dir.ok("add a.pak textures/x/a.wal.png --png -f");
    let new = dir.cat("a.pak", "textures/x/a.wal");
    assert_eq!(fields(&decode("a.wal", &new), &new), fields(&old, &wal));
    // A name that is given says what it becomes.
    dir.ok("add a.pak new.png --as textures/x/a.wal --png -f").err_has("unchanged");
}

#[test]
fn dup_files_become_lumps_of_one_name() {
    let dir = Dir::new();
    let lump = |colour: u8| vec![2, 0, 0, 0, 1, 0, 0, 0, colour, 255];
    let mut wad = Wad::new(b"WAD2");
    for colour in [7, 8, 9] {
        wad = wad.lump(b"a", 0x42, &lump(colour));
    }
    dir.file("a.wad", wad.bytes());
    dir.run("extract --png a.wad");
    assert!(dir.path("a/a.lmp.png.dup-2").is_file());
    dir.ok("create a -o again.wad");
    for (index, colour) in ["0", "1", "2"].into_iter().zip([7, 8, 9]) {
        let found = dir.ok(format!("cat again.wad --index {index}"));
        assert_eq!(found.stdout(), lump(colour));
    }
}

#[test]
fn create_png_takes_the_nearest_colours() {
    let dir = Dir::new();
    // Colours from all of the cube, by a generator of random numbers.
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let colours: Vec<[u8; 4]> = (0..32 * 32).map(|_| opaque(next(), next(), next())).collect();
    let picture = painted((32, 32), &colours);
    for name in ["t/plain.png", "t/lamp_fbr.png"] {
        dir.file(name, &picture);
    }
    dir.ok("create t -o x.wad");
    dir.ok("extract x.wad");
    let palette = Palette::quake();
    let nearest = |[red, green, blue, _]: [u8; 4], last: u8| {
        let distance = |number: &u8| -> u32 {
            let colour = palette.colours()[usize::from(*number)];
            let pairs = [red, green, blue].into_iter().zip(colour);
            pairs.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
        };
        let least = (1..=last).map(|number| distance(&number)).min().unwrap();
        let mut equal: Vec<u8> = (1..=last).filter(|it| distance(it) == least).collect();
        if last > 223 && equal.iter().any(|it| *it > 223) {
            equal.retain(|it| *it > 223);
        }
        equal[0]
    };
    for (name, last) in [("plain.mip", 223), ("lamp.mip", 254)] {
        let found = indices(name, &dir.read(format!("x/{name}")));
        let expected: Vec<u8> = colours.iter().map(|it| nearest(*it, last)).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_wal_comes_back_without_the_games_palette() {
    let dir = Dir::new();
    let name = "textures/x/a.wal";
    let wal = std::fs::read(corpus::path("pictures/quake2.wal")).unwrap();
    dir.file("a.pak", Pak::new().stored(name, &wal).quake());
    dir.file("game.pal", (0..=255).cycle().take(768).collect::<Vec<u8>>());
    dir.ok("extract --png a.pak --palette game.pal");
    dir.ok("create --png -o b.pak a");
    let new = dir.cat("b.pak", name);
    assert_eq!(indices(name, &new), indices(name, &wal));
    assert_eq!(new[..40], wal[..40]);
    // Other numbers may be meant by the colours of an edited picture.
    let edited = painted((16, 16), &[opaque(1, 2, 3)]);
    dir.file(format!("a/{name}.png"), edited);
    dir.refuses("create --png -o c.pak a")
        .err_has("the palette for a file of type WAL is not known");
}

#[test]
fn converted_wads_get_the_other_games_palette() {
    let dir = Dir::new();
    let wall = [of_quake(15), of_quake(100), of_quake(31)];
    dir.file("t/wall.png", painted((16, 16), &wall));
    dir.file("t/{fence.png", painted((16, 16), &[of_quake(15), CLEAR]));
    dir.ok("create t -o q.wad");
    dir.ok("convert q.wad -o h.wad --to wad3")
        .err_has("2 textures get palettes of their own: Quake's");
    dir.ok("convert h.wad -o again.wad --to wad2")
        .err_has("2 textures get the nearest colours of Quake's palette");
    // Half-Life's textures are as long as with a palette, and what comes back is what was there.
    let fence = dir.cat("h.wad", "{fence.mip");
    assert_eq!(fence.len(), 40 + 256 + 64 + 16 + 4 + 2 + 768 + 2);
    assert_eq!(fence[fence.len() - 5..], [0, 0, 255, 0, 0]);
    for name in ["wall.mip", "{fence.mip"] {
        let quake = dir.cat("q.wad", name);
        assert!(quake == dir.cat("again.wad", name), "{name}");
        let seen = |file: &[u8]| {
            let picture = decode(name, file);
            visible(&picture.frames[0].pixels.to_rgba(&Palette::quake()))
        };
        assert_eq!(seen(&quake), seen(&dir.cat("h.wad", name)), "{name}");
    }
    // There is no warning about textures with the right palette, and one thread makes the same bytes.
    dir.ok("convert q.wad -o same.wad --to wad2");
    dir.ok("diff q.wad same.wad");
    dir.ok("convert q.wad -o one.wad --to wad3 -j 1");
    assert!(dir.read("one.wad") == dir.read("h.wad"));
    // Engines may limit an output, so that it is opened before.
    dir.ok("convert q.wad -o split.wad --to wad3 --max-entries 5");
    assert!(dir.read("split.wad") == dir.read("h.wad"));
}

#[test]
fn textures_keep_colours_without_the_levels_palette() {
    let dir = Dir::new();
    let painted = painted((16, 16), &[opaque(9, 80, 7), opaque(200, 1, 99)]);
    dir.file("m/textures/e/b.png", &painted);
    dir.file("m/skins/c.wal.png", &painted);
    dir.ok("create m -o m.pak --png --to daikatana").err_has("the palette of its level was not found, so it gets 256 colours of its own\n  --> m/textures/e/b.png");
    for name in ["textures/e/b.wal", "skins/c.wal"] {
        let picture = decode(name, &dir.cat("m.pak", name));
        assert_eq!(picture.file_type, FileType::Wal3);
        assert_eq!(colours(&picture)[..8], [9, 80, 7, 255, 200, 1, 99, 255]);
    }
}

#[test]
fn half_life_pngs_in_a_quake_wad_are_warned_of() {
    let dir = Dir::new();
    dir.copy("wads/sound/plain-wad3.wad", "h.wad");
    dir.ok("extract --png h.wad -i *.mip -C t");
    dir.ok("create t -o q.wad")
        .err_has("nearest colours of the game's palette, because")
        .err_has("(wad3)");
    dir.ok("create t -o same.wad --to wad3 -v").err_lacks("warning");
    // Textures with Quake's palette lose nothing.
    dir.file("q/wall.png", painted((16, 16), &[opaque(0, 0, 0)]));
    dir.ok("create q -o q.wad -f");
    dir.ok("extract --png q.wad -C p");
    dir.ok("create p -o p.wad").err_lacks("warning");
}

#[test]
fn a_sheet_of_frames_is_no_texture_again() {
    let dir = Dir::new();
    let wal = std::fs::read(corpus::path("pictures/quake2.wal")).unwrap();
    let spr = std::fs::read(corpus::path("pictures/quake.spr")).unwrap();
    let pak = Pak::new().stored("a.wal", &wal).stored("b.spr", &spr);
    dir.file("a.pak", pak.stored("a.wal", &wal).quake());
    dir.ok("extract a.pak --png --frames -C sheets")
        .err_has("; 3 written as PNG, 1 written as NAME.dup-INDEX\n");
    dir.ok("extract a.pak --png -C pictures").err_has("; 3 written as PNG, ");
}

#[test]
fn palettes_without_pictures_are_refused() {
    let dir = Dir::new();
    dir.file("d/a.txt", "text");
    dir.file("b.pak", Pak::new().stored("a", "a").quake());
    for line in [
        "add b.pak d --palette nowhere",
        "create d -o a.pak --palette nowhere",
        "create d -o a.pak --game nowhere",
    ] {
        dir.refuses(line);
    }
}

/// As qpakman does it: maps name their textures so.
#[test]
fn long_names_of_pictures_are_shortened_for_a_wad() {
    let dir = Dir::new();
    let picture = painted((16, 16), &[of_quake(15)]);
    for name in ["a_wall_of_many_bricks", "star_lava_that_flows_on_fbr", "exactly15_bytes"] {
        dir.file(format!("t/sub/{name}.png"), &picture);
    }
    dir.ok("create t -o x.wad")
        .err_has("its name is shortened to \"a_wall_y_bricks\", because a WAD has names of at most 15 bytes\n")
        .err_has("its name is shortened to \"#lava_tflows_on\"")
        .err_has("--> t/sub/star_lava_that_flows_on_fbr.png");
    dir.lists("x.wad", "#lava_tflows_on.mip a_wall_y_bricks.mip exactly15_bytes.mip");
    assert!(dir.cat("x.wad", "#lava_tflows_on.mip").starts_with(b"*lava_tflows_on\0"));
    dir.ok("add x.wad t/sub/a_wall_of_many_bricks.png -f").err_has("its name is shortened to");
    // A name that the user gives is his, and two pictures do not become one.
    dir.refuses("add x.wad t/sub/exactly15_bytes.png --as a_wall_of_many_bricks.mip").err_has("15");
    dir.file("t/a_wall_with_many_bricks.png", &picture);
    dir.file("t/a_wall_of_very_many_bricks.png", &picture);
    dir.refuses("create t -o y.wad").err_has("would also have this name in the archive");
    assert!(!dir.has("y.wad"));
}

#[test]
fn fullbright_textures_keep_exactly_the_last_colour() {
    let dir = Dir::new();
    let colours = [opaque(159, 91, 83), opaque(159, 91, 84)];
    for name in ["lamp_fbr", "lamp2", "{lamp_fbr"] {
        dir.file(format!("t/{name}.png"), painted((16, 16), &colours));
    }
    dir.ok("create t -o x.wad");
    let found = |name: &str| indices(name, &dir.cat("x.wad", name));
    assert_eq!(found("lamp.mip")[0], 255);
    assert_ne!(found("lamp.mip")[1], 255);
    assert!(!found("lamp2.mip").contains(&255));
    assert_eq!(found("{lamp.mip")[0], 255);
    assert_ne!(found("{lamp.mip")[1], 255);
}

#[test]
fn blue_is_transparent_in_half_lifes_fences() {
    let dir = Dir::new();
    let mut own: Vec<[u8; 3]> = (0..=254).map(|it| [it, 9, 1]).collect();
    own.push([0, 0, 255]);
    // A palette in which blue is another colour, too.
    own[3] = [0, 0, 255];
    let indices = [7, 255, 3, 9].repeat(64);
    let data = Data::Indexed {
        indices: indices.clone(),
        palette: Some(Palette::of_colours(own)),
        transparent: None,
    };
    let pixels = Pixels { width: 16, height: 16, data };
    dir.file("t/{indexed.png", png(&pixels, &Palette::grey(), None).unwrap());
    dir.file("t/{true.png", painted((16, 16), &[opaque(0, 0, 255), opaque(0, 0, 254)]));
    dir.file("t/solid.png", painted((16, 16), &[opaque(0, 0, 255), opaque(0, 0, 254)]));
    dir.ok("create t -o h.wad --to wad3")
        .err_has("pure blue becomes transparent (pictures: 1)\n  --> t/{true.png");
    let seen = |name: &str| decode(name, &dir.cat("h.wad", name)).frames[0].pixels.clone();
    let Data::Indexed { indices: found, transparent, .. } = seen("{indexed.mip").data else {
        panic!("not indexed");
    };
    assert_eq!((found, transparent), (indices, Some(255)));
    let rgba = seen("{true.mip").to_rgba(&Palette::grey());
    assert_eq!((rgba[3], &rgba[4..8]), (0, &opaque(0, 0, 254)[..]));
    let rgba = seen("solid.mip").to_rgba(&Palette::grey());
    assert_eq!(rgba[..8], [0, 0, 255, 255, 0, 0, 254, 255]);
}

/// The levels of a texture of Daikatana as its own tool makes them: the sides of each, its offset and its average.
const LEVELS: &str = "\
import struct, sys
file = open(sys.argv[1], 'rb').read()
assert file[0] == 3
width, height = struct.unpack_from('<2I', file, 36)
offsets = struct.unpack_from('<9I', file, 44)
palette = [file[120 + 3 * n:123 + 3 * n] for n in range(256)]
linear = lambda v: v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4
byte = lambda l: round(255 * (12.92 * l if l <= 0.0031308 else 1.055 * l ** (1 / 2.4) - 0.055))
first = file[892:892 + width * height]
end, level = 892, 0
while True:
    wide, high = max(1, width >> level), max(1, height >> level)
    assert offsets[level] == end, (level, offsets)
    across, down = width // wide, height // high
    for y in range(high):
        for x in range(wide):
            area = [palette[first[(y * down + v) * width + x * across + u]] for v in range(down) for u in range(across)]
            mean = [byte(sum(linear(c[n]) for c in area) / len(area)) for n in range(3)]
            far = lambda n: sum((a - b) ** 2 for a, b in zip(palette[n], mean))
            found = file[end + y * wide + x]
            assert far(found) == min(far(n) for n in range(255)), (level, x, y)
    end += wide * high
    level += 1
    if wide == high == 1:
        break
assert not any(offsets[level:]) and len(file) == (end + 3) // 4 * 4, (len(file), end)
print(level, len(file))
";

#[test]
fn daikatanas_textures_have_levels_down_to_one_pixel() {
    let dir = Dir::new();
    let colours: Vec<[u8; 4]> = (0..255).map(|it: u8| opaque(it, it.wrapping_mul(7), 40)).collect();
    for (sides, expected) in
        [((64, 64), "7 6356"), ((32, 16), "6 1576"), ((16, 64), "7 2260"), ((256, 8), "9 3644")]
    {
        dir.file("a.png", painted(sides, &colours));
        dir.ok("convert a.png -o a.wal --to wal3 -f").err_lacks("powers of two");
        let file = dir.read("a.wal");
        let (levels, len) = expected.split_once(' ').unwrap();
        assert_eq!(file.len().to_string(), len);
        dir.ok("info a.wal").out_has(&format!("mips     {levels}"));
        let script = std::process::Command::new("python3")
            .args(["-c", LEVELS])
            .arg(dir.path("a.wal"))
            .output();
        let Ok(ran) = script else {
            eprintln!("skipped: python3 is not installed");
            continue;
        };
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(String::from_utf8_lossy(&ran.stdout).trim(), expected, "{errors}");
    }
    dir.file("odd.png", painted((48, 32), &colours));
    dir.ok("convert odd.png -o odd.wal --to wal3")
        .err_has("its sides are no powers of two, and Daikatana's editor refuses such textures");
}

#[test]
fn create_names_an_engine_that_reads_what_another_cannot() {
    let dir = Dir::new();
    dir.copy("pictures/daikatana.wal", "m/textures/a.wal");
    dir.ok("create m -o m.pak --engine yquake2")
        .err_has("yquake2: cannot read 1 WAL 3 picture; yquake2remaster reads WAL 3\n");
    dir.ok("create m -o m.pak -f --engine yquake2remaster").err_lacks("WAL 3");
}

#[test]
fn lumps_are_found_without_their_extensions() {
    let dir = Dir::new();
    let picture = painted((16, 16), &[of_quake(15), of_quake(40)]);
    for name in ["brick", "star_lava1", "{fence", "{ab}"] {
        dir.file(format!("t/{name}.png"), &picture);
    }
    dir.ok("create t -o x.wad");
    dir.ok("create t -o h.wad --to wad3");
    let map =
        textured(b"\x1D\0\0\0", &[Some(texture("brick", false)), Some(texture("*lava1", false))]);
    dir.file("e1.bsp", map);
    let whole = |archive: &str, name: &str| dir.cat(archive, name);
    for archive in ["x.wad", "e1.bsp"] {
        assert_eq!(whole(archive, "brick"), whole(archive, "brick.mip"), "{archive}");
        assert_eq!(whole(archive, "BRICK"), whole(archive, "brick.mip"), "{archive}");
        assert_eq!(whole(archive, "*lava1"), whole(archive, "#lava1.mip"), "{archive}");
        for line in ["list", "extract -n", "verify"] {
            dir.ok(format!("{line} {archive} brick *lava1"));
        }
        dir.ok(format!("list {archive} -x brick")).out_lacks("brick").out_has("lava");
        dir.run(format!("cat {archive} brik")).err_has("did you mean \"brick\"?");
    }
    assert_eq!(whole("x.wad", "{fence"), whole("x.wad", "{fence.mip"));
    assert_eq!(whole("x.wad", "{ab}"), whole("x.wad", "{ab}.mip"));
    dir.ok("rename x.wad brick brick2");
    dir.lists("x.wad", "#lava1.mip brick2.mip {ab}.mip {fence.mip");
    dir.ok("rename x.wad *lava1 #slime");
    dir.ok("remove x.wad {ab}");
    dir.lists("x.wad", "#slime.mip brick2.mip {fence.mip");
    dir.ok("add x.wad t/brick.png --as brick3");
    dir.ok("extract x.wad brick2 -C out");
    dir.ok("add x.wad out/brick2.mip --as brick4");
    dir.lists("x.wad", "#slime.mip brick2.mip {fence.mip brick3.mip brick4.mip");
    // Two lumps with one name.
    let lump = [2, 0, 0, 0, 1, 0, 0, 0, 7, 255];
    dir.file("brick2.lmp", lump);
    dir.ok("add x.wad brick2.lmp");
    for line in ["remove x.wad brick2", "rename x.wad brick2 other"] {
        dir.refuses(line).err_has("\"brick2.mip\" or \"brick2.lmp\"");
    }
    dir.refuses("add x.wad t/brick.png --as brick2 -f").err_has("\"brick2.mip\" or \"brick2.lmp\"");
    dir.refuses("cat x.wad brick2 --png")
        .err_has("these are 2, such as \"brick2.mip\" and \"brick2.lmp\"");
    dir.ok("list x.wad brick2").out_has("brick2.mip").out_has("brick2.lmp");
    // An exact name wins over the glob that it could be.
    for name in ["ab", "hotlava1", "#lava1", "{ab}"] {
        dir.file(format!("g/{name}.png"), &picture);
    }
    dir.ok("create g -o g.wad");
    dir.ok("list g.wad --names *lava1").out("#lava1.mip\n");
    dir.ok("list g.wad --names -i *lava1").out("#lava1.mip\n");
    dir.ok("list g.wad --names {ab}").out("{ab}.mip\n");
    dir.ok("list g.wad --names -x {ab} -x *lava1").out("ab.mip\nhotlava1.mip\n");
    dir.ok("list x.wad --names -x {fence").out_lacks("fence");
    dir.ok("remove g.wad {ab} *lava1");
    dir.lists("g.wad", "ab.mip hotlava1.mip");
    for name in ["a[1].txt", "a1.txt", "{fence"] {
        dir.file(format!("n/{name}"), "x");
    }
    dir.ok("create n -o n.pak -x a[1].txt -x {fence");
    dir.lists("n.pak", "a1.txt");
    dir.refuses("create n -o no.pak -x {fenc").err_has("a `{` has no `}`");
    // In other archives a name is the whole name.
    dir.file("a.pak", Pak::new().stored("brick.mip", "x").quake());
    dir.fails("cat a.pak brick");
}

#[test]
fn textures_do_not_go_back_into_a_map() {
    let dir = Dir::new();
    dir.file("e1.bsp", textured(b"\x1D\0\0\0", &[Some(texture("brick", false))]));
    dir.file("brick.png", painted((16, 16), &[of_quake(15)]));
    for line in ["add e1.bsp brick.png -f", "remove e1.bsp brick", "rename e1.bsp brick wall"] {
        dir.refuses(line).err_has("'daisho convert e1.bsp -o e1.wad'");
    }
    dir.ok("convert e1.bsp -o e1.wad");
}

#[test]
fn a_damaged_palette_is_an_error() {
    let dir = Dir::new();
    dir.file("g/gfx/a.lmp.png", painted((16, 16), &[of_quake(15)]));
    dir.file("g/gfx/palette.lmp", [7; 100]);
    dir.refuses("create g -o g.pak --png").err_has("the palette is damaged");
    dir.file("id1/pak0.pak", Pak::new().stored("gfx/palette.lmp", [7; 100]).quake());
    dir.file("t/brick.png", painted((16, 16), &[of_quake(15)]));
    dir.refuses("create t -o t.wad --game id1").err_has("the palette is damaged");
    dir.file("q2/pak0.pak", Pak::new().stored("a", "a").quake());
    dir.refuses("create t -o t.wad --game q2").err_has("has no palette \"gfx/palette.lmp\"");
    // The variable is only a default, which may lack a palette.
    let by_default = |game: &str| dir.command("create t -o d.wad").env("DAISHO_GAME", game).run();
    by_default("q2").code(0);
    by_default("id1").code(2).err_has("the palette is damaged");
    dir.file(
        "a.pak",
        Pak::new()
            .stored("gfx/palette.lmp", [7; 100])
            .stored("gfx/a.lmp", [2, 0, 0, 0, 1, 0, 0, 0, 7, 255])
            .quake(),
    );
    dir.fails("extract a.pak --png").err_has("the palette is damaged");
}

#[test]
fn damaged_and_reordered_pngs_are_not_trusted() {
    let dir = Dir::new();
    let mut cut = painted((16, 16), &[of_quake(15)]);
    // The Adler-32 of the pixels is before the CRC of the last IDAT, and IEND.
    let end = cut.len() - 12 - 4;
    cut[end - 1] ^= 1;
    let data = cut.windows(4).position(|it| it == b"IDAT").unwrap();
    let crc = crc32(&cut[data..end]);
    cut[end..end + 4].copy_from_slice(&crc.to_be_bytes());
    dir.file("t/cut.png", cut);
    dir.refuses("create t -o t.wad").err_has("cut.png");

    // A WAL that was drawn in grey, in whose PNG a paint program has sorted the colours.
    let wal = std::fs::read(corpus::path("pictures/quake2.wal")).unwrap();
    dir.file("a.pak", Pak::new().stored("textures/a.wal", &wal).quake());
    dir.ok("extract a.pak --png");
    let (mut pixels, fields) = read_png(&dir.read("a/textures/a.wal.png"), 1 << 20).unwrap();
    assert!(fields.is_stand_in);
    pixels.complete(&Palette::grey());
    let Data::Indexed { indices, palette, .. } = &mut pixels.data else { panic!("not indexed") };
    indices.iter_mut().for_each(|index| *index = 255 - *index);
    let sorted = indices.clone();
    *palette = Some(Palette::of_colours((0..=255).rev().map(|it| [it; 3])));
    let edited = png(&pixels, &Palette::grey(), Some(&fields)).unwrap();
    dir.file("a/textures/a.wal.png", edited);
    dir.file("q.pal", Palette::quake().colours().as_flattened());
    dir.ok("create a -o b.pak --png --palette q.pal");
    let nearest = |shade: u8| {
        let distance = |number: &u8| {
            let colour = Palette::quake().colours()[usize::from(*number)];
            colour.map(|it| u32::from(it.abs_diff(shade)).pow(2)).iter().sum::<u32>()
        };
        (0..=255).min_by_key(distance).unwrap()
    };
    let expected: Vec<u8> = sorted.iter().map(|it| nearest(255 - *it)).collect();
    assert_eq!(self::indices("a.wal", &dir.cat("b.pak", "textures/a.wal")), expected);
}

/// Textures whose smaller sizes are not those that daisho makes, in archives of three kinds.
#[test]
fn a_picture_that_is_the_entrys_keeps_the_entry() {
    let dir = Dir::new();
    let odd = |file: &str, last: usize| {
        let mut bytes = std::fs::read(corpus::path(&format!("pictures/{file}"))).unwrap();
        let at = bytes.len() - last;
        bytes[at] ^= 1;
        bytes
    };
    let (mut mip, quake2) = (odd("quake.mip", 1), odd("quake2.wal", 1));
    mip[..5].copy_from_slice(b"brick");
    let colours: Vec<[u8; 4]> = (0..=255).map(of_quake).collect();
    dir.file("t/wall.png", painted((32, 32), &colours));
    dir.ok("convert t/wall.png -o d.wal --to wal3");
    let mut daikatana = dir.read("d.wal");
    daikatana[892 + 32 * 32] ^= 1;
    dir.ok("create t -o h.wad --to wad3");
    let mut half_life = dir.cat("h.wad", "wall.mip");
    half_life[40 + 32 * 32] ^= 1;
    dir.file("mips/wall.mip", &half_life);
    dir.ok("create mips -o h.wad -f --to wad3");
    dir.file("a.wad", Wad::new(b"WAD2").lump(b"brick", b'D', &mip).bytes());
    let pak = Pak::new();
    let pak = pak.stored("textures/a/q.wal", &quake2).stored("textures/a/d.wal", &daikatana);
    dir.file("a.pak", pak.quake());
    for (archive, more) in [("a.wad", ""), ("h.wad", ""), ("a.pak", "--png")] {
        let folder = archive.replace('.', "_");
        dir.ok(format!("extract --png {archive} -C {folder}"));
        let before = dir.read(archive);
        let line = format!("add {archive} {folder} -f {more} --root {folder}");
        dir.ok(&line);
        assert_eq!(dir.read(archive), before, "{archive}");
        // Made anew, only the small sizes differ.
        let again = format!("again.{}", archive.split_once('.').unwrap().1);
        let to = if archive == "h.wad" { "--to wad3" } else { "" };
        dir.ok(format!("create {folder} -o {again} -f {more} {to}"));
        let count = dir.names(archive).len();
        let ran = dir.fails(format!("diff {archive} {again}"));
        let same = ran.text().matches(": same picture, other small sizes\n").count();
        assert_eq!(same, count, "{}", ran.text());
        let json = dir.run(format!("diff {archive} {again} --json")).json();
        assert!(json.iter().all(|row| row["same_picture"] == true));
    }
    // Another palette, another name inside, one other pixel: these are changes.
    let mut other = half_life.clone();
    let palette = other.len() - 2 - 768;
    other[palette + 7 * 3] ^= 1;
    let mut pixel = mip.clone();
    pixel[40] ^= 1;
    let mut numbers = quake2.clone();
    numbers[88] ^= 1;
    dir.file("o/wall.mip", other);
    dir.ok("create o -o o.wad --to wad3");
    dir.fails("diff h.wad o.wad").out_lacks("same picture");
    dir.file("b.wad", Wad::new(b"WAD2").lump(b"brick", b'D', &pixel).bytes());
    dir.fails("diff a.wad b.wad").out_lacks("same picture");
    dir.file("b.pak", Pak::new().stored("textures/a/q.wal", numbers).quake());
    dir.fails("diff a.pak b.pak -i *q.wal").out_lacks("same picture");
    // The picture is the same, but the flags in its chunk are not.
    dir.ok("extract b.pak --png -C flags");
    dir.ok("add a.pak flags --root flags -f --png");
    let flags = dir.cat("a.pak", "textures/a/q.wal")[88];
    assert_eq!(flags, quake2[88] ^ 1);
}

#[test]
fn one_warning_says_which_colours_are_lost() {
    let dir = Dir::new();
    dir.file("t/a.png", painted((16, 16), &[of_quake(15), opaque(255, 240, 200)]));
    dir.file("t/b.png", painted((16, 16), &[opaque(16, 15, 15)]));
    dir.file("t/c.png", painted((16, 16), &[of_quake(15), of_quake(240)]));
    // 20, 5 and 35 of each of 255, 240, 200 and 235, 235, 235.
    dir.ok("create t -o x.wad").err_has("2 pictures get the nearest colours of the game's palette, because their own are others; the largest change is [255, 240, 200] to [235, 235, 235], a distance of 40\n  --> t/a.png");
    dir.ok("create t -o y.wad -i c.png").err_lacks("warning");
    // Quake's palette is right for a WAD2 and for a map of Quake, and Half-Life's textures have their own.
    dir.ok("extract --png y.wad").err_lacks("warning");
    dir.file("e1.bsp", textured(b"\x1D\0\0\0", &[Some(texture("brick", false))]));
    dir.ok("extract --png e1.bsp").err_lacks("warning");
    // Hexen II's pictures have Quake's formats and another palette.
    let picture = [2, 0, 0, 0, 1, 0, 0, 0, 7, 255];
    dir.file("data1/pak0.pak", Pak::new().stored("gfx/a.lmp", picture).quake());
    dir.ok("extract --png data1/pak0.pak").err_has("is drawn in grey");
    // A paint program's palette is not Quake's because its one colour is.
    let data = Data::Indexed {
        indices: vec![0; 256],
        palette: Some(Palette::of_colours([[0; 3]])),
        transparent: None,
    };
    let black = png(&Pixels { width: 16, height: 16, data }, &Palette::grey(), None).unwrap();
    dir.file("k/black.png", black);
    dir.ok("create k -o k.wad").err_lacks("warning");
    assert!(indices("black.mip", &dir.cat("k.wad", "black.mip"))[..256].iter().all(|it| *it == 48));
}

#[test]
fn partly_transparent_colours_do_not_change_the_others() {
    let dir = Dir::new();
    // Numbers 15 and 240, which nearest colours would not be, and a shadow.
    let indices_of: Vec<u8> = [240, 15, 7, 9].repeat(64);
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, 16, 16);
    encoder.set_color(::png::ColorType::Indexed);
    encoder.set_palette(Palette::quake().colours().as_flattened().to_vec());
    encoder.set_trns([[255; 7].as_slice(), &[100, 255, 200]].concat());
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&indices_of).unwrap();
    writer.finish().unwrap();
    dir.file("t/{a.png", &file);
    dir.ok("create t -o x.wad");
    let found = indices("{a.mip", &dir.cat("x.wad", "{a.mip"));
    assert_eq!(found[..4], [240, 15, 255, 9]);
    // A format without numbers of colours keeps the degrees.
    dir.file("a.png", &file);
    dir.ok("convert a.png -o a.tga");
    let rgba = decode("a.tga", &dir.read("a.tga")).frames[0].pixels.to_rgba(&Palette::grey());
    assert_eq!([rgba[3], rgba[7], rgba[11], rgba[15]], [255, 255, 100, 200]);
}

#[test]
fn textures_get_and_keep_the_right_names_and_palettes() {
    let dir = Dir::new();
    // Bytes behind the pixels that are no palette: too many colours, none, and too few bytes.
    let behind: [(&str, u16, usize); 4] =
        [("none", 0, 0), ("many", 300, 900), ("zero", 0, 768), ("cut", 256, 767)];
    let mut wad = Wad::new(b"WAD2");
    for (name, count, len) in behind {
        let end = [count.to_le_bytes().to_vec(), vec![9; len]].concat();
        let mip = [texture(name, false), end].concat();
        wad = wad.lump(name.as_bytes(), b'D', &mip);
    }
    dir.file("q.wad", wad.lump(b"own", b'D', &texture("own", true)).bytes());
    dir.ok("convert q.wad -o h.wad --to wad3").err_has("4 textures get palettes of their own");
    for name in ["none", "many", "zero", "cut", "own"] {
        assert_eq!(dir.cat("h.wad", name).len(), 40 + 340 + 2 + 768 + 2, "{name}");
    }
    // A name with a '/'.
    dir.file("e1.bsp", textured(b"\x1D\0\0\0", &[Some(texture("a/b", false))]));
    dir.ok("convert e1.bsp -o e1.wad");
    dir.ok("convert e1.wad -o again.wad");
    for wad in ["e1.wad", "again.wad"] {
        dir.lists(wad, "a/b.mip");
        assert!(dir.cat(wad, "a/b.mip").starts_with(b"a/b\0"));
    }
    // Names inside.
    let picture = painted((16, 16), &[of_quake(15)]);
    for name in ["FLOOR.MIP.png", "##hash.mip.png"] {
        dir.file(format!("t/{name}"), &picture);
    }
    dir.ok("create t -o t.wad");
    assert!(dir.cat("t.wad", "FLOOR.mip").starts_with(b"FLOOR\0"));
    assert!(dir.cat("t.wad", "##hash.mip").starts_with(b"#hash\0"));
    dir.file("##h.png", &picture);
    dir.ok("convert ##h.png -o FLOOR.MIP");
    assert!(dir.read("FLOOR.MIP").starts_with(b"FLOOR\0"));
    dir.ok("convert ##h.png -C o --to mip");
    assert!(dir.read("o/##h.mip").starts_with(b"#h\0"));
    let wal = encoded_wal(r"Textures\e1m1\floor.wal");
    assert!(wal.starts_with(b"e1m1/floor\0"));
    // Names that fill their fields.
    let mut full = std::fs::read(corpus::path("pictures/quake2.wal")).unwrap();
    full[..32].fill(b'n');
    full[56..88].fill(b'a');
    dir.file("a.pak", Pak::new().stored("textures/a.wal", &full).quake());
    dir.ok("extract a.pak --png -C full");
    dir.ok("create full -o b.pak --png");
    let again = dir.cat("b.pak", "textures/a.wal");
    assert_eq!((&again[..32], &again[56..88]), (&full[..32], &full[56..88]));
    // A PNG that is named like something else.
    dir.file("n/x.tga", &picture);
    dir.refuses("create n -o n.pak").err_has("rename x.tga to x.tga.png and give --png");
}

/// A texture of Quake II under this name.
fn encoded_wal(name: &str) -> Vec<u8> {
    let pixels = Pixels { width: 16, height: 16, data: Data::Rgb(vec![0; 768]) };
    let palette = TargetPalette::new(Palette::quake());
    let fields = PictureFields::default();
    let options = EncodeOptions { palette: Some(&palette), fullbright: false, fields: &fields };
    FileType::Wal.encode(name.into(), &pixels, &options).unwrap().bytes
}
