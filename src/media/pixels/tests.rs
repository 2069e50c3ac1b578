use super::*;
use crate::media::palette::{Palette, wanted};

fn one(name: &str, bytes: &[u8]) -> Pixels {
    decode(name.into(), bytes, &Options::default())
        .unwrap()
        .remove(0)
        .pixels
}

/// Those that have no header, and are known by their names and lengths.
#[test]
fn lumps_without_a_header_are_charts() {
    let bytes: Vec<u8> = (0..16_385_u32).map(|it| (it % 251) as u8).collect();
    for (name, len, sides, none) in [
        ("gfx/colormap.lmp", 16_385, (256, 64), None),
        ("GFX/CONCHARS.LMP", 16_384, (128, 128), Some(0)),
        ("gfx/pop.lmp", 256, (16, 16), Some(255)),
    ] {
        let pixels = one(name, &bytes[..len]);
        let area = (sides.0 * sides.1) as usize;
        assert_eq!(
            pixels,
            Pixels::indexed(sides, bytes[..area].to_vec(), None, none),
            "{name}"
        );
    }
    for name in ["gfx/palette.lmp", "palette.pal"] {
        let pixels = one(name, &bytes[..768]);
        assert_eq!((pixels.width, pixels.height), (16, 16));
        let rgba = pixels.to_rgba(&Palette::grey());
        assert_eq!(rgba[4..8], [3, 4, 5, 255]);
        assert_eq!(
            rgba[1020..],
            [(765 % 251) as u8, (766 % 251) as u8, (767 % 251) as u8, 255]
        );
    }
    // A picture as wide as a map's version is none the less a picture.
    let mut lump = vec![29, 0, 0, 0, 8, 0, 0, 0];
    lump.extend(&bytes[..29 * 8]);
    assert_eq!(one("gfx/wide.lmp", &lump).width, 29);
}

#[test]
fn what_is_drawn_over_the_screen_of_quake_2_has_a_transparent_colour() {
    let mut pcx = vec![0; 128];
    pcx[..4].copy_from_slice(b"\x0A\x05\x01\x08");
    (pcx[65], pcx[66]) = (1, 2);
    pcx.extend([7, 0]);
    for (name, none) in [
        ("pics/a.pcx", Some(255)),
        ("pics/colormap.pcx", None),
        ("players/a.pcx", None),
    ] {
        assert_eq!(
            one(name, &pcx),
            Pixels::indexed((1, 1), vec![7], None, none),
            "{name}"
        );
    }
}

#[test]
fn palettes_are_read_from_what_carries_them() {
    let rgb: Vec<u8> = (0..768_u32).map(|it| (it % 253) as u8).collect();
    let palette = Palette::of_colours(rgb.chunks(3).map(|it| [it[0], it[1], it[2]]));
    let of = |name: &str, bytes: &[u8]| Palette::of_file(name.into(), bytes);
    let mut pcx = vec![0; 128];
    pcx[..4].copy_from_slice(b"\x0A\x05\x01\x08");
    pcx[65] = 1;
    pcx.push(12);
    pcx.extend(&rgb);
    let lines = rgb
        .chunks(3)
        .map(|it| format!("{} {} {} name\n", it[0], it[1], it[2]));
    let gimp = format!(
        "GIMP Palette\nName: x\nColumns: 16\n#\n{}",
        lines.collect::<String>()
    );
    let mut mip = vec![0; 40];
    (mip[16], mip[20], mip[36]) = (8, 8, 40);
    mip.extend([0, 0, 1]);
    mip.extend(&rgb);
    for (name, bytes) in [
        ("gfx/palette.lmp", &rgb[..]),
        ("pics/colormap.pcx", &pcx),
        ("a.gpl", gimp.as_bytes()),
        ("a.mip", &mip),
    ] {
        assert_eq!(of(name, bytes), Ok(palette.clone()), "{name}");
    }
    assert_eq!(of("a.txt", b"text"), Err(PictureError::NotAPicture));
    assert!(of("a.pal", b"JASC-PAL\n0100\n256\n").is_err());
    assert_eq!(Palette::grey().colours()[128], [128; 3]);
}

#[test]
fn a_palette_is_looked_for_where_the_game_has_it() {
    let names = |file_type, name: &str| {
        let names = wanted(file_type, name.into());
        names
            .iter()
            .map(|it| String::from_utf8_lossy(it).into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let wal = "textures/e1m1/x.wal";
    assert_eq!(
        names(Some(FileType::Wal3), wal),
        "textures/e1m1/colormap.bmp pics/colormap.bmp"
    );
    assert_eq!(
        names(Some(FileType::Wal), wal),
        "textures/e1m1/colormap.bmp pics/colormap.bmp pics/colormap.pcx"
    );
    assert_eq!(names(Some(FileType::Wal3), "skins/hero.wal"), "");
    assert_eq!(
        names(None, "gfx/conchars.lmp"),
        "gfx/palette.lmp palette.pal"
    );
    assert_eq!(names(Some(FileType::M8), "textures/a.m8"), "");
}

#[test]
fn an_extension_alone_makes_no_picture_of_what_begins_otherwise() {
    for name in ["a.bmp", "a.pcx", "a.m8", "a.m32", "a.spr", "a.bsp", "a.png"] {
        let error = decode(name.into(), &[1; 2000], &Options::default()).unwrap_err();
        assert_eq!(error, PictureError::NotAPicture, "{name}");
    }
    // What begins as it should is told what is wrong with it.
    let mut bmp = b"BM".to_vec();
    bmp.resize(54, 0);
    let error = decode("a.bmp".into(), &bmp, &Options::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the header's length at byte 14 is 0, and should be 12, or 40 or more"
    );
}
