//! Tests of facts and of the files that maps need.

use super::asked::{Ask, Asked, Asker, Role, shown_class};
use super::entities::{Entity, shaders};
use super::{FileType as T, *};
use proptest::prelude::*;

/// Zeros of this length, with some numbers of 32 bits set.
pub(super) fn header(len: usize, magic: &[u8], numbers: &[(usize, u32)]) -> Vec<u8> {
    let mut file = vec![0; len];
    file[..magic.len()].copy_from_slice(magic);
    for (at, number) in numbers {
        file[*at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    file
}

/// A map with these lumps, given by number.
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

/// The texture lump of a map of Quake: textures with pixels, without pixels, and missing.
pub(super) fn miptex(textures: &[Option<(&str, bool)>]) -> Vec<u8> {
    let mut lump = u32::try_from(textures.len()).unwrap().to_le_bytes().to_vec();
    let mut headers = Vec::new();
    let start = 4 + 4 * textures.len();
    for texture in textures {
        let offset = texture.map_or(u32::MAX, |_| u32::try_from(start + headers.len()).unwrap());
        lump.extend(offset.to_le_bytes());
        if let Some((name, has_pixels)) = texture {
            let mut texture =
                header(40, b"", &[(16, 16), (20, 16), (24, u32::from(*has_pixels) * 40)]);
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

/// A texture of a WAD, 64 x 32 in four sizes, with or without Half-Life's palette.
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

/// A file of each type, with a fitting name.
pub(super) fn samples() -> Vec<(&'static str, Vec<u8>, T)> {
    let mut wav =
        b"RIFF\x30\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x02\0\x44\xAC\0\0".to_vec();
    wav.extend(b"\x10\xB1\x02\0\x04\0\x10\0data\0\0\0\0");
    let jpeg = b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec();
    let mut png = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x40\0\0\0\x20".to_vec();
    png.push(8);
    let mut pcx = header(128, b"\x0A\x05\x01\x08\0\0\0\0\x3F\0\x1F\0", &[]);
    pcx[65] = 1;
    let mut bmp = header(54, b"BM", &[(10, 54), (14, 40), (18, 64), (22, 32)]);
    bmp[28] = 24;
    let mut tga = header(18 + 64 * 32 * 3, b"\0\0\x02", &[]);
    (tga[12], tga[14], tga[16]) = (64, 32, 24);
    let size = |at: usize| [(at, 64), (at + 4, 32)];
    let wal = header(100 + 64 * 32, b"e1/floor", &[size(32)[0], size(32)[1], (40, 100)]);
    let wal3 = header(892 + 64 * 32, b"\x03e1/floor", &[size(36)[0], size(36)[1], (44, 892)]);
    let m8 = header(1040 + 64 * 32, b"\x02", &[(36, 64), (100, 32), (164, 1040)]);
    let m32 = header(968 + 4 * 64 * 32, b"\x04", &[(516, 64), (580, 32), (644, 968)]);
    let swl = header(1236 + 64 * 32, b"base/floor", &[size(64)[0], size(64)[1], (1100, 1236)]);
    let lmp = header(8 + 64 * 32, b"", &[size(0)[0], size(0)[1]]);
    let text = b"{\n\"classname\" \"worldspawn\"\n}\n";
    let of_quake =
        |magic: &[u8]| map(magic, 15, &[(0, text), (2, &miptex(&[Some(("floor", true))]))]);
    let of_quake2 =
        |magic: &[u8], count| map(magic, count, &[(0, text), (5, &texinfo("e1/floor", 0))]);
    let of_quake3 = |magic: &[u8]| map(magic, 17, &[(0, text), (1, &shader_name("textures/a", 0))]);
    let model = |len, magic: &[u8], version| header(len, magic, &[(4, version), (8, 3)]);
    vec![
        ("a.bsp", of_quake(b"\x1D\0\0\0"), T::Bsp29),
        ("a.bsp", of_quake(b"\x1E\0\0\0"), T::Bsp30),
        ("a.bsp", of_quake(b"BSP2"), T::Bsp2),
        ("a.bsp", of_quake(b"2PSB"), T::Bsp2Psb),
        ("a.bsp", of_quake2(b"IBSP\x26\0\0\0", 19), T::Ibsp38),
        ("a.bsp", of_quake2(b"QBSP\x26\0\0\0", 19), T::Qbsp38),
        ("a.bsp", of_quake2(b"IBSP\x29\0\0\0", 21), T::Ibsp41),
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
        ("a.ogg", b"OggS\0".to_vec(), T::Ogg),
        ("a.pcx", pcx, T::Pcx),
        ("a.tga", tga, T::Tga),
        ("a.bmp", bmp, T::Bmp),
        ("a.lmp", lmp, T::Lmp),
        ("a.pal", vec![0; 768], T::Pal),
        ("a.fnt", font(), T::Font),
        ("a.png", png, T::Png),
        ("a.JPG", jpeg, T::Jpeg),
        ("progs.dat", progs(5927), T::Progs),
        ("a.bsp", b" 46Q".to_vec(), T::Quake64),
        ("a.bsp", b"RBSP\x01\0\0\0".to_vec(), T::Rbsp),
        ("a.bsp", b"FBSP\x01\0\0\0".to_vec(), T::Fbsp),
        ("a.md5mesh", b"MD5Version 10\n".to_vec(), T::Md5Mesh),
        ("a.md5anim", b"MD5Version 10\n".to_vec(), T::Md5Anim),
        ("a.spr", b"IDSP\x20\0\0\0".to_vec(), T::Spr32),
        ("a.dem", b"2\n".to_vec(), T::Dem),
        ("a.qwd", vec![0; 9], T::Qwd),
        ("a.mvd", vec![0; 9], T::Mvd),
        ("a.dm2", vec![0; 9], T::Dm2),
        ("a.cin", vec![0; 9], T::Cin),
    ]
}

fn found(name: &str, file: &[u8]) -> FileFacts {
    facts(name.into(), &file, Depth::All).unwrap()
}

#[test]
fn every_type_is_told_and_its_sizes_are_read() {
    let samples = samples();
    for file_type in T::ALL {
        assert!(samples.iter().any(|(.., it)| it == file_type), "{file_type}");
    }
    for (name, file, file_type) in &samples {
        let found = found(name, file);
        assert_eq!(found.file_type, Some(*file_type), "{name}");
        assert!(!found.is_contrary());
        let sides = found.number("width").zip(found.number("height"));
        match file_type.kind() {
            Kind::Picture
                if found.get("lump").is_none()
                    && found.get("frames").is_none()
                    && !matches!(file_type, T::Jpeg | T::Spr32) =>
            {
                assert_eq!(sides, Some((64, 32)), "{file_type}");
            }
            _ => {}
        }
    }
}

#[test]
fn the_numbers_of_a_header_are_read_from_their_places() {
    let sample = |wanted: T| {
        let samples = samples();
        let (name, file, _) = samples.iter().find(|(.., it)| *it == wanted).unwrap();
        found(name, file)
    };
    let numbers = |found: &FileFacts, names: &[&str]| -> Vec<Option<u64>> {
        names.iter().map(|name| found.number(name)).collect()
    };
    // Coding 1 is plain, and gives no fact.
    let wav = numbers(&sample(T::Wav), &["coding", "rate", "channels", "bits"]);
    assert_eq!(wav, [None, Some(44_100), Some(2), Some(16)]);
    let name = Value::Text(b"e1/floor".to_vec());
    assert_eq!(sample(T::Wal3).get("texture"), Some(&name));
    let places = (0..22).map(|n| (n * 4, u32::try_from(100 + n).unwrap()));
    let mut dkm = header(88, b"", &places.collect::<Vec<_>>());
    dkm[..8].copy_from_slice(b"DKMD\x01\0\0\0");
    let names = ["version", "skins", "vertices", "triangles", "frames"];
    let dkm = numbers(&found("a.dkm", &dkm), &names);
    assert_eq!(dkm, [1, 106, 107, 109, 111].map(Some));
}

#[test]
fn a_file_that_is_not_what_its_name_says_is_contrary() {
    let all = samples();
    let of = |wanted: T| &all.iter().find(|(.., it)| *it == wanted).unwrap().1;
    for (name, file_type) in
        [("a.tga", T::Png), ("a.wav", T::Mp3), ("a.tga", T::Bmp), ("a.md2", T::Dkm)]
    {
        // A frame of MP3 has no magic; an ID3 header has one.
        let file = match file_type {
            T::Mp3 => &b"ID3\x03\0\0\0\0\0\0"[..],
            _ => of(file_type),
        };
        let found = found(name, file);
        assert_eq!((found.file_type, found.is_contrary()), (Some(file_type), true), "{name}");
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
        assert_eq!((found.file_type, found.is_contrary()), (None, true), "{name}");
    }
    // Games name an MD3 like the MDL in whose place it is.
    let md3 = found("a.mdl", of(T::Md3));
    assert_eq!((md3.file_type, md3.is_contrary()), (Some(T::Md3), false));
    // The content of a demo is not read, but a magic still tells.
    assert!(!found("a.dem", b"anything").is_contrary());
    assert_eq!(found("a.dem", of(T::Png)).file_type, Some(T::Png));
    assert!(found("a.dem", of(T::Png)).is_contrary());
    assert!(!found("readme.txt", of(T::Png)).is_contrary());
}

#[test]
fn a_wal_is_of_the_game_that_its_first_byte_says() {
    let all = samples();
    for (.., file, file_type) in all.iter().filter(|(name, ..)| *name == "a.wal") {
        for first in 0..=u8::MAX {
            let mut file = file.clone();
            file[0] = first;
            let found = found("a.wal", &file).file_type;
            let expected = match (file_type, first) {
                (T::Wal3, 3) => Some(T::Wal3),
                (T::Wal, 0 | 33..) => Some(T::Wal),
                // The other game's width is at another offset.
                _ => None,
            };
            assert_eq!(found, expected, "{file_type} {first}");
        }
    }
}

/// Cuts each file at every byte: the type found is the original one or none. Then changes each of the first
/// 1,300 bytes: any type may be found, but nothing panics.
#[test]
fn files_that_end_too_soon_are_looked_at_without_harm() {
    for (name, file, file_type) in samples() {
        for end in 0..file.len() {
            let cut = &file[..end];
            let found = found(name, cut).file_type;
            assert!(found.is_none_or(|it| it == file_type), "{name} {end}");
            let _ = Asked::by(&cut);
            let _ = facts(name.into(), &cut, Depth::All);
        }
        for at in 0..file.len().min(1300) {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut changed = file.clone();
                changed[at] = value;
                let _ = (facts(name.into(), &changed, Depth::All), Asked::by(&changed));
            }
        }
    }
}

fn pairs(text: &[u8]) -> Vec<Vec<(String, String)>> {
    let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let pairs =
        |entity: Entity<'_>| entity.pairs.iter().map(|(k, v)| (string(k), string(v))).collect();
    Entity::all(text).map(pairs).collect()
}

#[test]
fn entities_are_read_as_the_engines_do() {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let text =
        b"// made by hand\n{\n\"a\" \"1 2\"\nb 2 }{\"c\"\"{3\x01}\"/* no */ \"\" \"\"}\x01{ d 4";
    let expected =
        vec![vec![pair("a", "1 2"), pair("b", "2")], vec![pair("c", "{3\x01}"), pair("", "")]];
    assert_eq!(pairs(text), expected);
    for nothing in [&b""[..], b"\0{ a b }", b"}", b"a { b c }", b"{ { } }", b"{ a }", b"{ \"a"] {
        assert_eq!(pairs(nothing), [[]; 0], "{}", nothing.escape_ascii());
    }
    let twice = Entity::all(b"{ k 1 K 2 }").next().unwrap();
    assert_eq!(twice.get("k"), Some(&b"2"[..]));
    let many = format!("{{ {} }} {{ }}", "k v ".repeat(5000));
    assert_eq!(
        Entity::all(many.as_bytes()).map(|it| it.pairs.len()).collect::<Vec<_>>(),
        [1024, 0]
    );
}

/// The names that a map needs, each with its role and the part that names it.
fn asks(file: &[u8]) -> Vec<String> {
    let asked = Asked::by(&file).unwrap();
    let word = |ask: &Ask| {
        let stems: Vec<_> = ask.stems.iter().map(|it| String::from_utf8_lossy(it)).collect();
        let extension = String::from_utf8_lossy(&ask.extension);
        let by = match &ask.asker {
            Asker::Texture { record } => format!("texture {record}"),
            Asker::Entity { number, key, .. } => format!("{number} {}", key.escape_ascii()),
        };
        format!("{} {}.{extension} ({by})", ask.role.as_str(), stems.join("|"))
    };
    asked.files.iter().map(word).collect()
}

#[test]
fn quake_maps_need_textures_they_lack() {
    let lump =
        miptex(&[Some(("floor", true)), None, Some(("{grate", false)), Some(("{GRATE", false))]);
    let text = b"{ classname worldspawn wad \"C:\\maps\\a.wad;/home/me/B.WAD;a.wad;\" sky space_ }
        { classname func_door model *1 noise doors/open.wav } { classname thing model progs/ogre.mdl }
        { classname speaker noise1 amb/drip } { classname func model 1.5 }";
    let file = map(b"\x1E\0\0\0", 15, &[(0, text), (2, &lump)]);
    assert_eq!(
        asks(&file),
        ["texture textures/{grate. (texture 2)", "model progs/ogre.mdl (2 model)"]
    );
    let mut file = file;
    file[0] = 29;
    let asked_for = asks(&file);
    assert_eq!(
        asked_for[..2],
        ["texture textures/{grate. (texture 2)", "sky gfx/env/space_rt.tga (0 sky)"]
    );
    assert_eq!(
        asked_for[7..],
        ["sound sound/doors/open.wav (1 noise)", "model progs/ogre.mdl (2 model)"]
    );
    let wads = Asked::by(&file).unwrap().wads;
    assert_eq!(wads, [&b"a.wad"[..], b"B.WAD"]);
}

#[test]
fn quake2_maps_need_textures_and_entity_files() {
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
            // The name differs only in the slash, so it is the same file.
            "texture textures/sky1.wal (texture 3)",
            "sky env/unit1_rt.tga (0 sky)"
        ]
    );
    assert_eq!(
        asked_for[8..],
        ["sound sound/world/amb.wav (1 noise)", "model models/e1/a.dkm (3 model)"]
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

/// Faces have textures 0, 2 and 4 of five, by way of texinfo in another order; 2, 3 and 4 are left out.
#[test]
fn textures_left_out_matter_only_to_faces() {
    let lump = miptex(&[Some(("a", true)), Some(("b", true)), None, None, None]);
    let texinfo = [4_u32, 3, 0, 2].map(|texture| header(40, b"", &[(32, texture)]));
    for (magic, face_len, at) in
        [(b"\x1D\0\0\0", 20, 10), (b"\x1E\0\0\0", 20, 10), (b"BSP2", 28, 16), (b"2PSB", 28, 16)]
    {
        // The last face has no texinfo.
        let faces = [2_u32, 3, 0, 9].map(|texinfo| header(face_len, b"", &[(at, texinfo)]));
        let lumps = [(2, &lump[..]), (6, &texinfo.concat()), (7, &faces.concat())];
        let asked = Asked::by(&map(magic, 15, &lumps)).unwrap();
        assert_eq!(asked.left_out.into_iter().collect::<Vec<_>>(), [2, 4]);
        // Without faces they do not matter.
        let asked = Asked::by(&map(magic, 15, &lumps[..2])).unwrap();
        assert!(asked.left_out.is_empty());
    }
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
    assert_eq!(Asked::by(&file).unwrap().files[0].role, Role::Shader);
}

/// Claims of a hostile map cost no more than its length.
#[test]
fn lumps_that_cannot_be_are_errors() {
    let lump = |number: usize, offset: u32, len: u32| {
        let mut file = map(b"IBSP\x26\0\0\0", 19, &[(0, b"{ }"), (5, &texinfo("a", 0))]);
        let at = 8 + 8 * number;
        file[at..at + 4].copy_from_slice(&offset.to_le_bytes());
        file[at + 4..at + 8].copy_from_slice(&len.to_le_bytes());
        Asked::by(&file)
    };
    let is_outside = |asked| matches!(asked, Err(MapError::Outside { .. }));
    assert!(lump(5, 160, 0).is_ok());
    for (offset, len) in [(u32::MAX, 76), (0x8000_0000, 76), (160, 76 * 1000), (163, 153)] {
        assert!(is_outside(lump(5, offset, len)), "{offset} {len}");
        assert!(is_outside(lump(0, offset, len)), "{offset} {len}");
    }
    assert!(matches!(lump(5, 160, u32::MAX), Err(MapError::TooMany { .. })));
    assert!(matches!(lump(0, 160, u32::MAX), Err(MapError::TooMany { .. })));
    assert!(matches!(Asked::by(&b"PACK"), Err(MapError::NotAMap)));
    // More textures than bytes.
    let file = map(b"\x1D\0\0\0", 15, &[(2, &1000_u32.to_le_bytes())]);
    assert!(is_outside(Asked::by(&file)));
    let file = map(b"\x1D\0\0\0", 15, &[(2, &u32::MAX.to_le_bytes())]);
    assert!(matches!(Asked::by(&file), Err(MapError::TooMany { .. })));
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
        let _ = (facts(name.into(), &file, Depth::All), Asked::by(&file));
    }

    #[test]
    fn any_text_is_read_to_its_end(text in proptest::collection::vec(
        prop::sample::select(b"{}\"/* \n\0\x01ab\xFF\\".to_vec()), 0..200,
    )) {
        // Each entity takes at least two bytes, and each name one.
        prop_assert!(Entity::all(&text).count() <= text.len() / 2);
        prop_assert!(shaders(&text).count() <= text.len());
    }
}

/// The result for a file as lines: facts, then notes.
fn lines(name: &str, file: &[u8]) -> Vec<String> {
    let found = facts(name.into(), &file, Depth::All).unwrap();
    let mut lines: Vec<String> = found.facts.iter().map(line).collect();
    lines.extend(found.notes.iter().map(|note| format!("! {note}")));
    lines
}

fn line(fact: &Fact) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let value = match &fact.value {
        Value::Number(number) => number.to_string(),
        Value::Milliseconds(number) => format!("{number} ms"),
        Value::Word(word) => word.clone(),
        Value::Text(bytes) => text(bytes),
        Value::Texts(all) => all.iter().map(|it| text(it)).collect::<Vec<_>>().join(" "),
        Value::Records(all) => {
            let record = |it: &Vec<Fact>| it.iter().map(line).collect::<Vec<_>>().join(" ");
            all.iter().map(record).collect::<Vec<_>>().join("; ")
        }
    };
    format!("{}={value}", fact.name)
}

fn summary(name: &str, file: &[u8]) -> String {
    facts(name.into(), &file, Depth::Header).unwrap().summary()
}

const WORLD: &[u8] = b"{ classname worldspawn message \"the Hall\" sky unit1_ } { classname light }
    { classname info_player_start } { classname light }";

#[test]
fn map_facts_show_its_contents_and_parts() {
    let lump = miptex(&[Some(("floor", true)), Some(("{grate", false))]);
    let file = map(b"\x1D\0\0\0", 15, &[(0, WORLD), (2, &lump)]);
    let found = lines("maps/a.bsp", &file);
    assert_eq!(
        found[..8],
        [
            "version=29",
            "title=the Hall",
            "sky=unit1_",
            "entities=4",
            "classes=class=light count=2; class=info_player_start count=1; class=worldspawn count=1",
            "textures=2",
            "textures_inside=1",
            "texture_names=floor {grate",
        ]
    );
    let (text, textures) = (WORLD.len(), lump.len());
    let begins = format!(
        "lumps=name=entities offset=124 size={text}; name=planes offset={0} size=0; \
         name=textures offset={0} size={textures}; name=vertexes",
        124 + text
    );
    assert!(found[8].starts_with(&begins), "{}", found[8]);
    assert!(found[8].contains("name=models") && found.len() == 9);
    assert_eq!(summary("maps/a.bsp", &file), "map 29, 4 entities");
    let lump = miptex(&[None, Some(("floor", true)), None]);
    let found = lines("maps/a.bsp", &map(b"\x1D\0\0\0", 15, &[(2, &lump)]));
    let counts = ["textures=1", "textures_inside=1", "textures_left_out=2"];
    assert!(found.join(" ").contains(&counts.join(" ")), "{found:?}");
    let file = map(b"IBSP\x26\0\0\0", 19, &[(0, WORLD), (5, &texinfo("e1/floor", 0))]);
    assert_eq!(lines("maps/a.bsp", &file)[6], "texture_names=e1/floor");
    let file = map(b"IBSP\x2E\0\0\0", 17, &[(0, WORLD), (1, &shader_name("textures/a", 0))]);
    assert_eq!(lines("maps/a.bsp", &file)[6], "texture_names=textures/a");
}

#[test]
fn a_lump_outside_the_file_costs_nothing_else() {
    let mut file = map(b"IBSP\x26\0\0\0", 19, &[(0, WORLD), (5, &texinfo("a", 0))]);
    // Lump 4, nodes: ten bytes at byte 100,000. The textures end beyond the end of the file.
    file[40..48].copy_from_slice(&[0xA0, 0x86, 1, 0, 10, 0, 0, 0]);
    file[52..56].copy_from_slice(&100_000_u32.to_le_bytes());
    let size = file.len();
    let found = lines("a.bsp", &file);
    assert!(found.contains(&"entities=4".to_owned()));
    assert!(!found.iter().any(|line| line.starts_with("textures")));
    let begin = 160 + WORLD.len();
    assert_eq!(
        found[found.len() - 2..],
        [
            format!("! its nodes should lie at bytes 100000 to 100010, and it has {size}"),
            format!(
                "! its texinfo should lie at bytes {begin} to {}, and it has {size}",
                begin + 100_000
            ),
        ]
    );
}

#[test]
fn texture_facts_have_size_and_palette() {
    for (name, expected, short) in [
        (
            "wal",
            "width=64 height=32 mips=1 palette=pics/colormap.pcx texture=e1/floor",
            "64x32, 1 mip",
        ),
        ("wal3", "width=64 height=32 mips=1 palette=inside texture=e1/floor", "64x32, 1 mip"),
        ("m8", "width=64 height=32 mips=1 palette=inside", "64x32, 1 mip"),
        ("m32", "width=64 height=32 mips=1", "64x32, 1 mip"),
        ("swl", "width=64 height=32 mips=1 palette=inside texture=base/floor", "64x32, 1 mip"),
        ("pcx", "width=64 height=32 bits=8 palette=inside", "64x32, 8 bit"),
        ("tga", "width=64 height=32 bits=24", "64x32, 24 bit"),
        ("bmp", "width=64 height=32 bits=24", "64x32, 24 bit"),
        ("lmp", "width=64 height=32 bits=8 palette=gfx/palette.lmp", "64x32, 8 bit"),
        (
            "mip",
            "width=64 height=32 mips=4 palette=gfx/palette.lmp texture=+0slip",
            "64x32, 4 mips",
        ),
        ("pal", "lump=palette", "palette"),
        ("font", "width=64 height=32 bits=8 palette=inside", "64x32, 8 bit"),
        ("png", "width=64 height=32 bits=8", "64x32, 8 bit"),
        ("jpeg", "", ""),
    ] {
        let samples = samples();
        let (path, file, _) = samples.iter().find(|(.., it)| it.as_str() == name).unwrap();
        assert_eq!(lines(path, file).join(" "), expected, "{name}");
        assert_eq!(summary(path, file), short);
    }
}

#[test]
fn a_texture_of_half_life_has_its_palette_inside() {
    let expected = "width=64 height=32 mips=4 palette=inside texture=+0slip";
    assert_eq!(lines("a.mip", &mip(true)).join(" "), expected);
    // A file with these extensions that is not a WAD lump may still be intact: other programs use them.
    for name in ["a.mip", "a.pal", "a.fnt"] {
        let found = facts(name.into(), b"JASC-PAL", Depth::All).unwrap();
        assert!(found.facts.is_empty() && !found.is_contrary());
    }
}

#[test]
fn mips_are_counted_as_far_as_they_lie_in_the_file() {
    let offsets = [(40, 100), (44, 100 + 128), (48, 100 + 160), (52, 100 + 168)];
    let sides = [(32, 16), (36, 8)];
    let numbers: Vec<(usize, u32)> = offsets.into_iter().chain(sides).collect();
    // 16 x 8, 8 x 4, 4 x 2 and 2 x 1 pixels.
    for (len, mips) in [(270, 4), (269, 3), (267, 2), (259, 1), (228, 1)] {
        let file = header(len, b"floor", &numbers);
        assert_eq!(
            summary("a.wal", &file),
            format!("16x8, {mips} mip{}", if mips == 1 { "" } else { "s" })
        );
    }
    // Daikatana's header has room for nine, but none follows the one of a single pixel.
    let offsets = (0..9).map(|number| (44 + 4 * number, 892));
    let numbers: Vec<(usize, u32)> = offsets.chain([(36, 16), (40, 4)]).collect();
    let file = header(892 + 64, b"\x03floor", &numbers);
    assert_eq!(summary("a.wal", &file), "16x4, 5 mips");
}

#[test]
fn headerless_lumps_are_known_by_name_and_length() {
    for (name, len, expected) in [
        ("gfx/palette.lmp", 768, "lump=palette"),
        (
            "GFX\\COLORMAP.LMP",
            16_385,
            "lump=colormap width=256 height=64 bits=8 palette=gfx/palette.lmp",
        ),
        (
            "gfx/conchars.lmp",
            16_384,
            "lump=conchars width=128 height=128 bits=8 palette=gfx/palette.lmp",
        ),
        ("gfx/pop.lmp", 256, "lump=pop width=16 height=16 bits=8 palette=gfx/palette.lmp"),
    ] {
        assert_eq!(lines(name, &vec![0; len]).join(" "), expected, "{name}");
    }
    for (name, len) in [("gfx/conchars.lmp", 16_385), ("gfx/a.lmp", 16_384), ("gfx/pop.lmp", 255)] {
        let found = facts(name.into(), &vec![0; len], Depth::All).unwrap();
        assert!(found.is_contrary() && found.facts.is_empty(), "{name}");
    }
}

/// The magic of a map of Quake or Half-Life is 29 or 30, and a picture begins with its width.
#[test]
fn a_picture_as_wide_as_a_map_version_is_a_picture() {
    for width in [29_u32, 30] {
        let picture = header(8 + width as usize * 300, b"", &[(0, width), (4, 300)]);
        let found = facts("gfx/x.LMP".into(), &picture, Depth::All).unwrap();
        assert_eq!(found.file_type, Some(T::Lmp));
        assert!(!found.is_contrary());
        assert_eq!(found.number("width"), Some(width.into()));
        let cut = &picture[..4000];
        let found = facts("gfx/x.LMP".into(), &cut, Depth::All).unwrap();
        assert_eq!(found.file_type, None, "of a picture that is cut off");
        for bytes in [&picture[..], cut] {
            let decoded = Picture::decode("gfx/x.LMP".into(), bytes, &DecodeOptions::default());
            assert_eq!(decoded.is_ok(), bytes.len() == picture.len());
        }
        let palette = header(768, b"", &[(0, width)]);
        let found = facts("palette.pal".into(), &palette, Depth::All).unwrap();
        assert_eq!(found.file_type, Some(T::Pal));
        let found = facts("gfx/palette.lmp".into(), &palette, Depth::All).unwrap();
        assert_eq!(found.file_type, Some(T::Lmp));
    }
}

/// An engine counts the colours of a palette, so a texture may end with one of 16.
#[test]
fn half_life_textures_may_have_few_colours() {
    let mut texture =
        header(40, b"x", &[(16, 16), (20, 16), (24, 40), (28, 296), (32, 360), (36, 376)]);
    texture.resize(380, 5);
    texture.extend([16, 0]);
    texture.extend([7; 48]);
    let Data::Indexed { palette: Some(palette), .. } = one("x.mip", &texture).data else {
        panic!()
    };
    assert_eq!(palette.colours()[..17], [&[[7; 3]; 16][..], &[[0; 3]]].concat());
}

/// Copies of a class, or comparisons with all earlier WADs, would take minutes here.
#[test]
fn many_entities_cost_only_what_they_name() {
    let class = "c".repeat(1 << 20);
    let mut text = format!("{{ classname {class} ");
    for number in 0..1_000 {
        text += &format!("model a{number}.x ");
    }
    text += "} { classname worldspawn wad \"";
    for number in 0..60_000 {
        text += &format!("w{number};W{number};");
    }
    text += "\" }";
    let file = map(b"\x1D\0\0\0", 15, &[(0, text.as_bytes())]);
    let asked = Asked::by(&file).unwrap();
    assert_eq!((asked.files.len(), asked.wads.len()), (1_000, 60_000));
    let Asker::Entity { class, .. } = &asked.files[0].asker else {
        panic!("{:?}", asked.files[0]);
    };
    let of_last = &asked.files[999].asker;
    assert!(
        matches!(of_last, Asker::Entity { class: last, .. } if std::sync::Arc::ptr_eq(class, last))
    );

    let names: String = (0..70_000).map(|it| format!("{{ model b{it}.x }}")).collect();
    let file = map(b"\x1D\0\0\0", 15, &[(0, names.as_bytes())]);
    assert!(matches!(Asked::by(&file), Err(MapError::TooMany { .. })));
    let same = "{ model b.x }".repeat(70_000);
    let file = map(b"\x1D\0\0\0", 15, &[(0, same.as_bytes())]);
    assert_eq!(Asked::by(&file).unwrap().files.len(), 1);
    let long = format!("{{ classname worldspawn sky \"{}\" }}", "s".repeat(2 << 20));
    let file = map(b"\x1D\0\0\0", 15, &[(0, long.as_bytes())]);
    assert!(matches!(Asked::by(&file), Err(MapError::TooMany { .. })));
}

/// A WAV with these chunks.
fn wav(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"RIFF\0\0\0\0WAVE".to_vec();
    for (name, content) in chunks {
        file.extend(*name);
        file.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
        file.extend(*content);
        file.resize(file.len().next_multiple_of(2), 0);
    }
    file
}

/// 11,025 samples per second, eight bits, one channel.
const FORMAT: &[u8] = b"\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0";

#[test]
fn wav_facts_show_length_and_loop() {
    let data = vec![128; 13_231];
    // One point: number, place, chunk, chunk's start, block's start, sample 2205.
    let cue = b"\x01\0\0\0\x01\0\0\0\0\0\0\0data\0\0\0\0\0\0\0\0\x9D\x08\0\0";
    // As Cool Edit writes it: for cue 1, 4,410 samples, "mark".
    let mark = b"adtlltxt\x14\0\0\0\x01\0\0\0\x3A\x11\0\0mark\0\0\0\0\0\0\0\0";
    let plain = wav(&[(b"fmt ", FORMAT), (b"data", &data)]);
    let expected = "rate=11025 bits=8 channels=1 samples=13231 seconds=1200 ms";
    assert_eq!(lines("a.wav", &plain).join(" "), expected);
    assert_eq!(summary("a.wav", &plain), "11025 Hz, 8 bit, mono, 1.2 s");
    let chunks = [(b"fmt ", FORMAT), (b"data", &data[..]), (b"cue ", cue), (b"LIST", mark)];
    let looped = wav(&chunks);
    let loops = format!("{expected} loop_start=2205 loop_length=4410");
    assert_eq!(lines("a.wav", &looped).join(" "), loops);
    // The part after the samples is not read for a list.
    assert_eq!(summary("a.wav", &looped), "11025 Hz, 8 bit, mono, 1.2 s");
    let early = wav(&[chunks[0], chunks[2], chunks[3], chunks[1]]);
    assert_eq!(summary("a.wav", &early), "11025 Hz, 8 bit, mono, 1.2 s, loops");
    // A mark before its cue is ignored, and so is another kind of list.
    let before = wav(&[chunks[0], chunks[3], chunks[2], chunks[1]]);
    assert_eq!(lines("a.wav", &before).join(" "), format!("{expected} loop_start=2205"));
    let short = wav(&[chunks[0], (b"data", &data[..6_000]), chunks[2], chunks[3]]);
    let note = "! its loop ends at sample 6615, and it has 6000: Quake refuses such a sound";
    assert_eq!(lines("a.wav", &short).last().unwrap(), note);
    let cut = &plain[..10_000];
    let note = "! its samples should lie at bytes 44 to 13275, and it has 10000";
    assert_eq!(lines("a.wav", cut).last().unwrap(), note);
    let stereo = b"\x01\0\x02\0\x44\xAC\0\0\x10\xB1\x02\0\x04\0\x10\0";
    let stereo = wav(&[(b"fmt ", stereo), (b"data", &[0; 1764])]);
    assert_eq!(summary("a.wav", &stereo), "44100 Hz, 16 bit, stereo, 0.1 s");
}

/// A field of this length with a name in it.
fn field(name: &str, len: usize) -> Vec<u8> {
    let mut field = name.as_bytes().to_vec();
    field.resize(len, 0);
    field
}

#[test]
fn model_facts_name_skins_and_surfaces() {
    let numbers = [(4, 8), (8, 296), (12, 194), (20, 2), (24, 100), (32, 200), (40, 40), (44, 68)];
    let mut md2 = header(68, b"IDP2", &numbers);
    md2.extend([field("models/a/skin.pcx", 64), field("models/a/pain.pcx", 64)].concat());
    assert_eq!(
        lines("a.md2", &md2).join(" "),
        "version=8 skin_width=296 skin_height=194 frames=40 skins=2 vertices=100 triangles=200 \
         skin_names=models/a/skin.pcx models/a/pain.pcx"
    );
    assert_eq!(summary("a.md2", &md2), "40 frames, 2 skins, 200 triangles");
    let note = "! its skins do not all lie in the file";
    assert_eq!(lines("a.md2", &md2[..150]).last().unwrap(), note);
    let numbers = [(4, 2), (24, 1), (28, 5), (36, 6), (44, 7), (48, 1), (52, 88), (72, 152)];
    let mut dkm = header(88, b"DKMD", &numbers);
    dkm.extend([field("skins/a.wal", 64), field("body", 52)].concat());
    assert_eq!(
        lines("a.dkm", &dkm).join(" "),
        "version=2 frames=7 skins=1 vertices=5 triangles=6 surfaces=1 \
         skin_names=skins/a.wal surface_names=body"
    );
    let mdl =
        header(84, b"IDPO", &[(4, 6), (48, 1), (52, 128), (56, 64), (60, 9), (64, 8), (68, 3)]);
    assert_eq!(
        lines("a.mdl", &mdl).join(" "),
        "version=6 skin_width=128 skin_height=64 frames=3 skins=1 vertices=9 triangles=8 \
         palette=gfx/palette.lmp"
    );
}

#[test]
fn sprites_say_how_large_each_frame_is() {
    let mut sp2 = header(12, b"IDS2", &[(4, 2), (8, 2)]);
    for (width, name) in [(32, "sprites/a_0.pcx"), (16, "sprites/a_1.pcx")] {
        sp2.extend(header(16, b"", &[(0, width), (4, 24)]));
        sp2.extend(field(name, 64));
    }
    assert_eq!(
        lines("a.sp2", &sp2)[2],
        "frame_list=name=sprites/a_0.pcx width=32 height=24; name=sprites/a_1.pcx width=16 height=24"
    );
    // One picture, and a group of two.
    let picture = |width: u32, height: u32| {
        let head = header(16, b"", &[(8, width), (12, height)]);
        [head, vec![0; (width * height) as usize]].concat()
    };
    let frames = [
        &[0; 4][..],
        &picture(4, 2),
        &header(16, b"", &[(0, 1), (4, 2)]),
        &picture(3, 3),
        &picture(1, 2),
    ]
    .concat();
    let numbers = [(4, 1), (16, 4), (20, 3), (24, 2)];
    let spr = [&header(36, b"IDSP", &numbers)[..], &frames].concat();
    let list =
        "frame_list=frame=0 width=4 height=2; frame=1 width=3 height=3; frame=1 width=1 height=2";
    assert_eq!(
        lines("a.spr", &spr),
        ["version=1", "width=4", "height=3", "frames=2", "palette=gfx/palette.lmp", list]
    );
    assert_eq!(summary("a.spr", &spr), "4x3, 2 frames");
    let note = "! its frames do not all lie in the file";
    assert_eq!(lines("a.spr", &spr[..spr.len() - 1]).last().unwrap(), note);
    // Half-Life's sprite has its palette, here of two colours, after the header.
    let mut head = header(48, b"IDSP", &[(4, 2), (20, 4), (24, 3), (28, 2)]);
    head[40] = 2;
    let spr = [&head[..], &frames].concat();
    assert_eq!(lines("a.spr", &spr)[4..], ["palette=inside", list]);
}

#[test]
fn compiled_code_says_for_which_game_it_is() {
    assert_eq!(
        lines("progs.dat", &progs(5927)).join(" "),
        "version=6 crc=5927 game=Quake statements=2 functions=1 globals=1 fields=1"
    );
    assert_eq!(summary("qwprogs.dat", &progs(54730)), "QuakeWorld, 1 function");
    assert_eq!(summary("progs.dat", &progs(1)), "1 function");
    // A file of another program may be intact.
    let other = facts("maps.dat".into(), b"anything", Depth::All).unwrap();
    assert!(other.facts.is_empty() && !other.is_contrary());
    let mut outside = progs(5927);
    outside.pop();
    assert_eq!(summary("progs.dat", &outside), "");
}

/// Claims of a file take no more memory and time than its length.
#[test]
fn claims_of_millions_of_parts_are_not_believed() {
    for (name, file) in [
        ("a.md2", header(68, b"IDP2", &[(4, 8), (20, u32::MAX), (44, 0)])),
        ("a.sp2", header(100, b"IDS2", &[(4, 2), (8, u32::MAX)])),
        ("a.spr", header(100, b"IDSP", &[(4, 1), (24, u32::MAX), (36, 1), (40, u32::MAX)])),
    ] {
        let found = facts(name.into(), &file, Depth::All).unwrap();
        assert_eq!(found.notes.len(), 1, "{name}");
    }
    // Many groups without pictures.
    let mut file = header(100_000, b"IDSP", &[(4, 1), (24, u32::MAX)]);
    for at in (36..99_990).step_by(8) {
        file[at] = 1;
    }
    let found = facts("a.spr".into(), &file, Depth::All).unwrap();
    assert!(found.get("frame_list").is_none());
}

fn one(name: &str, bytes: &[u8]) -> Pixels {
    Picture::decode(name.into(), bytes, &DecodeOptions::default()).unwrap().frames.remove(0).pixels
}

/// Lumps without a header, known by name and length.
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
            Frame::new(String::new(), sides, Data::indexed(bytes[..area].to_vec(), None, none))
                .pixels,
            "{name}"
        );
    }
    for name in ["gfx/palette.lmp", "palette.pal"] {
        let pixels = one(name, &bytes[..768]);
        assert_eq!((pixels.width, pixels.height), (16, 16));
        let rgba = pixels.to_rgba(&Palette::grey());
        assert_eq!(rgba[4..8], [3, 4, 5, 255]);
        assert_eq!(rgba[1020..], [(765 % 251) as u8, (766 % 251) as u8, (767 % 251) as u8, 255]);
    }
    // A picture is still a picture if it is as wide as a map's version number.
    let mut lump = vec![29, 0, 0, 0, 8, 0, 0, 0];
    lump.extend(&bytes[..29 * 8]);
    assert_eq!(one("gfx/wide.lmp", &lump).width, 29);
}

#[test]
fn quake2_screen_pictures_have_a_clear_colour() {
    let mut pcx = vec![0; 128];
    pcx[..4].copy_from_slice(b"\x0A\x05\x01\x08");
    (pcx[65], pcx[66]) = (1, 2);
    pcx.extend([7, 0]);
    for (name, none) in [
        ("pics/a.pcx", Some(255)),
        ("Pics\\a.pcx", Some(255)),
        ("pics\\colormap.pcx", None),
        ("pics/colormap.pcx", None),
        ("players/a.pcx", None),
    ] {
        assert_eq!(
            one(name, &pcx),
            Frame::new(String::new(), (1, 1), Data::indexed(vec![7], None, none)).pixels,
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
    let lines = rgb.chunks(3).map(|it| format!("{} {} {} name\n", it[0], it[1], it[2]));
    let gimp = format!("GIMP Palette\nName: x\nColumns: 16\n#\n{}", lines.collect::<String>());
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
    let names = |file_type: FileType, name: &str| {
        let names = file_type.palettes(name.into());
        names
            .iter()
            .map(|it| String::from_utf8_lossy(it).into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let wal = "textures/e1m1/x.wal";
    // TrenchBroom draws these with their own palette, too.
    assert_eq!(names(FileType::Wal3, wal), "");
    assert_eq!(
        names(FileType::Wal, "Textures\\e1m1\\x.wal"),
        "Textures\\e1m1\\colormap.bmp pics/colormap.bmp pics/colormap.pcx"
    );
    assert_eq!(
        names(FileType::Wal, wal),
        "textures/e1m1/colormap.bmp pics/colormap.bmp pics/colormap.pcx"
    );
    assert_eq!(names(FileType::Lmp, "gfx/conchars.lmp"), "gfx/palette.lmp palette.pal");
    assert_eq!(names(FileType::M8, "textures/a.m8"), "");
}

#[test]
fn an_extension_alone_makes_no_picture() {
    for name in ["a.bmp", "a.pcx", "a.m8", "a.m32", "a.spr", "a.bsp", "a.png"] {
        let error =
            Picture::decode(name.into(), &[1; 2000], &DecodeOptions::default()).unwrap_err();
        assert_eq!(error, PictureError::NotAPicture, "{name}");
    }
    // A file with the right beginning gets an error that names the problem.
    let mut bmp = b"BM".to_vec();
    bmp.resize(54, 0);
    let error = Picture::decode("a.bmp".into(), &bmp, &DecodeOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the header's length at byte 14 is 0; it must be 40 or more, as Windows has it"
    );
}

#[test]
fn names_say_a_kind_in_either_case() {
    for (extensions, kind) in [
        ("wav ogg mp3 opus flac", "sound"),
        ("bsp", "map"),
        ("mdl md2 dkm md3 mdr iqm md5mesh sp2", "model"),
        ("dat qvm", "code"),
        ("wal mip pcx tga bmp m8 m32 swl png jpg jpeg lmp pal spr", "picture"),
        ("map ent txt cfg rc lst shader mtr def script skin qc", "text"),
        ("dem dm2 mvd qwd dm_66 cin roq ogv bik avi fnt bin wad pak zip", "other"),
    ] {
        for extension in extensions.split(' ') {
            for name in [format!("d/x.{extension}"), format!("X.{}", extension.to_uppercase())] {
                assert_eq!(Kind::of(name.as_str().into()).as_str(), kind, "{name}");
            }
        }
    }
    assert_eq!(Kind::of("wav".into()), Kind::Other);
}

#[test]
fn a_long_class_is_shown_cut() {
    assert_eq!(&*shown_class(b"func_wall"), b"func_wall");
    assert_eq!(&*shown_class(&[b'a'; 64]), [b'a'; 64]);
    let shown = [&[b'a'; 64][..], b"..."].concat();
    assert_eq!(&*shown_class(&[b'a'; 1 << 20]), shown);
}
