use super::*;
use crate::media::tests::{
    daikatana, header, map, mip, miptex, progs, samples, shader_name, texinfo,
};

/// What is found of a file, as lines: facts, then notes.
fn lines(name: &str, file: &[u8]) -> Vec<String> {
    let found = details(name.into(), &mut &*file, Depth::All).unwrap();
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
    details(name.into(), &mut &*file, Depth::Header)
        .unwrap()
        .summary()
}

const WORLD: &[u8] = b"{ classname worldspawn message \"the Hall\" sky unit1_ } { classname light }
    { classname info_player_start } { classname light }";

#[test]
fn a_map_says_what_stands_in_it_and_where_its_parts_lie() {
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
    let file = map(
        b"IBSP\x26\0\0\0",
        19,
        &[(0, WORLD), (5, &texinfo("e1/floor", 0))],
    );
    assert_eq!(lines("maps/a.bsp", &file)[6], "texture_names=e1/floor");
    let file = map(
        b"IBSP\x2E\0\0\0",
        17,
        &[(0, WORLD), (1, &shader_name("textures/a", 0))],
    );
    assert_eq!(lines("maps/a.bsp", &file)[6], "texture_names=textures/a");
    assert_eq!(
        lines("maps/a.bsp", &daikatana(32, 20))[..2],
        ["version=41", "leaf_bytes=32"]
    );
}

#[test]
fn a_lump_out_of_the_file_is_said_and_costs_nothing_else() {
    let mut file = map(b"IBSP\x26\0\0\0", 19, &[(0, WORLD), (5, &texinfo("a", 0))]);
    // Lump 4, nodes, from byte 100,000 on, ten bytes; and the textures end behind the file.
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
fn textures_and_pictures_say_their_size_and_where_their_palette_is() {
    for (name, expected, short) in [
        (
            "wal",
            "width=64 height=32 mips=1 palette=pics/colormap.pcx texture=e1/floor",
            "64x32, 1 mip",
        ),
        (
            "wal3",
            "width=64 height=32 mips=1 palette=inside texture=e1/floor",
            "64x32, 1 mip",
        ),
        (
            "m8",
            "width=64 height=32 mips=1 palette=inside",
            "64x32, 1 mip",
        ),
        ("m32", "width=64 height=32 mips=1", "64x32, 1 mip"),
        (
            "swl",
            "width=64 height=32 mips=1 palette=inside texture=base/floor",
            "64x32, 1 mip",
        ),
        (
            "pcx",
            "width=64 height=32 bits=8 palette=inside",
            "64x32, 8 bit",
        ),
        ("tga", "width=64 height=32 bits=24", "64x32, 24 bit"),
        ("bmp", "width=64 height=32 bits=24", "64x32, 24 bit"),
        (
            "lmp",
            "width=64 height=32 bits=8 palette=gfx/palette.lmp",
            "64x32, 8 bit",
        ),
        (
            "mip",
            "width=64 height=32 mips=4 palette=gfx/palette.lmp texture=+0slip",
            "64x32, 4 mips",
        ),
        ("pal", "lump=palette", "palette"),
        (
            "font",
            "width=64 height=32 bits=8 palette=inside",
            "64x32, 8 bit",
        ),
        ("png", "width=64 height=32 bits=8", "64x32, 8 bit"),
        ("jpeg", "width=64 height=32 bits=24", "64x32, 24 bit"),
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
    // What is no lump of a WAD need not be damaged: others have these extensions, too.
    for name in ["a.mip", "a.pal", "a.fnt"] {
        let found = details(name.into(), &mut &b"JASC-PAL"[..], Depth::All).unwrap();
        assert!(found.facts.is_empty() && !found.found.is_contrary());
    }
}

#[test]
fn the_size_of_a_jpeg_is_found_behind_long_segments() {
    let mut file = b"\xFF\xD8".to_vec();
    for _ in 0..3 {
        file.extend(b"\xFF\xE1\xFF\xFF");
        file.resize(file.len() + 0xFFFD, 0);
    }
    file.extend(b"\xFF\xC2\0\x11\x08\0\x20\0\x40\x03");
    assert_eq!(
        lines("a.jpg", &file).join(" "),
        "width=64 height=32 bits=24"
    );
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
    // Daikatana's has room for nine; behind the one that is a pixel high there is none.
    let offsets = (0..9).map(|number| (44 + 4 * number, 892));
    let numbers: Vec<(usize, u32)> = offsets.chain([(36, 16), (40, 4)]).collect();
    let file = header(892 + 64, b"\x03floor", &numbers);
    assert_eq!(summary("a.wal", &file), "16x4, 3 mips");
}

#[test]
fn lumps_without_a_header_are_known_by_name_and_length() {
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
        (
            "gfx/pop.lmp",
            256,
            "lump=pop width=16 height=16 bits=8 palette=gfx/palette.lmp",
        ),
    ] {
        assert_eq!(lines(name, &vec![0; len]).join(" "), expected, "{name}");
    }
    for (name, len) in [
        ("gfx/conchars.lmp", 16_385),
        ("gfx/a.lmp", 16_384),
        ("gfx/pop.lmp", 255),
    ] {
        let found = details(name.into(), &mut &vec![0; len][..], Depth::All).unwrap();
        assert!(
            found.found.is_contrary() && found.facts.is_empty(),
            "{name}"
        );
    }
}

/// A WAV of these chunks.
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

/// 11,025 samples a second, of eight bits, of one channel.
const FORMAT: &[u8] = b"\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0";

#[test]
fn a_wav_says_how_long_it_is_and_where_it_loops_as_the_game_finds_it() {
    let data = vec![128; 13_231];
    // One point: number, place, chunk, chunk's start, block's start, sample 2205.
    let cue = b"\x01\0\0\0\x01\0\0\0\0\0\0\0data\0\0\0\0\0\0\0\0\x9D\x08\0\0";
    // What Cool Edit writes: of cue 1, 4,410 samples, "mark".
    let mark = b"adtlltxt\x14\0\0\0\x01\0\0\0\x3A\x11\0\0mark\0\0\0\0\0\0\0\0";
    let plain = wav(&[(b"fmt ", FORMAT), (b"data", &data)]);
    let expected = "rate=11025 bits=8 channels=1 samples=13231 seconds=1200 ms";
    assert_eq!(lines("a.wav", &plain).join(" "), expected);
    assert_eq!(summary("a.wav", &plain), "11025 Hz, 8 bit, mono, 1.2 s");
    let chunks = [
        (b"fmt ", FORMAT),
        (b"data", &data[..]),
        (b"cue ", cue),
        (b"LIST", mark),
    ];
    let looped = wav(&chunks);
    let loops = format!("{expected} loop_start=2205 loop_length=4410");
    assert_eq!(lines("a.wav", &looped).join(" "), loops);
    // What lies behind the samples is not read for a list.
    assert_eq!(summary("a.wav", &looped), "11025 Hz, 8 bit, mono, 1.2 s");
    let early = wav(&[chunks[0], chunks[2], chunks[3], chunks[1]]);
    assert_eq!(
        summary("a.wav", &early),
        "11025 Hz, 8 bit, mono, 1.2 s, loops"
    );
    // A mark before its cue is not seen, nor a list of something else.
    let before = wav(&[chunks[0], chunks[3], chunks[2], chunks[1]]);
    assert_eq!(
        lines("a.wav", &before).join(" "),
        format!("{expected} loop_start=2205")
    );
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

#[test]
fn an_mp3_says_its_length_where_its_first_frame_counts_them() {
    let mut frame = b"\xFF\xFB\x90\x44".to_vec();
    frame.resize(36, 0);
    frame.extend(b"Xing\0\0\0\x01\0\0\x03\xE8");
    // 1000 frames of 1,152 samples at 44,100 a second.
    let expected = "rate=44100 channels=2 seconds=26122 ms";
    assert_eq!(lines("a.mp3", &frame).join(" "), expected);
    // Behind a tag of 0x81 bytes, which says so as 1 and 1.
    let tag = [&b"ID3\x03\0\0\0\0\x01\x01"[..], &[0; 0x81]].concat();
    assert_eq!(lines("a.mp3", &[tag, frame].concat()).join(" "), expected);
    assert_eq!(summary("a.mp3", b"\xFF\xFB\x90\x44"), "44100 Hz, stereo");
}

#[test]
fn an_ogg_ends_with_its_last_sample() {
    let mut file = header(28, b"OggS", &[(14, 77)]);
    file[26] = 1;
    file.extend(b"\x01vorbis\0\0\0\0\x02\x22\x56\0\0");
    let whole = [&file[..], &header(40, b"OggS", &[(6, 33_075), (14, 77)])].concat();
    assert_eq!(
        lines("a.ogg", &whole).join(" "),
        "rate=22050 channels=2 seconds=1500 ms"
    );
    let other = [&file[..], &header(40, b"OggS", &[(6, 33_075), (14, 78)])].concat();
    assert_eq!(lines("a.ogg", &other).join(" "), "rate=22050 channels=2");
}

/// A field of this length with a name in it.
fn field(name: &str, len: usize) -> Vec<u8> {
    let mut field = name.as_bytes().to_vec();
    field.resize(len, 0);
    field
}

#[test]
fn models_say_what_their_skins_and_surfaces_are_called() {
    let numbers = [
        (4, 8),
        (8, 296),
        (12, 194),
        (20, 2),
        (24, 100),
        (32, 200),
        (40, 40),
        (44, 68),
    ];
    let mut md2 = header(68, b"IDP2", &numbers);
    md2.extend(
        [
            field("models/a/skin.pcx", 64),
            field("models/a/pain.pcx", 64),
        ]
        .concat(),
    );
    assert_eq!(
        lines("a.md2", &md2).join(" "),
        "version=8 skin_width=296 skin_height=194 frames=40 skins=2 vertices=100 triangles=200 \
         skin_names=models/a/skin.pcx models/a/pain.pcx"
    );
    assert_eq!(summary("a.md2", &md2), "40 frames, 2 skins, 200 triangles");
    let note = "! its skins do not all lie in the file";
    assert_eq!(lines("a.md2", &md2[..150]).last().unwrap(), note);
    let numbers = [
        (4, 2),
        (24, 1),
        (28, 5),
        (36, 6),
        (44, 7),
        (48, 1),
        (52, 88),
        (72, 152),
    ];
    let mut dkm = header(88, b"DKMD", &numbers);
    dkm.extend([field("skins/a.wal", 64), field("body", 52)].concat());
    assert_eq!(
        lines("a.dkm", &dkm).join(" "),
        "version=2 frames=7 skins=1 vertices=5 triangles=6 surfaces=1 \
         skin_names=skins/a.wal surface_names=body"
    );
    let mdl = header(
        84,
        b"IDPO",
        &[
            (4, 6),
            (48, 1),
            (52, 128),
            (56, 64),
            (60, 9),
            (64, 8),
            (68, 3),
        ],
    );
    assert_eq!(
        lines("a.mdl", &mdl).join(" "),
        "version=6 skin_width=128 skin_height=64 frames=3 skins=1 vertices=9 triangles=8 \
         palette=gfx/palette.lmp"
    );
}

#[test]
fn an_md3_sums_up_its_surfaces() {
    let surface = |name: &str, vertices, triangles, shader: &str| {
        let numbers = [
            (76, 1),
            (80, vertices),
            (84, triangles),
            (92, 108),
            (104, 176),
        ];
        let mut surface = header(108, b"IDP3", &numbers);
        surface[4..4 + name.len()].copy_from_slice(name.as_bytes());
        surface.extend(field(shader, 68));
        surface
    };
    let mut md3 = header(108, b"IDP3", &[(4, 15), (76, 12), (84, 2), (100, 108)]);
    md3.extend(surface("h_head", 10, 16, "models/head.tga"));
    md3.extend(surface("h_cap", 5, 4, ""));
    let expected = "version=15 frames=12 surfaces=2 vertices=15 triangles=20 \
        surface_list=name=h_head vertices=10 triangles=16; name=h_cap vertices=5 triangles=4 \
        shader_names=models/head.tga";
    assert_eq!(lines("a.md3", &md3).join(" "), expected);
    let note = "! its surfaces do not all lie in the file";
    assert_eq!(lines("a.md3", &md3[..300]).last().unwrap(), note);
    // A surface that says that it ends where it begins, for ever.
    md3[108 + 104] = 0;
    assert_eq!(lines("a.md3", &md3).last().unwrap(), note);
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
        [
            "version=1",
            "width=4",
            "height=3",
            "frames=2",
            "palette=gfx/palette.lmp",
            list
        ]
    );
    assert_eq!(summary("a.spr", &spr), "4x3, 2 frames");
    let note = "! its frames do not all lie in the file";
    assert_eq!(lines("a.spr", &spr[..spr.len() - 1]).last().unwrap(), note);
    // Half-Life's has its palette, here of two colours, behind the header.
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
    assert_eq!(
        summary("qwprogs.dat", &progs(54730)),
        "QuakeWorld, 1 function"
    );
    assert_eq!(summary("progs.dat", &progs(1)), "1 function");
    // Another program's file need not be damaged.
    let other = details("maps.dat".into(), &mut &b"anything"[..], Depth::All).unwrap();
    assert!(other.found.facts.is_none() && !other.found.is_contrary());
    let mut outside = progs(5927);
    outside.pop();
    assert_eq!(summary("progs.dat", &outside), "");
}

/// What a file claims takes no more memory and time than what is there.
#[test]
fn claims_of_millions_of_parts_are_not_believed() {
    for (name, file) in [
        (
            "a.md2",
            header(68, b"IDP2", &[(4, 8), (20, u32::MAX), (44, 0)]),
        ),
        (
            "a.md3",
            header(400, b"IDP3", &[(4, 15), (84, u32::MAX), (100, 108)]),
        ),
        ("a.sp2", header(100, b"IDS2", &[(4, 2), (8, u32::MAX)])),
        (
            "a.spr",
            header(
                100,
                b"IDSP",
                &[(4, 1), (24, u32::MAX), (36, 1), (40, u32::MAX)],
            ),
        ),
    ] {
        let found = details(name.into(), &mut &file[..], Depth::All).unwrap();
        assert_eq!(found.notes.len(), 1, "{name}");
    }
    // Groups of no pictures, again and again.
    let mut file = header(100_000, b"IDSP", &[(4, 1), (24, u32::MAX)]);
    for at in (36..99_990).step_by(8) {
        file[at] = 1;
    }
    let found = details("a.spr".into(), &mut &file[..], Depth::All).unwrap();
    assert!(found.get("frame_list").is_none());
}
