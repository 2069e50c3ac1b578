//! `info ARCHIVE NAME...` and `list -l`: the facts of single files.

use super::Dir;
use super::paks::{literals, packed, quake};
use crate::archive::build::Pak;
use crate::archive::maps;
use crate::archive::zips::build::Zip;

const WORLD: &str = "{ \"classname\" \"worldspawn\" \"message\" \"the Hall\" \"sky\" \"dusk_\" } \
    { \"classname\" \"light\" } { \"classname\" \"light\" }";

/// A sound of 1.2 seconds that loops from its middle on: 11,025 samples of a byte in a second.
fn wav() -> Vec<u8> {
    let mut wav =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0".to_vec();
    wav.extend(b"cue \x1C\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0data\0\0\0\0\0\0\0\0");
    wav.extend(6615_u32.to_le_bytes());
    wav.extend(b"data");
    wav.extend(13_230_u32.to_le_bytes());
    wav.resize(wav.len() + 13_230, 128);
    wav
}

/// A picture of Quake's menus.
fn lmp() -> Vec<u8> {
    let mut lmp = [24, 16_u32].map(u32::to_le_bytes).concat();
    lmp.resize(8 + 24 * 16, 7);
    lmp
}

fn files() -> Vec<(&'static [u8], Vec<u8>)> {
    vec![
        (
            b"maps/hall.bsp",
            maps::quake(29, WORLD, &[("floor", true), ("{bars", false)]),
        ),
        (b"gfx/sign.lmp", lmp()),
        (b"sound/hum.wav", wav()),
        (b"gfx/palette.lmp", vec![0; 768]),
        (
            b"sound/other.wav",
            b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x10\0\0\0\x08\x08\x02".to_vec(),
        ),
        (b"readme.txt", b"by hand".to_vec()),
        (b"progs/bad.mdl", vec![7; 100]),
        (b"b\xE4r.lmp", lmp()),
    ]
}

fn pak() -> Vec<u8> {
    Pak::of(&files()).quake()
}

#[test]
fn info_shows_the_facts_of_wad_lumps() {
    let dir = Dir::new();
    let mut font = [256, 40, 3, 13_u32].map(u32::to_le_bytes).concat();
    font.resize(16 + 1024 + 256 * 40, 0);
    font.extend(1_u16.to_le_bytes());
    font.extend([9; 3]);
    let files = [
        ("wall.mip", crate::archive::wads::texture("wall", true)),
        ("small.fnt", font),
        ("colours.pal", vec![0; 768]),
    ];
    let names = files.each_ref().map(|(name, _)| *name);
    for (name, content) in &files {
        dir.file(name, content);
    }
    let create = "create -q -o a.wad --to wad3";
    dir.command(create).args(names).run().code(0);
    let shown = dir
        .daisho()
        .args(["info", "a.wad"])
        .args(names)
        .run()
        .code(0)
        .quiet();
    let text = shown.text();
    assert!(!text.contains("not known"), "{text}");
    for line in [
        "  type     Miptex (WAD)\n",
        "  texture  wall\n",
        "  palette  inside\n",
        "  type     Palette (WAD)\n",
        "  lump     palette\n",
        "  type     Font (Half-Life)\n",
        "  width    256\n",
        "  height   40\n",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
}

#[test]
fn list_l_shows_the_facts_of_each_file() {
    let dir = Dir::new();
    dir.file("q.pak", pak());
    let list = |arguments: &str| {
        dir.ok(format!("list q.pak {arguments}"))
            .quiet()
            .text()
            .to_owned()
    };
    let expected = "\
0    327  map      map 29, 3 entities                    maps/hall.bsp
1    392  picture  24x16, 8 bit                          gfx/sign.lmp
2  13310  sound    11025 Hz, 8 bit, mono, 1.2 s, loops   sound/hum.wav
3    768  picture  palette                               gfx/palette.lmp
4     26  sound    16x8, 24 bit                          sound/other.wav
5      7  text     -                                     readme.txt
6    100  model    -                                     progs/bad.mdl
7    392  picture  24x16, 8 bit                          b\\xe4r.lmp
";
    let aligned = |text: &str| -> Vec<String> {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().map(words).collect()
    };
    assert_eq!(aligned(&list("-l")), aligned(expected));
    assert_eq!(list("--long -j1"), list("-l -j4"));
    let tree = list("-l --tree -i hall.bsp");
    assert!(
        tree.contains("map 29, 3 entities") && tree.contains("hall.bsp"),
        "{tree}"
    );
}

#[test]
fn list_json_has_facts_only_with_l() {
    let dir = Dir::new();
    dir.file("q.pak", pak());
    let rows = |arguments: &str| {
        dir.ok(format!("list q.pak --json {arguments}"))
            .quiet()
            .json()
    };
    let long = rows("-l");
    assert_eq!(long[0]["type"], "bsp29");
    assert_eq!(
        long[0]["facts"],
        serde_json::json!({"version": 29, "title": "the Hall", "sky": "dusk_", "entities": 3})
    );
    assert_eq!(long[2]["facts"]["seconds"], 1.2);
    assert_eq!(
        (&long[4]["type"], &long[4]["facts"]["width"]),
        (&"png".into(), &16.into())
    );
    assert_eq!(
        (&long[5]["type"], &long[5]["facts"]),
        (&().into(), &serde_json::json!({}))
    );
    assert!(rows("")[0].get("facts").is_none());
}

#[test]
fn info_of_an_entry_prints_all_its_facts() {
    let dir = Dir::new();
    dir.file("q.pak", pak());
    let info = |arguments: &[&str]| {
        dir.daisho()
            .args(["info", "q.pak"])
            .args(arguments)
            .run()
            .code(0)
            .quiet()
            .text()
            .to_owned()
    };
    let expected = "\
q.pak: entry 0 \"maps/hall.bsp\"
  type             BSP 29 (Quake)
  size             327 bytes
  version          29
  title            the Hall
  sky              dusk_
  entities         3
  classes          2 light, 1 worldspawn
  textures         2
  textures inside  1
  texture names    floor, {bars
  lumps            entities, offset 124, size 111
                   textures, offset 235, size 92

q.pak: entry 2 \"sound/hum.wav\"
  type        WAV
  size        13.3 kB
  rate        11025
  bits        8
  channels    1
  samples     13230
  seconds     1.200
  loop start  6615

q.pak: entry 4 \"sound/other.wav\"
  type     PNG
  size     26 bytes
  width    16
  height   8
  bits     24
  unusual  not what its name says: it is a PNG picture
";
    // Case and slashes are as 'cat' takes them.
    assert_eq!(
        info(&["maps/hall.bsp", "SOUND\\hum.wav", "sound/other.wav"]),
        expected
    );
    assert_eq!(info(&["--index", "0", "2", "4"]), expected);
    let unknown = "\
q.pak: entry 6 \"progs/bad.mdl\"
  type     not known
  size     100 bytes
  unusual  not what its name says: it is of no type that is known
";
    assert_eq!(info(&["progs/bad.mdl"]), unknown);
    // All lumps where all is asked for.
    assert!(info(&["-v", "maps/hall.bsp"]).contains("vertexes, offset 327, size 0\n"));
    let rows = dir
        .daisho()
        .args(["info", "q.pak", "--json", "gfx/palette.lmp", "b\\xe4r.lmp"]);
    let rows = rows.run().code(0).quiet().json();
    assert_eq!(
        rows[0],
        serde_json::json!({
            "archive": "q.pak", "index": 3, "name": "gfx/palette.lmp", "kind": "picture", "size": 768,
            "packed_size": 768, "type": "lmp", "format": "LMP (Quake)", "contrary": false,
            "facts": {"lump": "palette"}, "notes": [],
        })
    );
    assert_eq!(
        (&rows[1]["index"], &rows[1]["name_hex"]),
        (&7.into(), &"62e4722e6c6d70".into())
    );
}

#[test]
fn info_takes_archives_by_content_else_entry_names() {
    let dir = Dir::new();
    dir.file("q.pak", pak());
    dir.file("other.pak", quake());
    // A file of an entry's name makes no difference.
    dir.file("gfx/sign.lmp", "lies here as well");
    let info = |arguments: &str| dir.run(format!("info {arguments}"));
    assert!(
        info("q.pak gfx/sign.lmp")
            .code(0)
            .text()
            .contains("entry 1 \"gfx/sign.lmp\"")
    );
    // Several archives are what they were.
    let both = info("q.pak other.pak").code(0).quiet().text().to_owned();
    assert!(both.starts_with("q.pak  Quake pak, ") && both.contains("\nother.pak  Quake pak, "));
    // And a file that is neither is a file.
    dir.file("notes.txt", "no archive, and no entry");
    info("q.pak notes.txt")
        .code(0)
        .quiet()
        .out_starts("q.pak  ")
        .out_ends("\nnotes.txt  24 bytes\n");
    info("q.pak othr.pak")
        .code(1)
        .err_has("no such file")
        .err_has("other.pak");
    // What was probably meant is said.
    let ran = info("q.pak gfx/sing.lmp sound/hum.wav").code(1);
    assert!(
        ran.stderr().contains("did you mean \"gfx/sign.lmp\"?"),
        "{ran}"
    );
    assert!(ran.text().contains("entry 2"));
    info("q.pak nothing/like/it")
        .code(1)
        .err_has("no file and no entry is named");
    let ran = info("q.pak --index 8 1").code(1);
    assert!(
        ran.stderr().contains("entry 8") || ran.stderr().contains("number 8"),
        "{ran}"
    );
    info("q.pak other.pak gfx/sign.lmp")
        .code(2)
        .err_has("both archives and the name of an entry");
    assert_eq!(info("nowhere.pak --index 1").code(2).text(), "");
    // An archive that comes from standard input has names, too.
    dir.command("info - gfx/sign.lmp")
        .stdin(pak())
        .run()
        .code(0)
        .out_starts("-: entry 1 \"gfx/sign.lmp\"");
    // So has one within another.
    dir.file("mod.zip", Zip::new().stored("id1/pak0.pak", &pak()).bytes());
    info("mod.zip//id1/pak0.pak gfx/sign.lmp")
        .code(0)
        .out_starts("mod.zip//id1/pak0.pak: entry 1");
    info("mod.zip id1/pak0.pak")
        .code(0)
        .out_starts("mod.zip: entry 0");
}

#[test]
fn damaged_entries_have_facts_if_a_header_decodes() {
    let dir = Dir::new();
    let map = maps::quake2(WORLD, &["floor"]);
    let mut cut = literals(&map);
    cut.truncate(cut.len() / 2);
    let pak = packed(Pak::new(), b"maps/cut.bsp", &map, &cut);
    // Nothing of it can be decoded.
    let pak = packed(pak, b"gfx/gone.lmp", &lmp(), b"\xC0\x05\xFF");
    let pak = packed(pak, b"gfx/whole.lmp", &lmp(), &literals(&lmp()));
    dir.file("d.pak", pak.daikatana());
    let ran = dir.fails("list -l d.pak");
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 3, "{ran}");
    assert!(
        lines[0].contains("map 38") && lines[1].contains("  -  "),
        "{ran}"
    );
    assert!(lines[2].contains("24x16, 8 bit"), "{ran}");
    assert!(ran.stderr().contains("entry 1 \"gfx/gone.lmp\""), "{ran}");
    let names = ["maps/cut.bsp", "gfx/gone.lmp", "gfx/whole.lmp"];
    let ran = dir
        .daisho()
        .args(["info", "d.pak", "--json"])
        .args(names)
        .run()
        .code(1);
    let rows = ran.json();
    assert_eq!(rows.len(), 2, "{ran}");
    assert_eq!(
        (&rows[0]["type"], &rows[1]["facts"]["width"]),
        (&"ibsp38".into(), &24.into())
    );
    for name in &names[..2] {
        assert!(ran.stderr().contains(name), "{ran}");
    }
}

/// Every coding gives the same, and so does a game's view of it.
#[test]
fn facts_are_equal_in_every_coding_and_loose() {
    let dir = Dir::new();
    let files = files();
    let files = || {
        let text = |name: &'static [u8]| core::str::from_utf8(name).ok();
        files
            .iter()
            .filter_map(move |(name, content)| Some((text(name)?, content)))
    };
    let zip = files().fold(Zip::new(), |zip, (name, content)| {
        zip.deflated(name, content)
    });
    dir.file("a.pk3", zip.bytes());
    dir.file("id1/pak0.pak", pak());
    for (name, content) in files() {
        dir.file(format!("loose/{name}"), content);
    }
    // A game's directory has a pak.
    let readme = Pak::new().stored("readme.txt", "by hand");
    dir.file("loose/pak0.pak", readme.quake());
    dir.ok("convert -q a.pk3 -o d.pak --to daikatana");
    let facts = |arguments: &str| -> Vec<(String, serde_json::Value)> {
        let rows = dir
            .ok(format!("list -l --json {arguments}"))
            .json()
            .into_iter();
        let mut rows: Vec<_> = rows
            .filter(|row| row.get("name_hex").is_none())
            .map(|row| {
                (
                    row["name"].as_str().unwrap().to_owned(),
                    row["facts"].clone(),
                )
            })
            .collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        rows
    };
    let expected = facts("id1/pak0.pak");
    assert_eq!(expected.len(), 7);
    for arguments in [
        "a.pk3",
        "d.pak",
        "--effective id1 --engine quakespasm",
        "--effective --loose loose --engine quakespasm -q",
    ] {
        assert_eq!(facts(arguments), expected, "{arguments}");
    }
    let of = |archive: &str| {
        dir.ok(format!("info --json {archive} maps/hall.bsp sound/hum.wav"))
            .json()
            .into_iter()
            .map(|row| row["facts"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("a.pk3"), of("id1/pak0.pak"));
    assert_eq!(of("d.pak"), of("id1/pak0.pak"));
}
