//! Pictures of an archive, as PNG.

use daisho::media::{DecodeOptions, Picture};

use super::Dir;
use super::paks::pak;

/// Width, height, and four bytes a pixel, as another reader has them.
pub(super) fn png(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgba).unwrap();
    (reader.info().width, reader.info().height, rgba)
}

/// The first picture of an expectation that was written by hand.
fn by_hand(text: &str) -> (u32, u32, Vec<u8>) {
    let mut lines = text.lines();
    let size = lines.next().unwrap().split_once(": ").unwrap().1;
    let (width, height) = size.split_once(" x ").unwrap();
    let rows = lines.take_while(|line| !line.contains(" x "));
    let pixels = rows.flat_map(|row| row.split(' ').map(|it| u32::from_str_radix(it, 16).unwrap()));
    let rgba = pixels.flat_map(u32::to_be_bytes).collect();
    (width.parse().unwrap(), height.parse().unwrap(), rgba)
}

/// The picture that is in a file of this name.
pub(super) fn decode(name: &str, file: &[u8]) -> Picture {
    Picture::decode(name.into(), file, &DecodeOptions::default()).unwrap()
}

/// The colours that are seen: a transparent pixel has any.
pub(super) fn visible(rgba: &[u8]) -> Vec<u8> {
    let mut seen = rgba.to_vec();
    for pixel in seen.chunks_exact_mut(4) {
        if pixel[3] == 0 {
            pixel.fill(0);
        }
    }
    seen
}

/// A picture of Quake's menus: two pixels, the numbers of whose colours these are.
pub(super) fn lump(colours: [u8; 2]) -> Vec<u8> {
    [&[2, 0, 0, 0, 1, 0, 0, 0][..], &colours].concat()
}

/// A palette whose colour N is N, `green`, 255 - N.
pub(super) fn palette(green: u8) -> Vec<u8> {
    (0..=255).flat_map(|n| [n, green, 255 - n]).collect()
}

#[test]
fn extract_png_writes_pictures_of_every_format() {
    let corpus = crate::corpus::path("pictures");
    let dir = Dir::new();
    dir.ok(format!("create -q -o all.pak -x *.txt {}", corpus.display()));
    // Those written by hand are grey where a picture has no palette.
    let grey: Vec<u8> = (0..=255).flat_map(|n| [n; 3]).collect();
    dir.file("grey.pal", grey);
    for jobs in ["1", "4"] {
        let to = format!("out{jobs}");
        dir.ok(format!("extract all.pak --png -C {to} -j {jobs} -x *.sp2 --palette grey.pal"));
    }
    let mut seen = 0;
    for entry in std::fs::read_dir(&corpus).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = name.strip_suffix(".txt") else {
            continue;
        };
        let expected = std::fs::read_to_string(corpus.join(format!("{name}.txt"))).unwrap();
        if !expected.starts_with(": ") {
            continue;
        }
        let file = dir.read(format!("out1/{name}.png"));
        assert_eq!(png(&file), by_hand(&expected), "{name}");
        assert_eq!(dir.read(format!("out4/{name}.png")), file, "{name}");
        seen += 1;
    }
    assert!(seen > 25, "{seen}");
}

#[test]
fn extract_png_changes_only_pictures() {
    let dir = Dir::new();
    let files: [(&str, &[u8]); 4] = [
        ("gfx/a.lmp", &lump([1, 2])),
        ("gfx/b.png", b"\x89PNG\r\n\x1a\n"),
        ("gfx/palette.lmp", &palette(0)),
        ("maps/a.bsp", b"bsp"),
    ];
    dir.file("a.pak", pak(&files));
    let run = |more: &str| dir.run(format!("extract a.pak --png {more}"));
    run("-n -q").code(0).out(
        "write a/gfx/a.lmp.png\nwrite a/gfx/b.png\nwrite a/gfx/palette.lmp\nwrite a/maps/a.bsp\n",
    );
    run("-i *.lmp -C some").code(0);
    let some = dir.all();
    assert!(some.contains(&"some/gfx/a.lmp.png".to_owned()), "{some:?}");
    assert!(!some.contains(&"some/maps/".to_owned()), "{some:?}");
    run("").code(0);
    assert_eq!(dir.read("a/maps/a.bsp"), b"bsp");
    assert_eq!(dir.read("a/gfx/b.png"), files[1].1);
    // A palette is no picture to edit.
    assert_eq!(dir.read("a/gfx/palette.lmp").len(), 768);
    // A file that has the name already keeps it.
    dir.file("b.pak", pak(&[files[0], files[2], ("gfx/a.lmp.png", b"mine")]));
    dir.ok("extract b.pak --png").err_has("written as NAME.dup-INDEX");
    assert_eq!(dir.read("b/gfx/a.lmp.png.dup-2"), b"mine");
}

#[test]
fn extract_png_finds_the_games_palette() {
    let dir = Dir::new();
    let own = pak(&[("gfx/a.lmp", &lump([1, 255])), ("gfx/palette.lmp", &palette(7))]);
    let other = pak(&[("gfx/b.lmp", &lump([1, 255]))]);
    dir.file("id1/pak0.pak", own);
    dir.file("id1/pak1.pak", &other);
    dir.file("mod/pak0.pak", &other);
    dir.file("my.pal", palette(9));
    let run = |arguments: &str| dir.run(format!("extract --png {arguments}"));
    // 255 is transparent.
    let drawn = |path: &str| png(&dir.read(path)).2;
    let coloured = |green| vec![1, green, 254, 255, 255, green, 0, 0];
    run("-r id1 -C all").code(0);
    assert_eq!(drawn("all/pak0/gfx/a.lmp.png"), coloured(7));
    assert_eq!(drawn("all/pak1/gfx/b.lmp.png"), coloured(7));
    run("mod/pak0.pak -C quake")
        .code(0)
        .err_has("warning: no palette was found, so the picture gets Quake's, which is built in; the game looks for it in \"gfx/palette.lmp\"")
        .err_has("entry 0 \"gfx/b.lmp\"")
        .err_has("help: keep it if the picture is Quake's, or give --game");
    assert_eq!(drawn("quake/gfx/b.lmp.png"), [15, 15, 15, 255, 159, 91, 83, 0]);
    run("mod/pak0.pak -C game --game id1").code(0);
    assert_eq!(drawn("game/gfx/b.lmp.png"), coloured(7));
    let in_environment = |game: &str, line: &str| dir.command(line).env("DAISHO_GAME", game).run();
    in_environment("id1", "extract --png mod/pak0.pak -C set").code(0);
    assert_eq!(drawn("set/gfx/b.lmp.png"), coloured(7));
    let given = "extract --png mod/pak0.pak -C given --game id1";
    in_environment("gone", given).code(0);
    in_environment("", "extract --png mod/pak0.pak -C empty")
        .err_has("gets Quake's, which is built in");
    // It is not looked at where pictures are not decoded.
    in_environment("gone", "extract mod/pak0.pak -C raw").code(0);
    let wrong = "error: DAISHO_GAME is \"gone\", but there is no such file or directory\n\
                 help: correct it, or unset it\n";
    for args in [
        "extract --png mod/pak0.pak -C x",
        "cat mod/pak0.pak gfx/b.lmp --png",
        "gallery mod/pak0.pak -o x",
    ] {
        in_environment("gone", args).code(2).out("").err(wrong);
    }
    let shown = dir.command("show mod/pak0.pak gfx/b.lmp --color always");
    let shown = shown.env("DAISHO_GAME", "gone").styled().run();
    shown.code(2).out("").err_has("DAISHO_GAME is \"gone\"");
    run("mod/pak0.pak -C file --game id1 --palette my.pal").code(0);
    assert_eq!(drawn("file/gfx/b.lmp.png"), coloured(9));
    // Paint programs have palettes of their own.
    for (name, start) in [("jasc.pal", "JASC-PAL\r\n0100\r\n2\r\n"), ("gimp.gpl", "GIMP Palette\n")]
    {
        dir.file(name, format!("{start}0 0 0\n1 11 254\n"));
        run(&format!("mod/pak0.pak -C {name}-out --palette {name}")).code(0);
        let drawn = drawn(&format!("{name}-out/gfx/b.lmp.png"));
        assert_eq!(drawn[..4], [1, 11, 254, 255], "{name}");
    }
    run("mod/pak0.pak -C x --palette id1/pak0.pak")
        .code(2)
        .err_has("no palette can be read from this")
        .err_has("--> id1/pak0.pak");
    dir.refuses("extract mod/pak0.pak --palette my.pal").err_has("help: give --png");
    assert!(!dir.has("x"));
}

#[test]
fn extract_png_skips_undecodable_pictures() {
    let dir = Dir::new();
    let cut = &lump([1, 2])[..9];
    let large = [&[0, 64, 0, 0, 0, 64, 0, 0][..], &[0; 64]].concat();
    dir.file(
        "a.pak",
        pak(&[
            ("a.lmp", cut),
            ("b.lmp", &large),
            ("good.lmp", &lump([1, 2])),
            ("gfx/palette.lmp", &palette(0)),
            ("none.tga", b"text, and no picture at all"),
            ("too.lmp", &large),
        ]),
    );
    dir.fails("extract a.pak --png")
        .err_has("the picture cannot be decoded: ")
        .err_has("entry 0 \"a.lmp\"")
        .err_has("entry 1 \"b.lmp\"")
        .err_has("entry 4 \"none.tga\"")
        .err_has("a.pak: 2 files");
    let made = ["a.pak", "a/", "a/gfx/", "a/gfx/palette.lmp", "a/good.lmp.png"];
    assert_eq!(dir.all(), made);
    dir.fails("extract a.pak --png --max-pixels 1 -C b")
        .err_has("4 pictures have more pixels than daisho decodes")
        .err_has("help: raise the limit with --max-pixels N");
}

#[test]
fn extract_png_frames_puts_all_frames_into_one_png() {
    let corpus = crate::corpus::path("pictures");
    let dir = Dir::new();
    let texture = std::fs::read(corpus.join("quake2.wal")).unwrap();
    dir.file("a.pak", pak(&[("textures/a.wal", &texture)]));
    let run = |to: &str, more: &str| {
        dir.ok(format!("extract -q a.pak --png -C {to} {more}"));
        png(&dir.read(format!("{to}/textures/a.wal.png")))
    };
    let (one, all) = (run("one", ""), run("all", "--frames"));
    assert!(all.0 * all.1 > one.0 * one.1, "{all:?}");
    // The first is in the corner.
    let row = |picture: &(u32, u32, Vec<u8>), y: u32| {
        let start = (y * picture.0 * 4) as usize;
        picture.2[start..start + one.0 as usize * 4].to_vec()
    };
    for y in 0..one.1 {
        assert_eq!(row(&one, y), row(&all, y), "{y}");
    }
}

/// Another folder is another game: its colours would be wrong.
#[test]
fn extract_png_takes_no_palette_of_another_folder() {
    let dir = Dir::new();
    let picture = lump([1, 254]);
    dir.file("pA/a.pak", pak(&[("gfx/a.lmp", &picture)]));
    for (name, green) in [("pB/b.pak", 7), ("pC/c.pak", 9)] {
        let palette = palette(green);
        let files: [(&str, &[u8]); 2] = [("gfx/a.lmp", &picture), ("gfx/palette.lmp", &palette)];
        dir.file(name, pak(&files));
    }
    for (order, out) in
        [("pA/a.pak pB/b.pak pC/c.pak", "first"), ("pC/c.pak pB/b.pak pA/a.pak", "last")]
    {
        let line = format!("extract --png -j1 -C {out}");
        let ran = dir.ok(format!("{line} {order}"));
        let warned = "no palette was found, so the picture gets Quake's";
        assert_eq!(ran.err_count(warned), 1, "{ran}");
        ran.err_has("--> pA/a.pak: entry 0 \"gfx/a.lmp\"");
        let drawn = |pak: &str| png(&dir.read(format!("{out}/{pak}/gfx/a.lmp.png"))).2;
        let coloured = |green| vec![1, green, 254, 255, 254, green, 1, 255];
        assert_eq!(drawn("a"), [15, 15, 15, 255, 255, 255, 255, 255], "{out}");
        assert_eq!(drawn("b"), coloured(7), "{out}");
        assert_eq!(drawn("c"), coloured(9), "{out}");
    }
}

/// A file that is named like a palette may hold anything.
#[test]
fn a_palette_that_cannot_be_read_is_an_error() {
    let dir = Dir::new();
    let picture = lump([1, 2]);
    dir.file("a.pak", pak(&[("a.lmp", &picture[..]), ("gfx/palette.lmp", b"text")]));
    dir.fails("extract a.pak --png").err_has("the palette is damaged");
    assert!(!dir.has("a/a.lmp.png"));
}
