use super::FileType as T;
use super::asked::{Ask, Asker, Role, asked};
use super::details::{Depth, details};
use super::entities::{Entity, entities};
use super::map::{Leafs, MapError};
use super::*;
use proptest::prelude::*;

/// Zeros of this length with these numbers of 32 bits in them.
pub(super) fn header(len: usize, magic: &[u8], numbers: &[(usize, u32)]) -> Vec<u8> {
    let mut file = vec![0; len];
    file[..magic.len()].copy_from_slice(magic);
    for (at, number) in numbers {
        file[*at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    file
}

/// A map of these lumps, each by its number.
pub(super) fn map(magic: &[u8], count: usize, lumps: &[(usize, &[u8])]) -> Vec<u8> {
    let mut file = magic.to_vec();
    let mut at = file.len() + 8 * count;
    for number in 0..count {
        let lump = lumps.iter().find(|(it, _)| *it == number);
        let len = lump.map_or(0, |(_, lump)| lump.len());
        file.extend(u32::try_from(at).unwrap().to_le_bytes());
        file.extend(u32::try_from(len).unwrap().to_le_bytes());
        at += len;
    }
    for number in 0..count {
        let lump = lumps.iter().find(|(it, _)| *it == number);
        file.extend(lump.map_or(&[][..], |(_, lump)| lump));
    }
    file
}

/// A record of texinfo.
pub(super) fn texinfo(name: &str, flags: u32) -> Vec<u8> {
    let mut record = header(76, b"", &[(32, flags)]);
    record[40..40 + name.len()].copy_from_slice(name.as_bytes());
    record
}

/// A record of a shader's name.
pub(super) fn shader_name(name: &str, flags: u32) -> Vec<u8> {
    let mut record = header(72, b"", &[(64, flags)]);
    record[..name.len()].copy_from_slice(name.as_bytes());
    record
}

/// Leafs of this length, each with a face and a brush of its own.
fn leafs(len: usize, count: u16) -> Vec<u8> {
    let mut all = Vec::new();
    for number in 0..count {
        let mut leaf = vec![0; len];
        leaf[0] = 1;
        leaf[4..6].copy_from_slice(&number.to_le_bytes());
        for (at, bound) in (8..20)
            .step_by(2)
            .zip([-512_i16, -256, -64, 512, 1024, 320])
        {
            leaf[at..at + 2].copy_from_slice(&bound.to_le_bytes());
        }
        for at in [20, 24] {
            leaf[at..at + 2].copy_from_slice(&number.to_le_bytes());
            leaf[at + 2] = 1;
        }
        all.extend(leaf);
    }
    all
}

/// A map of Daikatana whose leafs have this length.
pub(super) fn daikatana(len: usize, count: u16) -> Vec<u8> {
    let numbers = vec![0; 2 * usize::from(count)];
    let leafs = leafs(len, count);
    let entities = b"{ \"classname\" \"worldspawn\" }";
    map(
        b"IBSP\x29\0\0\0",
        21,
        &[(0, entities), (8, &leafs), (9, &numbers), (10, &numbers)],
    )
}

/// The lump of a map of Quake's: textures with pixels, and without, and none.
pub(super) fn miptex(textures: &[Option<(&str, bool)>]) -> Vec<u8> {
    let mut lump = u32::try_from(textures.len())
        .unwrap()
        .to_le_bytes()
        .to_vec();
    let mut headers = Vec::new();
    let start = 4 + 4 * textures.len();
    for texture in textures {
        let offset = texture.map_or(u32::MAX, |_| u32::try_from(start + headers.len()).unwrap());
        lump.extend(offset.to_le_bytes());
        if let Some((name, has_pixels)) = texture {
            let mut texture = header(
                40,
                b"",
                &[(16, 16), (20, 16), (24, u32::from(*has_pixels) * 40)],
            );
            texture[..name.len()].copy_from_slice(name.as_bytes());
            headers.extend(texture);
        }
    }
    lump.extend(headers);
    lump
}

/// Compiled QuakeC: two statements, a global, a field, a function, a byte of text and a global's value.
pub(super) fn progs(crc: u32) -> Vec<u8> {
    let mut file = 6_u32.to_le_bytes().to_vec();
    file.extend(crc.to_le_bytes());
    let mut at = 60;
    for (count, len) in [(2, 8), (1, 8), (1, 8), (1, 36), (1, 1), (1, 4)] {
        file.extend([at, count].map(u32::to_le_bytes).concat());
        at += count * len;
    }
    file.resize(at as usize, 0);
    file
}

/// A texture of a WAD, 64 x 32 in four sizes, with Half-Life's palette behind them or without.
pub(super) fn mip(has_palette: bool) -> Vec<u8> {
    let mut file = b"+0slip\0\0\0\0\0\0\0\0\0\0".to_vec();
    let (mut at, mut offsets) = (40_u32, Vec::new());
    for level in 0..4 {
        offsets.push(at);
        at += (64 >> level) * (32 >> level);
    }
    for number in [&[64, 32], &offsets[..]].concat() {
        file.extend(number.to_le_bytes());
    }
    file.resize(usize::try_from(at).unwrap(), 7);
    if has_palette {
        file.extend(256_u16.to_le_bytes());
        file.resize(file.len() + 768, 9);
    }
    file
}

/// A font of Half-Life, 64 x 32.
pub(super) fn font() -> Vec<u8> {
    let mut file = [64, 32, 2, 16_u32].map(u32::to_le_bytes).concat();
    file.resize(16 + 1024 + 64 * 32, 0);
    file.extend(256_u16.to_le_bytes());
    file.resize(file.len() + 768, 9);
    file
}

/// A file of each type, under a name that says what it is.
pub(super) fn samples() -> Vec<(&'static str, Vec<u8>, T)> {
    let mut wav =
        b"RIFF\x30\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x02\0\x44\xAC\0\0".to_vec();
    wav.extend(b"\x10\xB1\x02\0\x04\0\x10\0data\0\0\0\0");
    let mut ogg = header(28, b"OggS", &[]);
    ogg[26] = 1;
    ogg.extend(b"\x01vorbis\0\0\0\0\x02\x22\x56\0\0");
    let mut jpeg = b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec();
    jpeg.extend(b"\xFF\xC2\0\x11\x08\0\x20\0\x40\x03");
    let mut png = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x40\0\0\0\x20".to_vec();
    png.push(8);
    let mut pcx = header(128, b"\x0A\x05\x01\x08\0\0\0\0\x3F\0\x1F\0", &[]);
    pcx[65] = 1;
    let mut bmp = header(54, b"BM", &[(10, 54), (14, 40), (18, 64), (22, 32)]);
    bmp[28] = 24;
    let mut tga = header(18 + 64 * 32 * 3, b"\0\0\x02", &[]);
    (tga[12], tga[14], tga[16]) = (64, 32, 24);
    let size = |at: usize| [(at, 64), (at + 4, 32)];
    let wal = header(
        100 + 64 * 32,
        b"e1/floor",
        &[size(32)[0], size(32)[1], (40, 100)],
    );
    let wal3 = header(
        892 + 64 * 32,
        b"\x03e1/floor",
        &[size(36)[0], size(36)[1], (44, 892)],
    );
    let m8 = header(1040 + 64 * 32, b"\x02", &[(36, 64), (100, 32), (164, 1040)]);
    let m32 = header(
        968 + 4 * 64 * 32,
        b"\x04",
        &[(516, 64), (580, 32), (644, 968)],
    );
    let swl = header(
        1236 + 64 * 32,
        b"base/floor",
        &[size(64)[0], size(64)[1], (1100, 1236)],
    );
    let lmp = header(8 + 64 * 32, b"", &[size(0)[0], size(0)[1]]);
    let text = b"{\n\"classname\" \"worldspawn\"\n}\n";
    let of_quake = |magic: &[u8]| {
        map(
            magic,
            15,
            &[(0, text), (2, &miptex(&[Some(("floor", true))]))],
        )
    };
    let of_quake2 = |magic: &[u8]| map(magic, 19, &[(0, text), (5, &texinfo("e1/floor", 0))]);
    let of_quake3 = |magic: &[u8]| map(magic, 17, &[(0, text), (1, &shader_name("textures/a", 0))]);
    let model = |len, magic: &[u8], version| header(len, magic, &[(4, version), (8, 3)]);
    vec![
        ("a.bsp", of_quake(b"\x1D\0\0\0"), T::Bsp29),
        ("a.bsp", of_quake(b"\x1E\0\0\0"), T::Bsp30),
        ("a.bsp", of_quake(b"BSP2"), T::Bsp2),
        ("a.bsp", of_quake(b"2PSB"), T::Bsp2Psb),
        ("a.bsp", of_quake2(b"IBSP\x26\0\0\0"), T::Ibsp38),
        ("a.bsp", of_quake2(b"QBSP\x26\0\0\0"), T::Qbsp38),
        ("a.bsp", daikatana(28, 20), T::Ibsp41),
        ("a.bsp", of_quake3(b"IBSP\x2E\0\0\0"), T::Ibsp46),
        ("a.bsp", of_quake3(b"IBSP\x2F\0\0\0"), T::Ibsp47),
        ("a.wal", wal, T::Wal),
        ("a.wal", wal3, T::Wal3),
        ("a.m8", m8, T::M8),
        ("a.m32", m32, T::M32),
        ("a.swl", swl, T::Swl),
        ("a.mip", mip(false), T::Mip),
        ("a.mdl", model(84, b"IDPO", 6), T::Mdl),
        ("a.mdl", model(84, b"IDST", 10), T::HalfLifeMdl),
        ("a.md2", model(68, b"IDP2", 8), T::Md2),
        ("a.md3", model(108, b"IDP3", 15), T::Md3),
        ("a.dkm", model(88, b"DKMD", 2), T::Dkm),
        ("a.spr", model(36, b"IDSP", 1), T::Spr),
        ("a.spr", model(40, b"IDSP", 2), T::HalfLifeSpr),
        ("a.sp2", model(12, b"IDS2", 2), T::Sp2),
        ("a.wav", wav, T::Wav),
        ("a.mp3", b"\xFF\xFB\x90\x44".to_vec(), T::Mp3),
        ("a.mp3", b"ID3\x03\0\0\0\0\0\0".to_vec(), T::Mp3),
        ("a.ogg", ogg, T::Ogg),
        ("a.pcx", pcx, T::Pcx),
        ("a.tga", tga, T::Tga),
        ("a.bmp", bmp, T::Bmp),
        ("a.lmp", lmp, T::Lmp),
        ("a.pal", vec![0; 768], T::Pal),
        ("a.fnt", font(), T::Font),
        ("a.png", png, T::Png),
        ("a.JPG", jpeg, T::Jpeg),
        ("progs.dat", progs(5927), T::Progs),
        ("a.dem", b"2\n".to_vec(), T::Dem),
        ("a.qwd", vec![0; 9], T::Qwd),
        ("a.mvd", vec![0; 9], T::Mvd),
        ("a.dm2", vec![0; 9], T::Dm2),
        ("a.cin", vec![0; 9], T::Cin),
    ]
}

fn found(name: &str, file: &[u8]) -> Found {
    look(name.into(), &mut &*file).unwrap()
}

#[test]
fn every_type_is_told_and_its_sizes_are_read() {
    let samples = samples();
    for file_type in T::all() {
        assert!(
            samples.iter().any(|(.., it)| *it == file_type),
            "{file_type}"
        );
    }
    for (name, file, file_type) in &samples {
        let found = found(name, file);
        assert_eq!(found.file_type(), Some(*file_type), "{name}");
        assert!(!found.is_contrary());
        match found.facts.unwrap() {
            Facts::Texture(texture) => assert_eq!((texture.width, texture.height), (64, 32)),
            Facts::Picture(picture) if picture.lump.is_none() => {
                assert_eq!(picture.size, Some((64, 32)), "{file_type}")
            }
            _ => {}
        }
    }
}

#[test]
fn the_numbers_of_a_header_are_read_from_their_places() {
    let facts = |wanted: T| {
        let samples = samples();
        let (name, file, _) = samples.iter().find(|(.., it)| *it == wanted).unwrap();
        found(name, file).facts.unwrap()
    };
    let Facts::Sound(wav) = facts(T::Wav) else {
        panic!()
    };
    assert_eq!(
        (wav.coding, wav.rate, wav.channels, wav.bits),
        (Some(1), Some(44_100), Some(2), Some(16))
    );
    let Facts::Sound(mp3) = facts(T::Mp3) else {
        panic!()
    };
    assert_eq!((mp3.rate, mp3.channels), (Some(44_100), Some(2)));
    let Facts::Sound(ogg) = facts(T::Ogg) else {
        panic!()
    };
    assert_eq!((ogg.rate, ogg.channels), (Some(22_050), Some(2)));
    let Facts::Texture(wal) = facts(T::Wal3) else {
        panic!()
    };
    assert_eq!(wal.name, b"e1/floor");
    let numbers = (0..22).map(|n| (n * 4, u32::try_from(100 + n).unwrap()));
    let mut dkm = header(88, b"", &numbers.collect::<Vec<_>>());
    dkm[..8].copy_from_slice(b"DKMD\x01\0\0\0");
    let Some(Facts::Model(dkm)) = found("a.dkm", &dkm).facts else {
        panic!()
    };
    assert_eq!(dkm.version, 1);
    let numbers = (dkm.skins, dkm.vertices, dkm.triangles, dkm.frames);
    assert_eq!(numbers, (Some(106), Some(107), Some(109), Some(111)));
}

#[test]
fn a_file_that_is_not_what_its_name_says_is_contrary() {
    let all = samples();
    let of = |wanted: T| &all.iter().find(|(.., it)| *it == wanted).unwrap().1;
    for (name, file_type) in [
        ("a.tga", T::Png),
        ("a.wav", T::Mp3),
        ("a.tga", T::Bmp),
        ("a.md2", T::Dkm),
    ] {
        // A frame of MP3 is no magic; a head of ID3 is one.
        let file = match file_type {
            T::Mp3 => &b"ID3\x03\0\0\0\0\0\0"[..],
            _ => of(file_type),
        };
        let found = found(name, file);
        assert_eq!(
            (found.file_type(), found.is_contrary()),
            (Some(file_type), true),
            "{name}"
        );
    }
    for (name, file) in [
        ("a.wav", &b"RIFF\x04\0\0\0AVI "[..]),
        ("a.dkm", b"DKMD\x03\0\0\0"),
        ("a.wal", b"\x03"),
        ("a.tga", b"no picture, and no text either"),
        ("a.bsp", b"IBSP\x13\0\0\0"),
        ("a.bsp", b""),
    ] {
        let found = found(name, file);
        assert_eq!(
            (found.file_type(), found.is_contrary()),
            (None, true),
            "{name}"
        );
    }
    // Nothing of a demo is read, but a magic still tells.
    assert!(!found("a.dem", b"anything").is_contrary());
    assert_eq!(found("a.dem", of(T::Png)).file_type(), Some(T::Png));
    assert!(found("a.dem", of(T::Png)).is_contrary());
    assert!(!found("readme.txt", of(T::Png)).is_contrary());
    assert!(!is_worth_a_look("readme.txt".into()) && is_worth_a_look("A.WAL".into()));
}

#[test]
fn a_wal_is_of_the_game_that_its_first_byte_says() {
    let all = samples();
    for (.., file, file_type) in all.iter().filter(|(name, ..)| *name == "a.wal") {
        for first in 0..=u8::MAX {
            let mut file = file.clone();
            file[0] = first;
            let found = found("a.wal", &file).file_type();
            let expected = match (file_type, first) {
                (T::Wal3, 3) => Some(T::Wal3),
                (T::Wal, 0 | 33..) => Some(T::Wal),
                // The other game's width is not where this one's is.
                _ => None,
            };
            assert_eq!(found, expected, "{file_type} {first}");
        }
    }
}

/// The file ends at every byte, and every byte has other values: nothing panics, and what is found has the
/// type of the whole or none, or another that the changed byte makes it.
#[test]
fn files_that_end_too_soon_are_looked_at_without_harm() {
    for (name, file, file_type) in samples() {
        for end in 0..file.len() {
            let cut = &file[..end];
            let found = found(name, cut).file_type();
            assert!(found.is_none_or(|it| it == file_type), "{name} {end}");
            let _ = asked(&mut &*cut);
            let _ = details(name.into(), &mut &*cut, Depth::All);
        }
        for at in 0..file.len().min(1300) {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut changed = file.clone();
                changed[at] = value;
                let _ = (
                    details(name.into(), &mut &changed[..], Depth::All),
                    asked(&mut &changed[..]),
                );
            }
        }
    }
}

#[test]
fn leafs_are_told_by_what_stands_in_them() {
    let leafs = |file: &[u8]| match found("a.bsp", file).facts {
        Some(Facts::Map(map)) => map.leafs.unwrap(),
        facts => panic!("{facts:?}"),
    };
    for count in [1, 7, 8, 20, 56, 5000] {
        // 8 of 28 bytes are as long as 7 of 32.
        assert_eq!(leafs(&daikatana(28, count)), Leafs::Of28, "{count}");
        assert_eq!(leafs(&daikatana(32, count)), Leafs::Of32, "{count}");
    }
    // Nothing to look at, or nothing but zeros, which are both.
    assert_eq!(leafs(&daikatana(28, 0)), Leafs::NotKnown);
    let zeros = map(b"IBSP\x29\0\0\0", 21, &[(8, &[0; 224])]);
    assert_eq!(leafs(&zeros), Leafs::NotKnown);
    let neither = map(b"IBSP\x29\0\0\0", 21, &[(8, &[0xFF; 224])]);
    assert_eq!(leafs(&neither), Leafs::NotKnown);
    assert_eq!(
        leafs(&map(b"IBSP\x29\0\0\0", 21, &[(8, &[0; 30])])),
        Leafs::NotKnown
    );
}

fn pairs(text: &[u8]) -> Vec<Vec<(String, String)>> {
    let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let pairs = |entity: Entity<'_>| {
        entity
            .pairs
            .iter()
            .map(|(k, v)| (string(k), string(v)))
            .collect()
    };
    entities(text).map(pairs).collect()
}

#[test]
fn entities_are_read_as_the_engines_do() {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let text =
        b"// made by hand\n{\n\"a\" \"1 2\"\nb 2 }{\"c\"\"{3\x01}\"/* no */ \"\" \"\"}\x01{ d 4";
    let expected = vec![
        vec![pair("a", "1 2"), pair("b", "2")],
        vec![pair("c", "{3\x01}"), pair("", "")],
    ];
    assert_eq!(pairs(text), expected);
    for nothing in [
        &b""[..],
        b"\0{ a b }",
        b"}",
        b"a { b c }",
        b"{ { } }",
        b"{ a }",
        b"{ \"a",
    ] {
        assert_eq!(pairs(nothing), [[]; 0], "{}", nothing.escape_ascii());
    }
    let twice = entities(b"{ k 1 K 2 }").next().unwrap();
    assert_eq!(twice.get("k"), Some(&b"2"[..]));
    let many = format!("{{ {} }} {{ }}", "k v ".repeat(5000));
    assert_eq!(
        entities(many.as_bytes())
            .map(|it| it.pairs.len())
            .collect::<Vec<_>>(),
        [1024, 0]
    );
}

/// The names that a map's answers allow, each with the role, and who asks.
fn asks(file: &[u8]) -> Vec<String> {
    let asked = asked(&mut &*file).unwrap();
    let word = |ask: &Ask| {
        let stems: Vec<_> = ask
            .stems
            .iter()
            .map(|it| String::from_utf8_lossy(it))
            .collect();
        let extension = String::from_utf8_lossy(&ask.extension);
        let by = match &ask.asker {
            Asker::Texture { record } => format!("texture {record}"),
            Asker::Entity { number, key, .. } => format!("{number} {}", key.escape_ascii()),
        };
        format!(
            "{} {}.{extension} ({by})",
            ask.role.as_str(),
            stems.join("|")
        )
    };
    asked.files.iter().map(word).collect()
}

#[test]
fn a_map_of_quake_asks_for_textures_that_are_not_in_it() {
    let lump = miptex(&[
        Some(("floor", true)),
        None,
        Some(("{grate", false)),
        Some(("{GRATE", false)),
    ]);
    let text = b"{ classname worldspawn wad \"C:\\maps\\a.wad;/home/me/B.WAD;a.wad;\" sky space_ }
        { classname func_door model *1 noise doors/open.wav } { classname thing model progs/ogre.mdl }
        { classname speaker noise1 amb/drip } { classname func model 1.5 }";
    let file = map(b"\x1E\0\0\0", 15, &[(0, text), (2, &lump)]);
    assert_eq!(
        asks(&file),
        [
            "texture textures/{grate. (texture 2)",
            "model progs/ogre.mdl (2 model)"
        ]
    );
    let mut file = file;
    file[0] = 29;
    let asked_for = asks(&file);
    assert_eq!(
        asked_for[..2],
        [
            "texture textures/{grate. (texture 2)",
            "sky gfx/env/space_rt.tga (0 sky)"
        ]
    );
    assert_eq!(
        asked_for[7..],
        [
            "sound sound/doors/open.wav (1 noise)",
            "model progs/ogre.mdl (2 model)"
        ]
    );
    let wads = asked(&mut &file[..]).unwrap().wads;
    assert_eq!(wads, [&b"a.wad"[..], b"B.WAD"]);
}

#[test]
fn a_map_of_quake_ii_or_daikatana_asks_for_textures_and_what_its_entities_name() {
    let records = [
        texinfo("e1\\floor", 0),
        texinfo("clip", 0x80),
        texinfo("E1/floor", 0),
        texinfo("sky1", 4),
    ];
    let records: Vec<u8> = records.concat();
    let text = b"{ classname worldspawn sky unit1_ palette e1m1 }
        { classname target_speaker noise world/amb } { classname target_speaker noise *jump1.wav }
        { classname x model models/e1/a.dkm sound_up doors/up.wav sound2 3 }";
    let file = map(b"IBSP\x26\0\0\0", 19, &[(0, text), (5, &records)]);
    let asked_for = asks(&file);
    assert_eq!(
        asked_for[..3],
        [
            "texture textures/e1/floor.wal (texture 0)",
            // Its name differs in the slash alone, which makes it one.
            "texture textures/sky1.wal (texture 3)",
            "sky env/unit1_rt.tga (0 sky)"
        ]
    );
    assert_eq!(
        asked_for[8..],
        [
            "sound sound/world/amb.wav (1 noise)",
            "model models/e1/a.dkm (3 model)"
        ]
    );
    let file = map(b"IBSP\x29\0\0\0", 21, &[(0, text), (5, &records)]);
    let asked_for = asks(&file);
    assert_eq!(asked_for[2], "sky env/32bit/unit1_rt.tga (0 sky)");
    assert_eq!(
        asked_for[8..],
        [
            "palette textures/e1m1/colormap.bmp (0 palette)",
            "model models/e1/a.dkm (3 model)",
            "sound sound/doors/up|sounds/doors/up.wav (3 sound_up)"
        ]
    );
}

#[test]
fn a_map_of_quake_iii_asks_for_shaders() {
    let records = [
        shader_name("textures/base/floor", 0),
        shader_name("textures/common/caulk", 0x80),
        shader_name("noshader", 0),
        shader_name("textures/base/wall.jpg", 0),
    ];
    let text = b"{ classname worldspawn music \"music/in.wav music/loop\" }
        { classname misc_model model models/a.md3 } { classname func_bob model2 models/b.md3 model *2 }
        { classname target_speaker noise sound/world/hum } { classname target_speaker noise *falling1.wav }";
    let file = map(b"IBSP\x2E\0\0\0", 17, &[(0, text), (1, &records.concat())]);
    assert_eq!(
        asks(&file),
        [
            "shader textures/base/floor.tga (texture 0)",
            "shader textures/base/wall.tga (texture 3)",
            "music music/in.wav (0 music)",
            "music music/loop.wav (0 music)",
            "model models/b.md3 (2 model2)",
            "sound sound/world/hum.wav (3 noise)"
        ]
    );
    assert_eq!(asked(&mut &file[..]).unwrap().files[0].role, Role::Shader);
}

/// What a hostile map claims costs no more than what is there.
#[test]
fn lumps_that_cannot_be_are_errors() {
    let lump = |number: usize, offset: u32, len: u32| {
        let mut file = map(b"IBSP\x26\0\0\0", 19, &[(0, b"{ }"), (5, &texinfo("a", 0))]);
        let at = 8 + 8 * number;
        file[at..at + 4].copy_from_slice(&offset.to_le_bytes());
        file[at + 4..at + 8].copy_from_slice(&len.to_le_bytes());
        asked(&mut &file[..])
    };
    let is_outside = |asked| matches!(asked, Err(MapError::Outside { .. }));
    assert!(lump(5, 160, 0).is_ok());
    for (offset, len) in [
        (u32::MAX, 76),
        (0x8000_0000, 76),
        (160, 76 * 1000),
        (163, 153),
    ] {
        assert!(is_outside(lump(5, offset, len)), "{offset} {len}");
        assert!(is_outside(lump(0, offset, len)), "{offset} {len}");
    }
    assert!(matches!(
        lump(5, 160, u32::MAX),
        Err(MapError::TooMany { .. })
    ));
    assert!(matches!(
        lump(0, 160, u32::MAX),
        Err(MapError::TooMany { .. })
    ));
    assert!(matches!(asked(&mut &b"PACK"[..]), Err(MapError::NotAMap)));
    // More textures than there are bytes.
    let file = map(b"\x1D\0\0\0", 15, &[(2, &1000_u32.to_le_bytes())]);
    assert!(is_outside(asked(&mut &file[..])));
    let file = map(b"\x1D\0\0\0", 15, &[(2, &u32::MAX.to_le_bytes())]);
    assert!(matches!(
        asked(&mut &file[..]),
        Err(MapError::TooMany { .. })
    ));
}

proptest! {
    #[test]
    fn no_bytes_do_harm(
        which in 0..38_usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        tail in proptest::collection::vec(any::<u8>(), 0..64),
    ) {
        let (name, mut file, _) = samples().swap_remove(which);
        for (at, value) in changes {
            let at = at.index(file.len());
            file[at] = value;
        }
        file.extend(tail);
        let _ = (details(name.into(), &mut &file[..], Depth::All), asked(&mut &file[..]));
    }

    #[test]
    fn any_text_is_read_to_its_end(text in proptest::collection::vec(
        prop::sample::select(b"{}\"/* \n\0\x01ab\xFF\\".to_vec()), 0..200,
    )) {
        // Each entity takes two bytes at least, and each name one.
        prop_assert!(entities(&text).count() <= text.len() / 2);
        prop_assert!(shader::names(&text).count() <= text.len());
    }
}
