//! `corpus/pictures`: small pictures of every format, put together byte by byte, beside what they must look
//! like, which was written by hand: the frames, each with its size, and the red, green, blue and alpha of its
//! pixels.

pub(super) mod files;
#[cfg(feature = "ops")]
mod pillow;
mod runs;

use std::fmt::Write as _;

use daisho::media::{DecodeOptions, Depth, Frame, Palette, Picture, PictureError, Pixels, facts};

use super::fuzz_pictures;
use crate::{corpus, long};

const ALL: DecodeOptions = DecodeOptions::all(1 << 20);

/// Pixels in the words of the expectations.
fn text(frames: &[Frame]) -> String {
    let mut text = String::new();
    for Frame { label, pixels } in frames {
        let Pixels { width, height, .. } = pixels;
        writeln!(text, "{label}: {width} x {height}").unwrap();
        let rgba = pixels.to_rgba(&Palette::grey());
        for row in rgba.chunks(4 * *width as usize) {
            let hex = |pixel: &[u8]| pixel.iter().map(|it| format!("{it:02X}")).collect::<String>();
            let row: Vec<String> = row.chunks(4).map(hex).collect();
            writeln!(text, "{}", row.join(" ")).unwrap();
        }
    }
    text
}

#[test]
fn every_picture_decodes_as_written_by_hand() {
    let mut wrong = String::new();
    for (name, file) in files::all() {
        let name = &*name;
        let expected = corpus::path("pictures").join(format!("{name}.txt"));
        let expected = std::fs::read_to_string(expected).unwrap_or_default().replace("\r\n", "\n");
        let found = match Picture::decode(name.into(), &file, &ALL) {
            Ok(picture) => text(&picture.frames),
            Err(error) => format!("{error}\n"),
        };
        if found != expected {
            writeln!(wrong, "{name}:\n{found}expected\n{expected}").unwrap();
        }
        assert!(Picture::may_be_in(name.into()), "{name}");
        assert_eq!(
            fuzz_pictures::under(name, &file).unwrap(),
            Picture::decode(name.into(), &file, &ALL).unwrap().frames
        );
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Cut at every length, they are refused with a place within, or come out whole.
#[test]
fn pictures_cut_anywhere_say_where_they_end() {
    for (name, file) in files::all() {
        let name = &*name;
        let whole = Picture::decode(name.into(), &file, &DecodeOptions::default()).unwrap().frames;
        let step = if file.len() > 4096 { 61 } else { 1 };
        for len in (0..file.len()).step_by(step) {
            match fuzz_pictures::under(name, &file[..len]) {
                Ok(frames) => {
                    let (cut, whole) = (frames.first(), whole.first());
                    let size = |it: &Frame| (it.pixels.width, it.pixels.height);
                    assert_eq!(cut.map(size), whole.map(size), "{name} {len}");
                }
                Err(PictureError::Short(short)) => {
                    assert!(
                        short.expected > short.found && short.offset <= file.len() as u64,
                        "{name} {len}"
                    );
                }
                Err(_) => {}
            }
        }
    }
}

/// Each byte of each header with many values: nothing worse than an error, and never more pixels than the
/// bytes can say.
#[test]
fn no_number_in_a_header_harms() {
    for (name, mut file) in files::all() {
        let places = 0..file.len().min(1240);
        let values: Vec<u8> = if !long::whole() {
            vec![0, 1, 2, 16, 127, 128, 255]
        } else if file.len() > 700 {
            // Colours change nothing.
            vec![0, 1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 63, 64, 127, 128, 192, 254, 255]
        } else {
            (0..=255).collect()
        };
        for at in places {
            let was = file[at];
            for value in &values {
                file[at] = *value;
                let _ = fuzz_pictures::under(&name, &file);
            }
            file[at] = was;
        }
    }
}

#[test]
fn files_that_are_no_pictures_are_refused() {
    let error =
        |name: &str, file: &[u8]| Picture::decode(name.into(), file, &ALL).unwrap_err().to_string();
    let mut png = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x40\0\0\0\x20".to_vec();
    png.push(8);
    assert_eq!(error("a.png", &png), "a file of type PNG stays as it is and is not decoded");
    assert_eq!(error("a.txt", b"text"), "it is not a picture of a known format");
    assert_eq!(error("a.wav", b"RIFF"), "it is not a picture of a known format");
    let mut sprite = files::File::new(12 + 80).put(0, b"IDS2").longs(4, &[2, 1, 16, 8, 4, 2]).0;
    sprite[28..40].copy_from_slice(b"sprites/a.pc");
    assert_eq!(
        error("a.sp2", &sprite),
        "a sprite of Quake II has no pixels of its own, it names its 1 pictures"
    );
    let wal = std::fs::read(corpus::path("pictures/quake2.wal")).unwrap();
    assert_eq!(
        error("a.wal", &wal[..105]),
        "the pixels should be 12 bytes long at byte 100, but only 5 bytes are there"
    );
    // Both games' textures have this extension. What is left of the header decides.
    let wal = std::fs::read(corpus::path("pictures/daikatana.wal")).unwrap();
    assert_eq!(
        error("a.wal", &wal[..893]),
        "the pixels should be 12 bytes long at byte 892, but only 1 byte is there"
    );
    let wal = std::fs::read(corpus::path("pictures/quake2.wal")).unwrap();
    let few = DecodeOptions::all(11);
    let refused = Picture::decode("a.wal".into(), &wal, &few).unwrap_err();
    assert_eq!(refused.to_string(), "it has at least 12 pixels, but daisho decodes at most 11");
}

/// Kinds of BMP and PCX that no game has are known for what they are, and the error says which are read.
#[test]
fn other_kinds_of_bmp_and_pcx_are_refused() {
    for (name, at, value, words) in [
        (
            "bits_8.bmp",
            14,
            12,
            "the header's length at byte 14 is 12; it must be 40 or more, as Windows has it",
        ),
        ("bits_8.bmp", 28, 1, "the bits of a pixel at byte 28 is 1; it must be 8, 24 or 32"),
        ("bits_8.bmp", 28, 4, "the bits of a pixel at byte 28 is 4; it must be 8, 24 or 32"),
        ("bits_24.bmp", 28, 16, "the bits of a pixel at byte 28 is 16; it must be 8, 24 or 32"),
        ("bits_8.bmp", 30, 1, "the compression at byte 30 is 1; it must be 0, for none"),
        ("bits_32.bmp", 30, 3, "the compression at byte 30 is 3; it must be 0, for none"),
        ("planes.pcx", 3, 1, "the bits of a pixel in a plane at byte 3 is 1; it must be 8"),
    ] {
        let mut file = std::fs::read(corpus::path("pictures").join(name)).unwrap();
        file[at] = value;
        let refused = Picture::decode(name.into(), &file, &ALL).unwrap_err();
        assert_eq!(refused.to_string(), words);
        let found = facts(name.into(), &file.as_slice(), Depth::All).unwrap();
        assert!(found.file_type.is_some() && !found.is_contrary(), "{name} {words}");
    }
}
